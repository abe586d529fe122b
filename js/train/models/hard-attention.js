/**
 * Hard attention: a query takes the value of one key (Xu et al. 2015, arXiv:1502.03044, section 4.1). The choice has no
 * derivative. Training draws the key from the weights, and estimates the gradient of the expected loss from the draws
 * (REINFORCE, Williams 1992).
 */
import { logSoftmax } from '../../softmax.js';

/**
 * @typedef {import('../../lab/index.js').Lab} Lab
 * @typedef {import('../../lab/index.js').Tensor} Tensor
 * @typedef {(weights: Float32Array) => number} Choice  index of the chosen key, from the weights of one query
 */

/** Takes the key with the largest weight. @type {Choice} */
export const largestWeight = (weights) => weights.indexOf(Math.max(...weights));

/** Draws a key with the probability of its weight. @param {() => number} random @returns {Choice} */
export const drawnBy = (random) => (weights) => {
  let rest = random();
  const at = weights.findIndex((weight) => (rest -= weight) < 0);
  return at < 0 ? largestWeight(weights) : at; // rounding may leave a sum below the random number
};

/** The edit of patterns that gives the whole weight of a row to one key.
 *  @param {Lab} lab @param {Choice} choice @returns {import('./cuts.js').PatternEdit} */
export const hardened = (lab, choice) => (pattern) => {
  const keys = pattern.place.columns;
  const data = new Float32Array(pattern.data.length);
  for (let from = 0; from < data.length; from += keys) {
    data[from + choice(pattern.data.subarray(from, from + keys))] = 1;
  }
  return lab.tensor(data, pattern.axes.sizes);
};

/**
 * The number 0, with an estimate of the gradient of the expected loss with respect to the scores. The estimate is the
 * sum over rows of advantage · ∂(log α of the chosen key)/∂scores.
 * @param {Lab} lab
 * @param {Tensor} scores       scores before the softmax, […][key]
 * @param {Tensor} chosen       1 for the chosen key of each row, 0 elsewhere, the shape of scores
 * @param {Float64Array} advantages  loss that follows each row minus its expected value
 */
export function choiceLoss(lab, scores, chosen, advantages) {
  const keys = scores.place.columns;
  const slopes = new Float32Array(scores.data.length);
  advantages.forEach((advantage, row) => {
    const from = row * keys;
    const logs = logSoftmax(scores.data.subarray(from, from + keys));
    logs.forEach((log, key) => { slopes[from + key] = advantage * (chosen.data[from + key] - Math.exp(log)); });
  });
  const sum = lab.sum(lab.mul(scores, lab.tensor(slopes, scores.axes.sizes)));
  return lab.scale(sum, 1, -sum.item());
}

/**
 * The loss of each symbol and all later ones, minus the mean of the other samples of the same sequence. Symbols before
 * a choice do not depend on it.
 * @param {Tensor} logits       [sample·sequence][time][symbol]
 * @param {Int32Array} wanted   [sample·sequence][time]
 * @param {number} ignore       id of symbols without loss
 * @param {number} samples      number of samples of each sequence, at least 2
 * @returns {Float64Array} [sample·sequence·time]
 */
export function advantagesOf(logits, wanted, ignore, samples) {
  const [rows, time, symbols] = logits.axes.sizes;
  const later = new Float64Array(rows * time);
  for (let at = rows * time - 1; at >= 0; at--) {
    const logs = logSoftmax(logits.data.subarray(at * symbols, (at + 1) * symbols));
    const own = wanted[at] === ignore ? 0 : -logs[wanted[at]];
    later[at] = own + ((at + 1) % time === 0 ? 0 : later[at + 1]);
  }
  const stride = (rows / samples) * time;
  return later.map((loss, at) => {
    let others = -loss;
    for (let other = at % stride; other < later.length; other += stride) others += later[other];
    return loss - others / (samples - 1);
  });
}
