/** A whole map as PNG, SVG or JSON. */
import { keysOf, mapToJson, mapToSvg, plateSize } from '../draw/export.js';
import { paintMap } from '../draw/paint.js';
import { CELLS } from '../draw/view.js';
import { h } from './base.js';

/** @typedef {'png' | 'svg' | 'json'} Format */

/** Tokens of a map that is saved: 8 million weights, 34 MB in memory and about 90 MB of JSON. */
const TOKENS_LIMIT = 4096;
/** Side of a picture in pixels, which every browser can still encode. */
const PICTURE_SIDE = 8192;
/** Pixels a CSS pixel, so that a picture is sharp on paper. */
const DENSITY = 2;
const SVG_CELL = 14;
const LARGEST_CELL = 24;

/**
 * @param {number} count tokens
 * @throws {RangeError}
 */
export function checkSavable(count) {
  if (count > TOKENS_LIMIT) throw new RangeError(`it has ${count} tokens, and a file takes at most ${TOKENS_LIMIT}.`);
}

/**
 * @param {Format} format
 * @param {import('../draw/export.js').Plate} plate
 * @param {{ shading: import('../draw/raster.js').Shading, palette: import('../draw/colour.js').Palette,
 *   ink: import('../draw/paint.js').Ink }} style
 * @returns {Promise<Blob>}
 * @throws {RangeError}
 */
export async function mapFile(format, plate, style) {
  if (format === 'json') return new Blob([mapToJson(plate)], { type: 'application/json' });
  if (format === 'svg') {
    return new Blob([mapToSvg(plate, style.shading, style.palette, SVG_CELL)], { type: 'image/svg+xml' });
  }
  return picture(plate, style);
}

/**
 * @param {import('../draw/export.js').Plate} plate
 * @param {Parameters<typeof mapFile>[2]} style
 * @returns {Promise<Blob>}
 */
function picture({ rows, tokens, queryTokens, title }, { shading, palette, ink }) {
  const [queries, keys] = [rows.size, keysOf({ rows, tokens })];
  const fits = (/** @type {number} */ cell) => {
    const { width, height } = plateSize(queries, keys, cell);
    return DENSITY * Math.max(width, height) <= PICTURE_SIDE;
  };
  const cell = CELLS.findLast((side) => side <= LARGEST_CELL && fits(side));
  if (!cell) throw new RangeError(`its ${Math.max(queries, keys)} tokens do not fit in one picture. Save it as SVG.`);
  const { left, top, width, height } = plateSize(queries, keys, cell);
  const canvas = h('canvas', { width: DENSITY * width, height: DENSITY * height });
  const context = canvas.getContext('2d');
  if (!context) throw new Error('this browser gives no 2D canvas.');
  context.scale(DENSITY, DENSITY);
  const view = { width, height, left, top, cell, scrollX: 0, scrollY: 0, count: keys, queryCount: queries };
  paintMap(context, { view, rows, tokens, queryTokens, shading, palette, ink });
  context.font = ink.font;
  context.fillStyle = ink.text;
  context.textAlign = 'left';
  context.fillText(title, left, height - 10);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the browser could not encode the picture.'))));
  });
}
