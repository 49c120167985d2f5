// A kernel's worker: brings Pyodide up, closes the scope, and runs code.
import type { PyodideInterface } from "pyodide";
import { type Interpreter, type Lock, startInterpreter } from "./interpreter";
import { folderReader, lockDown } from "./lockdown";
import { Control, type FromWorker, type Init, largestEvent, type ToWorker } from "./protocol";
import { pythonSources } from "./sources";

const base = "/pyodide/";
/** So many characters may be on their way to Go before Python waits. */
const window = 4 << 20;
/** Without shared memory nothing can make Python wait: what goes beyond this is dropped. */
const most = 32 << 20;

self.onmessage = (message: MessageEvent<Init>) => {
  self.onmessage = null;
  void main(message.data);
};

async function main(init: Init): Promise<void> {
  const port = init.port;
  // Bound now: what Python does to the prototypes later has no part in it.
  const post = port.postMessage.bind(port) as (message: FromWorker) => void;
  const failed = (reason: unknown) => post({ type: "failed", detail: describe(reason) });
  try {
    const kernel = new Kernel(post, init.control === null ? null : new Int32Array(init.control));
    kernel.interpreter = await boot(init.module, kernel);
    port.onmessage = (message: MessageEvent<ToWorker>) => kernel.receive(message.data);
    post({ type: "ready" });
  } catch (reason) {
    failed(reason);
  }
}

async function boot(module: WebAssembly.Module | null, kernel: Kernel): Promise<Interpreter> {
  const core = [
    "pyodide.asm.js",
    "pyodide.asm.wasm",
    "python_stdlib.zip",
    "pyodide-lock.json",
    "matplotlib-fontlist.json",
  ];
  const files = Object.create(null) as Record<string, true>;
  for (const file of core) files[file] = true;
  const reader = folderReader(base, () => files);
  const define = (name: string, value: unknown) =>
    Object.defineProperty(globalThis, name, { value, writable: false, configurable: false });
  define("fetch", reader.fetch);
  const lockText = reader
    .fetch(`${base}pyodide-lock.json`)
    .then((response) => response.json() as Promise<Lock>);
  const streaming = WebAssembly.instantiateStreaming;
  if (module !== null) {
    WebAssembly.instantiateStreaming = async (_, imports) => ({
      module,
      instance: await WebAssembly.instantiate(module, imports),
    });
  }
  const { loadPyodide } = (await import(/* @vite-ignore */ `${base}pyodide.mjs`)) as {
    loadPyodide(options: Record<string, unknown>): Promise<PyodideInterface>;
  };
  const pyodide = await loadPyodide({ indexURL: base, stdin: () => null });
  WebAssembly.instantiateStreaming = streaming;
  const lock = await lockText;
  for (const entry of Object.values(lock.packages)) files[entry.file_name] = true;
  kernel.attach(pyodide);
  const fetched = kernel.fetched;
  const interpreter = startInterpreter(pyodide, lock, pythonSources, {
    emit: (json) => kernel.emit(json),
    hold: (waiting) => kernel.hold(waiting),
    readNow: (file) => {
      const content = fetched.get(file);
      fetched.delete(file);
      return content ?? reader.readNow(file);
    },
  });
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

class Kernel {
  interpreter: Interpreter | null = null;
  prefetch: (files: string[]) => Promise<void> = () => Promise.resolve();
  readonly fetched = new Map<string, Uint8Array>();
  readonly #post: (message: FromWorker) => void;
  readonly #control: Int32Array | null;
  #runId = "";
  #stopped = false;
  #began = false;
  #broken = false;
  #sent = 0;
  #passedOn = 0;
  #dropped = 0;

  constructor(post: (message: FromWorker) => void, control: Int32Array | null) {
    this.#post = post;
    this.#control = control;
  }

  attach(pyodide: PyodideInterface): void {
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
    }
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
