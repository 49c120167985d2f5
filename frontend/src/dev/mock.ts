// A backend in memory, to look at every state in an ordinary browser.
import type { Backend } from "$lib/backend";
import type { AppEvent, Chat, ChatView, ModelsView, Run, SettingsView } from "$lib/contract";
import { chats, longAnswer, views } from "./scenes";

const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export function mockBackend(query: URLSearchParams): Backend {
  let listener: (events: AppEvent[]) => void = () => undefined;
  let seq = 0;
  const emit = (...events: AppEvent[]) => {
    listener(events);
  };
  const empty = query.has("empty");
  const known: Chat[] = empty ? [] : chats;

  async function answer(chat: Chat, turnId: string, text: string) {
    const base = { chatId: chat.id, turnId };
    const user = message(`${turnId}-user`, chat.id, "user", text);
    const reply = {
      ...message(turnId, chat.id, "assistant", ""),
      state: "running" as const,
      parts: [],
    };
    emit({
      topic: "turn",
      turn: { ...base, seq: 0, type: "turn_started", chat, messages: [user, reply] },
    });
    const part = {
      id: `${turnId}-text`,
      kind: "text" as const,
      text: "",
      durationMs: 0,
      done: false,
    };
    await later(600);
    emit({ topic: "turn", turn: { ...base, seq: 1, type: "part_added", part } });
    seq = 1;
    const size = Number(query.get("piece") ?? 12);
    for (let at = 0; at < longAnswer.length; at += size) {
      await later(16);
      const piece = longAnswer.slice(at, at + size);
      emit({
        topic: "turn",
        turn: { ...base, seq: ++seq, type: "part_appended", partId: part.id, text: piece },
      });
    }
    emit(
      {
        topic: "turn",
        turn: { ...base, seq: ++seq, type: "part_finished", partId: part.id, durationMs: 0 },
      },
      { topic: "turn", turn: { ...base, seq: ++seq, type: "turn_finished", state: "done" } },
    );
  }

  async function execute(run: Run) {
    const base = { chatId: run.chatId, runId: run.id };
    emit({ topic: "run", run: { ...base, seq: 0, type: "run_started", run } });
    const session = { chatId: run.chatId, engine: "pyodide" as const, variables: 3 };
    emit({ topic: "session", session: { ...session, phase: "busy" } });
    await later(2500);
    const output = {
      type: "stream" as const,
      name: "stdout" as const,
      text: "4\n",
      tail: "",
      droppedBytes: 0,
      droppedLines: 0,
    };
    emit({
      topic: "run",
      run: { ...base, seq: 1, type: "run_outputs", outputs: [{ op: "set", index: 0, output }] },
    });
    emit({
      topic: "run",
      run: {
        ...base,
        seq: 2,
        type: "run_finished",
        run: { ...run, state: "done", durationMs: 2500 },
      },
    });
    emit({ topic: "session", session: { ...session, phase: "idle" } });
  }

  return {
    chats: {
      list: () => Promise.resolve({ chats: known, next: "" }),
      search: (text) =>
        Promise.resolve(
          known.filter((chat) => chat.title.toLowerCase().includes(text.toLowerCase())),
        ),
      open: (chatId) => Promise.resolve(views[chatId] ?? emptyView(chatId)),
      send: ({ chatId, text }) => {
        const id = chatId || "fresh";
        const chat = { ...newChat(id), title: text.slice(0, 40) };
        const turnId = `turn-${String(Date.now())}`;
        setTimeout(() => void answer(chat, turnId, text), 20);
        return Promise.resolve({ chatId: id, turnId });
      },
      retry: (chatId) => Promise.resolve({ chatId, turnId: "t" }),
      stop: () => Promise.resolve(),
      saveDraft: () => Promise.resolve(),
      deleteDraft: () => Promise.resolve(),
    },
    execution: {
      run: (request) => {
        const run: Run = {
          ...request,
          id: `run-${String(Date.now())}`,
          engine: "pyodide",
          state: "running",
          stateLost: false,
          startedAt: Date.now(),
          durationMs: 0,
          outputs: [],
        };
        void execute(run);
        return Promise.resolve(run);
      },
      stop: () => Promise.resolve(),
      session: (chatId) =>
        Promise.resolve({
          chatId,
          engine: "pyodide",
          phase: chatId === "running" ? "busy" : "idle",
          variables: 4,
        }),
      interrupt: () => Promise.resolve(),
      restart: () => Promise.resolve(),
      answer: () => Promise.resolve(),
    },
    kernel: { hello: () => Promise.resolve(), deliver: () => Promise.resolve() },
    models: {
      view: () => Promise.resolve(models),
      addServer: (url) =>
        Promise.reject(Object.assign(new Error(), { code: "model_url_invalid", params: { url } })),
      removeServer: () => Promise.resolve(models),
      setDefault: (ref) => Promise.resolve({ ...models, default: ref, effective: ref }),
      refresh: () => Promise.resolve(models),
    },
    settings: {
      view: () => Promise.resolve(settingsOf(query)),
      setGeneral: (general) => Promise.resolve({ ...settingsOf(query), general }),
    },
    system: {
      openLink: () => Promise.resolve(),
      saveText: () => Promise.resolve(true),
      copyText: (text) => navigator.clipboard.writeText(text),
      ready: () => Promise.resolve(),
    },
    onEvents: (listen) => {
      listener = listen;
      return () => undefined;
    },
  };
}

function newChat(id: string): Chat {
  const now = Date.now();
  return { id, title: "New", agentId: "assistant", leafId: "", createdAt: now, updatedAt: now };
}

function emptyView(chatId: string): ChatView {
  return { chat: newChat(chatId), messages: [], runs: [], drafts: [], seqs: {} };
}

function message(id: string, chatId: string, role: "user" | "assistant", text: string) {
  return {
    id,
    chatId,
    parentId: "",
    role,
    state: "done" as const,
    model: "",
    createdAt: Date.now(),
    parts: [{ id: `${id}-part`, kind: "text" as const, text, durationMs: 0, done: true }],
  };
}

function settingsOf(query: URLSearchParams): SettingsView {
  const theme = query.get("theme") === "dark" ? "dark" : "light";
  return {
    general: { theme, language: "en", textSize: 15, onClose: "quit" },
    codeExecution: { enabled: true, engine: "pyodide", timeoutSeconds: 60 },
    agents: [
      { id: "assistant", name: "Assistant", icon: "", model: "", codeInterpreter: "default_off" },
      { id: "analyst", name: "Data analyst", icon: "", model: "", codeInterpreter: "default_on" },
    ],
    defaultAgent: "assistant",
    locked: query.has("locked") ? ["general.theme"] : [],
    dataFolder: "~/.local/share/lathe",
    version: "0.1.0",
  };
}

const model = (
  server: string,
  name: string,
  title: string,
  size: number,
  contextLength: number,
) => ({
  ref: `${server}/${name}`,
  name,
  title,
  size,
  contextLength,
  capabilities: server === "bundled" ? [] : ["tools", "thinking"],
  included: server === "bundled",
});

const models: ModelsView = {
  servers: [
    {
      ...{
        id: "bundled",
        name: "Lathe",
        kind: "ollama",
        url: "",
        origin: "bundled",
        state: "ready",
      },
      ...{ version: "0.17.4", locked: false },
      models: [model("bundled", "smollm2", "SmolLM2 135M", 98_362_432, 8192)],
    },
    {
      ...{ id: "ollama", name: "Ollama", kind: "ollama", url: "http://127.0.0.1:11434" },
      ...{ origin: "found", state: "ready", version: "0.17.4", locked: false },
      models: [
        model("ollama", "qwen3:4b", "Qwen3 4B", 2_600_000_000, 40_960),
        model("ollama", "gemma3:4b", "Gemma 3 4B", 3_300_000_000, 131_072),
      ],
    },
    {
      ...{ id: "lab", name: "lab", kind: "ollama", url: "http://10.0.0.7:11434", origin: "added" },
      ...{ state: "failed", version: "", locked: true, models: [] },
      error: { code: "model_unreachable", params: { server: "lab", url: "http://10.0.0.7:11434" } },
    },
  ],
  default: "",
  effective: "bundled/smollm2",
  locked: false,
};
