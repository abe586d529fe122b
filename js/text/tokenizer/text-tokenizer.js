/** The tokenizer of the `tokenizers` package, behind the interface of heed. */
import { Tokenizer as Library } from '@huggingface/tokenizers';
import { HeedError, quoted } from '../../errors.js';

/** Largest length of a text, far beyond any context, because the cost of encoding grows with it. */
export const MAX_TEXT = 1 << 21;
/** Largest vocabulary: eight times the largest known one. */
export const MAX_TOKENS = 1 << 21;
/** Largest number of characters of all added tokens, because they are matched by a tree with a node for each. */
const MAX_ADDED_CHARACTERS = 1 << 18;

/** Names of the mask token, in BERT and in RoBERTa. */
const MASKS = ['[MASK]', '<mask>'];

/** A placeholder, which is replaced by the model. */
const NO_MODEL = { type: 'BPE', vocab: {}, merges: [] };

/**
 * @typedef {object} AddedToken  a token that is matched in the text before any other step
 * @property {number} id
 * @property {string} content
 * @property {boolean} special   whether it is a control token
 * @property {boolean} [normalized]  whether it is matched in normalized text; default: not special
 */

/**
 * @typedef {object} Parts
 * @property {Record<string, any>} json            as in tokenizer.json, without added tokens
 * @property {any} [model]                         replaces the model in `json`; includes the added tokens
 * @property {(id: number) => string | undefined} [token]  name of a token in the vocabulary; default: of the
 *   `tokenizers` package
 * @property {AddedToken[]} added
 * @property {(library: any) => void} [prepare]  changes each tokenizer of the package before its first use; `any`,
 *   because the declarations of the package do not compile in programs for Node
 * @property {number} size
 * @property {number | null} bos
 * @property {number[]} eos
 * @property {number[]} prefix                     ids before every text, in addition to the package's ids
 * @property {number[]} suffix
 * @property {(id: number) => Uint8Array} bytes
 * @property {boolean} spacePrefix                 whether encoding adds a space before the text, so that decoding
 *   removes it
 * @property {(text: string) => string} [clean]    last step of decoding
 */

/** @typedef {import('../tokenizer.js').Tokenizer} Tokenizer */

/**
 * The tokenizer of the `tokenizers` package as a Tokenizer of heed.
 * @implements {Tokenizer}
 */
export class TextTokenizer {
  #parts;
  #name;
  #library;
  /** A tokenizer without control tokens; it encodes their names as plain text. @type {Library | undefined} */
  #plain;

  /**
   * @param {Parts} parts
   * @param {string} name  name of the file, for messages
   * @throws {HeedError} 'bad-tokenizer', 'unsupported'
   */
  constructor(parts, name) {
    const characters = parts.added.reduce((sum, { content }) => sum + content.length, 0);
    if (characters > MAX_ADDED_CHARACTERS) {
      throw new HeedError('bad-tokenizer', `The tokenizer in ${quoted(name)} has ${characters} characters of added ` +
        `tokens; at most ${MAX_ADDED_CHARACTERS} are read.`);
    }
    this.#parts = parts;
    this.#name = name;
    this.#library = this.#run(() => libraryWith(parts.json, parts.added, parts.prepare));
    if (parts.model) this.#library.model = parts.model;
    this.size = parts.size;
    this.bos = parts.bos;
    this.eos = parts.eos;
  }

  /**
   * @param {string} text  lone surrogates count as U+FFFD
   * @param {import('../tokenizer.js').EncodeOptions} [options]
   * @returns {Int32Array} ids
   * @throws {HeedError} 'bad-argument', 'too-large'
   */
  encode(text, { special = true, disguise } = {}) {
    if (typeof text !== 'string') {
      throw new HeedError('bad-argument', `Expected the text to encode to be a string, got a ${typeof text}.`);
    }
    if (text.length > MAX_TEXT) {
      throw new HeedError('too-large', `The text has ${text.length} characters; the limit is ${MAX_TEXT}. Split it.`);
    }
    const library = disguise ? disguised(this.#library, disguise)
      : special ? this.#library : (this.#plain ??= this.#withoutControl());
    /** @type {number[]} */
    const ids = this.#run(() => library.encode(text.replace(/\p{Surrogate}/gu, '\uFFFD'),
      { add_special_tokens: special && !disguise }).ids);
    if (!ids.every((id) => Number.isInteger(id) && id < this.size)) {
      throw new HeedError('bad-tokenizer', `The tokenizer in ${quoted(this.#name)} inserts a token that is not in ` +
        'its vocabulary.');
    }
    const { prefix, suffix } = this.#parts;
    if (disguise) return Int32Array.from(ids[0] === prefix[0] ? ids : [...prefix, ...ids]);
    return Int32Array.from(special ? [...prefix, ...ids, ...suffix] : ids);
  }

  /**
   * Converts errors that the package throws for inconsistent files.
   * @template T
   * @param {() => T} work
   * @returns {T}
   */
  #run(work) {
    try {
      return work();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const sentence = `The tokenizer in ${quoted(this.#name)} cannot be used: ${reason}.`;
      throw new HeedError('bad-tokenizer', sentence, { cause: error });
    }
  }

  #withoutControl() {
    const { json, added, prepare } = this.#parts;
    const library = libraryWith({ ...json, model: NO_MODEL }, added.filter(({ special }) => !special), prepare);
    library.model = this.#library.model;
    return library;
  }

  /**
   * @param {number} id
   * @returns {Uint8Array} bytes of one token; empty for control tokens
   * @throws {HeedError} 'bad-argument' for an id outside the vocabulary
   */
  bytes(id) {
    this.#check(id);
    return this.#parts.bytes(id);
  }

  /**
   * @param {number} id
   * @returns {string} name of the token in the vocabulary
   * @throws {HeedError} 'bad-argument'
   */
  token(id) {
    this.#check(id);
    const { token } = this.#parts;
    return (token ? token(id) : this.#library.id_to_token(id)) ?? '';
  }

  /**
   * @param {ArrayLike<number>} ids
   * @returns {string} text without control tokens, and without the space that `encode` added
   * @throws {HeedError} 'bad-argument'
   */
  decode(ids) {
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    let text = '';
    for (const id of Array.from(ids)) text += decoder.decode(this.bytes(id), { stream: true });
    text += decoder.decode();
    const { spacePrefix, clean } = this.#parts;
    if (spacePrefix && text.startsWith(' ')) text = text.slice(1);
    return clean ? clean(text) : text;
  }

  /** The token of a hidden word: `[MASK]` or `<mask>`; null in most decoders. */
  get mask() {
    return this.#parts.added.find(({ content }) => MASKS.includes(content))?.id ?? null;
  }

  /** Names of the control tokens. */
  get control() {
    return this.#parts.added.filter(({ special }) => special).map(({ content }) => content);
  }

  /** @param {number} id */
  #check(id) {
    if (Number.isInteger(id) && id >= 0 && id < this.size) return;
    throw new HeedError('bad-argument', `There is no token ${quoted(id)}; the vocabulary has ids 0 to ` +
      `${this.size - 1}.`);
  }
}

/**
 * A tokenizer of the package that puts hidden characters back after it has split a text at control tokens.
 * @param {any} library
 * @param {import('../../chat/disguise.js').Disguise} disguise
 */
function disguised(library, { shown, hidden }) {
  const original = library.pre_tokenizer;
  const revealed = (/** @type {string} */ text) =>
    Array.from(text, (character) => hidden[shown.indexOf(character)] ?? character).join('');
  const value = (/** @type {string} */ text, /** @type {object} */ options) =>
    (original ? original(revealed(text), options) : [revealed(text)]);
  return Object.create(library, { pre_tokenizer: { value } });
}

/**
 * @param {Record<string, any>} json
 * @param {AddedToken[]} added
 * @param {Parts['prepare']} prepare
 */
function libraryWith(json, added, prepare) {
  const empty = { normalizer: null, pre_tokenizer: null, post_processor: null, decoder: null, model: NO_MODEL };
  const library = new Library({ ...empty, ...json, added_tokens: added }, {});
  prepare?.(library);
  return library;
}
