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

/** Sides a cell may have: few, so that a map which fits does not change its size with every token. */
export const CELLS = [1, 2, 3, 4, 6, 8, 10, 12, 13, 14, 16, 18, 20, 24, 32, 44, 60];

/** From this side on, cells stand apart. */
export const ROOMY = 10;

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
export function reveal({ width, height, left, top, cell, scrollX, scrollY }, { query, key }) {
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
export function walked(view, from, pressed) {
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
 * The largest cell at which the whole map fits, within the sides there are.
 * @param {number} room the shorter side of the window without its axes
 * @param {number} count
 */
export const fittingCell = (room, count) => CELLS.findLast((cell) => cell * count <= room) ?? CELLS[0];

/**
 * The next larger or smaller cell.
 * @param {number} cell
 * @param {1 | -1} direction
 */
export function zoomed(cell, direction) {
  const next = direction > 0 ? CELLS.find((side) => side > cell) : CELLS.findLast((side) => side < cell);
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
