/** Settings of a file: each is applied, is harmless, or is an error. */
import { HeedError, quoted } from '../errors.js';

/**
 * How a setting is handled.  applied: it becomes part of the configuration.  harmless: it does not affect the forward
 * pass.  only: the values that heed computes.
 * @typedef {'applied' | 'harmless' | { only: readonly unknown[] }} Fate
 */

/** The same handling for several keys.
 *  @param {Fate} fate @param {string} keys  separated by spaces @returns {Record<string, Fate>} */
export const all = (fate, keys) => Object.fromEntries(keys.trim().split(/\s+/).map((key) => [key, fate]));

/** @param {unknown[]} values @returns {Fate} */
export const only = (...values) => ({ only: values });

/**
 * Checks one setting.
 * @param {string} key  as in the file
 * @param {unknown} value
 * @param {Fate} fate
 * @param {string} name  name of the file
 * @throws {HeedError} 'unsupported' for a value that would change the result
 */
export function checkSetting(key, value, fate, name) {
  if (typeof fate === 'string' || fate.only.some((allowed) => same(value, allowed))) return;
  const allowed = fate.only.map((one) => JSON.stringify(one)).join(' or ');
  throw new HeedError('unsupported', `${quoted(name)} sets ${quoted(key)} to ${quoted(written(value))}, which ` +
    `changes the result in a way that heed does not compute${allowed && `; it supports only ${allowed}`}.`);
}

/** Whether a setting is off: false, zero, empty, or an array of such values.
 *  @param {unknown} value @returns {boolean} */
export function isOff(value) {
  if (value === null || value === undefined || value === '' || value === false) return true;
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value) === 0;
  if (Array.isArray(value) || ArrayBuffer.isView(value)) return [.../** @type {any} */ (value)].every(isOff);
  return false;
}

/** @param {unknown} value @param {unknown} allowed */
function same(value, allowed) {
  if (typeof value === 'number' && typeof allowed === 'number') return Math.fround(value) === Math.fround(allowed);
  if (typeof value === 'bigint') return Number(value) === allowed;
  return JSON.stringify(value) === JSON.stringify(allowed);
}

/** @param {unknown} value */
const written = (value) => (typeof value === 'bigint' ? String(value) : JSON.stringify(value) ?? String(value));
