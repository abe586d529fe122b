/** Files beside the weights of a Hugging Face model that describe conversations. */
import { HeedError, quoted } from '../errors.js';
import { readJson } from './json.js';
import { openSource } from './source.js';
import { readAll } from './stream.js';

/** @typedef {import('./source.js').Source} Source */
/** End tokens: ids of generation_config.json, names of tokenizer_config.json.
 *  @typedef {{ eos_token_id?: number | number[], bos_token?: string, eos_token?: string }} Ends */
/**
 * @typedef {object} ChatFiles
 * @property {Record<string, string>} templates  templates by name
 * @property {Record<string, string>} tokens     variables of templates, such as `bos_token`
 * @property {Ends} ends
 */

/** Largest size of each of these files. */
const MAX_BYTES = 4 << 20;

/**
 * Reads the files.
 * @param {{ tokenizerConfig?: Source | object, generationConfig?: Source | object, chatTemplate?: Source }} files
 * @param {AbortSignal | null | undefined} signal
 * @returns {Promise<ChatFiles>}
 * @throws {HeedError} 'bad-file', 'too-large', and the errors of the sources
 */
export async function readChatFiles({ tokenizerConfig, generationConfig, chatTemplate }, signal) {
  const read = async (/** @type {Source | object | undefined} */ source, /** @type {string} */ what) => {
    if (source === undefined) return {};
    const { json, name } = await readJson(source, { limit: MAX_BYTES, what, signal });
    if (typeof json === 'object' && json !== null && !Array.isArray(json)) {
      return /** @type {Record<string, unknown>} */ (json);
    }
    throw new HeedError('bad-file', `Expected ${quoted(name)} to be ${what}, but it contains no JSON object.`);
  };
  const config = await read(tokenizerConfig, 'a tokenizer_config.json');
  const { eos_token_id: ids } = await read(generationConfig, 'a generation_config.json');
  const tokens = Object.fromEntries(Object.entries(config).flatMap(([name, token]) => {
    const content = typeof token === 'string' ? token : /** @type {any} */ (token)?.content;
    return name.endsWith('_token') && typeof content === 'string' ? [[name, content]] : [];
  }));
  const templates = templatesOf(config.chat_template);
  if (chatTemplate !== undefined) {
    const bytes = await readAll(openSource(chatTemplate), MAX_BYTES, 'a chat template', signal);
    templates.default = new TextDecoder().decode(bytes);
  }
  return { templates, tokens, ends: { ...tokens, eos_token_id: /** @type {any} */ (ids) ?? [] } };
}

/** One template, or an array of { name, template }. @param {unknown} value @returns {Record<string, string>} */
function templatesOf(value) {
  if (typeof value === 'string') return { default: value };
  const named = (Array.isArray(value) ? value : []).filter((one) => typeof one?.template === 'string');
  return Object.fromEntries(named.map(({ name, template }) => [String(name), template]));
}

/** config.json with more end tokens. @param {Record<string, any>} config @param {Ends} ends */
export const withEnds = (config, ends) => ({
  ...config, ...ends, eos_token_id: [config.eos_token_id, ends.eos_token_id].flat(),
});
