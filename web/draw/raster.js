/** Cells of a map as pixels, one a cell. */
import { levelOf, niceMax } from './scale.js';

/**
 * How weights become colours, the same for every form in which a map is drawn.
 * @typedef {object} Shading
 * @property {import('./scale.js').ScaleKind} kind
 * @property {boolean} leaveFirstOut the column of the first token is empty, and the scale made for what is left
 * @property {number} max the weight that gets the last colour, where it is one for the whole map
 */

/**
 * @param {import('./rows.js').Rows} rows
 * @param {{ kind: import('./scale.js').ScaleKind, leaveFirstOut: boolean, max?: number | null }} options max: the
 *   largest weight of the rows unless told
 * @returns {Shading}
 */
export const shadingOf = (rows, { kind, leaveFirstOut, max }) =>
  ({ kind, leaveFirstOut, max: niceMax(max ?? rows.max(leaveFirstOut)) });

/**
 * Levels of one row's weights over keys [from, to); -1 where there is nothing to show: a masked key, a column left out.
 * @param {import('./rows.js').Row} row
 * @param {Shading} shading
 * @param {number} from
 * @param {number} to
 * @returns {Int16Array} [to - from]
 */
export function rowLevels(row, { kind, leaveFirstOut, max }, from, to) {
  const levels = new Int16Array(to - from).fill(-1);
  const end = kind === 'row-max' ? (leaveFirstOut ? row.maxAfterFirst : row.max) : max;
  for (let key = Math.max(from, leaveFirstOut ? 1 : 0); key < Math.min(to, row.weights.length); key++) {
    levels[key - from] = levelOf(kind, row.weights[key], end);
  }
  return levels;
}

/**
 * Pixels of the visible cells: transparent where nothing is to be shown, `unknown` where the row has not come yet.
 * @param {import('./rows.js').Rows} rows
 * @param {{ queries: [from: number, to: number], keys: [from: number, to: number] }} range
 * @param {Shading} shading
 * @param {import('./colour.js').Palette} palette
 * @param {number} unknown an RGBA pixel
 * @returns {Uint32Array} [queries][keys]
 */
export function rasterOf(rows, { queries, keys }, shading, palette, unknown) {
  const width = keys[1] - keys[0];
  const pixels = new Uint32Array(width * (queries[1] - queries[0]));
  for (let query = queries[0]; query < queries[1]; query++) {
    const line = pixels.subarray((query - queries[0]) * width, (query - queries[0] + 1) * width);
    const row = rows.get(query);
    if (!row) {
      line.fill(unknown, 0, Math.max(0, rows.seen(query, keys[1]) - keys[0]));
      continue;
    }
    const levels = rowLevels(row, shading, keys[0], keys[1]);
    for (let i = 0; i < width; i++) if (levels[i] >= 0) line[i] = palette.pixels[levels[i]];
  }
  return pixels;
}
