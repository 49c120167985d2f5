// Makes the memory snapshot: an interpreter that has numpy, pandas and matplotlib imported and warm, written down so
// that a worker can begin where this one ended. Everything works without it, only slower.
// Usage: node snapshot.mjs FOLDER-WITH-PYODIDE
//
// Writes into the folder:
//   snapshot.asm.js     Pyodide's script with one function switched off, see patched()
//   snapshot.json       what belongs together: libraries and their places, pages, files
//   snapshot-pages.bin  the pages of the memory that are not zero, one after the other
//   snapshot-libs.bin   the extension modules, in the order in which they were loaded
//   snapshot-hot.bin    the files that nearly every chart reads
//   snapshot-cold.bin   the other files of site-packages, for whoever imports more
import { mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const folder = resolve(process.argv[2]);
const PAGE = 4096;
const SITE = "/lib/python3.12/site-packages";
const PACKAGES = ["numpy", "pandas", "matplotlib"];
const HOT = /\/mpl-data\/(matplotlibrc|fonts\/ttf\/DejaVuSans(-Bold|-Oblique)?\.ttf)$/;
// What nobody reads of what the wheels bring.
const DEAD =
  /\.(pyi|pxd|h|pyx|c|cpp)$|\/tests\/|\/mpl-data\/(sample_data|plot_directive)\/|\/web_backend\//;

/**
 * Pyodide's script without updateTableMap. That notes which function lies at which place of the table; WebKit gives
 * another object for the same function each time, so places would be given out differently there than here.
 */
function patched(script) {
  const begin = "updateTableMap=(offset,count)=>{";
  if (script.split(begin).length !== 2)
    throw new Error("pyodide.asm.js has not exactly one updateTableMap");
  return script.replace(begin, `${begin}return;`);
}

/** Whether this engine compiles WasmGC: the smallest module with a struct type. */
const hasGC = WebAssembly.validate(
  Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 3, 1, 0x5f, 0),
);

/** Starts Pyodide from the folder with the given script, in a way that can be written down. */
async function start(script) {
  const stage = mkdtempSync(join(tmpdir(), "lathe-snapshot-"));
  try {
    for (const name of ["pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json"]) {
      symlinkSync(join(folder, name), join(stage, name));
    }
    writeFileSync(join(stage, "pyodide.asm.js"), script);
    const { loadPyodide } = await import(pathToFileURL(join(folder, "pyodide.mjs")).href);
    let create;
    Object.defineProperty(globalThis, "_createPyodideModule", {
      configurable: true,
      set: (given) => (create = given),
      get: () =>
        create && ((settings) => create({ ...settings, preRun: [keepSlot, ...settings.preRun] })),
    });
    return await loadPyodide({
      indexURL: `${stage}/`,
      _makeSnapshot: true,
      env: { HOME: "/home/pyodide", MPLBACKEND: "agg" },
      stdout: () => undefined,
      stderr: (line) => console.error(line),
    });
  } finally {
    rmSync(stage, { recursive: true });
  }
}

/**
 * Where there is WasmGC, Pyodide adds one function to the table at its start. Elsewhere (Node 20) its place is kept
 * free, so that all later places are the same.
 */
function keepSlot(module) {
  if (!hasGC) module.wasmTable.grow(1);
}

/** The packages of the lock that the wanted ones need, needed ones first. */
function closure(lock, names, found = new Map()) {
  for (const name of names) {
    const entry = lock.packages[name];
    if (entry === undefined) throw new Error(`the lock has no package ${name}`);
    if (found.has(name)) continue;
    closure(lock, entry.depends, found);
    found.set(name, entry);
  }
  return found;
}

/**
 * Frees the copy of the file that loading an extension module leaves in the memory. Places in a handle are those of
 * Emscripten's struct dso: file_data and file_data_size at 28 and 32.
 */
function freeFileData(module) {
  for (const handle of Object.keys(module.LDSO.loadedLibsByHandle).map(Number)) {
    if (handle === 0) continue;
    const [at, size] = [module.HEAPU32[(handle + 28) >> 2], module.HEAPU32[(handle + 32) >> 2]];
    if (at === 0 || size === 0) continue;
    module.HEAPU8.fill(0, at, at + size);
    module._PyMem_RawFree(at);
    module.HEAPU32[(handle + 28) >> 2] = module.HEAPU32[(handle + 32) >> 2] = 0;
  }
}

/** Writes zeros where memory is free, since what was there before would be kept as if it were needed. */
function clearFree(module) {
  const top = module._sbrk(0);
  const taken = [];
  for (const size of [1 << 20, 1 << 16, 1 << 13]) {
    for (;;) {
      const at = module._PyMem_RawMalloc(size);
      if (at === 0) break;
      taken.push(at);
      if (module._sbrk(0) !== top || at + size > top) break;
      module.HEAPU8.fill(0, at, at + size);
    }
  }
  for (const at of taken) module._PyMem_RawFree(at);
}

/** The loaded libraries with the places that their code relies on (struct dso: memory at 12 and 16, table at 20 and 24). */
function librariesOf(module) {
  const word = (at) => module.HEAPU32[at >> 2];
  const byHandle = Object.entries(module.LDSO.loadedLibsByHandle).map(([handle, dso]) => [
    Number(handle),
    dso,
  ]);
  return Object.entries(module.LDSO.loadedLibsByName)
    .filter(([name]) => name !== "__main__")
    .map(([name, dso]) => {
      const handles = byHandle.filter(([, other]) => other === dso).map(([handle]) => handle);
      const [handle] = handles;
      if (handle === undefined) throw new Error(`${name} has no handle`);
      return {
        path: name,
        handles,
        global: dso.global,
        memory: [word(handle + 12), word(handle + 16)],
        table: [word(handle + 20), word(handle + 24)],
      };
    });
}

/** The ranges of whole pages that are not zero, as [offset, length]. */
function usedRanges(heap) {
  const words = new BigUint64Array(heap.buffer, heap.byteOffset, heap.length / 8);
  const ranges = [];
  for (let page = 0; page * PAGE < heap.length; page++) {
    const begin = (page * PAGE) / 8;
    if (words.subarray(begin, begin + PAGE / 8).every((word) => word === 0n)) continue;
    const last = ranges.at(-1);
    if (last !== undefined && last[0] + last[1] === page * PAGE) last[1] += PAGE;
    else ranges.push([page * PAGE, PAGE]);
  }
  return ranges;
}

/** All folders and files of site-packages, parents first. */
function walk(FS, path, folders = [], files = []) {
  folders.push(path);
  for (const name of FS.readdir(path)) {
    if (name === "." || name === ".." || name === "__pycache__") continue;
    const full = `${path}/${name}`;
    if (FS.isDir(FS.stat(full).mode)) walk(FS, full, folders, files);
    else if (!DEAD.test(full)) files.push(full);
  }
  return { folders, files };
}

/** Writes a file so that it is there whole or not at all. */
function write(name, content) {
  writeFileSync(join(folder, `${name}.new`), content);
  renameSync(join(folder, `${name}.new`), join(folder, name));
}

const script = patched(readFileSync(join(folder, "pyodide.asm.js"), "utf8"));
const lock = JSON.parse(readFileSync(join(folder, "pyodide-lock.json"), "utf8"));
const packages = closure(lock, PACKAGES);
const pyodide = await start(script);
const { FS, _module: module } = pyodide;
for (const { file_name } of packages.values()) {
  pyodide.unpackArchive(new Uint8Array(readFileSync(join(folder, file_name))), "wheel", {
    extractDir: SITE,
  });
}
FS.writeFile(
  `${SITE}/matplotlib/fontlist.json`,
  readFileSync(join(folder, "matplotlib-fontlist.json")),
);

// Called after each extension module, so that the memory does not grow by all their files first.
globalThis.latheFree = () => freeFileData(module);
pyodide.runPython(`
import importlib, importlib._bootstrap_external as external
importlib.invalidate_caches()
create = external.ExtensionFileLoader.create_module
def create_and_free(self, spec):
    module = create(self, spec)
    import js
    js.latheFree()
    return module
external.ExtensionFileLoader.create_module = create_and_free
`);
const warm = readFileSync(join(dirname(fileURLToPath(import.meta.url)), "warm.py"), "utf8");
// In a namespace of its own: a session begins with none.
pyodide.runPython(`exec(compile(${JSON.stringify(warm)}, "<warm>", "exec"), {"__name__": "warm"})`);
pyodide.runPython(`
external.ExtensionFileLoader.create_module = create
del external, create, create_and_free, importlib
import gc, sys
sys.modules.pop("js", None)
gc.collect(); gc.collect()
del gc, sys
`);

const libraries = librariesOf(module);
clearFree(module);
const image = pyodide.makeMemorySnapshot();
const headerLength = new DataView(image.buffer, image.byteOffset).getUint32(4, true);
const heap = image.subarray(headerLength);
const ranges = usedRanges(heap);
const { folders, files } = walk(FS, SITE);

const loaded = new Set(libraries.map(({ path }) => path));
/** Puts files one after the other; a place is [folder, name, offset, length]. */
function pack(paths) {
  let offset = 0;
  const places = [];
  const pieces = [];
  for (const path of paths) {
    const content = FS.readFile(path);
    const cut = path.lastIndexOf("/");
    places.push([folders.indexOf(path.slice(0, cut)), path.slice(cut + 1), offset, content.length]);
    pieces.push(content);
    offset += content.length;
  }
  return { places, bytes: Buffer.concat(pieces) };
}
const hot = pack(files.filter((path) => HOT.test(path)));
const cold = pack(files.filter((path) => !HOT.test(path) && !loaded.has(path)));
const libs = pack([...loaded]);

write("snapshot.asm.js", script);
write(
  "snapshot-pages.bin",
  Buffer.concat([
    image.subarray(0, headerLength),
    ...ranges.map(([at, size]) => heap.subarray(at, at + size)),
  ]),
);
write("snapshot-libs.bin", libs.bytes);
write("snapshot-hot.bin", hot.bytes);
write("snapshot-cold.bin", cold.bytes);
// Last: where it is there, all the others are.
write(
  "snapshot.json",
  JSON.stringify({
    packages: [...packages.keys()],
    heapLength: heap.length,
    headerLength,
    ranges,
    tableLength: module.wasmTable.length,
    folders,
    libraries: libraries.map((library, index) => ({
      ...library,
      file: libs.places[index],
    })),
    hot: hot.places,
    cold: cold.places,
  }),
);
const mb = (bytes) => (bytes / 1e6).toFixed(1);
console.error(
  `snapshot: heap ${mb(heap.length)} MB, pages ${mb(ranges.reduce((sum, [, size]) => sum + size, 0))} MB, ` +
    `${libraries.length} libraries ${mb(libs.bytes.length)} MB, hot ${mb(hot.bytes.length)} MB, ` +
    `cold ${mb(cold.bytes.length)} MB in ${cold.places.length} files`,
);
