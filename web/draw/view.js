/** Where a cell of a map is on the screen, and which cell is under a point. All lengths in CSS pixels. */

/**
 * @typedef {object} View
 * @property {number} width of the window on the map, axes included
 * @property {number} height
 * @property {number} left room for the queries' labels
 * @property {number} top room for the keys' labels
 * @property {number} cell side of a cell
 * @property {number} scrollX how far the map is moved left, 0 at its first key
 * @property {number} scrollY
 * @property {number} count tokens on each axis
 * @property {number} [queryCount] tokens down, where the queries are those of another text
 * @property {boolean} [causal] whether a query sees no key after it; true unless told
 */

/** @typedef {{ query: number, key: number }} Cell */

/** Cell sides to zoom through. A growing map takes one of these, so that its cells do not change with every token. */
export const CELL_SIZES = [1, 2, 3, 4, 6, 8, 10, 12, 13, 14, 16, 18, 20, 24, 32, 44, 60];

/** From this side on, cells stand apart. */
export const GAPPED_CELL = 10;

/**
 * Tokens in the window: [from, to) of queries and of keys.
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
 * The cell under a point of the window, masked ones included; null beside the map.
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
 * The token whose label is under a point of the window, or null.
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
 * The scroll that brings a cell into the window, moved no further than needed.
 * @param {View} view
 * @param {Cell} at
 */
export function scrollToCell({ width, height, left, top, cell, scrollX, scrollY }, { query, key }) {
  /** @type {(scroll: number, room: number, index: number) => number} */
  const nearest = (scroll, room, index) => Math.max(Math.min(scroll, index * cell), (index + 1) * cell - room);
  return { x: nearest(scrollX, width - left, key), y: nearest(scrollY, height - top, query) };
}

/** What a key adds to a cell, in tokens. @type {Record<string, { query: number, key: number }>} */
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
 * The cell that a key of the keyboard leads to: the first in the window if there was none before.  End leads to the
 * last key that the query sees.
 * @param {View} view
 * @param {Cell | null} from
 * @param {string} pressed KeyboardEvent.key
 * @returns {Cell | undefined} undefined for keys that lead nowhere
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
 * The side at which a whole map exactly fills its room, which may be less than one pixel.
 * @param {{ width: number, height: number, keys: number, queries: number }} room CSS pixels without the axes, tokens
 */
export const exactCellSize = ({ width, height, keys, queries }) =>
  Math.min(CELL_SIZES[CELL_SIZES.length - 1], Math.max(1, width) / Math.max(1, keys),
    Math.max(1, height) / Math.max(1, queries));

/**
 * The largest of `CELL_SIZES` at which the whole map fits.
 * @param {Parameters<typeof exactCellSize>[0]} room
 */
export const fittingCellSize = (room) => CELL_SIZES.findLast((cell) => cell <= exactCellSize(room)) ?? CELL_SIZES[0];

/**
 * The scroll that shows the end of a map. The newest row is in the window, and in a causal map the first visible row
 * also shows its own token: a narrow window never opens on masked cells only.
 * @param {View} view
 */
export function scrollToEnd({ width, height, left, top, cell, count, queryCount = count, causal }) {
  const x = Math.max(0, count * cell - (width - left));
  const y = Math.max(0, queryCount * cell - (height - top));
  return { x: causal === false ? x : Math.min(x, y), y };
}

/**
 * A point of the browser's window in the CSS pixels of an element that a transform or `zoom` may have scaled.
 * @param {{ x: number, y: number, width: number, height: number }} box of the element, as getBoundingClientRect says it
 * @param {{ width: number, height: number }} size of the element before it is scaled
 * @param {{ x: number, y: number }} point
 */
export const pointInElement = (box, size, { x, y }) =>
  ({ x: (x - box.x) * (size.width / box.width || 1), y: (y - box.y) * (size.height / box.height || 1) });

/**
 * The inverse of `pointInElement` for a rectangle of the element.
 * @param {{ x: number, y: number, width: number, height: number }} box
 * @param {{ width: number, height: number }} size
 * @param {{ x: number, y: number, width: number, height: number }} part
 */
export function boxInWindow(box, size, { x, y, width, height }) {
  const [across, down] = [box.width / size.width || 1, box.height / size.height || 1];
  return { x: box.x + x * across, y: box.y + y * down, width: width * across, height: height * down };
}

/**
 * The next larger or smaller cell.
 * @param {number} cell
 * @param {1 | -1} direction
 */
export function nextCellSize(cell, direction) {
  const next = direction > 0 ? CELL_SIZES.find((side) => side > cell) : CELL_SIZES.findLast((side) => side < cell);
  return next ?? cell;
}

const STEPS = [1, 2, 5];

/**
 * Every how many tokens an axis has a label, so that labels keep `room` pixels: 1, 2, 5, 10, 20, 50, …
 * @param {number} cell
 * @param {number} room
 */
export function labelStep(cell, room) {
  for (let power = 1; ; power *= 10) {
    for (const step of STEPS) if (step * power * cell >= room) return step * power;
  }
}
