// A run of code and the changes of its outputs.
import * as v from "valibot";
import { appError, count, id } from "./base";
import { mimeBundle } from "./kernel";

/** A kept file; a picture's width and height in pixels, where they are known. */
export const blob = v.object({
  hash: id,
  size: count,
  width: v.optional(count),
  height: v.optional(count),
});
export type Blob = v.InferOutput<typeof blob>;

const params = v.optional(v.record(v.string(), v.string()));
const rich = {
  data: v.optional(mimeBundle, {}),
  blobs: v.optional(v.record(v.string(), blob), {}),
  metadata: v.optional(v.record(v.string(), v.unknown())),
  displayId: v.optional(v.string()),
};

export const output = v.variant("type", [
  v.object({
    type: v.literal("stream"),
    name: v.picklist(["stdout", "stderr"]),
    text: v.optional(v.string(), ""),
    /** The end of a stream that grew over the limit; what was between is gone. */
    tail: v.optional(v.string(), ""),
    droppedBytes: v.optional(count, 0),
    droppedLines: v.optional(count, 0),
  }),
  v.object({ type: v.literal("display_data"), ...rich }),
  v.object({ type: v.literal("execute_result"), ...rich }),
  v.object({
    type: v.literal("error"),
    ename: v.string(),
    evalue: v.optional(v.string(), ""),
    traceback: v.optional(v.array(v.string()), []),
  }),
  v.object({ type: v.literal("notice"), code: id, params }),
]);
export type Output = v.InferOutput<typeof output>;

export const runState = v.picklist(["running", "done", "failed", "stopped", "timeout", "lost"]);
export type RunState = v.InferOutput<typeof runState>;

/** What input() or getpass waits for. */
export const inputPrompt = v.object({ id, text: v.string(), password: v.boolean() });
export type InputPrompt = v.InferOutput<typeof inputPrompt>;

export const run = v.object({
  id,
  chatId: id,
  partId: id,
  ordinal: v.pipe(v.number(), v.integer(), v.minValue(-1)),
  engine: v.picklist(["pyodide", "jupyter"]),
  language: v.string(),
  code: v.string(),
  state: runState,
  stateLost: v.boolean(),
  startedAt: v.number(),
  durationMs: v.number(),
  error: v.optional(appError),
  outputs: v.array(output),
  /** Set while the code waits for an answer. */
  input: v.optional(inputPrompt),
});
export type Run = v.InferOutput<typeof run>;

export const outputOp = v.variant("op", [
  v.object({ op: v.literal("set"), index: count, output }),
  v.object({ op: v.literal("append"), index: count, text: v.string() }),
  /** The stream has this tail and these counts; its text stays. */
  v.object({
    op: v.literal("tail"),
    index: count,
    text: v.optional(v.string(), ""),
    droppedBytes: v.optional(count, 0),
    droppedLines: v.optional(count, 0),
  }),
  v.object({ op: v.literal("clear"), index: count }),
]);
export type OutputOp = v.InferOutput<typeof outputOp>;

const step = { chatId: id, runId: id, seq: count };
export const runEvent = v.variant("type", [
  v.object({ type: v.literal("run_started"), ...step, run }),
  v.object({ type: v.literal("run_outputs"), ...step, outputs: v.array(outputOp) }),
  /** The code began to wait for an answer; without input it waits no longer. */
  v.object({ type: v.literal("run_input"), ...step, input: v.optional(inputPrompt) }),
  v.object({ type: v.literal("run_finished"), ...step, run }),
]);
export type RunEvent = v.InferOutput<typeof runEvent>;
