import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { en } from "./en";
import { errors } from "./en.errors";
import { formats } from "./format";

const go = readFileSync("../internal/apperr/apperr.go", "utf8");
const codes = [...go.matchAll(/^\s*\w+\s+Code = "([a-z_]+)"/gm)].map((match) => match[1] ?? "");

describe("error sentences", () => {
  it("finds the codes in Go's list", () => {
    expect(codes).toContain("internal");
    expect(codes.length).toBeGreaterThan(20);
  });

  it.each(codes)("has a sentence and a hint for %s", (code) => {
    expect(errors).toHaveProperty(code);
    const { text, hint } = en.error({ code, params: {} });
    expect(text).toMatch(/\.$/);
    expect(hint).toMatch(/\.$/);
    expect(text).not.toContain("undefined");
  });

  it("has no sentence for a code that Go does not know", () => {
    expect(Object.keys(errors).filter((code) => !codes.includes(code))).toEqual([]);
  });

  it("words an unknown code as internal", () => {
    expect(en.error({ code: "new", params: { detail: "x" } }).text).toContain("inside Lathe: x.");
  });
});

describe("the catalogue", () => {
  const sources = readdirSync("src", { recursive: true, encoding: "utf8" })
    .filter((file) => /\.(svelte|ts)$/.test(file))
    .filter((file) => !/\.test\.ts$|^lib.messages|^dev/.test(file))
    .map((file) => readFileSync(`src/${file}`, "utf8"));

  /** Keys below one of the catalogue's, with their path. What is looked up by a name that comes from elsewhere is left out. */
  function keysOf(value: object, path: string[] = []): string[][] {
    return Object.entries(value).flatMap(([key, inside]) => {
      const here = [...path, key];
      if (typeof inside !== "object" || inside === null) return [here];
      return Array.isArray(inside) || key === "languages" ? [here] : keysOf(inside as object, here);
    });
  }

  // m.message[message.state], words.themes[value]
  const byName = (path: string[]) => {
    const parent = path.at(-2);
    const states = ["cancelled", "denied", "failed", "interrupted", "limit"];
    if (parent === "themes") return sources.some((source) => /\bwords\.themes\[/.test(source));
    if (parent !== "message" || !states.includes(path.at(-1) ?? "")) return false;
    return sources.some((source) => source.includes("m.message[message.state]"));
  };

  it.each(keysOf(en).map((path) => [path.join("."), path] as const))("uses %s", (_, path) => {
    const [leaf = "", parent] = [path.at(-1), path.at(-2)];
    const used = sources.some((source) => {
      // Either whole, or through a shorter name for its group.
      const whole = new RegExp(`\\b${[parent ?? "m", leaf].join("\\.")}\\b`);
      const short = new RegExp(`\\bwords\\.${leaf}\\b`);
      const named = new RegExp(`\\bwords = m\\.(\\w+\\.)?${parent ?? ""}\\b`);
      const through = new RegExp(`words: Messages\\["${parent ?? ""}"\\]`);
      const titles =
        leaf === "title" && path[0] === "settings" && source.includes("m.settings[name].title");
      return (
        whole.test(source) ||
        titles ||
        (short.test(source) && (named.test(source) || through.test(source)))
      );
    });
    expect(used || byName(path)).toBe(true);
  });
});

describe("formats", () => {
  const f = formats("en");
  it("words durations", () => {
    expect([400, 4000, 1234, 12_300, 60_000, 185_000].map(f.duration)).toEqual([
      "0.4 s",
      "4 s",
      "1.2 s",
      "12 s",
      "60 s",
      "3 min 5 s",
    ]);
  });
  it("words sizes and counts", () => {
    expect([312, 48_000, 98_362_432, 2_600_000_000].map(f.bytes)).toEqual([
      "312 B",
      "48 kB",
      "98 MB",
      "2.6 GB",
    ]);
    expect(f.plural(1, "line", "lines")).toBe("1 line");
    expect(f.plural(1204, "line", "lines")).toBe("1,204 lines");
  });
});
