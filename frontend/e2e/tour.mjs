// The main job done once, with pictures: asks the bundled model, runs its answer, draws a chart, light and dark.
// Usage: node tour.mjs FOLDER   (on a screen, see build/run.sh)
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { App } from "./lib/app.mjs";
import { CHART, FEW_SHOT, QUESTION } from "./lib/prompts.mjs";
import { ScriptedModel, python } from "./lib/scripted-model.mjs";
import { sleep } from "./lib/wait.mjs";

const folder = resolve(process.argv[2] ?? "build/bin/tour");
mkdirSync(folder, { recursive: true });

/** One theme's walk. The chart's block comes from a scripted model: the starter model is too small to draw one. */
async function walk(theme) {
  const chart = await new ScriptedModel().start();
  chart.next(`Here is a chart of what was sold:\n\n${python(CHART)}`);
  const general = { theme, language: "en", textSize: 15, onClose: "quit" };
  const pictures = async (settings, name, use) => {
    const app = new App({ settings });
    try {
      await app.start();
      await use(app);
      await app.pointerAway();
      // The screen may be behind the page while the machine is busy.
      await app.painted();
      await sleep(1500);
      await app.picture(join(folder, `${name}-${theme}.png`));
      console.log(`tour: ${join(folder, `${name}-${theme}.png`)}`);
      await app.stop();
    } finally {
      await app.remove();
    }
  };
  try {
    await pictures({ ...FEW_SHOT, general }, "starter-model", async (app) => {
      await app.ask(QUESTION);
      await app.answered({ timeout: 180_000 });
      const shown = await app.text(await app.run());
      if (!/4/.test(shown))
        throw new Error(`the code of the answer showed ${JSON.stringify(shown)}, not 4`);
    });
    await pictures(chart.settings({ general }), "chart", async (app) => {
      await app.ask("Draw what was sold in each month.");
      await app.answered();
      const images = await app.images(await app.run());
      if (!(images[0]?.bytes > 5000))
        throw new Error(`no chart was drawn: ${JSON.stringify(images)}`);
    });
  } finally {
    await chart.stop();
  }
}

for (const theme of ["light", "dark"]) await walk(theme);
