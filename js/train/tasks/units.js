/** What text is taken apart into before a vocabulary turns it into ids, and how it is put together again. */
import { HeedError } from '../../errors.js';

/** Stands for words that a vocabulary lacks. */
export const UNKNOWN = '<unk>';

/** Letters and digits, with what may stand within a word (don't, 2:30, well-known), or one sign. */
const WORD = /[\p{L}\p{N}]+(?:['’:.,-][\p{L}\p{N}]+)*|[^\s\p{L}\p{N}]/gu;
/** Signs that stand at the word before them, and after them. */
const CLOSING = /^[.,;:!?%)\]»”]$/;
const OPENING = /^[¿¡([«“]$/;

/** @param {string[]} symbols @param {string} text */
function some(symbols, text) {
  if (symbols.length > 0) return symbols;
  throw new HeedError('bad-argument', `There is nothing to read in ‘${text}’; give a text of a few words.`);
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
