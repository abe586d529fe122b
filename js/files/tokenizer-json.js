/** Reads tokenizer.json with a limit on its size. */
import { tokenizerFromJson } from '../text/tokenizer/json.js';
import { readJson } from './json.js';

/** Largest size of tokenizer.json; the largest vocabularies need 35 MB. */
const MAX_FILE_BYTES = 64 << 20;

/**
 * Reads tokenizer.json and creates its tokenizer.
 * @param {import('./source.js').Source | object} source  the file, or its parsed content
 * @param {Record<string, any>} config  the model's config.json, for its start and end tokens
 * @param {AbortSignal | null | undefined} signal
 * @returns {Promise<import('../text/tokenizer.js').Tokenizer>}
 * @throws {HeedError}
 */
export async function readTokenizer(source, config, signal) {
  const { json, name } = await readJson(source, { limit: MAX_FILE_BYTES, what: 'a tokenizer.json', signal });
  return tokenizerFromJson(json, config, name);
}
