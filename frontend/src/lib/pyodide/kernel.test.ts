// @vitest-environment node
import { afterEach, describe, expect, it, vi } from "vitest";
import type { KernelMessage } from "../contract/kernel";
import type { Surroundings, WorkerLike } from "./kernel";
import {
  Control,
  type FromWorker,
  type Hello,
  type Parts,
  SIGALRM,
  SIGINT,
  type ToWorker,
} from "./protocol";
import type { Snapshot } from "./snapshot";
import { startSupervisor } from "./supervisor";

/** A worker that says what the test wants. */
class FakeWorker implements WorkerLike {
  onerror: ((event: ErrorEvent) => void) | null = null;
  terminated = false;
  received: ToWorker[] = [];
  init: Hello | undefined;
  parts: Parts | undefined;
  postMessage(init: Hello | Parts) {
    if (!("port" in init)) {
      this.parts = init;
      return;
    }
    this.init = init;
    init.port.onmessage = (message: MessageEvent<ToWorker>) => this.received.push(message.data);
  }
  terminate() {
    this.terminated = true;
  }
  says(message: FromWorker | string | number) {
    this.init?.port.postMessage(message);
  }
  get control(): Int32Array {
    if (!this.init?.control) throw new Error("no control buffer");
    return new Int32Array(this.init.control);
  }
}

const settle = () => new Promise((resolve) => setTimeout(resolve, 15));
let open: (() => void)[] = [];
afterEach(() => {
  for (const close of open) close();
  open = [];
});

function page(options: Partial<Surroundings> = {}) {
  const workers: FakeWorker[] = [];
  const messages: KernelMessage[] = [];
  const supervisor = startSupervisor(
    {
      hello: () => Promise.resolve(),
      deliver: (_epoch, _seq, batch) => {
        messages.push(...batch);
        return Promise.resolve();
      },
    },
    {
      spawn: () => {
        const worker = new FakeWorker();
        workers.push(worker);
        return worker;
      },
      lacking: () => null,
      module: () => Promise.resolve(null),
      snapshot: () => Promise.resolve(null),
      sharedMemory: true,
      pokeTime: 5,
      patience: 5,
      ...options,
    },
  );
  const newest = () => {
    const worker = workers.at(-1);
    if (worker === undefined) throw new Error("no worker");
    return worker;
  };
  const ready = async () => {
    await settle();
    newest().says({ type: "ready" });
    await settle();
  };
  open.push(() => supervisor.request({ type: "close", kernelId: "k" }));
  const brief = () =>
    messages.map((message) =>
      message.type === "state"
        ? message.phase
        : message.type === "reply"
          ? `${message.runId} ${message.status}${message.stateLost ? " lost" : ""}`
          : message.type === "event"
            ? `${message.runId} ${message.event.type}`
            : message.type,
    );
  return { supervisor, workers, messages, newest, ready, brief };
}
const execute = (runId: string) =>
  ({ type: "execute", kernelId: "k", runId, code: `code ${runId}` }) as const;
const stream = (runId: string, text: string): FromWorker => ({
  type: "event",
  runId,
  json: JSON.stringify({ type: "stream", name: "stdout", text }),
});
const finished = (runId: string): FromWorker => ({
  type: "finished",
  runId,
  status: "ok",
  variables: 3,
});

describe("a kernel in the page", () => {
  it("runs one piece of code after the other", async () => {
    const { supervisor, newest, ready, brief, messages } = page();
    supervisor.request(execute("a"));
    supervisor.request(execute("b"));
    await ready();
    expect(newest().received.map((message) => message.type)).toEqual(["execute"]);
    newest().says({ type: "started", runId: "a" });
    newest().says(stream("a", "x"));
    newest().says(finished("a"));
    await settle();
    newest().says(finished("b"));
    await settle();
    expect(brief()).toEqual([
      "starting",
      "idle",
      "busy",
      "started",
      "a stream",
      "a ok",
      "idle",
      "busy",
      "b ok",
      "idle",
    ]);
    expect(messages.at(-1)).toMatchObject({ variables: 3 });
  });

  it("tells the worker what has been passed on, whether it was of use or not", async () => {
    const { supervisor, newest, ready, brief } = page();
    supervisor.request(execute("a"));
    await ready();
    const messages = [
      stream("a", "x"),
      stream("other", "y"),
      { type: "event", runId: "a", json: "no json" } as const,
    ];
    for (const message of messages) newest().says(message);
    await settle();
    expect(Atomics.load(newest().control, Control.passedOn)).toBe(
      messages.reduce(
        (sum, message) => sum + (message.type === "event" ? message.json.length : 0),
        0,
      ),
    );
    expect(brief().filter((word) => word.endsWith("stream"))).toEqual(["a stream"]);
  });

  it("interrupts the run that is meant, and no other", async () => {
    const { supervisor, newest, ready, brief } = page();
    supervisor.request(execute("a"));
    supervisor.request(execute("b"));
    await ready();
    supervisor.request({ type: "interrupt", kernelId: "k", runId: "old" });
    expect(Atomics.load(newest().control, Control.signal)).toBe(0);
    supervisor.request({ type: "interrupt", kernelId: "k", runId: "b" });
    expect(Atomics.load(newest().control, Control.signal)).toBe(0);
    supervisor.request({ type: "interrupt", kernelId: "k", runId: "a" });
    expect(Atomics.load(newest().control, Control.signal)).toBe(SIGINT);
    await settle();
    expect(newest().received.at(-1)).toEqual({ type: "interrupt", runId: "a" });
    expect(brief()).toContain("b stopped");
  });

  it("asks for text that is held back, and never over an interrupt", async () => {
    const { supervisor, newest, ready } = page();
    supervisor.request(execute("a"));
    await ready();
    Atomics.store(newest().control, Control.holding, 1);
    await settle();
    expect(Atomics.load(newest().control, Control.signal)).toBe(SIGALRM);
    Atomics.store(newest().control, Control.signal, SIGINT);
    await settle();
    expect(Atomics.load(newest().control, Control.signal)).toBe(SIGINT);
  });

  it("replaces the worker at a restart, and no longer listens to the old one", async () => {
    const { supervisor, workers, newest, ready, brief } = page();
    supervisor.request(execute("a"));
    await ready();
    const old = newest();
    supervisor.request({ type: "restart", kernelId: "k" });
    await settle();
    expect([workers.length, old.terminated, Atomics.load(old.control, Control.gone)]).toEqual([
      2,
      true,
      1,
    ]);
    old.says(stream("a", "late"));
    old.says(finished("a"));
    await ready();
    supervisor.request(execute("b"));
    await settle();
    newest().says(finished("b"));
    await settle();
    expect(brief()).toEqual([
      "starting",
      "idle",
      "busy",
      "a stopped lost",
      "starting",
      "idle",
      "busy",
      "b ok",
      "idle",
    ]);
  });

  it.each([
    [
      "a fatal error",
      { type: "fatal", kind: "MemoryError", detail: "no more" } as const,
      { type: "error", ename: "MemoryError", evalue: "no more" },
    ],
    ["what is no message", "hello", { type: "notice", code: "kernel_bad_message" }],
    [
      "what is too large",
      { type: "event", runId: "a", json: "x".repeat((48 << 20) + 1) } as const,
      { type: "notice", code: "kernel_bad_message" },
    ],
  ])("starts afresh after %s", async (_, message, event) => {
    const { supervisor, workers, newest, ready, messages, brief } = page();
    supervisor.request(execute("a"));
    await ready();
    newest().says(message);
    await vi.waitFor(() => expect(brief()).toContain("a error lost"));
    expect(messages.find((item) => item.type === "event")).toMatchObject({
      event,
    });
    expect(workers).toHaveLength(2);
  });

  it("tries a second time to start, and then says why not", async () => {
    const { supervisor, workers, newest, messages, brief } = page();
    supervisor.request(execute("a"));
    await settle();
    newest().says({ type: "failed", detail: "first" });
    await settle();
    newest().says({ type: "failed", detail: "second" });
    await settle();
    expect(workers).toHaveLength(2);
    expect(brief()).toEqual(["starting", "starting", "dead", "a lost lost"]);
    expect(messages[2]).toMatchObject({ reason: "start_failed", detail: "second" });
    supervisor.request(execute("b"));
    expect(workers).toHaveLength(3);
  });

  it("gives up a start that takes too long", async () => {
    const { supervisor, workers, brief, messages } = page({ bootTime: 20 });
    supervisor.request({ type: "start", kernelId: "k" });
    await vi.waitFor(() => expect(brief()).toEqual(["starting", "starting", "dead"]));
    expect(messages.at(-1)).toMatchObject({ reason: "start_failed", detail: "boot_slow" });
    expect(workers.every((worker) => worker.terminated)).toBe(true);
  });

  it("starts from the snapshot, twice before it takes the plain way", async () => {
    const memory = { asm: "" } as unknown as Snapshot;
    const snapshot = vi.fn(() => Promise.resolve(memory));
    const { supervisor, workers, newest, brief } = page({ snapshot, snapshotTime: 500 });
    supervisor.request({ type: "start", kernelId: "k" });
    await settle();
    expect([newest().init?.continues, newest().parts?.snapshot]).toEqual([true, memory]);
    // The first says itself that it failed, the second never ends.
    newest().says({ type: "failed", detail: "broken" });
    await vi.waitFor(() => expect(workers).toHaveLength(2));
    expect([workers[0]?.terminated, newest().init?.continues]).toEqual([true, true]);
    await vi.waitFor(() => expect(workers).toHaveLength(3), 10_000);
    await settle();
    expect([newest().init?.continues, newest().parts?.snapshot]).toEqual([false, null]);
    newest().says({ type: "ready" });
    await settle();
    expect(brief()).toEqual(["starting", "starting", "starting", "idle"]);
    expect(snapshot).toHaveBeenCalledTimes(2);
  });

  it("takes the plain way where there is no snapshot", async () => {
    const { supervisor, workers, newest, ready, brief } = page({ snapshotTime: 5 });
    supervisor.request({ type: "start", kernelId: "k" });
    await settle();
    expect(newest().parts?.snapshot).toBeNull();
    // The short time of a snapshot doesn't count.
    await new Promise((resolve) => setTimeout(resolve, 30));
    await ready();
    expect([workers.length, brief()]).toEqual([1, ["starting", "idle"]]);
  });

  it("without shared memory, replaces a worker that an interrupt can't reach", async () => {
    const { supervisor, workers, newest, ready, brief } = page({ sharedMemory: false });
    supervisor.request(execute("a"));
    await ready();
    expect(newest().init?.control).toBeNull();
    supervisor.request({ type: "interrupt", kernelId: "k", runId: "a" });
    await vi.waitFor(() => expect(brief()).toContain("a stopped lost"));
    expect(workers).toHaveLength(2);
  });

  it("says what the webview lacks", async () => {
    const { supervisor, messages, workers } = page({ lacking: () => "WebAssembly" });
    supervisor.request(execute("a"));
    await settle();
    expect(messages).toMatchObject([
      { type: "state", phase: "dead", reason: "unsupported", detail: "WebAssembly" },
    ]);
    expect(workers).toHaveLength(0);
  });
});
