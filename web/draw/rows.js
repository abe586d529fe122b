/** The rows of one map that are known so far. */

/**
 * Rows of a map: weights of `queries` tokens, the first of them at position `firstQuery`, over `keys` tokens.
 * @typedef {object} RowBlock
 * @property {Float32Array | Float64Array} data [query][key]
 * @property {number} queries
 * @property {number} keys
 * @property {number} firstQuery
 */

/**
 * @typedef {object} Row
 * @property {Float32Array} weights [key], in a causal map keys 0..query: what comes later is masked
 * @property {number} max the largest weight
 * @property {number} maxAfterFirst the largest weight on any token but the first
 */

/** Numbers kept at most: 16 MB, every row of 2,800 tokens; of longer texts those nearest to what is on the screen. */
export const ROW_NUMBERS_LIMIT = 4 << 20;

export class Rows {
  /** @type {Map<number, Row>} */
  #rows = new Map();
  #numbers = 0;

  /** @param {{ causal?: boolean }} [options] whether tokens see only themselves and what came before */
  constructor({ causal = true } = {}) {
    this.causal = causal;
  }

  /** Keys from 0 on that a query may see, of so many. @param {number} query @param {number} keys */
  seen(query, keys) {
    return this.causal ? Math.min(keys, query + 1) : keys;
  }

  /** @param {RowBlock} block copied: the caller may change or transfer its buffer */
  add({ data, queries, keys, firstQuery }) {
    for (let i = 0; i < queries; i++) {
      const query = firstQuery + i;
      const weights = new Float32Array(data.subarray(i * keys, i * keys + this.seen(query, keys)));
      let maxAfterFirst = 0;
      for (let key = 1; key < weights.length; key++) maxAfterFirst = Math.max(maxAfterFirst, weights[key]);
      this.#numbers += weights.length - (this.#rows.get(query)?.weights.length ?? 0);
      this.#rows.set(query, { weights, max: Math.max(maxAfterFirst, weights[0] ?? 0), maxAfterFirst });
    }
  }

  /** @param {number} query */
  get(query) {
    return this.#rows.get(query);
  }

  get size() {
    return this.#rows.size;
  }

  /**
   * The smallest range that holds every unknown row of [from, to), or null.
   * @param {number} from
   * @param {number} to
   * @returns {[from: number, to: number] | null}
   */
  missing(from, to) {
    while (from < to && this.#rows.has(from)) from++;
    while (to > from && this.#rows.has(to - 1)) to--;
    return from < to ? [from, to] : null;
  }

  /**
   * The largest weight of the known rows.
   * @param {boolean} leaveFirstOut not counting weights on the first token
   */
  max(leaveFirstOut) {
    let max = 0;
    for (const row of this.#rows.values()) max = Math.max(max, leaveFirstOut ? row.maxAfterFirst : row.max);
    return max;
  }

  /**
   * Forgets rows from position `length` on.
   * @param {number} length
   */
  truncate(length) {
    for (const query of this.#rows.keys()) if (query >= length) this.#forget(query);
  }

  /**
   * Forgets the rows farthest from [from, to) while there is more than memory is meant for.
   * @param {number} from
   * @param {number} to
   */
  prune(from, to) {
    if (this.#numbers <= ROW_NUMBERS_LIMIT) return;
    const distance = (/** @type {number} */ query) => Math.max(from - query, query - to + 1, 0);
    const farFirst = [...this.#rows.keys()].sort((a, b) => distance(b) - distance(a));
    for (const query of farFirst) {
      if (this.#numbers <= ROW_NUMBERS_LIMIT || distance(query) === 0) return;
      this.#forget(query);
    }
  }

  /** @param {number} query */
  #forget(query) {
    this.#numbers -= this.#rows.get(query)?.weights.length ?? 0;
    this.#rows.delete(query);
  }
}

/**
 * Every head's row of one token, averaged.
 * @param {{ data: Float32Array, layers: number, heads: number, queries: number, keys: number }} rows
 *   data [layer][head][query][key]; the first query is taken
 * @returns {Float32Array} [key]
 */
export function meanOverHeads({ data, layers, heads, queries, keys }) {
  const mean = new Float32Array(keys);
  for (let at = 0; at < layers * heads; at++) {
    const row = data.subarray(at * queries * keys, at * queries * keys + keys);
    for (let key = 0; key < keys; key++) mean[key] += row[key] / (layers * heads);
  }
  return mean;
}
