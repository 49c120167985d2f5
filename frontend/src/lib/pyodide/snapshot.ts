// The memory snapshot: an interpreter with numpy, pandas and matplotlib that was
// written down at build time (build/pyodide/snapshot.mjs), shared by the page
// with its workers, and continued in each of them. Everything works without
// it, only slower.
import type { PyodideInterface } from "pyodide";
import * as v from "valibot";
import { count, id } from "../contract/base";

/** A file in one of the packs: its folder as an index of `folders`, its name, where it begins, its length. */
const place = v.tuple([count, v.string(), count, count]);
const span = v.tuple([count, count]);

const description = v.object({
  /** The packages whose files are in the packs. */
  packages: v.array(id),
  /** Bytes of the memory. */
  heapLength: count,
  /** Bytes of Pyodide's own header, which stands before the pages. */
  headerLength: count,
  /** What of the memory is not zero, as [offset, length], in the order of the pages. */
  ranges: v.array(span),
  tableLength: count,
  folders: v.array(id),
  /** Extension modules in the order of their loading, each with the places that its code relies on. */
  libraries: v.array(
    v.object({
      path: id,
      handles: v.pipe(v.array(count), v.minLength(1)),
      global: v.boolean(),
      memory: span,
      table: span,
      file: place,
    }),
  ),
  hot: v.array(place),
  cold: v.array(place),
});
export type Description = v.InferOutput<typeof description>;

/**
 * What the page hands to a worker. The buffers are shared by all workers of the
 * page where the webview has shared memory, so a worker reads them before the
 * first line of the chat's code, and keeps no reference.
 */
export interface Snapshot {
  description: Description;
  libraries: WebAssembly.Module[];
  pages: ArrayBufferLike;
  hot: ArrayBufferLike;
}

const base = "/pyodide/snapshot";

/**
 * Fetches and compiles the snapshot for all workers of the page, which keeps
 * about 70 MB of it. Null where there is none or it can't be used.
 */
export async function fetchSnapshot(): Promise<Snapshot | null> {
  try {
    const found = await fetch(`${base}.json`);
    if (!found.ok) return null;
    const [parsed, libraries, pages, hot] = await Promise.all([
      found.json().then((value) => v.parse(description, value)),
      fetchBytes(`${base}-libs.bin`),
      fetchBytes(`${base}-pages.bin`).then(shared),
      fetchBytes(`${base}-hot.bin`).then(shared),
    ]);
    const used = parsed.ranges.reduce((sum, [, length]) => sum + length, parsed.headerLength);
    if (used !== pages.byteLength) throw new Error("its pages are not those that it describes");
    const modules = parsed.libraries.map(({ file: [, , offset, length] }) =>
      WebAssembly.compile(new Uint8Array(libraries, offset, length)),
    );
    return { description: parsed, libraries: await Promise.all(modules), pages, hot };
  } catch (reason) {
    console.error("the snapshot can't be used; Python starts the plain way", reason);
    return null;
  }
}

async function fetchBytes(address: string): Promise<ArrayBuffer> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} is missing`);
  return response.arrayBuffer();
}

/** The content where all workers see it without copying; as it was, where there is no shared memory. */
function shared(content: ArrayBuffer): ArrayBufferLike {
  if (typeof SharedArrayBuffer === "undefined") return content;
  const buffer = new SharedArrayBuffer(content.byteLength);
  new Uint8Array(buffer).set(new Uint8Array(content));
  return buffer;
}

/** The pieces of Emscripten's module that continuing needs; pinned to Pyodide's version by a test. */
interface EmscriptenModule {
  HEAPU8: Uint8Array;
  HEAP32: Int32Array;
  HEAPU32: Uint32Array;
  wasmTable: WebAssembly.Table;
  LDSO: { loadedLibsByHandle: Record<number, Library> };
  newDSO(name: string, handle: number, exports: unknown): Library;
  loadWebAssemblyModule(
    binary: WebAssembly.Module,
    flags: Record<string, unknown>,
    name: string,
    scope: object | null,
    handle: number,
  ): object;
  mergeLibSymbols(exports: object, name: string): void;
  _sbrk(bytes: number): number;
  _PyEM_CountArgsPtr?: number;
  __PyEM_EMSCRIPTEN_COUNT_ARGS_OFFSET: number;
  __PyRuntime: number;
  __tzset_js(timezone: number, daylight: number, standard: number, summer: number): void;
  _timezone: number;
  _daylight: number;
  _tzname: number;
}
interface Library {
  refcount: number;
  global: boolean;
  exports: unknown;
}
interface Settings {
  INITIAL_MEMORY?: number;
  preRun: ((module: EmscriptenModule) => void)[];
}
type Create = (settings: Settings) => Promise<EmscriptenModule>;

/** Whether this engine compiles WasmGC: the smallest module with a struct type. */
const hasGC = WebAssembly.validate(
  Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 3, 1, 0x5f, 0),
);

/**
 * Wraps Pyodide's way to make its module, so that the module continues from the
 * snapshot. Returns the header to be given to loadPyodide as `_loadSnapshot`.
 */
export function continuing(snapshot: Snapshot): {
  create(original: Create): Create;
  header: Uint8Array;
} {
  const { description, libraries, pages } = snapshot;
  // A copy: Pyodide reads it as text, which shared memory refuses.
  const header = new Uint8Array(pages, 0, description.headerLength).slice();
  return {
    header,
    create: (original) => async (settings) => {
      settings.INITIAL_MEMORY = description.heapLength;
      settings.preRun.unshift((module) => {
        // Where there is WasmGC Pyodide adds a function here; all places after it count on that.
        if (!hasGC) module.wasmTable.grow(1);
      });
      const module = await original(settings);
      link(module, description, libraries);
      restore(module, description, pages);
      return module;
    },
  };
}

/** Loads the libraries again at the places where they were. */
function link(
  module: EmscriptenModule,
  { libraries, tableLength }: Description,
  modules: WebAssembly.Module[],
) {
  libraries.forEach((library, index) => {
    const binary = modules[index];
    const [handle] = library.handles;
    if (binary === undefined || handle === undefined)
      throw new Error("the snapshot lacks a library");
    // Emscripten's struct dso: loaded at 8, memory at 12 and 16, table at 20 and 24.
    module.HEAPU8[handle + 8] = 1;
    const words = [...library.memory, ...library.table];
    words.forEach((word, at) => (module.HEAPU32[(handle + 12 + 4 * at) >> 2] = word));
    const scope = library.global ? null : {};
    const loaded = module.newDSO(library.path, handle, "loading");
    loaded.global = library.global;
    const flags = {
      global: library.global,
      nodelete: true,
      loadAsync: false,
      allowUndefined: true,
    };
    const exports = module.loadWebAssemblyModule(binary, flags, library.path, scope, handle);
    if (library.global) module.mergeLibSymbols(exports, library.path);
    loaded.exports = exports;
    for (const other of library.handles) module.LDSO.loadedLibsByHandle[other] = loaded;
  });
  if (module.wasmTable.length !== tableLength) {
    throw new Error(`the table has ${module.wasmTable.length} places instead of ${tableLength}`);
  }
}

/** Writes the memory: the pages, and zeros between them wherever starting and linking may have left something. */
function restore(
  module: EmscriptenModule,
  { ranges, headerLength, libraries }: Description,
  pages: ArrayBufferLike,
) {
  const heap = module.HEAPU8;
  const source = new Uint8Array(pages);
  // Beyond the heap that is in use, only the libraries' own data was written.
  const dirty = [
    [0, module._sbrk(0)],
    ...libraries.map(({ memory: [at, size] }) => [at, at + size]),
  ];
  let from = headerLength;
  let end = 0;
  const clear = (begin: number, until: number) => {
    for (const [low = 0, high = 0] of dirty) {
      const first = Math.max(begin, low);
      const last = Math.min(until, high);
      if (first < last) heap.fill(0, first, last);
    }
  };
  for (const [offset, length] of ranges) {
    clear(end, offset);
    heap.set(source.subarray(from, from + length), offset);
    from += length;
    end = offset + length;
  }
  clear(end, heap.length);
  // A function of this start, which the snapshot could not know.
  const offset = module.HEAP32[module.__PyEM_EMSCRIPTEN_COUNT_ARGS_OFFSET >> 2] ?? 0;
  module.HEAP32[(module.__PyRuntime + offset) >> 2] = module._PyEM_CountArgsPtr ?? 0;
  // The zone of this machine's clock. C looks for it once, which the snapshot has behind it.
  const name = (index: number) => module.HEAPU32[(module._tzname + 4 * index) >> 2] ?? 0;
  module.__tzset_js(module._timezone, module._daylight, name(0), name(1));
}

type Node = { contents: Uint8Array; usedBytes: number };
interface FileSystem {
  mkdirTree(path: string): void;
  lookupPath(path: string): { node: object };
  filesystems: {
    MEMFS: { createNode(parent: object, name: string, mode: number, dev: number): Node };
  };
}

/**
 * Puts the files of site-packages back. What charts read is there at once; the
 * rest is read with the first file of it that anybody opens.
 */
export function mountFiles(
  pyodide: PyodideInterface,
  snapshot: Snapshot,
  readCold: () => Uint8Array,
): void {
  const FS = pyodide.FS as unknown as FileSystem;
  const { description } = snapshot;
  const parents = description.folders.map((folder) => {
    FS.mkdirTree(folder);
    return FS.lookupPath(folder).node;
  });
  const add = ([folder, name, , length]: Description["hot"][number]): Node => {
    const parent = parents[folder];
    if (parent === undefined) throw new Error(`the snapshot lacks the folder of ${name}`);
    const node = FS.filesystems.MEMFS.createNode(parent, name, 0o100644, 0);
    node.usedBytes = length;
    return node;
  };
  // A copy of this session's own: Python may write to its files.
  const hot = new Uint8Array(snapshot.hot.byteLength);
  hot.set(new Uint8Array(snapshot.hot));
  for (const file of description.hot) add(file).contents = hot.subarray(file[2], file[2] + file[3]);
  // Of a loaded library nothing is read again; that it is there is all that counts.
  for (const { file } of description.libraries)
    add([file[0], file[1], 0, 0]).contents = new Uint8Array(0);
  let cold: Uint8Array | null = null;
  for (const file of description.cold) {
    const node = add(file);
    Object.defineProperty(node, "contents", {
      configurable: true,
      enumerable: true,
      get() {
        cold ??= readCold();
        const value = cold.subarray(file[2], file[2] + file[3]);
        Object.defineProperty(node, "contents", {
          value,
          writable: true,
          configurable: true,
          enumerable: true,
        });
        return value;
      },
      set(value: Uint8Array) {
        Object.defineProperty(node, "contents", {
          value,
          writable: true,
          configurable: true,
          enumerable: true,
        });
      },
    });
  }
}
