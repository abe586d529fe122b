/** How BERT prepares text before it is split into pieces (Devlin et al. 2019, `BasicTokenizer` of their
 *  tokenization.py; `BertNormalizer` of tokenizer.json). */

/** White space and the control characters that separate words; every other control character vanishes. */
const SPACES = /[\t\n\r\p{White_Space}]/gu;
const INVISIBLE = /(?![\t\n\r])[\0\uFFFD\p{Cc}\p{Cf}\p{Co}]/gu;
/** Ideographs, each of which is a word.  U+2B920 is the value of `tokenizers`; Unicode's block begins at U+2B820. */
const IDEOGRAPHS = new RegExp('[\\u{4E00}-\\u{9FFF}\\u{3400}-\\u{4DBF}\\u{20000}-\\u{2A6DF}\\u{2A700}-\\u{2B81F}' +
  '\\u{2B920}-\\u{2CEAF}\\u{F900}-\\u{FAFF}\\u{2F800}-\\u{2FA1F}]', 'gu');

/**
 * @typedef {object} BertSteps  with the names of tokenizer.json
 * @property {boolean} [clean_text]
 * @property {boolean} [handle_chinese_chars]
 * @property {boolean | null} [strip_accents]  default: as lowercase
 * @property {boolean} [lowercase]
 */

/**
 * The text whose words BERT knows.
 * @param {string} text
 * @param {BertSteps} steps
 */
export function bertText(text, { clean_text, handle_chinese_chars, strip_accents, lowercase }) {
  if (clean_text) text = text.replace(INVISIBLE, '').replace(SPACES, ' ');
  if (handle_chinese_chars) text = text.replace(IDEOGRAPHS, ' $& ');
  if (strip_accents ?? lowercase) text = text.normalize('NFD').replace(/\p{Mn}/gu, '');
  // JavaScript alone has another small sigma at the end of a word; BERT converts each character by itself.
  return lowercase ? text.replaceAll('Σ', 'σ').toLowerCase() : text;
}

/** A decoded text without the spaces that separate punctuation: `clean_up_tokenization` of transformers.
 *  @param {string} text */
export const withoutGaps = (text) =>
  text.replace(/ ([.?!,])/g, '$1').replace(/ ' /g, '\'').replace(/ (n't|'m|'s|'ve|'re)/g, '$1');
