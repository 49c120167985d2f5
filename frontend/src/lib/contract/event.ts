// Everything that Go sends unasked, as one list in order. It arrives as the
// Wails event "lathe", in batches, each item with its topic.
import * as v from "valibot";
import { id } from "./base";
import { kernelRequest } from "./kernel";
import { runEvent } from "./run";
import { turnEvent } from "./turn";

export const sessionState = v.object({
  chatId: id,
  engine: v.picklist(["pyodide", "jupyter"]),
  phase: v.picklist(["none", "starting", "idle", "busy", "dead"]),
  variables: v.pipe(v.number(), v.integer(), v.minValue(-1)),
});
export type SessionState = v.InferOutput<typeof sessionState>;

export const appEvent = v.variant("topic", [
  v.object({ topic: v.literal("turn"), turn: turnEvent }),
  v.object({ topic: v.literal("run"), run: runEvent }),
  v.object({ topic: v.literal("kernel"), kernel: kernelRequest }),
  v.object({ topic: v.literal("session"), session: sessionState }),
  /** The list of model servers or their models changed: fetch it anew. */
  v.object({ topic: v.literal("models") }),
]);
export type AppEvent = v.InferOutput<typeof appEvent>;
export const appEvents = v.array(appEvent);
