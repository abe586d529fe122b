/** The stages of the sampler for each token, in float64, by the rules of heed_sampling in src/heed.h. */
import { logSumExp } from '../../js/softmax.js';
import { indicesOfLargest } from '../draw/largest.js';

/** @typedef {{ temperature: number, topK: number, topP: number, repeatPenalty: number }} Settings */
/**
 * The stages of one token.
 * @typedef {object} Stages
 * @property {number} logit
 * @property {number} scaled the logit after the repeat penalty, divided by the temperature; Infinity at temperature 0
 * @property {'top-k' | 'top-p' | null} cut the setting that removes the token
 * @property {number} chance probability of being sampled, 0 to 1
 */

export class SamplerStages {
  #logits;
  #seen;
  /** The logits after the penalty. @type {Ranking} */
  #ranking;
  #penalty = 1;

  /**
   * @param {Float32Array} logits [vocabulary]
   * @param {Iterable<number>} [seen] ids before this token, to which the repeat penalty applies
   */
  constructor(logits, seen = []) {
    this.#logits = logits;
    this.#seen = new Set(seen);
    this.#ranking = new Ranking(logits);
  }

  /**
   * The stages of some tokens.
   * @param {number[]} ids
   * @param {Settings} settings topK 0 and topP 1 keep all tokens
   * @returns {Stages[]} [ids]
   */
  of(ids, { temperature, topK, topP, repeatPenalty }) {
    this.#penalize(repeatPenalty);
    const { logits, order, rank: rankOf } = this.#ranking;
    const weight = (/** @type {number} */ rank) => Math.exp((logits[order[rank]] - logits[order[0]]) / temperature);
    const most = topK > 0 ? Math.min(topK, order.length) : order.length;
    const kept = temperature === 0 ? 1 : topP < 1 ? this.#ranking.nucleus(most, topP) : most;
    let total = 0;
    for (let rank = 0; rank < kept; rank++) total += temperature === 0 ? 1 : weight(rank);
    return ids.map((id) => {
      const rank = rankOf[id];
      const cut = temperature === 0 || rank < kept ? null : rank < most ? 'top-p' : 'top-k';
      const chance = rank >= kept ? 0 : temperature === 0 ? 1 : weight(rank) / total;
      const scaled = temperature === 0 ? Infinity : logits[id] / temperature;
      return { logit: this.#logits[id], scaled, cut, chance };
    });
  }

  /** Divides positive logits of the ids seen, and multiplies negative ones (Keskar et al. 2019).
   *  @param {number} penalty */
  #penalize(penalty) {
    if (penalty === this.#penalty) return;
    const logits = this.#logits.slice();
    for (const id of this.#seen) logits[id] = logits[id] > 0 ? logits[id] / penalty : logits[id] * penalty;
    this.#ranking = new Ranking(logits);
    this.#penalty = penalty;
  }
}

/** Logits and their ranks. */
class Ranking {
  /** @param {Float32Array} logits [vocabulary] */
  constructor(logits) {
    this.logits = logits;
    this.order = orderOf(logits);
    /** [vocabulary] index of each id in `order`. */
    this.rank = new Uint32Array(logits.length);
    for (let rank = 0; rank < logits.length; rank++) this.rank[this.order[rank]] = rank;
  }

  /**
   * The number of most likely tokens whose probabilities sum to `topP`, out of the `most` most likely tokens.
   * @param {number} most
   * @param {number} topP
   */
  nucleus(most, topP) {
    const { logits, order } = this;
    const weight = (/** @type {number} */ rank) => Math.exp(logits[order[rank]] - logits[order[0]]);
    let total = 0;
    for (let rank = 0; rank < most; rank++) total += weight(rank);
    let sum = 0;
    let kept = 0;
    while (kept < most && sum < topP * total) sum += weight(kept++);
    return kept;
  }
}

/**
 * Ids by decreasing logit, then by id. The keys of the sort are numbers that contain logit and id. A function that
 * compares logits would block the page for 100 ms in a large vocabulary.
 * @param {Float32Array} logits [vocabulary] at most 2²¹ numbers, so that keys are exact
 * @returns {Uint32Array} [vocabulary]
 */
function orderOf(logits) {
  const { length } = logits;
  const bits = new Uint32Array(logits.map((logit) => logit + 0).buffer); // −0 becomes 0
  const keys = new Float64Array(length);
  for (let id = 0; id < length; id++) {
    // The bits of a positive number grow with the number, the bits of a negative number with its size.
    const descending = bits[id] >>> 31 ? bits[id] : 0x7fffffff - bits[id];
    keys[id] = descending * length + id;
  }
  keys.sort();
  const order = new Uint32Array(length);
  for (let rank = 0; rank < length; rank++) order[rank] = keys[rank] % length;
  return order;
}

/**
 * The tokens with the highest logits.
 * @param {Float32Array} logits [vocabulary]
 * @param {number} count
 * @returns {{ id: number, logprob: number }[]} the most likely first
 */
export function topTokens(logits, count) {
  const sum = logSumExp(logits);
  return indicesOfLargest(logits, count).map((id) => ({ id, logprob: logits[id] - sum }));
}

/** The log probability of a token. @param {Float32Array} logits [vocabulary] @param {number} id */
export const logprobOf = (logits, id) => logits[id] - logSumExp(logits);
