import assert from 'node:assert/strict';
import { ERROR_CODES, HeedError } from '../../js/errors.js';

/**
 * Asserts that a promise or call fails with a HeedError of this code and a message that matches.
 * @param {Promise<unknown> | (() => unknown)} work
 * @param {string} code
 * @param {RegExp} [says]
 */
export async function rejects(work, code, says) {
  /** @type {unknown} */
  let error;
  try {
    await (typeof work === 'function' ? work() : work);
  } catch (thrown) {
    error = thrown;
  }
  assert.ok(error instanceof HeedError, `expected a HeedError ${code}, got ${error}`);
  assert.ok(error.code in ERROR_CODES, error.code);
  assert.equal(error.code, code, error.message);
  if (says) assert.match(error.message, says);
}
