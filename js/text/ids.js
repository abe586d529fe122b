import { HeedError, quoted } from '../errors.js';

/**
 * Ids that a caller hands in, as a copy.
 * @param {ArrayLike<number>} ids
 * @param {number} vocabulary
 * @returns {Int32Array}
 * @throws {HeedError} 'bad-argument' with the first that is no token; what lies past the end of a list is `undefined`
 */
export function idsFrom(ids, vocabulary) {
  for (let i = 0; i < ids.length; i++) {
    const id = ids[i];
    if (Number.isInteger(id) && id >= 0 && id < vocabulary) continue;
    throw new HeedError('bad-argument', `Id ${quoted(id)}, number ${i} of ${ids.length}, is not in the vocabulary of ` +
      `${vocabulary}.`);
  }
  return Int32Array.from(ids);
}
