import { describe, expect, it } from "vitest";
import type { KernelMessage } from "../contract/kernel";
import { Outbox } from "./outbox";

const text = (words: string, name: "stdout" | "stderr" = "stdout", runId = "r"): KernelMessage => ({
  type: "event",
  kernelId: "k",
  runId,
  event: { type: "stream", name, text: words },
});

/** An outbox whose calls end when the test says so. */
function held() {
  const calls: { seq: number; messages: KernelMessage[]; end: () => void; fail: () => void }[] = [];
  const outbox = new Outbox(
    (seq, messages) =>
      new Promise((end, reject) => {
        calls.push({ seq, messages, end, fail: () => reject(new Error("refused")) });
      }),
  );
  return { outbox, calls };
}
const soon = () => new Promise((resolve) => setTimeout(resolve, 0));

describe("the outbox", () => {
  it("has one call under way and joins what comes meanwhile", async () => {
    const { outbox, calls } = held();
    const passedOn: number[] = [];
    ["a", "b", "c"].forEach((words, index) =>
      outbox.push(text(words), 1, () => passedOn.push(index)),
    );
    outbox.push(text("e", "stderr"));
    outbox.push(text("f", "stderr", "other"));
    expect(calls).toHaveLength(1);
    expect(passedOn).toEqual([]);
    calls[0]?.end();
    await soon();
    expect(passedOn).toEqual([0]);
    expect(calls.map(({ seq }) => seq)).toEqual([0, 1]);
    expect(calls[1]?.messages).toEqual([
      text("bc"),
      text("e", "stderr"),
      text("f", "stderr", "other"),
    ]);
    calls[1]?.end();
    await soon();
    expect(passedOn).toEqual([0, 1, 2]);
  });

  it("limits a batch by size and by number", async () => {
    const { outbox, calls } = held();
    outbox.push(text("first"));
    for (let i = 0; i < 5; i++) outbox.push(text("x"), 600_000);
    for (let i = 0; i < 1200; i++) outbox.push(text("y", i % 2 === 0 ? "stdout" : "stderr"));
    for (let i = 0; i < 20; i++) {
      calls.at(-1)?.end();
      await soon();
    }
    expect(calls.length).toBeGreaterThan(7);
    expect(calls.every(({ messages }) => messages.length <= 500)).toBe(true);
    expect(calls.map(({ seq }) => seq)).toEqual(calls.map((_, index) => index));
  });

  it("goes on after a call that failed", async () => {
    const { outbox, calls } = held();
    const errors: unknown[] = [];
    const original = console.error;
    console.error = (...words: unknown[]) => void errors.push(words);
    outbox.push(text("a"));
    outbox.push(text("b"));
    calls[0]?.fail();
    await soon();
    console.error = original;
    expect(errors).toHaveLength(1);
    expect(calls[1]?.messages).toEqual([text("b")]);
  });
});
