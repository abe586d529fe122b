/** Translates written dates to ISO 8601, character by character, with a small Transformer. */
import { randomFrom, schedules } from '../../lab/index.js';
import { transformerLoss, transformerWeights, translateAll } from '../models/transformer-seq2seq.js';
import { SOURCE_SYMBOLS, TARGET_SYMBOLS, exactShare, pair } from '../tasks/dates.js';
import { idsOf, translationBatch, vocabulary } from '../tasks/vocabulary.js';

/**
 * @typedef {import('../models/transformer-seq2seq.js').TransformerConfig} TransformerConfig
 * @typedef {import('../tasks/vocabulary.js').TranslationBatch} TranslationBatch
 * @typedef {{ source: string[], target: string[], heldOut: { source: string, target: string }[] }} Dates
 */

const STEPS = 1500;
const BATCH = 64;
const HELD_OUT = 200;
/** Batch size of the validation. */
const AT_ONCE = 50;

/** @type {import('../trainer.js').Recipe<Dates, TranslationBatch, TransformerConfig>} */
export default {
  name: 'dates-transformer',
  summary: 'dates in many formats to ISO 8601: a Transformer with two encoder and two decoder layers',
  steps: STEPS,
  minutes: 4,
  data() {
    const random = randomFrom(0x0da7e5);
    return {
      source: vocabulary(SOURCE_SYMBOLS),
      target: vocabulary(TARGET_SYMBOLS),
      heldOut: Array.from({ length: HELD_OUT }, () => pair(random, true)),
    };
  },
  config: ({ source, target }) => ({
    model: 'transformer-seq2seq', width: 64, heads: 4, hidden: 128, layers: 2, norm: 'pre', dropout: 0, smoothing: 0,
    units: 'characters', source, target, longest: 10,
  }),
  weights: transformerWeights,
  batch: (data, random) => translationBatch(Array.from({ length: BATCH }, () => {
    const { source, target } = pair(random, false);
    return { source: idsOf(data.source, [...source]), target: idsOf(data.target, [...target]) };
  })),
  loss: transformerLoss,
  rate: schedules.cosine({ rate: 3e-3, warmup: 100, total: STEPS }),
  adamW: { betas: [0.9, 0.98], weightDecay: 0 },
  clip: 1,
  *validate(lab, weights, config, { heldOut }) {
    return { exact: yield* exactShare(heldOut, AT_ONCE, (texts) => translateAll(lab, { config, weights }, texts)) };
  },
  goal: { figure: 'exact', atLeast: 0.99 },
};
