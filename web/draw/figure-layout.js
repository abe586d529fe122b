/** The layout of a saved figure: axes, map, color bar and caption. All lengths are CSS pixels. */
import { tokenLabel } from './token.js';
import { labelStep } from './view.js';

/**
 * How a saved figure looks.
 * @typedef {object} FigureOptions
 * @property {number} fontSize font size of all text, 6 to 32 CSS pixels, default 12
 * @property {boolean} hatch hatch masked cells, default true
 * @property {boolean} transparent leave out the background, default false
 * @property {boolean} caption write title and provenance under the figure, default true
 */

/** @type {FigureOptions} */
export const DEFAULT_FIGURE_OPTIONS = { fontSize: 12, hatch: true, transparent: false, caption: true };

export const PAD = 8;
const GAP = 6;
/** Width of a character relative to the font size: exact for monospaced fonts, an upper bound for most others. */
const ADVANCE = 0.61;
/** Least width of a figure in characters, so that captions fit. */
export const MIN_CHARACTERS = 48;
/** Size of a color bar. */
export const BAR = { width: 150, height: 10 };

// Characters of double width: Chinese, Japanese, Korean, emoji.
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\u{1f000}-\u{1faff}]/u;

/**
 * The width of a text in a monospaced font, in CSS pixels.
 * @param {string} text
 * @param {number} fontSize
 */
export function textWidth(text, fontSize) {
  let columns = 0;
  for (const character of text) columns += WIDE.test(character) ? 2 : 1;
  return columns * ADVANCE * fontSize;
}

/**
 * Wraps text at spaces. A word longer than a line is split.
 * @param {string} text
 * @param {number} characters per line
 * @returns {string[]} lines
 */
export function wrapped(text, characters) {
  /** @type {string[]} */
  const lines = [];
  let line = '';
  for (let word of text.split(' ')) {
    if (line && line.length + 1 + word.length > characters) {
      lines.push(line);
      line = '';
    }
    for (; word.length > characters; word = word.slice(characters)) lines.push(word.slice(0, characters));
    line += line ? ` ${word}` : word;
  }
  return [...lines, line];
}

/**
 * Computes the layout of a figure.
 * @param {{ queries: string[], keys: string[], cell: number, options: FigureOptions, caption: string[],
 *   bar?: boolean }} figure
 *   queries, keys: all tokens of both axes; cell: side of a cell; bar: draw a color bar, default true
 * @returns the positions of the map (`left`, `top`), labels (`down`, `across`), `bar`, `ticks` and caption `lines`, and
 *   the size
 */
export function layOutFigure({ queries, keys, cell, options, caption, bar = true }) {
  const { fontSize } = options;
  const step = labelStep(cell, fontSize);
  const labelsOf = (/** @type {string[]} */ tokens) => tokens.flatMap((token, at) =>
    (at % step ? [] : [{ at, text: step > 1 ? String(at) : tokenLabel(token, Infinity) }]));
  const down = labelsOf(queries);
  const across = labelsOf(keys);
  const widest = (/** @type {{ text: string }[]} */ labels) =>
    labels.reduce((most, { text }) => Math.max(most, textWidth(text, fontSize)), 0);
  // A map has words in its corner. A grid of heads has no such words and no bar.
  const corner = { width: bar ? textWidth('from ↓ to →', fontSize) + GAP : 0, height: bar ? 3 * fontSize : 0 };
  const left = Math.ceil(PAD + Math.max(corner.width, widest(down)) + GAP);
  const top = Math.ceil(PAD + Math.max(corner.height, fontSize, widest(across)) + GAP);
  const right = left + keys.length * cell;
  const bottom = top + queries.length * cell;
  const width = Math.ceil(Math.max(right + PAD, left + BAR.width + 2 * PAD, MIN_CHARACTERS * ADVANCE * fontSize));
  const barBox = { x: left, y: bottom + 1.2 * fontSize, ...BAR };
  const ticks = barBox.y + BAR.height + 1.2 * fontSize;
  const captionFrom = bar ? ticks + 1.8 * fontSize : bottom + 2 * fontSize;
  return {
    left, top, width, cell, step, down, across, pad: PAD, gap: GAP,
    bar: barBox,
    /** Baseline of the numbers under the color bar. */
    ticks,
    ...layOutCaption(caption, { width, from: captionFrom, fontSize }),
  };
}

/**
 * Places a caption under a figure.
 * @param {string[]} caption
 * @param {{ width: number, from: number, fontSize: number }} place width of the figure; from: baseline of the first
 *   line
 * @returns the baseline of each line of the caption, and the height of the figure with the caption
 */
export function layOutCaption(caption, { width, from, fontSize }) {
  const texts = caption.flatMap((line) => wrapped(line, Math.floor((width - 2 * PAD) / (ADVANCE * fontSize))));
  const lines = texts.map((text, i) => ({ text, y: from + 1.4 * fontSize * i }));
  const last = lines.at(-1)?.y ?? from - 1.8 * fontSize;
  return { lines, height: Math.ceil(last + 0.6 * fontSize + PAD) };
}
