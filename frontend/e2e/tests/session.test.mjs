// Sessions as a person has them: input, stopping whatever does not end, other chats meanwhile, limits.
import assert from "node:assert/strict";
import test from "node:test";
import { Key } from "selenium-webdriver";
import { withApp } from "../lib/app.mjs";
import { python, scriptedModel } from "../lib/scripted-model.mjs";
import { until } from "../lib/wait.mjs";

/** An answer with one block for each piece of code. */
const blocks = (...codes) => codes.map(python).join("\nand\n\n");

test("C049 input() shows a field, waits without freezing anything, and takes an empty answer", async (context) => {
  const model = await scriptedModel(context);
  model.next(
    blocks(
      'name = input("Who? ")\nprint("Hello", repr(name))',
      'from getpass import getpass\nsecret = getpass("Secret: ")\nprint(len(secret))',
      'kept = 5\ninput("Never answered")',
      "print(kept)",
    ),
  );
  await withApp(context, { settings: model.settings() }, async (app) => {
    await app.ask("Ask me.");
    await app.answered();
    const field = async (block) =>
      app.find("textbox", "Input for the code", {
        within: await app.output(block, { states: ["running"] }),
        timeout: 60_000,
      });

    await app.press("button", "Run", { within: await app.block(0) });
    let input = await field(0);
    // The window goes on: a message can be typed while the code waits.
    const composer = await app.find("textbox", "Message");
    await composer.sendKeys("meanwhile");
    assert.equal(await app.value(composer), "meanwhile");
    await input.click();
    await input.sendKeys("Ada", Key.ENTER);
    assert.match(await app.text(await app.output(0)), /Who\? Ada[\s\S]*Hello 'Ada'/);

    await app.press("button", "Run", { within: await app.block(0) });
    await field(0);
    await app.press("button", "Answer", { within: await app.output(0, { states: ["running"] }) });
    assert.match(await app.text(await app.output(0)), /Hello ''/);

    await app.press("button", "Run", { within: await app.block(1) });
    input = await until("the field of getpass", async () => {
      const region = await app.output(1, { states: ["running"] });
      return app.evaluate((root) => root.querySelector("input[type=password]"), region);
    });
    await input.sendKeys("hunter2", Key.ENTER);
    const shown = await app.text(await app.output(1));
    assert.match(shown, /7/);
    assert.doesNotMatch(shown, /hunter2/);

    await app.press("button", "Run", { within: await app.block(2) });
    await field(2);
    await app.press("button", "Stop", { within: await app.block(2) });
    await app.output(2, { states: ["stopped"] });
    assert.match(await app.text(await app.run(3)), /5/);
  });
});

test("C063 a run goes on while another chat is open, and its output is in its own", async (context) => {
  const model = await scriptedModel(context);
  model.next(
    blocks(
      'import time\nfor i in range(30):\n    print("tick", i, flush=True)\n    time.sleep(0.1)\nprint("the end")',
    ),
    blocks('print("second chat")'),
  );
  await withApp(context, { settings: model.settings() }, async (app) => {
    await app.ask("Tick.");
    await app.answered();
    await app.press("button", "Run", { within: await app.block(0) });
    await app.output(0, { states: ["running"] });
    await app.press("button", "New chat");
    await app.ask("Another.");
    await app.answered();
    const other = await app.run(0);
    assert.match(await app.text(other), /second chat/);
    assert.doesNotMatch(await app.text(other), /tick/);
    await app.openChat("Tick.");
    assert.match(await app.text(await app.output(0)), /tick 0[\s\S]*tick 29[\s\S]*the end/);
  });
});

test("C011 the time-out of the settings ends a run that sleeps, and three presses are one run", async (context) => {
  const model = await scriptedModel(context);
  model.next(
    blocks("kept = 1\nimport time\nprint('begun', flush=True)\ntime.sleep(600)", "print(kept)"),
  );
  const settings = model.settings({ codeExecution: { timeoutSeconds: 3 } });
  await withApp(context, { settings }, async (app) => {
    await app.ask("Sleep.");
    await app.answered();
    const run = await app.find("button", "Run", { within: await app.block(0) });
    await app.evaluate((button) => {
      button.click();
      button.click();
      button.click();
    }, run);
    const region = await app.output(0, { states: ["timeout"] });
    assert.match(await app.text(region), /begun/);
    assert.equal((await app.text(region)).match(/begun/g).length, 1);
    assert.match(await app.text(await app.run(1)), /1/);
  });
});
