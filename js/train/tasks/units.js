/** Units of text: splits text into symbols of a vocabulary, and joins symbols into text. */
import { HeedError, quoted } from '../../errors.js';

/** Symbol of words outside the vocabulary. */
export const UNKNOWN = '<unk>';

/** A word of letters and digits, with inner punctuation (don't, 2:30, well-known), or one punctuation mark. */
const WORD = /[\p{L}\p{N}]+(?:['’:.,-][\p{L}\p{N}]+)*|[^\s\p{L}\p{N}]/gu;
/** Punctuation without a space before it, and without a space after it. */
const CLOSING = /^[.,;:!?%)\]»”]$/;
const OPENING = /^[¿¡([«“]$/;

/** @param {string[]} symbols @param {string} text @throws {HeedError} 'bad-argument' for an empty text */
function needSymbols(symbols, text) {
  if (symbols.length > 0) return symbols;
  throw new HeedError('bad-argument',
    `The text ${quoted(text)} has nothing to read. Write at least one character that is not a space.`);
}

/** @typedef {{ split: (text: string) => string[], join: (symbols: string[]) => string }} Unit */
/** @type {Record<'characters' | 'words', Unit>} */
export const UNITS = {
  characters: {
    split: (text) => needSymbols([...text.normalize('NFC').toLowerCase().trim()], text),
    join: (symbols) => symbols.join(''),
  },
  words: {
    split: (text) => needSymbols(text.normalize('NFC').toLowerCase().replaceAll('’', '\'').match(WORD) ?? [], text),
    join: (symbols) => symbols.reduce((text, symbol, i) =>
      text + (i === 0 || CLOSING.test(symbol) || OPENING.test(symbols[i - 1]) ? '' : ' ') + symbol, ''),
  },
};

/**
 * Symbols of a text. If the vocabulary has <unk>, it replaces symbols outside the vocabulary.
 * @param {'characters' | 'words'} units @param {string[]} vocabulary @param {string} text @returns {string[]}
 * @throws {HeedError} 'bad-argument' for an empty text
 */
export function symbolsOf(units, vocabulary, text) {
  const symbols = UNITS[units].split(text);
  if (!vocabulary.includes(UNKNOWN)) return symbols;
  return symbols.map((symbol) => (vocabulary.includes(symbol) ? symbol : UNKNOWN));
}
