// The working folder, as the worker's own code handles it: without Python, so
// that what the chat's code has done to Python takes no part.
import type { PyodideInterface } from "pyodide";
import type { WorkingFile } from "../contract/kernel";
import { isName, listLimit } from "./names";

const root = "/mnt/data";
/** Deeper folders, and more than this many of them, are left out of a list. */
const deepest = 32;
const mostFolders = 5000;

/** What TypeScript knows of Emscripten's file system is not all of it. */
type FileSystem = PyodideInterface["FS"] & {
  lookupPath(path: string, options: { follow: boolean }): { node: object };
  getPath(node: object): string;
  lstat(path: string): Stat;
  isLink(mode: number): boolean;
};
interface Stat {
  mode: number;
  size: number;
  mtime: Date;
}

/** A failure that Go knows by its code. */
export const missing = "not_found";

export class Folder {
  readonly #fs: FileSystem;

  constructor(fs: PyodideInterface["FS"]) {
    this.#fs = fs as FileSystem;
  }

  /** The files, sorted by name, at most listLimit of them. Hidden ones and __pycache__ are left out. */
  list(): WorkingFile[] {
    const files: WorkingFile[] = [];
    let folders = 0;
    const walk = (folder: string, depth: number) => {
      folders++;
      const entries = this.#fs
        .readdir(folder === "" ? root : `${root}/${folder}`)
        .filter((name: string) => !name.startsWith(".") && name !== "__pycache__")
        .map((name: string) => {
          const path = folder === "" ? name : `${folder}/${name}`;
          const stat = isName(path) ? this.#stat(path) : null;
          return { path, stat, key: stat !== null && this.#isFolder(stat) ? `${path}/` : path };
        })
        // By the whole path, as if all files lay in one folder.
        .sort((a: { key: string }, b: { key: string }) => (a.key < b.key ? -1 : 1));
      for (const { path, stat } of entries) {
        if (files.length >= listLimit) return;
        if (stat === null) continue;
        if (!this.#isFolder(stat))
          files.push({ name: path, size: stat.size, modified: Number(stat.mtime) });
        else if (depth < deepest && folders < mostFolders) walk(path, depth + 1);
      }
    };
    walk("", 0);
    return files;
  }

  /** Writes a file; the buffer belongs to the file system from then on. */
  put(name: string, content: ArrayBuffer): void {
    const path = this.#at(name);
    this.#fs.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    // A link of this name makes room; what it leads to stays as it is.
    if (this.#isLink(path)) this.#fs.unlink(path);
    this.#fs.writeFile(path, new Uint8Array(content), { canOwn: true });
  }

  /** A copy of a file's content. Throws `missing` where there is none. */
  get(name: string): ArrayBuffer {
    const path = this.#at(name);
    const stat = this.#stat(name);
    if (stat === null || this.#isFolder(stat)) throw new Error(missing);
    return (this.#fs.readFile(path) as Uint8Array<ArrayBuffer>).buffer;
  }

  #at(name: string): string {
    if (!isName(name)) throw new Error("not a name in the working folder");
    return `${root}/${name}`;
  }

  #isLink(path: string): boolean {
    try {
      return this.#fs.isLink(this.#fs.lstat(path).mode);
    } catch {
      return false; // there is nothing yet
    }
  }

  #isFolder(stat: Stat): boolean {
    return this.#fs.isDir(stat.mode);
  }

  /** What a name stands for: a file, a folder that is no link, or a link to a file in the folder; null for all else. */
  #stat(name: string): Stat | null {
    const path = `${root}/${name}`;
    try {
      const own = this.#fs.lstat(path);
      const real = this.#fs.getPath(this.#fs.lookupPath(path, { follow: true }).node);
      if (!real.startsWith(`${root}/`)) return null;
      const stat = this.#fs.stat(path) as Stat;
      if (this.#fs.isFile(stat.mode)) return stat;
      return this.#fs.isDir(own.mode) ? own : null;
    } catch {
      return null;
    }
  }
}
