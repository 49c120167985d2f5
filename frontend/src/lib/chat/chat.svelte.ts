import type { AppEvent, Run, SessionState } from "../contract";
import { toBackendError, type Backend, type BackendError } from "../backend";
import { reduce } from "./reduce";
import { fenceKey, fromView, type ChatState, type FenceKey } from "./state";

/** A message that was sent and is not in the chat yet. */
export interface Pending {
  text: string;
  chatId: string;
  /** The turn that answers it, once Go has told; "" before. */
  turnId: string;
  /** How many messages the chat had before. */
  after: number;
}

/** An edited block that is not kept yet; null goes back to the original. */
interface Unsaved {
  chatId: string;
  partId: string;
  ordinal: number;
  code: string | null;
}

const draftDelay = 400;
/** After a save that failed. */
const retryDelay = 5000;

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
  /** Counts what is shown: an answer to a call that belongs to an earlier view changes nothing. */
  #visit = 0;
  readonly #timers = new Map<FenceKey, ReturnType<typeof setTimeout>>();
  readonly #unsaved = new Map<FenceKey, Unsaved>();
  readonly #saving = new Map<FenceKey, Promise<void>>();

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
    const visit = this.#visit;
    this.#error = null;
    const after = this.#state?.messages.length ?? 0;
    this.#pending = { text, chatId, turnId: "", after };
    try {
      const turn = await this.#backend.chats.send({ chatId, text, agentId });
      // The person went elsewhere; "New chat" is elsewhere too, though it has no id either.
      if (this.#visit !== visit) return true;
      this.#pending = { text, ...turn, after };
      if (chatId === "") {
        this.#openId = turn.chatId;
        await this.#fetch(turn.chatId);
      }
      return true;
    } catch (reason) {
      if (this.#visit === visit) this.#pending = null;
      // Wherever the person is now: the words come back to the composer, and this says why.
      this.#error = toBackendError(reason);
      return false;
    }
  }

  retry(): Promise<boolean> {
    return this.#attempt(async () => {
      await this.#backend.chats.retry(this.#openId);
    });
  }

  /** Ends the answer; false where that failed. */
  stop(): Promise<boolean> {
    return this.#attempt(() => this.#backend.chats.stop(this.#openId));
  }

  /** Runs a block, once however often it is pressed. What is shown is what runs. */
  async runCode(partId: string, ordinal: number, language: string, code: string): Promise<void> {
    const key = fenceKey(partId, ordinal);
    if (this.#starting.has(key) || this.run(partId, ordinal)?.state === "running") return;
    const chatId = this.#openId;
    const visit = this.#visit;
    this.#starting = new Set(this.#starting).add(key);
    this.#failedRuns = without(this.#failedRuns, key);
    try {
      await this.#flush(key);
      const run = await this.#backend.execution.run({ chatId, partId, ordinal, language, code });
      if (this.#visit === visit) this.#begin(run);
    } catch (reason) {
      if (this.#visit === visit) {
        this.#failedRuns = new Map(this.#failedRuns).set(key, toBackendError(reason));
      }
    } finally {
      const starting = new Set(this.#starting);
      starting.delete(key);
      this.#starting = starting;
    }
  }

  async stopRun(runId: string): Promise<void> {
    this.#stopping = new Set(this.#stopping).add(runId);
    if (await this.#attempt(() => this.#backend.execution.stop(runId))) return;
    const stopping = new Set(this.#stopping);
    stopping.delete(runId);
    this.#stopping = stopping;
  }

  /** Answers what a run's input() waits for; false where that failed. */
  answer(runId: string, inputId: string, text: string): Promise<boolean> {
    return this.#attempt(() => this.#backend.execution.answer({ runId, inputId, text }));
  }

  interrupt(): Promise<boolean> {
    return this.#attempt(() => this.#backend.execution.interrupt(this.#openId));
  }
  restart(): Promise<boolean> {
    return this.#attempt(() => this.#backend.execution.restart(this.#openId));
  }

  /** Keeps an edited block beside the original; null goes back to the original. */
  edit(partId: string, ordinal: number, code: string | null): void {
    const state = this.#state;
    if (!state) return;
    const key = fenceKey(partId, ordinal);
    this.#unsaved.set(key, { chatId: this.#openId, partId, ordinal, code });
    this.#state = this.#withUnsaved(state);
    this.#flushLater(key, draftDelay);
  }

  /** Hands over what is not kept yet, at once: the page may be about to end. */
  leavePage(): void {
    for (const edit of this.#unsaved.values()) void this.#keep(edit).catch(() => undefined);
  }

  /** Keeps an edit, after an earlier one of the same block. */
  #flush(key: FenceKey): Promise<void> {
    clearTimeout(this.#timers.get(key));
    this.#timers.delete(key);
    const done = (this.#saving.get(key) ?? Promise.resolve()).then(() => this.#save(key));
    this.#saving.set(key, done);
    return done;
  }

  async #save(key: FenceKey): Promise<void> {
    const edit = this.#unsaved.get(key);
    if (!edit) return;
    if (await this.#attempt(() => this.#keep(edit))) {
      if (this.#unsaved.get(key) === edit) this.#unsaved.delete(key);
    } else if (!this.#timers.has(key)) {
      this.#flushLater(key, retryDelay);
    }
  }

  #flushLater(key: FenceKey, delay: number): void {
    clearTimeout(this.#timers.get(key));
    this.#timers.set(
      key,
      setTimeout(() => void this.#flush(key), delay),
    );
  }

  #keep({ code, ...fence }: Unsaved): Promise<void> {
    return code === null
      ? this.#backend.chats.deleteDraft({ partId: fence.partId, ordinal: fence.ordinal })
      : this.#backend.chats.saveDraft({ ...fence, code });
  }

  /** The state with the edits that Go does not know yet. */
  #withUnsaved(state: ChatState): ChatState {
    const mine = [...this.#unsaved].filter(([, edit]) => edit.chatId === state.chat.id);
    if (mine.length === 0) return state;
    const drafts = new Map(state.drafts);
    for (const [key, { code }] of mine) {
      if (code === null) drafts.delete(key);
      else drafts.set(key, code);
    }
    return { ...state, drafts };
  }

  /** Shows a run before its first event, unless that was faster. */
  #begin(run: Run): void {
    const state = this.#state;
    if (!state || state.seqs.has(run.id)) return;
    const runs = new Map(state.runs).set(fenceKey(run.partId, run.ordinal), run);
    this.#state = { ...state, runs };
  }

  #leave(chatId: string): void {
    for (const key of [...this.#unsaved.keys()]) void this.#flush(key);
    this.#visit++;
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
      this.#state = this.#withUnsaved(held.reduce(reduce, fromView(view)));
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

  /** Says whether it could be done, and keeps the reason where it could not. */
  async #attempt(work: () => Promise<void>): Promise<boolean> {
    const visit = this.#visit;
    this.#error = null;
    try {
      await work();
      return true;
    } catch (reason) {
      if (this.#visit === visit) this.#error = toBackendError(reason);
      return false;
    }
  }
}

function without<K, V>(map: ReadonlyMap<K, V>, key: K): ReadonlyMap<K, V> {
  const rest = new Map(map);
  rest.delete(key);
  return rest;
}
