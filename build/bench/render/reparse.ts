// The plain way: the whole text is parsed, sanitised and drawn anew at each piece. It gives the same picture: the
// application's own markdown-it, the colours of its code, its styles.
import DOMPurify from "dompurify";
import { languageOf } from "$lib/render";
import { highlight } from "$lib/render/highlight";
import { markdown } from "$lib/render/parse";

// The application's list for words, and the elements that its components draw themselves.
const allowed = {
  ALLOWED_TAGS: [
    ...["a", "strong", "em", "s", "code", "br", "img"],
    ...["p", "h3", "h4", "h5", "h6", "hr", "ul", "ol", "li", "blockquote", "div", "pre", "span"],
    ...["table", "thead", "tbody", "tr", "th", "td"],
  ],
  ALLOWED_ATTR: [
    ...["role", "tabindex", "class", "data-href", "src", "alt"],
    ...["data-level", "data-align", "start", "scope"],
  ],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  ADD_URI_SAFE_ATTR: ["data-href", "tabindex"],
};

/** The classes with which Svelte marks the elements of the application's components. */
export interface Classes {
  code: string;
  line: string;
}

/** Makes markdown-it draw whole blocks as the application's components do. */
export function drawBlocks(classes: Classes): (text: string) => string {
  const rules = markdown.renderer.rules;
  rules.fence = (tokens, index) => {
    const { content = "", info = "" } = tokens[index] ?? {};
    const html = highlight(content.replace(/\n$/, ""), languageOf(info));
    return `<div class="block"><pre class="${classes.code}" tabindex="0"><span class="${classes.line}">${html}\n</span></pre></div>`;
  };
  rules.heading_open = (tokens, index) => {
    const level = Number(tokens[index]?.tag.slice(1));
    return `<h${String(Math.min(6, level + 2))} data-level="${String(level)}">`;
  };
  rules.heading_close = (tokens, index) =>
    `</h${String(Math.min(6, Number(tokens[index]?.tag.slice(1)) + 2))}>`;
  rules.table_open = () => `<div class="table" tabindex="0"><table>`;
  rules.table_close = () => `</table></div>`;
  for (const cell of ["th", "td"]) {
    rules[`${cell}_open`] = (tokens, index) => {
      const style = String(tokens[index]?.attrGet("style") ?? "");
      const align = /text-align:(\w+)/.exec(style)?.[1] ?? "";
      return `<${cell} data-align="${align}">`;
    };
  }
  return (text) => DOMPurify.sanitize(markdown.render(text), allowed);
}
