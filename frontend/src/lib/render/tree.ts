// What a text is made of, as the screen draws it. Containers are a tree, so
// that a fence in a list is a component like any other; inline words are HTML
// that lib/render has made and sanitised.

/** Sanitised HTML of inline content. Only inline.ts makes it. */
export type InlineHtml = string & { readonly inline: unique symbol };

export type Align = "left" | "center" | "right" | "";

export interface Cell {
  html: InlineHtml;
  align: Align;
}

export interface CodeNode {
  type: "code";
  /** The word after the fence, as written; "" for none and for indented code. */
  info: string;
  content: string;
  /** The fence's place among all fences of the part; -1 for indented code. */
  ordinal: number;
  /** Its closing fence has been read (or it needs none). */
  closed: boolean;
}

export type Block =
  | { type: "paragraph"; html: InlineHtml; tight: boolean }
  | { type: "heading"; level: number; html: InlineHtml }
  | { type: "rule" }
  | { type: "list"; ordered: boolean; start: number; items: Block[][] }
  | { type: "quote"; children: Block[] }
  | { type: "table"; head: Cell[]; rows: Cell[][] }
  | CodeNode;
