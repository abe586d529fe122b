/** Input of a classifier: words, a vocabulary, and pieces of words. */
import { hash } from '../tasks/hash.js';

/**
 * Words, numbers and marks.  Contractions are split as in the Penn Treebank, so that a negation is a separate word.
 * Examples: “don't” is “do” and “n't”, “it's” is “it” and “'s”.
 */
const WORD = /[\p{L}\p{N}]+?(?=n['’]t(?!\p{L}))|n['’]t(?!\p{L})|['’]\p{L}+|[\p{L}\p{N}]+|[.,;:!?…]/gu;

/** @param {string} text @returns {string[]} words with the spelling of the text */
export const wordsOf = (text) => text.match(WORD) ?? [];

/** One spelling for each word: lower case, a straight apostrophe. @param {string} word */
export const spelling = (word) => word.toLowerCase().replace('’', "'");

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
