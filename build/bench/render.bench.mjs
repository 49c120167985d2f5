// What it costs to draw an answer that grows: CPU seconds of the web process, in the window that Lathe runs in.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { BUILT, Program, ROOT, compile } from "./lib/program.mjs";
import { median, say, spread } from "./lib/stats.mjs";
import { buildPage } from "./render/build.mjs";

const piece = 20; // bytes; 100 kB are 5,000 pieces
const rounds = 3;
// Drawn anew at each of 5,000 pieces, 100 kB take 20 minutes of CPU. Each drawing starts from nothing, so its cost
// depends on the text's length alone, and 1 in 25, evenly spread, gives the sum as well.
const every = 25;
const patience = 15 * 60_000;

compile("stage");
await buildPage(ROOT, join(BUILT, "render"));

/**
 * Draws an answer of so many bytes in a process of its own and gives the CPU seconds.
 * @param {"stream" | "reparse"} way @param {number} length @param {number} [every]
 */
async function draw(way, length, every = 1) {
  const stage = new Program(join(BUILT, "stage"));
  Object.assign(stage.env, {
    BENCH_PAGE: join(BUILT, "render"),
    BENCH_JOB: JSON.stringify({ way, length, piece, every }),
    BENCH_REPORT: stage.path("report"),
  });
  try {
    await stage.start("report", patience);
    const result = JSON.parse(readFileSync(stage.path("report"), "utf8"));
    if (result.error) throw new Error(result.error);
    drawn.set(length, [...(drawn.get(length) ?? []), result.words]);
    say(
      `${way}, ${length / 1000} kB: ${result.cpu.toFixed(2)} s of CPU, ${result.wall.toFixed(0)} s`,
    );
    return result.cpu;
  } finally {
    await stage.remove();
  }
}

/** What was drawn at last, by length: both ways must have drawn the same words. */
const drawn = new Map();
const cpu = { stream: [], reparse: [], short: [], long: [] };
for (let round = 0; round < rounds; round++) {
  cpu.stream.push(await draw("stream", 100_000));
  cpu.reparse.push(await draw("reparse", 100_000, every));
  cpu.short.push(await draw("stream", 20_000));
  cpu.long.push(await draw("stream", 200_000));
}
for (const [length, words] of drawn) {
  if (new Set(words).size > 1) throw new Error(`${length} bytes were not drawn the same each time`);
}
say(spread("100 kB as they come", cpu.stream, "CPU seconds"));
say(spread("100 kB anew at each piece", cpu.reparse, "CPU seconds"));
say(spread("20 kB", cpu.short, "CPU seconds"));
say(spread("200 kB", cpu.long, "CPU seconds"));
console.log(
  JSON.stringify({
    "render.stream_vs_reparse": median(cpu.stream) / median(cpu.reparse),
    "render.growth": median(cpu.long) / 200 / (median(cpu.short) / 20),
  }),
);
