// What the bound services take and give beside chats: models, settings, about.
import * as v from "valibot";
import { appError, count, id } from "./base";
import { chat } from "./turn";

/** A page of the list of chats, newest first; next is "" at the end. */
export const chatPage = v.object({ chats: v.array(chat), next: v.string() });
export type ChatPage = v.InferOutput<typeof chatPage>;

export const modelInfo = v.object({
  /** "server-id/model", as the settings name it. */
  ref: id,
  name: id,
  title: v.string(),
  /** Bytes; 0 where unknown. */
  size: count,
  /** Tokens; 0 where unknown. */
  contextLength: count,
  capabilities: v.array(v.string()),
  /** It came with the application. */
  included: v.boolean(),
});
export type ModelInfo = v.InferOutput<typeof modelInfo>;

export const modelServer = v.object({
  id,
  name: v.string(),
  kind: v.picklist(["ollama", "openai"]),
  url: v.string(),
  origin: v.picklist(["bundled", "found", "added"]),
  state: v.picklist(["starting", "ready", "failed"]),
  version: v.string(),
  error: v.optional(appError),
  models: v.array(modelInfo),
  /** Set by the administrator. */
  locked: v.boolean(),
});
export type ModelServer = v.InferOutput<typeof modelServer>;

export const modelsView = v.object({
  servers: v.array(modelServer),
  /** What the person or administrator chose; "" for none. */
  default: v.string(),
  /** What answers now; "" where no model is there. */
  effective: v.string(),
  locked: v.boolean(),
});
export type ModelsView = v.InferOutput<typeof modelsView>;

export const agent = v.object({
  id,
  name: v.string(),
  icon: v.string(),
  model: v.string(),
  codeInterpreter: v.picklist(["off", "default_off", "default_on"]),
});
export type Agent = v.InferOutput<typeof agent>;

export const settingsView = v.object({
  general: v.object({
    theme: v.picklist(["system", "light", "dark"]),
    language: v.string(),
    textSize: v.number(),
    onClose: v.picklist(["quit", "keep"]),
  }),
  codeExecution: v.object({
    enabled: v.boolean(),
    engine: v.picklist(["pyodide", "jupyter"]),
    timeoutSeconds: v.number(),
  }),
  agents: v.array(agent),
  defaultAgent: v.string(),
  /** The keys that the administrator has set, as "general.theme". */
  locked: v.array(v.string()),
  /** Why the managed file was refused, where it was. */
  managedError: v.optional(appError),
  dataFolder: v.string(),
  version: v.string(),
});
export type SettingsView = v.InferOutput<typeof settingsView>;
