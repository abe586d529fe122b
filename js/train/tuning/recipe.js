/** The recipe of a training that continues from a loaded model, by next-token cross-entropy over a text. */
import { schedules } from '../../lab/index.js';
import { windows } from '../models/causal-lm.js';

/**
 * @typedef {object} Plan
 * @property {string} name
 * @property {number} steps
 * @property {number} rate     largest learning rate
 * @property {number} decay    weight decay of AdamW
 * @property {number} batch    windows of a step
 * @property {number} time     tokens of a window
 * @property {Int32Array} train      ids that batches are drawn from
 * @property {Int32Array} heldOut    ids of the validation
 * @property {{ train: number, heldOut: number }} tokens  number of ids that only learn, and that are only validated
 * @property {number} every    steps between two validations
 */

/** Fraction of the steps in which the rate rises. */
const WARM_UP = 0.05;
/** Most windows of a validation, so that long texts do not take most of the time. */
const MOST_WINDOWS = 32;

/**
 * @param {import('./base.js').Base} base
 * @param {Plan} plan
 * @returns {import('../trainer.js').Recipe<Plan, import('../models/causal-lm.js').Batch, object>}
 */
export const tuningRecipe = (base, plan) => ({
  name: plan.name,
  summary: 'continues from a loaded model',
  steps: plan.steps,
  minutes: 0,
  data: () => plan,
  config: () => ({}),
  weights: () => base.weights,
  batch({ train, batch, time }, random) {
    const starts = Array.from({ length: batch }, () => Math.floor(random() * (train.length - time)));
    return windows(train, starts, time);
  },
  loss: (lab, _, __, { inputs, targets, batch }) => lab.crossEntropy(base.logits(inputs, batch), targets),
  rate: schedules.linear({ rate: plan.rate, warmup: Math.ceil(WARM_UP * plan.steps), total: plan.steps }),
  adamW: { weightDecay: plan.decay },
  clip: 1,
  every: plan.every,
  *validate(lab, _, __, { heldOut, time }) {
    let sum = 0;
    let count = 0;
    for (let from = 0, left = MOST_WINDOWS; from < heldOut.length - 1 && left > 0; from += time, left--) {
      const n = Math.min(time, heldOut.length - 1 - from);
      const inputs = heldOut.subarray(from, from + n);
      const targets = heldOut.subarray(from + 1, from + n + 1);
      sum += n * lab.evaluate(() => lab.crossEntropy(base.logits(inputs, 1), targets).item());
      count += n;
      yield;
    }
    return { heldOut: sum / count };
  },
  goal: { figure: 'heldOut' },
});
