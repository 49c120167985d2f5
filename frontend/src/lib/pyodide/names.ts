// Names in the working folder of a kernel: paths with slashes, below it.
import * as v from "valibot";

/** The most files of a list; the same as kernel.ListLimit in Go. */
export const listLimit = 1000;
const longest = { name: 1024, element: 255 };

/** True of a clean relative path without control characters; the lengths are in bytes of UTF-8. */
export function isName(name: string): boolean {
  // Control characters, and halves of characters.
  if (/[\p{Cc}\p{Cs}]/u.test(name)) return false;
  const length = (text: string) => new TextEncoder().encode(text).length;
  return (
    length(name) <= longest.name &&
    name
      .split("/")
      .every(
        (element) =>
          element !== "" &&
          element !== "." &&
          element !== ".." &&
          length(element) <= longest.element,
      )
  );
}

/** The end of the year 9999 in milliseconds; Go has no times far beyond it. */
const lastTime = 253402300799999;

/** What a worker may list. */
export const listedFiles = v.pipe(
  v.array(
    v.object({
      name: v.pipe(v.string(), v.check(isName)),
      size: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
      modified: v.pipe(v.number(), v.minValue(-lastTime), v.maxValue(lastTime)),
    }),
  ),
  v.maxLength(listLimit),
);

export const mostMatches = 200;

/** What a worker may offer for the cursor. */
export const offeredCompletion = v.pipe(
  v.object({
    matches: v.pipe(
      v.array(v.pipe(v.string(), v.minLength(1), v.maxLength(200))),
      v.maxLength(mostMatches),
    ),
    start: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
    end: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  }),
  v.check(({ start, end }) => start <= end),
);
