/**
 * Lines between the words of a text: queries in a left column, keys in a right one (Vig, 2019, “A Multiscale
 * Visualization of Attention in the Transformer Model”, the head view).
 */
import { colorOf } from './categorical.js';
import { textWidth } from './figure-layout.js';
import { tokenLabel } from './token.js';

/** Height of a token in CSS pixels. */
export const LINE_HEIGHT = 20;
/** Lines with less opacity are left out. */
const LEAST_OPACITY = 0.03;
/** Widths of the thinnest and of the thickest line. */
const [THIN, THICK] = [0.75, 3];
/** Different opacities of a head's lines. */
const LEVELS = 32;
/** Between a label and the lines. */
const GAP = 8;

/** @typedef {{ side: 'query' | 'key', at: number }} Focus a token of one column */

/**
 * @typedef {object} LinesScene
 * @property {import('./rows.js').Rows[]} heads the rows of each head
 * @property {string[]} tokens of the right column, and of the left one unless `queryTokens` is given
 * @property {string[]} [queryTokens] of the left column, for cross-attention
 * @property {number} max the weight of the thickest line
 * @property {boolean} leaveFirstOut leave out lines to the first token
 * @property {Focus | null} focus the token whose lines are shown alone
 */

/**
 * The lines to draw: of the tokens in a range, or only of the token in focus.
 * @param {LinesScene} scene
 * @param {[from: number, to: number]} range of queries
 * @returns {{ head: number, query: number, key: number, opacity: number }[]} head: index into `heads`
 */
export function linesIn({ heads, max, leaveFirstOut, focus }, [from, to]) {
  /** @type {ReturnType<typeof linesIn>} */
  const lines = [];
  const first = leaveFirstOut ? 1 : 0;
  const least = LEAST_OPACITY * max;
  heads.forEach((rows, head) => {
    const add = (/** @type {number} */ query, /** @type {number} */ key, /** @type {number} */ weight) => {
      if (weight >= least) lines.push({ head, query, key, opacity: Math.min(1, weight / max) });
    };
    if (focus?.side === 'key') {
      if (focus.at < first) return;
      for (const [query, { weights }] of rows.entries()) {
        if (focus.at < weights.length) add(query, focus.at, weights[focus.at]);
      }
      return;
    }
    for (let query = focus ? focus.at : from; query < (focus ? focus.at + 1 : to); query++) {
      const weights = rows.get(query)?.weights ?? [];
      for (let key = first; key < weights.length; key++) add(query, key, weights[key]);
    }
  });
  return lines;
}

/**
 * The strongest partners of the token in focus.
 * @param {LinesScene} scene
 * @param {Focus} focus
 * @param {number} most number of partners
 * @returns {{ head: number, at: number, weight: number }[]} the strongest first; head: index into `heads`
 */
export function strongest({ heads, leaveFirstOut }, { side, at }, most) {
  /** @type {ReturnType<typeof strongest>} */
  const all = [];
  const first = leaveFirstOut ? 1 : 0;
  heads.forEach((rows, head) => {
    if (side === 'query') {
      rows.get(at)?.weights.forEach((weight, key) => { if (key >= first) all.push({ head, at: key, weight }); });
    } else if (at >= first) {
      for (const [query, { weights }] of rows.entries()) {
        if (at < weights.length) all.push({ head, at: query, weight: weights[at] });
      }
    }
  });
  return all.sort((a, b) => b.weight - a.weight).slice(0, most);
}

/**
 * The columns of a picture of lines.
 * @param {number} width of the picture
 * @param {number} labels width of the label columns
 */
export const columnsOf = (width, labels) =>
  ({ left: labels + GAP, right: Math.max(labels + GAP + 1, width - labels - GAP) });

/** The width of the widest label. @param {string[]} tokens @param {number} fontSize @param {number} [limit] */
export const labelsWidth = (tokens, fontSize, limit) =>
  Math.ceil(tokens.reduce((most, token) => Math.max(most, textWidth(tokenLabel(token, limit), fontSize)), 0));

/**
 * The marks of a picture of lines.
 * @param {LinesScene} scene
 * @param {{ from: number, to: number, width: number, labels: number, ink: { text: string, muted: string },
 *   dark: boolean, limit?: number, row?: number }} view from, to: range of tokens.
 *   labels: width of a label column. limit: most characters of a label. row: height of a token
 * @returns {import('./marks.js').Mark[]}
 */
export function lineMarks(scene, { from, to, width, labels, ink, dark, limit, row = LINE_HEIGHT }) {
  const { tokens, queryTokens = tokens, heads, focus } = scene;
  const { left, right } = columnsOf(width, labels);
  const middle = (/** @type {number} */ at) => (at + 0.5) * row;
  const lines = linesIn(scene, [from, to]);
  /** @type {import('./marks.js').Mark[]} */
  const marks = [];
  if (focus) {
    // Beside each partner, a box per head, as dark as its line.
    const share = (labels + GAP - 2) / heads.length;
    const x = focus.side === 'query' ? right + 2 : 0;
    for (const { head, query, key, opacity } of lines) {
      const at = focus.side === 'query' ? key : query;
      if (at < from || at >= to) continue;
      marks.push({ rect: [x + head * share, at * row + 1, share, row - 2], fill: colorOf(dark, head),
        opacity: 0.5 * opacity });
    }
  }
  /** Lines of one color and opacity are one path, because a long text has thousands. @type {number[][][]} */
  const paths = [];
  for (const { head, query, key, opacity } of lines) {
    const level = Math.ceil(opacity * LEVELS);
    ((paths[head] ??= [])[level] ??= []).push(left, middle(query), right, middle(key));
  }
  paths.forEach((levels, head) => levels.forEach((line, level) => {
    const opacity = level / LEVELS;
    marks.push({ line, stroke: colorOf(dark, head), width: THIN + (THICK - THIN) * opacity, opacity });
  }));
  for (const [side, texts, x, anchor] of /** @type {const} */ ([
    ['query', queryTokens, labels, 'end'], ['key', tokens, width - labels, 'start']])) {
    for (let at = from; at < Math.min(to, texts.length); at++) {
      const own = focus?.side === side && focus.at === at;
      marks.push({ text: tokenLabel(texts[at], limit), x, y: middle(at), anchor, mono: true, bold: own,
        fill: !focus || own || focus.side !== side ? ink.text : ink.muted });
    }
  }
  return marks;
}
