// Inline content as HTML: the one place that makes strings for {@html}.
import DOMPurify from "dompurify";
import type { Env, MarkdownIt, Token } from "markdown-it";
import type { InlineHtml } from "./tree";

const imageData = /^data:image\/(?:png|jpeg|gif|webp);base64,[a-z0-9+/=]+$/i;

/**
 * The address of a link that may be opened, or null. Only http, https and mail
 * addresses leave the application; everything else is shown as plain words.
 */
export function linkAddress(href: string): string | null {
  if (!/^(?:https?:\/\/|mailto:)/i.test(href)) return null;
  try {
    const url = new URL(href);
    return ["http:", "https:", "mailto:"].includes(url.protocol) ? url.href : null;
  } catch {
    return null;
  }
}

/**
 * Draws links as elements without href: whatever the mouse, the keyboard or a
 * menu of the webview does with them, there is nowhere to go. The address is in
 * data-href, for the dialog that asks. Images of other machines become links.
 */
export function drawLinks(md: MarkdownIt): void {
  const escape = md.utils.escapeHtml;
  const open = (address: string) =>
    `<a role="link" tabindex="0" class="link" data-href="${escape(address)}">`;

  md.renderer.rules.link_open = (tokens, index, _options, env) => {
    const address = linkAddress(attribute(tokens[index], "href"));
    linksOf(env).push(address !== null);
    return address === null ? "" : open(address);
  };
  md.renderer.rules.link_close = (_tokens, _index, _options, env) =>
    linksOf(env).pop() ? "</a>" : "";
  md.renderer.rules.image = (tokens, index, options, env, self) => {
    const token = tokens[index];
    const src = attribute(token, "src");
    const alt = self.renderInlineAsText(token?.children ?? [], options, env);
    if (imageData.test(src)) return `<img src="${escape(src)}" alt="${escape(alt)}">`;
    const address = linkAddress(src);
    if (address === null || linksOf(env).some(Boolean)) return escape(alt || src);
    return `${open(address)}${escape(alt || address)}</a>`;
  };
}

const attribute = (token: Token | undefined, name: string) => String(token?.attrGet(name) ?? "");

/** Which of the links around a place are drawn as links. */
function linksOf(env: Env | undefined): boolean[] {
  if (!env) return [];
  return (env["links"] ??= []) as boolean[];
}

const allowed = {
  ALLOWED_TAGS: ["a", "strong", "em", "s", "code", "br", "img"],
  ALLOWED_ATTR: ["role", "tabindex", "class", "data-href", "src", "alt"],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  ALLOWED_URI_REGEXP: imageData,
  ADD_URI_SAFE_ATTR: ["data-href", "tabindex"],
};

/** Holds markdown-it's HTML to a short list of elements. */
export function sanitiseInline(html: string): InlineHtml {
  // Words without a tag need no parser.
  if (!html.includes("<")) return html as InlineHtml;
  return DOMPurify.sanitize(html, allowed) as InlineHtml;
}
