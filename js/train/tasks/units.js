/** What text is taken apart into before a vocabulary turns it into ids, and how it is put together again. */
import { HeedError, quoted } from '../../errors.js';

/** Stands for words that a vocabulary lacks. */
export const UNKNOWN = '<unk>';

/** Letters and digits, with what may stand within a word (don't, 2:30, well-known), or one sign. */
const WORD = /[\p{L}\p{N}]+(?:['’:.,-][\p{L}\p{N}]+)*|[^\s\p{L}\p{N}]/gu;
/** Signs that stand at the word before them, and after them. */
const CLOSING = /^[.,;:!?%)\]»”]$/;
const OPENING = /^[¿¡([«“]$/;

/** @param {string[]} symbols @param {string} text @throws {HeedError} 'bad-argument' where there are none */
function some(symbols, text) {
  if (symbols.length > 0) return symbols;
  throw new HeedError('bad-argument', `There is nothing to read in ${quoted(text)}: it is empty.`);
}

/** @typedef {{ split: (text: string) => string[], join: (symbols: string[]) => string }} Unit */
/** @type {Record<'characters' | 'words', Unit>} */
export const UNITS = {
  characters: {
    split: (text) => some([...text.normalize('NFC').toLowerCase().trim()], text),
    join: (symbols) => symbols.join(''),
  },
  words: {
    split: (text) => some(text.normalize('NFC').toLowerCase().replaceAll('’', '\'').match(WORD) ?? [], text),
    join: (symbols) => symbols.reduce((text, symbol, i) =>
      text + (i === 0 || CLOSING.test(symbol) || OPENING.test(symbols[i - 1]) ? '' : ' ') + symbol, ''),
  },
};

/**
 * Symbols of a text as a model reads them: where its vocabulary has <unk>, that stands for those which it lacks.
 * @param {'characters' | 'words'} units @param {string[]} vocabulary @param {string} text @returns {string[]}
 * @throws {HeedError} 'bad-argument' where there is nothing in the text
 */
export function symbolsOf(units, vocabulary, text) {
  const symbols = UNITS[units].split(text);
  if (!vocabulary.includes(UNKNOWN)) return symbols;
  return symbols.map((symbol) => (vocabulary.includes(symbol) ? symbol : UNKNOWN));
}
