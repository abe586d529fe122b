/** Input of a classifier: words, a vocabulary, and pieces of words. */

/**
 * Words, numbers and marks.  Contractions are split as in the Penn Treebank, so that a negation is a separate word.
 * Examples: “don't” is “do” and “n't”, “it's” is “it” and “'s”.
 */
const WORD = /[\p{L}\p{N}]+?(?=n['’]t(?!\p{L}))|n['’]t(?!\p{L})|['’]\p{L}+|[\p{L}\p{N}]+|[.,;:!?…]/gu;

/** @param {string} text @returns {string[]} words with the spelling of the text */
export const wordsOf = (text) => text.match(WORD) ?? [];

/** One spelling for each word: lower case, a straight apostrophe. @param {string} word */
export const spelling = (word) => word.toLowerCase().replace('’', "'");

/** FNV-1a over UTF-16 code units. @param {string} text @returns {number} 32 bits, unsigned */
export function hash(text) {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  h ^= h >>> 15; // the low bits of FNV depend only on the low bits of the letters
  return Math.imul(h, 0x2c1b3c6d) >>> 0;
}

/**
 * Hashes of the n-grams of ‹word›, for each n in `lengths`.  An unknown word shares n-grams with known words
 * (Bojanowski et al. 2017).  Marks and single letters have no pieces.
 * @param {string} word as `spelling` gives it
 * @param {number[]} lengths lengths of pieces in characters
 * @param {number} buckets number of hash values
 * @returns {number[]} 0 … buckets - 1
 */
export function piecesOf(word, lengths, buckets) {
  if (word.length < 2) return [];
  const framed = `‹${word}›`;
  return lengths.flatMap((n) => Array.from({ length: Math.max(0, framed.length - n + 1) }, (_, i) =>
    hash(framed.slice(i, i + n)) % buckets));
}

/**
 * Words that occur in at least `least` texts, sorted by code units.
 * @param {string[]} texts @param {number} [least] number of texts; default 1
 */
export function vocabularyOf(texts, least = 1) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const text of texts) {
    for (const word of new Set(wordsOf(text).map(spelling))) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count >= least).map(([word]) => word).sort();
}
