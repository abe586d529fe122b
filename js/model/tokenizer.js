/** Opens a tokenizer without a model: the header of a file, or tokenizer.json. */
import { resolve } from '../files/keep/resolve.js';
import { openModelFile } from '../files/model-file.js';
import { readTokenizer } from '../files/tokenizer-json.js';
import { guard } from '../guard.js';
import { needOptions } from '../options.js';
import { idsFrom } from '../text/ids.js';
import { needText, needTokenizer, tokenText } from '../text/text.js';

/** Options of `loadTokenizer`, which mean the same as in `load`.
 *  @typedef {Pick<import('./load.js').LoadOptions, 'hub' | 'token' | 'offline' | 'stallMs' | 'tower' | 'signal'>}
 *    TokenizerOptions */
const OPTIONS = ['hub', 'token', 'offline', 'stallMs', 'tower', 'signal'];

/** The tokenizer of a model, without its weights.  Calls return at once and run in this thread. */
export class LoneTokenizer {
  /** Number of tokens. @type {number} */ size;
  /** Id of the start token. @type {number | null} */ bos;
  /** Ids that end a text. @type {number[]} */ eos;
  #tokenizer;

  /** @param {import('../text/tokenizer.js').Tokenizer} tokenizer @internal */
  constructor(tokenizer) {
    this.#tokenizer = tokenizer;
    ({ size: this.size, bos: this.bos, eos: this.eos } = tokenizer);
  }

  /**
   * Converts text to token ids, as `model.encode` does.
   * @param {string} text  any text
   * @param {import('../text/tokenizer.js').EncodeOptions} [options]  special: false makes all characters text
   * @returns {Int32Array} ids [tokens]
   * @throws {HeedError} 'bad-argument'
   */
  encode(text, options) {
    needText('encode', text);
    needOptions('encode', options, ['special', 'disguise']);
    return this.#tokenizer.encode(text, options);
  }

  /**
   * Converts token ids to text.
   * @param {ArrayLike<number>} ids  [tokens]
   * @returns {string} text, with U+FFFD for bytes that are not UTF-8
   * @throws {HeedError} 'bad-argument'
   */
  decode(ids) {
    return this.#tokenizer.decode(idsFrom(ids, this.size));
  }

  /**
   * Readable text of each token, as in `model.tokens`.
   * @param {ArrayLike<number>} ids  [tokens]
   * @returns {string[]} one string per token
   * @throws {HeedError} 'bad-argument'
   */
  tokens(ids) {
    return Array.from(idsFrom(ids, this.size), (id) => tokenText(this.#tokenizer, id));
  }
}

guard(LoneTokenizer.prototype);

/** @param {any} source @param {TokenizerOptions} [options] @returns {Promise<LoneTokenizer>} */
export async function open(source, options = {}) {
  needOptions('loadTokenizer', options, OPTIONS);
  const { signal, stallMs, tower } = options;
  if (source?.tokenizer && !source.weights) {
    needOptions('loadTokenizer: { tokenizer }', source, ['tokenizer']);
    const { source: file } = await resolve(source.tokenizer, options);
    return new LoneTokenizer(await readTokenizer(file, {}, Infinity, signal));
  }
  const { source: found } = await resolve(source, options);
  const file = await openModelFile(found, { signal: signal ?? null,
    ...(stallMs !== undefined && { stallMs }), ...(tower && { tower }) });
  await file.close();
  return new LoneTokenizer(needTokenizer(file.tokenizer));
}
