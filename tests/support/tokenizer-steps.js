/**
 * Steps of tokenizer.json that cut or change text.  The vocabulary has all pairs of bytes, so tokens show where a text
 * was cut.  tools/goldens/tokenizer-steps.js gives these files to Hugging Face's tokenizers.
 */

/** Texts with digits, letters, punctuation, marks and white space outside of ASCII. */
export const TEXTS = [
  '', ' ', '  a  b ', 'Hello, world!', 'naïve café, Привет, МИР', '中文，好！日本語テスト', '한국어 शब्द', 'a1b22c333',
  '١٢٣ ４５６ ½¾ x²y³ Ⅷ①', "I'm we'LL 'tis", '((a)) --- "b"...', '«да» ¿qué? … —', '$5+3=8 a^b `c` ~d |e|', 'a_b‿c',
  'a\u0085b \u0085', '\ufeffBOM x\ufeffy \ufeff! 1\ufeff?', 'a\u00a0b\u3000c\u2028d', 'a\tb\r\n\n c\n',
  'zero\u200bwidth\u200djoin', 'ΟΔΟΣ ΣΑΣ İ ǅ', 'e\u0301a\u0300', '👍🏽 👨‍👩‍👧', '\0\u001f\u007f', '𝟘𝟙 𝔘𝔫',
];

const printable = [...Array(256).keys()].filter((b) => (b > 32 && b < 127) || (b > 160 && b !== 173));
let next = 256;
/** The visible characters of bytes in GPT-2's alphabet. */
const ALPHABET = Array.from({ length: 256 }, (_, b) => String.fromCodePoint(printable.includes(b) ? b : next++));
const MERGES = ALPHABET.flatMap((first) => ALPHABET.map((second) => `${first} ${second}`));
const VOCABULARY = Object.fromEntries([...ALPHABET, ...MERGES.map((merge) => merge.replace(' ', ''))]
  .map((token, id) => [token, id]));

const BYTES = { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: false };
const WORDS = { ...BYTES, use_regex: true };
/** @param {any[]} steps  pre-tokenizers before the bytes */
const cut = (...steps) => ({ pre_tokenizer: { type: 'Sequence', pretokenizers: [...steps, BYTES] } });
/** @param {any} normalizer */
const changed = (normalizer) => ({ ...cut(), normalizer });
/** @param {object} pattern @param {string} behavior @param {boolean} [invert] */
const split = (pattern, behavior, invert = false) => ({ type: 'Split', pattern, behavior, invert });
const BEHAVIORS = ['Removed', 'Isolated', 'MergedWithPrevious', 'MergedWithNext', 'Contiguous'];

/** Steps by name. @type {Record<string, object>} */
export const STEPS = {
  'ByteLevel': { pre_tokenizer: WORDS },
  'ByteLevel with a space': { pre_tokenizer: { ...WORDS, add_prefix_space: true } },
  'Whitespace': cut({ type: 'Whitespace' }),
  'WhitespaceSplit': cut({ type: 'WhitespaceSplit' }),
  'BertPreTokenizer': cut({ type: 'BertPreTokenizer' }),
  'Digits': cut({ type: 'Digits', individual_digits: false }),
  'Digits, each': cut({ type: 'Digits', individual_digits: true }),
  ...Object.fromEntries(BEHAVIORS.flatMap((behavior) => [
    [`Punctuation, ${behavior}`, cut({ type: 'Punctuation', behavior })],
    [`Split, ${behavior}`, cut(split({ Regex: String.raw`\s|[0-9]` }, behavior))],
    [`Split, ${behavior}, inverted`, cut(split({ Regex: String.raw`\p{L}+` }, behavior, true))],
  ])),
  'Split at a string': cut(split({ String: ' ' }, 'MergedWithPrevious')),
  'SmolLM2': { pre_tokenizer: { type: 'Sequence',
    pretokenizers: [{ type: 'Digits', individual_digits: true }, WORDS] } },
  'Falcon': { pre_tokenizer: { type: 'Sequence', pretokenizers: [{ type: 'Punctuation', behavior: 'Contiguous' }, WORDS,
    { type: 'Digits', individual_digits: false }, split({ Regex: '[0-9][0-9][0-9]' }, 'Isolated')] } },
  'Lowercase': changed({ type: 'Lowercase' }),
  'Strip': changed({ type: 'Strip', strip_left: true, strip_right: true }),
  'Strip at the left': changed({ type: 'Strip', strip_left: true, strip_right: false }),
  'Strip at the right': changed({ type: 'Strip', strip_left: false, strip_right: true }),
};

/** The tokenizer.json of some steps. @param {object} steps */
export const jsonOf = (steps) => ({
  version: '1.0', truncation: null, padding: null, added_tokens: [], normalizer: null, post_processor: null,
  decoder: { type: 'ByteLevel', add_prefix_space: true, trim_offsets: true, use_regex: true },
  model: { type: 'BPE', dropout: null, unk_token: null, continuing_subword_prefix: '', end_of_word_suffix: '',
    fuse_unk: false, byte_fallback: false, ignore_merges: false, vocab: VOCABULARY, merges: MERGES },
  ...steps,
});
