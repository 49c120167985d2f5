// What Go asks of a kernel between two runs: files of the working folder, and
// what could stand at the cursor.
import type { KernelMessage, KernelRequest } from "../contract/kernel";
import type { FromWorker, ToWorker } from "./protocol";
import type { Transfers } from "./transfers";

export type Errand = Extract<KernelRequest, { requestId: string }>;
export type Answer = Extract<KernelMessage, { type: "answer" }>;
type WorkerAnswer = Extract<FromWorker, { type: "answer" }>;

/** Asks the worker; never settles where the worker ends. */
export type Ask = (message: ToWorker, transfer: Transferable[]) => Promise<WorkerAnswer>;

/** Carries an errand out. Never rejects. */
export async function carryOut(errand: Errand, ask: Ask, transfers: Transfers): Promise<Answer> {
  const { kernelId, requestId } = errand;
  const answer = { type: "answer", kernelId, requestId, error: "" } as const;
  try {
    switch (errand.type) {
      case "list_files": {
        const { error, files } = await ask({ type: "list_files", requestId }, []);
        return { ...answer, error, files: files ?? [] };
      }
      case "put_file": {
        const content = await transfers.take(requestId);
        const message = { type: "put_file", requestId, name: errand.name, content } as const;
        return { ...answer, error: (await ask(message, [content])).error };
      }
      case "get_file": {
        const { error, content } = await ask(
          { type: "get_file", requestId, name: errand.name },
          [],
        );
        if (error === "") await transfers.give(requestId, content ?? new ArrayBuffer(0));
        return { ...answer, error };
      }
      case "complete": {
        const { code, cursor } = errand;
        const { error, completion } = await ask({ type: "complete", requestId, code, cursor }, []);
        return completion === undefined ? { ...answer, error } : { ...answer, error, completion };
      }
    }
  } catch (reason) {
    return { ...answer, error: String(reason).slice(0, 500) || "unknown" };
  }
}
