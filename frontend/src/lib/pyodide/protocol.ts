// What the page and a kernel's worker say to each other, over a port that
// belongs to the two. Nothing from the worker is believed: Python may get hold
// of its side, so the page parses every message, and learns from it only what
// concerns the worker's own kernel.
import * as v from "valibot";
import { kernelEvent, type KernelEvent } from "../contract/kernel";

/** The first message, on the worker's own channel; after it that channel is dead. */
export interface Init {
  port: MessagePort;
  /** Shared words, see Control; null where the webview has no shared memory. */
  control: SharedArrayBuffer | null;
  /** Pyodide's module, compiled once for all workers; null: the worker compiles. */
  module: WebAssembly.Module | null;
}

/** The places of the 32-bit words in the control buffer. */
export const Control = {
  /** A signal for Python: 2 interrupts, 14 asks for text that it keeps back. Python sets it to 0. */
  signal: 0,
  /** How many characters of events the page has passed on, modulo 2^32. */
  passedOn: 1,
  /** 1 while Python keeps text back. */
  holding: 2,
  /** 1 when the page has given the worker up, which then must not wait for it. */
  gone: 3,
  words: 4,
} as const;

export const SIGINT = 2;
export const SIGALRM = 14;

export type ToWorker =
  | { type: "execute"; runId: string; code: string }
  | { type: "interrupt"; runId: string }
  | { type: "passed_on"; total: number };

const text = (most: number) => v.pipe(v.string(), v.maxLength(most));
const runId = text(200);

/** One event may be a large chart, but no more than this many characters. */
export const largestEvent = 48 << 20;
/** JSON values deeper than this are refused, as parsers behind us may be. */
const deepest = 64;

export const fromWorker = v.variant("type", [
  v.object({ type: v.literal("ready") }),
  v.object({ type: v.literal("failed"), detail: text(4096) }),
  v.object({ type: v.literal("started"), runId }),
  v.object({ type: v.literal("event"), runId, json: text(largestEvent) }),
  v.object({
    type: v.literal("finished"),
    runId,
    status: v.picklist(["ok", "error", "stopped"]),
    variables: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(0x7fffffff)),
  }),
  /** The interpreter has broken down and can't go on. */
  v.object({ type: v.literal("fatal"), kind: text(100), detail: text(4096) }),
]);
export type FromWorker = v.InferOutput<typeof fromWorker>;

export function parseFromWorker(data: unknown): FromWorker | null {
  const parsed = v.safeParse(fromWorker, data);
  return parsed.success ? parsed.output : null;
}

/** The event in JSON text, or null where it isn't one that may be shown. */
export function parseEvent(json: string): KernelEvent | null {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return null;
  }
  const parsed = v.safeParse(kernelEvent, value);
  return parsed.success && isComplete(parsed.output) && isShallow(parsed.output, deepest)
    ? parsed.output
    : null;
}

/** What Go asks of an event beyond its shape. */
function isComplete(event: KernelEvent): boolean {
  if (!("data" in event)) return true;
  const types = Object.keys(event.data);
  return types.length > 0 && !types.includes("");
}

function isShallow(value: unknown, left: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (left === 0) return false;
  return Object.values(value).every((item) => isShallow(item, left - 1));
}
