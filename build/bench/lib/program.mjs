// Programs with a window, each in a home folder of its own.
import { execFileSync, spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  watch,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "../../..");
export const BUILT = join(ROOT, "build/bin/bench");

const sleep = (ms) => new Promise((go) => setTimeout(go, ms));

/** Compiles a program of this folder as build/app.sh compiles Lathe. @param {string} name */
export function compile(name) {
  const binary = join(BUILT, name);
  const tags = process.env.TAGS;
  if (!tags) throw new Error("TAGS is not set; start the benchmarks with make bench");
  const flags = ["-tags", tags, "-trimpath", "-buildvcs=false", "-ldflags", "-w -s"];
  execFileSync("go", ["build", ...flags, "-o", binary, `./build/bench/${name}`], {
    cwd: ROOT,
    env: { ...process.env, CGO_ENABLED: "1" },
    stdio: ["ignore", "inherit", "inherit"],
  });
  return binary;
}

/** A program that can be started again and again on the same home folder. */
export class Program {
  /** @type {import('node:child_process').ChildProcess | undefined} */
  #child;

  /** @param {string} binary @param {Record<string, string>} [env] */
  constructor(binary, env = {}) {
    this.binary = binary;
    this.home = mkdtempSync(join(tmpdir(), "lathe-bench-"));
    for (const name of ["data", "cache", "config", "state", "runtime"]) {
      mkdirSync(join(this.home, name), { mode: 0o700 });
    }
    this.env = {
      ...keep("PATH", "DISPLAY", "DBUS_SESSION_BUS_ADDRESS"),
      LANG: "C.UTF-8",
      TZ: "UTC",
      GDK_BACKEND: "x11",
      NO_AT_BRIDGE: "1",
      LIBGL_ALWAYS_SOFTWARE: "1",
      HOME: this.home,
      XDG_DATA_HOME: join(this.home, "data"),
      XDG_CACHE_HOME: join(this.home, "cache"),
      XDG_CONFIG_HOME: join(this.home, "config"),
      XDG_STATE_HOME: join(this.home, "state"),
      XDG_RUNTIME_DIR: join(this.home, "runtime"),
      ...env,
    };
  }

  path(name) {
    return join(this.home, name);
  }

  /**
   * Starts it and waits until it makes a file.
   * @param {string} file a name in the home folder
   * @param {number} timeoutMs
   * @returns {Promise<number>} the milliseconds between the two
   */
  async start(file, timeoutMs) {
    const path = this.path(file);
    rmSync(path, { force: true });
    const made = appears(path, timeoutMs);
    const started = performance.now();
    this.#child = spawn(this.binary, [], { env: this.env, stdio: "ignore", cwd: this.home });
    const failed = new Promise((_, fail) => {
      this.#child?.once("error", fail);
      this.#child?.once("exit", (code, signal) =>
        fail(
          new Error(`${basename(this.binary)} ended with ${code ?? signal} before it made ${file}`),
        ),
      );
    });
    // After the file is there, the end of the program is no failure.
    failed.catch(() => undefined);
    return (await Promise.race([made, failed])) - started;
  }

  /** Asks it to end, then ends by their numbers whatever of it is left: web processes, the model server. */
  async end() {
    const child = this.#child;
    if (child && child.exitCode === null && child.signalCode === null) child.kill("SIGTERM");
    for (let waited = 0; waited < 5000 && this.#processes().length > 0; waited += 50)
      await sleep(50);
    for (const pid of this.#processes()) process.kill(pid, "SIGKILL");
    for (let waited = 0; waited < 2000 && this.#processes().length > 0; waited += 50)
      await sleep(50);
  }

  async remove() {
    await this.end();
    rmSync(this.home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }

  /** Every living process with this home folder; the model server has a home of its own below it. */
  #processes() {
    return readdirSync("/proc")
      .filter((entry) => /^\d+$/.test(entry))
      .map(Number)
      .filter((pid) => {
        try {
          const zombie = /^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
          const environment = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
          return (
            !zombie && environment.some((entry) => `${entry}/`.startsWith(`HOME=${this.home}/`))
          );
        } catch {
          return false; // Ended meanwhile, or not ours to read.
        }
      });
  }
}

/** @param {string[]} names */
function keep(...names) {
  return Object.fromEntries(names.map((name) => [name, process.env[name] ?? ""]));
}

/**
 * When a file appears, by the folder's own notice of it and not by asking again and again, which would take CPU from
 * what is measured.
 * @param {string} path @param {number} timeoutMs
 */
function appears(path, timeoutMs) {
  return new Promise((done, fail) => {
    const timer = setTimeout(() => {
      watcher.close();
      fail(new Error(`waited ${timeoutMs} ms for ${basename(path)}`));
    }, timeoutMs);
    const watcher = watch(dirname(path), () => {
      if (!existsSync(path)) return;
      const at = performance.now();
      clearTimeout(timer);
      watcher.close();
      done(at);
    });
  });
}
