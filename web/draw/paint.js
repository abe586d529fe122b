/** Paints a map on a 2D context whose unit is the CSS pixel. The caller scales the canvas for the screen. */
import { cssOf } from './color.js';
import { meanRasterOf, rasterOf } from './raster.js';
import { tokenLabel } from './token.js';
import { labelStep, GAPPED_CELL, visible } from './view.js';

/**
 * @typedef {object} Ink colors and fonts of everything except the cells
 * @property {string} text CSS color of the crosshair
 * @property {string} muted CSS color of labels
 * @property {string} hatch CSS color of the lines over masked cells
 * @property {import('./color.js').Rgb} unknown color of rows that are not loaded
 * @property {string} font CSS font of words and numbers
 * @property {string} mono CSS font of tokens
 */

/**
 * @typedef {object} Scene
 * @property {import('./view.js').View} view
 * @property {import('./rows.js').Rows} rows
 * @property {string[]} tokens tokens of the columns, and of the rows unless `queryTokens` is given
 * @property {string[]} [queryTokens] tokens of the rows, for cross-attention
 * @property {import('./raster.js').Shading} shading
 * @property {import('./color.js').Palette} palette
 * @property {Ink} ink
 * @property {number} [labelSize] font size of the labels in `ink`, default 12
 * @property {import('./figure-layout.js').FigureOptions} [options] options of a saved figure, whose labels are not
 *   shortened
 */

/** @typedef {CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D} Context */

/** Height of a label in CSS pixels. */
export const LABEL = 12;
const HATCH = 7; // between two hatch lines
const GAP = 6; // between a label and the map
const CORNER = 80; // least width of the row labels that leaves room for the words in the corner
const CORNER_GAP = 12; // between the words in the corner and the first column label

/**
 * Paints the visible cells and the labels of both axes.
 * @param {Context} context
 * @param {Scene} scene
 */
export function paintMap(context, scene) {
  const { view, palette, options } = scene;
  if (!options?.transparent) {
    context.fillStyle = cssOf(palette.paper);
    context.fillRect(0, 0, view.width, view.height);
  }
  context.save();
  context.beginPath();
  context.rect(view.left, view.top, view.width - view.left, view.height - view.top);
  context.clip();
  if (options?.hatch ?? true) paintHatch(context, scene);
  paintCells(context, scene);
  context.restore();
  paintLabels(context, scene);
}

/**
 * Hatches the whole map. The lines scroll with it; cells are painted over them.
 * @param {Context} context
 * @param {Scene} scene
 */
function paintHatch(context, { view, ink }) {
  const { left, top, scrollX, scrollY, cell, count, queryCount = count } = view;
  const right = Math.min(view.width, left + count * cell - scrollX);
  const bottom = Math.min(view.height, top + queryCount * cell - scrollY);
  context.save();
  context.beginPath();
  context.rect(left, top, Math.max(0, right - left), Math.max(0, bottom - top));
  context.clip();
  context.beginPath();
  const reach = bottom - top;
  for (let x = left - ((scrollX + scrollY) % HATCH); x < right + reach; x += HATCH) {
    context.moveTo(x, top);
    context.lineTo(x - reach, bottom);
  }
  context.strokeStyle = ink.hatch;
  context.lineWidth = 1;
  context.stroke();
  context.restore();
}

/** Device pixels of a cell below which unevenly rounded cells are visible, so that means are painted instead. */
const FINE = 3;

/**
 * @param {Context} context
 * @param {Scene} scene
 */
function paintCells(context, scene) {
  const { queries, keys } = visible(scene.view);
  if (keys[0] === keys[1] || queries[0] === queries[1]) return;
  const pixelsOfCell = scene.view.cell * context.getTransform().a;
  if (pixelsOfCell < FINE && !Number.isInteger(pixelsOfCell)) paintMeans(context, scene);
  else paintWholeCells(context, scene);
}

/**
 * Paints cells that are large, or a whole number of device pixels.
 * @param {Context} context
 * @param {Scene} scene
 */
function paintWholeCells(context, { view, rows, shading, palette, ink }) {
  const { queries, keys } = visible(view);
  const width = keys[1] - keys[0];
  const height = queries[1] - queries[0];
  const [r, g, b] = ink.unknown;
  const pixels = rasterOf(rows, { queries, keys }, shading, palette, ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0);
  const { cell, left, top } = view;
  const x = (/** @type {number} */ key) => left + key * cell - view.scrollX;
  const y = (/** @type {number} */ query) => top + query * cell - view.scrollY;
  context.imageSmoothingEnabled = false;
  context.drawImage(canvasOf(pixels, width, height), x(keys[0]), y(queries[0]), width * cell, height * cell);
  if (cell < GAPPED_CELL) return;
  const scale = context.getTransform().a;
  const snap = (/** @type {number} */ at) => Math.round(at * scale) / scale;
  context.fillStyle = cssOf(palette.paper);
  for (let key = keys[0]; key < keys[1]; key++) {
    const from = rows.causal ? Math.max(key, queries[0]) : queries[0];
    context.fillRect(snap(x(key + 1)) - 1, y(from), 1, (queries[1] - from) * cell);
  }
  for (let query = queries[0]; query < queries[1]; query++) {
    const to = rows.seen(query, keys[1]);
    context.fillRect(x(keys[0]), snap(y(query + 1)) - 1, (to - keys[0]) * cell, 1);
  }
}

/**
 * Paints cells about as small as device pixels: each pixel is a mean.
 * @param {Context} context
 * @param {Scene} scene
 */
function paintMeans(context, { view, rows, shading, palette, ink }) {
  const scale = context.getTransform().a;
  const { cell, left, top, width, height, scrollX, scrollY, count: keys, queryCount: queries = keys } = view;
  const x = Math.round(left * scale);
  const y = Math.round(top * scale);
  const window = {
    queries, keys, cell: cell * scale,
    width: Math.min(Math.ceil(width * scale) - x, Math.ceil(keys * cell * scale) + 1),
    height: Math.min(Math.ceil(height * scale) - y, Math.ceil(queries * cell * scale) + 1),
    scrollX: (scrollX - left) * scale + x, scrollY: (scrollY - top) * scale + y,
  };
  const pixels = meanRasterOf(rows, window, shading, palette, ink.unknown);
  context.save();
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.drawImage(canvasOf(pixels, window.width, window.height), x, y);
  context.restore();
}

/** A canvas of pixels. @param {Uint32Array} pixels [height][width] RGBA @param {number} width @param {number} height */
function canvasOf(pixels, width, height) {
  const canvas = new OffscreenCanvas(width, height);
  const bytes = new Uint8ClampedArray(/** @type {ArrayBuffer} */ (pixels.buffer));
  canvas.getContext('2d')?.putImageData(new ImageData(bytes, width, height), 0, 0);
  return canvas;
}

/**
 * Paints the tokens along both axes, or the positions of some if the tokens do not fit.
 * @param {Context} context
 * @param {Scene} scene
 */
function paintLabels(context, scene) {
  const { view, ink } = scene;
  const { queries, keys } = visible(view);
  const size = scene.options?.fontSize ?? scene.labelSize ?? LABEL;
  const step = labelStep(view.cell, size);
  context.fillStyle = ink.muted;
  context.textBaseline = 'middle';
  context.textAlign = 'right';
  context.font = ink.font;
  if (view.left >= CORNER) {
    const end = Math.max(view.left - CORNER_GAP, CORNER - GAP); // where the longer line fits
    context.fillText('attends', end, view.top - GAP - 1.75 * size);
    context.fillText('from ↓ to →', end, view.top - GAP - 0.6 * size);
  }
  if (step === 1) context.font = ink.mono;
  for (let query = Math.ceil(queries[0] / step) * step; query < queries[1]; query += step) {
    paintLabel(context, scene, 'query', query, step > 1);
  }
  for (let key = Math.ceil(keys[0] / step) * step; key < keys[1]; key += step) {
    paintLabel(context, scene, 'key', key, step > 1);
  }
}

/**
 * Paints one label in the context's color and font.
 * @param {Context} context
 * @param {Scene} scene
 * @param {'query' | 'key'} axis
 * @param {number} at
 * @param {boolean} asNumber
 */
function paintLabel(context, { view, tokens, queryTokens = tokens, options }, axis, at, asNumber) {
  const token = (axis === 'query' ? queryTokens : tokens)[at];
  const label = asNumber ? String(at) : tokenLabel(token, options ? Infinity : undefined);
  // A label that is half scrolled out would cover the words in the corner.
  const middle = (at + 0.5) * view.cell - (axis === 'query' ? view.scrollY : view.scrollX);
  if (middle < Math.min(LABEL, view.cell) / 2) return;
  context.save();
  if (axis === 'query') {
    context.textAlign = 'right';
    context.fillText(label, view.left - GAP, view.top + middle);
  } else if (!options && !asNumber && [...label].length === 1) { // one character fits upright
    context.textAlign = 'center';
    context.fillText(label, view.left + middle, view.top - GAP - LABEL / 2);
  } else {
    context.textAlign = 'left';
    context.translate(view.left + middle, view.top - GAP);
    context.rotate(-Math.PI / 2);
    context.fillText(label, 0, 0);
  }
  context.restore();
}

/**
 * Paints the crosshair: a frame around a cell, lines to both axes, and both labels in bold.
 * @param {Context} context of a canvas above the map
 * @param {Scene} scene
 * @param {import('./view.js').Cell} at
 */
export function paintCrosshair(context, scene, at) {
  const { view, palette, ink } = scene;
  const { left, top, cell } = view;
  const x = left + at.key * cell - view.scrollX;
  const y = top + at.query * cell - view.scrollY;
  const edges = cell < GAPPED_CELL ? [cell / 2 - 0.5] : [-0.5, cell - 0.5];
  context.save();
  context.beginPath();
  context.rect(left, top, view.width - left, view.height - top);
  context.clip();
  /** @type {[string, number][]} */
  const strokes = [[cssOf(palette.paper), 3], [ink.text, 1]];
  for (const [color, width] of strokes) {
    context.strokeStyle = color;
    context.lineWidth = width;
    context.beginPath();
    for (const edge of edges) {
      context.moveTo(left, y + edge);
      context.lineTo(x, y + edge);
      context.moveTo(x + edge, top);
      context.lineTo(x + edge, y);
    }
    context.rect(x - 0.5, y - 0.5, Math.max(2, cell), Math.max(2, cell));
    context.stroke();
  }
  context.restore();
  context.fillStyle = cssOf(palette.paper);
  context.fillRect(0, y + cell / 2 - LABEL / 2 - 1, left - 1, LABEL + 2);
  context.fillRect(x + cell / 2 - LABEL / 2 - 1, 0, LABEL + 2, top - 1);
  context.fillStyle = ink.text;
  context.textBaseline = 'middle';
  context.font = `600 ${ink.mono}`;
  paintLabel(context, scene, 'query', at.query, false);
  paintLabel(context, scene, 'key', at.key, false);
}

/** @typedef {{ queries: [number, number], keys: [number, number], dashed: boolean }} Outline of cells [from, to) */

/**
 * Paints rectangles around cells.
 * @param {Context} context
 * @param {Scene} scene
 * @param {Outline[]} outlines
 */
export function paintOutlines(context, { view, palette, ink }, outlines) {
  const { left, top, cell, scrollX, scrollY, count, queryCount = count } = view;
  context.save();
  context.beginPath();
  context.rect(left, top, view.width - left, view.height - top);
  context.clip();
  for (const { queries, keys, dashed } of outlines) {
    const x = left + keys[0] * cell - scrollX;
    const y = top + queries[0] * cell - scrollY;
    const width = (Math.min(keys[1], count) - keys[0]) * cell - 1;
    const height = (Math.min(queries[1], queryCount) - queries[0]) * cell - 1;
    if (width < 0 || height < 0) continue;
    /** @type {[string, number, number[]][]} */
    const strokes = [[cssOf(palette.paper), 4, []], [ink.text, 2, dashed ? [4, 3] : []]];
    for (const [color, thickness, dashes] of strokes) {
      context.strokeStyle = color;
      context.lineWidth = thickness;
      context.setLineDash(dashes);
      context.strokeRect(x - 0.5, y - 0.5, Math.max(1, width), Math.max(1, height));
    }
  }
  context.restore();
}

/**
 * Paints the color bar, from zero to the end of the scale.
 * @param {Context} context
 * @param {import('./color.js').Palette} palette
 * @param {number} width CSS pixels
 * @param {number} height CSS pixels
 */
export function paintLegend(context, palette, width, height) {
  for (let x = 0; x < width; x++) {
    context.fillStyle = cssOf(palette.rgb[Math.round((x / (width - 1)) * (palette.rgb.length - 1))]);
    context.fillRect(x, 0, 1, height);
  }
}
