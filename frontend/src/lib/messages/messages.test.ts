import { readFileSync } from "node:fs";
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
