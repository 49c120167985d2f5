// The only importer of the bindings that Wails generates.
import * as v from "valibot";
import * as Chats from "../../../wailsjs/go/app/ChatService";
import * as Execution from "../../../wailsjs/go/app/ExecutionService";
import * as Kernel from "../../../wailsjs/go/app/KernelService";
import * as Models from "../../../wailsjs/go/app/ModelsService";
import * as Settings from "../../../wailsjs/go/app/SettingsService";
import * as System from "../../../wailsjs/go/app/SystemService";
import { EventsOn } from "../../../wailsjs/runtime/runtime";
import {
  appEvent,
  chat,
  chatPage,
  chatView,
  id,
  modelsView,
  run,
  sessionState,
  settingsView,
  type AppEvent,
} from "../contract";
import type { Backend } from "./backend";
import { toBackendError } from "./error";

const turnRef = v.object({ chatId: id, turnId: id });

/** Waits for a bound call and holds its answer to the contract. */
async function call<S extends v.GenericSchema>(
  schema: S,
  pending: () => Promise<unknown>,
): Promise<v.InferOutput<S>> {
  try {
    return v.parse(schema, await pending());
  } catch (reason) {
    throw toBackendError(reason);
  }
}

async function tell(pending: () => Promise<unknown>): Promise<void> {
  try {
    await pending();
  } catch (reason) {
    throw toBackendError(reason);
  }
}

/** The events of a batch that the contract knows; the rest is told on the console. */
export function parseEvents(batch: unknown): AppEvent[] {
  if (!Array.isArray(batch)) return [];
  const events: AppEvent[] = [];
  for (const item of batch) {
    const parsed = v.safeParse(appEvent, item);
    if (parsed.success) events.push(parsed.output);
    else console.error("an event outside the contract", v.flatten(parsed.issues));
  }
  return events;
}

/** The backend over Wails' bindings. */
export function wailsBackend(): Backend {
  return {
    chats: {
      list: (after) => call(chatPage, () => Chats.List(after)),
      search: (query) => call(v.nullish(v.array(chat), []), () => Chats.Search(query)),
      open: (chatId) => call(chatView, () => Chats.Open(chatId)),
      send: (request) => call(turnRef, () => Chats.Send(request)),
      retry: (chatId) => call(turnRef, () => Chats.Retry(chatId)),
      stop: (chatId) => tell(() => Chats.Stop(chatId)),
      saveDraft: (draft) => tell(() => Chats.SaveDraft(draft)),
      deleteDraft: ({ partId, ordinal }) => tell(() => Chats.DeleteDraft(partId, ordinal)),
    },
    execution: {
      run: (request) => call(run, () => Execution.Run(request)),
      stop: (runId) => tell(() => Execution.Stop(runId)),
      session: (chatId) => call(sessionState, () => Execution.Session(chatId)),
      interrupt: (chatId) => tell(() => Execution.Interrupt(chatId)),
      restart: (chatId) => tell(() => Execution.Restart(chatId)),
      answer: ({ runId, inputId, text }) => tell(() => Execution.Answer(runId, inputId, text)),
    },
    kernel: {
      // The binding wants instances of generated classes; what crosses is plain JSON.
      hello: (epoch) => tell(() => Kernel.Hello(epoch)),
      deliver: (epoch, seq, messages) =>
        tell(() => Kernel.Deliver(epoch, seq, messages as never[])),
    },
    models: {
      view: () => call(modelsView, () => Models.View()),
      addServer: (url) => call(modelsView, () => Models.AddServer(url)),
      removeServer: (server) => call(modelsView, () => Models.RemoveServer(server)),
      setDefault: (ref) => call(modelsView, () => Models.SetDefault(ref)),
      refresh: () => call(modelsView, () => Models.Refresh()),
    },
    settings: {
      view: () => call(settingsView, () => Settings.View()),
      setGeneral: (general) => call(settingsView, () => Settings.SetGeneral(general)),
    },
    system: {
      openLink: (url) => tell(() => System.OpenLink(url)),
      saveText: (name, content) => call(v.boolean(), () => System.SaveText(name, content)),
      copyText: (text) => tell(() => System.CopyText(text)),
      ready: () => tell(() => System.Ready()),
    },
    onEvents: (listener) =>
      EventsOn("lathe", (batch: unknown) => {
        const events = parseEvents(batch);
        if (events.length > 0) listener(events);
      }),
  };
}
