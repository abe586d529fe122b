/** Prompt lookup decoding (Saxena 2023): guesses the next tokens from the text itself. */

/** Length of the end of the text that must occur earlier.  One token occurs too often to predict the next ones. */
const MATCH = 2;

/**
 * The ids after the last earlier occurrence of the last MATCH ids.
 * @param {ArrayLike<number>} ids  the text so far
 * @param {number} most  largest number of ids to guess
 * @returns {number[]} empty if the end of the text does not occur earlier
 */
export function guess(ids, most) {
  const end = ids.length - MATCH;
  for (let at = end - 1; at >= 0; at--) {
    let same = 0;
    while (same < MATCH && ids[at + same] === ids[end + same]) same++;
    if (same === MATCH) return Array.from({ length: Math.min(most, end - at) }, (_, i) => ids[at + MATCH + i]);
  }
  return [];
}
