// The engine's half in the page: keeps the kernels that Go asks for, each in a
// worker of its own, and sends what they say back to Go.
import type { KernelMessage, KernelRequest } from "../contract/kernel";
import { PageKernel, type Surroundings } from "./kernel";
import { Outbox } from "./outbox";
import { fetchSnapshot, type Snapshot } from "./snapshot";
import { httpTransfers } from "./transfers";

export interface Wiring {
  /** Tells Go that a page has begun; kernels of an earlier one are gone. */
  hello(epoch: string): Promise<void>;
  /** Gives Go messages. Called again only when the last call has ended. */
  deliver(epoch: string, seq: number, messages: KernelMessage[]): Promise<void>;
}

export interface Supervisor {
  request(request: KernelRequest): void;
}

/** Starts the engine of this page. To be called once for each load of it. */
export function startSupervisor(wiring: Wiring, replaced: Partial<Surroundings> = {}): Supervisor {
  const epoch = crypto.randomUUID();
  const greeted = greet(() => wiring.hello(epoch));
  const outbox = new Outbox(async (seq, messages) => {
    await greeted;
    await wiring.deliver(epoch, seq, messages);
  });
  let module: Promise<WebAssembly.Module | null> | null = null;
  let snapshot: Promise<Snapshot | null> | null = null;
  const around: Surroundings = {
    spawn: spawnWorker,
    lacking,
    module: () => (module ??= compileModule()),
    snapshot: () => (snapshot ??= fetchSnapshot()),
    sharedMemory: typeof SharedArrayBuffer !== "undefined",
    bootTime: 60_000,
    snapshotTime: 20_000,
    pokeTime: 50,
    patience: 1000,
    outbox,
    transfers: httpTransfers,
    ...replaced,
  };
  const kernels = new Map<string, PageKernel>();
  return {
    request(request) {
      const id = request.kernelId;
      const missing = around.lacking();
      if (missing !== null && request.type !== "close") {
        outbox.push({
          type: "state",
          kernelId: id,
          phase: "dead",
          variables: -1,
          reason: "unsupported",
          detail: missing,
        });
        return;
      }
      let kernel = kernels.get(id);
      if (kernel === undefined) {
        if (["close", "interrupt", "input_reply"].includes(request.type)) return;
        kernel = new PageKernel(id, around);
        kernels.set(id, kernel);
      }
      if (request.type === "close") kernels.delete(id);
      kernel.request(request);
    },
  };
}

/** Go may still be starting when the page is already there. */
async function greet(hello: () => Promise<void>): Promise<void> {
  for (let wait = 100; ; wait = Math.min(wait * 2, 2000)) {
    try {
      await hello();
      return;
    } catch (reason) {
      console.error("the engine could not report to the application", reason);
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
}

function lacking(): string | null {
  if (typeof WebAssembly === "undefined") return "WebAssembly";
  // The smallest module there is: its magic number and version.
  if (!WebAssembly.validate(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0))) return "WebAssembly";
  if (typeof Worker === "undefined") return "Worker";
  if (typeof MessageChannel === "undefined") return "MessageChannel";
  return null;
}

function spawnWorker(): Worker {
  return new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
}

/** Compiles Pyodide's module once for all workers. A failure is left to the worker to report. */
async function compileModule(): Promise<WebAssembly.Module | null> {
  try {
    return await WebAssembly.compileStreaming(fetch("/pyodide/pyodide.asm.wasm"));
  } catch {
    return null;
  }
}
