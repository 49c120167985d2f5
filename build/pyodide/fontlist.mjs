// Lets the vendored matplotlib make its list of fonts, once, at build time: the list inside the stock wheel is of
// another version, so that every start of an engine would read every font again (about 3 s).
// Usage: node fontlist.mjs FOLDER-WITH-PYODIDE OUTPUT
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, output] = process.argv.slice(2).map((path) => resolve(path));
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`).href);
const quiet = () => undefined;
const pyodide = await loadPyodide({
  indexURL: `${folder}/`,
  stdout: quiet,
  stderr: quiet,
});
await pyodide.loadPackage("matplotlib", { messageCallback: quiet });
const written = pyodide.runPython(`
import pathlib, matplotlib.font_manager
pathlib.Path(matplotlib.__file__).with_name("fontlist.json").read_text()
`);
const fonts = JSON.parse(written);
for (const kind of ["ttflist", "afmlist"]) {
  // The order comes from hashing; of two fonts that fit equally well the first is taken.
  fonts[kind].sort((a, b) => (a.fname < b.fname ? -1 : 1));
}
if (!fonts.ttflist.some((font) => font.name === "DejaVu Sans")) {
  throw new Error("matplotlib listed no DejaVu Sans, its default font");
}
writeFileSync(output, `${JSON.stringify(fonts)}\n`);
