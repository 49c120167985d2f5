// Which form of an output is drawn, and what is made of it.
import DOMPurify from "dompurify";
import type { Blob, MimeBundle } from "../contract";

/** The types that can be drawn, best first. Pictures may be kept files, everything else is data. */
const pictures = ["image/png", "image/jpeg", "image/gif", "image/svg+xml"] as const;
const rank = [
  ...pictures,
  "text/html",
  "text/markdown",
  "application/json",
  "text/latex",
  "text/plain",
] as const;
export type Mime = (typeof rank)[number];
export type PictureMime = (typeof pictures)[number];

export interface Rich {
  data: MimeBundle;
  blobs: Record<string, Blob>;
}

/** The type to draw, or null where none of them is known. */
export function chooseMime({ data, blobs }: Rich): Mime | null {
  const kept = (mime: Mime) => isPicture(mime) && mime in blobs;
  return rank.find((mime) => kept(mime) || (mime in data && usable(mime, data[mime]))) ?? null;
}

export function isPicture(mime: Mime | null): mime is PictureMime {
  return pictures.some((picture) => picture === mime);
}

function usable(mime: Mime, value: unknown): boolean {
  return mime === "application/json" ? value !== undefined : asText(value) !== "";
}

/** Jupyter allows a text as a list of lines. */
export function asText(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value) && value.every((line) => typeof line === "string"))
    return value.join("");
  return "";
}

/**
 * The address of an image: its kept file, served by the application itself, or
 * its data. As an img, an SVG runs no script.
 */
export function imageAddress({ data, blobs }: Rich, mime: PictureMime): string {
  const blob = blobs[mime];
  if (blob) return `/blobs/${encodeURIComponent(blob.hash)}?type=${encodeURIComponent(mime)}`;
  const text = asText(data[mime]);
  if (mime === "image/svg+xml") return `data:${mime};charset=utf-8,${encodeURIComponent(text)}`;
  const base64 = text.replace(/\s/g, "");
  return /^[A-Za-z0-9+/]+={0,2}$/.test(base64) ? `data:${mime};base64,${base64}` : "";
}

/** Width and height that metadata, the kept file or a PNG's head tells, so that nothing jumps. */
export function imageSize(
  { data, blobs }: Rich,
  mime: PictureMime,
  metadata: Record<string, unknown> | undefined,
): { width?: number; height?: number } {
  const own = metadata?.[mime];
  if (typeof own === "object" && own !== null) {
    const { width, height } = own as { width?: unknown; height?: unknown };
    if (typeof width === "number" && typeof height === "number") return { width, height };
  }
  const { width, height } = blobs[mime] ?? {};
  if (width && height) return { width, height };
  if (mime !== "image/png") return {};
  const head = asText(data[mime]).slice(0, 32);
  if (!head.startsWith("iVBORw0KGgo")) return {};
  const bytes = Uint8Array.from(atob(head), (char) => char.charCodeAt(0));
  const view = new DataView(bytes.buffer);
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

/** The sandbox of every frame: empty, so that nothing in it ever runs or navigates. */
export const frameSandbox = "";

const framePolicy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'";
const frameStyle =
  ":root{color-scheme:light}body{margin:0;padding:8px;font:13px/20px system-ui,sans-serif;background:#fff;color:#1b1d22}" +
  "table{border-collapse:collapse}th,td{padding:4px 8px;text-align:end}";

/** A document for a frame without scripts, network or links that lead anywhere. */
export function frameDocument(html: string): string {
  return (
    `<!doctype html><html><head><meta charset="utf-8">` +
    `<meta http-equiv="Content-Security-Policy" content="${framePolicy}">` +
    `<style>${frameStyle}</style></head><body>${html}</body></html>`
  );
}

/**
 * The height that a frame needs. Nothing runs in the frame, so a sanitised copy
 * is laid out aside and measured.
 */
export function measureHtml(html: string, width: number): number {
  const host = document.createElement("div");
  host.style.cssText = `position:absolute;visibility:hidden;inset:0 auto auto -99999px;width:${String(width)}px;contain:content`;
  const root = host.attachShadow({ mode: "closed" });
  const style = document.createElement("style");
  style.textContent = `:host{font:13px/20px sans-serif}${frameStyle.replace(":root{color-scheme:light}", "")}`;
  const body = document.createElement("div");
  body.style.padding = "8px";
  body.append(
    DOMPurify.sanitize(html.replace(/url\s*\(/gi, "none("), {
      RETURN_DOM_FRAGMENT: true,
      FORBID_TAGS: ["style", "link", "iframe", "form", "audio", "video"],
      // Nothing is loaded for a measurement.
      FORBID_ATTR: ["src", "srcset", "href", "xlink:href", "background", "poster", "id", "name"],
    }),
  );
  root.append(style, body);
  document.body.append(host);
  const height = body.scrollHeight;
  host.remove();
  return height;
}

export interface Frame {
  head: FrameCell[][];
  rows: FrameCell[][];
  /** Words below the table, as pandas gives its size. */
  note: string;
}
export interface FrameCell {
  text: string;
  header: boolean;
  cols: number;
  rows: number;
}

// Bounded, since the HTML is untrusted and may be long: an open-ended pattern
// looks at the whole rest anew from each "<table".
const dataFrameTag = /<table\b[^<>]{0,200}\bclass="[^"<>]{0,200}\bdataframe\b/;

/** The table of a pandas DataFrame as data, or null where the HTML is something else. */
export function dataFrame(html: string): Frame | null {
  if (!dataFrameTag.test(html)) return null;
  // A parsed document is inert: it loads nothing and runs nothing.
  const page = new DOMParser().parseFromString(html, "text/html");
  const tables = page.querySelectorAll("table");
  const table = page.querySelector("table.dataframe");
  if (!table || tables.length !== 1) return null;
  const rowsOf = (part: string) =>
    [...table.querySelectorAll(`:scope > ${part} > tr`)].map((row) =>
      [...row.querySelectorAll(":scope > th, :scope > td")].map(cellOf),
    );
  const note = [...page.querySelectorAll("p")].map((p) => p.textContent.trim()).join(" ");
  return { head: joinNames(rowsOf("thead")), rows: [...rowsOf("tbody"), ...rowsOf("tfoot")], note };
}

/** pandas names the index in a row of its own; the name goes to the empty corner. */
function joinNames(head: FrameCell[][]): FrameCell[][] {
  const [columns = [], names = []] = head;
  const plain = [...columns, ...names].every((cell) => cell.cols === 1 && cell.rows === 1);
  const onlyName = names.slice(1).every((cell) => cell.text === "");
  if (head.length !== 2 || !plain || !onlyName || columns[0]?.text !== "" || !names[0]) return head;
  return [[names[0], ...columns.slice(1)]];
}

function cellOf(cell: Element): FrameCell {
  const span = (name: string) => Math.min(1000, Math.max(1, Number(cell.getAttribute(name)) || 1));
  return {
    text: cell.textContent.trim(),
    header: cell.tagName === "TH",
    cols: span("colspan"),
    rows: span("rowspan"),
  };
}

const longestJson = 100_000;

/** JSON for reading; null where it is too long. */
export function prettyJson(value: unknown): string | null {
  const text = JSON.stringify(value, null, 2);
  return text.length > longestJson ? null : text;
}
