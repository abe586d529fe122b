/** Reads and checks the `tokenizer.ggml.*` metadata of GGUF: tokens, types, scores, control tokens and flags. */
import { HeedError, quoted } from '../../errors.js';
import { END_TOKENS } from './end-tokens.js';
import { StringIndex } from './string-index.js';
import { Strings } from './strings.js';
import { MAX_TOKENS } from './text-tokenizer.js';

/** @typedef {import('../../files/gguf/header.js').Metadata} Metadata */

/** Token types of GGUF (llama.h, enum llama_token_type). */
const UNKNOWN = 2, CONTROL = 3, USER_DEFINED = 4, UNUSED = 5;

const NOTHING = new Uint8Array(0);
const encoder = new TextEncoder();

/** The checked arrays of a GGUF vocabulary. */
export class Vocabulary {
  /**
   * @param {Metadata} metadata
   * @param {string} name
   */
  constructor(metadata, name) {
    this.metadata = metadata;
    this.name = name;
    this.tokens = this.strings('tokens');
    if (this.tokens.length === 0 || this.tokens.length > MAX_TOKENS) {
      throw this.bad(`it has ${this.tokens.length} tokens; expected 1 to ${MAX_TOKENS}`);
    }
    this.types = this.numbers('token_type', this.tokens.length, 1);
    /** Ids of all tokens except empty ones, which may occur more than once. */
    this.ids = new StringIndex(this.tokens);
    const { twice } = this.ids;
    if (twice) {
      const [first, second] = twice;
      throw this.bad(`token ${quoted(this.tokens.at(second))} occurs at ${first} and at ${second}`);
    }
    this.added = addedIds(this.types)
      .map((id) => ({ id, content: this.tokens.at(id), special: this.types[id] !== USER_DEFINED, normalized: false }))
      .filter(({ content }) => content !== '');
  }

  /** @param {string} key @returns {Strings} */
  strings(key) {
    const list = this.metadata[`tokenizer.ggml.${key}`];
    if (list instanceof Strings) return list;
    if (!Array.isArray(list)) throw this.bad(`‘tokenizer.ggml.${key}’ is missing or not an array`);
    this.#each(key, list, 'string');
    return Strings.from(/** @type {string[]} */ (list));
  }

  /**
   * @param {string} key
   * @param {number} length  required length
   * @param {number} fallback  value of all entries if the array is missing
   * @returns {ArrayLike<number>}
   */
  numbers(key, length, fallback) {
    const list = this.metadata[`tokenizer.ggml.${key}`];
    if (list === undefined) return new Int32Array(length).fill(fallback);
    if (!Array.isArray(list) && !ArrayBuffer.isView(list) && !(list instanceof Strings)) {
      throw this.bad(`‘tokenizer.ggml.${key}’ is missing or not an array`);
    }
    const entries = /** @type {ArrayLike<unknown>} */ (list);
    if (entries.length !== length) {
      throw this.bad(`‘tokenizer.ggml.${key}’ has ${entries.length} entries for ${length} tokens`);
    }
    if (!(list instanceof Int32Array)) this.#each(key, entries, 'number');
    return /** @type {ArrayLike<number>} */ (entries);
  }

  /**
   * @param {string} key
   * @param {ArrayLike<unknown>} list
   * @param {'string' | 'number'} type  required type of each entry
   */
  #each(key, list, type) {
    for (let i = 0; i < list.length; i++) {
      const entry = list[i];
      if (typeof entry !== type || Number.isNaN(entry)) {
        throw this.bad(`entry ${i} of ‘tokenizer.ggml.${key}’ is not a ${type}`);
      }
    }
  }

  /**
   * @param {string} key
   * @param {number | null} fallback
   * @returns {number | null} an id of the vocabulary
   */
  id(key, fallback) {
    const value = this.metadata[`tokenizer.ggml.${key}`];
    if (value === undefined) return fallback !== null && fallback < this.tokens.length ? fallback : null;
    if (value === 0xffffffff || value === -1) return null; // llama.cpp's LLAMA_TOKEN_NULL
    if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < this.tokens.length) return value;
    throw this.bad(`‘tokenizer.ggml.${key}’ is ${quoted(value)}, which is not an id`);
  }

  /**
   * @param {string} key
   * @param {boolean} fallback
   */
  flag(key, fallback) {
    const value = this.metadata[`tokenizer.ggml.${key}`] ?? fallback;
    if (typeof value === 'boolean') return value;
    throw this.bad(`‘tokenizer.ggml.${key}’ is ${quoted(value)}, neither true nor false`);
  }

  /**
   * Start and end tokens.
   * @param {{ bos: number | null, eos: number | null, addBos: boolean, addEos?: boolean }} defaults
   */
  ends(defaults) {
    const bos = this.id('bos_token_id', defaults.bos);
    const eos = this.id('eos_token_id', defaults.eos);
    const ends = [eos, this.id('eot_token_id', null), this.id('eom_token_id', null)];
    for (const { id, content } of this.added) {
      if (this.types[id] === CONTROL && END_TOKENS.has(content)) ends.push(id);
    }
    const addBos = this.flag('add_bos_token', defaults.addBos && bos !== null);
    const addEos = this.flag('add_eos_token', defaults.addEos === true && eos !== null);
    if (addBos && bos === null) throw this.bad('it requires a start token before every text, but does not define one');
    if (addEos && eos === null) throw this.bad('it requires an end token after every text, but does not define one');
    return {
      size: this.tokens.length,
      bos,
      eos: [...new Set(ends)].filter((id) => id !== null),
      prefix: addBos ? [/** @type {number} */ (bos)] : [],
      suffix: addEos ? [/** @type {number} */ (eos)] : [],
    };
  }

  /**
   * Functions that return the name and the bytes of a token of any type.
   * @param {(token: string) => Uint8Array} ordinary
   * @returns {{ token: (id: number) => string, bytes: (id: number) => Uint8Array }}
   */
  spelling(ordinary) {
    const token = (/** @type {number} */ id) => this.tokens.at(id);
    const bytes = (/** @type {number} */ id) => {
      const type = this.types[id];
      if (type === CONTROL || type === UNKNOWN || type === UNUSED) return NOTHING;
      return type === USER_DEFINED ? encoder.encode(token(id)) : ordinary(token(id));
    };
    return { token, bytes };
  }

  /** @param {string} problem */
  bad(problem) {
    return new HeedError('bad-tokenizer', `The tokenizer in ${quoted(this.name)} is inconsistent: ${problem}.`);
  }
}

/**
 * Tokens that are matched in the text before any other step.
 * @param {ArrayLike<number>} types  types by id
 */
function addedIds(types) {
  const ids = [];
  for (let id = 0; id < types.length; id++) {
    const type = types[id];
    if (type === CONTROL || type === USER_DEFINED || type === UNKNOWN) ids.push(id);
  }
  return ids;
}
