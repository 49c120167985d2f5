// What the tiny model cannot be made to do: long answers, and servers that fail in every way there is.
import assert from "node:assert/strict";
import test from "node:test";
import { withApp } from "../lib/app.mjs";
import { MODEL, scriptedModel } from "../lib/scripted-model.mjs";
import { sleep, until } from "../lib/wait.mjs";

/** 200 kB with paragraphs, lists and code, as long answers are. */
function longAnswer() {
  let text = "";
  for (let part = 1; text.length < 200_000; part += 1) {
    text += `## Part ${part}\n\nSome words about part ${part}, *leaning* and **strong**.\n\n- one\n- two\n\n`;
    text += `\`\`\`python\nfor i in range(${part}):\n    print(i)\n\`\`\`\n\n`;
  }
  return `${text}The very end.`;
}

test("a 200 kB answer streams in whole, and typing goes on meanwhile", async (context) => {
  const model = await scriptedModel(context);
  let typed = () => undefined;
  const personTyped = new Promise((resolve) => (typed = resolve));
  const text = longAnswer();
  model.next(async (reply) => {
    const half = text.length / 2;
    await reply.say(text.slice(0, half), { size: 400, everyMs: 1 });
    // The second half waits for the person, so the text was typed for certain while the answer was under way.
    await Promise.race([personTyped, sleep(60_000)]);
    await reply.say(text.slice(half), { size: 400 });
  });
  await withApp(context, { settings: model.settings() }, async (app) => {
    await app.ask("Tell me everything.");
    const composer = await app.find("textbox", "Message");
    await composer.sendKeys("a second thought");
    await until("the typed words", async () => (await app.value(composer)) === "a second thought");
    assert.equal(await app.attribute(await app.lastAnswer(), "data-state"), "running");
    typed();
    const answer = await app.answered();
    // All of it is there, whether or not it is in sight.
    const whole = await app.evaluate((target) => target.textContent, answer);
    assert.match(whole, /The very end\./);
    assert.match(whole, /Part 1\D/);
    assert.equal(await app.value(composer), "a second thought");
  });
});

test("the context length is always sent, with the whole conversation", async (context) => {
  const model = await scriptedModel(context);
  model.next("First answer.", "Second answer.");
  await withApp(context, { settings: model.settings() }, async (app) => {
    await app.ask("First question.");
    await app.answered();
    await app.ask("Second question.");
    await app.answered();
  });
  const last = model.chats.findLast((chat) =>
    chat.messages.at(-1).content.includes("Second question."),
  );
  assert.equal(last.model, MODEL);
  assert.ok(last.options.num_ctx > 0);
  const said = last.messages
    .filter((message) => message.role !== "system")
    .map((message) => message.content);
  assert.deepEqual(said, ["First question.", "First answer.", "Second question."]);
});

const FAILURES = {
  "an error inside the stream": async (reply, shown) => {
    await reply.say("It begins well, ");
    await shown;
    await reply.fail("the model runner has stopped");
  },
  "a server that dies in the middle": async (reply, shown) => {
    await reply.say("It begins well, ");
    await shown;
    reply.die();
  },
};
for (const [what, script] of Object.entries(FAILURES)) {
  test(`${what} keeps what was said and tells why it ended`, async (context) => {
    const model = await scriptedModel(context);
    let seen = () => undefined;
    const shown = new Promise((resolve) => (seen = resolve));
    model.next((reply) => script(reply, shown), "It works again.");
    await withApp(context, { settings: model.settings() }, async (app) => {
      await app.ask("Try.");
      await until("the first words", async () =>
        /It begins well,/.test(await app.text(await app.lastAnswer())),
      );
      seen();
      const answer = await app.answered({ states: ["failed"] });
      assert.match(await app.text(answer), /It begins well,/);
      await app.find("alert", null, { within: answer });
      await app.restart();
      await app.openChat("Try.");
      assert.match(await app.text(await app.answered({ states: ["failed"] })), /It begins well,/);
      await app.ask("Again.");
      assert.match(await app.text(await app.answered()), /It works again\./);
    });
  });
}

test("refusals become one readable sentence", async (context) => {
  const model = await scriptedModel(context);
  model.next(
    (reply) => reply.refuse(404, { error: `model '${MODEL}' not found` }),
    (reply) => reply.refuse(500, "<html><body>Internal Server Error</body></html>"),
  );
  await withApp(context, { settings: model.settings() }, async (app) => {
    for (const question of ["One.", "Two."]) {
      await app.ask(question);
      const answer = await app.answered({ states: ["failed"] });
      const words = await app.text(await app.find("alert", null, { within: answer }));
      assert.match(words, /[a-z]+ [a-z]+/i);
      assert.doesNotMatch(words, /<html|\{"error"|undefined|\[object/);
    }
  });
});

test("a slow start is waited for", async (context) => {
  const model = await scriptedModel(context);
  model.next(async (reply) => {
    await sleep(4000);
    await reply.say("Here at last.");
  });
  await withApp(context, { settings: model.settings() }, async (app) => {
    await app.ask("Wait.");
    assert.match(await app.text(await app.answered()), /Here at last\./);
  });
});

test("Stop ends the computing of the server and keeps what was said", async (context) => {
  const model = await scriptedModel(context);
  model.next(async (reply) => {
    await reply.say("The beginning. ");
    await reply.cancelled;
  });
  await withApp(context, { settings: model.settings() }, async (app) => {
    await app.ask("Go on forever.");
    await until("the first words", async () =>
      /The beginning/.test(await app.text(await app.lastAnswer())),
    );
    await app.press("button", "Stop");
    assert.match(await app.text(await app.answered({ states: ["cancelled"] })), /The beginning\./);
    await until("the server to notice", () => model.cancelled > 0);
    await app.find("button", "Send");
  });
});

test("after kill -9 in the middle of an answer it shows as interrupted, with what was there", async (context) => {
  const model = await scriptedModel(context);
  model.next("A finished answer.", async (reply) => {
    await reply.say("Half an ");
    await reply.cancelled;
  });
  await withApp(context, { settings: model.settings() }, async (app) => {
    await app.ask("First.");
    await app.answered();
    await app.ask("Second.");
    await until("the first words", async () =>
      /Half an/.test(await app.text(await app.lastAnswer())),
    );
    // Growing text is written within a moment, and what is written must survive.
    await app.kept("Half an");
    await app.kill9();
    await app.start();
    await app.openChat("First.");
    const answer = await app.answered({ states: ["interrupted"] });
    assert.match(await app.text(answer), /Half an/);
    const [first] = await app.answers();
    assert.equal(await app.attribute(first, "data-state"), "done");
    assert.match(await app.text(first), /A finished answer\./);
  });
});
