// For tests only: the real Pyodide of the resources folder, run in Node.
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { PyodideInterface } from "pyodide";
import type { KernelEvent } from "../contract/kernel";
import { type Interpreter, type Lock, startInterpreter } from "./interpreter";
import { continuing, type Description, mountFiles, type Snapshot } from "./snapshot";
import { pythonSources } from "./sources";

const folder = fileURLToPath(new URL("../../../../build/bin/resources/pyodide/", import.meta.url));

export interface Bench {
  pyodide: PyodideInterface;
  interpreter: Interpreter;
  /** Runs code and gives its status and everything that it showed. */
  run(
    code: string,
  ): Promise<{ status: string; events: KernelEvent[]; stdout: string; stderr: string }>;
  /** The files that were read for packages. */
  read: string[];
  /** What input() gets, one after the other; -1 where there is nothing left. */
  answers: (string | number)[];
  /** What input() asked for. */
  asked: { prompt: string; password: boolean }[];
}

/** The snapshot of the resources folder, as the page hands it to a worker. */
export function readSnapshot(): Snapshot {
  const bytes = (name: string) => new Uint8Array(readFileSync(`${folder}snapshot${name}`));
  const description = JSON.parse(readFileSync(`${folder}snapshot.json`, "utf8")) as Description;
  const libraries = bytes("-libs.bin");
  const shared = (content: Uint8Array) => {
    const buffer = new SharedArrayBuffer(content.byteLength);
    new Uint8Array(buffer).set(content);
    return buffer;
  };
  return {
    description,
    libraries: description.libraries.map(
      ({ file: [, , at, length] }) => new WebAssembly.Module(libraries.slice(at, at + length)),
    ),
    pages: shared(bytes("-pages.bin")),
    hot: shared(bytes("-hot.bin")),
  };
}

type Load = (options: Record<string, unknown>) => Promise<PyodideInterface>;

async function continued(loadPyodide: Load, snapshot: Snapshot): Promise<PyodideInterface> {
  const scope = globalThis as { _createPyodideModule?: unknown };
  // The script makes its function anew each time that it is read, as in a fresh worker.
  const require = createRequire(import.meta.url);
  Reflect.deleteProperty(require.cache, `${folder}snapshot.asm.js`);
  require(`${folder}snapshot.asm.js`);
  const original = scope._createPyodideModule;
  const { create, header } = continuing(snapshot);
  scope._createPyodideModule = create(original as Parameters<typeof create>[0]);
  try {
    const pyodide = await loadPyodide({ indexURL: folder, _loadSnapshot: header });
    mountFiles(pyodide, snapshot, () => new Uint8Array(readFileSync(`${folder}snapshot-cold.bin`)));
    return pyodide;
  } finally {
    scope._createPyodideModule = undefined;
  }
}

/** An interpreter, which starts the plain way where no snapshot is given. */
export async function bench(snapshot: Snapshot | null = null): Promise<Bench> {
  if (!existsSync(`${folder}pyodide.mjs`)) {
    throw new Error(
      "build/bin/resources/pyodide is missing: run build/pyodide/vendor.py (make does)",
    );
  }
  const { loadPyodide } = (await import(
    /* @vite-ignore */ pathToFileURL(`${folder}pyodide.mjs`).href
  )) as { loadPyodide: Load };
  const pyodide =
    snapshot === null
      ? await loadPyodide({ indexURL: folder })
      : await continued(loadPyodide, snapshot);
  const lock = JSON.parse(readFileSync(`${folder}pyodide-lock.json`, "utf8")) as Lock;
  const read: string[] = [];
  const answers: (string | number)[] = [];
  const asked: { prompt: string; password: boolean }[] = [];
  let events: KernelEvent[] = [];
  const surroundings = {
    emit: (json: string) => void events.push(JSON.parse(json) as KernelEvent),
    hold: () => undefined,
    ask: (prompt: string, password: boolean) => void asked.push({ prompt, password }),
    answer: () => answers.shift() ?? -1,
    readNow: (file: string) => {
      read.push(file);
      return new Uint8Array(readFileSync(folder + file));
    },
  };
  const restored = snapshot?.description.packages ?? [];
  const interpreter = startInterpreter(pyodide, lock, pythonSources, surroundings, restored);
  return {
    pyodide,
    interpreter,
    read,
    answers,
    asked,
    async run(code) {
      events = [];
      interpreter.prepare(code);
      const status = await interpreter.run();
      const text = (name: string) =>
        events
          .map((event) => (event.type === "stream" && event.name === name ? event.text : ""))
          .join("");
      return { status, events, stdout: text("stdout"), stderr: text("stderr") };
    },
  };
}
