/** Classifies sentences as praise or complaint. Learns from the project's own sentences and a grammar of negation. */
import { randomFrom, schedules } from '../../lab/index.js';
import { classifier, classifierWeights, textBatch } from '../models/classifier.js';
import { beginAtLogOdds } from '../models/log-odds.js';
import { vocabularyOf, wordsOf } from '../models/words.js';
import { FILES, LABELS, readCorpora, split } from '../tasks/sentiment.js';

/**
 * @typedef {import('../../lab/index.js').Lab} Lab
 * @typedef {import('../../lab/index.js').Weights} Weights
 * @typedef {import('../models/classifier.js').ClassifierConfig} ClassifierConfig
 * @typedef {import('../tasks/sentiment.js').Corpora} Corpora
 * @typedef {import('../tasks/sentiment.js').Labeled} Labeled
 * @typedef {ReturnType<typeof split> & Omit<Corpora, 'sentences'>} Data
 */

/** Sentences per batch: written sentences, and sentences of the grammar. */
const WRITTEN = 16;
const GRAMMATICAL = 16;
/** Direct sentences of the grammar for naive Bayes, in addition to the written sentences. */
const PLAIN = 3000;
const GRAMMAR_SEED = 77;
/** Sentences of each part of the validation that the grammar makes. */
const DENIALS = 400;
/** Fractions of words that are dropped from a written sentence, and that are read by their pieces alone, as unknown
 *  words are. */
const DROPPED = 0.15;
const HIDDEN_WORDS = 0.3;
/** Words that are never dropped, because a sentence without them may mean the opposite. */
const NEGATIONS = /^(not|n['’]t|never|no|nothing|nobody|none|hardly|without|neither|nor|ca|wo|but)$/i;
const STEPS = 2000;
const MEASURED_AT_ONCE = 32;

/** Loss and accuracy of a model.
 *  @param {Lab} lab @param {Weights} weights @param {ClassifierConfig} config @param {Labeled[]} examples
 *  @returns {Generator<void, { loss: number, accuracy: number }, void>} */
export function* measure(lab, weights, config, examples) {
  let loss = 0;
  let right = 0;
  for (let at = 0; at < examples.length; at += MEASURED_AT_ONCE) {
    const part = examples.slice(at, at + MEASURED_AT_ONCE);
    lab.evaluate(() => {
      const { logits } = classifier(lab, weights, config, textBatch(part.map(({ text }) => wordsOf(text)), config));
      const targets = part.map(({ label }) => label);
      loss += lab.crossEntropy(logits, targets, { reduction: 'sum' }).item();
      right += targets.filter((label, i) => logits.data[2 * i + label] > logits.data[2 * i + 1 - label]).length;
    });
    yield;
  }
  return { loss: loss / examples.length, accuracy: right / examples.length };
}

/** Drops some words of a text, but not all. @param {string[]} words @param {() => number} random */
function thinned(words, random) {
  const kept = words.filter((word) => NEGATIONS.test(word) || random() >= DROPPED);
  return kept.length > 0 ? kept : words;
}

/** @type {import('../trainer.js').Recipe<Data, { written: Labeled[], denying: Labeled[], random: () => number },
 *  ClassifierConfig>} */
export default {
  name: 'sentiment',
  summary: 'praise or complaint: a Transformer encoder with a learned query',
  steps: STEPS,
  minutes: 2,
  every: 500,
  files: FILES,
  data(files) {
    const { sentences, ...rest } = readCorpora(files);
    return { ...split(sentences), ...rest };
  },
  config: ({ training, grammar }) => ({
    model: 'encoder-classifier',
    labels: LABELS,
    vocabulary: vocabularyOf([...training.map(({ text }) => text), ...grammar.texts()]),
    pieces: [4, 5, 6],
    buckets: 4096,
    width: 32,
    heads: 4,
    hidden: 64,
    blocks: 2,
    norm: 'pre',
    dropout: 0.15,
    positions: 0.3,
  }),
  weights: (lab, config, { training, grammar }) => {
    const weights = classifierWeights(lab, config);
    beginAtLogOdds(weights, config, [...training, ...grammar.plain(PLAIN, randomFrom(GRAMMAR_SEED))]);
    return weights;
  },
  batch: ({ training, grammar }, random) => ({
    written: Array.from({ length: WRITTEN }, () => training[Math.floor(random() * training.length)]),
    denying: Array.from({ length: GRAMMATICAL }, () => grammar.sentence(random)),
    random,
  }),
  loss: (lab, weights, config, { written, denying, random }) => {
    const texts = [...written.map(({ text }) => thinned(wordsOf(text), random)),
      ...denying.map(({ text }) => wordsOf(text))];
    const numbers = textBatch(texts, config, (word) => (random() < HIDDEN_WORDS ? -1 : word));
    const targets = [...written, ...denying].map(({ label }) => label);
    return lab.crossEntropy(classifier(lab, weights, config, numbers).logits, targets, { smoothing: 0.2 });
  },
  rate: schedules.cosine({ rate: 3e-3, warmup: 20, total: STEPS }),
  adamW: { weightDecay: 0.1, eps: 1e-6 },
  clip: 1,
  *validate(lab, weights, config, { choosing, measuring, otherTopics, negations, grammar }) {
    // the same denials at every validation
    const denials = (/** @type {'words' | 'frames'} */ unseen) =>
      grammar.unseenDenials(unseen, DENIALS, randomFrom(GRAMMAR_SEED));
    const of = (/** @type {Labeled[]} */ examples) => measure(lab, weights, config, examples);
    return {
      accuracy: (yield* of(measuring)).accuracy,
      'other topics': (yield* of(otherTopics)).accuracy,
      negations: (yield* of(negations)).accuracy,
      'unseen denials': (yield* of(denials('words'))).accuracy,
      'in unseen frames': (yield* of(denials('frames'))).accuracy,
      'loss to choose by': (yield* of(choosing)).loss,
    };
  },
  goal: { figure: 'accuracy', atLeast: 0.75 },
};
