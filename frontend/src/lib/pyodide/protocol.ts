// What the page and a kernel's worker say to each other, over a port that
// belongs to the two. Nothing from the worker is believed: Python may get hold
// of its side, so the page parses every message, and learns from it only what
// concerns the worker's own kernel.
import * as v from "valibot";
import { kernelEvent, type KernelEvent } from "../contract/kernel";
import type { Snapshot } from "./snapshot";
import { listedFiles, offeredCompletion } from "./names";

/**
 * The first two messages, on the worker's own channel; after them that channel is
 * dead. The second one comes when the page has what it speaks of, so that the
 * worker can begin to read its scripts before.
 */
export interface Hello {
  port: MessagePort;
  /** Shared words, see Control; null where the webview has no shared memory. */
  control: SharedArrayBuffer | null;
  /** A snapshot is likely to come. */
  continues: boolean;
}
export interface Parts {
  /** Pyodide's module, compiled once for all workers; null: the worker compiles. */
  module: WebAssembly.Module | null;
  /** What the interpreter continues from; null: it starts the plain way. */
  snapshot: Snapshot | null;
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
  /** The number of the question whose answer stands behind these words. */
  answered: 4,
  /** Bytes of that answer, or one of Refused. */
  answer: 5,
  words: 6,
} as const;

/** Why there is no answer. */
export const Refused = { nobody: -1, tooLong: -2 } as const;

/** The most bytes of an answer; the same as kernel.InputLimit in Go. */
export const answerBytes = 64 << 10;
/** The bytes of a control buffer: its words, and the text of an answer in UTF-8. */
export const controlBytes = Control.words * 4 + answerBytes;

/** Puts an answer, or why there is none, where the worker waits for it. */
export function writeAnswer(control: Int32Array, question: number, answer: string | number): void {
  let length = typeof answer === "number" ? answer : 0;
  if (typeof answer === "string") {
    const bytes = new TextEncoder().encode(answer);
    length = bytes.length > answerBytes ? Refused.tooLong : bytes.length;
    if (length >= 0) new Uint8Array(control.buffer, Control.words * 4).set(bytes);
  }
  Atomics.store(control, Control.answer, length);
  Atomics.store(control, Control.answered, question);
  Atomics.notify(control, Control.answered);
}

/** The answer that the page has put there. */
export function readAnswer(control: Int32Array): string | number {
  const length = Atomics.load(control, Control.answer);
  if (length < 0) return length;
  // A copy: text can't be decoded from shared memory.
  const shared = new Uint8Array(control.buffer, Control.words * 4, Math.min(length, answerBytes));
  return new TextDecoder().decode(new Uint8Array(shared));
}

export const SIGINT = 2;
export const SIGALRM = 14;

export type ToWorker =
  | { type: "execute"; runId: string; code: string }
  | { type: "interrupt"; runId: string }
  | { type: "passed_on"; total: number }
  | { type: "list_files"; requestId: string }
  | { type: "put_file"; requestId: string; name: string; content: ArrayBuffer }
  | { type: "get_file"; requestId: string; name: string }
  | { type: "complete"; requestId: string; code: string; cursor: number };

const text = (most: number) => v.pipe(v.string(), v.maxLength(most));
const runId = text(200);
export const longestPrompt = 4000;

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
  /** The code waits for the answer to a question, or, after an interrupt, for that to another one. */
  v.object({
    type: v.literal("input_request"),
    runId,
    question: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(0x7fffffff)),
    prompt: text(longestPrompt),
    password: v.boolean(),
  }),
  /** What an errand has come to; error is empty where it went well. */
  v.object({
    type: v.literal("answer"),
    requestId: text(200),
    error: text(1000),
    files: v.optional(listedFiles),
    completion: v.optional(offeredCompletion),
    content: v.optional(v.instance(ArrayBuffer)),
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
