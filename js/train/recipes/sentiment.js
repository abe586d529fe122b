/** Says whether a sentence praises or complains, from sentences that this project wrote itself. */
import { schedules } from '../../lab/index.js';
import { classifier, classifierWeights, textBatch } from '../models/classifier.js';
import { beginAtLogOdds } from '../models/log-odds.js';
import { vocabularyOf, wordsOf } from '../models/words.js';
import { LABELS, sentences, split } from '../tasks/sentiment.js';

/**
 * @typedef {import('../../lab/index.js').Lab} Lab
 * @typedef {import('../../lab/index.js').Weights} Weights
 * @typedef {import('../models/classifier.js').ClassifierConfig} ClassifierConfig
 * @typedef {import('../tasks/sentiment.js').Labelled} Labelled
 */

const BATCH = 32;
/** Shares of words that are left out, and that are read by their pieces alone, as words are that training never saw. */
const LEFT_OUT = 0.15;
const HIDDEN_WORDS = 0.3;
/** Early stopping (Prechelt 1998): sentences that it does not learn from lose nothing more after these. */
const STEPS = 200;

/** Loss and accuracy on sentences that it does not learn from.
 *  @param {Lab} lab @param {Weights} weights @param {ClassifierConfig} config @param {Labelled[]} examples */
export function measure(lab, weights, config, examples) {
  let [loss, right] = [0, 0];
  for (let at = 0; at < examples.length; at += BATCH) {
    const part = examples.slice(at, at + BATCH);
    lab.evaluate(() => {
      const { logits } = classifier(lab, weights, config, textBatch(part.map(({ text }) => wordsOf(text)), config));
      const targets = part.map(({ label }) => label);
      loss += lab.crossEntropy(logits, targets, { reduction: 'sum' }).item();
      right += targets.filter((label, i) => logits.data[2 * i + label] > logits.data[2 * i + 1 - label]).length;
    });
  }
  return { loss: loss / examples.length, accuracy: right / examples.length };
}

/** A text without some of its words, unless none would be left. @param {string[]} words @param {() => number} random */
function thinned(words, random) {
  const kept = words.filter(() => random() >= LEFT_OUT);
  return kept.length > 0 ? kept : words;
}

/** @type {import('../trainer.js').Recipe<ReturnType<typeof split>, { texts: string[], targets: number[], random:
 *  () => number }, ClassifierConfig>} */
export default {
  name: 'sentiment',
  summary: 'praise or complaint: a Transformer encoder whose words are pooled by a learned query',
  steps: STEPS,
  minutes: 1,
  every: 20,
  data: () => split(sentences()),
  config: ({ training }) => ({
    model: 'encoder-classifier',
    labels: LABELS,
    vocabulary: vocabularyOf(training.map(({ text }) => text)),
    pieces: [4, 5, 6],
    buckets: 4096,
    width: 32,
    heads: 4,
    hidden: 64,
    blocks: 1,
    norm: 'pre',
    dropout: 0.3,
    positions: 0.3,
  }),
  weights: (lab, config, { training }) => {
    const weights = classifierWeights(lab, config);
    beginAtLogOdds(weights, config, training);
    return weights;
  },
  batch: ({ training }, random) => {
    const chosen = Array.from({ length: BATCH }, () => training[Math.floor(random() * training.length)]);
    return { texts: chosen.map(({ text }) => text), targets: chosen.map(({ label }) => label), random };
  },
  loss: (lab, weights, config, { texts, targets, random }) => {
    const numbers = textBatch(texts.map((text) => thinned(wordsOf(text), random)), config,
      (word) => (random() < HIDDEN_WORDS ? -1 : word));
    return lab.crossEntropy(classifier(lab, weights, config, numbers).logits, targets, { smoothing: 0.2 });
  },
  rate: schedules.cosine({ rate: 1e-3, warmup: 20, total: STEPS }),
  // Words that a handful of sentences have get small gradients, which must not be blown up to the size of others: eps.
  adamW: { weightDecay: 1, eps: 1e-4 },
  clip: 1,
  validate: (lab, weights, config, { choosing, measuring, otherTopics }) => ({
    accuracy: measure(lab, weights, config, measuring).accuracy,
    'other topics': measure(lab, weights, config, otherTopics).accuracy,
    'loss to choose by': measure(lab, weights, config, choosing).loss,
  }),
  goal: { figure: 'accuracy', atLeast: 0.72 },
};
