// The window itself: its size, its second start, its ends, and the settings that a person changes in it.
import assert from "node:assert/strict";
import test from "node:test";
import { withApp } from "../lib/app.mjs";
import { scriptedModel } from "../lib/scripted-model.mjs";
import { until } from "../lib/wait.mjs";

const NO_MODEL = { models: { bundled: false } };

test("the window keeps its size, and a second start shows the first", async (context) => {
  await withApp(context, { settings: NO_MODEL }, async (app) => {
    await app.window("windowsize", "--sync", "1000", "700");
    const size = () => app.evaluate(() => `${innerWidth}x${innerHeight}`);
    await until("the new size", async () => (await size()) === "1000x700");
    // Wails ends a second process with 1 once the first has been told.
    assert.equal(await app.startAgain(), 1);
    assert.equal((await app.window()).split("\n").length, 1);
    await app.restart();
    await until("the kept size", async () => (await size()) === "1000x700");
  });
});

test("the model server ends with the application, also after a signal", async (context) => {
  await withApp(context, {}, async (app) => {
    await app.ask("Say hello.");
    await app.speaks();
    for (const signal of ["SIGTERM", "SIGKILL"]) {
      // Fails when a process of the application lives on.
      await app.kill(signal);
      await app.start();
    }
  });
});

test("theme and model are chosen in Settings and kept", async (context) => {
  const model = await scriptedModel(context);
  model.next("From the added server.");
  await withApp(context, { settings: NO_MODEL }, async (app) => {
    const theme = () => app.evaluate(() => document.documentElement.dataset.theme ?? "system");
    await app.press("button", "Settings");
    await app.press("tab", "General");
    await app.press("combobox", "Theme");
    await app.press("option", "Dark");
    await until("the dark theme", async () => (await theme()) === "dark");

    await app.press("tab", "Models");
    await app.press("button", "Add server");
    const address = await app.find("textbox", "Server URL");
    await address.sendKeys("http://127.0.0.1:1");
    await app.press("button", "Add");
    await app.find("alert");
    await address.clear();
    await address.sendKeys(model.url);
    await app.press("button", "Add");
    await app.press("combobox", "Default model");
    await app.press("option", "scripted");
    await app.press("button", "Close settings");

    await app.restart();
    // Remembered by the page as well, so that the window does not begin with a light flash.
    assert.equal(await app.evaluate(() => localStorage.getItem("theme")), "dark");
    await until("the kept theme", async () => (await theme()) === "dark");
    await app.ask("Hello?");
    assert.match(await app.text(await app.answered()), /From the added server\./);
  });
});
