/** What is being written, shared by the composer and the examples that fill it. */
export class Draft {
  text = $state("");
  element: HTMLTextAreaElement | null = null;

  /** Puts a text there, for the person to send or change. */
  fill(text: string): void {
    this.text = text;
    this.focus();
  }
  /** Gives words back that could not be sent, before what was typed meanwhile. */
  putBack(text: string): void {
    this.text = this.text === "" ? text : `${text}\n${this.text}`;
  }
  focus(): void {
    this.element?.focus();
  }
}
