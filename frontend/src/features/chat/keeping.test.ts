// What a person wrote is never lost: messages that are refused, and edited blocks.
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import App from "../../App.svelte";
import type { Backend } from "$lib/backend";
import { en } from "$lib/messages/en";
import { code, refusal, TestWindow, viewOf } from "./testkit";

let page: TestWindow;
let backend: Backend;

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

beforeEach(() => {
  page = new TestWindow();
  backend = page.backend;
});

/** A call that a test lets succeed or fail when it wants to. */
function held<T>() {
  let resolve: (value: T) => void = () => undefined;
  let reject: (reason: Error) => void = () => undefined;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

describe("a message that is refused", () => {
  it("comes back to the composer, with the reason", async () => {
    backend.chats.send = () => Promise.reject(refusal("model_none"));
    await page.open(viewOf("x"));
    const box = await page.type("hello");
    await fireEvent.click(screen.getByRole("button", { name: "Send" }));
    await waitFor(() => {
      expect(box.value).toBe("hello");
    });
    expect(screen.getByRole("alert").textContent).toContain(
      en.error({ code: "model_none", params: {} }).text,
    );
  });

  it("comes back before what was typed meanwhile", async () => {
    const call = held<{ chatId: string; turnId: string }>();
    backend.chats.send = () => call.promise;
    await page.open(viewOf("x"));
    const box = await page.type("first");
    await fireEvent.click(screen.getByRole("button", { name: "Send" }));
    await page.type("second");
    call.reject(refusal("model_none"));
    await waitFor(() => {
      expect(box.value).toBe("first\nsecond");
    });
  });

  it("comes back also where another chat is shown by then", async () => {
    const call = held<{ chatId: string; turnId: string }>();
    backend.chats.send = () => call.promise;
    await page.open(viewOf("x"));
    const box = await page.type("first");
    await fireEvent.click(screen.getByRole("button", { name: "Send" }));
    await fireEvent.click(screen.getByRole("button", { name: "New chat" }));
    call.reject(refusal("model_none"));
    await waitFor(() => {
      expect(box.value).toBe("first");
    });
    expect(screen.getByRole("alert")).toBeTruthy();
  });
});

describe("a new chat", () => {
  it("stays empty where it was asked for while the first message was on its way", async () => {
    const call = held<{ chatId: string; turnId: string }>();
    backend.chats.send = () => call.promise;
    backend.chats.open = vi.fn(() => Promise.resolve(viewOf("stolen")));
    render(App, { backend });
    await screen.findByRole("button", { name: "Chat" });
    await page.type("first");
    await fireEvent.click(screen.getByRole("button", { name: "Send" }));
    await screen.findByText("first");
    await fireEvent.click(screen.getByRole("button", { name: "New chat" }));
    call.resolve({ chatId: "c", turnId: "t" });
    page.emit(page.turnStarted(viewOf("").chat, "first"));
    await screen.findByRole("heading", { name: en.empty.heading });
    expect(backend.chats.open).not.toHaveBeenCalled();
    expect(screen.queryByRole("article")).toBeNull();
  });
});

describe("an edited block", () => {
  async function edit(words: string) {
    await fireEvent.click(screen.getByRole("button", { name: "Edit" }));
    const editor = screen.getByRole("textbox", { name: "Code" });
    await fireEvent.input(editor, { target: { value: words } });
  }
  const draft = (words: string) => ({ chatId: "c", partId: "p", ordinal: 0, code: words });

  it("is saved later where saving failed, and shown meanwhile", async () => {
    let refused = true;
    backend.chats.saveDraft = vi.fn(() =>
      refused ? Promise.reject(refusal("store_failed")) : Promise.resolve(),
    );
    await page.open(viewOf(code("print(1)")));
    vi.useFakeTimers();
    await edit("print(2)");
    await vi.advanceTimersByTimeAsync(500);
    expect(backend.chats.saveDraft).toHaveBeenCalledTimes(1);
    expect(screen.getByRole("alert")).toBeTruthy();
    // Another chat and back: Go knows nothing of the edit, the window does.
    await fireEvent.click(screen.getByRole("button", { name: "New chat" }));
    await fireEvent.click(screen.getByRole("button", { name: "Chat" }));
    await vi.advanceTimersByTimeAsync(100);
    expect(screen.getByRole("group", { name: "Code block" }).textContent).toContain("print(2)");
    refused = false;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(backend.chats.saveDraft).toHaveBeenLastCalledWith(draft("print(2)"));
    const calls = vi.mocked(backend.chats.saveDraft).mock.calls.length;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(backend.chats.saveDraft).toHaveBeenCalledTimes(calls);
  });

  it("is handed over when the page ends", async () => {
    backend.chats.saveDraft = vi.fn(() => Promise.resolve());
    await page.open(viewOf(code("print(1)")));
    await edit("print(3)");
    window.dispatchEvent(new Event("pagehide"));
    expect(backend.chats.saveDraft).toHaveBeenCalledWith(draft("print(3)"));
  });
});
