// The first thing anybody does: ask the bundled model, run what it answers. Real server, real model, real Python.
import assert from "node:assert/strict";
import test from "node:test";
import { withApp } from "../lib/app.mjs";
import { FEW_SHOT, QUESTION } from "../lib/prompts.mjs";

test("the starter model answers with Python that runs, and all of it is there after a restart", async (context) => {
  await withApp(context, { settings: FEW_SHOT }, async (app) => {
    await app.ask(QUESTION);
    await app.answered({ timeout: 180_000 });
    const block = await app.block();
    assert.equal(await app.attribute(block, "data-language"), "python");
    assert.match(await app.text(block), /print\(\s*2\s*\+\s*2\s*\)/);

    const shown = await app.text(await app.run());
    assert.match(shown, /(^|\D)4(\D|$)/);

    await app.restart();
    await app.openChat(QUESTION);
    assert.match(await app.text(await app.output()), /(^|\D)4(\D|$)/);
  });
});

test("the starter model answers at the first start, with nothing configured", async (context) => {
  await withApp(context, {}, async (app) => {
    await app.ask("Say hello.");
    await app.speaks();
  });
});
