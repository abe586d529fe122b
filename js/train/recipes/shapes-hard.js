/** The captioner of shapes with hard attention: one patch for each word. It begins with the weights of `shapes`. */
import { fromSafetensors, randomFrom, schedules } from '../../lab/index.js';
import { captionerWeights } from '../models/captioner.js';
import soft from './shapes.js';

/** @typedef {import('../models/captioner.js').CaptionerConfig} CaptionerConfig */
/** @typedef {import('../models/captioner.js').PictureBatch} PictureBatch */
/** @typedef {{ target: string[], start: Record<string, { data: Float32Array }> }} Data */

const STEPS = 2000;
const START = 'shapes.safetensors';

/** @type {import('../trainer.js').Recipe<Data, PictureBatch, CaptionerConfig>} */
export default {
  ...soft,
  name: 'shapes-hard',
  summary: 'the same with hard attention: one patch for each word, trained by drawing patches (Xu et al. 2015)',
  steps: STEPS,
  minutes: 8,
  files: [{ name: START, what: 'the captioner with soft attention', from: 'heed train shapes' }],
  data: async (files) => ({ ...await soft.data({}), start: (await fromSafetensors(files[START], START)).tensors }),
  config: (data) => ({ ...soft.config(data), attention: 'hard' }),
  weights(lab, config, { start }) {
    const all = captionerWeights(lab, config);
    for (const [name, weight] of Object.entries(all)) weight.set(start[name].data);
    return all;
  },
  batch: (data, random, step) =>
    ({ ...soft.batch(data, random, step), random: randomFrom(Math.floor(random() * 2 ** 32)) }),
  rate: schedules.cosine({ rate: 2e-3, warmup: 50, total: STEPS }),
  every: 500,
  storage: 'F16',
  goal: { figure: 'exact', atLeast: 0.95 },
};
