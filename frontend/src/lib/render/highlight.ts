// Colours of code, through highlight.js.
import type { LanguageFn } from "highlight.js";
import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import c from "highlight.js/lib/languages/c";
import cpp from "highlight.js/lib/languages/cpp";
import csharp from "highlight.js/lib/languages/csharp";
import css from "highlight.js/lib/languages/css";
import diff from "highlight.js/lib/languages/diff";
import dockerfile from "highlight.js/lib/languages/dockerfile";
import go from "highlight.js/lib/languages/go";
import ini from "highlight.js/lib/languages/ini";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import kotlin from "highlight.js/lib/languages/kotlin";
import latex from "highlight.js/lib/languages/latex";
import lua from "highlight.js/lib/languages/lua";
import makefile from "highlight.js/lib/languages/makefile";
import markdown from "highlight.js/lib/languages/markdown";
import php from "highlight.js/lib/languages/php";
import python from "highlight.js/lib/languages/python";
import r from "highlight.js/lib/languages/r";
import ruby from "highlight.js/lib/languages/ruby";
import rust from "highlight.js/lib/languages/rust";
import sql from "highlight.js/lib/languages/sql";
import swift from "highlight.js/lib/languages/swift";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";
import { continues } from "./grow";

/** Python with its calls: the library colours definitions alone. */
const pythonWithCalls: LanguageFn = (api) => {
  const grammar = python(api);
  const words =
    "if|elif|while|for|in|is|not|and|or|return|yield|lambda|print|assert|del|await|raise";
  const call = {
    scope: "title.function",
    begin: new RegExp(
      `\\b(?!(?:${words}|def|class|except|with|from|import|match|case)\\b)[A-Za-z_]\\w*(?=\\()`,
    ),
    relevance: 0,
  };
  return { ...grammar, contains: [...grammar.contains, call] };
};

const grammars = {
  ...{ bash, c, cpp, csharp, css, diff, dockerfile, go, ini, java, javascript, json, kotlin },
  ...{ latex, lua, makefile, markdown, php, r, ruby, rust, sql, swift, typescript },
  ...{ xml, yaml, html: xml, python: pythonWithCalls, pycon: pythonWithCalls },
};
for (const [name, grammar] of Object.entries(grammars)) hljs.registerLanguage(name, grammar);

/** Code beyond this length stays plain. */
export const longestCode = 200_000;

/** HTML of code: text, and spans with a class. Only this file makes it. */
export type CodeHtml = string & { readonly code: unique symbol };

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
export const escapeCode = (text: string) =>
  text.replace(/[&<>]/g, (sign) => escapes[sign] ?? "") as CodeHtml;

/** Code with its colours, or as plain text where the language is not known. */
export function highlight(code: string, language: string): CodeHtml {
  if (code.length > longestCode || !hljs.getLanguage(language)) return escapeCode(code);
  const html = hljs.highlight(code, { language, ignoreIllegals: true }).value;
  // The library escapes the code; should it ever let an element through, nothing is shown of it.
  const rest = html.replace(/<span class="[\w -]+">|<\/span>/g, "");
  return /[<>]/.test(rest) ? escapeCode(code) : (html as CodeHtml);
}

/** Cuts highlighted code into lines, each with its spans closed. */
export function splitLines(html: CodeHtml): CodeHtml[] {
  let open: string[] = [];
  return html.split("\n").map((line) => {
    const head = open.join("");
    open = openSpans(line, open);
    return (head + line + "</span>".repeat(open.length)) as CodeHtml;
  });
}

function openSpans(line: string, before: string[]): string[] {
  if (!line.includes("<")) return before;
  const open = [...before];
  for (const [tag] of line.matchAll(/<span class="[\w -]+">|<\/span>/g)) {
    if (tag === "</span>") open.pop();
    else open.push(tag);
  }
  return open;
}

const groupLines = 64;

export interface CodeGroup {
  id: number;
  html: CodeHtml;
}

/**
 * Code that may still grow. It is highlighted anew only when it has grown by a
 * quarter, so the work stays linear in the final length; between, the lines
 * that came are plain. Groups of lines that did not change keep their identity.
 */
export class GrowingCode {
  #groups: CodeGroup[] = [];
  #code = "";
  #language = "";
  /** How much of the code has its colours. */
  #coloured = 0;
  #complete = false;

  get groups(): readonly CodeGroup[] {
    return this.#groups;
  }

  update(code: string, language: string, complete: boolean): void {
    const grew = continues(code, this.#code);
    if (!grew || language !== this.#language) this.#coloured = 0;
    const same = code === this.#code && language === this.#language;
    if (same && complete === this.#complete) return;
    const before = grew && language === this.#language ? this.#code.length : 0;
    this.#code = code;
    this.#language = language;
    this.#complete = complete;
    const fresh = code.length - this.#coloured;
    if (complete || code.length < 1024 || fresh > code.length / 4) this.#colour(complete);
    else this.#extend(before);
  }

  #colour(complete: boolean): void {
    // While it grows, the last line is left plain: a half word has the wrong colour.
    const end = complete ? this.#code.length : this.#code.lastIndexOf("\n") + 1;
    const lines = splitLines(highlight(this.#code.slice(0, end), this.#language));
    if (!complete) lines.splice(-1, 1, ...splitLines(escapeCode(this.#code.slice(end))));
    this.#coloured = end;
    const groups: CodeGroup[] = [];
    for (let at = 0; at < lines.length; at += groupLines) {
      const html = lines.slice(at, at + groupLines).join("\n") as CodeHtml;
      groups.push(this.#group(groups.length, html));
    }
    this.#groups = groups;
  }

  /** Adds text that came since, in plain, to the last group. */
  #extend(before: number): void {
    const fresh = this.#code.slice(before);
    const last = this.#groups.at(-1);
    const text = escapeCode(fresh);
    if (!last) {
      this.#groups = [{ id: 0, html: text }];
      return;
    }
    const groups = this.#groups.slice(0, -1);
    const full = last.html.length > 8192 && fresh.includes("\n");
    const cut = full ? text.indexOf("\n") : text.length;
    groups.push({ id: last.id, html: (last.html + text.slice(0, cut)) as CodeHtml });
    if (full) groups.push({ id: last.id + 1, html: text.slice(cut + 1) as CodeHtml });
    this.#groups = groups;
  }

  #group(id: number, html: CodeHtml): CodeGroup {
    const old = this.#groups[id];
    return old?.html === html ? old : { id, html };
  }
}
