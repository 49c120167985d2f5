// Markdown that grows. What is complete is never parsed again.
import { parseBlocks, type Env, type TopBlock } from "./parse";
import type { Block, CodeNode } from "./tree";

/** Blocks are handed out in groups of this size; a group that is done keeps its identity. */
export const groupSize = 16;

export interface Group {
  id: number;
  blocks: readonly Block[];
}

/** A tail longer than this is parsed only when it has grown by a sixteenth. */
const lazyFrom = 8192;

/**
 * Reads an append-only text. The text falls into frozen blocks and a tail. A
 * block is frozen when a later one has begun on a complete line, since no later
 * text can change where such a block ends (block structure does not depend on
 * link references, and every rule that joins lines to an earlier block decides
 * on the joined line itself). A fence that is open at the end of the text grows
 * without being parsed.
 *
 * A link reference that is defined after its use is applied once, in finish.
 */
export class MarkdownStream {
  #groups: Group[] = [];
  #frozen = 0;
  #fences = 0;
  /** The normalised text, in pieces, for the one case that needs it whole. */
  #whole: string[] = [];
  #tail = "";
  #parsedLength = 0;
  #references: NonNullable<Env["references"]> = {};
  #lateReferences = false;
  #heldReturn = false;
  #open: OpenFence | null = null;

  /** The blocks so far. Groups that did not change are the same objects as before. */
  get groups(): readonly Group[] {
    return this.#groups;
  }

  append(piece: string): void {
    const text = this.#normalise(piece);
    if (text === "") return;
    this.#whole.push(text);
    if (this.#open) {
      this.#grow(this.#open, text);
      return;
    }
    this.#tail += text;
    if (this.#isDue()) this.#parse();
  }

  /** The text is complete: what was put off is done now. */
  finish(): void {
    if (this.#heldReturn) {
      this.#heldReturn = false;
      this.append("\n");
    }
    if (this.#parsedLength !== this.#tail.length && !this.#open) this.#parse();
    if (this.#lateReferences) this.#reparse();
  }

  /** Line ends and NUL as CommonMark wants them; a return at the end waits for what follows. */
  #normalise(piece: string): string {
    let text = this.#heldReturn ? "\r" + piece : piece;
    this.#heldReturn = text.endsWith("\r");
    if (this.#heldReturn) text = text.slice(0, -1);
    return text.replace(/\r\n?/g, "\n").replaceAll("\0", "\uFFFD");
  }

  #isDue(): boolean {
    const length = this.#tail.length;
    return length < lazyFrom || length - this.#parsedLength > length / 16;
  }

  #parse(): void {
    const env: Env = { references: { ...this.#references } };
    const found = parseBlocks(this.#tail, env, this.#fences);
    this.#parsedLength = this.#tail.length;
    if (size(env) > Object.keys(this.#references).length) this.#lateReferences = true;
    this.#show(found.map((top) => top.block));
    this.#freeze(found);
    this.#open = this.#openFence(found.at(-1));
  }

  /** Freezes all blocks before the last one that began on a complete line. */
  #freeze(found: TopBlock[]): void {
    const complete = count(this.#tail, "\n");
    const last = found.findLastIndex((top) => top.start < complete);
    if (last <= 0) return;
    const done = found.slice(0, last);
    const cut = lineStart(this.#tail, Math.max(...done.map((top) => top.end)));
    this.#learn(this.#tail.slice(0, cut));
    this.#tail = this.#tail.slice(cut);
    this.#parsedLength = this.#tail.length;
    this.#frozen += done.length;
    this.#fences += done.reduce((sum, top) => sum + top.fences, 0);
  }

  /** Keeps the link references of a text that is frozen. */
  #learn(text: string): void {
    if (!text.includes("]:")) return;
    const env: Env = { references: { ...this.#references } };
    parseBlocks(text, env, 0);
    this.#references = env.references ?? {};
  }

  /** Puts blocks from the first one that is not frozen on. */
  #show(blocks: Block[]): void {
    const from = this.#frozen;
    const groups = this.#groups.slice(0, Math.ceil((from + blocks.length) / groupSize));
    for (let id = Math.floor(from / groupSize); id * groupSize < from + blocks.length; id++) {
      const kept = groups[id]?.blocks.slice(0, Math.max(0, from - id * groupSize)) ?? [];
      const start = Math.max(0, id * groupSize - from);
      const fresh = blocks.slice(start, start + groupSize - kept.length);
      groups[id] = { id, blocks: [...kept, ...fresh] };
    }
    this.#groups = groups;
  }

  /** The whole text once more, with every reference known; equal blocks keep their identity. */
  #reparse(): void {
    const before = this.#groups.flatMap((group) => group.blocks);
    const found = parseBlocks(this.#whole.join(""), { references: {} }, 0);
    this.#frozen = 0;
    this.#show(
      found.map(({ block }, index) => {
        const old = before[index];
        return old && JSON.stringify(old) === JSON.stringify(block) ? old : block;
      }),
    );
    this.#frozen = found.length;
    this.#lateReferences = false;
  }

  #openFence(last: TopBlock | undefined): OpenFence | null {
    const node = last?.block;
    if (!last || node?.type !== "code" || node.ordinal < 0 || node.closed) return null;
    const start = lineStart(this.#tail, last.start);
    const text = this.#tail.slice(start);
    // The opening line must be complete, and unindented: else lines lose their indent.
    const opening = /^(`{3,}|~{3,})[^\n]*\n/.exec(text);
    if (!opening?.[1] || this.#frozen + 1 < this.#blockCount()) return null;
    this.#learn(this.#tail.slice(0, start));
    this.#tail = "";
    this.#parsedLength = 0;
    return new OpenFence(node, opening[1], text.slice(opening[0].length));
  }

  #blockCount(): number {
    const last = this.#groups.at(-1);
    return last ? last.id * groupSize + last.blocks.length : 0;
  }

  #grow(open: OpenFence, text: string): void {
    const left = open.write(text);
    this.#show([open.node]);
    if (left === null) return;
    // It closed on a complete line: the fence is frozen and the rest is the tail.
    this.#open = null;
    this.#frozen += 1;
    this.#fences += 1;
    this.#tail = left;
    if (left !== "") this.#parse();
  }
}

/** The content of a fence at the top of the text whose end has not come yet. */
class OpenFence {
  readonly #node: CodeNode;
  readonly #closing: RegExp;
  #lines = "";
  #partial = "";

  constructor(node: CodeNode, marker: string, content: string) {
    this.#node = node;
    const sign = marker[0] === "~" ? "~" : "`";
    this.#closing = new RegExp(`^ {0,3}${sign}{${String(marker.length)},}[ \\t]*$`);
    const end = content.lastIndexOf("\n") + 1;
    this.#lines = content.slice(0, end);
    this.#partial = content.slice(end);
  }

  /** The fence as it would be if the text ended here. */
  get node(): CodeNode {
    const closed = this.#closing.test(this.#partial);
    // A last line of nothing but blanks is no line yet.
    const partial = closed || /^[ \t]*$/.test(this.#partial) ? "" : this.#partial;
    return { ...this.#node, closed, content: this.#lines + partial };
  }

  /** Takes more text. Gives what stands after the fence once its end has come, else null. */
  write(text: string): string | null {
    if (!text.includes("\n")) {
      this.#partial += text;
      return null;
    }
    const fresh = this.#partial + text;
    let at = 0;
    for (let end = fresh.indexOf("\n"); end >= 0; end = fresh.indexOf("\n", at)) {
      const line = fresh.slice(at, end);
      if (this.#closing.test(line)) {
        this.#lines += fresh.slice(0, at);
        this.#partial = line;
        return fresh.slice(end + 1);
      }
      at = end + 1;
    }
    this.#lines += fresh.slice(0, at);
    this.#partial = fresh.slice(at);
    return null;
  }
}

function size(env: Env): number {
  return Object.keys(env.references ?? {}).length;
}

function count(text: string, sign: string): number {
  let found = 0;
  for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + 1)) found++;
  return found;
}

function lineStart(text: string, line: number): number {
  let at = 0;
  for (let skipped = 0; skipped < line; skipped++) {
    const end = text.indexOf("\n", at);
    if (end < 0) return text.length;
    at = end + 1;
  }
  return at;
}
