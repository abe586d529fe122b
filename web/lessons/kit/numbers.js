/** Arithmetic on lists of numbers that several lessons need. */

/** The largest difference of two lists of the same length, without its sign.
 *  @param {ArrayLike<number>} a @param {ArrayLike<number>} b */
export const largestDifference = (a, b) =>
  Array.from(a).reduce((most, value, i) => Math.max(most, Math.abs(value - b[i])), 0);

/** Index of the largest number. @param {ArrayLike<number>} row */
export const argmax = (row) => Array.from(row).reduce((best, value, i) => (value > row[best] ? i : best), 0);

/** The parts of a sum. @param {ArrayLike<number>} numbers with a positive sum */
export function normalized(numbers) {
  const sum = Array.from(numbers).reduce((all, each) => all + each, 0);
  return Array.from(numbers, (each) => each / sum);
}

/** Probabilities of logits, in float64. @param {ArrayLike<number>} logits @param {number} [temperature] */
export function softmax(logits, temperature = 1) {
  const largest = Array.from(logits).reduce((a, b) => Math.max(a, b));
  return normalized(Array.from(logits, (logit) => Math.exp((logit - largest) / temperature)));
}
