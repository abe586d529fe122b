/** The histogram task: replace each letter of a sequence by its number of occurrences (“Thinking like Transformers”,
 *  Weiss, Goldberg and Yahav 2021). */

/** Id of the token that starts a sequence. Its count is 0. */
export const BOS = 0;
export const LETTERS = 4;
/** Letters of one sequence, after BOS. */
export const LENGTH = 30;
/** Tokens by id. */
export const TOKENS = ['⊢', 'a', 'b', 'c', 'd'];

/**
 * Number of occurrences of each token of a sequence, 0 for BOS.
 * @param {ArrayLike<number>} ids
 * @returns {Int32Array} [time]
 */
export function counts(ids) {
  const total = new Int32Array(LETTERS + 1);
  for (let t = 0; t < ids.length; t++) total[ids[t]]++;
  total[BOS] = 0;
  return Int32Array.from(ids, (id) => total[id]);
}

/** Every way to divide `length` items among `kinds` kinds. @param {number} length @param {number} kinds
 *  @returns {number[][]} */
function divisions(length, kinds) {
  if (kinds === 1) return [[length]];
  return Array.from({ length: length + 1 }, (_, first) =>
    divisions(length - first, kinds - 1).map((rest) => [first, ...rest])).flat();
}

/**
 * Every sequence up to the order of its letters: (length + 3 choose 3) of them, 5,456 for 30 letters. A model without
 * positions is equivariant: an answer that is right in one order is right in every order.
 * @param {number} [length]
 * @returns {Int32Array[]} [sequence][time], BOS first
 */
export const everySequence = (length = LENGTH) => divisions(length, LETTERS).map((division) =>
  Int32Array.from([BOS, ...division.flatMap((count, i) => Array(count).fill(i + 1))]));
