/** Builds tokenizers from tokenizer.json: BPE, Unigram or WordPiece, with steps of `@huggingface/tokenizers`. */
import { HeedError, quoted } from '../../errors.js';
import { bertText, withoutGaps } from './bert.js';
import { MergeBpe } from './bpe.js';
import { bytesOfByteLevel } from './byte-level.js';
import { Charsmap } from './charsmap.js';
import { BYTE_LEVEL_WORD, LEFT, RIGHT, cutsOf, piecesOf } from './cuts.js';
import { END_TOKENS } from './end-tokens.js';
import { LinearPattern } from './linear-pattern.js';
import { PairRanks } from './pair-ranks.js';
import { bytesOfPiece } from './sentencepiece.js';
import { problemOfSteps, stepsOf } from './steps.js';
import { StringIndex } from './string-index.js';
import { Strings } from './strings.js';
import { MAX_TOKENS, TextTokenizer } from './text-tokenizer.js';
import { MAX_PIECE_BYTES, Unigram, longPiece } from './unigram.js';
import { WordPiece } from './wordpiece.js';

/** Largest length of a word of WordPiece, because the time of a word grows with its square; BERT has 100. */
const MAX_WORD = 512;

/** The models of vocabularies. */
const KINDS = Object.freeze({ 'BPE': bpe, 'Unigram': unigram, 'WordPiece': wordPiece });

const NOTHING = new Uint8Array(0);
const encoder = new TextEncoder();

/**
 * The tokenizer of a Hugging Face model.
 * @param {any} json    the parsed tokenizer.json
 * @param {Record<string, any>} config  `bos_token_id` and `eos_token_id` of config.json, with the ids of
 *   generation_config.json; `bos_token` and `eos_token` of tokenizer_config.json
 * @param {string} name  name of the file, for messages
 * @returns {TextTokenizer}
 * @throws {HeedError} 'bad-tokenizer', 'unsupported'
 */
export function tokenizerFromJson(json, config, name) {
  const bad = (/** @type {string} */ problem) => new HeedError('bad-tokenizer', `The tokenizer in ${quoted(name)} ` +
    `cannot be used: ${problem}.`);
  if (typeof json?.model !== 'object' || json.model === null) throw bad('it has no ‘model’');
  const kind = json.model.type ?? (json.model.merges ? 'BPE' : 'none');
  if (!Object.hasOwn(KINDS, kind)) {
    throw new HeedError('unsupported', `The tokenizer in ${quoted(name)} is of the kind ${quoted(kind)}; heed ` +
      `supports ${Object.keys(KINDS).join(', ')}.`);
  }
  const added = json.added_tokens ?? [];
  const isToken = (/** @type {any} */ token) => typeof token?.content === 'string' && isId(token.id);
  if (!Array.isArray(added) || !Array.from(added).every(isToken)) {
    throw bad('its ‘added_tokens’ are not an array of tokens with ids');
  }
  /** @type {Map<number, { content: string, special?: boolean }>} */
  const addedById = new Map(added.map((token) => [token.id, token]));
  const style = kind === 'WordPiece' ? wordPieces(json) : styleOf(json, name);
  const problem = problemOfSteps(json);
  if (problem) throw bad(problem);

  const { model: description, ...steps } = json;
  const parts = { json: steps, ...KINDS[/** @type {keyof typeof KINDS} */ (kind)](description, added, bad) };
  const { size } = parts;
  const named = (/** @type {(token: any) => boolean} */ isWanted) => added.filter(isWanted).map(({ id }) => id);
  const isEnd = (/** @type {any} */ { content, special }) =>
    content === config.eos_token || (special && END_TOKENS.has(content));
  const tokenizer = new TextTokenizer({
    ...parts,
    added,
    prepare: (library) => prepare(library, json),
    bos: [...ends(config.bos_token_id, size), ...named(({ content }) => content === config.bos_token)][0] ?? null,
    eos: [...new Set([...ends(config.eos_token_id, size), ...named(isEnd)])],
    prefix: [],
    suffix: [],
    bytes: (id) => {
      const token = addedById.get(id);
      if (token?.special) return NOTHING;
      // Added tokens are not in the alphabet of bytes. Other decoders also apply to them: Gemma adds ‘▁▁’, two spaces.
      return token && style.alphabet ? encoder.encode(token.content) : style.bytes(tokenizer.token(id));
    },
    spacePrefix: style.spacePrefix,
    clean: style.clean,
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
 * @returns {{ model: MergeBpe | Unigram | WordPiece, token: (id: number) => string | undefined, size: number }}
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
  for (const { id, content } of added) {
    tokens[id] = content;
    ids.set(content, id);
  }
  if (!Array.isArray(merges) || merges.length > 4 * MAX_TOKENS) throw bad('it has no array of merges');
  const ranks = new PairRanks(merges.length);
  merges.forEach((merge, rank) => {
    const parts = Array.isArray(merge) ? merge : String(merge).split(' ');
    const left = ids.get(parts[0]);
    const right = ids.get(parts[1]);
    if (parts.length !== 2 || left === undefined || right === undefined || !ids.has(parts[0] + parts[1])) {
      throw bad(`the merge ${quoted(merge)} does not join two tokens into a third`);
    }
    ranks.set(left, right, rank);
  });
  const rankOf = (/** @type {string} */ left, /** @type {string} */ right) =>
    ranks.get(ids.get(left) ?? -1, ids.get(right) ?? -1);
  return { model: new MergeBpe(ids, rankOf, options), token: (id) => tokens[id], size: tokens.length };
}

/**
 * @param {any} model
 * @param {{ id: number, content: string, special?: boolean }[]} added
 * @param {(problem: string) => HeedError} bad
 * @returns {ReturnType<typeof bpe>}
 */
function unigram({ vocab, unk_id: unknown }, added, bad) {
  const good = Array.isArray(vocab) && vocab.length > 0 && vocab.length <= MAX_TOKENS &&
    vocab.every((entry) => Array.isArray(entry) && typeof entry[0] === 'string' && Number.isFinite(entry[1]));
  if (!good) throw bad('its vocabulary is not an array of pieces with scores');
  const pieces = Strings.from(vocab.map(([piece]) => piece));
  const long = longPiece(pieces);
  if (long >= 0) throw bad(`piece ${long} of its vocabulary has more than ${MAX_PIECE_BYTES} bytes`);
  if (!isId(unknown) || unknown >= vocab.length) throw bad('it has no piece for unknown text');
  const names = new Map(added.map(({ id, content }) => [id, content]));
  const control = new Set(added.filter(({ special }) => special).map(({ id }) => id)).add(unknown);
  const scores = Float64Array.from(vocab, ([, score]) => score);
  return {
    model: new Unigram(pieces, new StringIndex(pieces), scores, unknown, (id) => !control.has(id)),
    token: (id) => names.get(id) ?? (id < pieces.length ? pieces.at(id) : undefined),
    size: added.reduce((most, { id }) => Math.max(most, id + 1), vocab.length),
  };
}

/**
 * @param {any} model
 * @param {{ id: number, content: string }[]} added
 * @param {(problem: string) => HeedError} bad
 * @returns {ReturnType<typeof bpe>}
 */
function wordPiece({ vocab, unk_token: unknown, max_input_chars_per_word: most = 100,
  continuing_subword_prefix: rest = '##' }, added, bad) {
  const ids = new Map(Object.entries(vocab ?? {}));
  const tokens = new Map(Array.from(ids, ([token, id]) => [id, token]));
  if (ids.size === 0 || tokens.size < ids.size || !Array.from(tokens.keys()).every(isId)) {
    throw bad('the ids of its vocabulary are not distinct integers');
  }
  if (!ids.has(unknown)) throw bad('it has no token for unknown text');
  if (!(most >= 1 && most <= MAX_WORD)) throw bad(`its words have up to ${quoted(most)} characters`);
  for (const { id, content } of added) tokens.set(id, content);
  const longest = Array.from(ids.keys()).reduce((sofar, { length }) => Math.max(sofar, length), 1);
  return {
    model: new WordPiece(ids, { unknown, rest, most, longest }),
    token: (id) => tokens.get(id),
    size: Array.from(tokens.keys()).reduce((sofar, id) => Math.max(sofar, id + 1), 0),
  };
}

/** Tokens of WordPiece: words begin after a space, and other pieces have a prefix, as in BERT.
 *  @param {any} json @returns {ReturnType<typeof styleOf>} */
function wordPieces({ model: { continuing_subword_prefix: prefix = '##' }, decoder }) {
  const textOf = (/** @type {string} */ token) =>
    (token.startsWith(prefix) ? token.slice(prefix.length) : ` ${token}`);
  return {
    bytes: (token) => encoder.encode(textOf(token)),
    spacePrefix: true,
    clean: decoder?.cleanup === false ? undefined : withoutGaps,
  };
}

/** A token with a space, in GPT-2's alphabet, instead of the mark of the end of a word.
 *  @param {string} token @param {string} suffix */
const spaced = (token, suffix) => (token.endsWith(suffix) ? `${token.slice(0, -suffix.length)}Ġ` : token);

/**
 * How tokens represent bytes: by GPT-2's alphabet, or as in SentencePiece.
 * @param {any} json
 * @param {string} name
 * @returns {{ bytes: (token: string) => Uint8Array, alphabet?: boolean, spacePrefix: boolean,
 *   clean?: (text: string) => string }}  alphabet: whether tokens are in GPT-2's alphabet
 */
function styleOf(json, name) {
  const decoders = stepsOf(json, 'decoder');
  const splitters = stepsOf(json, 'pre_tokenizer');
  const kinds = new Set([...decoders, ...splitters].map(({ type }) => type));
  if (kinds.has('ByteLevel')) {
    const prefix = splitters.some(({ type, add_prefix_space }) => type === 'ByteLevel' && add_prefix_space);
    const suffix = String(json.model.end_of_word_suffix || '');
    return { bytes: suffix ? (token) => bytesOfByteLevel(spaced(token, suffix)) : bytesOfByteLevel,
      alphabet: true, spacePrefix: prefix };
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
 * Bounds the time of a tokenizer of the package, and replaces steps that the package does only approximately.  (These
 * fields are private only in the types of the package.)
 * @param {any} library
 * @param {any} json
 */
function prepare({ normalizer, pre_tokenizer: splitter }, json) {
  const normalizers = stepsOf(json, 'normalizer');
  const splitters = stepsOf(json, 'pre_tokenizer');
  [normalizer?.normalizers ?? normalizer ?? []].flat().forEach((part, i) => correctNormalizer(part, normalizers[i]));
  [splitter?.tokenizers ?? splitter ?? []].flat().forEach((part, i) => correctSplitter(part, splitters[i]));
}

/** @param {any} part  a step of the package @param {any} step  the same in tokenizer.json */
function correctNormalizer(part, step) {
  bound(part);
  const normalize = {
    BertNormalizer: (/** @type {string} */ text) => bertText(text, step),
    Lowercase: (/** @type {string} */ text) => bertText(text, { lowercase: true, strip_accents: false }),
    Strip: (/** @type {string} */ text) =>
      text.replace(step.strip_left ? LEFT : '', '').replace(step.strip_right ? RIGHT : '', ''),
  }[/** @type {string} */ (step?.type)];
  if (normalize) part.normalize = normalize;
  if (step?.type === 'Precompiled') {
    const charsmap = new Charsmap(bytesOfBase64(step.precompiled_charsmap));
    part.normalize = (/** @type {string} */ text) => charsmap.replace(text);
  }
}

/** @param {any} part @param {any} step */
function correctSplitter(part, step) {
  bound(part);
  if (step?.type === 'ByteLevel') part.pattern = BYTE_LEVEL_WORD;
  const cuts = step && cutsOf(step, part.pattern);
  if (cuts) part.pre_tokenize_text = (/** @type {string} */ text) => piecesOf(text, cuts);
}

/**
 * Replaces the regular expression of a step by a LinearPattern.  Replacements become literal, because `$&` is
 * plain text in tokenizer.json.
 * @param {any} part
 */
function bound(part) {
  const config = part?.config;
  if (!(config?.pattern && part.pattern instanceof RegExp)) return;
  part.pattern = new LinearPattern(part.pattern);
  const { content } = config;
  if (typeof content === 'string') part.config = { ...config, content: content.replaceAll('$', '$$$$') };
}

/** @param {unknown} text  in base64; other values give no bytes */
function bytesOfBase64(text) {
  try {
    return Uint8Array.from(atob(String(text)), (character) => character.charCodeAt(0));
  } catch {
    return NOTHING;
  }
}
