// What the tests of the chat screen share: the whole window over a backend in memory.
import { configure, fireEvent, render, screen } from "@testing-library/svelte";
import { vi } from "vitest";
import App from "../../App.svelte";
import type { Backend } from "$lib/backend";
import type { AppEvent, ChatView, Message, Run } from "$lib/contract";
import { mockBackend } from "../../dev/mock";

// jsdom has no layout.
Element.prototype.scrollIntoView = () => undefined;
// The first message brings markdown and grammars, and machines are noisy.
configure({ asyncUtilTimeout: 30_000 });

export const code = (text: string, language = "python") =>
  "```" + language + "\n" + text + "\n```\n";

/** A failure as Go sends it. */
export const refusal = (code: string, params: Record<string, string> = {}) =>
  Object.assign(new Error(), { code, params });

export function viewOf(text: string, runs: Run[] = [], drafts: ChatView["drafts"] = []): ChatView {
  const chat = {
    id: "c",
    title: "Chat",
    agentId: "assistant",
    leafId: "m",
    createdAt: 1,
    updatedAt: 1,
  };
  return { chat, messages: [answerOf(text)], runs, drafts, seqs: {} };
}

export function answerOf(text: string): Message {
  return {
    ...{ id: "m", chatId: "c", parentId: "", role: "assistant", state: "done", model: "" },
    createdAt: 1,
    parts: [{ id: "p", kind: "text", text, durationMs: 0, done: true }],
  };
}

export const run: Run = {
  ...{ id: "r", chatId: "c", partId: "p", ordinal: 0, engine: "pyodide", language: "python" },
  ...{ code: "", state: "running", stateLost: false, startedAt: Date.now(), durationMs: 0 },
  outputs: [],
};

/** A window that a test opens and uses. */
export class TestWindow {
  readonly backend: Backend = mockBackend(new URLSearchParams());
  emit: (...events: AppEvent[]) => void = () => undefined;

  constructor() {
    this.backend.chats.list = () => Promise.resolve({ chats: [viewOf("").chat], next: "" });
    this.backend.onEvents = (listener) => {
      this.emit = (...events) => {
        listener(events);
      };
      return () => undefined;
    };
  }

  /** Opens the window and, in it, a chat. */
  async open(view: ChatView): Promise<void> {
    this.backend.chats.open = vi.fn(() => Promise.resolve(view));
    render(App, { backend: this.backend });
    await fireEvent.click(await screen.findByRole("button", { name: "Chat" }));
    await screen.findAllByRole("article");
  }

  /** The composer, with words in it. */
  async type(words: string): Promise<HTMLTextAreaElement> {
    const box = screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Message" });
    await fireEvent.input(box, { target: { value: words } });
    return box;
  }

  /** The turn that answers a message, as Go tells its start. */
  turnStarted(chat: ChatView["chat"], text: string): AppEvent {
    const base = { chatId: chat.id, createdAt: 2, model: "" };
    return {
      topic: "turn",
      turn: {
        ...{ type: "turn_started", chatId: chat.id, turnId: "t", seq: 0, chat },
        messages: [
          {
            ...{ ...base, id: "q", parentId: "", role: "user", state: "done" },
            parts: [{ id: "qp", kind: "text", text, durationMs: 0, done: true }],
          },
          { ...base, id: "t", parentId: "q", role: "assistant", state: "running", parts: [] },
        ],
      },
    };
  }
}
