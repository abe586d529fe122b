/** What the sampler makes of a model's logits, by the rules of heed_sampling in src/heed.h, in float64. */

/** @typedef {{ temperature: number, topK: number, topP: number }} Settings */
/**
 * One token's way through the sampler.
 * @typedef {object} Stages
 * @property {number} logit
 * @property {number} scaled  the logit divided by the temperature; Infinity at temperature 0
 * @property {'top-k' | 'top-p' | null} cut  what leaves the token out
 * @property {number} chance  of being drawn, 0..1
 */

export class SamplerStages {
  /** Ids, the likeliest first; of equals the smaller id. */
  #order;
  /** Of each id: its place in #order. */
  #place;
  #logits;

  /** @param {Float32Array} logits [vocabulary] */
  constructor(logits) {
    this.#logits = logits;
    this.#order = Uint32Array.from(logits, (_, id) => id).sort((a, b) => logits[b] - logits[a] || a - b);
    this.#place = new Uint32Array(logits.length);
    this.#order.forEach((id, place) => (this.#place[id] = place));
  }

  /**
   * @param {number[]} ids
   * @param {Settings} settings  topK 0 keeps all
   * @returns {Stages[]} one an id
   */
  of(ids, { temperature, topK, topP }) {
    const [logits, order] = [this.#logits, this.#order];
    const largest = logits[order[0]];
    const weight = (/** @type {number} */ place, divisor = 1) => Math.exp((logits[order[place]] - largest) / divisor);
    const most = topK > 0 ? Math.min(topK, order.length) : order.length;
    const kept = temperature === 0 ? 1 : topP < 1 ? this.#nucleus(most, topP) : most;
    let total = 0;
    for (let place = 0; place < kept; place++) total += temperature === 0 ? 1 : weight(place, temperature);
    return ids.map((id) => {
      const place = this.#place[id];
      const cut = temperature === 0 || place < kept ? null : place < most ? 'top-p' : 'top-k';
      const chance = place >= kept ? 0 : temperature === 0 ? 1 : weight(place, temperature) / total;
      const scaled = temperature === 0 ? Infinity : logits[id] / temperature;
      return { logit: logits[id], scaled, cut, chance };
    });
  }

  /** How many of the likeliest `most` tokens have the probability `topP` together. @param {number} most
   *  @param {number} topP */
  #nucleus(most, topP) {
    const [logits, order] = [this.#logits, this.#order];
    const weight = (/** @type {number} */ place) => Math.exp(logits[order[place]] - logits[order[0]]);
    let total = 0;
    for (let place = 0; place < most; place++) total += weight(place);
    let [sum, kept] = [0, 0];
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
