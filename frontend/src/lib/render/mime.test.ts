import { render } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";
import type { Blob } from "../contract";
import { chooseMime, dataFrame, frameDocument, imageAddress, imageSize } from "./mime";
import RichOutput from "./RichOutput.svelte";
import { GrowingCode, highlight, splitLines } from "./highlight";
import { traceLines } from "./traceback";

const bundle = (data: Record<string, unknown>) => ({ data, blobs: {} });
const show = (data: Record<string, unknown>, blobs = {}) =>
  render(RichOutput, {
    ...{ data, blobs, metadata: undefined, alt: "Picture 1", frameTitle: "HTML", tooLong: "long" },
    onlink: () => undefined,
  }).container;

const table =
  '<style>x</style><table border="1" class="dataframe"><thead><tr><th></th><th>n</th></tr><tr><th>region</th><th></th></tr></thead>' +
  "<tbody><tr><th>North</th><td>1<script>x</script></td></tr></tbody></table><p>1 rows × 1 columns</p>";

describe("the choice of a form", () => {
  it("takes the best that is there", () => {
    expect(chooseMime(bundle({ "text/plain": "x", "image/png": "aaaa" }))).toBe("image/png");
    expect(chooseMime(bundle({ "text/plain": "x", "text/html": "<b>" }))).toBe("text/html");
    expect(chooseMime(bundle({ "application/x": "x" }))).toBeNull();
    const hash: Blob = { hash: "h", size: 1 };
    // Only pictures are kept as files.
    expect(chooseMime({ data: { "text/plain": "x" }, blobs: { "text/html": hash } })).toBe(
      "text/plain",
    );
    expect(chooseMime({ data: { "text/plain": "x" }, blobs: { "image/png": hash } })).toBe(
      "image/png",
    );
  });

  it("addresses kept files and data, and no other place", () => {
    const blobs = { "image/png": { hash: "abc", size: 1 } };
    expect(imageAddress({ data: {}, blobs }, "image/png")).toBe("/blobs/abc?type=image%2Fpng");
    expect(imageAddress(bundle({ "image/png": "aGk=\n" }), "image/png")).toBe(
      "data:image/png;base64,aGk=",
    );
    expect(imageAddress(bundle({ "image/png": 'x" onerror="y' }), "image/png")).toBe("");
  });

  it("gives a picture its place before it is there", () => {
    const blobs = { "image/png": { hash: "abc", size: 1, width: 640, height: 480 } };
    const image = show({ "text/plain": "x" }, blobs).querySelector("img");
    expect([image?.getAttribute("width"), image?.getAttribute("height")]).toEqual(["640", "480"]);
    expect(image?.dataset["mime"]).toBe("image/png");
    // What the code asks for goes before what the file says.
    const metadata = { "image/png": { width: 320, height: 240 } };
    expect(imageSize({ data: {}, blobs }, "image/png", metadata)).toEqual({
      width: 320,
      height: 240,
    });
    expect(
      imageSize({ data: {}, blobs: { "image/png": { hash: "h", size: 1 } } }, "image/png", {}),
    ).toEqual({});
  });

  it("reads a PNG's size from its head", () => {
    const head = "iVBORw0KGgoAAAANSUhEUgAAAoAAAAHgCAYAAAA10dzkAAAA";
    expect(imageSize(bundle({ "image/png": head }), "image/png", undefined)).toEqual({
      width: 640,
      height: 480,
    });
  });
});

describe("HTML of code", () => {
  it("stands in a frame whose sandbox is empty, under a policy of its own", () => {
    const frame = show({ "text/html": "<b>x</b><script>alert(1)</script>" }).querySelector(
      "iframe",
    );
    expect(frame?.getAttribute("sandbox")).toBe("");
    expect(frame?.hasAttribute("src")).toBe(false);
    expect(frame?.getAttribute("srcdoc")).toContain(
      "default-src 'none'; img-src data:; style-src 'unsafe-inline'",
    );
    expect(frame?.hasAttribute("allow")).toBe(false);
  });

  it("has the policy before anything of the code", () => {
    const page = frameDocument("<script>x</script>");
    expect(page.indexOf("Content-Security-Policy")).toBeLessThan(page.indexOf("<script>"));
  });

  it("is drawn natively where it is a DataFrame", () => {
    expect(dataFrame(table)).toEqual({
      head: [[expect.objectContaining({ text: "region" }), expect.objectContaining({ text: "n" })]],
      rows: [
        [
          expect.objectContaining({ text: "North", header: true }),
          expect.objectContaining({ text: "1x" }),
        ],
      ],
      note: "1 rows × 1 columns",
    });
    const container = show({ "text/html": table, "text/plain": "x" });
    expect(container.querySelector("iframe, script, style")).toBeNull();
    expect(container.querySelector("[data-mime='text/html'] table.df td")?.textContent).toBe("1x");
    expect(dataFrame("<table><tr><td>1</td></tr></table>")).toBeNull();
  });

  it.each([
    "<table",
    "<table class=",
    '<table class="',
    '<table class="dataframe',
    "<table " + "a ",
  ])("is looked through in one go, however often it says %s", (piece) => {
    const html = piece.repeat(Math.ceil(1_000_000 / piece.length));
    // Hours for a pattern that looks at all of the rest each time.
    expect(dataFrame(html)).toBeNull();
  });

  it("shows an SVG as an image, where nothing in it runs", () => {
    const container = show({ "image/svg+xml": "<svg onload='x'/>" });
    expect(container.querySelector("svg")).toBeNull();
    expect(container.querySelector("img")?.getAttribute("src")).toMatch(/^data:image\/svg\+xml/);
  });

  it("C008 shows a plain value alone", () => {
    const container = show({ "text/plain": "3" });
    expect(container.querySelector("[data-mime]")?.getAttribute("data-mime")).toBe("text/plain");
    expect(container.textContent.trim()).toBe("3");
  });
});

describe("colours of code", () => {
  it("escapes the code", () => {
    expect(highlight("x = '<b>&'", "python")).not.toContain("<b>");
    expect(highlight("<b>", "unknown")).toBe("&lt;b&gt;");
  });

  it("closes its spans at each line", () => {
    const lines = splitLines(highlight('x = """a\nb\nc"""', "python"));
    expect(lines).toHaveLength(3);
    for (const line of lines) {
      expect(line.match(/<span/g)?.length ?? 0).toBe(line.match(/<\/span>/g)?.length ?? 0);
    }
  });

  it("gives the same text and, at the end, the same colours however the code came", () => {
    const code = Array.from(
      { length: 300 },
      (_, i) => `print("${String(i)} <&>", ${String(i)})`,
    ).join("\n");
    const signs: Record<string, string> = { "&lt;": "<", "&gt;": ">", "&amp;": "&", "&quot;": '"' };
    const text = (html: string) =>
      html.replace(/<[^>]*>/g, "").replace(/&\w+;/g, (sign) => signs[sign] ?? sign);
    for (const size of [37, 400, 5000]) {
      const growing = new GrowingCode();
      for (let at = size; at < code.length; at += size) {
        growing.update(code.slice(0, at), "python", false);
        const shown = growing.groups.map((group) => text(group.html)).join("\n");
        expect(shown).toBe(code.slice(0, at));
      }
      growing.update(code, "python", true);
      expect(growing.groups.map((group) => group.html).join("\n")).toBe(highlight(code, "python"));
    }
  });
});

describe("a traceback", () => {
  it("leaves out the message and marks the line that failed", () => {
    const lines = traceLines(
      [
        "Traceback (most recent call last):\n",
        '  File "<cell>", line 1\n    a[0]\n    ~^^^\n',
        "KeyError: 0\n",
      ],
      "KeyError",
    );
    expect(lines.map((line) => [line.kind, line.text.trim()])).toEqual([
      ["plain", 'File "<cell>", line 1'],
      ["marked", "a[0]"],
      ["carets", "~^^^"],
    ]);
  });
});
