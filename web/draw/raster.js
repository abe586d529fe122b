/** Turns the cells of a map into pixels: one pixel per cell, or the mean of the cells under each pixel. */
import { levelOf, niceMax } from './scale.js';

/**
 * How weights map to colors.
 * @typedef {object} Shading
 * @property {import('./scale.js').ScaleKind} kind
 * @property {boolean} leaveFirstOut true: the first column is empty, and the scale fits the others
 * @property {number} max the weight of the last color; not used by ‘row-max’
 */

/**
 * The shading of a map.
 * @param {import('./rows.js').Rows} rows
 * @param {{ kind: import('./scale.js').ScaleKind, leaveFirstOut: boolean, max?: number | null }} options max: default
 *   the largest weight of the rows
 * @returns {Shading}
 */
export const shadingOf = (rows, { kind, leaveFirstOut, max }) =>
  ({ kind, leaveFirstOut, max: niceMax(max ?? rows.max(leaveFirstOut)) });

/**
 * The palette levels of a row over keys [from, to). Masked keys and a hidden column get -1.
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
 * One pixel per visible cell. Masked and hidden cells are transparent. Rows that are not loaded have the color
 * `unknown`.
 * @param {import('./rows.js').Rows} rows
 * @param {{ queries: [from: number, to: number], keys: [from: number, to: number] }} range
 * @param {Shading} shading
 * @param {import('./color.js').Palette} palette
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

/**
 * Pixels of a map whose cells are about as small as pixels. Each pixel is the mean of the weights under it, by area.
 * Its opacity is the fraction of its area that is not masked.
 * @param {import('./rows.js').Rows} rows
 * @param {{ queries: number, keys: number, cell: number, width: number, height: number, scrollX: number,
 *   scrollY: number }} view queries and keys: numbers of tokens; other fields: device pixels
 * @param {Shading} shading for ‘row-max’, each weight is divided by the largest of its row before averaging
 * @param {import('./color.js').Palette} palette
 * @param {import('./color.js').Rgb} unknown the color of rows that are not loaded
 * @returns {Uint32Array} [height][width] RGBA pixels
 */
export function meanRasterOf(rows, view, shading, palette, unknown) {
  const { queries, keys, cell, width, height, scrollX, scrollY } = view;
  const { kind, leaveFirstOut, max } = shading;
  const byRow = kind === 'row-max';
  const size = width * height;
  const sums = new Float32Array(size);
  const known = new Float32Array(size);
  const waiting = new Float32Array(size);
  const line = new Float32Array(width);
  const covered = new Float32Array(width);
  const end = Math.min(queries, Math.ceil((scrollY + height) / cell));
  for (let query = Math.max(0, Math.floor(scrollY / cell)); query < end; query++) {
    const row = rows.get(query);
    const last = rows.seen(query, row ? Math.min(keys, row.weights.length) : keys);
    const first = leaveFirstOut ? 1 : 0;
    covered.fill(0);
    spread(covered, first * cell - scrollX, last * cell - scrollX, 1);
    if (row) {
      line.fill(0);
      const share = byRow ? 1 / ((leaveFirstOut ? row.maxAfterFirst : row.max) || 1) : 1;
      for (let key = first; key < last; key++) {
        spread(line, key * cell - scrollX, (key + 1) * cell - scrollX, row.weights[key] * share);
      }
    }
    const top = query * cell - scrollY;
    for (let y = Math.max(0, Math.floor(top)); y < Math.min(height, top + cell); y++) {
      const high = Math.min(y + 1, top + cell) - Math.max(y, top);
      for (let x = 0, at = y * width; x < width; x++, at++) {
        if (row) {
          sums[at] += high * line[x];
          known[at] += high * covered[x];
        } else {
          waiting[at] += high * covered[x];
        }
      }
    }
  }
  const pixels = new Uint32Array(size);
  const bytes = new Uint8ClampedArray(pixels.buffer);
  for (let at = 0; at < size; at++) {
    const area = known[at] + waiting[at];
    if (area < 1 / 512) continue;
    const level = known[at] > 0 ? levelOf(byRow ? 'linear' : kind, sums[at] / known[at], byRow ? 1 : max) : 0;
    const share = known[at] / area;
    palette.rgb[level].forEach((value, i) => { bytes[4 * at + i] = share * value + (1 - share) * unknown[i]; });
    bytes[4 * at + 3] = 255 * area;
  }
  return pixels;
}

/**
 * Adds a value over [from, to) to a line of pixels, weighted by the overlap with each pixel.
 * @param {Float32Array} line @param {number} from @param {number} to @param {number} value
 */
function spread(line, from, to, value) {
  const end = Math.min(line.length, to);
  for (let x = Math.max(0, Math.floor(from)); x < end; x++) {
    line[x] += value * (Math.min(x + 1, to) - Math.max(x, from));
  }
}
