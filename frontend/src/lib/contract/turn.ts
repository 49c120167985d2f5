// A chat, its messages in ordered parts, and the events of a turn.
import * as v from "valibot";
import { appError, count, id } from "./base";
import { run } from "./run";

export const chat = v.object({
  id,
  title: v.string(),
  agentId: v.string(),
  leafId: v.string(),
  createdAt: v.number(),
  updatedAt: v.number(),
});
export type Chat = v.InferOutput<typeof chat>;

export const part = v.object({
  id,
  kind: v.picklist(["text", "reasoning", "code_run", "file", "error"]),
  text: v.optional(v.string(), ""),
  durationMs: v.optional(v.number(), 0),
  error: v.optional(appError),
  done: v.boolean(),
});
export type Part = v.InferOutput<typeof part>;

export const endState = v.picklist([
  "done",
  "cancelled",
  "denied",
  "failed",
  "interrupted",
  "limit",
]);
export const messageState = v.picklist(["running", ...endState.options]);
export type MessageState = v.InferOutput<typeof messageState>;

export const message = v.object({
  id,
  chatId: id,
  parentId: v.string(),
  role: v.picklist(["user", "assistant"]),
  state: messageState,
  model: v.optional(v.string(), ""),
  createdAt: v.number(),
  parts: v.array(part),
});
export type Message = v.InferOutput<typeof message>;

export const usage = v.object({
  promptTokens: count,
  outputTokens: count,
  tokensPerSecond: v.number(),
});

const step = { chatId: id, turnId: id, seq: count };
export const turnEvent = v.variant("type", [
  v.object({ type: v.literal("turn_started"), ...step, chat, messages: v.array(message) }),
  v.object({ type: v.literal("part_added"), ...step, part }),
  v.object({ type: v.literal("part_appended"), ...step, partId: id, text: v.string() }),
  v.object({
    type: v.literal("part_finished"),
    ...step,
    partId: id,
    durationMs: v.optional(v.number(), 0),
  }),
  v.object({
    type: v.literal("turn_finished"),
    ...step,
    state: endState,
    usage: v.optional(usage),
  }),
]);
export type TurnEvent = v.InferOutput<typeof turnEvent>;

/** A chat as it is kept: the branch that is shown, and where running turns and runs stand. */
export const chatView = v.object({
  chat,
  messages: v.array(message),
  runs: v.array(run),
  drafts: v.array(v.object({ partId: id, ordinal: count, code: v.string() })),
  /** The last seq of each running turn (by message id) and run that is contained here. */
  seqs: v.record(v.string(), v.pipe(v.number(), v.integer(), v.minValue(-1))),
});
export type ChatView = v.InferOutput<typeof chatView>;
