/** The geometry of a map: the places of cells, the cell under a point, scrolling and zoom. Lengths are CSS pixels. */
import { roundStep } from './ticks.js';

/**
 * The visible part of a map.
 * @typedef {object} View
 * @property {number} width width of the window, labels included
 * @property {number} height height of the window, labels included
 * @property {number} left width of the query labels
 * @property {number} top height of the key labels
 * @property {number} cell side of a cell
 * @property {number} scrollX scroll position, 0 at the first key
 * @property {number} scrollY scroll position, 0 at the first query
 * @property {number} count number of keys, and of queries unless `queryCount` is given
 * @property {number} [queryCount] number of queries, for cross-attention
 * @property {boolean} [causal] true if later keys are masked, default true
 */

/** @typedef {{ query: number, key: number }} Cell */

/** Cell sizes of the zoom. A growing map uses one of them, so that its cells do not shrink with every token. */
export const CELL_SIZES = [1, 2, 3, 4, 6, 8, 10, 12, 13, 14, 16, 18, 20, 24, 32, 44, 60];

/** Least size of cells with a gap between them. */
export const GAPPED_CELL = 10;

/**
 * The ranges [from, to) of visible queries and keys.
 * @param {View} view
 * @returns {{ queries: [from: number, to: number], keys: [from: number, to: number] }}
 */
export function visible({ width, height, left, top, cell, scrollX, scrollY, count, queryCount = count }) {
  /** @type {(scroll: number, room: number, most: number) => [number, number]} */
  const range = (scroll, room, most) => {
    const from = Math.min(most, Math.max(0, Math.floor(scroll / cell)));
    return [from, Math.min(most, Math.max(from, Math.ceil((scroll + room) / cell)))];
  };
  return { queries: range(scrollY, height - top, queryCount), keys: range(scrollX, width - left, count) };
}

/**
 * The cell under a point of the window, also if it is masked; null outside the map.
 * @param {View} view
 * @param {number} x
 * @param {number} y
 * @returns {Cell | null}
 */
export function cellAt({ left, top, cell, scrollX, scrollY, count, queryCount = count }, x, y) {
  if (x < left || y < top) return null;
  const key = Math.floor((x - left + scrollX) / cell);
  const query = Math.floor((y - top + scrollY) / cell);
  return key < count && query < queryCount ? { query, key } : null;
}

/**
 * The position of the token whose label is under a point of the window, or null.
 * @param {View} view
 * @param {number} x
 * @param {number} y
 */
export function labelAt({ left, top, cell, scrollX, scrollY, count, queryCount = count }, x, y) {
  if ((x < left) === (y < top)) return null;
  const at = Math.floor((x < left ? y - top + scrollY : x - left + scrollX) / cell);
  return at < (x < left ? queryCount : count) ? at : null;
}

/**
 * The nearest scroll position at which a cell is visible.
 * @param {View} view
 * @param {Cell} at
 */
export function scrollToCell({ width, height, left, top, cell, scrollX, scrollY }, { query, key }) {
  /** @type {(scroll: number, room: number, index: number) => number} */
  const nearest = (scroll, room, index) => Math.max(Math.min(scroll, index * cell), (index + 1) * cell - room);
  return { x: nearest(scrollX, width - left, key), y: nearest(scrollY, height - top, query) };
}

/** How arrow keys move the crosshair, in tokens. @type {Record<string, { query: number, key: number }>} */
const STRIDES = {
  ArrowLeft: { query: 0, key: -1 },
  ArrowRight: { query: 0, key: 1 },
  ArrowUp: { query: -1, key: 0 },
  ArrowDown: { query: 1, key: 0 },
  PageUp: { query: -10, key: 0 },
  PageDown: { query: 10, key: 0 },
  Home: { query: 0, key: -Infinity },
  End: { query: 0, key: Infinity },
};

/**
 * The cell that the crosshair moves to when a key is pressed. ‘End’ moves to the last key that is not masked.
 * @param {View} view
 * @param {Cell | null} from null if there is no crosshair: it then appears in the first visible cell
 * @param {string} pressed KeyboardEvent.key
 * @returns {Cell | undefined} undefined for other keys
 */
export function cellAfterKey(view, from, pressed) {
  const stride = STRIDES[pressed];
  if (!stride) return undefined;
  const { count, queryCount } = view;
  const within = (/** @type {number} */ at, /** @type {number} */ most) => Math.max(0, Math.min(most - 1, at));
  if (!from) {
    const { queries, keys } = visible(view);
    const key = view.causal === false ? keys[0] : Math.min(keys[0], queries[0]);
    return { query: within(queries[0], queryCount ?? count), key: within(key, count) };
  }
  const query = within(from.query + stride.query, queryCount ?? count);
  const seen = pressed === 'End' && view.causal !== false ? query + 1 : count;
  return { query, key: within(from.key + stride.key, seen) };
}

/**
 * The cell size at which a whole map fills its window. It may be less than one pixel.
 * @param {{ width: number, height: number, keys: number, queries: number }} room size without labels, numbers of tokens
 */
export const exactCellSize = ({ width, height, keys, queries }) =>
  Math.min(CELL_SIZES[CELL_SIZES.length - 1], Math.max(1, width) / Math.max(1, keys),
    Math.max(1, height) / Math.max(1, queries));

/**
 * The largest of CELL_SIZES at which the whole map fits.
 * @param {Parameters<typeof exactCellSize>[0]} room
 */
export const fittingCellSize = (room) => CELL_SIZES.findLast((cell) => cell <= exactCellSize(room)) ?? CELL_SIZES[0];

/**
 * The scroll position at the end of a map. In a causal map, the first visible row also shows its own token, so that a
 * narrow window does not show only masked cells.
 * @param {View} view
 */
export function scrollToEnd({ width, height, left, top, cell, count, queryCount = count, causal }) {
  const x = Math.max(0, count * cell - (width - left));
  const y = Math.max(0, queryCount * cell - (height - top));
  return { x: causal === false ? x : Math.min(x, y), y };
}

/**
 * Converts a point of the browser's window to the CSS pixels of an element, which a transform or `zoom` may scale.
 * @param {{ x: number, y: number, width: number, height: number }} box of the element, from getBoundingClientRect
 * @param {{ width: number, height: number }} size of the element without scaling
 * @param {{ x: number, y: number }} point
 */
export const pointInElement = (box, size, { x, y }) =>
  ({ x: (x - box.x) * (size.width / box.width || 1), y: (y - box.y) * (size.height / box.height || 1) });

/**
 * Converts a rectangle of an element to the browser's window: the inverse of pointInElement.
 * @param {{ x: number, y: number, width: number, height: number }} box
 * @param {{ width: number, height: number }} size
 * @param {{ x: number, y: number, width: number, height: number }} part
 */
export function boxInWindow(box, size, { x, y, width, height }) {
  const across = box.width / size.width || 1;
  const down = box.height / size.height || 1;
  return { x: box.x + x * across, y: box.y + y * down, width: width * across, height: height * down };
}

/**
 * The next larger or smaller cell size.
 * @param {number} cell
 * @param {1 | -1} direction
 */
export function nextCellSize(cell, direction) {
  const next = direction > 0 ? CELL_SIZES.find((side) => side > cell) : CELL_SIZES.findLast((side) => side < cell);
  return next ?? cell;
}

/**
 * The distance between labeled tokens of an axis: 1, 2, 5, 10, 20, 50, …
 * @param {number} cell side of a cell
 * @param {number} room least distance between two labels
 */
export const labelStep = (cell, room) => roundStep(room / cell);
