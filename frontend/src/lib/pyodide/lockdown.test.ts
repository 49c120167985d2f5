import { describe, expect, it } from "vitest";
import { folderReader, lockDown } from "./lockdown";

describe("lockDown", () => {
  it("takes away what isn't kept, from the scope and what it inherits", () => {
    const far = { postMessage: () => undefined, addEventListener: () => undefined };
    const near = Object.create(far) as Record<string, unknown>;
    Object.defineProperty(near, "indexedDB", { get: () => "shared", configurable: true });
    const navigator = Object.create({ storage: {}, userAgent: "u", newThing: 1 }) as object;
    const scope = Object.assign(Object.create(near) as Record<string, unknown>, {
      Worker: () => undefined,
      Array,
      navigator,
      tomorrowsApi: 1,
    });
    expect(lockDown(scope)).toEqual([]);
    for (const name of ["postMessage", "indexedDB", "Worker", "tomorrowsApi"])
      expect(name in scope).toBe(false);
    expect("addEventListener" in scope && "Array" in scope).toBe(true);
    expect("storage" in navigator || "newThing" in navigator).toBe(false);
    expect("userAgent" in navigator).toBe(true);
  });

  it("empties what can't be removed, and reports what can't be changed at all", () => {
    const scope = {};
    Object.defineProperty(scope, "stays", { value: 1, writable: true, configurable: false });
    Object.defineProperty(scope, "fixed", { value: 1, writable: false, configurable: false });
    expect(lockDown(scope)).toEqual(["fixed"]);
    expect((scope as { stays?: unknown }).stays).toBeUndefined();
  });
});

describe("folderReader", () => {
  it("reads files that it was told of, and nothing else", async () => {
    const asked: string[] = [];
    const original = globalThis.fetch;
    globalThis.fetch = (input) => {
      asked.push(input as string);
      return Promise.resolve(new Response("content"));
    };
    const files = Object.assign(Object.create(null) as Record<string, true>, {
      "a.whl": true as const,
    });
    const reader = folderReader("/pyodide/", () => files);
    globalThis.fetch = original;
    await reader.fetch("/pyodide/a.whl");
    await reader.fetch(new URL("/pyodide/a.whl", location.href));
    expect(asked).toEqual(Array(2).fill(new URL("/pyodide/a.whl", location.href).href));
    for (const address of [
      "/pyodide/b.whl",
      "/pyodide/",
      "/",
      "a.whl",
      "/pyodide/../a.whl",
      "/pyodide/a.whl?x",
      "/pyodide/a.whl#",
      "//host/pyodide/a.whl",
      "https://host/pyodide/a.whl",
      "/pyodide/toString",
      "/pyodide/__proto__",
      "",
      "/PYODIDE/a.whl",
      " /pyodide/a.whl",
    ]) {
      await expect(reader.fetch(address)).rejects.toThrow("no network");
    }
    for (const file of ["b.whl", "", "../a.whl", "/a.whl", "https://host/a.whl", "toString"]) {
      expect(() => reader.readNow(file)).toThrow("no network");
    }
    // An object that is another address each time that it is read.
    let reads = 0;
    const fickle = { toString: () => (reads++ === 0 ? "/pyodide/a.whl" : "https://host/") };
    await reader.fetch(fickle as unknown as string);
    expect(asked.at(-1)).toBe(new URL("/pyodide/a.whl", location.href).href);
  });
});
