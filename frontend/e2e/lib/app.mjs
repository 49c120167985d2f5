// Starts the production binary in its real window and drives it through WebKitWebDriver.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Capabilities, WebDriver } from "selenium-webdriver";
import { Executor, HttpClient } from "selenium-webdriver/http/index.js";
import { Page } from "./page.mjs";
import { sleep, until } from "./wait.mjs";

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "../../..");
export const PICTURES = join(ROOT, "build/bin/e2e");
const AUTOMATION = join(PICTURES, "automation.so");
const BINARY = process.env.LATHE_E2E_BINARY ?? join(ROOT, "build/bin/lathe");

/** @returns {Promise<number>} a port of the loopback that nobody uses now */
export async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  server.close();
  return port;
}

/** Whether a process is there and has not ended (a zombie has). @param {number} pid */
function alive(pid) {
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

/**
 * Every process that was started with this home folder: the application, its web processes, its model server.
 * @param {string} home
 */
function processesOf(home) {
  return readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .filter((pid) => {
      try {
        return (
          alive(pid) &&
          readFileSync(`/proc/${pid}/environ`, "utf8")
            .split("\0")
            .some((entry) => entry === `HOME=${home}` || entry.startsWith(`HOME=${home}/`))
        );
      } catch {
        return false; // Ended meanwhile, or not ours to read.
      }
    });
}

/**
 * @typedef {object} Options
 * @property {object} [settings] the managed settings document
 * @property {Record<string, string>} [env] more environment for the application
 */

/** One person's machine: a home folder, on which the application can be started again and again. */
export class App extends Page {
  /** @type {import('node:child_process').ChildProcess | undefined} */
  #driverProcess;

  /** @param {Options} options */
  constructor({ settings = {}, env = {} } = {}) {
    super();
    this.home = mkdtempSync(join(tmpdir(), "lathe-e2e-"));
    this.data = join(this.home, "lathe-data");
    this.pidFile = join(this.home, "pid");
    this.logFile = join(this.home, "app.log");
    const managed = join(this.home, "managed.json");
    writeFileSync(managed, JSON.stringify(settings));
    for (const name of ["data", "cache", "config", "state", "runtime"]) {
      mkdirSync(join(this.home, name), { mode: 0o700 });
    }
    this.env = {
      PATH: process.env.PATH ?? "",
      LANG: "C.UTF-8",
      TZ: "UTC",
      DISPLAY: process.env.DISPLAY ?? "",
      DBUS_SESSION_BUS_ADDRESS: process.env.DBUS_SESSION_BUS_ADDRESS ?? "",
      GDK_BACKEND: "x11",
      NO_AT_BRIDGE: "1",
      LIBGL_ALWAYS_SOFTWARE: "1",
      HOME: this.home,
      XDG_DATA_HOME: join(this.home, "data"),
      XDG_CACHE_HOME: join(this.home, "cache"),
      XDG_CONFIG_HOME: join(this.home, "config"),
      XDG_STATE_HOME: join(this.home, "state"),
      XDG_RUNTIME_DIR: join(this.home, "runtime"),
      LATHE_DATA: this.data,
      LATHE_MANAGED: managed,
      ...env,
    };
  }

  /** Starts the application and waits until its page is there. */
  async start() {
    const port = await freePort();
    // The preload belongs to the application alone, and exec keeps the process number that the shell wrote down.
    const launcher = join(this.home, "launch.sh");
    writeFileSync(
      launcher,
      `#!/bin/sh\necho $$ >'${this.pidFile}'\nexport LD_PRELOAD='${AUTOMATION}'\nexec '${BINARY}' >>'${this.logFile}' 2>&1\n`,
    );
    chmodSync(launcher, 0o755);
    this.#driverProcess = spawn("WebKitWebDriver", [`--port=${port}`], {
      env: this.env,
      stdio: "ignore",
    });
    const client = new HttpClient(`http://127.0.0.1:${port}`);
    await until("WebKitWebDriver", () =>
      fetch(`http://127.0.0.1:${port}/status`).then((answer) => answer.ok),
    );
    const options = { binary: launcher, args: ["--automation"] };
    this.driver = WebDriver.createSession(
      new Executor(client),
      new Capabilities({ "webkitgtk:browserOptions": options }),
    );
    await this.driver.getSession();
    await this.driver.manage().setTimeouts({ script: 60_000 });
    await until("the page", () =>
      this.evaluate(() => document.readyState === "complete" && location.href !== "about:blank"),
    );
  }

  get pid() {
    return existsSync(this.pidFile) ? Number(readFileSync(this.pidFile, "utf8")) : 0;
  }

  /** Closes the window as a person does, and checks that every process of the application ends with it. */
  async stop() {
    if (!this.driver) return;
    // Later than the script's own answer, which would never come from a window that has gone.
    const quit = this.evaluate(() => void setTimeout(() => globalThis.runtime.Quit(), 20));
    await Promise.race([
      quit.catch(() => undefined),
      new Promise((go) => setTimeout(go, 5_000).unref()),
    ]);
    await this.#ended("closed");
  }

  /** Ends the application as a power cut does: nothing in it gets a chance to tidy up. */
  kill9() {
    return this.kill("SIGKILL");
  }

  /** Ends it with a signal. @param {NodeJS.Signals} signal */
  async kill(signal) {
    if (alive(this.pid)) process.kill(this.pid, signal);
    await this.#ended(`ended with ${signal}`);
  }

  /** Starts the application once more on the same data, as a second click on its icon does; returns its exit code. */
  async startAgain() {
    const second = spawn(BINARY, { env: this.env, stdio: "ignore" });
    const [code] = await Promise.race([
      once(second, "exit"),
      sleep(20_000).then(() => [second.kill("SIGKILL") ? "it kept running" : "ended"]),
    ]);
    return code;
  }

  /** What xdotool says about the window. @param {string[]} command */
  async window(...command) {
    const take = promisify(execFile);
    const { stdout } = await take("xdotool", [
      "search",
      "--onlyvisible",
      "--name",
      "^Lathe$",
      ...command,
    ]);
    return stdout.trim();
  }

  /** A click or a drag with the real mouse, at places in the page. @param {(string | number)[]} steps xdotool's words */
  mouse(...steps) {
    // Places are those of the window, which the page fills.
    const words = steps.flatMap((step) =>
      Array.isArray(step) ? ["mousemove", "--sync", "--window", "%1", ...step] : [step],
    );
    return this.window(...words.map(String));
  }

  /** Waits until a text is kept on the disk. @param {string} text */
  async kept(text) {
    const script = `import sqlite3, sys
database = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True)
found = database.execute("select count(*) from parts where instr(text, ?) > 0", (sys.argv[2],)).fetchone()[0]
sys.exit(0 if found else 1)`;
    const read = promisify(execFile);
    await until(`"${text}" on the disk`, () =>
      read("python3", ["-c", script, join(this.data, "lathe.db"), text]).then(() => true),
    );
  }

  /** Closes and opens it again on the same data. */
  async restart() {
    await this.stop();
    await this.start();
  }

  /** @param {string} how */
  async #ended(how) {
    const driver = this.#driverProcess;
    this.driver = undefined;
    const pid = this.pid;
    const closed = await until("the application to end", () => !alive(pid), 10_000).catch(
      () => false,
    );
    // The driver would end the application's process too, so it goes only now.
    if (driver && driver.exitCode === null) {
      const gone = once(driver, "exit");
      driver.kill("SIGKILL");
      await gone;
    }
    const left = () => processesOf(this.home);
    await until("its helpers to end", () => left().length === 0, 10_000).catch(() => undefined);
    const lasting = left();
    const names = lasting.map((one) =>
      readFileSync(`/proc/${one}/cmdline`, "utf8").replaceAll("\0", " ").trim(),
    );
    for (const one of lasting) process.kill(one, "SIGKILL");
    if (!closed || lasting.length > 0) {
      throw new Error(
        `${how}, but these processes did not end with it: ${names.join("; ") || pid}\n${this.log()}`,
      );
    }
  }

  log() {
    return existsSync(this.logFile) ? readFileSync(this.logFile, "utf8").slice(-4000) : "";
  }

  /** Ends whatever is left and removes the home folder. */
  async remove() {
    try {
      if (this.driver) await this.stop();
    } finally {
      for (const pid of processesOf(this.home)) process.kill(pid, "SIGKILL");
      await sleep(50);
      rmSync(this.home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    }
  }

  /**
   * A picture of the window as the screen shows it. Taken from the X server: the driver's own pictures never arrive
   * here, and this way works also when the page has stopped answering.
   * @param {string} path
   */
  async picture(path) {
    mkdirSync(dirname(path), { recursive: true });
    const take = promisify(execFile);
    await take("import", ["-window", "Lathe", path], { timeout: 20_000 }).catch(() =>
      take("import", ["-window", "root", path], { timeout: 20_000 }),
    );
  }
}

/**
 * Opens the application, lets the body use it, and tidies up; after a failure pictures and log stay in build/bin/e2e.
 * @param {import('node:test').TestContext} context
 * @param {Options} options
 * @param {(app: App) => Promise<void>} body
 */
export async function withApp(context, options, body) {
  const app = new App(options);
  try {
    await app.start();
    await body(app);
    await app.stop();
  } catch (error) {
    const name = join(PICTURES, context.name.replace(/[^a-z0-9]+/gi, "-").slice(0, 80));
    await app
      .picture(`${name}.png`)
      .catch((problem) => context.diagnostic(`no picture: ${problem}`));
    writeFileSync(`${name}.log`, app.log());
    context.diagnostic(`picture and log: ${name}.png, ${name}.log`);
    throw error;
  } finally {
    await app.remove().catch((error) => context.diagnostic(String(error)));
  }
}
