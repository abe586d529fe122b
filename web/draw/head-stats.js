/** What heads do on a text, measured from their own maps. */
import { formatPercent } from './sentence.js';

/** Mean shares of a row's attention. `of` names their order in an array. */
const KINDS = /** @type {const} */ (['previous', 'first', 'self', 'duplicate', 'induction']);
/** The first rows are too short to tell the previous token from the first one. */
const SHORT = 2;
/** Rows with a repeated token from which attention to repeats can be told: of fewer, chance says most. */
const REPEATS = 8;

/**
 * @typedef {object} Habit mean share of a row's attention, 0..1
 * @property {number} previous on the token before
 * @property {number} first on the first token
 * @property {number} self on the token itself
 * @property {number | null} duplicate on earlier tokens of the same text, over rows that have one; null without enough
 * @property {number | null} induction on tokens that followed an earlier token of the same text
 */

export class HeadStats {
  /** [query] sums over rows SHORT..query of [layer · heads + head][kind] @type {Float32Array[]} */
  #sums = [];
  /** [query] rows SHORT..query whose token has an earlier equal one @type {number[]} */
  #repeats = [];
  /** @type {(string | undefined)[]} */
  #tokens = [];
  /** Positions of each text. @type {Map<string, number[]>} */
  #places = new Map();

  /** @param {{ layers: number, heads: number }} shape */
  constructor({ layers, heads }) {
    this.layers = layers;
    this.heads = heads;
  }

  /**
   * @param {{ data: ArrayLike<number>, queries: number, keys: number, firstQuery: number }} rows
   *   data [layer][head][query][key], which follow those taken before
   * @param {string[]} [tokens] of the queries; without them repeats are not measured
   */
  add({ data, queries, keys, firstQuery }, tokens) {
    for (let i = 0; i < queries; i++) {
      const query = firstQuery + i;
      const equal = this.#equalTo(query, tokens?.[i]);
      const before = this.#sums[query - 1];
      const sums = before ? before.slice() : new Float32Array(this.layers * this.heads * KINDS.length);
      if (query >= SHORT) {
        for (let at = 0; at < this.layers * this.heads; at++) {
          const row = (at * queries + i) * keys;
          const to = at * KINDS.length;
          sums[to] += data[row + query - 1];
          sums[to + 1] += data[row];
          sums[to + 2] += data[row + query];
          for (const key of equal) {
            sums[to + 3] += data[row + key];
            if (key + 1 < query) sums[to + 4] += data[row + key + 1];
          }
        }
      }
      this.#sums[query] = sums;
      this.#repeats[query] = (this.#repeats[query - 1] ?? 0) + Number(query >= SHORT && equal.length > 0);
    }
  }

  /** Earlier positions of a text, which is noted. @param {number} query @param {string | undefined} text */
  #equalTo(query, text) {
    this.#tokens[query] = text;
    if (text === undefined) return [];
    const places = this.#places.get(text);
    if (!places) {
      this.#places.set(text, [query]);
      return [];
    }
    places.push(query);
    return places.slice(0, -1);
  }

  /** @param {number} length rows that stay */
  truncate(length) {
    if (length >= this.#sums.length) return;
    for (const text of this.#tokens.splice(length)) {
      if (text === undefined) continue;
      this.#places.set(text, (this.#places.get(text) ?? []).filter((place) => place < length));
    }
    this.#sums.length = length;
    this.#repeats.length = length;
  }

  /**
   * @param {number} layer
   * @param {number} head
   * @returns {Habit | null} null while the text is too short to tell
   */
  of(layer, head) {
    const last = this.#sums.length - 1;
    const rows = last + 1 - SHORT;
    if (rows < SHORT) return null;
    const at = (layer * this.heads + head) * KINDS.length;
    const [previous, first, self, duplicate, induction] = this.#sums[last].subarray(at, at + KINDS.length);
    const repeats = this.#repeats[last];
    const told = repeats >= REPEATS;
    return { previous: previous / rows, first: first / rows, self: self / rows,
      duplicate: told ? duplicate / repeats : null, induction: told ? induction / repeats : null };
  }

  /**
   * The head that looks most at the token before: the habit that is easiest to see.
   * @returns {{ layer: number, head: number } | null}
   */
  strongestPreviousTokenHead() {
    /** @type {{ layer: number, head: number } | null} */
    let best = null;
    let most = 0;
    for (let layer = 0; layer < this.layers; layer++) {
      for (let head = 0; head < this.heads; head++) {
        const share = this.of(layer, head)?.previous ?? 0;
        if (share > most) [best, most] = [{ layer, head }, share];
      }
    }
    return best;
  }
}

/** A habit has a name from this mean share on: many times what an even spread would give. */
const NOTABLE = 0.25;
/** From this mean share on, the first token hides what else a head does. */
const SINK = 0.5;

/** Whether most attention rests on the first token. @param {Habit | null} habit */
export const isSink = (habit) => habit !== null && habit.first >= SINK;

/**
 * Letter and name of each habit, the most telling first.
 * @type {[kind: typeof KINDS[number], letter: string, name: string][]}
 */
export const HEAD_TYPES = [
  ['induction', 'I', 'what followed the same token before (induction)'],
  ['duplicate', 'D', 'the same token before'],
  ['previous', 'P', 'the previous token'],
  ['self', 'S', 'the token itself'],
  ['first', 'F', 'the first token'],
];

/**
 * HeadStats of a head that are worth a name, the most telling first.
 * @param {Habit | null} habit
 */
export const notableTypes = (habit) => HEAD_TYPES.filter(([kind]) => (habit?.[kind] ?? 0) >= NOTABLE);

/**
 * “the previous token 43 %, the first token 31 %”; '' where a head has no single habit.
 * @param {Habit | null} habit
 */
export const describeScores = (habit) =>
  notableTypes(habit).map(([kind, , name]) => `${name} ${formatPercent(habit?.[kind] ?? 0)}`).join(', ');
