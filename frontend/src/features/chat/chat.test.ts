// The parts of the chat screen that a mistake would make unsafe or unusable.
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Backend } from "$lib/backend";
import type { AppEvent, ChatView, Run } from "$lib/contract";
import { groupChats } from "./groups";
import { code, refusal, run, TestWindow, viewOf } from "./testkit";
import { en } from "$lib/messages/en";

let page: TestWindow;
let backend: Backend;
const open = (view: ChatView) => page.open(view);
const emit = (...events: AppEvent[]) => {
  page.emit(...events);
};

afterEach(cleanup);

beforeEach(() => {
  page = new TestWindow();
  backend = page.backend;
});

describe("a code block", () => {
  it("has Run where the language is Python, and nowhere else", async () => {
    await open(
      viewOf(
        code("print(1)") +
          code("print(2)", "py3") +
          code("ls", "bash") +
          code("milk in the bag or box", ""),
      ),
    );
    const blocks = screen.getAllByRole("group", { name: "Code block" });
    const withRun = blocks.map(
      (block) => within(block).queryByRole("button", { name: "Run" }) !== null,
    );
    expect(withRun).toEqual([true, true, false, false]);
    expect(blocks.map((block) => block.dataset["language"])).toEqual([
      "python",
      "python",
      "bash",
      "",
    ]);
  });

  it("C006 has a language that can be changed where the fence names none", async () => {
    await open(viewOf(code("milk in the bag or box", "")));
    const block = screen.getByRole("group", { name: "Code block" });
    await fireEvent.click(within(block).getByRole("combobox", { name: "Language" }));
    await fireEvent.click(within(block).getByRole("option", { name: "Python" }));
    expect(within(block).getByRole("button", { name: "Run" })).toBeTruthy();
  });

  it("has no Run where code execution is off", async () => {
    const view = await backend.settings.view();
    backend.settings.view = () =>
      Promise.resolve({ ...view, codeExecution: { ...view.codeExecution, enabled: false } });
    await open(viewOf(code("print(1)")));
    expect(screen.queryByRole("button", { name: "Run" })).toBeNull();
  });

  it("C012 has no Run where the settings name an engine that this version lacks", async () => {
    const view = await backend.settings.view();
    const codeExecution = { ...view.codeExecution, engine: "jupyter" as const };
    backend.settings.view = () => Promise.resolve({ ...view, codeExecution });
    await open(viewOf(code("print(1)")));
    expect(screen.queryByRole("button", { name: "Run" })).toBeNull();
  });

  it("runs the fence at its ordinal, counting those in lists", async () => {
    backend.execution.run = vi.fn(() => Promise.resolve(run));
    await open(viewOf("- x\n  ```bash\n  ls\n  ```\n\n" + code("print(2)")));
    await fireEvent.click(screen.getByRole("button", { name: "Run" }));
    expect(backend.execution.run).toHaveBeenCalledWith({
      ...{ chatId: "c", partId: "p", ordinal: 1, language: "python", code: "print(2)" },
    });
  });

  it("C011 runs once however often it is pressed, and turns to Stop", async () => {
    backend.execution.run = vi.fn(() => new Promise<Run>(() => undefined));
    await open(viewOf(code("import time; time.sleep(15)")));
    const button = screen.getByRole("button", { name: "Run" });
    await Promise.all([fireEvent.click(button), fireEvent.click(button), fireEvent.click(button)]);
    expect(backend.execution.run).toHaveBeenCalledTimes(1);
    const block = screen.getByRole("group", { name: "Code block" });
    expect(within(block).getByRole("button", { name: "Stop" })).toBeTruthy();
    expect(within(block).queryByRole("button", { name: "Run" })).toBeNull();
  });

  it("shows Stop from the press to the end, also where events are slow", async () => {
    backend.execution.run = () => Promise.resolve(run);
    await open(viewOf(code("print(1)")));
    const block = screen.getByRole("group", { name: "Code block" });
    await fireEvent.click(within(block).getByRole("button", { name: "Run" }));
    const region = await within(block).findByRole("region", { name: "Output" });
    expect(region.dataset["state"]).toBe("running");
    expect(within(block).queryByRole("button", { name: "Run" })).toBeNull();
    const step = { chatId: "c", runId: "r" };
    emit(
      { topic: "run", run: { ...step, seq: 0, type: "run_started", run } },
      {
        topic: "run",
        run: { ...step, seq: 1, type: "run_finished", run: { ...run, state: "done" } },
      },
    );
    expect(await within(block).findByRole("button", { name: "Run" })).toBeTruthy();
  });

  it("gives Stop back where stopping failed", async () => {
    backend.execution.stop = () => Promise.reject(refusal("internal"));
    await open(viewOf(code("print(1)"), [run]));
    const stop = screen.getByRole<HTMLButtonElement>("button", { name: "Stop" });
    await fireEvent.click(stop);
    await screen.findByRole("alert");
    expect(stop.disabled).toBe(false);
  });

  it.each(["stopped", "timeout"] as const)(
    "says that code which lost its session may go on computing: %s",
    async (state) => {
      await open(viewOf(code("print(1)"), [{ ...run, state, stateLost: true }]));
      expect(screen.getByRole("region", { name: "Output" }).textContent).toContain(
        en.output.mayGoOn,
      );
      cleanup();
      await open(viewOf(code("print(1)"), [{ ...run, state }]));
      const kept = screen.getByRole("region", { name: "Output" }).textContent;
      expect(kept).toContain(en.output.kept);
      expect(kept).not.toContain(en.output.mayGoOn);
    },
  );

  it("C009 C010 runs what is shown, keeps it as a draft, and gives the original back", async () => {
    backend.execution.run = vi.fn(() => Promise.resolve<Run>({ ...run, state: "done" }));
    backend.chats.saveDraft = vi.fn(() => Promise.resolve());
    backend.chats.deleteDraft = vi.fn(() => Promise.resolve());
    await open(viewOf(code("print(1)")));
    await fireEvent.click(screen.getByRole("button", { name: "Edit" }));
    const editor = screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Code" });
    await fireEvent.input(editor, { target: { value: "print(9)" } });
    await fireEvent.click(screen.getByRole("button", { name: "Edit" }));
    const block = screen.getByRole("group", { name: "Code block" });
    expect(block.textContent).toContain("print(9)");
    await fireEvent.click(screen.getByRole("button", { name: "Run" }));
    await waitFor(() => {
      expect(backend.execution.run).toHaveBeenCalledWith(
        expect.objectContaining({ code: "print(9)" }),
      );
    });
    expect(backend.chats.saveDraft).toHaveBeenCalledWith({
      ...{ chatId: "c", partId: "p", ordinal: 0, code: "print(9)" },
    });
    await fireEvent.click(screen.getByRole("button", { name: "Restore original" }));
    expect(block.textContent).toContain("print(1)");
  });

  it("C010 shows a kept draft after a restart", async () => {
    await open(viewOf(code("print(1)"), [], [{ partId: "p", ordinal: 0, code: "print(7)" }]));
    expect(screen.getByRole("group", { name: "Code block" }).textContent).toContain("print(7)");
    expect(screen.getByRole("button", { name: "Restore original" })).toBeTruthy();
  });

  it("C012 names the engine, and its output carries state and engine", async () => {
    await open(viewOf(code("print(1)"), [{ ...run, state: "done" }]));
    const block = screen.getByRole("group", { name: "Code block" });
    expect(block.textContent).toContain("Pyodide");
    const output = within(block).getByRole("region", { name: "Output" });
    expect(output.dataset).toMatchObject({ state: "done", engine: "pyodide" });
  });

  it("says why a run could not start", async () => {
    backend.execution.run = () =>
      Promise.reject(refusal("kernel_unsupported", { detail: "WebAssembly" }));
    await open(viewOf(code("print(1)")));
    await fireEvent.click(screen.getByRole("button", { name: "Run" }));
    expect((await screen.findByRole("alert")).textContent).toContain("WebAssembly");
  });
});

describe("an answer", () => {
  it.each(["context_full", "answer_limit"])(
    "at a limit has one end and one Retry: %s",
    async (code) => {
      const view = viewOf("Words");
      const [answer] = view.messages;
      answer?.parts.push({
        ...{ id: "e", kind: "error", text: "", durationMs: 0, done: true },
        error: { code, params: {} },
      });
      await open({ ...view, messages: answer ? [{ ...answer, state: "limit" }] : [] });
      expect(screen.getAllByRole("button", { name: "Retry" })).toHaveLength(1);
      expect(screen.getByRole("alert").textContent).toContain(en.error({ code, params: {} }).text);
      expect(screen.queryByText(en.message.limit)).toBeNull();
    },
  );
});

describe("the session", () => {
  it("has its button in a chat with messages, also where there is none", async () => {
    backend.execution.session = (chatId) =>
      Promise.resolve({ chatId, engine: "pyodide", phase: "none", variables: -1 });
    await open(viewOf("x"));
    const button = screen.getByRole("button", { name: "Session" });
    expect(button.dataset["state"]).toBe("none");
    expect(button.textContent).toContain("No variables");
    await fireEvent.click(button);
    for (const name of ["Interrupt", "Restart"]) {
      expect(screen.getByRole<HTMLButtonElement>("button", { name }).disabled).toBe(true);
    }
    await fireEvent.click(screen.getByRole("button", { name: "New chat" }));
    expect(screen.queryByRole("button", { name: "Session" })).toBeNull();
  });
});

describe("a link", () => {
  it("asks with the whole address and opens only then", async () => {
    backend.system.openLink = vi.fn(() => Promise.resolve());
    await open(viewOf("[words](https://example.org/a?b=c)"));
    for (const event of [
      () => fireEvent.click(screen.getByRole("link", { name: "words" })),
      () =>
        fireEvent(
          screen.getByRole("link", { name: "words" }),
          new MouseEvent("auxclick", { button: 1, bubbles: true }),
        ),
      () => fireEvent.keyDown(screen.getByRole("link", { name: "words" }), { key: "Enter" }),
    ]) {
      await event();
      expect(screen.getByText("https://example.org/a?b=c")).toBeTruthy();
      expect(backend.system.openLink).not.toHaveBeenCalled();
      await fireEvent.click(screen.getByRole("button", { name: "Cancel" }));
    }
    await fireEvent.click(screen.getByRole("link", { name: "words" }));
    await fireEvent.click(screen.getByRole("button", { name: "Open" }));
    expect(backend.system.openLink).toHaveBeenCalledWith("https://example.org/a?b=c");
  });
});

describe("the window", () => {
  it("C063 keeps a run in its own chat while another one is shown", async () => {
    await open(viewOf(code("print(1)")));
    emit({
      topic: "run",
      run: {
        chatId: "other",
        runId: "x",
        seq: 0,
        type: "run_started",
        run: { ...run, id: "x", chatId: "other" },
      },
    });
    expect(screen.queryByRole("region", { name: "Output" })).toBeNull();
  });

  it("fetches a chat anew when an event is missing", async () => {
    await open(viewOf(code("print(1)"), [run]));
    const before = vi.mocked(backend.chats.open).mock.calls.length;
    emit({
      topic: "run",
      run: { chatId: "c", runId: "r", seq: 5, type: "run_outputs", outputs: [] },
    });
    await waitFor(() => {
      expect(vi.mocked(backend.chats.open).mock.calls.length).toBe(before + 1);
    });
  });

  it("sends with Enter, not with Shift Enter nor while an input method composes", async () => {
    backend.chats.send = vi.fn(() => Promise.resolve({ chatId: "c", turnId: "t" }));
    await open(viewOf("x"));
    const box = screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Message" });
    await fireEvent.input(box, { target: { value: "にほん" } });
    await fireEvent.keyDown(box, { key: "Enter", isComposing: true });
    await fireEvent.keyDown(box, { key: "Enter", shiftKey: true });
    expect(backend.chats.send).not.toHaveBeenCalled();
    await fireEvent.keyDown(box, { key: "Enter" });
    expect(backend.chats.send).toHaveBeenCalledWith({
      chatId: "c",
      text: "にほん",
      agentId: "assistant",
    });
  });

  it("sends the chosen agent to a chat that has one, and shows the one that the chat has then", async () => {
    backend.chats.send = vi.fn(() => Promise.resolve({ chatId: "c", turnId: "t" }));
    const view = viewOf("x");
    await open(view);
    const agent = screen.getByRole("combobox", { name: "Agent" });
    expect(agent.textContent).toContain("Assistant");
    await fireEvent.click(agent);
    await fireEvent.click(screen.getByRole("option", { name: "Data analyst" }));
    expect(agent.textContent).toContain("Data analyst");
    await page.type("hello");
    await fireEvent.click(screen.getByRole("button", { name: "Send" }));
    expect(backend.chats.send).toHaveBeenCalledWith({
      ...{ chatId: "c", text: "hello", agentId: "analyst" },
    });
    emit(page.turnStarted({ ...view.chat, agentId: "analyst" }, "hello"));
    await screen.findByText("hello");
    expect(agent.textContent).toContain("Data analyst");
  });

  it("opens the settings and closes them with Escape", async () => {
    await open(viewOf("x"));
    await fireEvent.click(screen.getByRole("button", { name: "Settings" }));
    expect(screen.getAllByRole("tab").map((tab) => tab.textContent.trim())).toEqual([
      "General",
      "Models",
      "About",
    ]);
    await fireEvent.click(screen.getByRole("tab", { name: "Models" }));
    expect(screen.getByRole("combobox", { name: "Default model" })).toBeTruthy();
    await fireEvent.keyDown(window, { key: "Escape" });
    expect(screen.queryByRole("tab")).toBeNull();
  });
});

describe("the list of chats", () => {
  it("stands under the names of days", () => {
    const now = new Date(2025, 8, 10, 9).getTime();
    const at = (month: number, day: number, year = 2025) => ({
      ...viewOf("").chat,
      updatedAt: new Date(year, month, day, 23, 30).getTime(),
    });
    const chats = [
      { ...at(8, 10), updatedAt: now },
      ...[at(8, 9), at(8, 8), at(8, 3), at(8, 2), at(7, 30), at(7, 1, 2024)],
    ];
    const names = groupChats(chats, now, en.sidebar).map((group) => [
      group.name,
      group.chats.length,
    ]);
    expect(names).toEqual([
      ["Today", 1],
      ["Yesterday", 1],
      ["Previous 7 days", 2],
      ["September", 1],
      ["August", 1],
      ["August 2024", 1],
    ]);
  });
});
