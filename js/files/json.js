/** Reads JSON files with a limit on their bytes, and with errors that name the file. */
import { HeedError, quoted } from '../errors.js';
import { isSource, openSource } from './source.js';
import { readAll } from './stream.js';

/** @typedef {import('./source.js').Source} Source */

/**
 * Reads a JSON file; a parsed value passes unchanged.
 * @param {Source | object} source
 * @param {{ limit: number, what: string, signal?: AbortSignal | null }} options  limit: bytes; what: name, for messages
 * @returns {Promise<{ json: unknown, name: string }>}
 * @throws {HeedError} 'bad-file', 'too-large', and the errors of the source
 */
export async function readJson(source, { limit, what, signal }) {
  if (!isSource(source)) return { json: source, name: what };
  const file = openSource(source);
  return { json: parseJson(await readAll(file, limit, what, signal), file.name, what), name: file.name };
}

/**
 * Parses JSON.
 * @param {Uint8Array} bytes
 * @param {string} name  name of the file
 * @param {string} what  expected content, for messages
 * @returns {any}
 * @throws {HeedError} 'bad-file'
 */
export function parseJson(bytes, name, what) {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    throw new HeedError('bad-file', `Expected ${quoted(name)} to be ${what}, but it is not JSON.`, { cause: error });
  }
}
