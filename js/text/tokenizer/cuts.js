/**
 * Where steps of a tokenizer.json cut a text, as in Hugging Face's `tokenizers` in Rust.  Its package in JavaScript
 * knows only ASCII digits and letters, has other white space, and ignores most behaviors.
 */
import { GPT2 } from './pre-tokenizers.js';

/** White space of JavaScript lacks U+0085, and has U+FEFF. @param {string} source @returns {RegExp} */
const unicode = (source) =>
  new RegExp(source.replaceAll('\\s', '\\p{White_Space}').replaceAll('\\S', '\\P{White_Space}'), 'gu');

const SPACE = unicode(String.raw`\s`);
const NUMBER = unicode(String.raw`\p{N}`);
const PUNCTUATION = unicode(String.raw`[\p{P}!-\/:-@[-\x60{-~]`);
/** `\w` of Rust's expressions. */
const LETTERS = String.raw`\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}`;
const WORD = unicode(String.raw`[${LETTERS}]+|[^${LETTERS}\s]+`);
/** The words of ByteLevel. */
export const BYTE_LEVEL_WORD = unicode(GPT2);
/** White space at the begin and at the end. */
export const LEFT = unicode(String.raw`^\s+`), RIGHT = unicode(String.raw`(?<!\s)\s+$`);

/**
 * Whether two adjacent parts are one piece, from whether they are matches.
 * @type {Readonly<Record<string, (first: boolean, second: boolean) => boolean>>}
 */
const JOINS = Object.freeze({
  Removed: () => false,
  Isolated: () => false,
  MergedWithPrevious: (first, second) => !first && second,
  MergedWithNext: (first, second) => first && !second,
  Contiguous: (first, second) => first === second,
});
/** Names of behaviors. */
export const BEHAVIORS = Object.freeze(Object.keys(JOINS));

/**
 * A cut of a text at matches.
 * @typedef {object} Cut
 * @property {RegExp} pattern  with the flags g and u
 * @property {string} [behavior]  one of BEHAVIORS; default Isolated
 * @property {boolean} [invert]  whether the parts between the matches count as matches, and the matches do not
 */

/**
 * The cuts of a pre-tokenizer, one after another.
 * @param {any} step  of a tokenizer.json
 * @param {RegExp} pattern  the expression of a Split
 * @returns {Cut[] | null} null: another step, which the package does as in Rust
 */
export function cutsOf({ type, behavior, invert, individual_digits: individual }, pattern) {
  switch (type) {
    case 'Split': return [{ pattern, behavior, invert }];
    case 'Whitespace': return [{ pattern: WORD, behavior: 'Removed', invert: true }];
    case 'WhitespaceSplit': return [{ pattern: SPACE, behavior: 'Removed' }];
    case 'BertPreTokenizer': return [{ pattern: SPACE, behavior: 'Removed' }, { pattern: PUNCTUATION }];
    case 'Punctuation': return [{ pattern: PUNCTUATION, behavior }];
    case 'Digits': return [{ pattern: NUMBER, behavior: individual ? 'Isolated' : 'Contiguous' }];
    default: return null;
  }
}

/** The pieces of a text after each cut in turn. @param {string} text @param {Cut[]} cuts */
export const piecesOf = (text, cuts) =>
  cuts.reduce((pieces, cut) => pieces.flatMap((piece) => cutOnce(piece, cut)), [text]);

/** @param {string} text @param {Cut} cut @returns {string[]} */
function cutOnce(text, { pattern, behavior = 'Isolated', invert = false }) {
  const joins = JOINS[behavior];
  /** @type {string[]} */
  const pieces = [];
  let at = 0;
  /** @type {boolean | undefined} */
  let before;
  const add = (/** @type {number} */ end, /** @type {boolean} */ isFound) => {
    if (end === at) return;
    const part = text.slice(at, end);
    const isMatch = isFound !== invert;
    at = end;
    if (isMatch && behavior === 'Removed') return;
    if (before !== undefined && joins(before, isMatch)) pieces[pieces.length - 1] += part;
    else pieces.push(part);
    before = isMatch;
  };
  for (const { index, 0: { length } } of text.matchAll(pattern)) {
    add(index, false);
    add(index + length, true);
  }
  add(text.length, false);
  return pieces;
}
