// @vitest-environment node
// What people and models paste, on the real Pyodide.
import { beforeAll, describe, expect, it } from "vitest";
import type { KernelEvent } from "../contract/kernel";
import { type Bench, bench } from "./testkit";

let b: Bench;
beforeAll(async () => {
  b = await bench();
}, 60_000);

const run = (code: string) => b.run(code);

function failure(events: KernelEvent[]) {
  const error = events.find((event) => event.type === "error");
  if (error?.type !== "error") throw new Error(`no error in ${JSON.stringify(events)}`);
  return { name: error.ename, value: error.evalue, text: error.traceback.join("\n") };
}

function value(events: KernelEvent[]): unknown {
  const event = events.find((item) => item.type === "execute_result");
  return event?.type === "execute_result" ? event.data["text/plain"] : undefined;
}

describe("a source that is not as it should be", () => {
  it.each([
    ["nothing", ""],
    ["spaces", "  \n\t\n"],
    ["only comments", "# one\n  # two"],
    ["a byte order mark alone", "\ufeff"],
  ])("runs: %s", async (_, code) => {
    expect(await run(code)).toMatchObject({ status: "ok", events: [] });
  });

  it.each([
    ["CRLF", "x = 1\r\nif x:\r\n    x = 2\r\nx"],
    ["CR", "x = 1\rx = 2\rx"],
    ["a byte order mark", "\ufeffx = 2\nx"],
    ["tabs", "if True:\n\tx = 2\nx"],
    ["a blank start", "\n\n\n2"],
    ["lines of spaces", "if True:\n    x = 2\n   \n\nx\n   \n"],
  ])("runs with %s", async (_, code) => {
    expect(value((await run(code)).events)).toBe("2");
  });

  it("keeps CRLF out of a string, as Python does with a file", async () => {
    expect((await run("print(repr('''a\r\nb'''))")).stdout).toBe("'a\\nb'\n");
  });

  it.each([
    ["NUL", "x = 'a\0b'", "SyntaxError", /null bytes/],
    ["half of a character", "x = '\ud83d'", "SyntaxError", /half of a character.*U\+D83D/],
    ["tabs and spaces", "if True:\n\tx = 1\n        y = 2", "TabError", /inconsistent use of tabs/],
    ["deep brackets", "(".repeat(500) + ")".repeat(500), "SyntaxError", /too many nested/],
    ["deep signs", "-".repeat(20_000) + "1", "SyntaxError", /nested too deeply|too many/],
    ["a word in front", "Here is the code:\nprint(1)", "SyntaxError", /invalid syntax/],
  ])("says what is wrong: %s", async (_, code, name, text) => {
    const { status, events } = await run(code);
    expect(status).toBe("error");
    expect(failure(events)).toMatchObject({ name, text: expect.stringMatching(text) as string });
    expect((await run("print('after')")).stdout).toBe("after\n");
  });

  it("takes five megabytes", { timeout: 120_000 }, async () => {
    const line = `${"x".repeat(70)} = 1\n`;
    const names = line.repeat(5_000_000 / line.length);
    expect(value((await run(`${names}len("done")`)).events)).toBe("4");
    const data = `text = """${"line of text\n".repeat(400_000)}"""\n`;
    expect(value((await run(`${data}len(text) # ;`)).events)).toBe("5200000");
    expect(value((await run(`${data}len(text);`)).events)).toBeUndefined();
    const numbers = `numbers = [\n${"1, 2, 3,\n".repeat(500_000)}]\n`;
    expect(value((await run(`${numbers}\nsum(numbers)\n# end\n`)).events)).toBe("3000000");
    expect(failure((await run(`${numbers}\n1 / 0`)).events).text).toMatch(/line 500004/);
    expect(failure((await run(`${data}x = (`)).events).name).toBe("SyntaxError");
    expect((await run(`${data}if text:\n    5\nelse:\n    6`)).status).toBe("ok");
  });

  it.each([
    ["await at the top", "import asyncio\nawait asyncio.sleep(0)\n2", "2"],
    ["async for at the top", "async def f():\n    yield 2\n[x async for x in f()][0]", "2"],
    ["a value in brackets", "(\n  2\n)", "2"],
    ["a value with words behind", "'é'; 2 # ;", "2"],
  ])("runs %s", async (_, code, shown) => {
    expect(value((await run(code)).events)).toBe(shown);
  });

  it.each(["(2);", "2 ; ", "2 \\\n;", "'é' ;# no", "2;\n\n# end"])(
    "hides the value of %j",
    async (code) => {
      expect(await run(code)).toMatchObject({ status: "ok", events: [] });
    },
  );
});

describe("prompts", () => {
  it.each([
    [">>> x = 1\n>>> x + 1\n2", "2"],
    [">>> def f():\n...     return 2\n...\n>>> f()\n2\n>>>", "2"],
    ["    >>> 1 + 1", "2"],
    ["In [1]: x = 2\n\nIn [2]: x\nOut[2]: 2", "2"],
    ["In [1]: def f():\n   ...:     return 2\n   ...: \n\nIn [2]: f()", "2"],
  ])("are taken away from %j", async (code, shown) => {
    expect(value((await run(code)).events)).toBe(shown);
  });

  it("stay where they are text", async () => {
    expect((await run('print("""\n>>> 1\n""")')).stdout).toBe("\n>>> 1\n\n");
  });
});

describe("notebook commands", () => {
  it("have nothing to do, or are done in Python", async () => {
    expect((await run("%matplotlib inline\n%load_ext autoreload\nprint(1)")).stdout).toBe("1\n");
    expect((await run("if True:\n    %config x = 1\n    print(2)")).stdout).toBe("2\n");
    expect((await run("%pwd")).events).toMatchObject([{ data: { "text/plain": "'/mnt/data'" } }]);
    expect((await run("%cd /tmp\nimport os\nprint(os.getcwd())\n%cd")).stdout).toBe("/tmp\n");
    expect((await run("len?")).stdout).toContain("Return the number of items");
    expect((await run("%%writefile out.txt\n!not python\nat all")).stdout).toBe("Wrote out.txt\n");
    expect((await run("print(open('out.txt').read())")).stdout).toBe("!not python\nat all\n");
  });

  it("measure time", async () => {
    expect((await run("%%time\nt = 5\nprint(t)")).stdout).toMatch(
      /^5\nWall time: [\d.]+ (s|ms|µs)\n$/,
    );
    const { stdout, events } = await run("%time t = 6\n%time t + 1");
    expect(stdout).toMatch(/^Wall time: .*\nWall time: .*\n$/);
    expect(value(events)).toBe("7");
    expect((await run("%timeit t + 1")).stdout).toMatch(/per loop \(best of 3 runs, [\d,]+ loops/);
    expect((await run("%%timeit\nt + 1")).stdout).toMatch(/per loop/);
  });

  it.each([
    ["!ls -la", "NotebookCommand", /!ls belongs to a notebook.*no shell/],
    ["x = 1\n!echo it's", "NotebookCommand", /line 2[^]*!echo belongs/],
    ["%%bash\nls", "NotebookCommand", /%%bash belongs to a notebook/],
    ["\n%%html\n<b>", "NotebookCommand", /line 2[^]*%%html/],
    ["%who", "NotebookCommand", /%who belongs to a notebook/],
    ["files = !ls", "NotebookCommand", /behind the = belongs to a notebook/],
    [
      "!pip install networkxyz",
      "NotebookCommand",
      /networkxyz can't be installed.*no network.*numpy/,
    ],
    ["pip install -q polars numpy", "NotebookCommand", /polars can't be installed/],
    ["%pip install 'x[y]>=1' \\\n  numpy\nprint(1)", "NotebookCommand", /x can't be installed/],
    ["!pip install -r requirements.txt", "NotebookCommand", /can't be installed/],
  ])(
    "that can't be carried out are said plainly, before anything runs: %j",
    async (code, name, text) => {
      const { status, events, stdout } = await run(code);
      expect([status, stdout]).toEqual(["error", ""]);
      expect(failure(events)).toMatchObject({ name, text: expect.stringMatching(text) as string });
    },
  );

  it.each([
    ["!pip install numpy", "numpy: already here, with Pyodide.\n"],
    [
      "%pip install -q 'pandas>=2' scikit_learn \\\n  matplotlib==3.8  # all\nprint(1)",
      "pandas, scikit-learn, matplotlib: already here, with Pyodide.\n1\n",
    ],
    ["import sys\n!{sys.executable} -m pip install numpy", null],
    ["pip install sklearn", "scikit-learn: already here, with Pyodide.\n"],
  ])("install what is here already: %j", async (code, stdout) => {
    const got = await run(code);
    if (stdout === null) expect(got.status).toBe("error");
    else expect(got).toMatchObject({ status: "ok", stdout });
  });

  it("are text where they are text", async () => {
    const code = "print('''\n%matplotlib inline\n!ls\n''')\nx = 7 \\\n% 4\nprint(x)";
    expect((await run(code)).stdout).toBe("\n%matplotlib inline\n!ls\n\n3\n");
  });
});
