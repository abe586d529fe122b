/** The loaded rows of one map. */

/**
 * Consecutive rows of a map.
 * @typedef {object} RowBlock
 * @property {Float32Array | Float64Array} data [queries][keys] attention weights
 * @property {number} queries number of rows
 * @property {number} keys number of columns
 * @property {number} firstQuery position of the first row
 */

/**
 * @typedef {object} Row
 * @property {Float32Array} weights [keys]; in a causal map only the keys up to the query
 * @property {number} max the largest weight; of differences, the largest size
 * @property {number} maxAfterFirst the largest weight except that of the first token
 */

/** Most weights kept: 16 MB, or all rows of 2,800 tokens. Of longer texts, the rows nearest to the window are kept. */
export const ROW_NUMBERS_LIMIT = 4 << 20;

export class Rows {
  /** @type {Map<number, Row>} */
  #rows = new Map();
  #numbers = 0;

  /** @param {{ causal?: boolean }} [options] causal: a query attends only to itself and earlier keys, default true */
  constructor({ causal = true } = {}) {
    this.causal = causal;
  }

  /** Number of keys that are visible to a query. @param {number} query @param {number} keys number of all keys */
  seen(query, keys) {
    return this.causal ? Math.min(keys, query + 1) : keys;
  }

  /** Adds rows. The data is copied. @param {RowBlock} block */
  add({ data, queries, keys, firstQuery }) {
    for (let i = 0; i < queries; i++) {
      const query = firstQuery + i;
      const weights = new Float32Array(data.subarray(i * keys, i * keys + this.seen(query, keys)));
      let maxAfterFirst = 0;
      for (let key = 1; key < weights.length; key++) maxAfterFirst = Math.max(maxAfterFirst, Math.abs(weights[key]));
      this.#numbers += weights.length - (this.#rows.get(query)?.weights.length ?? 0);
      this.#rows.set(query, { weights, max: Math.max(maxAfterFirst, Math.abs(weights[0] ?? 0)), maxAfterFirst });
    }
  }

  /** One row; undefined if it is not loaded. @param {number} query */
  get(query) {
    return this.#rows.get(query);
  }

  /** The loaded rows by query. */
  entries() {
    return this.#rows.entries();
  }

  /** Number of loaded rows. */
  get size() {
    return this.#rows.size;
  }

  /**
   * The smallest range that contains every missing row of [from, to), or null.
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
   * The largest weight of the loaded rows.
   * @param {boolean} leaveFirstOut ignore weights on the first token
   */
  max(leaveFirstOut) {
    let max = 0;
    for (const row of this.#rows.values()) max = Math.max(max, leaveFirstOut ? row.maxAfterFirst : row.max);
    return max;
  }

  /**
   * Drops the rows from position `length` on.
   * @param {number} length
   */
  truncate(length) {
    for (const query of this.#rows.keys()) if (query >= length) this.#drop(query);
  }

  /**
   * Drops the rows farthest from [from, to) until the rest fits in ROW_NUMBERS_LIMIT.
   * @param {number} from
   * @param {number} to
   */
  prune(from, to) {
    if (this.#numbers <= ROW_NUMBERS_LIMIT) return;
    const distance = (/** @type {number} */ query) => Math.max(from - query, query - to + 1, 0);
    const farFirst = [...this.#rows.keys()].sort((a, b) => distance(b) - distance(a));
    for (const query of farFirst) {
      if (this.#numbers <= ROW_NUMBERS_LIMIT || distance(query) === 0) return;
      this.#drop(query);
    }
  }

  /** @param {number} query */
  #drop(query) {
    this.#numbers -= this.#rows.get(query)?.weights.length ?? 0;
    this.#rows.delete(query);
  }
}

/**
 * The attention of one token, averaged over all heads of all layers.
 * @param {{ data: Float32Array, layers: number, heads: number, queries: number, keys: number }} rows
 *   data [layers][heads][queries][keys]; only the first query is used
 * @returns {Float32Array} [keys]
 */
export function meanOverHeads({ data, layers, heads, queries, keys }) {
  const mean = new Float32Array(keys);
  for (let at = 0; at < layers * heads; at++) {
    const row = data.subarray(at * queries * keys, at * queries * keys + keys);
    for (let key = 0; key < keys; key++) mean[key] += row[key] / (layers * heads);
  }
  return mean;
}
