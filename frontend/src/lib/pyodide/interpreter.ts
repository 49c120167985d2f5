// Makes a Pyodide instance a session of Lathe. Free of anything that only a
// worker has, so that tests run it in Node as it is.
import type { PyodideInterface } from "pyodide";
import type { Completion } from "../contract/kernel";

/** What Python may ask of its surroundings. */
export interface Surroundings {
  /** Sends one kernel event as JSON; may block until the page has caught up. */
  emit(json: string): void;
  /** Says whether Python keeps text back. */
  hold(waiting: boolean): void;
  /** Begins to ask the person for a line. */
  ask(prompt: string, password: boolean): void;
  /** The line; a number where there is none to be had (see stdin.py); null while it is waited for. */
  answer(): string | number | null;
  /** Reads a file of the Pyodide folder at once. */
  readNow(file: string): Uint8Array;
}

export interface LockPackage {
  name: string;
  file_name: string;
  depends: string[];
  imports: string[];
  install_dir: string;
}

export interface Lock {
  packages: Record<string, LockPackage>;
}

/** The pieces of Pyodide's inside that installing without waiting needs; pinned to its version by a test. */
interface Internals {
  package_loader: {
    get_install_dir(name: string): string;
    unpack_buffer: {
      callKwargs(options: Record<string, unknown>): string[] | { toJs(): string[] };
    };
  };
}
interface EmscriptenModule {
  FS: PyodideInterface["FS"] & { findObject(path: string): unknown };
  loadDynamicLibrary(path: string, flags: Record<string, unknown>, scope: object | null): unknown;
  LDSO: { loadedLibsByName: Record<string, unknown> };
}

interface PythonSession {
  prepare(source: string): { toJs(): string[]; destroy(): void };
  run(): Promise<string>;
  cancel(): void;
  variables(): number;
  complete(code: string, cursor: number): string;
}

export interface Interpreter {
  /** Compiles the code, and names the files of packages that its imports need. */
  prepare(code: string): string[];
  /** Runs what was prepared, to its end. */
  run(): Promise<"ok" | "error" | "stopped">;
  /** Stops a run that awaits something. */
  cancel(): void;
  /** How many variables the code has made. */
  variables(): number;
  /** What could stand at the cursor, a place in code points. */
  complete(code: string, cursor: number): Completion;
}

const engineFolder = "/lib/lathe";
const fallbackFolder = "/lib/lathe-fallback";

/**
 * Writes the Python half and starts it. `sources` is by path: `python/lathe_kernel/session.py`;
 * `restored` names the packages that a snapshot has brought.
 */
export function startInterpreter(
  pyodide: PyodideInterface,
  lock: Lock,
  sources: Record<string, string>,
  surroundings: Surroundings,
  restored: readonly string[] = [],
): Interpreter {
  for (const [path, text] of Object.entries(sources)) {
    const inside = path.slice(path.indexOf("python/") + "python/".length);
    const target = inside.startsWith("fallback/")
      ? `${fallbackFolder}/${inside.slice("fallback/".length)}`
      : `${engineFolder}/${inside}`;
    pyodide.FS.mkdirTree(target.slice(0, target.lastIndexOf("/")));
    pyodide.FS.writeFile(target, text);
  }
  const install = installer(pyodide, lock, restored, (file) => surroundings.readNow(file));
  const { emit, hold, ask, answer } = surroundings;
  const port = { emit, hold, ask, answer, install };
  const packages: Record<string, string> = {};
  for (const [name, entry] of Object.entries(lock.packages)) {
    for (const module of entry.imports) packages[module] = name;
  }
  pyodide.runPython(
    `import sys; sys.path.insert(0, "${engineFolder}"); sys.path.append("${fallbackFolder}"); del sys`,
  );
  const module = pyodide.pyimport("lathe_kernel.session") as {
    start(port: object, packages: object, restored: object): PythonSession;
  };
  const session = module.start(port, packages, restored);
  return {
    prepare(code) {
      const names = session.prepare(code);
      const wanted = closure(lock, names.toJs());
      names.destroy();
      return wanted.map((entry) => entry.file_name);
    },
    run: async () => {
      const status = await session.run();
      return status === "ok" || status === "stopped" ? status : "error";
    },
    cancel: () => session.cancel(),
    variables: () => session.variables(),
    complete: (code, cursor) => JSON.parse(session.complete(code, cursor)) as Completion,
  };
}

/** A package of the lock with everything it needs, needed ones first. */
function closure(lock: Lock, names: readonly string[]): LockPackage[] {
  const found = new Map<string, LockPackage>();
  const visit = (name: string) => {
    const entry = lock.packages[name];
    if (entry === undefined || found.has(name)) return;
    for (const needed of entry.depends) visit(needed);
    found.set(name, entry);
  };
  for (const name of names) visit(name);
  return [...found.values()];
}

/**
 * Pyodide installs packages asynchronously, so an import can't wait for it.
 * This does the same steps at once; extension modules are left for the import
 * to load, and only libraries that several of them share are loaded here.
 */
function installer(
  pyodide: PyodideInterface,
  lock: Lock,
  restored: readonly string[],
  readNow: (file: string) => Uint8Array,
) {
  const internals = (pyodide as unknown as { _api: Internals })._api;
  const module = (pyodide as unknown as { _module: EmscriptenModule })._module;
  const installed = new Set(restored.map((name) => lock.packages[name]?.name));

  const loadLibrary = (path: string, folders: readonly string[]) => {
    const resolve = (name: string) =>
      name.startsWith("/")
        ? name
        : (folders
            .map((folder) => `${folder}/${name}`)
            .find((at) => module.FS.findObject(at) !== null) ?? name);
    const fs = {
      findObject: (name: string) => module.FS.findObject(resolve(name)),
      readFile: (name: string) => module.FS.readFile(resolve(name)),
    };
    module.loadDynamicLibrary(
      path,
      { loadAsync: false, nodelete: true, allowUndefined: true, global: false, fs },
      {},
    );
    const name = path.slice(path.lastIndexOf("/") + 1);
    module.LDSO.loadedLibsByName[name] ??= module.LDSO.loadedLibsByName[path];
  };

  return (name: string): void => {
    for (const entry of closure(lock, [name])) {
      if (installed.has(entry.name)) continue;
      const folder = internals.package_loader.get_install_dir(entry.install_dir);
      const paths = internals.package_loader.unpack_buffer.callKwargs({
        buffer: readNow(entry.file_name),
        filename: entry.file_name,
        extract_dir: folder,
        installer: "pyodide.loadPackage",
        source: "pyodide",
        calculate_dynlibs: true,
      });
      const libraries = (Array.isArray(paths) ? paths : paths.toJs()).filter(
        (path) => !/\.cpython-\d+/.test(path),
      );
      const site = internals.package_loader.get_install_dir("site");
      const folders = [`${site}/${entry.file_name.split("-")[0]}.libs`, "/usr/lib"];
      for (const path of libraries)
        loadLibrary(path, [path.slice(0, path.lastIndexOf("/")), ...folders]);
      if (entry.name === "matplotlib") {
        // The list in the wheel is of another version; with it every start would read every font.
        pyodide.FS.writeFile(
          `${site}/matplotlib/fontlist.json`,
          readNow("matplotlib-fontlist.json"),
        );
      }
      // Only now: a stop in the middle leaves the package to the next try.
      installed.add(entry.name);
    }
  };
}
