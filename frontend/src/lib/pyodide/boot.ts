// Brings Pyodide up in a worker: from the memory snapshot where the page hands
// one over, else the plain way. Nothing of the chat has run yet.
import type { PyodideInterface } from "pyodide";
import type { Lock } from "./interpreter";
import { folderReader, type Reader } from "./lockdown";
import type { Parts } from "./protocol";
import { continuing, mountFiles, type Snapshot } from "./snapshot";

const base = "/pyodide/";
const core = [
  "pyodide.asm.js",
  "pyodide.asm.wasm",
  "python_stdlib.zip",
  "pyodide-lock.json",
  "matplotlib-fontlist.json",
  "snapshot-cold.bin",
];

export interface Machine {
  pyodide: PyodideInterface;
  lock: Lock;
  reader: Reader;
  /** The packages that are there already. */
  restored: string[];
}

type Load = (options: Record<string, unknown>) => Promise<PyodideInterface>;

/** Starts Pyodide with what the page hands over; `continues` says whether that is likely to be a snapshot. */
export async function boot(continues: boolean, parts: Promise<Parts>): Promise<Machine> {
  const files = Object.create(null) as Record<string, true>;
  for (const file of core) files[file] = true;
  const reader = folderReader(base, () => files);
  Object.defineProperty(globalThis, "fetch", {
    value: reader.fetch,
    writable: false,
    configurable: false,
  });
  const lockText = reader
    .fetch(`${base}pyodide-lock.json`)
    .then((response) => response.json() as Promise<Lock>);
  const { loadPyodide } = (await import(/* @vite-ignore */ `${base}pyodide.mjs`)) as {
    loadPyodide: Load;
  };
  const script = `${base}${continues ? "snapshot" : "pyodide"}.asm.js`;
  // Where this fails, the way that needs it says so.
  await import(/* @vite-ignore */ script).catch(() => undefined);
  const { module, snapshot } = await parts;
  const streaming = WebAssembly.instantiateStreaming;
  if (module !== null) {
    WebAssembly.instantiateStreaming = async (_, imports) => ({
      module,
      instance: await WebAssembly.instantiate(module, imports),
    });
  }
  const pyodide =
    snapshot === null ? await loadPlain(loadPyodide) : await loadFrom(snapshot, loadPyodide);
  WebAssembly.instantiateStreaming = streaming;
  if (snapshot !== null) {
    mountFiles(pyodide, snapshot, () => reader.readNow("snapshot-cold.bin"));
  }
  const lock = await lockText;
  for (const entry of Object.values(lock.packages)) files[entry.file_name] = true;
  return { pyodide, lock, reader, restored: snapshot?.description.packages ?? [] };
}

async function loadPlain(loadPyodide: Load): Promise<PyodideInterface> {
  // Pyodide reads its own script only where none is there yet.
  await import(/* @vite-ignore */ `${base}pyodide.asm.js`);
  return loadPyodide({ indexURL: base, stdin: () => null });
}

async function loadFrom(snapshot: Snapshot, loadPyodide: Load): Promise<PyodideInterface> {
  const scope = globalThis as { _createPyodideModule?: unknown };
  await import(/* @vite-ignore */ `${base}snapshot.asm.js`);
  const original = scope._createPyodideModule;
  const { create, header } = continuing(snapshot);
  scope._createPyodideModule = create(original as Parameters<typeof create>[0]);
  try {
    return await loadPyodide({ indexURL: base, stdin: () => null, _loadSnapshot: header });
  } finally {
    // Python can call this function; ours would lead it to the shared pages.
    scope._createPyodideModule = original;
  }
}
