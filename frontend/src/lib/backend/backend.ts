import type {
  AppEvent,
  ChatPage,
  Chat,
  ChatView,
  KernelMessage,
  ModelsView,
  Run,
  SessionState,
  SettingsView,
} from "../contract";

export type General = SettingsView["general"];
export interface TurnRef {
  chatId: string;
  turnId: string;
}
export interface FenceRef {
  partId: string;
  ordinal: number;
}

/**
 * Everything that the webview asks of Go. Each method rejects with a
 * BackendError and with nothing else.
 */
export interface Backend {
  chats: {
    list(after: string): Promise<ChatPage>;
    search(query: string): Promise<Chat[]>;
    open(chatId: string): Promise<ChatView>;
    /** An empty chatId makes a new chat. */
    send(request: { chatId: string; text: string; agentId: string }): Promise<TurnRef>;
    retry(chatId: string): Promise<TurnRef>;
    stop(chatId: string): Promise<void>;
    saveDraft(draft: { chatId: string; code: string } & FenceRef): Promise<void>;
    deleteDraft(fence: FenceRef): Promise<void>;
  };
  execution: {
    run(request: { chatId: string; language: string; code: string } & FenceRef): Promise<Run>;
    stop(runId: string): Promise<void>;
    session(chatId: string): Promise<SessionState>;
    interrupt(chatId: string): Promise<void>;
    restart(chatId: string): Promise<void>;
    /** Answers what input() of a run waits for; an empty answer is one. */
    answer(answer: { runId: string; inputId: string; text: string }): Promise<void>;
  };
  /** The webview's engine reports here; see lib/pyodide. */
  kernel: {
    hello(epoch: string): Promise<void>;
    deliver(epoch: string, seq: number, messages: KernelMessage[]): Promise<void>;
  };
  models: {
    view(): Promise<ModelsView>;
    addServer(url: string): Promise<ModelsView>;
    removeServer(id: string): Promise<ModelsView>;
    setDefault(ref: string): Promise<ModelsView>;
    refresh(): Promise<ModelsView>;
  };
  settings: {
    view(): Promise<SettingsView>;
    setGeneral(general: General): Promise<SettingsView>;
  };
  system: {
    /** Opens an address in the system's browser. */
    openLink(url: string): Promise<void>;
    /** Asks where to save; false where the person cancelled. */
    saveText(name: string, content: string): Promise<boolean>;
    copyText(text: string): Promise<void>;
    /** Says that the window is usable. */
    ready(): Promise<void>;
  };
  /** Calls back with each batch of events, in order; returns the way to stop. */
  onEvents(listener: (events: AppEvent[]) => void): () => void;
}
