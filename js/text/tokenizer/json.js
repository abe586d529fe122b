import { HeedError, quoted } from '../../errors.js';
import { MergeBpe } from './bpe.js';
import { bytesOfByteLevel } from './byte-level.js';
import { LinearPattern } from './linear-pattern.js';
import { bytesOfPiece } from './sentencepiece.js';
import { problemOfSteps, stepsOf } from './steps.js';
import { MAX_TOKENS, TextTokenizer } from './text-tokenizer.js';

/** Largest length of a Unigram piece, because each character of a text starts a search of this length; real pieces have
 *  at most 64 characters. */
const MAX_PIECE = 512;

const NOTHING = new Uint8Array(0);
const encoder = new TextEncoder();

/**
 * The tokenizer of a Hugging Face model.
 * @param {any} json    the parsed tokenizer.json
 * @param {Record<string, any>} config  config.json: `bos_token_id`, `eos_token_id`
 * @param {string} name  name of the file, for messages
 * @returns {TextTokenizer}
 * @throws {HeedError} 'bad-tokenizer', 'unsupported'
 */
export function tokenizerFromJson(json, config, name) {
  const bad = (/** @type {string} */ problem) => new HeedError('bad-tokenizer', `The tokenizer in ${quoted(name)} ` +
    `cannot be used: ${problem}.`);
  if (typeof json?.model !== 'object' || json.model === null) throw bad('it has no ‘model’');
  const kind = json.model.type ?? (json.model.merges ? 'BPE' : 'none');
  if (kind !== 'BPE' && kind !== 'Unigram') {
    throw new HeedError('unsupported', `The tokenizer in ${quoted(name)} is of the kind ${quoted(kind)}; heed ` +
      'supports BPE and Unigram.');
  }
  const added = json.added_tokens ?? [];
  const isToken = (/** @type {any} */ token) => typeof token?.content === 'string' && isId(token.id);
  if (!Array.isArray(added) || !Array.from(added).every(isToken)) {
    throw bad('its ‘added_tokens’ are not an array of tokens with ids');
  }
  /** @type {Map<number, { content: string, special?: boolean }>} */
  const addedById = new Map(added.map((token) => [token.id, token]));
  const style = styleOf(json, name);
  const problem = problemOfSteps(json);
  if (problem) throw bad(problem);

  const { model: description, ...steps } = json;
  const parts = kind === 'BPE'
    ? { json: steps, ...bpe(description, added, bad) }
    : { json: { ...steps, model: { ...description, type: kind } }, size: sizeOfUnigram(description, added, bad) };
  const { size } = parts;
  const tokenizer = new TextTokenizer({
    ...parts,
    added,
    prepare,
    bos: ends(config.bos_token_id, size)[0] ?? null,
    eos: ends(config.eos_token_id, size),
    prefix: [],
    suffix: [],
    bytes: (id) => {
      const token = addedById.get(id);
      if (token) return token.special ? NOTHING : encoder.encode(token.content);
      return style.bytes(tokenizer.token(id));
    },
    spacePrefix: style.spacePrefix,
  }, name);
  tokenizer.encode('a trial'); // some errors of a file appear only here
  return tokenizer;
}

/** @param {unknown} id @returns {id is number} */
const isId = (id) => Number.isInteger(id) && /** @type {number} */ (id) >= 0 && /** @type {number} */ (id) < MAX_TOKENS;

/**
 * Ids of config.json: a number, an array of numbers, or nothing.
 * @param {unknown} value
 * @param {number} size
 */
function ends(value, size) {
  return [value].flat().filter(isId).filter((id) => id < size);
}

/**
 * @param {any} model
 * @param {{ id: number, content: string }[]} added
 * @param {(problem: string) => HeedError} bad
 * @returns {{ model: MergeBpe, token: (id: number) => string | undefined, size: number }}
 */
function bpe({ vocab, merges, ...options }, added, bad) {
  if (typeof vocab !== 'object' || vocab === null || Array.isArray(vocab)) throw bad('its vocabulary is not an object');
  /** @type {string[]} */
  const tokens = [];
  /** @type {Map<string, number>} */
  const ids = new Map();
  for (const token of Object.keys(vocab)) {
    const id = vocab[token];
    if (!isId(id) || tokens[id] !== undefined) throw bad('the ids of its vocabulary are not distinct integers');
    tokens[id] = token;
    ids.set(token, id);
  }
  if (!Array.isArray(merges) || merges.length > 4 * MAX_TOKENS) throw bad('it has no array of merges');
  /** @type {Map<string, number>} */
  const ranks = new Map();
  merges.forEach((merge, rank) => {
    const [left, right, ...rest] = Array.isArray(merge) ? merge : String(merge).split(' ');
    if (rest.length > 0 || ![left, right, left + right].every((token) => ids.has(token))) {
      throw bad(`the merge ${quoted(merge)} does not join two tokens into a third`);
    }
    ranks.set(`${left} ${right}`, rank);
  });
  for (const { id, content } of added) {
    tokens[id] = content;
    ids.set(content, id);
  }
  return { model: new MergeBpe(ids, ranks, options), token: (id) => tokens[id], size: tokens.length };
}

/**
 * @param {any} model
 * @param {{ id: number }[]} added
 * @param {(problem: string) => HeedError} bad
 * @returns {number} number of tokens
 */
function sizeOfUnigram({ vocab, unk_id: unknown }, added, bad) {
  const good = Array.isArray(vocab) && vocab.length > 0 && vocab.length <= MAX_TOKENS &&
    vocab.every((entry) => Array.isArray(entry) && typeof entry[0] === 'string' && Number.isFinite(entry[1]));
  if (!good) throw bad('its vocabulary is not an array of pieces with scores');
  const long = vocab.findIndex(([piece]) => piece.length > MAX_PIECE);
  if (long >= 0) throw bad(`piece ${long} of its vocabulary has more than ${MAX_PIECE} characters`);
  if (!isId(unknown) || unknown >= vocab.length) throw bad('it has no piece for unknown text');
  return added.reduce((most, { id }) => Math.max(most, id + 1), vocab.length);
}

/**
 * How tokens represent bytes: by GPT-2's alphabet, or as in SentencePiece.
 * @param {any} json
 * @param {string} name
 * @returns {{ bytes: (token: string) => Uint8Array, spacePrefix: boolean }}
 */
function styleOf(json, name) {
  const decoders = stepsOf(json, 'decoder');
  const splitters = stepsOf(json, 'pre_tokenizer');
  const kinds = new Set([...decoders, ...splitters].map(({ type }) => type));
  if (kinds.has('ByteLevel')) {
    const prefix = splitters.some(({ type, add_prefix_space }) => type === 'ByteLevel' && add_prefix_space);
    return { bytes: bytesOfByteLevel, spacePrefix: prefix };
  }
  if (kinds.has('Metaspace') || kinds.has('ByteFallback') || kinds.has('Replace')) {
    const strips = decoders.some((step) => (step.type === 'Strip' && step.start > 0) ||
      (step.type === 'Metaspace' && step.prepend_scheme !== 'never' && step.add_prefix_space !== false));
    return { bytes: bytesOfPiece, spacePrefix: strips };
  }
  throw new HeedError('unsupported', `The tokenizer in ${quoted(name)} represents bytes in a way that heed does ` +
    'not support: neither byte-level nor SentencePiece.');
}

/**
 * Bounds the time of a tokenizer of the package.  (These fields are private only in the types of the package.)
 * @param {any} library
 */
function prepare(library) {
  boundTime(library.normalizer);
  boundTime(library.pre_tokenizer);
  if (library.model.config.type === 'Unigram') library.model.encode = encodeUnigram;
}

/**
 * Replaces a function of the package that fails for a long text without spaces, because it passes all tokens of a word
 * as arguments.
 * @this {{ tokenize: (word: string) => string[] }}  a Unigram model
 * @param {string[]} words
 */
function encodeUnigram(words) {
  return words.flatMap((word) => this.tokenize(word));
}

/**
 * Replaces each regular expression of the file by a LinearPattern.  Replacements become literal, because `$&` has no
 * meaning in tokenizer.json.
 * @param {any} step  a step of the package
 */
function boundTime(step) {
  for (const part of [step, ...(step?.normalizers ?? []), ...(step?.tokenizers ?? [])]) {
    if (!(part?.config?.pattern && part.pattern instanceof RegExp)) continue;
    part.pattern = new LinearPattern(part.pattern);
    const { content } = part.config;
    if (typeof content === 'string') part.config = { ...part.config, content: content.replaceAll('$', '$$$$') };
  }
}
