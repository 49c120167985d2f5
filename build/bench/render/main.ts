// One job: an answer comes in pieces, one each frame, and is drawn in one of the two ways.
import { flushSync, mount, unmount } from "svelte";
import "../../../frontend/src/styles/tokens.css";
import "../../../frontend/src/styles/base.css";
import Answer from "./Answer.svelte";
import { drawBlocks, type Classes } from "./reparse";
import { answer } from "./text";

interface Job {
  way: "stream" | "reparse";
  length: number;
  piece: number;
  /** Of so many pieces one is drawn, and counts for all of them. */
  every: number;
}
interface Stage {
  Job(): Promise<string>;
  Report(result: string): Promise<void>;
  CPU(): Promise<number>;
}
interface Drawing {
  append(piece: string): void;
  finish(): void;
  remove(): void;
}
declare global {
  interface Window {
    go: { main: { Stage: Stage } };
  }
}

const frame = () => new Promise<unknown>((drawn) => requestAnimationFrame(drawn));

function element(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found;
}
const column = element("column");
const box = element("app");

function stream(): Drawing {
  const shown = mount(Answer, { target: column });
  return {
    append: (piece) => {
      shown.append(piece);
    },
    finish: () => {
      shown.finish();
    },
    remove: () => void unmount(shown),
  };
}

/** Reads from a small drawing which classes the components' elements have. */
function classes(): Classes & { prose: string; group: string } {
  const shown = mount(Answer, { target: column });
  shown.append("```python\nx\n```\n");
  flushSync();
  const of = (selector: string) => column.querySelector(selector)?.className ?? "";
  const found = {
    prose: of(".prose"),
    group: of(".prose > .group"),
    code: of("pre"),
    line: of("pre > span"),
  };
  void unmount(shown);
  return found;
}

function reparse(): Drawing {
  const { prose, group, ...code } = classes();
  const draw = drawBlocks(code);
  const outer = document.createElement("div");
  const inner = document.createElement("div");
  outer.className = prose;
  inner.className = group;
  outer.append(inner);
  column.append(outer);
  let text = "";
  return {
    append: (piece) => {
      text += piece;
      inner.innerHTML = draw(text);
    },
    finish: () => undefined,
    remove: () => {
      outer.remove();
    },
  };
}

/** Draws an answer, and gives the CPU time that this took. */
async function run({ way, length, piece, every }: Job) {
  const text = answer(length);
  const drawing = way === "stream" ? stream() : reparse();
  const started = performance.now();
  const before = await window.go.main.Stage.CPU();
  // Each step ends in the middle of the pieces that it stands for, so that it is as long as they are on average.
  const step = piece * every;
  for (let at = 0, to = Math.ceil(every / 2) * piece; at < length; at = to, to += step) {
    drawing.append(text.slice(at, to));
    await frame();
  }
  drawing.finish();
  await frame();
  await frame();
  const cpu = ((await window.go.main.Stage.CPU()) - before) * every;
  const wall = (performance.now() - started) / 1000;
  const drawn = (column.textContent ?? "").replace(/\s+/g, "");
  const elements = column.querySelectorAll("*").length;
  drawing.remove();
  await frame();
  return { cpu, wall, drawn: drawn.length, words: checksum(drawn), elements };
}

function checksum(text: string): number {
  let sum = 0;
  for (let at = 0; at < text.length; at++) sum = (Math.imul(sum, 31) + text.charCodeAt(at)) | 0;
  return sum;
}

async function main() {
  // As the application follows the end of an answer.
  new ResizeObserver(() => {
    box.scrollTop = box.scrollHeight;
  }).observe(column);
  const job = JSON.parse(await window.go.main.Stage.Job()) as Job;
  // The engine compiles its code before it counts, in both ways.
  await run({ ...job, length: 10_000, every: 1 });
  return run(job);
}

main().then(
  (result) => window.go.main.Stage.Report(JSON.stringify(result)),
  (reason: unknown) => window.go.main.Stage.Report(JSON.stringify({ error: String(reason) })),
);
