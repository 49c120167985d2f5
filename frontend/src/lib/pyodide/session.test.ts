// @vitest-environment node
// Asking the person, completing, and the working folder, on the real Pyodide.
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { KernelEvent } from "../contract/kernel";
import { Folder } from "./folder";
import { type Bench, bench } from "./testkit";

let b: Bench;
beforeAll(async () => {
  b = await bench();
}, 60_000);

const run = (code: string) => b.run(code);
function errorOf(events: KernelEvent[]) {
  const error = events.find((event) => event.type === "error");
  if (error?.type !== "error") throw new Error("no error event");
  return `${error.ename}: ${error.evalue}`;
}

describe("C049 input", () => {
  beforeEach(() => {
    b.answers.length = b.asked.length = 0;
  });

  it.each([
    ["input('who? ')", ["Ada"], "who? Ada\n'Ada'\n"],
    ["input()", [""], "\n''\n"],
    ["input(5)", ["x\n"], "5x\n'x'\n"],
    ["[input('a'), input('b')]", ["1", "2"], "a1\nb2\n['1', '2']\n"],
    ["__import__('sys').stdin.readline()", ["Ada"], "Ada\n'Ada\\n'\n"],
    ["__import__('sys').stdin.read()", ["a\nb"], "a\nb\n'a\\nb\\n'\n"],
    [
      "[__import__('sys').stdin.readline(), __import__('sys').stdin.readline()]",
      ["a\nb"],
      "a\nb\n['a\\n', 'b\\n']\n",
    ],
    ["[line for line, _ in zip(__import__('sys').stdin, '12')]", ["a", ""], null],
    ["__import__('getpass').getpass()", ["secret"], "Password: \n'secret'\n"],
    ["__import__('getpass').getpass('Token? ', stream=None)", ["s"], "Token? \n's'\n"],
  ])("%s", async (code, answers, stdout) => {
    b.answers.push(...answers, ...(stdout === null ? [""] : []));
    const got = await run(`print(repr(${code}))`);
    expect(got.status).toBe("ok");
    if (stdout !== null) expect(got.stdout).toBe(stdout);
    expect(b.asked.every(({ password }) => password === code.includes("getpass"))).toBe(true);
  });

  it("asks after what was printed before", async () => {
    b.answers.push("x");
    const { stdout } = await run("print('first', end='')\ninput('? ')\nprint('last')");
    expect(stdout).toBe("first? x\nlast\n");
    expect(b.asked).toEqual([{ prompt: "? ", password: false }]);
  });

  it("works inside of code that awaits", async () => {
    b.answers.push("x");
    const { stdout } = await run(
      "import asyncio\nasync def f():\n    await asyncio.sleep(0)\n    return input('? ')\nprint(await f())",
    );
    expect(stdout).toBe("? x\nx\n");
  });

  it.each([
    [-1, /nobody can be asked/],
    [-2, /longer than 64 KiB/],
    [-3, /no shared memory/],
  ])("has a clear sentence where there is no answer (%s)", async (answer, text) => {
    b.answers.push(answer);
    const { status, events } = await run("input('who? ')");
    expect(status).toBe("error");
    expect(errorOf(events)).toMatch(/^EOFError/);
    expect(errorOf(events)).toMatch(text);
  });
});

describe("completing", () => {
  const complete = (code: string) => b.interpreter.complete(code, [...code].length);

  it("knows names, attributes and modules", async () => {
    await run(
      "class Thing:\n    colour = 1\n    def paint(self): pass\nthing = Thing(); thing.own = 2",
    );
    await run("import math, numpy as np, pandas as pd\ntable = pd.DataFrame({'price': [1]})");
    expect(complete("thi")).toEqual({ matches: ["thing"], start: 0, end: 3 });
    expect(complete("x = len(thing.")).toEqual({
      matches: ["colour", "own", "paint"],
      start: 14,
      end: 14,
    });
    expect(complete("🙂 math.fl")).toEqual({ matches: ["floor"], start: 7, end: 9 });
    expect(complete("np.linalg.sv").matches).toContain("svd");
    expect(complete("table.pri").matches).toEqual(["price"]);
    expect(complete("Thing.pa").matches).toEqual(["paint"]);
    expect(complete("pri").matches).toContain("print");
    expect(complete("whi").matches).toContain("while");
    expect(complete("import pand").matches).toEqual(["pandas"]);
    expect(complete("from math import sq").matches).toEqual(["sqrt"]);
    expect(complete("math._").matches).toContain("__name__");
    expect(complete("np.").matches).toHaveLength(200);
  }, 60_000);

  it.each(["", "1.", "'text'.", "f().na", "unknown.na", "x = ", "no_such_name_at_all"])(
    "has nothing for %j",
    (code) => {
      expect(complete(code).matches).toEqual([]);
    },
  );

  it("runs no code of the chat", async () => {
    await run(`
ran = []
class Meta(type):
    def __getattr__(cls, name): ran.append(name); raise AttributeError(name)
    def __dir__(cls): ran.append('dir of class'); return []
class Trap(metaclass=Meta):
    @property
    def inner(self): ran.append('property')
    def __getattr__(self, name): ran.append(name)
    def __dir__(self): ran.append('dir'); return []
    @property
    def __dict__(self): ran.append('dict'); return {}
    @property
    def __class__(self): ran.append('class'); return int
    shown = 1
trap = Trap()
class Slots:
    __slots__ = ('a', 'b')
slots = Slots()`);
    expect(complete("trap.sho").matches).toEqual(["shown"]);
    for (const code of ["trap.", "trap.inner.", "trap.other.x", "Trap.", "Trap.nothing.x"])
      complete(code);
    expect(complete("slots.").matches).toEqual(["a", "b"]);
    expect((await run("print(ran)")).stdout).toBe("[]\n");
  });
});

describe("the working folder", () => {
  const bytes = (text: string) => new TextEncoder().encode(text).buffer as ArrayBuffer;

  it("takes, lists and gives files", async () => {
    const folder = new Folder(b.pyodide.FS);
    folder.put("data.csv", bytes("a,b\n1,2"));
    folder.put("deep/er/ü.txt", bytes("x"));
    folder.put("empty", bytes(""));
    expect(
      (await run("print(open('data.csv').read(), open('/mnt/uploads/deep/er/ü.txt').read())"))
        .stdout,
    ).toBe("a,b\n1,2 x\n");
    await run(`
import os
open('data.csv', 'a').write('!')
open('.hidden', 'w'); os.makedirs('.git'); open('.git/x', 'w')
os.makedirs('__pycache__'); open('__pycache__/x', 'w')
open('deep.txt', 'w'); open('line\\nbreak', 'w')
os.symlink('/lib/lathe', 'out'); os.symlink('/etc/passwd', 'passwd')
os.symlink('data.csv', 'same.csv'); os.symlink('.', 'loop'); os.symlink('nowhere', 'broken')`);
    const listed = folder.list();
    expect(listed.map(({ name, size }) => `${name} ${size}`)).toEqual([
      "data.csv 8",
      "deep.txt 0",
      "deep/er/ü.txt 1",
      "empty 0",
      "same.csv 8",
    ]);
    expect(Math.abs((listed[0]?.modified ?? 0) - Date.now())).toBeLessThan(60_000);
    expect(new TextDecoder().decode(folder.get("data.csv"))).toBe("a,b\n1,2!");
    expect(folder.get("empty").byteLength).toBe(0);
  });

  it("replaces a file, and not what a link leads to", async () => {
    const folder = new Folder(b.pyodide.FS);
    await run(
      "import os\nopen('/tmp/outside', 'w').write('kept')\nos.symlink('/tmp/outside', 'link')",
    );
    folder.put("link", bytes("new"));
    folder.put("link", bytes("newer"));
    expect((await run("print(open('/tmp/outside').read(), open('link').read())")).stdout).toBe(
      "kept newer\n",
    );
  });

  it.each([
    "../x",
    "/etc/passwd",
    "a/../../x",
    "",
    ".",
    "a//b",
    "a\0",
    "a\nb",
    `${"x".repeat(256)}`,
    "\ud800",
  ])("refuses the name %j", (name) => {
    const folder = new Folder(b.pyodide.FS);
    expect(() => folder.put(name, new ArrayBuffer(1))).toThrow(/not a name/);
    expect(() => folder.get(name)).toThrow(/not a name/);
  });

  it.each(["no such file", "deep", "passwd", "broken", "out/lathe_kernel/session.py"])(
    "says that there is no file %j",
    (name) => {
      expect(() => new Folder(b.pyodide.FS).get(name)).toThrow(/^not_found$/);
    },
  );

  it("lists a thousand files at most, in order", async () => {
    await run("for i in range(1500): open(f'many{i:04}', 'w').close()");
    const names = new Folder(b.pyodide.FS).list().map(({ name }) => name);
    expect(names).toHaveLength(1000);
    expect(names).toEqual([...names].sort());
  });
});
