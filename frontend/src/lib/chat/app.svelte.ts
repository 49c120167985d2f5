import { getContext, setContext } from "svelte";
import type { AppEvent, ModelInfo, ModelServer, ModelsView, SettingsView } from "../contract";
import { toBackendError, type Backend, type BackendError, type General } from "../backend";
import { ChatStore } from "./chat.svelte";
import { ChatListStore } from "./list.svelte";

/** The models that can answer, as Go last told them. */
export class ModelsStore {
  readonly #backend: Backend;
  #view = $state.raw<ModelsView | null>(null);
  #error = $state.raw<BackendError | null>(null);

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  get view(): ModelsView | null {
    return this.#view;
  }
  get error(): BackendError | null {
    return this.#error;
  }
  /** The model that answers now, with its server. */
  get effective(): { model: ModelInfo; server: ModelServer } | null {
    return this.find(this.#view?.effective ?? "");
  }

  find(ref: string): { model: ModelInfo; server: ModelServer } | null {
    for (const server of this.#view?.servers ?? []) {
      const model = server.models.find((candidate) => candidate.ref === ref);
      if (model) return { model, server };
    }
    return null;
  }

  load(): Promise<boolean> {
    return this.#take(() => this.#backend.models.view());
  }
  refresh(): Promise<boolean> {
    return this.#take(() => this.#backend.models.refresh());
  }
  setDefault(ref: string): Promise<boolean> {
    return this.#take(() => this.#backend.models.setDefault(ref));
  }
  removeServer(id: string): Promise<boolean> {
    return this.#take(() => this.#backend.models.removeServer(id));
  }
  /** Rejects with the reason, which belongs to the field of the address. */
  async addServer(url: string): Promise<void> {
    this.#view = await this.#backend.models.addServer(url);
  }

  async #take(ask: () => Promise<ModelsView>): Promise<boolean> {
    try {
      this.#view = await ask();
      this.#error = null;
      return true;
    } catch (reason) {
      this.#error = toBackendError(reason);
      return false;
    }
  }
}

/** The settings document, as far as the window shows it. */
export class SettingsStore {
  readonly #backend: Backend;
  #view = $state.raw<SettingsView | null>(null);
  #error = $state.raw<BackendError | null>(null);

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  get view(): SettingsView | null {
    return this.#view;
  }
  get error(): BackendError | null {
    return this.#error;
  }
  isLocked(key: string): boolean {
    return (
      this.#view?.locked.some((locked) => key === locked || key.startsWith(`${locked}.`)) ?? false
    );
  }

  async load(): Promise<void> {
    await this.#take(() => this.#backend.settings.view());
  }

  async setGeneral(change: Partial<General>): Promise<void> {
    const view = this.#view;
    if (!view) return;
    const general = { ...view.general, ...change };
    // Shown at once; a refusal puts the old values back.
    this.#view = { ...view, general };
    if (!(await this.#take(() => this.#backend.settings.setGeneral(general)))) this.#view = view;
  }

  async #take(ask: () => Promise<SettingsView>): Promise<boolean> {
    try {
      this.#view = await ask();
      this.#error = null;
      return true;
    } catch (reason) {
      this.#error = toBackendError(reason);
      return false;
    }
  }
}

/** All stores of the window, and the one place where events reach them. */
export class AppStore {
  readonly backend: Backend;
  readonly chat: ChatStore;
  readonly list: ChatListStore;
  readonly models: ModelsStore;
  readonly settings: SettingsStore;

  constructor(backend: Backend) {
    this.backend = backend;
    this.chat = new ChatStore(backend);
    this.list = new ChatListStore(backend);
    this.models = new ModelsStore(backend);
    this.settings = new SettingsStore(backend);
  }

  async load(): Promise<void> {
    await Promise.all([this.settings.load(), this.models.load(), this.list.load()]);
  }

  apply(events: readonly AppEvent[]): void {
    this.chat.apply(events);
    this.list.apply(events);
    if (events.some((event) => event.topic === "models")) void this.models.load();
  }
}

const key = Symbol("app");

export function setApp(app: AppStore): AppStore {
  return setContext(key, app);
}
export function getApp(): AppStore {
  return getContext<AppStore>(key);
}
