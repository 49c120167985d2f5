// One kernel as the page sees it: a worker, the run in it, and what happens
// when either must end.
import type { KernelEvent, KernelMessage, KernelRequest } from "../contract/kernel";
import { type Answer, carryOut, type Errand } from "./errands";
import type { Outbox } from "./outbox";
import { Questions } from "./questions";
import {
  Control,
  controlBytes,
  type FromWorker,
  type Hello,
  type Parts,
  parseEvent,
  parseFromWorker,
  SIGALRM,
  SIGINT,
  type ToWorker,
} from "./protocol";
import type { Snapshot } from "./snapshot";
import type { Transfers } from "./transfers";

/** A worker as far as this needs it; tests put their own in its place. */
export interface WorkerLike {
  postMessage(message: Hello | Parts, transfer: Transferable[]): void;
  terminate(): void;
  onerror: ((event: ErrorEvent) => void) | null;
}

export interface Surroundings {
  spawn(): WorkerLike;
  /** Pyodide's compiled module, or null where workers have to compile it. */
  module(): Promise<WebAssembly.Module | null>;
  /** What interpreters continue from, or null where they have to start the plain way. */
  snapshot(): Promise<Snapshot | null>;
  outbox: Outbox;
  transfers: Transfers;
  /** What the webview lacks to run the engine at all, or null. */
  lacking(): string | null;
  sharedMemory: boolean;
  /** Times in milliseconds. */
  bootTime: number;
  /** The same for a start from the snapshot, which is short or never ends. */
  snapshotTime: number;
  pokeTime: number;
  /** Without shared memory: how long an interrupt waits for the code to come to rest. */
  patience: number;
}

interface Run {
  runId: string;
  code: string;
  startedAt: number | null;
}

/** What the worker does, one after the other: runs, and what Go asks between them. */
type Job = Run | Errand;
const isRun = (job: Job | null): job is Run => job !== null && "runId" in job;

/** A worker and everything that goes with it. */
interface Life {
  worker: WorkerLike;
  port: MessagePort;
  control: Int32Array | null;
  ready: boolean;
  /** It starts from the snapshot. */
  continues: boolean;
  watchdog: ReturnType<typeof setTimeout>;
  passedOn: number;
}

type Reply = Extract<KernelMessage, { type: "reply" }>;
type State = Extract<KernelMessage, { type: "state" }>;

// Where the page itself says why a start failed, it is by a code that the
// message catalogue words: boot_slow, worker_unloadable, and the worker's scope_open.
const bootAttempts = 2;
/**
 * One start from the snapshot in about a hundred never ended when this was
 * measured; the second try is as quick, and after it the plain way is left.
 */
const snapshotAttempts = 2;

export class PageKernel {
  readonly #id: string;
  readonly #around: Surroundings;
  #life: Life | null = null;
  #attempts = 0;
  #queue: Job[] = [];
  #current: Job | null = null;
  /** Takes the worker's answer to the errand that it is at. */
  #answered: ((answer: Extract<FromWorker, { type: "answer" }>) => void) | null = null;
  readonly #questions: Questions;
  #variables = 0;
  #poke: ReturnType<typeof setInterval> | null = null;
  #closed = false;

  constructor(id: string, around: Surroundings) {
    this.#id = id;
    this.#around = around;
    this.#questions = new Questions((question, passedOn) =>
      this.#tell(
        { type: "input_request", kernelId: id, ...question },
        question.prompt.length,
        passedOn,
      ),
    );
  }

  /** The run that the worker is at, or null. */
  get #run(): Run | null {
    return isRun(this.#current) ? this.#current : null;
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
      case "input_reply":
        if (this.#life?.control) this.#questions.reply(this.#life.control, request);
        break;
      case "list_files":
      case "put_file":
      case "get_file":
      case "complete":
        this.#queue.push(request);
        this.#start();
        this.#next();
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
    const shared = this.#around.sharedMemory ? new SharedArrayBuffer(controlBytes) : null;
    const life: Life = {
      worker,
      port: channel.port1,
      control: shared === null ? null : new Int32Array(shared),
      ready: false,
      continues: false,
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
    void this.#begin(life, channel.port2, shared);
  }

  async #begin(life: Life, port: MessagePort, control: SharedArrayBuffer | null): Promise<void> {
    const wanted = this.#attempts <= snapshotAttempts;
    life.worker.postMessage({ port, control, continues: wanted }, [port]);
    const [module, snapshot] = await Promise.all([
      this.#around.module(),
      wanted ? this.#around.snapshot() : null,
    ]);
    if (this.#life !== life) return;
    if (snapshot !== null) {
      life.continues = true;
      clearTimeout(life.watchdog);
      const late = () => this.#bootFailed(life, "boot_slow");
      life.watchdog = setTimeout(late, this.#around.snapshotTime);
    }
    life.worker.postMessage({ module, snapshot }, []);
  }

  #bootFailed(life: Life, detail: string): void {
    if (this.#life !== life) return;
    console.warn("an interpreter did not start", life.continues ? "from the snapshot" : "", detail);
    this.#dispose();
    if (life.continues || this.#attempts < bootAttempts) this.#start();
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
        if (this.#run?.runId !== message.runId || this.#run.startedAt !== null) break;
        this.#run.startedAt = performance.now();
        this.#tell({ type: "started", kernelId: this.#id, runId: message.runId });
        break;
      case "event":
        this.#event(life, message);
        break;
      case "finished":
        if (this.#run?.runId !== message.runId) break;
        this.#variables = message.variables;
        this.#finish(this.#run, { status: message.status, stateLost: false });
        this.#tellState("idle");
        this.#next();
        break;
      case "input_request":
        if (this.#run?.runId === message.runId) this.#questions.ask(message);
        break;
      case "answer":
        this.#answered?.(message);
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
    const event = this.#run?.runId === message.runId ? parseEvent(message.json) : null;
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
    const job = this.#queue.shift();
    if (job === undefined) return;
    this.#current = job;
    if (!isRun(job)) {
      void this.#carryOut(job, this.#life);
      return;
    }
    this.#tellState("busy");
    this.#post(this.#life, { type: "execute", runId: job.runId, code: job.code });
    const { control } = this.#life;
    if (control !== null) {
      this.#poke = setInterval(() => {
        if (Atomics.load(control, Control.holding) === 1)
          Atomics.compareExchange(control, Control.signal, 0, SIGALRM);
      }, this.#around.pokeTime);
    }
  }

  async #carryOut(errand: Errand, life: Life): Promise<void> {
    const answer = await carryOut(
      errand,
      (message, transfer) =>
        new Promise((resolve) => {
          // A worker that has been replaced meanwhile answers nobody.
          if (this.#current !== errand || this.#life !== life) return;
          this.#answered = (given) => {
            if (given.requestId === errand.requestId) resolve(given);
          };
          life.port.postMessage(message, transfer);
        }),
      this.#around.transfers,
    );
    if (this.#current !== errand) return;
    this.#current = this.#answered = null;
    this.#tell(answer);
    this.#next();
  }

  #interrupt(runId: string): void {
    if (this.#run?.runId === runId && this.#life !== null) {
      const { control } = this.#life;
      if (control !== null) {
        Atomics.store(control, Control.signal, SIGINT);
        wake(control);
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
    const waiting = this.#queue.find((job): job is Run => isRun(job) && job.runId === runId);
    if (waiting === undefined) return;
    this.#queue = this.#queue.filter((job) => job !== waiting);
    this.#tellReply(waiting, { status: "stopped", stateLost: false });
  }

  /** The interpreter is beyond use: the run in it fails, and a fresh one starts. */
  #breakDown(event: KernelEvent): void {
    const job = this.#current;
    const run = this.#run;
    this.#dispose();
    if (run === null && job !== null) this.#end(job, { status: "error", stateLost: true });
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
    const jobs = this.#current === null ? this.#queue : [this.#current, ...this.#queue];
    this.#queue = [];
    for (const job of jobs) this.#end(job, end);
  }

  #end(job: Job, end: Pick<Reply, "status" | "stateLost">): void {
    if (isRun(job)) {
      this.#finish(job, end);
      return;
    }
    if (this.#current === job) this.#current = this.#answered = null;
    const { kernelId, requestId } = job;
    const answer: Answer = { type: "answer", kernelId, requestId, error: "the session has ended" };
    this.#tell(answer);
  }

  #finish(run: Run, end: Pick<Reply, "status" | "stateLost">): void {
    if (this.#current === run) this.#current = null;
    this.#stopPoking();
    this.#questions.end();
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
      wake(life.control);
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

/** Wakes a worker that waits, for it to look at the signal. */
function wake(control: Int32Array): void {
  Atomics.notify(control, Control.passedOn);
  Atomics.notify(control, Control.answered);
}
