/** Translates English to Spanish, word by word, with a Transformer of two encoder and two decoder layers. */
import { schedules } from '../../lab/index.js';
import { transformerLoss, transformerWeights } from '../models/transformer-seq2seq.js';
import { ARCHIVE, LONGEST, drawBatch, heldOutLoss, spaEng } from '../tasks/spa-eng.js';

/**
 * @typedef {import('../models/transformer-seq2seq.js').TransformerConfig} TransformerConfig
 * @typedef {import('../tasks/vocabulary.js').TranslationBatch} TranslationBatch
 * @typedef {import('../tasks/spa-eng.js').SpaEng} SpaEng
 */

const STEPS = 3000;
const BATCH = 64;

/** @type {import('../trainer.js').Recipe<SpaEng, TranslationBatch, TransformerConfig>} */
export default {
  name: 'spa-eng-transformer',
  summary: 'short English sentences to Spanish: a Transformer with two encoder and two decoder layers',
  steps: STEPS,
  minutes: 10,
  files: [ARCHIVE],
  data: (files) => spaEng(files[ARCHIVE.name]),
  // With norms before each layer the full learning rate works at once. Norms after each layer would need a long warm-up
  // (Xiong et al. 2020, arXiv:2002.04745), which takes too many steps of this short training.
  config: ({ source, target }) => ({
    model: 'transformer-seq2seq', width: 96, heads: 4, hidden: 192, layers: 2, norm: 'pre', dropout: 0.1,
    smoothing: 0.1, units: 'words', source, target, longest: LONGEST.target + 2,
  }),
  weights: transformerWeights,
  batch: (data, random) => drawBatch(data, random, BATCH),
  loss: transformerLoss,
  rate: schedules.cosine({ rate: 2e-3, warmup: 200, total: STEPS }),
  adamW: { betas: [0.9, 0.98], weightDecay: 0.01, decays: ({ axes }) => axes.sizes.length > 1 },
  clip: 1,
  every: 300,
  *validate(lab, weights, config, data) {
    return { loss: yield* heldOutLoss(data, (batch) =>
      lab.evaluate(() => transformerLoss(lab, weights, config, batch, { smoothing: 0 }).item())) };
  },
  storage: 'F16',
  goal: { figure: 'loss', atMost: 1.2 },
};
