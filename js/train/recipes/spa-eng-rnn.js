/** Common part of the recipes for recurrent translators of English to Spanish, word by word. */
import { schedules } from '../../lab/index.js';
import { rnnLoss, rnnWeights } from '../models/rnn-seq2seq.js';
import { ARCHIVE, LONGEST, drawBatch, heldOutLoss, spaEng } from '../tasks/spa-eng.js';

/**
 * @typedef {import('../models/rnn-seq2seq.js').RnnConfig} RnnConfig
 * @typedef {import('../tasks/vocabulary.js').TranslationBatch} TranslationBatch
 * @typedef {import('../tasks/spa-eng.js').SpaEng} SpaEng
 */

const STEPS = 1200;
const BATCH = 64;

/**
 * @param {{ name: string, summary: string, atMost: number } & Pick<RnnConfig, 'attention' | 'score'>} settings
 *   atMost: goal of the held-out loss
 * @returns {import('../trainer.js').Recipe<SpaEng, TranslationBatch, RnnConfig>}
 */
export const spaEngRecipe = ({ name, summary, atMost, attention, score }) => ({
  name,
  summary,
  steps: STEPS,
  minutes: 8,
  files: [ARCHIVE],
  data: (files) => spaEng(files[ARCHIVE.name]),
  config: ({ source, target }) => ({
    model: 'rnn-seq2seq', attention, score, embedding: 48, hidden: 48, dropout: 0.1,
    units: 'words', source, target, longest: LONGEST.target + 2,
  }),
  weights: rnnWeights,
  batch: (data, random) => drawBatch(data, random, BATCH),
  loss: rnnLoss,
  rate: schedules.cosine({ rate: 5e-3, warmup: 50, total: STEPS }),
  adamW: { weightDecay: 0 },
  clip: 1,
  every: 300,
  *validate(lab, weights, config, data) {
    return { loss: yield* heldOutLoss(data, (batch) =>
      lab.evaluate(() => rnnLoss(lab, weights, config, batch).item())) };
  },
  storage: 'F16',
  goal: { figure: 'loss', atMost },
});
