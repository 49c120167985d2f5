// @vitest-environment node
// Continuing from the snapshot, in Node; the tests in app/ do it in the real webview.
import { createHash } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import type { Snapshot } from "./snapshot";
import { type Bench, bench, readSnapshot } from "./testkit";

let snapshot: Snapshot;
let b: Bench;
beforeAll(async () => {
  snapshot = readSnapshot();
  b = await bench(snapshot);
}, 60_000);

const chart = `
import numpy as np, pandas as pd, matplotlib.pyplot as plt
pd.DataFrame({"x": np.arange(5), "y": np.arange(5) ** 2}).plot(x="x", y="y", title="Squares")
plt.show()
`;

describe("an interpreter that continues", () => {
  it("begins without variables, and needs no package for what it brings", async () => {
    expect(b.interpreter.variables()).toBe(0);
    expect(b.interpreter.prepare(chart)).toEqual([]);
    const { status, stdout } = await b.run(
      "print([n for n in globals() if not n.startswith('_')])",
    );
    expect([status, stdout]).toEqual(["ok", "[]\n"]);
  });

  it("draws each chart once, with the backend of the session", async () => {
    const { status, events } = await b.run(chart);
    expect(status).toBe("ok");
    expect(events.map((event) => event.type)).toEqual(["display_data"]);
    const { stdout } = await b.run("import matplotlib\nprint(matplotlib.get_backend())");
    expect(stdout).toBe("module://lathe_kernel.backend\n");
  });

  it("raises through extension modules, and finds their files", async () => {
    const { stdout, status } = await b.run(
      "import numpy as np\ntry:\n    np.zeros(1).reshape(2, 3)\nexcept ValueError as e:\n    print(e)\n" +
        "import importlib.metadata\nprint(importlib.metadata.version('pandas'))\nimport inspect, pandas\nprint(len(inspect.getsource(pandas.read_csv)) > 100)",
    );
    expect([status, stdout]).toEqual([
      "ok",
      "cannot reshape array of size 1 into shape (2,3)\n2.2.3\nTrue\n",
    ]);
  });

  it("brings further packages when they are imported", async () => {
    const { stdout } = await b.run(
      "from scipy import stats\nfrom sklearn.linear_model import LinearRegression\n" +
        "print(LinearRegression().fit([[1], [2]], [1, 2]).coef_, round(stats.norm.cdf(0), 2))",
    );
    expect(stdout).toBe("[1.] 0.5\n");
  }, 60_000);

  it("leaves the shared pages as they were, whatever the code does to what came from them", async () => {
    const sum = () =>
      [snapshot.pages, snapshot.hot].map((part) =>
        createHash("sha256").update(new Uint8Array(part)).digest("hex"),
      );
    const before = sum();
    await b.run(
      "import math, numpy, pathlib, matplotlib\nmath.pi = 3\nnumpy.add = None\n" +
        "pathlib.Path(matplotlib.matplotlib_fname()).write_text('ruined')\nx = bytearray(1 << 20)",
    );
    expect(sum()).toEqual(before);
  });
});

it("no two sessions throw the same dice, and each has the clock of its machine", async () => {
  const zone = process.env["TZ"];
  process.env["TZ"] = "Asia/Tokyo";
  try {
    const draw =
      "import random, uuid, tempfile, secrets, numpy as np\n" +
      "print(random.random(), np.random.rand(), np.random.default_rng().random(), uuid.uuid4(), secrets.token_hex(8), " +
      "tempfile.mktemp(), sep='\\n')";
    const one = await bench(snapshot);
    const other = await bench(snapshot);
    const [first, second] = [await one.run(draw), await other.run(draw)];
    const lines = first.stdout.split("\n").filter((line) => line !== "");
    expect(lines).toHaveLength(6);
    for (const line of lines) expect(second.stdout).not.toContain(line);
    const clock = await one.run("import time\nprint(time.timezone, time.localtime(0).tm_hour)");
    expect(clock.stdout).toBe("-32400 9\n");
    const environment = await one.run("import os\nprint(os.environ['HOME'], 'TZ' in os.environ)");
    expect(environment.stdout).toBe("/home/pyodide False\n");
  } finally {
    if (zone === undefined) delete process.env["TZ"];
    else process.env["TZ"] = zone;
  }
}, 60_000);

it("memory that does not fit its description is refused", async () => {
  const wrong = { ...snapshot, description: { ...snapshot.description, tableLength: 7 } };
  await expect(bench(wrong)).rejects.toThrow("the table has");
  await expect(bench({ ...snapshot, libraries: [] })).rejects.toThrow("lacks a library");
}, 60_000);
