import { Tokenizer as Library } from '@huggingface/tokenizers';
import { HeedError, quoted } from '../../errors.js';
import { LinearPattern } from './linear-pattern.js';

/** Characters of one text: far past any context; what encoding costs grows with it. */
export const MAX_TEXT = 1 << 21;
/** Tokens of a vocabulary: eight times the largest known. */
export const MAX_TOKENS = 1 << 21;
/** Characters of all added tokens together: they are looked for in the text by a tree with a node for each. */
export const MAX_ADDED_CHARACTERS = 1 << 18;

/** Stands in where the model is put in afterwards. */
const NO_MODEL = { type: 'BPE', vocab: {}, merges: [] };

/**
 * @typedef {object} AddedToken  a token that is found in the text as it stands, before anything else
 * @property {number} id
 * @property {string} content
 * @property {boolean} special   whether it controls the model rather than being text
 * @property {boolean} [normalized]  whether it is looked for in normalized text; default: where it is not special
 */

/**
 * @typedef {object} Parts
 * @property {Record<string, any>} json            in the form of tokenizer.json, without added tokens
 * @property {any} [model]                         with the added tokens, to use in place of the one in `json`
 * @property {(id: number) => string | undefined} [token]  that the model knows, as the vocabulary writes it; default:
 *   the library's
 * @property {AddedToken[]} added
 * @property {number} size
 * @property {number | null} bos
 * @property {number[]} eos
 * @property {number[]} prefix                     what stands before every text; the library adds the rest, if any
 * @property {number[]} suffix
 * @property {(id: number) => Uint8Array} bytes
 * @property {boolean} spacePrefix                 whether encoding puts a space before the text, so decoding drops one
 */

/** @typedef {import('../tokenizer.js').Tokenizer} Tokenizer */

/**
 * The library's tokenizer under the contract of js/text/tokenizer.js.
 * @implements {Tokenizer}
 */
export class TextTokenizer {
  #parts;
  #name;
  #library;
  /** Knows no control tokens: for text that must stay text. @type {Library | undefined} */
  #plain;

  /**
   * @param {Parts} parts
   * @param {string} name of the file, for sentences
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
    this.#library = this.#run(() => libraryWith(parts.json, parts.added));
    if (parts.model) this.#library.model = parts.model;
    this.size = parts.size;
    this.bos = parts.bos;
    this.eos = parts.eos;
  }

  /**
   * @param {string} text  lone surrogates count as U+FFFD
   * @param {{ special?: boolean }} [options]  special: with the start token where the model wants one, and text that
   *   spells a control token becomes that token; without, every character is only text
   * @returns {Int32Array} ids
   * @throws {HeedError} 'bad-argument', 'too-large'
   */
  encode(text, { special = true } = {}) {
    if (typeof text !== 'string') {
      throw new HeedError('bad-argument', `The text to encode is no string, but a ${typeof text}.`);
    }
    if (text.length > MAX_TEXT) {
      throw new HeedError('too-large', `The text has ${text.length} characters; at most ${MAX_TEXT} are encoded at ` +
        'once. Cut it.');
    }
    const library = special ? this.#library : (this.#plain ??= this.#withoutControl());
    const ids = this.#run(() =>
      library.encode(text.replace(/\p{Surrogate}/gu, '\uFFFD'), { add_special_tokens: special }).ids);
    if (!ids.every((id) => Number.isInteger(id) && id < this.size)) {
      throw new HeedError('bad-tokenizer', `The tokenizer in ${quoted(this.#name)} puts in a token that it does not ` +
        'have.');
    }
    const { prefix, suffix } = this.#parts;
    return Int32Array.from(special ? [...prefix, ...ids, ...suffix] : ids);
  }

  /**
   * The library throws errors of its own at files that contradict themselves.
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
    const { json, added } = this.#parts;
    const library = libraryWith({ ...json, model: NO_MODEL }, added.filter(({ special }) => !special));
    library.model = this.#library.model;
    return library;
  }

  /**
   * @param {number} id
   * @returns {Uint8Array} exact bytes of one token; none for control tokens
   * @throws {HeedError} 'bad-argument' for an id outside the vocabulary
   */
  bytes(id) {
    this.#check(id);
    return this.#parts.bytes(id);
  }

  /**
   * @param {number} id
   * @returns {string} as the vocabulary writes it
   * @throws {HeedError} 'bad-argument'
   */
  token(id) {
    this.#check(id);
    const { token } = this.#parts;
    return (token ? token(id) : this.#library.id_to_token(id)) ?? '';
  }

  /**
   * @param {ArrayLike<number>} ids
   * @returns {string} without control tokens, and without the space that `encode` put before the text
   * @throws {HeedError} 'bad-argument'
   */
  decode(ids) {
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    let text = '';
    for (const id of Array.from(ids)) text += decoder.decode(this.bytes(id), { stream: true });
    text += decoder.decode();
    return this.#parts.spacePrefix && text.startsWith(' ') ? text.slice(1) : text;
  }

  /** @param {number} id */
  #check(id) {
    if (Number.isInteger(id) && id >= 0 && id < this.size) return;
    throw new HeedError('bad-argument', `There is no token ${quoted(id)}; the vocabulary has ids 0 to ` +
      `${this.size - 1}.`);
  }
}

/**
 * @param {Record<string, any>} json
 * @param {AddedToken[]} added
 */
function libraryWith(json, added) {
  const empty = { normalizer: null, pre_tokenizer: null, post_processor: null, decoder: null, model: NO_MODEL };
  const complete = { ...empty, ...json, added_tokens: added };
  const library = new Library(complete, {});
  boundTime(library.normalizer);
  boundTime(library.pre_tokenizer);
  if (complete.model.type === 'Unigram') /** @type {any} */ (library.model).encode = encodeUnigram;
  return library;
}

/**
 * Takes the place of the library's function, which passes all tokens of a word as arguments of one call, and so fails
 * for a long text without spaces.
 * @this {{ tokenize: (word: string) => string[] }}  a Unigram model
 * @param {string[]} words
 */
function encodeUnigram(words) {
  return words.flatMap((word) => this.tokenize(word));
}

/**
 * Puts a LinearPattern in the place of each regular expression that comes from the file, and takes what replaces a
 * match literally: `$&` and its like have no meaning in tokenizer.json.  (Fields of the library's steps; private in
 * its types only.)
 * @param {any} step  of the library
 */
function boundTime(step) {
  for (const part of [step, ...(step?.normalizers ?? []), ...(step?.tokenizers ?? [])]) {
    if (!(part?.config?.pattern && part.pattern instanceof RegExp)) continue;
    part.pattern = new LinearPattern(part.pattern);
    const { content } = part.config;
    if (typeof content === 'string') part.config = { ...part.config, content: content.replaceAll('$', '$$$$') };
  }
}
