/** Texts of random letters that a model reads and then writes again: the longer the text, the more to remember. */
import { hash } from './hash.js';

/** Symbols of the texts. */
export const SYMBOLS = [...' abcdefghijklmnopqrstuvwxyz'];
const LETTERS = SYMBOLS.slice(1);
/** Symbols of the longest text of the training. */
export const LONGEST_TRAINED = 20;
/** Shorter texts are too few to hold some out. */
const SHORTEST_HELD_OUT = 4;

/** Whether a text is held out: one in ten. @param {string} text */
export const isHeldOut = (text) => text.length >= SHORTEST_HELD_OUT && hash(text) % 10 === 0;

/**
 * Draws a text. It begins and ends with a letter.
 * @param {() => number} random in [0, 1)
 * @param {number} length in symbols
 * @param {boolean} heldOut whether to draw a held-out text; needs a length of at least 4
 * @returns {string}
 */
export function randomText(random, length, heldOut) {
  for (;;) {
    const text = Array.from({ length }, (_, i) => {
      const symbols = i === 0 || i === length - 1 ? LETTERS : SYMBOLS;
      return symbols[Math.floor(random() * symbols.length)];
    }).join('');
    if (isHeldOut(text) === heldOut) return text;
  }
}

/** Number of symbols of `text` that `written` has at the same position. @param {string} text @param {string} written */
export const symbolsRight = (text, written) => [...text].filter((symbol, i) => symbol === written[i]).length;
