/** Reads tokenizer.json with a limit on its size. */
import { tokenizerFromJson } from '../text/tokenizer/json.js';
import { readJson } from './json.js';

/** Largest size of tokenizer.json; the largest vocabularies need 35 MB. */
const MAX_FILE_BYTES = 64 << 20;

/**
 * Reads tokenizer.json and creates its tokenizer.
 * @param {import('./source.js').Source | object} source  the file, or its parsed content
 * @param {Record<string, any>} config  the model's config.json, for its start and end tokens
 * @param {number} vocabulary  tokens that the model knows
 * @param {AbortSignal | null | undefined} signal
 * @returns {Promise<import('../text/tokenizer.js').Tokenizer>}
 * @throws {HeedError}
 */
export async function readTokenizer(source, config, vocabulary, signal) {
  const { json, name } = await readJson(source, { limit: MAX_FILE_BYTES, what: 'a tokenizer.json', signal });
  return tokenizerFromJson(withoutUnknown(json, vocabulary), config, name);
}

/**
 * Leaves out one added token that the model does not know.  The text models of Gemma 3 have <image_soft_token>, and
 * BART for summaries has <mask>.
 * @param {any} json @param {number} vocabulary
 */
function withoutUnknown(json, vocabulary) {
  const added = [json?.added_tokens ?? []].flat();
  const unknown = new Set(added.flatMap((token) => (token?.id >= vocabulary ? token.content : [])));
  if (unknown.size !== 1) return json; // with several, tokenizer and model do not belong together
  const { vocab } = json.model ?? {};
  const left = Array.isArray(vocab) ? vocab.filter((entry, id) => id < vocabulary || !unknown.has(entry?.[0]))
    : Object.hasOwn(vocab ?? {}, [...unknown][0])
      ? Object.fromEntries(Object.entries(vocab).filter(([token]) => !unknown.has(token))) : vocab;
  return { ...json, model: { ...json.model, vocab: left },
    added_tokens: added.filter((token) => !(token?.id >= vocabulary)) };
}
