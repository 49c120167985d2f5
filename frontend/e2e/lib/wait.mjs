// Waiting for what a person would wait for.

/** @param {number} ms */
export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Asks until the answer is truthy, and says what it was waiting for when it never is.
 * @template T
 * @param {string} what
 * @param {() => Promise<T> | T} ask
 * @param {number} [timeoutMs]
 * @returns {Promise<NonNullable<T>>}
 */
export async function until(what, ask, timeoutMs = 20_000) {
  const end = Date.now() + timeoutMs;
  let last = "";
  for (;;) {
    try {
      const answer = await ask();
      if (answer) return answer;
      last = "";
    } catch (error) {
      // An element may be replaced between finding and reading it; the next look finds the new one.
      last = ` (last: ${error instanceof Error ? error.message : String(error)})`;
    }
    if (Date.now() > end) throw new Error(`waited ${timeoutMs} ms for ${what}${last}`);
    await sleep(50);
  }
}
