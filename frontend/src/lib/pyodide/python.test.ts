// @vitest-environment node
// The Python half on the real Pyodide, as far as Node can show it.
import { beforeAll, describe, expect, it } from "vitest";
import type { KernelEvent } from "../contract/kernel";
import { type Bench, bench } from "./testkit";

let b: Bench;
beforeAll(async () => {
  b = await bench();
}, 60_000);

const run = (code: string) => b.run(code);
const types = (events: KernelEvent[]) =>
  events.map((event) => event.type).filter((type) => type !== "stream");

function errorOf(events: KernelEvent[]) {
  const error = events.find((event) => event.type === "error");
  if (error?.type !== "error") throw new Error("no error event");
  return { ...error, text: error.traceback.join("\n") };
}

function plain(events: KernelEvent[]): unknown {
  const event = events.find((item) => item.type === "execute_result");
  return event?.type === "execute_result" ? event.data["text/plain"] : undefined;
}

describe("streams", () => {
  it("keeps the order of both streams", async () => {
    const { events } = await run("import sys\nprint('a')\nprint('e', file=sys.stderr)\nprint('b')");
    const joined: string[] = [];
    for (const event of events) {
      if (event.type !== "stream") continue;
      if (joined.at(-1)?.startsWith(event.name)) joined[joined.length - 1] += event.text;
      else joined.push(`${event.name}:${event.text}`);
    }
    expect(joined).toEqual(["stdout:a\n", "stderr:e\n", "stdout:b\n"]);
  });

  it("sends a flood in few events and loses nothing", async () => {
    const { events, stdout } = await run("for i in range(20000): print(i)");
    expect(stdout.split("\n")).toHaveLength(20001);
    expect(events.length).toBeLessThan(1000);
    expect(events.every((event) => event.type !== "stream" || event.text.length <= 1 << 16)).toBe(
      true,
    );
  });

  it.each([
    ["import sys; sys.stdout.buffer.write('grü'.encode()); sys.stdout.buffer.flush()", "grü"],
    ["import sys; sys.stdout.buffer.write(b'\\xc3'); sys.stdout.buffer.write(b'\\xbc')", "ü"],
    ["import sys; sys.stdout.reconfigure(encoding='ascii'); print('ü', end='')", "ü"],
    ["import sys; sys.stdout.close(); print('open', end='')", "open"],
  ])("takes what programs do with stdout: %s", async (code, stdout) => {
    expect((await run(code)).stdout).toBe(stdout);
  });
});

describe("the value", () => {
  it.each([
    ["a = 1; b = 2; a + b", "3"],
    ["'x'", "'x'"],
    ["1 # ;", "1"],
    ["list(range(2000))", expect.stringMatching(/998, 999, \.\.\.\]$/)],
    [
      "class A:\n  def _repr_html_(self): raise ValueError\n  def __repr__(self): return 'A'\nA()",
      "A",
    ],
    ["class B:\n  def _repr_html_(self): return '<b>'\nB", "<class '__main__.B'>"],
    ["import asyncio\nawait asyncio.sleep(0, 'awaited')", "'awaited'"],
  ])("of %s", async (code, value) => {
    expect(plain((await run(code)).events)).toEqual(value);
  });

  it.each(["None", "x = 1", "1;", "1 ; # end", "def f(): pass", "", "# only words"])(
    "of %s is nothing",
    async (code) => {
      const { status, events } = await run(code);
      expect([status, events]).toEqual(["ok", []]);
    },
  );

  it("has every form that it offers, and NaN in JSON becomes null", async () => {
    const { events } = await run(`
class Rich:
    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"application/json": {"n": float("nan"), "ok": [1]}}
    def _repr_png_(self): return b"png"
    def _repr_latex_(self): return "$x$", {"m": 1}
    def __repr__(self): return "rich"
Rich()`);
    expect(events).toEqual([
      {
        type: "execute_result",
        data: {
          "application/json": { n: null, ok: [1] },
          "image/png": "cG5n",
          "text/latex": "$x$",
          "text/plain": "rich",
        },
        metadata: { "text/latex": { m: 1 } },
      },
    ]);
  });
});

describe("errors", () => {
  it("shows the person's frames with their lines, and no others", async () => {
    const { text } = errorOf((await run("def f(x):\n    return 1 / x\n\nf(0)")).events);
    expect(text).toMatch(
      /^Traceback[^]*<cell \d+>", line 4, in <module>\n {4}f\(0\)[^]*line 2, in f\n {4}return 1 \/ x/,
    );
    expect(text).toMatch(/ZeroDivisionError: division by zero$/);
    expect(text).not.toMatch(/lathe|pyodide/);
  });

  it("keeps causes, without the engine in them", async () => {
    const { text } = errorOf(
      (await run("try:\n    {}['k']\nexcept KeyError as e:\n    raise ValueError('v') from e"))
        .events,
    );
    expect(text).toMatch(/KeyError: 'k'[^]*direct cause[^]*ValueError: v$/);
    expect(text).not.toContain("lathe");
  });

  it("explains a syntax error at its place", async () => {
    const { ename, text } = errorOf((await run("x = (")).events);
    expect(ename).toBe("SyntaxError");
    expect(text).toMatch(/line 1\n {4}x = \(\n/);
    expect(errorOf((await run("a\0b")).events).ename).toBe("SyntaxError");
  });

  it("C046 reports exit plainly, and the next run works", async () => {
    expect(errorOf((await run("print(1)\nexit()")).events).traceback).toEqual(["SystemExit: 0"]);
    expect(errorOf((await run("import sys; sys.exit('no data')")).events).traceback).toEqual([
      "SystemExit: no data",
    ]);
    expect((await run("print(2)")).stdout).toBe("2\n");
  });

  it("C042 C062 says which packages there are when one is missing", async () => {
    const { events } = await run("import networkx as nx");
    expect(errorOf(events).text).toMatch(
      /No module named 'networkx'[^]*matplotlib, numpy, pandas[^]*your own Python/,
    );
    expect(events.at(-1)).toMatchObject({
      type: "notice",
      code: "module_missing",
      params: { package: "networkx" },
    });
    expect(
      types((await run("try:\n    import cv2\nexcept ImportError:\n    pass")).events),
    ).toEqual([]);
  });

  it.each(["input('who? ')", "import getpass; getpass.getpass()"])(
    "C049 has one clear message for %s",
    async (code) => {
      const error = errorOf((await run(code)).events);
      expect(error.evalue).toContain("input() is not available");
      expect(error.text).not.toMatch(/Errno/);
    },
  );
});

describe("a session", () => {
  it("C013 C045 is __main__, keeps variables, and counts them", async () => {
    await run("kept = 41");
    const before = b.interpreter.variables();
    const { stdout } = await run("def main(): print(kept + 1)\nif __name__ == '__main__': main()");
    expect(stdout).toBe("42\n");
    await run("import math, json; _hidden = 1; one_more = 2");
    expect(b.interpreter.variables()).toBe(before + 2);
  });

  it("works in /mnt/data, which is last in the search path and also /mnt/uploads", async () => {
    const { stdout } = await run(`
import os, sys
open('json.py', 'w').write('wrong'); open('own.py', 'w').write('x = 5')
import json, own
print(os.getcwd(), sys.path[-1], own.x, json.dumps(1), os.path.exists('/mnt/uploads/own.py'))`);
    expect(stdout).toBe("/mnt/data /mnt/data 5 1 True\n");
  });

  it.each([
    ["at the top", "asyncio.run(main())"],
    ["in a function", "def go():\n    asyncio.run(main())\ngo()"],
    ["with its value", "print('value', asyncio.run(main()))"],
  ])("runs asyncio.run %s to its end", async (_, call) => {
    const { stdout } = await run(
      `import asyncio\nasync def main():\n    await asyncio.sleep(0.02)\n    print('in')\n    return 7\n${call}`,
    );
    expect(stdout).toContain("in\n");
    if (call.startsWith("print")) expect(stdout).toBe("in\nvalue 7\n");
  });

  it("C051 stops code that awaits", async () => {
    const pending = run("import asyncio\nwhile True:\n    await asyncio.sleep(0.05)");
    setTimeout(() => {
      b.interpreter.cancel();
    }, 100);
    expect((await pending).status).toBe("stopped");
    expect((await run("print('next')")).stdout).toBe("next\n");
  });

  it("runs cells with idle magics, and explains the others", async () => {
    expect((await run("%matplotlib inline\nprint(1)")).stdout).toBe("1\n");
    expect(errorOf((await run("!ls")).events).text).toMatch(/only Python can run here/);
    expect((await run("print('''\n%not a magic\n''')")).stdout).toBe("\n%not a magic\n\n");
  });

  it("has IPython.display", async () => {
    const { events } = await run(`
from IPython.display import HTML, Markdown, Image, clear_output, display
h = display(HTML("<b>"), display_id="d")
h.update(Markdown("*m*"))
clear_output(wait=True)
display({"text/plain": "raw"}, raw=True)
Image(data=b"\\xff\\xd8", width=5)`);
    expect(events).toMatchObject([
      { type: "display_data", data: { "text/html": "<b>" }, displayId: "d" },
      { type: "update_display_data", data: { "text/markdown": "*m*" }, displayId: "d" },
      { type: "clear_output", wait: true },
      { type: "display_data", data: { "text/plain": "raw" } },
      {
        type: "execute_result",
        data: { "image/jpeg": "/9g=" },
        metadata: { "image/jpeg": { width: 5 } },
      },
    ]);
  });

  it.each([
    "import urllib.request; urllib.request.urlopen('https://example.com')",
    "import socket; socket.create_connection(('127.0.0.1', 1))",
    "from pyodide.http import pyfetch\nawait pyfetch('https://example.com')",
  ])("C043 has no network and says so: %s", async (code) => {
    expect(errorOf((await run(code)).events).evalue).toContain("no network");
  });
});

describe("packages and charts", () => {
  it("C039 brings nothing that is not imported", async () => {
    await run("print('# import numpy')");
    expect(b.read).toEqual([]);
  });

  it("brings what a package imports late", { timeout: 60_000 }, async () => {
    const { status, events } = await run(
      "import pandas as pd\ndf = pd.DataFrame({'a': [1, 2]})\ndf.plot()",
    );
    expect(status).toBe("ok");
    expect(types(events)).toEqual(["display_data"]);
    expect(b.read.some((file) => file.startsWith("matplotlib-3"))).toBe(true);
    expect(new Set(b.read).size).toBe(b.read.length);
    expect((await run("import importlib; importlib.import_module('joblib').__name__")).status).toBe(
      "ok",
    );
  });

  it.each([
    ["two shows", "plt.plot([1]); plt.show(); plt.plot([2]); plt.show()", 2],
    ["no show", "plt.plot([1])", 1],
    ["block=True", "plt.plot([1])\nplt.show(block=True)", 1],
    ["figure.show", "f, ax = plt.subplots(); ax.plot([1]); f.show()", 1],
    ["the figure as value", "f, ax = plt.subplots(); f", 1],
    ["display(figure)", "f, ax = plt.subplots(); display(f)", 1],
    [
      "Agg by name",
      "import matplotlib; matplotlib.use('Agg'); plt.plot([1]); plt.show(); plt.plot([2]); plt.show()",
      2,
    ],
    [
      "a window's backend",
      "import matplotlib; matplotlib.use('TkAgg'); plt.plot([1]); plt.show()",
      1,
    ],
    ["an empty figure", "plt.figure(); plt.show()", 0],
    ["a closed figure", "plt.plot([1]); plt.close()", 0],
    ["an error after a plot", "plt.plot([1]); 1/0", 1],
  ])("shows each figure once: %s", { timeout: 60_000 }, async (_, code, charts) => {
    const { events, stderr } = await run(`import matplotlib.pyplot as plt\n${code}`);
    const shown = events.filter((event) => event.type === "display_data");
    expect(shown).toHaveLength(charts);
    expect(stderr).toBe("");
    expect(types(events)).not.toContain("execute_result");
    for (const event of shown) {
      expect(event).toMatchObject({ data: { "image/png": expect.any(String) as string } });
      expect(event.metadata?.["image/png"]).toMatchObject({ width: expect.any(Number) as number });
    }
  });
});
