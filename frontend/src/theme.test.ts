import { readFileSync } from "node:fs";
import { cleanup, render, screen, waitFor } from "@testing-library/svelte";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import App from "./App.svelte";
import { mockBackend } from "./dev/mock";

const begin = () => {
  // As the page's head does, before anything else.
  window.eval(readFileSync("public/theme.js", "utf8").replace("const ", "var "));
};
const root = document.documentElement;

afterEach(cleanup);
beforeEach(() => {
  localStorage.clear();
  delete root.dataset["theme"];
});

describe("the theme at the start", () => {
  it("is the one of the last time, before the settings are there", async () => {
    render(App, { backend: mockBackend(new URLSearchParams("theme=dark")) });
    await waitFor(() => {
      expect(root.dataset["theme"]).toBe("dark");
    });
    cleanup();
    delete root.dataset["theme"];
    begin();
    expect(root.dataset["theme"]).toBe("dark");
    const backend = mockBackend(new URLSearchParams());
    backend.settings.view = () => new Promise(() => undefined);
    render(App, { backend });
    await screen.findByRole("button", { name: "New chat" });
    expect(root.dataset["theme"]).toBe("dark");
  });

  it.each(["system", "<b>"])("follows the desktop where it was %s", (theme) => {
    localStorage.setItem("theme", theme);
    begin();
    expect(root.dataset["theme"]).toBeUndefined();
  });

  it("is set by a script that the page loads first, and is not one of its modules", () => {
    const page = readFileSync("index.html", "utf8");
    const first = /<script[^>]*>/.exec(page)?.[0];
    expect(first).toBe('<script src="/theme.js">');
  });
});
