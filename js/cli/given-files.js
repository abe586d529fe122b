// Files that flags name.  Their errors name the flag.
import { readFileSync, writeFileSync } from 'node:fs';
import { HeedError } from '../errors.js';

/** @param {string} flag @param {string} path @returns {Buffer} @throws {HeedError} 'unavailable' */
export const readGiven = (flag, path) => tried(`--${flag} ${path} could not be read`, () => readFileSync(path));

/** @param {string} flag @param {string} path @returns {string} @throws {HeedError} 'unavailable' */
export const textOf = (flag, path) => readGiven(flag, path).toString();

/** @param {string} flag @param {string} path @param {string | Uint8Array} content @throws {HeedError} 'unavailable' */
export const writeGiven = (flag, path, content) =>
  tried(`--${flag} ${path} could not be written`, () => writeFileSync(path, content));

/** @template T @param {string} problem @param {() => T} work @returns {T} */
function tried(problem, work) {
  try {
    return work();
  } catch (cause) {
    throw new HeedError('unavailable', `${problem} (${/** @type {Error} */ (cause).message}). Give the path of a file.`,
      { cause });
  }
}
