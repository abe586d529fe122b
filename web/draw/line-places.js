/** Where the tokens of a picture of lines are: in two columns, or in two rows. Lengths are CSS pixels. */
import { textWidth } from './figure-layout.js';
import { tokenLabel } from './token.js';

/** Height of a token. */
export const LINE_HEIGHT = 20;
/** Between a label and the lines. */
const GAP = 8;
/** Between the labels of a row, at least. */
const BETWEEN = 5;
/** Height of a picture of two rows. */
const ROWS_HEIGHT = 200;
/** Size of the square that ends the lines of a token in a row: its state. */
const STATE = 8;

/** @typedef {{ side: 'query' | 'key', at: number }} Focus a token of one side */

/**
 * @typedef {object} Place of a token
 * @property {[x: number, y: number, width: number, height: number]} box
 * @property {Pick<import('./marks.js').Text, 'x' | 'y' | 'anchor'>} label
 * @property {[x: number, y: number]} end of its lines
 * @property {[x: number, y: number, width: number, height: number]} [state] a square at the end of its lines
 */

/**
 * @typedef {object} Places
 * @property {number} width of the picture
 * @property {number} height
 * @property {(token: Focus) => Place} of
 * @property {(x: number, y: number) => Focus | null} at the token at a point; null between the two sides. There may be
 *   no token at that index
 * @property {(view: { width: number, height: number, scrollX: number, scrollY: number }) => [from: number, to: number]}
 *   within the tokens that a window shows, of either side
 */

/**
 * @typedef {object} Labels
 * @property {string[]} queries
 * @property {string[]} keys
 * @property {number} width of the window
 * @property {number} fontSize
 * @property {number} limit most characters of a label
 */

/** The width of the widest label. @param {string[]} tokens @param {number} fontSize @param {number} [limit] */
export const labelsWidth = (tokens, fontSize, limit) =>
  Math.ceil(tokens.reduce((most, token) => Math.max(most, textWidth(tokenLabel(token, limit), fontSize)), 0));

/**
 * Queries in a left column, keys in a right one.
 * @param {Pick<Labels, 'queries' | 'keys' | 'width'> & { labels: number, row?: number }} sizes labels: width of a label
 *   column. row: height of a token
 * @returns {Places}
 */
export function columnPlaces({ queries, keys, width, labels, row = LINE_HEIGHT }) {
  const count = Math.max(queries.length, keys.length);
  const left = labels + GAP;
  const right = Math.max(left + 1, width - labels - GAP);
  return {
    width,
    height: count * row,
    of({ side, at }) {
      const y = (at + 0.5) * row;
      const [x, label, end] = side === 'query' ? [0, labels, left] : [right + 2, width - labels, right];
      return { box: [x, at * row, labels + GAP - 2, row], end: [end, y],
        label: { x: label, y, anchor: side === 'query' ? 'end' : 'start' } };
    },
    at: (x, y) => (x >= left && x <= right ? null : { side: x < left ? 'query' : 'key', at: Math.floor(y / row) }),
    within: ({ height, scrollY }) =>
      [Math.floor(scrollY / row), Math.min(count, Math.ceil((scrollY + height) / row))],
  };
}

/**
 * Keys in a row above, queries in a row below: the states of an encoder and of a decoder. The tokens of a row share the
 * width of the window. A longer row makes the picture wider.
 * @param {Labels & { row?: number, height?: number }} sizes row: height of a label. height: of the picture
 * @returns {Places}
 */
export function rowPlaces({ queries, keys, width, fontSize, limit, row = LINE_HEIGHT, height = ROWS_HEIGHT }) {
  const widths = { query: slots(queries, fontSize, limit), key: slots(keys, fontSize, limit) };
  const wide = Math.ceil(Math.max(width, sum(widths.query), sum(widths.key)));
  const starts = { query: spread(widths.query, wide), key: spread(widths.key, wide) };
  const inner = row + STATE + GAP;
  return {
    width: wide,
    height,
    of({ side, at }) {
      const [x, next] = starts[side].slice(at, at + 2);
      const middle = (x + next) / 2;
      const [box, label, state, end] = side === 'key' ? [0, row / 2, row, row + STATE]
        : [height - inner, height - row / 2, height - row - STATE, height - row - STATE];
      return { box: [x, box, next - x, inner], label: { x: middle, y: label, anchor: 'middle' }, end: [middle, end],
        state: [middle - STATE / 2, state, STATE, STATE] };
    },
    at(x, y) {
      if (y >= inner && y <= height - inner) return null;
      const side = y < inner ? 'key' : 'query';
      return { side, at: starts[side].findLastIndex((start) => start <= x) };
    },
    within({ width: seen, scrollX }) {
      const first = (/** @type {number[]} */ of) => Math.max(0, of.findLastIndex((start) => start <= scrollX));
      const end = (/** @type {number[]} */ of) => of.filter((start) => start < scrollX + seen).length;
      const both = [starts.query, starts.key];
      return [Math.min(...both.map(first)), Math.max(...both.map(end))];
    },
  };
}

/** The least width of each token of a row. @param {string[]} tokens @param {number} fontSize @param {number} limit */
const slots = (tokens, fontSize, limit) =>
  tokens.map((token) => textWidth(tokenLabel(token, limit), fontSize) + BETWEEN);

/** @param {number[]} numbers */
const sum = (numbers) => numbers.reduce((total, each) => total + each, 0);

/** The start of each token, and the end of the last one. @param {number[]} widths @param {number} width of the row */
function spread(widths, width) {
  const more = (width - sum(widths)) / Math.max(1, widths.length);
  const starts = [0];
  for (const each of widths) starts.push(starts[starts.length - 1] + each + more);
  return starts;
}
