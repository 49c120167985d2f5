// What an engine tells, in Jupyter's vocabulary (messaging specification 5.4).
import * as v from "valibot";
import { count, id } from "./base";

/** Text and base64 forms are strings; JSON types hold their value. */
export const mimeBundle = v.record(v.string(), v.unknown());
export type MimeBundle = v.InferOutput<typeof mimeBundle>;

const metadata = v.optional(v.record(v.string(), v.unknown()));
const displayId = v.optional(v.string());

export const kernelEvent = v.variant("type", [
  v.object({ type: v.literal("stream"), name: v.picklist(["stdout", "stderr"]), text: v.string() }),
  v.object({ type: v.literal("display_data"), data: mimeBundle, metadata, displayId }),
  v.object({ type: v.literal("update_display_data"), data: mimeBundle, metadata, displayId: id }),
  v.object({ type: v.literal("execute_result"), data: mimeBundle, metadata, displayId }),
  v.object({
    type: v.literal("error"),
    ename: id,
    evalue: v.string(),
    traceback: v.array(v.string()),
  }),
  v.object({ type: v.literal("clear_output"), wait: v.boolean() }),
  v.object({
    type: v.literal("notice"),
    code: id,
    params: v.optional(v.record(v.string(), v.string())),
  }),
]);
export type KernelEvent = v.InferOutput<typeof kernelEvent>;

/** A file of the working folder: its path in it, with slashes; modified in milliseconds since 1970. */
export const workingFile = v.object({ name: id, size: count, modified: v.number() });
export type WorkingFile = v.InferOutput<typeof workingFile>;

/** What could replace the text from start to end, places counted in Unicode code points. */
export const completion = v.object({ matches: v.array(v.string()), start: count, end: count });
export type Completion = v.InferOutput<typeof completion>;

/**
 * What Go asks the webview's engine to do. A kernel is one worker; "execute"
 * starts it where it isn't there. An interrupt names the run that it means, so
 * that it never hits the next one.
 */
export const kernelRequest = v.variant("type", [
  v.object({ type: v.literal("start"), kernelId: id }),
  v.object({
    type: v.literal("execute"),
    kernelId: id,
    runId: id,
    code: v.optional(v.string(), ""),
  }),
  v.object({ type: v.literal("interrupt"), kernelId: id, runId: id }),
  v.object({ type: v.literal("restart"), kernelId: id }),
  v.object({ type: v.literal("close"), kernelId: id }),
  /** The answer to an input_request; refused: nobody can be asked any more. */
  v.object({
    type: v.literal("input_reply"),
    kernelId: id,
    runId: id,
    inputId: id,
    text: v.optional(v.string(), ""),
    refused: v.optional(v.boolean(), false),
  }),
  /** Between runs: the working folder. Content crosses at /transfers/{requestId}, not here. */
  v.object({ type: v.literal("list_files"), kernelId: id, requestId: id }),
  v.object({ type: v.literal("put_file"), kernelId: id, requestId: id, name: id }),
  v.object({ type: v.literal("get_file"), kernelId: id, requestId: id, name: id }),
  /** What could stand at the cursor, a place counted in Unicode code points as in Jupyter. */
  v.object({
    type: v.literal("complete"),
    kernelId: id,
    requestId: id,
    code: v.optional(v.string(), ""),
    cursor: v.optional(count, 0),
  }),
]);
export type KernelRequest = v.InferOutput<typeof kernelRequest>;

/** What the webview's engine answers. Batches of these go to Go in order. */
export const kernelMessage = v.variant("type", [
  v.object({
    type: v.literal("state"),
    kernelId: id,
    phase: v.picklist(["starting", "idle", "busy", "dead"]),
    variables: v.pipe(v.number(), v.integer(), v.minValue(-1)),
    /** With "dead": why, for the log and the person. */
    reason: v.optional(v.picklist(["unsupported", "start_failed"])),
    detail: v.optional(v.string()),
  }),
  /** The interpreter and the packages are there, and the code begins. */
  v.object({ type: v.literal("started"), kernelId: id, runId: id }),
  v.object({ type: v.literal("event"), kernelId: id, runId: id, event: kernelEvent }),
  v.object({
    type: v.literal("reply"),
    kernelId: id,
    runId: id,
    status: v.picklist(["ok", "error", "stopped", "lost"]),
    stateLost: v.boolean(),
    durationMs: v.pipe(v.number(), v.minValue(0)),
  }),
  /** The code waits for a line of text. */
  v.object({
    type: v.literal("input_request"),
    kernelId: id,
    runId: id,
    inputId: id,
    prompt: v.string(),
    password: v.boolean(),
  }),
  /** The end of list_files, put_file, get_file or complete; error is empty where it went well. */
  v.object({
    type: v.literal("answer"),
    kernelId: id,
    requestId: id,
    error: v.optional(v.string(), ""),
    files: v.optional(v.array(workingFile)),
    completion: v.optional(completion),
  }),
]);
export type KernelMessage = v.InferOutput<typeof kernelMessage>;
