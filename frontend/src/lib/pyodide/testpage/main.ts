import { startSupervisor } from "..";
const w = window as unknown as { go: { app: { KernelService: { Hello(e: string): Promise<void>; Deliver(e: string, s: number, m: unknown[]): Promise<void> } } }; runtime: { EventsOn(n: string, f: (b: { topic: string; kernel: never }[]) => void): void } };
const s = startSupervisor({
  hello: (e) => w.go.app.KernelService.Hello(e),
  deliver: (e, n, m) => w.go.app.KernelService.Deliver(e, n, m),
});
w.runtime.EventsOn("lathe", (batch) => { for (const e of batch) if (e.topic === "kernel") s.request(e.kernel); });
