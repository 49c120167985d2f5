// A traceback for reading: ANSI gone, the line that failed marked.
import { plainText } from "./ansi";

export interface TraceLine {
  text: string;
  kind: "plain" | "marked" | "carets";
}

/** The frames of a traceback without the message, which stands above them. */
export function traceLines(traceback: readonly string[], ename: string): TraceLine[] {
  const lines = traceback.flatMap((entry) => plainText(entry).replace(/\n$/, "").split("\n"));
  while (lines.length > 0 && lines.at(-1)?.trim() === "") lines.pop();
  const message = lines.findLastIndex((line) => line === ename || line.startsWith(`${ename}:`));
  if (message >= 0) lines.length = message;
  if (/^Traceback \(most recent call last\):?\s*$/.test(lines[0] ?? "")) lines.shift();
  return lines.map((text, index) => {
    if (isCarets(text)) return { text, kind: "carets" };
    return { text, kind: isCarets(lines[index + 1] ?? "") ? "marked" : "plain" };
  });
}

const isCarets = (line: string) => /^\s*[~^]+\s*$/.test(line) && line.includes("^");
