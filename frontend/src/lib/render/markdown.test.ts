import { describe, expect, it } from "vitest";
import { guessLanguage, languageOf, runnable, runnableCode } from "./languages";
import { parseBlocks } from "./parse";
import type { Block, CodeNode } from "./tree";

const parse = (text: string) => parseBlocks(text, {}, 0).map((top) => top.block);

function fences(blocks: Block[]): CodeNode[] {
  return blocks.flatMap((block) => {
    if (block.type === "code") return [block];
    if (block.type === "quote") return fences(block.children);
    return block.type === "list" ? block.items.flatMap(fences) : [];
  });
}

const html = (text: string) =>
  parse(text)
    .map((block) => (block.type === "paragraph" ? block.html : ""))
    .join("");

describe("fences", () => {
  it("C001 keeps an inner fence of an outer markdown block literal", () => {
    const [outer, ...rest] = fences(
      parse("````markdown\nUse it:\n```python\nprint(1)\n```\n````\n"),
    );
    expect(outer?.info).toBe("markdown");
    expect(outer?.content).toContain("```python\nprint(1)\n```");
    expect(rest).toEqual([]);
  });

  it("C001 gives no fragment of an outer markdown block a Run, and loses no text after it", () => {
    // Three backticks around as well: CommonMark closes the outer block at the first bare
    // fence, and the last one opens a block without a language for what follows.
    const blocks = fences(
      parse("```markdown\nUse it:\n```python\nprint(1)\n```\n```\n\nThat is all of it.\n"),
    );
    expect(blocks.map((fence) => fence.info)).toEqual(["markdown", ""]);
    const [outer, after] = blocks;
    expect(outer?.content).toBe("Use it:\n```python\nprint(1)\n");
    expect(after?.content.trim()).toBe("That is all of it.");
    const language = (fence: CodeNode) => languageOf(fence.info) || guessLanguage(fence.content);
    expect(blocks.map((fence) => runnable(language(fence)))).toEqual([null, null]);
  });

  it("C003 closes a fence with one of at least its length and the same sign", () => {
    const [fence] = fences(parse("````md\n```ruby\nputs 1\n```\n~~~~\n````\n"));
    expect(fence?.content).toBe("```ruby\nputs 1\n```\n~~~~\n");
    expect(fences(parse("~~~py\n```\n~~~\n"))[0]?.content).toBe("```\n");
  });

  it("C004 takes backticks inside a line as code", () => {
    const code = 'import re\nre.sub(r"```(\\w+)", "", text)\n';
    expect(fences(parse("```python\n" + code + "```\n"))[0]?.content).toBe(code);
    const indented = "```\na\n    ```\nb\n```\n";
    expect(fences(parse(indented))[0]?.content).toBe("a\n    ```\nb\n");
  });

  it("counts fences in document order through lists and quotes, not indented code", () => {
    const text = "```a\n```\n- x\n  ```b\n  ```\n\n  > ```c\n  > ```\n\n      indented\n\n```d\n";
    expect(fences(parse(text)).map((f) => [f.info, f.ordinal])).toEqual([
      ["a", 0],
      ["b", 1],
      ["c", 2],
      ["", -1],
      ["d", 3],
    ]);
  });

  it("tells an open fence from a closed one", () => {
    const closed = (text: string) => fences(parse(text))[0]?.closed;
    expect(closed("```py\na")).toBe(false);
    expect(closed("```py\na\n")).toBe(false);
    expect(closed("```py\na\n```")).toBe(true);
    expect(closed("```py\n```")).toBe(true);
    expect(closed("- ```py\n  a\n\nend")).toBe(false);
  });
});

describe("languages", () => {
  it.each(["python", "py", "Python3", "py3", "ipython", "{python}", "python title=x", "pycon"])(
    "runs %s as Python",
    (info) => {
      expect(runnable(languageOf(info))).toBe("python");
    },
  );
  it.each(["", "text", "javascript", "bash", "json", "pythonic", "markdown"])(
    "does not run %s",
    (info) => {
      expect(runnable(languageOf(info))).toBeNull();
    },
  );

  it("C006 sees no code in prose", () => {
    for (const prose of [
      "milk in the bag or box",
      "Dear Sir or Madam,\n\nthank you for the import of goods from Spain.",
      "for the record: it was late",
      "class of 1984, with honours",
      "total = unknown at this time of the year",
      "- one\n- two",
    ]) {
      expect(guessLanguage(prose), prose).toBe("");
    }
  });

  it("C006 guesses Python from code", () => {
    for (const code of [
      "import pandas as pd\ndf = pd.read_csv('a.csv')\nprint(df)",
      "def f(x):\n    return x + 1",
      "print(1)",
      "for i in range(3):\n    print(i)",
      ">>> 1 + 1\n2",
    ]) {
      expect(guessLanguage(code), code).toBe("python");
    }
    expect(guessLanguage("const x = 1;\nconsole.log(x);")).toBe("");
    expect(guessLanguage("#include <stdio.h>\nint main() {\n}")).toBe("");
  });

  it("runs what was typed into an interactive session", () => {
    expect(runnableCode(">>> x = 1\n>>> for i in [x]:\n...     print(i)\n...\n1\n")).toBe(
      "x = 1\nfor i in [x]:\n    print(i)\n",
    );
    expect(runnableCode("x = 1\n")).toBe("x = 1");
  });
});

describe("inline content", () => {
  it("shows HTML as text", () => {
    expect(html("<b>x</b> <script>alert(1)</script>")).toContain("&lt;script&gt;");
    expect(html("<b>x</b>")).not.toContain("<b>");
  });

  it("makes links without a way to navigate", () => {
    const link = html("[a](https://example.org/x?y=1&z)");
    expect(link).toContain('data-href="https://example.org/x?y=1&amp;z"');
    expect(link).toContain('role="link"');
    expect(link).not.toMatch(/\shref=/);
  });

  it.each([
    "javascript:alert(1)",
    "file:///etc/passwd",
    "data:text/html,x",
    "/chats",
    "wails://x",
    "vbscript:x",
    "#a",
  ])("makes no link of %s", (address) => {
    expect(html(`[words](${address})`)).not.toContain("<a");
  });

  it("shows a remote image as a link and fetches nothing", () => {
    const image = html("![a cat](https://example.org/cat.png)");
    expect(image).not.toContain("<img");
    expect(image).toContain("a cat</a>");
    expect(html("[![x](https://e.example/i.png)](https://e.example/)").match(/<a/g)).toHaveLength(
      1,
    );
  });

  it("draws an image that is in the text itself", () => {
    expect(html("![x](data:image/png;base64,iVBORw0KGgo=)")).toContain("<img");
    expect(html("![x](data:image/svg+xml;base64,PHN2Zz4=)")).not.toContain("<img");
  });
});
