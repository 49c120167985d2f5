// Running code blocks: what they show, stopping them, and finding it all again later.
import assert from "node:assert/strict";
import test from "node:test";
import { withApp } from "../lib/app.mjs";
import { CHART } from "../lib/prompts.mjs";
import { python, scriptedModel } from "../lib/scripted-model.mjs";
import { until } from "../lib/wait.mjs";

test("pandas and matplotlib draw a chart, which is there again after a restart", async (context) => {
  const model = await scriptedModel(context);
  model.next(python(CHART));
  await withApp(context, { settings: model.settings() }, async (app) => {
    const check = async (region) => {
      const [image, ...more] = await app.images(region);
      assert.equal(more.length, 0);
      assert.ok(image.bytes > 5000, `the image has ${JSON.stringify(image)}`);
      assert.notEqual(image.alt, "");
    };
    await app.ask("Draw the sales.");
    await app.answered();
    await check(await app.run());
    await app.restart();
    await app.openChat("Draw the sales.");
    await check(await app.output());
  });
});

test("a busy loop is stopped, and the next run works", async (context) => {
  const model = await scriptedModel(context);
  model.next(
    `${python("before = 41")}\nand\n\n${python("while True: pass")}\nand\n\n${python("print(before + 1)")}`,
  );
  await withApp(context, { settings: model.settings() }, async (app) => {
    await app.ask("Loop.");
    await app.answered();
    await app.run(0);
    await app.press("button", "Run", { within: await app.block(1) });
    await app.output(1, { states: ["running"] });
    const pressed = Date.now();
    await app.press("button", "Stop", { within: await app.block(1) });
    await app.output(1, { states: ["stopped"] });
    // Two seconds are wanted; a machine that is busy with other things is not a failure.
    context.diagnostic(`stopped after ${Date.now() - pressed} ms`);
    // Interrupted, not started anew: the variable of the first run is still there.
    assert.match(await app.text(await app.run(2)), /42/);
  });
});

test("C054 a million lines keep head and tail, and typing goes on meanwhile", async (context) => {
  const model = await scriptedModel(context);
  model.next(python("for i in range(1000000): print(i)"));
  await withApp(context, { settings: model.settings() }, async (app) => {
    await app.ask("Count.");
    await app.answered();
    await app.press("button", "Run", { within: await app.block(0) });
    const flood = await app.output(0, { states: ["running", "done"] });
    await until("the first lines", () =>
      app.evaluate((root) => root.querySelector("[data-mime]") !== null, flood),
    );
    // Each key notes how the run stood when it arrived.
    await app.evaluate(() => {
      globalThis.typedDuring = [];
      const state = () => document.querySelector("[data-engine]")?.dataset.state;
      document.addEventListener("input", () => globalThis.typedDuring.push(state()));
    });
    const composer = await app.find("textbox", "Message");
    const began = Date.now();
    await composer.sendKeys("ok");
    await until("the typed words", async () => (await app.value(composer)) === "ok");
    context.diagnostic(`typed within ${Date.now() - began} ms`);
    const during = await app.evaluate(() => globalThis.typedDuring);
    assert.equal(during[0], "running", String(during));
    const region = await app.output(0, { timeout: 300_000 });
    const streams = await app.evaluate(
      (root) =>
        [...root.querySelectorAll("[data-mime='application/vnd.jupyter.stdout']")].map((stream) =>
          stream.textContent.trim().split("\n"),
        ),
      region,
    );
    const [head, tail] = streams;
    assert.equal(streams.length, 2);
    assert.equal(head[0], "0");
    assert.equal(tail.at(-1), "999999");
    const [, count] = /([\d,]+) lines \([^)]+\) left out/.exec(await app.text(region)) ?? [];
    // What is shown and what is said to be gone are all that was printed; a line may be cut at each side.
    const all = head.length + tail.length + Number(count.replaceAll(",", ""));
    assert.ok(Math.abs(all - 1_000_000) <= 2, `${all} lines in all`);
    assert.equal(await app.value(composer), "ok");
  });
});

test("streams, the last value, errors and their traceback are shown as what they are", async (context) => {
  const model = await scriptedModel(context);
  model.next(
    [
      python('import sys\nprint("to stdout")\nprint("to stderr", file=sys.stderr)\n6 * 7'),
      python("def broken():\n    return 1 / 0\n\nbroken()"),
    ].join("\nand\n\n"),
  );
  await withApp(context, { settings: model.settings() }, async (app) => {
    const kinds = (region) =>
      app.evaluate(
        (root) => [...root.querySelectorAll("[data-mime]")].map((one) => one.dataset.mime),
        region,
      );
    await app.ask("Show me.");
    await app.answered();
    const first = await app.run(0);
    const seen = await kinds(first);
    assert.ok(seen.includes("application/vnd.jupyter.stdout"), String(seen));
    assert.ok(seen.includes("application/vnd.jupyter.stderr"), String(seen));
    assert.match(await app.text(first), /to stdout[\s\S]*42/);
    const second = await app.run(1, { states: ["failed"] });
    assert.ok((await kinds(second)).includes("application/vnd.jupyter.error"));
    assert.match(await app.text(second), /ZeroDivisionError: division by zero/);
    assert.match(await app.text(second), /broken/);
  });
});

test("only Python has a Run button, prose has none", async (context) => {
  const model = await scriptedModel(context);
  model.next(
    "Words and `inline`.\n\n```bash\necho hi\n```\n\n```py\nprint(1)\n```\n\n```\nplain\n```\n",
  );
  await withApp(context, { settings: model.settings() }, async (app) => {
    await app.ask("Blocks.");
    const answer = await app.answered();
    const blocks = await app.all("group", "Code block", answer);
    assert.equal(blocks.length, 3);
    const runs = await Promise.all(
      blocks.map(async (block) => (await app.all("button", "Run", block)).length),
    );
    assert.deepEqual(runs, [0, 1, 0]);
    assert.equal((await app.all("button", "Run", answer)).length, 1);
  });
});

test("two chats do not see each other, and each keeps its variables", async (context) => {
  const model = await scriptedModel(context);
  model.next(
    python('secret = 7\nimport builtins\nbuiltins.leak = 8\nprint("kept")'),
    python('import builtins\nprint("secret" in globals(), hasattr(builtins, "leak"))'),
  );
  await withApp(context, { settings: model.settings() }, async (app) => {
    await app.ask("First chat.");
    await app.answered();
    await app.run();
    await app.press("button", "New chat");
    await app.ask("Second chat.");
    await app.answered();
    assert.match(await app.text(await app.run()), /False False/);
  });
});
