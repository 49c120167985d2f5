import { describe, expect, it } from "vitest";
import { linesOf, plainText, Terminal } from "./ansi";

describe("a terminal", () => {
  it("C077 draws colours and drops what it does not know", () => {
    const [line] = linesOf(
      "\u001b[1;31mZeroDivisionError\u001b[0m: x\u001b[2J\u001b]0;title\u0007",
    );
    expect(line).toEqual([
      { text: "ZeroDivisionError", style: "fg-red bold" },
      { text: ": x", style: "" },
    ]);
  });

  it("lets a carriage return and a backspace overwrite", () => {
    expect(plainText("10%\r20%\r100%\n")).toBe("100%");
    expect(plainText("abc\b\bX\n")).toBe("aXc");
    expect(plainText("abcdef\r\u001b[Kx")).toBe("x");
    expect(plainText("a\r\nb\r\n")).toBe("a\nb");
  });

  it("C048 keeps line ends", () => {
    expect(plainText("a\nb\n")).toBe("a\nb");
    expect(plainText("a\n\nb")).toBe("a\n\nb");
  });

  it("gives the same whatever the pieces are", () => {
    const text = "\u001b[38;5;196mred\u001b[0m 😀\ttab\r\n\u001b]8;;x\u001b\\link\n10\r20\n";
    const whole = linesOf(text);
    for (const size of [1, 2, 3, 7]) {
      const terminal = new Terminal();
      for (let at = 0; at < text.length; at += size) terminal.write(text.slice(at, at + size));
      expect(terminal.groups.flatMap((group) => [...group.lines])).toEqual(whole);
    }
  });

  it("C054 keeps groups of lines that are final", () => {
    const terminal = new Terminal();
    for (let i = 0; i < 250; i++) terminal.write(`${String(i)}\n`);
    const [first] = terminal.groups;
    terminal.write("more\n");
    expect(terminal.groups[0]).toBe(first);
    expect(terminal.groups).toHaveLength(3);
  });

  it("bounds a line without end", () => {
    const terminal = new Terminal();
    terminal.write("x".repeat(50_000));
    expect(terminal.groups.flatMap((group) => group.lines)).toHaveLength(4);
  });
});
