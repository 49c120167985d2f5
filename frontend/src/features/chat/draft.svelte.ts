/** What is being written, shared by the composer and the examples that fill it. */
export class Draft {
  text = $state("");
  element: HTMLTextAreaElement | null = null;

  /** Puts a text there, for the person to send or change. */
  fill(text: string): void {
    this.text = text;
    this.focus();
  }
  focus(): void {
    this.element?.focus();
  }
}
