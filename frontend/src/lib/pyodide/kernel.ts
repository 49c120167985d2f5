// One kernel as the page sees it: a worker, the run in it, and what happens
// when either must end.
import type { KernelEvent, KernelMessage, KernelRequest } from "../contract/kernel";
import type { Outbox } from "./outbox";
import {
  Control,
  type FromWorker,
  type Init,
  parseEvent,
  parseFromWorker,
  SIGALRM,
  SIGINT,
  type ToWorker,
} from "./protocol";

/** A worker as far as this needs it; tests put their own in its place. */
export interface WorkerLike {
  postMessage(message: Init, transfer: Transferable[]): void;
  terminate(): void;
  onerror: ((event: ErrorEvent) => void) | null;
}

export interface Surroundings {
  spawn(): WorkerLike;
  /** Pyodide's compiled module, or null where workers have to compile it. */
  module(): Promise<WebAssembly.Module | null>;
  outbox: Outbox;
  /** What the webview lacks to run the engine at all, or null. */
  lacking(): string | null;
  sharedMemory: boolean;
  /** Times in milliseconds. */
  bootTime: number;
  pokeTime: number;
  /** Without shared memory: how long an interrupt waits for the code to come to rest. */
  patience: number;
}

interface Run {
  runId: string;
  code: string;
  startedAt: number | null;
}

/** A worker and everything that goes with it. */
interface Life {
  worker: WorkerLike;
  port: MessagePort;
  control: Int32Array | null;
  ready: boolean;
  watchdog: ReturnType<typeof setTimeout>;
  passedOn: number;
}

type Reply = Extract<KernelMessage, { type: "reply" }>;
type State = Extract<KernelMessage, { type: "state" }>;

// Where the page itself says why a start failed, it is by a code that the
// message catalogue words: boot_slow, worker_unloadable, and the worker's scope_open.
const bootAttempts = 2;

export class PageKernel {
  readonly #id: string;
  readonly #around: Surroundings;
  #life: Life | null = null;
  #attempts = 0;
  #queue: Run[] = [];
  #current: Run | null = null;
  #variables = 0;
  #poke: ReturnType<typeof setInterval> | null = null;
  #closed = false;

  constructor(id: string, around: Surroundings) {
    this.#id = id;
    this.#around = around;
  }

  request(request: KernelRequest): void {
    switch (request.type) {
      case "start":
        this.#start();
        break;
      case "execute":
        this.#queue.push({ runId: request.runId, code: request.code, startedAt: null });
        this.#start();
        this.#next();
        break;
      case "interrupt":
        this.#interrupt(request.runId);
        break;
      case "restart":
        this.#dispose();
        this.#endAll({ status: "stopped", stateLost: true });
        this.#attempts = 0;
        this.#start();
        break;
      case "close":
        this.#closed = true;
        this.#dispose();
        this.#endAll({ status: "lost", stateLost: true });
        break;
    }
  }

  #start(): void {
    if (this.#life !== null || this.#closed) return;
    this.#attempts++;
    this.#variables = 0;
    this.#tellState("starting");
    let worker: WorkerLike;
    try {
      worker = this.#around.spawn();
    } catch (reason) {
      this.#fail("unsupported", String(reason));
      return;
    }
    const channel = new MessageChannel();
    const shared = this.#around.sharedMemory ? new SharedArrayBuffer(Control.words * 4) : null;
    const life: Life = {
      worker,
      port: channel.port1,
      control: shared === null ? null : new Int32Array(shared),
      ready: false,
      watchdog: setTimeout(() => this.#bootFailed(life, "boot_slow"), this.#around.bootTime),
      passedOn: 0,
    };
    this.#life = life;
    worker.onerror = (event) => {
      if (!life.ready) this.#bootFailed(life, event.message || "worker_unloadable");
    };
    life.port.onmessage = (message: MessageEvent<unknown>) => {
      // What an earlier worker still says is no longer of interest.
      if (this.#life === life) this.#receive(life, message.data);
    };
    void this.#around.module().then((module) => {
      if (this.#life === life)
        worker.postMessage({ port: channel.port2, control: shared, module }, [channel.port2]);
    });
  }

  #bootFailed(life: Life, detail: string): void {
    if (this.#life !== life) return;
    this.#dispose();
    if (this.#attempts < bootAttempts) this.#start();
    else this.#fail("start_failed", detail);
  }

  #fail(reason: "unsupported" | "start_failed", detail: string): void {
    this.#attempts = 0;
    this.#tell({
      type: "state",
      kernelId: this.#id,
      phase: "dead",
      variables: -1,
      reason,
      detail: detail.slice(0, 1000),
    });
    this.#endAll({ status: "lost", stateLost: true });
  }

  #receive(life: Life, data: unknown): void {
    const message = parseFromWorker(data);
    if (message === null) {
      this.#breakDown({ type: "notice", code: "kernel_bad_message" });
      return;
    }
    switch (message.type) {
      case "ready":
        clearTimeout(life.watchdog);
        life.ready = true;
        this.#attempts = 0;
        this.#tellState("idle");
        this.#next();
        break;
      case "failed":
        this.#bootFailed(life, message.detail);
        break;
      case "started":
        if (this.#current?.runId !== message.runId || this.#current.startedAt !== null) break;
        this.#current.startedAt = performance.now();
        this.#tell({ type: "started", kernelId: this.#id, runId: message.runId });
        break;
      case "event":
        this.#event(life, message);
        break;
      case "finished":
        if (this.#current?.runId !== message.runId) break;
        this.#variables = message.variables;
        this.#finish(this.#current, { status: message.status, stateLost: false });
        this.#tellState("idle");
        this.#next();
        break;
      case "fatal":
        this.#breakDown({
          type: "error",
          ename: message.kind,
          evalue: message.detail,
          traceback: [`${message.kind}: ${message.detail}`],
        });
        break;
      default:
        message satisfies never;
    }
  }

  #event(life: Life, message: Extract<FromWorker, { type: "event" }>): void {
    const passedOn = () => {
      life.passedOn = (life.passedOn + message.json.length) | 0;
      if (life.control !== null) {
        Atomics.store(life.control, Control.passedOn, life.passedOn);
        Atomics.notify(life.control, Control.passedOn);
      } else {
        this.#post(life, { type: "passed_on", total: life.passedOn });
      }
    };
    const event = this.#current?.runId === message.runId ? parseEvent(message.json) : null;
    // Text that a finished run's left-over tasks print belongs to nobody; an
    // event outside the contract is nothing that could be shown.
    if (event === null) passedOn();
    else
      this.#tell(
        { type: "event", kernelId: this.#id, runId: message.runId, event },
        message.json.length,
        passedOn,
      );
  }

  #next(): void {
    if (this.#life?.ready !== true || this.#current !== null) return;
    const run = this.#queue.shift();
    if (run === undefined) return;
    this.#current = run;
    this.#tellState("busy");
    this.#post(this.#life, { type: "execute", runId: run.runId, code: run.code });
    const { control } = this.#life;
    if (control !== null) {
      this.#poke = setInterval(() => {
        if (Atomics.load(control, Control.holding) === 1)
          Atomics.compareExchange(control, Control.signal, 0, SIGALRM);
      }, this.#around.pokeTime);
    }
  }

  #interrupt(runId: string): void {
    if (this.#current?.runId === runId && this.#life !== null) {
      const { control } = this.#life;
      if (control !== null) {
        Atomics.store(control, Control.signal, SIGINT);
        Atomics.notify(control, Control.passedOn);
      } else {
        const current = this.#current;
        setTimeout(() => {
          if (this.#current === current) this.request({ type: "restart", kernelId: this.#id });
        }, this.#around.patience);
      }
      // Reaches code that waits; one that computes sees the signal.
      this.#post(this.#life, { type: "interrupt", runId });
      return;
    }
    const index = this.#queue.findIndex((run) => run.runId === runId);
    const [waiting] = index < 0 ? [] : this.#queue.splice(index, 1);
    if (waiting !== undefined) this.#tellReply(waiting, { status: "stopped", stateLost: false });
  }

  /** The interpreter is beyond use: the run in it fails, and a fresh one starts. */
  #breakDown(event: KernelEvent): void {
    const run = this.#current;
    this.#dispose();
    if (run !== null) {
      this.#tell(
        { type: "event", kernelId: this.#id, runId: run.runId, event },
        JSON.stringify(event).length,
      );
      this.#finish(run, { status: "error", stateLost: true });
    }
    this.#start();
  }

  #endAll(end: Pick<Reply, "status" | "stateLost">): void {
    const runs = this.#current === null ? this.#queue : [this.#current, ...this.#queue];
    this.#queue = [];
    for (const run of runs) this.#finish(run, end);
  }

  #finish(run: Run, end: Pick<Reply, "status" | "stateLost">): void {
    if (this.#current === run) this.#current = null;
    this.#stopPoking();
    this.#tellReply(run, end);
  }

  #stopPoking(): void {
    if (this.#poke !== null) clearInterval(this.#poke);
    this.#poke = null;
  }

  #dispose(): void {
    const life = this.#life;
    this.#life = null;
    this.#stopPoking();
    if (life === null) return;
    clearTimeout(life.watchdog);
    life.port.onmessage = null;
    life.port.close();
    life.worker.onerror = null;
    if (life.control !== null) {
      // WebKit doesn't end a worker in the middle of its code: Python must see
      // the interrupt, or its thread would go on for ever.
      Atomics.store(life.control, Control.gone, 1);
      Atomics.store(life.control, Control.signal, SIGINT);
      Atomics.notify(life.control, Control.passedOn);
    }
    life.worker.terminate();
  }

  #post(life: Life, message: ToWorker): void {
    life.port.postMessage(message);
  }

  #tell(message: KernelMessage, size = 0, passedOn?: () => void): void {
    this.#around.outbox.push(message, size, passedOn);
  }

  #tellState(phase: State["phase"]): void {
    this.#tell({ type: "state", kernelId: this.#id, phase, variables: this.#variables });
  }

  #tellReply(run: Run, end: Pick<Reply, "status" | "stateLost">): void {
    const durationMs = run.startedAt === null ? 0 : performance.now() - run.startedAt;
    this.#tell({ type: "reply", kernelId: this.#id, runId: run.runId, ...end, durationMs });
  }
}
