/** Where a classifier's words begin when there are few sentences to learn from. */
import { spelling, wordsOf } from './words.js';

/**
 * @typedef {import('../../lab/index.js').Weights} Weights
 * @typedef {import('./classifier.js').ClassifierConfig} ClassifierConfig
 */

/** How far a word lies from the others by a log odds of 1, and how strongly the head reads it. */
const STEP = 3;
const READ = 0.5;

/**
 * A word begins at its log odds, log (n₁ + 1) / (n₀ + 1) for n texts of each label that have it, along one direction u
 * that the head reads: what naive Bayes knows of single words (Wang and Manning 2012).  Everything else begins at
 * random.  u turns its sign from one pair of features to the next, so that positions have next to no part in it.
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
