/** Checks ids of tokens that a caller gives. */
import { HeedError, quoted } from '../errors.js';

/**
 * A checked copy of a caller's ids.
 * @param {ArrayLike<number>} ids
 * @param {number} vocabulary
 * @returns {Int32Array}
 * @throws {HeedError} 'bad-argument' for another value than an array, or for the first number that is not an id
 */
export function idsFrom(ids, vocabulary) {
  if (ids === null || typeof ids !== 'object' || !Number.isInteger(ids.length)) {
    throw new HeedError('bad-argument', `Expected an array of token ids, got ${quoted(ids)}. Call ` +
      'model.encode(text) to get them.');
  }
  for (let i = 0; i < ids.length; i++) {
    const id = ids[i];
    if (Number.isInteger(id) && id >= 0 && id < vocabulary) continue;
    throw new HeedError('bad-argument', `Expected ids from 0 to ${vocabulary - 1}, got ${quoted(id)} as number ${i} ` +
      `of ${ids.length}.`);
  }
  return Int32Array.from(ids);
}

/** @param {number} count  number of ids @throws {HeedError} 'bad-argument' */
export function needIds(count) {
  if (count === 0) throw new HeedError('bad-argument', 'Expected at least one token id, got no ids.');
}

/**
 * The checked ids of a prompt.
 * @param {string | ArrayLike<number>} prompt
 * @param {string | ArrayLike<number>} ids  of the text, if the prompt is a text; else the prompt
 * @param {number} vocabulary
 * @returns {Int32Array} of a text at least one id
 * @throws {HeedError} 'bad-argument'
 */
export function promptIdsOf(prompt, ids, vocabulary) {
  if (ids === null || typeof ids !== 'object' || !Number.isInteger(ids.length)) {
    throw new HeedError('bad-argument', `Expected a prompt as text or as an array of ids, got ${quoted(prompt)}.`);
  }
  if (ids.length > 0 || typeof prompt !== 'string') return idsFrom(ids, vocabulary);
  throw new HeedError(
    'bad-argument',
    'The prompt has no token, and this model has no start token. Give a character of its vocabulary.',
  );
}
