/** Marks of the tokens of a text, to save them as a picture. */
import { cssOf, inkOn } from './color.js';
import { textWidth } from './figure-layout.js';
import { tokenParts } from './token.js';

/** Columns of a line, in characters. */
const COLUMNS = 72;
/** Height of a line relative to the font size. */
const LINE = 1.7;

/**
 * Colored tokens in lines of a monospaced font.
 * @param {readonly string[]} tokens
 * @param {object} view
 * @param {number} view.fontSize
 * @param {(at: number) => string} view.fillOf color of the text of a token without a background
 * @param {(at: number) => import('./color.js').Rgb | null} view.colorOf background of a token
 * @param {(at: number, box: import('./marks.js').Rect['rect']) => import('./marks.js').Mark[]} [view.over] more marks
 *   on a token
 * @returns {{ marks: import('./marks.js').Mark[], width: number, height: number }}
 */
export function tokenMarks(tokens, { fontSize, fillOf, colorOf, over = () => [] }) {
  const advance = textWidth('m', fontSize);
  const height = LINE * fontSize;
  /** @type {import('./marks.js').Mark[]} */
  const marks = [];
  let x = 0;
  let line = 0;
  tokens.forEach((token, at) => {
    const parts = tokenParts(token);
    // A leading space separates words. It is not colored, and a line does not begin with it.
    const spaced = parts.length > 1 && parts[0].kind === 'space';
    const text = parts.slice(spaced ? 1 : 0).map((part) => part.text).join('');
    const columns = textWidth(text, fontSize) / advance;
    if (x > 0 && x + Number(spaced) + columns > COLUMNS) [x, line] = [0, line + 1];
    else if (spaced && x > 0) x++;
    const rgb = colorOf(at);
    const left = x * advance;
    const y = line * height;
    /** @type {import('./marks.js').Rect['rect']} */
    const box = [left, y + 1, columns * advance, height - 2];
    if (rgb) marks.push({ rect: box, fill: cssOf(rgb) });
    marks.push({ text, x: left, y: y + height / 2, mono: true, fill: rgb ? inkOn(rgb) : fillOf(at) }, ...over(at, box));
    x += columns;
    if (parts.some(({ kind }) => kind === 'newline')) {
      x = 0;
      line++;
    }
  });
  return { marks, width: COLUMNS * advance, height: (line + 1) * height };
}
