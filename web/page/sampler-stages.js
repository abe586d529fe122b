/** What the sampler makes of a model's logits, by the rules of heed_sampling in src/heed.h, in float64. */

/** @typedef {{ temperature: number, topK: number, topP: number, repeatPenalty: number }} Settings */
/**
 * One token's way through the sampler.
 * @typedef {object} Stages
 * @property {number} logit
 * @property {number} scaled  the logit after the repeat penalty, divided by the temperature; Infinity at temperature 0
 * @property {'top-k' | 'top-p' | null} cut  the setting that removes the token
 * @property {number} chance  probability that the token is drawn
 */

export class SamplerStages {
  #logits;
  #seen;
  /** Logits after the penalty, and their order. @type {Ranking} */
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
   * @param {number[]} ids
   * @param {Settings} settings  topK 0 keeps all
   * @returns {Stages[]} one an id
   */
  of(ids, { temperature, topK, topP, repeatPenalty }) {
    this.#penalize(repeatPenalty);
    const { logits, order, place: placeOf } = this.#ranking;
    const weight = (/** @type {number} */ place) => Math.exp((logits[order[place]] - logits[order[0]]) / temperature);
    const most = topK > 0 ? Math.min(topK, order.length) : order.length;
    const kept = temperature === 0 ? 1 : topP < 1 ? this.#ranking.nucleus(most, topP) : most;
    let total = 0;
    for (let place = 0; place < kept; place++) total += temperature === 0 ? 1 : weight(place);
    return ids.map((id) => {
      const place = placeOf[id];
      const cut = temperature === 0 || place < kept ? null : place < most ? 'top-p' : 'top-k';
      const chance = place >= kept ? 0 : temperature === 0 ? 1 : weight(place) / total;
      const scaled = temperature === 0 ? Infinity : logits[id] / temperature;
      return { logit: this.#logits[id], scaled, cut, chance };
    });
  }

  /** @param {number} penalty divides positive logits of the ids seen and multiplies the others (Keskar et al. 2019) */
  #penalize(penalty) {
    if (penalty === this.#penalty) return;
    const logits = this.#logits.slice();
    for (const id of this.#seen) logits[id] = logits[id] > 0 ? logits[id] / penalty : logits[id] * penalty;
    this.#ranking = new Ranking(logits);
    this.#penalty = penalty;
  }
}

/** Logits in the order of the sampler. */
class Ranking {
  /** @param {Float32Array} logits [vocabulary] */
  constructor(logits) {
    this.logits = logits;
    /** Ids, the likeliest first; the smaller id first where logits are equal. */
    this.order = Uint32Array.from(logits, (_, id) => id).sort((a, b) => logits[b] - logits[a] || a - b);
    /** Index of each id in `order`. */
    this.place = new Uint32Array(logits.length);
    this.order.forEach((id, place) => (this.place[id] = place));
  }

  /**
   * @param {number} most @param {number} topP
   * @returns {number} how many of the `most` likeliest tokens have the probability `topP` together
   */
  nucleus(most, topP) {
    const { logits, order } = this;
    const weight = (/** @type {number} */ place) => Math.exp(logits[order[place]] - logits[order[0]]);
    let total = 0;
    for (let place = 0; place < most; place++) total += weight(place);
    let sum = 0;
    let kept = 0;
    while (kept < most && sum < topP * total) sum += weight(kept++);
    return kept;
  }
}

/**
 * @param {Float32Array} logits [vocabulary]
 * @param {number} count
 * @returns {{ id: number, logprob: number }[]} the likeliest first
 */
export function likeliest(logits, count) {
  /** @type {number[]} */
  const ids = [];
  logits.forEach((logit, id) => {
    if (ids.length === count && logit <= logits[ids[count - 1]]) return;
    let at = ids.length;
    while (at > 0 && logit > logits[ids[at - 1]]) at--;
    ids.splice(at, 0, id);
    ids.length = Math.min(ids.length, count);
  });
  const sum = logSum(logits);
  return ids.map((id) => ({ id, logprob: logits[id] - sum }));
}

/** @param {Float32Array} logits [vocabulary] @param {number} id */
export const logprobIn = (logits, id) => logits[id] - logSum(logits);

/** @param {Float32Array} logits [vocabulary] */
function logSum(logits) {
  const largest = logits.reduce((a, b) => Math.max(a, b));
  return largest + Math.log(logits.reduce((sum, logit) => sum + Math.exp(logit - largest), 0));
}
