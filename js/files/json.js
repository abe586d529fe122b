import { HeedError, quoted } from '../errors.js';
import { isSource, openSource } from './source.js';
import { readAll } from './stream.js';

/** @typedef {import('./source.js').Source} Source */

/**
 * A JSON file, or what it would parse to.
 * @param {Source | object} source
 * @param {{ limit: number, what: string, signal?: AbortSignal | null }} options  limit: bytes; what: for sentences
 * @returns {Promise<{ json: unknown, name: string }>}
 * @throws {HeedError} 'bad-file', 'too-large' and those of the source
 */
export async function readJson(source, { limit, what, signal }) {
  if (!isSource(source)) return { json: source, name: what };
  const file = openSource(source);
  return { json: parseJson(await readAll(file, limit, what, signal), file.name, what), name: file.name };
}

/**
 * @param {Uint8Array} bytes
 * @param {string} name of the file
 * @param {string} what it should be
 * @returns {any}
 * @throws {HeedError} 'bad-file'
 */
export function parseJson(bytes, name, what) {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    throw new HeedError('bad-file', `${quoted(name)} should be ${what}, but is no JSON.`, { cause: error });
  }
}
