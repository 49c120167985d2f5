// For tests only: the real Pyodide of the resources folder, run in Node.
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { PyodideInterface } from "pyodide";
import type { KernelEvent } from "../contract/kernel";
import { type Interpreter, type Lock, startInterpreter } from "./interpreter";
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
}

export async function bench(): Promise<Bench> {
  if (!existsSync(`${folder}pyodide.mjs`)) {
    throw new Error(
      "build/bin/resources/pyodide is missing: run build/pyodide/vendor.py (make does)",
    );
  }
  const { loadPyodide } = (await import(
    /* @vite-ignore */ pathToFileURL(`${folder}pyodide.mjs`).href
  )) as {
    loadPyodide(options: Record<string, unknown>): Promise<PyodideInterface>;
  };
  const pyodide = await loadPyodide({ indexURL: folder });
  const lock = JSON.parse(readFileSync(`${folder}pyodide-lock.json`, "utf8")) as Lock;
  const read: string[] = [];
  let events: KernelEvent[] = [];
  const interpreter = startInterpreter(pyodide, lock, pythonSources, {
    emit: (json) => void events.push(JSON.parse(json) as KernelEvent),
    hold: () => undefined,
    readNow: (file) => {
      read.push(file);
      return new Uint8Array(readFileSync(folder + file));
    },
  });
  return {
    pyodide,
    interpreter,
    read,
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
