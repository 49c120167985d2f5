// Markdown to a tree of blocks, through markdown-it.
import MarkdownIt from "markdown-it";
import type { Env, Token } from "markdown-it";
import { drawLinks, sanitiseInline } from "./inline";
import type { Align, Block, Cell, InlineHtml } from "./tree";

export type { Env };

/** CommonMark with tables and strikethrough; HTML is text. */
export const markdown = new MarkdownIt("commonmark", { html: false }).enable([
  "table",
  "strikethrough",
]);
drawLinks(markdown);

/** A block at the top of the text, with its lines [start, end). */
export interface TopBlock {
  block: Block;
  start: number;
  end: number;
  fences: number;
}

/** Reads a text. Fences are counted from firstOrdinal. */
export function parseBlocks(text: string, env: Env, firstOrdinal: number): TopBlock[] {
  const reader = new Reader(markdown.parse(text, env), env, firstOrdinal);
  return reader.top();
}

class Reader {
  #at = 0;
  #ordinal: number;

  constructor(
    private readonly tokens: Token[],
    private readonly env: Env,
    firstOrdinal: number,
  ) {
    this.#ordinal = firstOrdinal;
  }

  top(): TopBlock[] {
    const blocks: TopBlock[] = [];
    for (let token = this.#peek(); token; token = this.#peek()) {
      const [start, end] = token.map ?? [0, 0];
      const before = this.#ordinal;
      const block = this.#block();
      if (block) blocks.push({ block, start, end, fences: this.#ordinal - before });
    }
    return blocks;
  }

  #peek(): Token | undefined {
    return this.tokens[this.#at];
  }

  #next(): Token | undefined {
    return this.tokens[this.#at++];
  }

  #children(close: string): Block[] {
    const blocks: Block[] = [];
    for (let token = this.#peek(); token && token.type !== close; token = this.#peek()) {
      const block = this.#block();
      if (block) blocks.push(block);
    }
    this.#next();
    return blocks;
  }

  #block(): Block | null {
    const token = this.#next();
    switch (token?.type) {
      case "paragraph_open":
        return { type: "paragraph", html: this.#inline(), tight: token.hidden };
      case "heading_open":
        return { type: "heading", level: Number(token.tag.slice(1)), html: this.#inline() };
      case "hr":
        return { type: "rule" };
      case "fence":
        return {
          type: "code",
          info: token.info.trim(),
          content: token.content,
          ordinal: this.#ordinal++,
          closed: isClosed(token),
        };
      case "code_block":
        return { type: "code", info: "", content: token.content, ordinal: -1, closed: true };
      case "blockquote_open":
        return { type: "quote", children: this.#children("blockquote_close") };
      case "bullet_list_open":
        return { type: "list", ordered: false, start: 1, items: this.#items() };
      case "ordered_list_open": {
        const start = Number(token.attrGet("start") ?? 1);
        return { type: "list", ordered: true, start, items: this.#items() };
      }
      case "table_open":
        return this.#table();
      default:
        return null;
    }
  }

  /** The inline token of a paragraph or heading, and its end. */
  #inline(): InlineHtml {
    const token = this.#next();
    this.#next();
    return this.#words(token);
  }

  #words(token: Token | undefined): InlineHtml {
    const html = markdown.renderer.renderInline(token?.children ?? [], markdown.options, this.env);
    return sanitiseInline(html);
  }

  #items(): Block[][] {
    const items: Block[][] = [];
    for (let token = this.#next(); token?.type === "list_item_open"; token = this.#next()) {
      items.push(this.#children("list_item_close"));
    }
    return items;
  }

  #table(): Block {
    const rows: Cell[][] = [];
    for (let token = this.#next(); token && token.type !== "table_close"; token = this.#next()) {
      if (token.type === "tr_open") rows.push([]);
      else if (token.type === "th_open" || token.type === "td_open") {
        rows.at(-1)?.push({ html: this.#inline(), align: alignOf(token) });
      }
    }
    const [head = [], ...body] = rows;
    return { type: "table", head, rows: body };
  }
}

function alignOf(token: Token): Align {
  const match = /text-align:(left|center|right)/.exec(String(token.attrGet("style") ?? ""));
  return (match?.[1] ?? "") as Align;
}

/** A closed fence has two lines more than its content. */
function isClosed(token: Token): boolean {
  const [start, end] = token.map ?? [0, 0];
  const { content } = token;
  let lines = content === "" || content.endsWith("\n") ? 0 : 1;
  for (let at = content.indexOf("\n"); at >= 0; at = content.indexOf("\n", at + 1)) lines++;
  return end - start === lines + 2;
}
