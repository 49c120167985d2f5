// The test equipment itself: a scripted model that fails wrongly would make every other test say nothing.
import assert from "node:assert/strict";
import { networkInterfaces } from "node:os";
import test from "node:test";
import { scriptedModel } from "../lib/scripted-model.mjs";
import { until } from "../lib/wait.mjs";

const chat = (model, signal) =>
  fetch(`${model.url}/api/chat`, {
    method: "POST",
    body: JSON.stringify({ messages: [{ role: "user", content: "hi" }] }),
    signal,
  });
const lines = (text) =>
  text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

test("the scripted model streams pieces and a last line", async (context) => {
  const model = await scriptedModel(context);
  model.next((reply) => reply.say("abcde", { size: 2 }));
  const all = lines(await (await chat(model)).text());
  assert.deepEqual(
    all.map((line) => line.message.content),
    ["ab", "cd", "e", ""],
  );
  assert.deepEqual(
    all.map((line) => line.done),
    [false, false, false, true],
  );
  assert.equal(model.chats[0].messages[0].content, "hi");
});

test("the scripted model fails in each way it is told to", async (context) => {
  const model = await scriptedModel(context);
  model.next(
    (reply) => reply.fail("broken"),
    (reply) => reply.refuse(404, { error: "gone" }),
    async (reply) => {
      await reply.say("half");
      reply.die();
    },
  );
  assert.deepEqual(lines(await (await chat(model)).text()), [{ error: "broken" }]);
  const refused = await chat(model);
  assert.deepEqual([refused.status, await refused.json()], [404, { error: "gone" }]);
  await assert.rejects(async () => (await chat(model)).text());
});

test("the scripted model notices that the client gave up", async (context) => {
  const model = await scriptedModel(context);
  model.next(async (reply) => {
    await reply.say("one");
    await reply.cancelled;
  });
  const control = new AbortController();
  await (await chat(model, control.signal)).body.getReader().read();
  control.abort();
  await until("the server to notice", () => model.cancelled === 1);
  assert.deepEqual(model.problems, []);
});

test(
  "only the loopback is there",
  { skip: process.env.LATHE_E2E_OFFLINE ? false : "this machine allows no network namespace" },
  () => {
    assert.deepEqual(Object.keys(networkInterfaces()), ["lo"]);
  },
);
