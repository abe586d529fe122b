/**
 * Small tokenizers of encoders, as GGUF metadata and as tokenizer.json: WordPiece of BERT, byte-level BPE of RoBERTa,
 * Unigram of XLM-RoBERTa and T5.  tools/goldens/encoder-tokenizers.js gives them to llama.cpp and to Hugging Face's
 * tokenizers.
 */
import { array, bool, string, uint32 } from '../../js/files/gguf/writer.js';
import { charsmapOf } from './charsmap.js';

/** @typedef {import('../../js/files/gguf/writer.js').Metadata} Metadata */

/** Texts for which llama.cpp and Hugging Face's tokenizers agree. */
export const TEXTS = [
  '', ' ', 'hello', 'Hello, World!', '  two   spaces ', 'the cats sat.', 'The Cáts SAT on the mat', "don't stop it's",
  'a\tb\nc\r\nd', 'a\u00a0b\u2003c\u3000d', 'Zürich naïve Ångström', 'cafe\u0301 e\u0323\u0301', 'ÉCOLE', 'x²+y=$5.00',
  'a_b-c/d\\e', '“quoted” – dash… ¿qué?', '«да» Привет, МИР', 'ΟΔΟΣ σας Σ', 'straße GROẞ', '中文，好！漢字', '日本語テスト',
  'a中b', 'ab\u0000c\ufffdd', 'zero\u200bwidth\u200djoin\ufeff', 'soft\u00adhyphen', '👍🏽 ok 👨‍👩‍👧', '🤗', '한', '1234567',
  '[MASK] cat', 'the [MASK] sat [SEP] [CLS]', '<mask> cat', 'the <mask> sat </s> <s>', '[ MASK ] [mask]', 'жжж щ',
  'xжx', 'qqqq', 'unknown☃snowman ☃☃ ☃', 'ﬁne ﬂow ① ½ Ａｂｃ', '𠀀𠀁 𪛖', '▁a▁ ▁', 'ab'.repeat(40), 'a '.repeat(30),
  'İstanbul I ı', 'ǅ ǆ Ǆ', 'ß', '\u0301a', 'a\u007fb\u0085c', '...!!!', '@#%^&*()', 'if x<=3: return',
];

/** Texts for which llama.cpp differs from the tokenizers of the models.  It drops Hangul and vowel signs after the
 *  first character of a decomposition.  Control characters that are white space divide words. */
export const ORIGINAL_TEXTS = [
  '한국어 텍스트', 'हिन्दी में', 'বাংলা কো', 'a\u000bb\u000cc', 'x'.repeat(100), 'x'.repeat(101), `${'x'.repeat(101)} cat`,
];

const LETTERS = [...new Set([...TEXTS, ...ORIGINAL_TEXTS].flatMap((text) =>
  [text, text.toLowerCase(), text.normalize('NFD'), text.normalize('NFD').toLowerCase(), text.normalize('NFKC')]
    .flatMap((form) => [...form])))]
  .filter((letter) => !/[\s\p{C}жщ☃🤗]/u.test(letter) && letter !== '▁').sort();

const SPECIAL = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]'];
const WORDS = ['hello', 'world', 'the', 'cat', 'sat', 'on', 'mat', 'stop', 'don', 'two', 'space', '##s', '##es', 'ab',
  '##ab', '##abab', 'Hello', 'The', 'C', '##áts', 'при', '##вет', '##ing', 'zero', 'cafe', 'café', 'return', 'mask'];

/** The vocabulary of BERT: special tokens, words, and each letter at the begin and inside of a word. */
export const WORD_PIECES = [...new Set([...SPECIAL, '[unused1]', ...WORDS, ...LETTERS,
  ...LETTERS.map((letter) => `##${letter}`)])];

const idOf = (/** @type {string} */ token) => WORD_PIECES.indexOf(token);

/** GGUF metadata of BERT. @param {boolean} isCased @returns {Metadata} */
export const bertGguf = (isCased) => ({
  'tokenizer.ggml.model': string('bert'),
  'tokenizer.ggml.pre': string('jina-v2-en'),
  'tokenizer.ggml.tokens': array('string', WORD_PIECES.map((token) =>
    (/^\[.+\]$/.test(token) ? token : token.startsWith('##') && token.length > 2 ? token.slice(2) : `▁${token}`))),
  'tokenizer.ggml.token_type': array('int32', WORD_PIECES.map((token) =>
    (token === '[unused1]' ? 5 : /^\[.+\]$/.test(token) ? 3 : 1))),
  'tokenizer.ggml.bos_token_id': uint32(idOf('[CLS]')),
  'tokenizer.ggml.unknown_token_id': uint32(idOf('[UNK]')),
  'tokenizer.ggml.seperator_token_id': uint32(idOf('[SEP]')),
  'tokenizer.ggml.padding_token_id': uint32(idOf('[PAD]')),
  'tokenizer.ggml.mask_token_id': uint32(idOf('[MASK]')),
  ...(isCased && { 'tokenizer.ggml.normalizer.lowercase': bool(false) }),
});

/** A template of start and end tokens. @param {string | null} first @param {string} last
 *  @param {(token: string) => number} id */
const template = (first, last, id) => ({
  type: 'TemplateProcessing',
  single: [...(first ? [{ SpecialToken: { id: first, type_id: 0 } }] : []), { Sequence: { id: 'A', type_id: 0 } },
    { SpecialToken: { id: last, type_id: 0 } }],
  pair: [{ Sequence: { id: 'A', type_id: 0 } }, { Sequence: { id: 'B', type_id: 1 } }],
  special_tokens: Object.fromEntries([first, last].flatMap((token) =>
    (token ? [[token, { id: token, ids: [id(token)], tokens: [token] }]] : []))),
});

/** @param {string} content @param {number} id @param {boolean} [lstrip] */
const added = (content, id, lstrip = false) =>
  ({ id, content, single_word: false, lstrip, rstrip: false, normalized: false, special: true });

const FRAME = { version: '1.0', truncation: null, padding: null };

/** tokenizer.json of BERT; DistilBERT has the same. @param {boolean} isCased @param {boolean} [hasTemplate] */
export const bertJson = (isCased, hasTemplate = true) => ({
  ...FRAME,
  added_tokens: SPECIAL.map((token) => added(token, idOf(token))),
  normalizer: { type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true, strip_accents: null,
    lowercase: !isCased },
  pre_tokenizer: { type: 'BertPreTokenizer' },
  post_processor: hasTemplate ? template('[CLS]', '[SEP]', idOf)
    : { type: 'BertProcessing', sep: ['[SEP]', idOf('[SEP]')], cls: ['[CLS]', idOf('[CLS]')] },
  decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
  model: { type: 'WordPiece', unk_token: '[UNK]', continuing_subword_prefix: '##', max_input_chars_per_word: 100,
    vocab: Object.fromEntries(WORD_PIECES.map((token, id) => [token, id])) },
});

/** Replacements of a charsmap, in the manner of SentencePiece's nmt_nfkc. */
export const REPLACEMENTS = /** @type {[string, string][]} */ ([
  ['\t', ' '], ['\n', ' '], ['\r', ' '], ['\u00a0', ' '], ['\u2003', ' '], ['\u3000', ' '], ['\u200b', ''],
  ['\u0000', ''], ['\u00ad', ''], ['\ufeff', ''], ['ﬁ', 'fi'], ['ﬂ', 'fl'], ['①', '1'], ['½', '1⁄2'], ['²', '2'],
  ['Ａ', 'A'], ['ｂ', 'b'], ['ｃ', 'c'], ['…', '...'], ['，', ','], ['！', '!'], ['e\u0301', 'é'], ['E\u0301', 'É'],
  ['Å', 'Å'], ['ǆ', 'dž'], ['ǅ', 'Dž'],
].filter(([from]) => from !== '\u0000'));

const PIECES = ['▁', '▁the', '▁hello', 'hello', '▁cat', 's', '▁sat', '▁mat', '▁on', '▁a', '▁b', 'ab', 'abab',
  'abababab', '▁ab', 'll', 'he', 'o,', 'at', '▁c', 'ca', 'the', '▁st', 'op', 'stop', 'в', 'ет', '本', '日本', '日本語',
  '。', '..', '...', '▁I', 'st', 'ing', '▁two', 'spaces', 'spa', 'ces', '▁Zür', 'ich', 'fi', 'ne', '▁return', '▁MASK',
  '12', '123', '4567'];
/** Scores that are exact in 32 bits, with equal ones. @param {string} piece @param {number} at */
const scoreOf = (piece, at) => -(1 + (at * 37 % 23) / 4 + 8 / [...piece].length);
const MASK_AT_END = '<mask>';

/** Pieces with scores: control tokens first, as in T5 or XLM-RoBERTa. @param {string[]} control */
const unigram = (control) => /** @type {[string, number][]} */ ([
  ...control.map((token) => [token, 0]),
  ...[...new Set([...PIECES, ...LETTERS.filter((letter) => /[\p{Script=Latin}\p{P}\p{S}\p{N}]/u.test(letter))])]
    .map((piece, at) => [piece, scoreOf(piece, at)]),
]);
const T5 = unigram(['<pad>', '</s>', '<unk>']);
const XLM = [...unigram(['<s>', '<pad>', '</s>', '<unk>']), /** @type {[string, number]} */ ([MASK_AT_END, 0])];

/** @param {boolean} isT5 */
export const unigramPieces = (isT5) => (isT5 ? T5 : XLM);

/**
 * GGUF metadata of T5, or of an XLM-RoBERTa.
 * @param {boolean} isT5
 * @param {{ spaces?: boolean, merge?: boolean, charsmap?: boolean }} [options]
 * @returns {Metadata}
 */
export function unigramGguf(isT5, { spaces = true, merge = true, charsmap = true } = {}) {
  const pieces = unigramPieces(isT5);
  const at = (/** @type {string} */ token) => uint32(pieces.findIndex(([piece]) => piece === token));
  const isControl = (/** @type {string} */ token) => /^<.+>$/.test(token);
  return {
    'tokenizer.ggml.model': string('t5'),
    'tokenizer.ggml.tokens': array('string', pieces.map(([piece]) => piece)),
    'tokenizer.ggml.scores': array('float32', pieces.map(([, score]) => score)),
    'tokenizer.ggml.token_type': array('int32', pieces.map(([piece]) =>
      (piece === '<unk>' ? 2 : isControl(piece) ? 3 : 1))),
    'tokenizer.ggml.eos_token_id': at('</s>'),
    'tokenizer.ggml.unknown_token_id': at('<unk>'),
    'tokenizer.ggml.padding_token_id': at('<pad>'),
    ...(!isT5 && { 'tokenizer.ggml.bos_token_id': at('<s>'), 'tokenizer.ggml.add_bos_token': bool(true),
      'tokenizer.ggml.seperator_token_id': at('</s>'), 'tokenizer.ggml.mask_token_id': at(MASK_AT_END) }),
    'tokenizer.ggml.add_eos_token': bool(true),
    'tokenizer.ggml.add_space_prefix': bool(spaces),
    'tokenizer.ggml.remove_extra_whitespaces': bool(merge),
    ...(charsmap && { 'tokenizer.ggml.precompiled_charsmap': array('uint8', [...charsmapOf(REPLACEMENTS)]) }),
  };
}

/** tokenizer.json of T5, or of XLM-RoBERTa. @param {boolean} isT5 */
export function unigramJson(isT5) {
  const pieces = unigramPieces(isT5);
  const at = (/** @type {string} */ token) => pieces.findIndex(([piece]) => piece === token);
  const metaspace = { type: 'Metaspace', replacement: '▁', prepend_scheme: 'always', split: true };
  return {
    ...FRAME,
    added_tokens: [...(isT5 ? ['<pad>', '</s>', '<unk>'] : ['<s>', '<pad>', '</s>', '<unk>', MASK_AT_END])]
      .map((token) => added(token, at(token), token === MASK_AT_END)),
    normalizer: { type: 'Precompiled', precompiled_charsmap: Buffer.from(charsmapOf(REPLACEMENTS)).toString('base64') },
    pre_tokenizer: { type: 'Sequence', pretokenizers: [{ type: 'WhitespaceSplit' }, metaspace] },
    post_processor: template(isT5 ? null : '<s>', '</s>', at),
    decoder: metaspace,
    model: { type: 'Unigram', unk_id: at('<unk>'), vocab: pieces, byte_fallback: false },
  };
}

/** The visible characters of bytes in GPT-2's alphabet. */
const ALPHABET = (() => {
  const printable = [...Array(256).keys()].filter((b) => (b > 32 && b < 127) || (b > 160 && b !== 173));
  let next = 256;
  return Array.from({ length: 256 }, (_, b) => String.fromCodePoint(printable.includes(b) ? b : next++));
})();
const MERGES = ['h e', 'l l', 'he ll', 'hell o', 'Ġ t', 'h e', 'Ġt he', 'Ġ c', 'a t', 'Ġc at', 'Ġ s', 'Ġs at', 'Ã ©',
  '1 2',  'a b', 'ab ab', 'Ġ a', 'Ġ Ġ', '. .'].filter((merge, i, all) => all.indexOf(merge) === i);
const BYTE_PIECES = ['<s>', '<pad>', '</s>', '<unk>', ...ALPHABET, ...MERGES.map((merge) => merge.replace(' ', '')),
  MASK_AT_END];

/** tokenizer.json of RoBERTa, with its post-processor or with a template. @param {boolean} [hasTemplate] */
export function robertaJson(hasTemplate = false) {
  const at = (/** @type {string} */ token) => BYTE_PIECES.indexOf(token);
  return {
    ...FRAME,
    added_tokens: ['<s>', '<pad>', '</s>', '<unk>', MASK_AT_END].map((token) =>
      added(token, at(token), token === MASK_AT_END)),
    normalizer: null,
    pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true },
    post_processor: hasTemplate ? template('<s>', '</s>', at) : { type: 'RobertaProcessing', sep: ['</s>', at('</s>')],
      cls: ['<s>', at('<s>')], trim_offsets: true, add_prefix_space: false },
    decoder: { type: 'ByteLevel', add_prefix_space: true, trim_offsets: true },
    model: { type: 'BPE', dropout: null, unk_token: null, continuing_subword_prefix: '', end_of_word_suffix: '',
      fuse_unk: false, vocab: Object.fromEntries(BYTE_PIECES.map((token, id) => [token, id])), merges: MERGES },
  };
}

/** Metadata by name. @type {Record<string, Metadata>} */
export const GGUF_CASES = {
  'bert, uncased': bertGguf(false),
  'bert, cased': bertGguf(true),
  't5': unigramGguf(true),
  'xlm-roberta': unigramGguf(false),
  't5 without prefix': unigramGguf(true, { spaces: false }),
  't5 with all spaces': unigramGguf(true, { merge: false }),
  't5 without a charsmap': unigramGguf(true, { spaces: false, merge: false, charsmap: false }),
};

/** tokenizer.json by name. @type {Record<string, any>} */
export const JSON_CASES = {
  'bert, uncased': bertJson(false),
  'bert, cased': bertJson(true),
  'distilbert': bertJson(false, false),
  'roberta': robertaJson(),
  'roberta with a template': robertaJson(true),
  't5': unigramJson(true),
  'xlm-roberta': unigramJson(false),
};
