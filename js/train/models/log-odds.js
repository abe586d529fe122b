/** Initial word vectors of a classifier from log odds, for small training sets. */
import { spelling, wordsOf } from './words.js';

/**
 * @typedef {import('../../lab/index.js').Weights} Weights
 * @typedef {import('./classifier.js').ClassifierConfig} ClassifierConfig
 */

/** Distance that a log odds of 1 moves a word, and the weight with which the head reads it. */
const STEP = 3;
const READ = 0.5;

/**
 * Moves each word along a direction u by its log odds log((n₁ + 1) / (n₀ + 1)), where n counts the texts of a label
 * with the word.  The head reads u, so single words count as in naive Bayes (Wang and Manning 2012).  All other weights
 * stay random.  The sign of u alternates between pairs of features, so sinusoidal positions are nearly orthogonal to u.
 * @param {Weights} weights of a classifier with two labels, changed in place @param {ClassifierConfig} config
 * @param {{ text: string, label: number }[]} examples
 */
export function beginAtLogOdds(weights, { vocabulary, width }, examples) {
  const odds = logOdds(vocabulary, examples);
  const u = Float32Array.from({ length: width }, (_, i) => ((i >> 1) % 2 ? 1 : -1) / Math.sqrt(width));
  const { 'words.weight': words, 'head.weight': head, 'head.bias': bias } = weights;
  words.data.forEach((at, i, all) => {
    all[i] = at + STEP * odds[Math.floor(i / width)] * u[i % width] / Math.sqrt(width);
  });
  u.forEach((direction, i) => {
    head.data[i] = -READ * direction;
    head.data[width + i] = READ * direction;
  });
  bias.data.fill(0);
}

/** @param {string[]} vocabulary @param {{ text: string, label: number }[]} examples @returns {number[]} of each word */
function logOdds(vocabulary, examples) {
  const counts = [0, 1].map(() => new Map());
  for (const { text, label } of examples) {
    for (const word of new Set(wordsOf(text).map(spelling))) {
      counts[label].set(word, (counts[label].get(word) ?? 0) + 1);
    }
  }
  const [no, yes] = counts.map((of) => vocabulary.map((word) => (of.get(word) ?? 0) + 1));
  return vocabulary.map((_, i) => Math.log(yes[i] / no[i]));
}
