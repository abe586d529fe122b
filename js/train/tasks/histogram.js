/** Histograms: every letter of a sequence is replaced by how often it occurs there.  “Thinking like Transformers”
 *  (Weiss, Goldberg and Yahav 2021) as the course sets it. */

/** The token that begins a sequence; its own count is 0. */
export const BOS = 0;
export const LETTERS = 4;
/** Letters of one sequence, after BOS. */
export const LENGTH = 30;
/** Ids are their places here. */
export const TOKENS = ['⊢', 'a', 'b', 'c', 'd'];

/**
 * How often each token of a sequence occurs in it, BOS 0 times.
 * @param {ArrayLike<number>} ids
 * @returns {Int32Array} [time]
 */
export function counts(ids) {
  const total = new Int32Array(LETTERS + 1);
  for (let t = 0; t < ids.length; t++) total[ids[t]]++;
  total[BOS] = 0;
  return Int32Array.from(ids, (id) => total[id]);
}

/** Every way to share `length` things among `kinds` kinds. @param {number} length @param {number} kinds
 *  @returns {number[][]} */
function shares(length, kinds) {
  if (kinds === 1) return [[length]];
  return Array.from({ length: length + 1 }, (_, first) =>
    shares(length - first, kinds - 1).map((rest) => [first, ...rest])).flat();
}

/**
 * Every sequence there is up to the order of its letters: (length + 3 choose 3) of them, 5,456 for 30 letters.  A model
 * without positions is equivariant: if it is right in one order, it is in all.
 * @param {number} [length]
 * @returns {Int32Array[]} [sequence][time], BOS first
 */
export const everySequence = (length = LENGTH) => shares(length, LETTERS).map((share) =>
  Int32Array.from([BOS, ...share.flatMap((count, i) => Array(count).fill(i + 1))]));
