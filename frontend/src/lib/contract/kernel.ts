// What an engine tells, in Jupyter's vocabulary (messaging specification 5.4).
import * as v from "valibot";
import { id } from "./base";

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
]);
export type KernelMessage = v.InferOutput<typeof kernelMessage>;
