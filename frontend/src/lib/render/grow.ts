/**
 * Whether a text that only grows still begins with what was taken of it. The
 * end of what was taken is compared, not all of it: text comes in pieces, and
 * comparing the whole for each piece would make long answers slow.
 */
export function continues(text: string, taken: string): boolean {
  if (text.length < taken.length) return false;
  const from = Math.max(0, taken.length - 64);
  return text.startsWith(taken.slice(from), from);
}
