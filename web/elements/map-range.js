/** A rectangle of cells of a map: dragged over with the pointer, or selected with Shift and the arrow keys. */
import { checkCount, checkObject, InputError } from '../draw/check.js';

/** @typedef {import('../draw/view.js').Cell} Cell */
/**
 * Queries and keys from the first number up to, and without, the second.
 * @typedef {{ queries: [from: number, to: number], keys: [from: number, to: number] }} CellRange
 */

export class MapRange {
  /** The first cell, and the cell at the opposite corner. @type {{ from: Cell, to: Cell } | null} */
  #ends = null;

  /** The cell that moves; null if there is no range. */
  get end() {
    return this.#ends && { ...this.#ends.to };
  }

  /** The cells; null if there is no range. @returns {CellRange | null} */
  get cells() {
    return this.#ends && cellsBetween(this.#ends.from, this.#ends.to);
  }

  /** Extends the range, or begins one at `from`. @param {Cell} from @param {Cell} to */
  extend(from, to) {
    this.#ends = { from: this.#ends?.from ?? from, to };
  }

  clear() {
    this.#ends = null;
  }
}

/** @param {Cell} a @param {Cell} b @returns {CellRange} */
export const cellsBetween = (a, b) => ({
  queries: [Math.min(a.query, b.query), Math.max(a.query, b.query) + 1],
  keys: [Math.min(a.key, b.key), Math.max(a.key, b.key) + 1],
});

/**
 * The number of cells that are not masked.
 * @param {CellRange} range
 * @param {(query: number) => number} seen number of keys that a query sees
 */
export function countSeen({ queries, keys }, seen) {
  let count = 0;
  for (let query = queries[0]; query < queries[1]; query++) {
    count += Math.max(0, Math.min(keys[1], seen(query)) - keys[0]);
  }
  return count;
}

/** @param {unknown} ranges @returns {CellRange[]} a copy */
export function checkRanges(ranges) {
  if (!Array.isArray(ranges)) throw new InputError('marked must be an Array of { queries, keys }.');
  return ranges.map((range, at) => {
    const name = `marked[${at}]`;
    const { queries, keys } = checkObject(range, name, '{ queries: [3, 4], keys: [1, 2] }');
    return { queries: checkPair(queries, `${name}.queries`), keys: checkPair(keys, `${name}.keys`) };
  });
}

/** @param {any} pair @param {string} name @returns {[number, number]} */
function checkPair(pair, name) {
  if (!Array.isArray(pair) || pair.length !== 2) throw new InputError(`${name} must be [from, to].`);
  const from = checkCount(pair[0], `${name}[0]`);
  return [from, checkCount(pair[1], `${name}[1]`, from + 1)];
}
