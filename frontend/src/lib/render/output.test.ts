import { cleanup, render } from "@testing-library/svelte";
import { afterEach, describe, expect, it } from "vitest";
import Stream from "./Stream.svelte";

afterEach(cleanup);

const mime = "application/vnd.jupyter.stdout";
const lines = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `${String(from + index)}\n`).join("");

describe("what a program prints", () => {
  it("keeps its elements while it grows", async () => {
    const { container, rerender } = render(Stream, { text: lines(0, 250), mime });
    const first = container.querySelector(".chunk");
    const words = first?.firstChild;
    await rerender({ text: lines(0, 450), mime });
    expect(container.querySelectorAll(".chunk")).toHaveLength(5);
    expect(container.querySelector(".chunk")).toBe(first);
    expect(first?.firstChild).toBe(words);
    expect(container.textContent.trim()).toBe(lines(0, 450).trim());
  });

  it("is one piece of text for a hundred plain lines", () => {
    const { container } = render(Stream, { text: lines(0, 100), mime });
    const texts = [...(container.querySelector(".chunk")?.childNodes ?? [])].filter(
      (node) => node.nodeType === Node.TEXT_NODE && node.nodeValue !== "",
    );
    expect(texts).toHaveLength(1);
  });

  it("changes nothing where its output changed and its text did not", async () => {
    const { container, rerender } = render(Stream, { text: lines(0, 150), mime });
    const changes = new MutationObserver(() => undefined);
    changes.observe(container, { subtree: true, childList: true, characterData: true });
    await rerender({ text: lines(0, 150), mime });
    expect(changes.takeRecords()).toEqual([]);
  });

  it("is the same element and piece of text for each end of a flood", async () => {
    const { container, rerender } = render(Stream, {
      ...{ text: lines(100, 300), mime, replaced: true },
    });
    const words = container.querySelector("pre")?.firstChild;
    await rerender({ text: lines(5000, 5200), mime, replaced: true });
    expect(container.querySelector("pre")?.firstChild).toBe(words);
    expect(container.querySelector("pre")?.textContent).toBe(lines(5000, 5200));
    await rerender({ text: "\u001b[31mred\u001b[0m\nplain\n", mime, replaced: true });
    expect(container.querySelector(".fg-red")?.textContent).toBe("red");
    expect(container.textContent).toBe("red\nplain\n");
  });
});
