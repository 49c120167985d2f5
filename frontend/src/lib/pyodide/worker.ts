// A kernel's worker: brings Pyodide up, closes the scope, and runs code.
import type { PyodideInterface } from "pyodide";
import { boot, type Machine } from "./boot";
import { Folder } from "./folder";
import { type Interpreter, startInterpreter } from "./interpreter";
import { lockDown } from "./lockdown";
import {
  Control,
  type FromWorker,
  type Hello,
  largestEvent,
  longestPrompt,
  type Parts,
  readAnswer,
  Refused,
  type ToWorker,
} from "./protocol";
import { pythonSources } from "./sources";

const base = "/pyodide/";
/** So many characters may be on their way to Go before Python waits. */
const window = 4 << 20;
/** Without shared memory nothing can make Python wait: what goes beyond this is dropped. */
const most = 32 << 20;

self.onmessage = (message: MessageEvent<Hello>) => {
  const parts = new Promise<Parts>((resolve) => {
    self.onmessage = (next: MessageEvent<Parts>) => {
      self.onmessage = null;
      resolve(next.data);
    };
  });
  void main(message.data, parts);
};

async function main({ port, control, continues }: Hello, parts: Promise<Parts>): Promise<void> {
  // Bound now: what Python does to the prototypes later has no part in it.
  const post = port.postMessage.bind(port) as Post;
  const failed = (reason: unknown) => post({ type: "failed", detail: describe(reason) });
  try {
    const kernel = new Kernel(post, control === null ? null : new Int32Array(control));
    kernel.interpreter = await begin(await boot(continues, parts), kernel);
    port.onmessage = (message: MessageEvent<ToWorker>) => kernel.receive(message.data);
    post({ type: "ready" });
  } catch (reason) {
    failed(reason);
  }
}

async function begin(machine: Machine, kernel: Kernel): Promise<Interpreter> {
  const { pyodide, lock, reader, restored } = machine;
  kernel.attach(pyodide);
  const fetched = kernel.fetched;
  const surroundings = {
    emit: (json: string) => kernel.emit(json),
    hold: (waiting: boolean) => kernel.hold(waiting),
    ask: (prompt: string, password: boolean) => kernel.ask(prompt, password),
    answer: () => kernel.answer(),
    readNow: (file: string) => {
      const content = fetched.get(file);
      fetched.delete(file);
      return content ?? reader.readNow(file);
    },
  };
  const interpreter = startInterpreter(pyodide, lock, pythonSources, surroundings, restored);
  kernel.prefetch = async (names) => {
    await Promise.all(
      names.map(async (name) => {
        const response = await reader.fetch(base + name);
        if (response.ok) fetched.set(name, new Uint8Array(await response.arrayBuffer()));
      }),
    );
  };
  const left = lockDown(globalThis);
  if (left.length > 0) {
    console.error("the worker's scope can't be closed", left);
    throw new StartFailure("scope_open");
  }
  return interpreter;
}

type Post = (message: FromWorker, transfer?: Transferable[]) => void;
type Errand = Extract<ToWorker, { requestId: string }>;
type ErrandResult = Pick<
  Extract<FromWorker, { type: "answer" }>,
  "files" | "completion" | "content"
>;
/** Without shared memory nothing can wait for an answer; the same as in stdin.py. */
const noMemory = -3;
/** Milliseconds that a wait for an answer lasts before Python looks at its signals. */
const slice = 50;

class Kernel {
  interpreter: Interpreter | null = null;
  prefetch: (files: string[]) => Promise<void> = () => Promise.resolve();
  readonly fetched = new Map<string, Uint8Array>();
  readonly #post: Post;
  readonly #control: Int32Array | null;
  #runId = "";
  #stopped = false;
  #began = false;
  #broken = false;
  #sent = 0;
  #passedOn = 0;
  #dropped = 0;
  #folder: Folder | null = null;
  #question = 0;
  #asked: { prompt: string; password: boolean } | null = null;

  constructor(post: Post, control: Int32Array | null) {
    this.#post = post;
    this.#control = control;
  }

  attach(pyodide: PyodideInterface): void {
    this.#folder = new Folder(pyodide.FS);
    if (this.#control !== null) pyodide.setInterruptBuffer(this.#control as unknown as Uint8Array);
    const api = (pyodide as unknown as { _api: { on_fatal?: (reason: unknown) => void } })._api;
    api.on_fatal = (reason) => this.#fatal(reason);
    // What C code writes past Python's own streams.
    const raw = (name: string) => {
      const decoder = new TextDecoder();
      return {
        write: (bytes: Uint8Array) => {
          const text = decoder.decode(bytes.slice(), { stream: true });
          if (text !== "") this.emit(JSON.stringify({ type: "stream", name, text }));
          return bytes.length;
        },
      };
    };
    pyodide.setStdout(raw("stdout"));
    pyodide.setStderr(raw("stderr"));
  }

  receive(message: ToWorker): void {
    switch (message.type) {
      case "execute":
        void this.#execute(message.runId, message.code);
        break;
      case "interrupt":
        if (message.runId !== this.#runId) break;
        // The code waits for something, or this message would not have come through.
        this.#stopped = true;
        if (this.#control !== null) Atomics.store(this.#control, Control.signal, 0);
        if (this.#began) this.interpreter?.cancel();
        break;
      case "passed_on":
        this.#passedOn = message.total;
        break;
      default:
        this.#errand(message);
    }
  }

  #errand(message: Errand): void {
    const { requestId } = message;
    try {
      const result = this.#carryOut(message);
      const { content } = result;
      const transfer = content === undefined ? [] : [content];
      this.#post({ type: "answer", requestId, error: "", ...result }, transfer);
    } catch (reason) {
      const error = reason instanceof Error ? reason.message : describe(reason);
      this.#post({ type: "answer", requestId, error: error.slice(0, 500) || "unknown" });
    }
  }

  #carryOut(message: Errand): ErrandResult {
    const folder = this.#folder;
    if (folder === null || this.interpreter === null) throw new Error("there is no interpreter");
    switch (message.type) {
      case "list_files":
        return { files: folder.list() };
      case "put_file":
        folder.put(message.name, message.content);
        return {};
      case "get_file":
        return { content: folder.get(message.name) };
      case "complete":
        return { completion: this.interpreter.complete(message.code, message.cursor) };
    }
  }

  /** Asks the person for a line. answer() has to follow until it gives one. */
  ask(prompt: string, password: boolean): void {
    this.#asked = { prompt: prompt.slice(0, longestPrompt), password };
    this.#question = 0;
  }

  /** The line, or a number where there is none to be had; null after a short wait for it. */
  answer(): string | number | null {
    const control = this.#control;
    if (control === null) return noMemory;
    if (this.#asked === null || this.#runId === "" || this.#broken) return Refused.nobody;
    if (Atomics.load(control, Control.gone) === 1) return Refused.nobody;
    if (this.#question === 0) {
      // The last number is there until somebody answers.
      this.#question = (Atomics.load(control, Control.answered) % 0x7ffffffe) + 1;
      this.#post({
        type: "input_request",
        runId: this.#runId,
        question: this.#question,
        ...this.#asked,
      });
    }
    const before = Atomics.load(control, Control.answered);
    if (before !== this.#question) Atomics.wait(control, Control.answered, before, slice);
    if (Atomics.load(control, Control.answered) !== this.#question) {
      // An interrupt withdraws the question. Code that goes on nevertheless asks again.
      if (Atomics.load(control, Control.signal) === 2) this.#question = 0;
      return null;
    }
    this.#asked = null;
    return readAnswer(control);
  }

  async #execute(runId: string, code: string): Promise<void> {
    const interpreter = this.interpreter;
    if (interpreter === null) return;
    this.#runId = runId;
    this.#stopped = this.#began = false;
    this.#dropped = 0;
    if (this.#control !== null) Atomics.store(this.#control, Control.signal, 0);
    let status: "ok" | "error" | "stopped" = "stopped";
    try {
      const files = interpreter.prepare(code);
      if (files.length > 0) await this.prefetch(files);
      if (!this.#stopped) {
        this.#began = true;
        this.#post({ type: "started", runId });
        status = await interpreter.run();
      }
    } catch (reason) {
      this.#fatal(reason);
      return;
    }
    this.fetched.clear();
    if (this.#broken) return;
    this.#tellDropped();
    this.#runId = "";
    this.#post({ type: "finished", runId, status, variables: interpreter.variables() });
  }

  /** Sends an event of the run. Waits, where it can, while too many are on their way. */
  emit(json: string): void {
    if (this.#broken) return;
    const control = this.#control;
    if (control === null && this.#sent - this.#passedOn > most) {
      this.#dropped += json.length;
      return;
    }
    if (json.length > largestEvent) {
      const params = { size: `${json.length}` };
      this.emit(JSON.stringify({ type: "notice", code: "output_too_large", params }));
      return;
    }
    this.#post({ type: "event", runId: this.#runId, json });
    this.#sent += json.length;
    if (control === null) return;
    for (;;) {
      const passedOn = Atomics.load(control, Control.passedOn);
      if (((this.#sent - passedOn) | 0) <= window) return;
      if (Atomics.load(control, Control.gone) === 1) throw new Error("this session has ended");
      // Python must come to see an interrupt.
      if (Atomics.load(control, Control.signal) === 2) return;
      Atomics.wait(control, Control.passedOn, passedOn, 50);
    }
  }

  hold(waiting: boolean): void {
    if (this.#control !== null) Atomics.store(this.#control, Control.holding, waiting ? 1 : 0);
  }

  #tellDropped(): void {
    if (this.#dropped === 0) return;
    const params = { characters: `${this.#dropped}` };
    this.#post({
      type: "event",
      runId: this.#runId,
      json: JSON.stringify({ type: "notice", code: "output_dropped", params }),
    });
  }

  #fatal(reason: unknown): void {
    if (this.#broken) return;
    this.#broken = true;
    const detail = describe(reason);
    const memory = /out of memory|allocat|memory\.grow/i.test(detail);
    const stack = /call stack|recursion/i.test(detail);
    this.#post({
      type: "fatal",
      kind: memory ? "MemoryError" : stack ? "RecursionError" : "SystemError",
      detail,
    });
  }
}

/** A failure that the message catalogue words by its code. */
class StartFailure extends Error {}

function describe(reason: unknown): string {
  if (reason instanceof StartFailure) return reason.message;
  const text = reason instanceof Error ? `${reason.name}: ${reason.message}` : String(reason);
  return text.slice(0, 4000);
}
