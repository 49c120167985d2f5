// Streams as a terminal shows them: colours, carriage return and backspace.

/** A run of characters in one style. */
export interface Segment {
  text: string;
  /** Class names; "" for plain text. */
  style: string;
}
export type Line = readonly Segment[];

interface Style {
  fg: string;
  bg: string;
  flags: Set<string>;
}

const names = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];
// A line that is longer is cut into lines of this length, which bounds overwriting.
const longest = 16_384;
const groupLines = 100;

/**
 * A terminal of endless height. Text is written in any pieces; a line is final
 * once the next one began, so the work is linear in what is written. Moves of
 * the cursor other than \r and \b, and every other sequence, show nothing.
 */
export class Terminal {
  /** Final lines in groups that keep their identity. */
  #groups: { id: number; lines: Line[] }[] = [];
  #cells: { char: string; style: string }[] = [];
  #at = 0;
  #style: Style = { fg: "", bg: "", flags: new Set() };
  #class = "";
  #rest = "";

  write(piece: string): void {
    const text = this.#rest + piece;
    this.#rest = "";
    let at = 0;
    while (at < text.length) {
      const code = text.charCodeAt(at);
      if (code === 0x1b) {
        const length = this.#escape(text, at);
        if (length === 0) {
          this.#rest = text.slice(at);
          return;
        }
        at += length;
      } else {
        at += this.#put(text, at, code);
      }
    }
  }

  /** All lines so far, the last one as it stands. */
  get groups(): readonly { id: number; lines: readonly Line[] }[] {
    const last = this.#groups.at(-1);
    const line = this.#line();
    if (line.length === 0) return this.#groups.slice();
    if (!last || last.lines.length >= groupLines) {
      return [...this.#groups, { id: this.#groups.length, lines: [line] }];
    }
    return [...this.#groups.slice(0, -1), { id: last.id, lines: [...last.lines, line] }];
  }

  #put(text: string, at: number, code: number): number {
    switch (code) {
      case 0x0a:
        this.#feed();
        return 1;
      case 0x0d:
        this.#at = 0;
        return 1;
      case 0x08:
        this.#at = Math.max(0, this.#at - 1);
        return 1;
      case 0x09:
        this.#cell("\t");
        return 1;
      default:
        if (code < 0x20 || code === 0x7f) return 1;
        const char = String.fromCodePoint(text.codePointAt(at) ?? 0xfffd);
        this.#cell(char);
        return char.length;
    }
  }

  #cell(char: string): void {
    if (this.#at >= longest) this.#feed();
    this.#cells[this.#at++] = { char, style: this.#class };
  }

  #feed(): void {
    let last = this.#groups.at(-1);
    if (!last || last.lines.length >= groupLines) {
      last = { id: this.#groups.length, lines: [] };
      this.#groups.push(last);
    } else {
      // The group grows as a new object, so that whoever holds the old one sees the change.
      last = { id: last.id, lines: [...last.lines] };
      this.#groups[this.#groups.length - 1] = last;
    }
    last.lines.push(this.#line());
    this.#cells = [];
    this.#at = 0;
  }

  #line(): Line {
    const line: Segment[] = [];
    for (const { char, style } of this.#cells) {
      const last = line.at(-1);
      if (last?.style === style) last.text += char;
      else line.push({ text: char, style });
    }
    return line;
  }

  /** Reads an escape sequence; gives its length, or 0 where it is not whole yet. */
  #escape(text: string, at: number): number {
    const next = text[at + 1];
    if (next === undefined) return 0;
    if (next === "[") {
      // Sticky, so that a long text is not searched through.
      const sequence = /\x1b\[([0-9;:?]{0,64})([ -/]{0,2})([@-~])?/y;
      sequence.lastIndex = at;
      const match = sequence.exec(text);
      const length = match?.[0].length ?? 2;
      if (match?.[3] === undefined) return at + length >= text.length ? 0 : length;
      if (match[3] === "m" && match[2] === "") this.#colours(match[1] ?? "");
      if (match[3] === "K") this.#erase(match[1] ?? "");
      return length;
    }
    if (next === "]") {
      const command = /\x1b\]([^\x07\x1b]{0,2048})(\x07|\x1b\\)?/y;
      command.lastIndex = at;
      const match = command.exec(text);
      const length = match?.[0].length ?? 2;
      if (match?.[2] !== undefined) return length;
      return at + length >= text.length - 1 && length < 2048 ? 0 : length;
    }
    return 2;
  }

  #erase(mode: string): void {
    if (mode === "2" || mode === "1") this.#cells = [];
    else this.#cells.length = Math.min(this.#cells.length, this.#at);
    for (let i = this.#cells.length; i < this.#at; i++) this.#cells[i] = { char: " ", style: "" };
  }

  #colours(text: string): void {
    const codes = text.split(/[;:]/).map(Number);
    for (let i = 0; i < codes.length; i++) {
      const code = codes[i] ?? 0;
      if (code === 38 || code === 48) {
        const kind = codes[i + 1];
        const name = kind === 5 ? indexed(codes[i + 2] ?? 0) : "";
        if (code === 38) this.#style.fg = name;
        else this.#style.bg = name;
        i += kind === 5 ? 2 : 4;
      } else {
        this.#apply(code);
      }
    }
    const { fg, bg, flags } = this.#style;
    this.#class = [fg && `fg-${fg}`, bg && `bg-${bg}`, ...flags].filter(Boolean).join(" ");
  }

  #apply(code: number): void {
    const style = this.#style;
    if (code === 0) this.#style = { fg: "", bg: "", flags: new Set() };
    else if (code === 1) style.flags.add("bold");
    else if (code === 2) style.flags.add("faint");
    else if (code === 3) style.flags.add("italic");
    else if (code === 4) style.flags.add("under");
    else if (code === 7) style.flags.add("inverse");
    else if (code === 9) style.flags.add("struck");
    else if (code === 22) ["bold", "faint"].forEach((flag) => style.flags.delete(flag));
    else if (code === 23) style.flags.delete("italic");
    else if (code === 24) style.flags.delete("under");
    else if (code === 27) style.flags.delete("inverse");
    else if (code === 29) style.flags.delete("struck");
    else if (code >= 30 && code <= 37) style.fg = names[code - 30] ?? "";
    else if (code === 39) style.fg = "";
    else if (code >= 40 && code <= 47) style.bg = names[code - 40] ?? "";
    else if (code === 49) style.bg = "";
    else if (code >= 90 && code <= 97) style.fg = names[code - 90] ?? "";
    else if (code >= 100 && code <= 107) style.bg = names[code - 100] ?? "";
  }
}

/** One of the eight colours for an index of 256: themes own the rest. */
function indexed(index: number): string {
  if (index < 16) return names[index % 8] ?? "";
  if (index >= 232) return index < 244 ? "black" : "white";
  const cube = index - 16;
  const [r, g, b] = [Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6];
  const bit = (value: number) => (value >= Math.max(r, g, b, 1) * 0.6 ? 1 : 0);
  return names[bit(r) + 2 * bit(g) + 4 * bit(b)] ?? "";
}

/** Lines as one list of segments, so that plain text is one piece however many lines it has. */
export function joined(lines: readonly Line[]): Segment[] {
  const all: Segment[] = [];
  const add = (text: string, style: string) => {
    const last = all.at(-1);
    if (last?.style === style) last.text += text;
    else all.push({ text, style });
  };
  for (const line of lines) {
    for (const segment of line) add(segment.text, segment.style);
    add("\n", "");
  }
  return all;
}

/** Whether a terminal shows the text as it is. */
export function isPlain(text: string): boolean {
  return !/[^\P{Cc}\n\t]/u.test(text);
}

/** A whole text as lines. */
export function linesOf(text: string): Line[] {
  const terminal = new Terminal();
  terminal.write(text);
  return terminal.groups.flatMap((group) => [...group.lines]);
}

/** A text without colours and with overwritten characters gone. */
export function plainText(text: string): string {
  return linesOf(text)
    .map((line) => line.map((segment) => segment.text).join(""))
    .join("\n");
}
