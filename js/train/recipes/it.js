/** Names the noun that “it” stands for: a small bidirectional encoder. */
import { randomFrom, schedules } from '../../lab/index.js';
import { largest } from '../models/choice.js';
import { pronounBatch, pronounEncoder, pronounWeights } from '../models/pronoun-encoder.js';
import { NOUNS, WORDS, twins } from '../tasks/pronouns.js';

/**
 * @typedef {import('../models/pronoun-encoder.js').PronounConfig} PronounConfig
 * @typedef {import('../models/pronoun-encoder.js').PronounBatch} PronounBatch
 * @typedef {import('../tasks/pronouns.js').Example} Example
 */

const STEPS = 800;
/** Pairs of sentences in a batch, and in the validation. */
const BATCH = 24;
const HELD_OUT = 256;
const HELD_OUT_SEED = 3;
/** Names id 0, which pads. */
const PAD = '<pad>';

/** @param {() => number} random @param {number} count @param {boolean} heldOut @returns {Example[]} */
export const drawTwins = (random, count, heldOut) =>
  Array.from({ length: count }, () => twins(random, heldOut)).flat();

/** @param {PronounConfig} config @param {Example[]} examples */
const batchOf = (config, examples) => ({
  batch: pronounBatch(config, examples.map(({ text }) => text.split(' '))),
  wanted: examples.map(({ noun }) => config.nouns.indexOf(noun)),
});

/** @type {Pick<PronounConfig, 'words' | 'nouns'>} */
const VOCABULARY = { words: [PAD, ...WORDS], nouns: NOUNS };
/** @type {PronounConfig} */
const CONFIG = { model: 'pronoun-encoder', ...VOCABULARY, width: 32, heads: 4, hidden: 64, blocks: 2 };

/** @type {import('../trainer.js').Recipe<null, { batch: PronounBatch, wanted: number[] }, PronounConfig>} */
export default {
  name: 'it',
  summary: 'the noun that “it” stands for: a bidirectional encoder with two blocks',
  steps: STEPS,
  minutes: 1,
  data: () => null,
  config: () => CONFIG,
  weights: pronounWeights,
  batch: (_, random) => batchOf(CONFIG, drawTwins(random, BATCH, false)),
  loss: (lab, weights, config, { batch, wanted }) =>
    lab.crossEntropy(pronounEncoder(lab, weights, config, batch).logits, wanted),
  rate: schedules.cosine({ rate: 3e-3, warmup: 50, total: STEPS }),
  adamW: { weightDecay: 0.01 },
  clip: 1,
  validate(lab, weights, config) {
    const { batch, wanted } = batchOf(config, drawTwins(randomFrom(HELD_OUT_SEED), HELD_OUT, true));
    const best = largest(pronounEncoder(lab, weights, config, batch).logits.data, config.nouns.length);
    return { exact: wanted.filter((noun, i) => noun === best[i]).length / wanted.length };
  },
  goal: { figure: 'exact', atLeast: 0.98 },
};
