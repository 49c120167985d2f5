// How long until a person can use the window: Lathe, with its bundled model server, against a bare Wails window.
// Both start with the files in memory and on a home folder that they have used before, as on any day after the first.
import { join } from "node:path";
import { BUILT, Program, ROOT, compile } from "./lib/program.mjs";
import { median, say, spread } from "./lib/stats.mjs";

const rounds = 11;
const patience = 60_000;

const lathe = new Program(process.env.LATHE_E2E_BINARY ?? join(ROOT, "build/bin/lathe"));
Object.assign(lathe.env, {
  LATHE_DATA: lathe.path("lathe-data"),
  LATHE_READY_FILE: lathe.path("ready"),
});
const bare = new Program(join(BUILT, "bare"));
Object.assign(bare.env, { BENCH_READY_FILE: bare.path("ready") });

/** @param {Program} program */
async function time(program) {
  try {
    return await program.start("ready", patience);
  } finally {
    await program.end();
  }
}

compile("bare");
const times = { lathe: /** @type {number[]} */ ([]), bare: /** @type {number[]} */ ([]) };
try {
  const first = await time(lathe);
  await time(bare);
  say(`the very first start of Lathe, not counted: ${first.toFixed(0)} ms`);
  for (let round = 0; round < rounds; round++) {
    // Each goes first as often as the other, so that neither profits from its neighbour.
    const order = round % 2 ? ["bare", "lathe"] : ["lathe", "bare"];
    for (const name of order) times[name].push(await time(name === "lathe" ? lathe : bare));
  }
} finally {
  await lathe.remove();
  await bare.remove();
}
say(spread("Lathe", times.lathe, "ms"));
say(spread("bare window", times.bare, "ms"));
console.log(
  JSON.stringify({ "window.interactive_vs_bare": median(times.lathe) / median(times.bare) }),
);
