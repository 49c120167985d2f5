/** @param {number[]} values */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** One line about the numbers behind a key. @param {string} name @param {number[]} values @param {string} unit */
export function spread(name, values, unit) {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const digits = most < 100 ? 2 : 0;
  const show = (value) => value.toFixed(digits);
  return `${name}: median ${show(median(values))} ${unit} (${show(least)} to ${show(most)}, ${values.length} times)`;
}

/** What a person who waits reads; the result alone goes to standard output. @param {string} text */
export const say = (text) => process.stderr.write(`  ${text}\n`);
