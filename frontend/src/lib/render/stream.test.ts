import { tests as examples } from "commonmark-spec";
import MarkdownIt from "markdown-it";
import { describe, expect, it } from "vitest";
import { parseBlocks } from "./parse";
import { MarkdownStream } from "./stream";
import type { Block } from "./tree";

function atOnce(text: string): Block[] {
  const normal = text.replace(/\r\n?/g, "\n").replaceAll("\0", "\uFFFD");
  return parseBlocks(normal, {}, 0).map((top) => top.block);
}

function blocksOf(stream: MarkdownStream): Block[] {
  return stream.groups.flatMap((group) => group.blocks);
}

function streamed(text: string, size: number): Block[] {
  const stream = new MarkdownStream();
  for (let at = 0; at < text.length; at += size) stream.append(text.slice(at, at + size));
  stream.finish();
  return blocksOf(stream);
}

const sizes = [1, 2, 3, 7, 16, 61];

describe("CommonMark", () => {
  const conforming = new MarkdownIt("commonmark", { html: true, xhtmlOut: true });

  it("passes every example of the specification", () => {
    // White space between block elements has no meaning in the specification's own comparison.
    const same = (html: string) => html.replaceAll("<blockquote></blockquote>", emptyQuote);
    const emptyQuote = "<blockquote>\n</blockquote>";
    const failed = examples.filter(({ markdown, html }) => {
      const got = conforming.render(markdown.replaceAll("→", "\t"));
      return same(got) !== html.replaceAll("→", "\t");
    });
    expect(failed.map((example) => example.number)).toEqual([]);
    expect(examples.length).toBeGreaterThan(640);
  });

  it("gives the same tree streamed in pieces as at once, for every example", () => {
    for (const example of examples) {
      const text = example.markdown.replaceAll("→", "\t");
      const whole = atOnce(text);
      for (const size of sizes) {
        expect(
          streamed(text, size),
          `example ${String(example.number)} by ${String(size)}`,
        ).toEqual(whole);
      }
    }
  });

  it("gives the same tree for all examples joined into one text", () => {
    const text = examples
      .filter((example) => !example.markdown.includes("```") && !example.markdown.includes("~~~"))
      .map((example) => example.markdown.replaceAll("→", "\t"))
      .join("\n\n");
    const whole = atOnce(text);
    for (const size of [7, 61, 1000]) expect(streamed(text, size)).toEqual(whole);
  });

  it("shows at each piece what the text so far means", () => {
    for (const example of examples) {
      const text = example.markdown.replaceAll("→", "\t");
      if (/\[[^\]]*\]:/.test(text)) continue;
      const stream = new MarkdownStream();
      for (let at = 0; at < text.length; at++) {
        stream.append(text.charAt(at));
        const soFar = text.slice(0, at + 1);
        expect(blocksOf(stream), `example ${String(example.number)}`).toEqual(atOnce(soFar));
      }
    }
  });
});

describe("growing text", () => {
  const texts: Record<string, string> = {
    "a list item that looks like a paragraph first": "1. a\n\n2. b\n\nend",
    "a setext heading": "title\n---\n\ntext\n===\nmore",
    "a table": "x\n| a | b |\n|---|:-:|\n| 1 | 2 |\n\nafter\n\n| a |\n|---|\n| `x` |",
    "a list, then a table": "- a\n| a | b |\n|---|---|\n| 1 | 2 |\n",
    "a reference that comes late":
      "see [one] and [two]\n\ntext\n\n[one]: https://a.example\n\nmore [one]",
    "a reference with its title below": "x\n\n[foo]: /url\n'title\nmore'\n\n[foo]",
    "a reference before a fence": "[a]\n\n[a]: https://a.example\n```\ncode\n```\n[a]",
    "an indented fence": "  ```py\n  a\n   b\n  ```\n\nend",
    "line ends of Windows": "a\r\n\r\n```py\r\nx\r\n```\r\nb\r",
    "a quote": "> ```py\n> a\n> ```\n> b\nlazy\n\n- > x\n  > ```\n  > y\n",
    "a fence that never closes": "text\n\n```python\nwhile True:\n    pass",
    "a fence closed without a line end": "```\na\n```",
    "a fence with a longer closing": "```\na\n`````  \nb",
    "a NUL": "a\0b\n\n```\n\0\n```\n",
  };
  for (const [name, text] of Object.entries(texts)) {
    it(`streams ${name}`, () => {
      for (const size of sizes) expect(streamed(text, size)).toEqual(atOnce(text));
    });
  }

  it("keeps complete groups as they are", () => {
    const stream = new MarkdownStream();
    for (let i = 0; i < 40; i++) stream.append(`paragraph ${String(i)}\n\n`);
    const [first] = stream.groups;
    for (let i = 0; i < 40; i++) stream.append(`paragraph ${String(i)}\n\n`);
    expect(stream.groups[0]).toBe(first);
    expect(stream.groups).toHaveLength(5);
  });

  it("keeps blocks that a late reference does not touch", () => {
    const stream = new MarkdownStream();
    stream.append("plain\n\nsee [one]\n\n[one]: https://a.example\n");
    const [plain] = blocksOf(stream);
    stream.finish();
    expect(blocksOf(stream)[0]).toBe(plain);
    expect(blocksOf(stream)[1]).toMatchObject({ html: expect.stringContaining("data-href") });
  });
});
