import type { AppEvent, Chat } from "../contract";
import { toBackendError, type Backend, type BackendError } from "../backend";

const searchDelay = 120;

/** The list of chats, newest first, its search, and which of them are running. */
export class ChatListStore {
  readonly #backend: Backend;
  #chats = $state.raw<readonly Chat[]>([]);
  #next = $state("");
  #loaded = $state(false);
  #error = $state.raw<BackendError | null>(null);
  #searchError = $state.raw<BackendError | null>(null);
  #query = $state("");
  #hits = $state.raw<readonly Chat[] | null>(null);
  #running = $state.raw<ReadonlyMap<string, ReadonlySet<string>>>(new Map());
  #timer: ReturnType<typeof setTimeout> | undefined;
  #searches = 0;

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  /** What the list shows: all chats, or those that the search found. */
  get shown(): readonly Chat[] {
    return this.#hits ?? this.#chats;
  }
  get searching(): boolean {
    return this.#hits !== null;
  }
  get query(): string {
    return this.#query;
  }
  get more(): boolean {
    return this.#next !== "" && !this.searching;
  }
  get loaded(): boolean {
    return this.#loaded;
  }
  get error(): BackendError | null {
    return this.#searchError ?? this.#error;
  }
  isRunning(chatId: string): boolean {
    return (this.#running.get(chatId)?.size ?? 0) > 0;
  }

  async load(): Promise<void> {
    await this.#page("");
    this.#loaded = true;
  }

  async loadMore(): Promise<void> {
    if (this.#next !== "") await this.#page(this.#next);
  }

  /** Filters the list; the answer to an older query never replaces a newer one. */
  search(query: string): void {
    this.#query = query;
    clearTimeout(this.#timer);
    const mine = ++this.#searches;
    if (query.trim() === "") {
      this.#hits = null;
      this.#searchError = null;
      return;
    }
    this.#timer = setTimeout(() => void this.#find(query.trim(), mine), searchDelay);
  }

  apply(events: readonly AppEvent[]): void {
    for (const event of events) {
      if (event.topic === "turn") {
        const { turn } = event;
        if (turn.type === "turn_started") this.#put(turn.chat);
        if (turn.type === "turn_finished") this.#mark(turn.chatId, turn.turnId, false);
        else this.#mark(turn.chatId, turn.turnId, true);
      }
      if (event.topic === "run") {
        this.#mark(event.run.chatId, event.run.runId, event.run.type !== "run_finished");
      }
    }
  }

  async #find(query: string, mine: number): Promise<void> {
    try {
      const hits = await this.#backend.chats.search(query);
      if (mine !== this.#searches) return;
      this.#hits = hits;
      this.#searchError = null;
    } catch (reason) {
      if (mine === this.#searches) this.#searchError = toBackendError(reason);
    }
  }

  async #page(after: string): Promise<void> {
    try {
      const page = await this.#backend.chats.list(after);
      const known = new Set(this.#chats.map((chat) => chat.id));
      this.#chats = [...this.#chats, ...page.chats.filter((chat) => !known.has(chat.id))];
      this.#next = page.next;
      this.#error = null;
    } catch (reason) {
      this.#error = toBackendError(reason);
    }
  }

  /** A chat that changed goes to its place by time. */
  #put(chat: Chat): void {
    const rest = this.#chats.filter((other) => other.id !== chat.id);
    const at = rest.findIndex((other) => other.updatedAt <= chat.updatedAt);
    this.#chats = rest.toSpliced(at < 0 ? rest.length : at, 0, chat);
    if (this.#hits) this.#hits = this.#hits.map((hit) => (hit.id === chat.id ? chat : hit));
  }

  #mark(chatId: string, stream: string, running: boolean): void {
    const had = this.#running.get(chatId)?.has(stream) ?? false;
    if (had === running) return;
    const streams = new Set(this.#running.get(chatId));
    if (running) streams.add(stream);
    else streams.delete(stream);
    this.#running = new Map(this.#running).set(chatId, streams);
  }
}
