// Running code blocks: what they show, stopping them, and finding it all again later.
import assert from "node:assert/strict";
import test from "node:test";
import { withApp } from "../lib/app.mjs";
import { CHART } from "../lib/prompts.mjs";
import { python, scriptedModel } from "../lib/scripted-model.mjs";

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

test("a busy loop is stopped within two seconds, and the next run works", async (context) => {
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
    const took = Date.now() - pressed;
    context.diagnostic(`stopped after ${took} ms`);
    assert.ok(took < 2000, `it took ${took} ms`);
    // Interrupted, not started anew: the variable of the first run is still there.
    assert.match(await app.text(await app.run(2)), /42/);
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
