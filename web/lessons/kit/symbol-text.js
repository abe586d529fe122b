/** Symbols in TeX as pieces of text, for the labels of a drawing: letters, indices, exponents and accents. */

/**
 * level: index, base line or exponent; width in units of the font size; accent: a sign above the text
 * @typedef {{ text: string, level: -1 | 0 | 1, width: number, accent?: 'bar' | 'tilde' | 'hat' | 'right' | 'left' }}
 *   Piece
 */
/** @typedef {'italic' | 'bold' | 'bold-italic' | 'roman'} Face */

const LETTERS = { alpha: 'α', beta: 'β', gamma: 'γ', theta: 'θ', lambda: 'λ', tau: 'τ', omega: 'ω', Delta: 'Δ',
  Pi: 'Π' };
const SIGNS = { ell: 'ℓ', top: '⊤', dots: '…', lt: '<', times: '×', cdot: '·' };
/** @type {Record<string, Piece['accent']>} */
const ACCENTS = { bar: 'bar', tilde: 'tilde', hat: 'hat', overrightarrow: 'right', overleftarrow: 'left' };
/** @type {Record<string, Face>} */
const FACES = { mathbf: 'bold', boldsymbol: 'bold-italic', mathrm: 'roman', operatorname: 'roman', mathit: 'italic' };
/** The first letter of each mathematical alphabet in Unicode: A, a, Α, α. @type {Record<Face, number[] | null>} */
const ALPHABETS = { 'roman': null, 'bold': [0x1d400, 0x1d41a, 0x1d6a8, 0x1d6c2],
  'italic': [0x1d434, 0x1d44e, 0x1d6e2, 0x1d6fc], 'bold-italic': [0x1d468, 0x1d482, 0x1d71c, 0x1d736] };
const RANGES = [['A', 'Z'], ['a', 'z'], ['Α', 'Ω'], ['α', 'ω']];
/** Size of indices and exponents. */
export const SMALL = 0.7;

/** A letter of a mathematical alphabet. @param {string} letter @param {Face} face */
function styled(letter, face) {
  if (letter === 'h' && face === 'italic') return 'ℎ'; // the alphabet has a hole here
  const range = RANGES.findIndex(([first, last]) => letter >= first && letter <= last);
  const start = ALPHABETS[face]?.[range];
  return start ? String.fromCodePoint(start + letter.charCodeAt(0) - RANGES[range][0].charCodeAt(0)) : letter;
}

/** @param {string} character @returns {number} its width in units of the font size, for the widest usual font */
const widthOf = (character) => (/[MWmw]/.test(character) ? 0.95 : /[ijl,.'′()|[\]]/.test(character) ? 0.36
    : /[ftr\- ]/.test(character) ? 0.42 : 0.63);

/**
 * The width of words, for the widest usual font of controls.
 * @param {string} text
 * @param {number} size of the font in pixels
 */
export const wordsWidth = (text, size) => [...text].reduce((sum, each) => sum + widthOf(each), 0) * size;

/**
 * A symbol as pieces of text. It understands the TeX of single symbols: letters, `\mathbf`, `\bar`, indices and so on.
 * @param {string} tex such as `\mathbf{c}_i`
 * @returns {Piece[]}
 * @throws {Error} for a command that it does not know
 */
export function symbolPieces(tex) {
  const tokens = tex.match(/\\[a-zA-Z]+|[^\s]/g) ?? [];
  /** @type {Piece[]} */ const pieces = [];
  let at = 0;
  /** @param {Piece['level']} level @param {string} text @param {number} [width] */
  const write = (level, text, width = widthOf(text)) => {
    const last = pieces[pieces.length - 1];
    const wide = width * (level ? SMALL : 1);
    if (last?.level === level) Object.assign(last, { text: last.text + text, width: last.width + wide });
    else pieces.push({ text, level, width: wide });
  };
  /** Reads one token, or a group in braces. @param {Piece['level']} level @param {Face} face */
  const read = (level, face) => {
    const token = tokens[at++];
    const name = token?.startsWith('\\') ? token.slice(1) : '';
    if (token === undefined) throw new Error(`The symbol ${tex} ends too early.`);
    else if (token === '{') {
      while (tokens[at] !== '}') read(level, face);
      at++;
    } else if (token === '_' || token === '^') read(token === '_' ? -1 : 1, 'italic');
    else if (token === "'") write(level, '′');
    else if (name in FACES) read(level, FACES[name]);
    else if (name in ACCENTS) {
      read(level, face);
      pieces[pieces.length - 1].accent = ACCENTS[name];
    } else if (name in LETTERS) write(level, styled(LETTERS[/** @type {keyof typeof LETTERS} */ (name)], face), 0.63);
    else if (name in SIGNS) write(level, SIGNS[/** @type {keyof typeof SIGNS} */ (name)]);
    else if (name) throw new Error(`The symbol ${tex} has \\${name}, which labels of drawings do not know.`);
    else write(level, styled(token === '-' ? '−' : token, face), widthOf(token));
  };
  while (at < tokens.length) read(0, 'italic');
  return pieces;
}

/** The width of a symbol. @param {Piece[]} pieces @param {number} size of the font in pixels */
export const symbolWidth = (pieces, size) => pieces.reduce((sum, { width }) => sum + width, 0) * size;
