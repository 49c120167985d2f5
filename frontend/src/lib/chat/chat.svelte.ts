import type { AppEvent, Run, SessionState } from "../contract";
import { toBackendError, type Backend, type BackendError } from "../backend";
import { reduce } from "./reduce";
import { fenceKey, fromView, type ChatState } from "./state";

/** A message that was sent and is not in the chat yet. */
export interface Pending {
  text: string;
  chatId: string;
  /** The turn that answers it, once Go has told; "" before. */
  turnId: string;
  /** How many messages the chat had before. */
  after: number;
}

const draftDelay = 400;

/** The chat that is open: its state, what was asked of it, and what failed. */
export class ChatStore {
  readonly #backend: Backend;
  #state = $state.raw<ChatState | null>(null);
  #openId = $state("");
  #loading = $state(false);
  #error = $state.raw<BackendError | null>(null);
  #pending = $state.raw<Pending | null>(null);
  #session = $state.raw<SessionState | null>(null);
  #starting = $state.raw<ReadonlySet<string>>(new Set());
  #stopping = $state.raw<ReadonlySet<string>>(new Set());
  #failedRuns = $state.raw<ReadonlyMap<string, BackendError>>(new Map());
  /** Events that came while the chat was being fetched. */
  #held: AppEvent[] | null = null;
  #fetches = 0;
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #unsaved = new Map<string, () => Promise<void>>();

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  /** The chat's id; "" for a chat that has no message yet. */
  get id(): string {
    return this.#openId;
  }
  get state(): ChatState | null {
    return this.#state;
  }
  get loading(): boolean {
    return this.#loading;
  }
  get error(): BackendError | null {
    return this.#error;
  }
  /** The message that was sent, until the chat contains it. */
  get pending(): Pending | null {
    const pending = this.#pending;
    if (!pending || pending.chatId !== this.#openId) return null;
    // The event may come before the answer to the call, or after it.
    const messages = this.#state?.messages ?? [];
    const arrived =
      messages.length > pending.after || messages.some(({ id }) => id === pending.turnId);
    return arrived ? null : pending;
  }
  get session(): SessionState | null {
    return this.#session;
  }
  /** An answer is being made. */
  get running(): boolean {
    return this.#state?.messages.at(-1)?.state === "running";
  }

  run(partId: string, ordinal: number): Run | undefined {
    return this.#state?.runs.get(fenceKey(partId, ordinal));
  }
  draft(partId: string, ordinal: number): string | undefined {
    return this.#state?.drafts.get(fenceKey(partId, ordinal));
  }
  /** Run was pressed and the run has not begun. */
  isStarting(partId: string, ordinal: number): boolean {
    return this.#starting.has(fenceKey(partId, ordinal));
  }
  isStopping(runId: string): boolean {
    return this.#stopping.has(runId);
  }
  /** Why a run could not be started. */
  failedRun(partId: string, ordinal: number): BackendError | undefined {
    return this.#failedRuns.get(fenceKey(partId, ordinal));
  }

  /** Shows an empty chat. */
  clear(): void {
    this.#leave("");
    this.#state = null;
  }

  async open(chatId: string): Promise<void> {
    if (chatId === this.#openId && this.#state) return;
    this.#leave(chatId);
    this.#state = null;
    this.#loading = true;
    await this.#fetch(chatId);
  }

  /** Takes a batch of events in. */
  apply(events: readonly AppEvent[]): void {
    this.#takeSession(events);
    if (this.#held) {
      this.#held.push(...events);
      return;
    }
    if (!this.#state) return;
    this.#state = events.reduce(reduce, this.#state);
    if (this.#state.gap) void this.#fetch(this.#openId);
  }

  /** Sends a message; false where it could not be sent and is the person's to keep. */
  async send(text: string, agentId: string): Promise<boolean> {
    const chatId = this.#openId;
    this.#error = null;
    const after = this.#state?.messages.length ?? 0;
    this.#pending = { text, chatId, turnId: "", after };
    try {
      const turn = await this.#backend.chats.send({ chatId, text, agentId });
      if (this.#openId !== chatId) return true;
      this.#pending = { text, ...turn, after };
      if (chatId === "") {
        this.#openId = turn.chatId;
        await this.#fetch(turn.chatId);
      }
      return true;
    } catch (reason) {
      this.#pending = null;
      if (this.#openId === chatId) this.#error = toBackendError(reason);
      return false;
    }
  }

  retry(): Promise<void> {
    return this.#attempt(async () => {
      await this.#backend.chats.retry(this.#openId);
    });
  }

  stop(): Promise<void> {
    return this.#attempt(() => this.#backend.chats.stop(this.#openId));
  }

  /** Runs a block, once however often it is pressed. What is shown is what runs. */
  async runCode(partId: string, ordinal: number, language: string, code: string): Promise<void> {
    const key = fenceKey(partId, ordinal);
    if (this.#starting.has(key) || this.run(partId, ordinal)?.state === "running") return;
    const chatId = this.#openId;
    this.#starting = new Set(this.#starting).add(key);
    this.#failedRuns = without(this.#failedRuns, key);
    try {
      await this.#flush(key);
      await this.#backend.execution.run({ chatId, partId, ordinal, language, code });
    } catch (reason) {
      this.#failedRuns = new Map(this.#failedRuns).set(key, toBackendError(reason));
    } finally {
      const starting = new Set(this.#starting);
      starting.delete(key);
      this.#starting = starting;
    }
  }

  async stopRun(runId: string): Promise<void> {
    this.#stopping = new Set(this.#stopping).add(runId);
    await this.#attempt(() => this.#backend.execution.stop(runId));
  }

  interrupt(): Promise<void> {
    return this.#attempt(() => this.#backend.execution.interrupt(this.#openId));
  }
  restart(): Promise<void> {
    return this.#attempt(() => this.#backend.execution.restart(this.#openId));
  }

  /** Keeps an edited block beside the original; null goes back to the original. */
  edit(partId: string, ordinal: number, code: string | null): void {
    const state = this.#state;
    if (!state) return;
    const key = fenceKey(partId, ordinal);
    const drafts = new Map(state.drafts);
    if (code === null) drafts.delete(key);
    else drafts.set(key, code);
    this.#state = { ...state, drafts };
    const chatId = this.#openId;
    const save = () =>
      code === null
        ? this.#backend.chats.deleteDraft({ partId, ordinal })
        : this.#backend.chats.saveDraft({ chatId, partId, ordinal, code });
    this.#unsaved.set(key, save);
    clearTimeout(this.#timers.get(key));
    this.#timers.set(
      key,
      setTimeout(() => void this.#flush(key), draftDelay),
    );
  }

  dismissError(): void {
    this.#error = null;
  }

  async #flush(key: string): Promise<void> {
    const save = this.#unsaved.get(key);
    clearTimeout(this.#timers.get(key));
    this.#timers.delete(key);
    this.#unsaved.delete(key);
    if (save) await this.#attempt(save);
  }

  #leave(chatId: string): void {
    for (const key of [...this.#unsaved.keys()]) void this.#flush(key);
    this.#openId = chatId;
    this.#error = null;
    this.#pending = null;
    this.#session = null;
    this.#loading = false;
    this.#failedRuns = new Map();
    this.#held = null;
    this.#fetches++;
  }

  async #fetch(chatId: string): Promise<void> {
    const mine = ++this.#fetches;
    this.#held = [];
    try {
      const [view, session] = await Promise.all([
        this.#backend.chats.open(chatId),
        this.#backend.execution.session(chatId).catch(() => null),
      ]);
      if (mine !== this.#fetches) return;
      const held: AppEvent[] = this.#held;
      this.#held = null;
      this.#session ??= session;
      this.#state = held.reduce(reduce, fromView(view));
      if (this.#state.gap) void this.#fetch(chatId);
    } catch (reason) {
      if (mine !== this.#fetches) return;
      this.#held = null;
      this.#error = toBackendError(reason);
    } finally {
      if (mine === this.#fetches) this.#loading = false;
    }
  }

  #takeSession(events: readonly AppEvent[]): void {
    for (const event of events) {
      if (event.topic === "session" && event.session.chatId === this.#openId) {
        this.#session = event.session;
      }
    }
  }

  async #attempt(work: () => Promise<void>): Promise<void> {
    const chatId = this.#openId;
    this.#error = null;
    try {
      await work();
    } catch (reason) {
      if (this.#openId === chatId) this.#error = toBackendError(reason);
    }
  }
}

function without<K, V>(map: ReadonlyMap<K, V>, key: K): ReadonlyMap<K, V> {
  const rest = new Map(map);
  rest.delete(key);
  return rest;
}
