import { existsSync, readFileSync } from "node:fs";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { appEvents, type AppEvent, type Chat, type Run, type TurnEvent } from "../contract";
import { reduce } from "./reduce";
import { emptyState, fromView } from "./state";

const chat: Chat = { id: "c", title: "", agentId: "a", leafId: "", createdAt: 1, updatedAt: 1 };

function message(id: string, role: "user" | "assistant", state: "done" | "running", parentId = "") {
  return { id, chatId: "c", parentId, role, state, model: "", createdAt: 1, parts: [] };
}

function turn(seq: number, rest: Record<string, unknown>, turnId = "m"): AppEvent {
  return { topic: "turn", turn: { chatId: "c", turnId, seq, ...rest } as TurnEvent };
}

const started = turn(0, {
  type: "turn_started",
  chat: { ...chat, title: "Hello" },
  messages: [message("u", "user", "done"), message("m", "assistant", "running", "u")],
});
const added = turn(1, {
  type: "part_added",
  part: { id: "p", kind: "text", text: "", durationMs: 0, done: false },
});
const appended = (seq: number, text: string) =>
  turn(seq, { type: "part_appended", partId: "p", text });
const finished = (seq: number) => turn(seq, { type: "turn_finished", state: "done" });

const run: Run = {
  id: "r",
  chatId: "c",
  partId: "p",
  ordinal: 0,
  engine: "pyodide",
  language: "python",
  code: "1",
  state: "running",
  stateLost: false,
  startedAt: 1,
  durationMs: 0,
  outputs: [],
};

describe("a turn", () => {
  const events = [started, added, appended(2, "Hel"), appended(3, "lo"), finished(4)];

  it("is put together from its events", () => {
    const state = events.reduce(reduce, emptyState(chat));
    expect(state.gap).toBe(false);
    expect(state.chat.title).toBe("Hello");
    expect(state.messages.map((m) => [m.role, m.state])).toEqual([
      ["user", "done"],
      ["assistant", "done"],
    ]);
    expect(state.messages[1]?.parts[0]?.text).toBe("Hello");
  });

  it("is the same when every event comes twice", () => {
    const twice = events.flatMap((event) => [event, event]);
    expect(twice.reduce(reduce, emptyState(chat))).toEqual(events.reduce(reduce, emptyState(chat)));
  });

  it("asks for a fresh view when an event is missing, and takes no more", () => {
    const state = [started, added, appended(3, "lo")].reduce(reduce, emptyState(chat));
    expect(state.gap).toBe(true);
    expect(reduce(state, appended(2, "x"))).toBe(state);
  });

  it("goes on from a view that contains a part of it", () => {
    const half = [started, added, appended(2, "Hel")].reduce(reduce, emptyState(chat));
    const view = fromView({
      chat: half.chat,
      messages: [...half.messages],
      runs: [],
      drafts: [],
      seqs: { m: 2 },
    });
    const state = events.reduce(reduce, view);
    expect(state.messages[1]?.parts[0]?.text).toBe("Hello");
    expect(state.messages[1]?.state).toBe("done");
  });

  it("copies nothing but the path to what grew", () => {
    const before = [started, added].reduce(reduce, emptyState(chat));
    const after = reduce(before, appended(2, "x"));
    expect(after.messages[0]).toBe(before.messages[0]);
    expect(after.runs).toBe(before.runs);
    expect(before.messages[1]?.parts[0]?.text).toBe("");
  });

  it("leaves other chats alone", () => {
    const state = emptyState({ ...chat, id: "other" });
    expect(reduce(state, started)).toBe(state);
  });

  it("puts a retried answer in the place of the old one", () => {
    const once = events.reduce(reduce, emptyState(chat));
    const again = turn(
      0,
      { type: "turn_started", chat, messages: [message("m2", "assistant", "running", "u")] },
      "m2",
    );
    expect(reduce(once, again).messages.map((m) => m.id)).toEqual(["u", "m2"]);
  });
});

describe("a run", () => {
  const step = (seq: number, rest: object) =>
    ({ topic: "run", run: { chatId: "c", runId: "r", seq, ...rest } }) as AppEvent;
  const stream = (text: string) => ({
    ...{ type: "stream" as const, name: "stdout" as const, text, tail: "" },
    ...{ droppedBytes: 0, droppedLines: 0 },
  });

  it("follows the operations on its outputs", () => {
    const state = [
      step(0, { type: "run_started", run }),
      step(1, { type: "run_outputs", outputs: [{ op: "set", index: 0, output: stream("a") }] }),
      step(2, { type: "run_outputs", outputs: [{ op: "append", index: 0, text: "b" }] }),
      step(3, {
        type: "run_outputs",
        outputs: [{ op: "tail", index: 0, text: "z", droppedBytes: 9, droppedLines: 2 }],
      }),
      step(4, { type: "run_finished", run: { ...run, state: "done", durationMs: 5 } }),
    ].reduce(reduce, emptyState(chat));
    expect(state.runs.get("p:0")).toMatchObject({
      state: "done",
      outputs: [{ text: "ab", tail: "z", droppedBytes: 9, droppedLines: 2 }],
    });
  });

  it("is emptied by clear", () => {
    const state = [
      step(0, { type: "run_started", run: { ...run, outputs: [stream("a")] } }),
      step(1, { type: "run_outputs", outputs: [{ op: "clear", index: 0 }] }),
    ].reduce(reduce, emptyState(chat));
    expect(state.runs.get("p:0")?.outputs).toEqual([]);
  });

  it("keeps the latest of several runs of a fence", () => {
    const view = { chat, messages: [], drafts: [], seqs: {} };
    const runs = [{ ...run, id: "new", startedAt: 9 }, run];
    expect(fromView({ ...view, runs }).runs.get("p:0")?.id).toBe("new");
  });
});

describe("the golden events that Go writes", () => {
  const path = "../internal/chat/testdata/turn.golden.json";

  it("parse, follow each other and end in a whole answer", () => {
    expect(existsSync(path), `${path} is missing: run the Go tests of internal/chat`).toBe(true);
    const raw: unknown = JSON.parse(readFileSync(path, "utf8"));
    const events = v.parse(appEvents, raw);
    const first = events.find((event) => event.topic === "turn");
    if (first?.topic !== "turn" || first.turn.type !== "turn_started") throw new Error("no start");
    const state = events.reduce(reduce, emptyState(first.turn.chat));
    expect(state.gap).toBe(false);
    const answer = state.messages.at(-1);
    expect(answer?.role).toBe("assistant");
    expect(answer?.state).not.toBe("running");
    for (const part of answer?.parts ?? []) expect(part.done, part.id).toBe(true);
  });
});
