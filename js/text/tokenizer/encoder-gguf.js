/** Vocabularies of encoders in GGUF files: WordPiece of BERT, and Unigram of T5 and XLM-RoBERTa. */
import { bertText, withoutGaps } from './bert.js';
import { Charsmap } from './charsmap.js';
import { SPACE, bytesOfPiece } from './sentencepiece.js';
import { TextTokenizer } from './text-tokenizer.js';
import { MAX_PIECE_BYTES, Unigram, longPiece } from './unigram.js';
import { WordPiece } from './wordpiece.js';

/** @typedef {import('./vocabulary.js').Vocabulary} Vocabulary */
/** @typedef {[kind: string, make: (vocabulary: Vocabulary) => TextTokenizer]} Kind */

/** Ids of BERT's vocabularies, which old files do not repeat (llama.cpp, llama-vocab.cpp). */
const UNK = 100, CLS = 101, SEP = 102;
/** Token types that text can form: ordinary, user-defined, unused. */
const PIECE_TYPES = new Set([1, 4, 5]);
const USER_DEFINED = 4;

/** WordPiece, whose pieces at the begin of a word have the prefix ▁. @type {Kind} */
export const WORD_PIECE = ['bert', (vocabulary) => {
  const { name, tokens, added, ids } = vocabulary;
  const unknown = vocabulary.id('unknown_token_id', UNK);
  const start = vocabulary.id('cls_token_id', null) ?? vocabulary.id('bos_token_id', CLS);
  const end = vocabulary.id('seperator_token_id', SEP); // the spelling of the key
  if (unknown === null || start === null || end === null) {
    throw vocabulary.bad('it lacks tokens for unknown words, or for the start and end of a text');
  }
  const lowercase = vocabulary.flag('normalizer.lowercase', true);
  const steps = { clean_text: true, handle_chinese_chars: true, lowercase,
    strip_accents: vocabulary.flag('normalizer.strip_accents', lowercase) };
  let longest = 1;
  for (let id = 0; id < tokens.length; id++) longest = Math.max(longest, tokens.end(id) - tokens.start(id));
  return new TextTokenizer({
    json: { pre_tokenizer: { type: 'BertPreTokenizer' } },
    prepare: (library) => (library.normalizer = (/** @type {string} */ text) => bertText(text, steps)),
    model: new WordPiece(ids, { unknown: tokens.at(unknown), first: SPACE, longest }),
    added,
    ...vocabulary.ends({ bos: start, eos: end, addBos: true }),
    prefix: [start],
    suffix: [end],
    ...vocabulary.spelling(bytesOfPiece),
    spacePrefix: true,
    clean: withoutGaps,
  }, name);
}];

/** SentencePiece's unigram model with its replacements of characters. @type {Kind} */
export const UNIGRAM = ['t5', (vocabulary) => {
  const { name, tokens, types, added, ids } = vocabulary;
  const long = longPiece(tokens);
  if (long >= 0) throw vocabulary.bad(`token ${long} has more than ${MAX_PIECE_BYTES} bytes`);
  const unknown = vocabulary.id('unknown_token_id', 2);
  if (unknown === null) throw vocabulary.bad('it has no token for unknown text');
  const scores = Float64Array.from(vocabulary.numbers('scores', tokens.length, 0),
    (score, id) => (types[id] === USER_DEFINED ? 0 : score));
  const spacePrefix = vocabulary.flag('add_space_prefix', true);
  const merge = vocabulary.flag('remove_extra_whitespaces', false);
  const charsmap = charsmapOf(vocabulary);
  // As in llama.cpp, merged spaces also have a prefix; kept spaces have it before the first word.
  const normalized = (/** @type {string} */ text) => {
    const words = charsmap?.replace(text) ?? text;
    if (merge) return words.split(' ').map((word) => word && SPACE + word).join('');
    return (spacePrefix ? words.replace(/^( *)(?=[^ ])/, '$1 ') : words).replaceAll(' ', SPACE);
  };
  return new TextTokenizer({
    json: {},
    prepare: (library) => (library.normalizer = normalized),
    model: new Unigram(tokens, ids, scores, unknown, (id) => id !== unknown && PIECE_TYPES.has(types[id])),
    added,
    ...vocabulary.ends({ bos: null, eos: 1, addBos: false, addEos: true }),
    ...vocabulary.spelling(bytesOfPiece),
    spacePrefix: spacePrefix || merge,
  }, name);
}];

/** @param {Vocabulary} vocabulary @returns {Charsmap | null} */
function charsmapOf(vocabulary) {
  const value = vocabulary.metadata['tokenizer.ggml.precompiled_charsmap'];
  if (value === undefined) return null;
  if (!Array.isArray(value) && !(value instanceof Uint8Array) && !(value instanceof Int8Array)) {
    throw vocabulary.bad('its ‘precompiled_charsmap’ is not an array of bytes');
  }
  try {
    return new Charsmap(Uint8Array.from(/** @type {ArrayLike<number>} */ (value)));
  } catch (error) {
    throw vocabulary.bad(error instanceof Error ? error.message : String(error));
  }
}
