/** Ranges of positions, keys, columns and rows, which calls take as [from, to]. */
import { HeedError, quoted } from './errors.js';
import { needArray } from './options.js';

/** A checked range.
 *  @param {string} name @param {number} size  end of the largest range @param {any} [range]  default: the largest
 *  @param {string} [place]  end of the name, for messages @param {number} [least]  smallest length of the range
 *  @returns {[from: number, to: number]} from ≤ number < to
 *  @throws {HeedError} 'bad-argument' */
export function needRange(name, size, range = [0, size], place = '', least = 1) {
  needArray(name, range, 'two numbers, [from, to]');
  const [from, to] = range;
  if (range.length === 2 && range.every(Number.isInteger) && from >= 0 && from + least <= to && to <= size) {
    return range;
  }
  throw new HeedError('bad-argument', `Expected ${name} [from, to]${place} with 0 ≤ from ${least ? '<' : '≤'} to ≤ ` +
    `${size}, got ${quoted(range)}.`);
}
