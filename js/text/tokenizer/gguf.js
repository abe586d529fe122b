import { HeedError, quoted } from '../../errors.js';
import { MergeBpe, ScoredBpe } from './bpe.js';
import { bytesOfByteLevel } from './byte-level.js';
import { PRE_TOKENIZERS } from './pre-tokenizers.js';
import { SPACE, bytesOfPiece } from './sentencepiece.js';
import { StringIndex } from './string-index.js';
import { Strings } from './strings.js';
import { MAX_TOKENS, TextTokenizer } from './text-tokenizer.js';

/** @typedef {import('../../files/gguf/header.js').Metadata} Metadata */

/** Token types of GGUF (llama.h, enum llama_token_type). */
const UNKNOWN = 2, CONTROL = 3, USER_DEFINED = 4, UNUSED = 5;

/** Names of control tokens that end a turn even if the file's ids do not say so (as in llama.cpp). */
const END_TOKENS = new Set([
  '<|endoftext|>', '<|end_of_text|>', '<|eot_id|>', '<|eom_id|>', '<|im_end|>', '<|end|>', '</s>', '<end_of_turn>',
  '<|endofturn|>', '<EOT>',
]);

const NOTHING = new Uint8Array(0);
const encoder = new TextEncoder();

/**
 * The tokenizer of a GGUF file, from its metadata.
 * @param {Metadata} metadata
 * @param {string} name  name of the file, for messages
 * @returns {TextTokenizer | null} null if the file has no tokenizer
 * @throws {HeedError} 'bad-tokenizer', 'unsupported'
 */
export function tokenizerFromGguf(metadata, name) {
  const kind = metadata['tokenizer.ggml.model'];
  if (kind === undefined || kind === 'none' || kind === 'no_vocab') return null;
  const vocabulary = new Vocabulary(metadata, name);
  if (kind === 'gpt2') return byteLevel(vocabulary);
  if (kind === 'llama') return sentencePiece(vocabulary);
  throw new HeedError('unsupported', `${quoted(name)} has a tokenizer of the kind ${quoted(kind)}; heed supports ` +
    '‘gpt2’ (byte-level BPE) and ‘llama’ (SentencePiece).');
}

/** The checked arrays of a GGUF vocabulary. */
class Vocabulary {
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
   * Start and end tokens, which both kinds of tokenizers have.
   * @param {{ bos: number | null, eos: number | null, addBos: boolean }} defaults
   */
  ends(defaults) {
    const bos = this.id('bos_token_id', defaults.bos);
    const eos = this.id('eos_token_id', defaults.eos);
    const ends = [eos, this.id('eot_token_id', null), this.id('eom_token_id', null)];
    for (const { id, content } of this.added) {
      if (this.types[id] === CONTROL && END_TOKENS.has(content)) ends.push(id);
    }
    const addBos = this.flag('add_bos_token', defaults.addBos && bos !== null);
    const addEos = this.flag('add_eos_token', false);
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

/**
 * Byte-level BPE with its list of merges.
 * @param {Vocabulary} vocabulary
 */
function byteLevel(vocabulary) {
  const { metadata, name, added, ids } = vocabulary;
  const pre = String(metadata['tokenizer.ggml.pre'] || 'default');
  const kind = PRE_TOKENIZERS.get(pre);
  if (!kind) {
    throw new HeedError('unsupported', `${quoted(name)} splits text into words by ${quoted(pre)}. heed supports ` +
      `${[...PRE_TOKENIZERS.keys()].join(', ')}.`);
  }
  const merges = vocabulary.strings('merges');
  const odd = findOddMerge(merges);
  if (odd !== null) throw vocabulary.bad(`the merge ${quoted(odd)} is not two tokens with a space between`);
  const splits = kind.splits.map((Regex) => ({ type: 'Split', pattern: { Regex }, behavior: 'Isolated' }));
  const addsSpace = vocabulary.flag('add_space_prefix', false);
  return new TextTokenizer({
    json: {
      pre_tokenizer: {
        type: 'Sequence',
        pretokenizers: [...splits, { type: 'ByteLevel', add_prefix_space: false, use_regex: false }],
      },
      normalizer: addsSpace ? { type: 'Prepend', prepend: ' ' } : null,
    },
    model: new MergeBpe(ids, new StringIndex(merges), { ignore_merges: kind.ignoreMerges === true }),
    added,
    ...vocabulary.ends({ bos: null, eos: null, addBos: kind.addBos === true }),
    ...vocabulary.spelling(bytesOfByteLevel),
    spacePrefix: addsSpace,
  }, name);
}

/**
 * The first merge that does not consist of two parts with a space between them.
 * @param {Strings} merges
 * @returns {string | null}
 */
function findOddMerge(merges) {
  for (let i = 0; i < merges.length; i++) {
    const last = merges.end(i) - 1;
    let at = merges.start(i) + 1;
    while (at < last && merges.bytes[at] !== 0x20) at++;
    if (at >= last) return merges.at(i);
  }
  return null;
}

/**
 * SentencePiece with scores and byte fallback.
 * @param {Vocabulary} vocabulary
 */
function sentencePiece(vocabulary) {
  const { name, tokens, added, ids } = vocabulary;
  const scores = vocabulary.numbers('scores', tokens.length, 0);
  const unknown = vocabulary.id('unknown_token_id', 0);
  const spacePrefix = vocabulary.flag('add_space_prefix', true);
  const prefix = { type: 'Prepend', prepend: SPACE };
  const spaces = { type: 'Replace', pattern: { String: ' ' }, content: SPACE };
  return new TextTokenizer({
    json: {
      normalizer: { type: 'Sequence', normalizers: spacePrefix ? [prefix, spaces] : [spaces] },
    },
    model: new ScoredBpe(ids, scores, unknown === null ? undefined : tokens.at(unknown)),
    added,
    ...vocabulary.ends({ bos: 1, eos: 2, addBos: true }),
    ...vocabulary.spelling(bytesOfPiece),
    spacePrefix,
  }, name);
}
