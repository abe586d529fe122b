/** Checks ids of tokens that a caller gives. */
import { HeedError, quoted } from '../errors.js';

/**
 * A checked copy of a caller's ids.
 * @param {ArrayLike<number>} ids
 * @param {number} vocabulary
 * @returns {Int32Array}
 * @throws {HeedError} 'bad-argument' for the first value that is not an id
 */
export function idsFrom(ids, vocabulary) {
  for (let i = 0; i < ids.length; i++) {
    const id = ids[i];
    if (Number.isInteger(id) && id >= 0 && id < vocabulary) continue;
    throw new HeedError('bad-argument', `Expected ids from 0 to ${vocabulary - 1}, got ${quoted(id)} as number ${i} ` +
      `of ${ids.length}.`);
  }
  return Int32Array.from(ids);
}
