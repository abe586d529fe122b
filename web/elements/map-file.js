/** Writes a whole map as PNG, SVG, LaTeX, TikZ, CSV or JSON. */
import { captionOf, inkOf, keysOf, mapCsvSteps, mapJsonSteps, mapSvgSteps } from '../draw/map-export.js';
import { mapToTikz, tikzDocument } from '../draw/map-tikz.js';
import { paintLegend, paintMap } from '../draw/paint.js';
import { layOutFigure } from '../draw/figure-layout.js';
import { legendTicks } from '../draw/scale.js';
import { CELL_SIZES } from '../draw/view.js';
import { DENSITY, figurePng, PICTURE_SIDE } from './figure-png.js';
import { textFile } from './text-file.js';

/** @typedef {'png' | 'svg' | 'tex' | 'tikz' | 'html' | 'csv' | 'json'} Format */

/** Most tokens of a saved map: 8 million weights, 34 MB in memory and about 90 MB of JSON. */
const TOKENS_LIMIT = 4096;
const LARGEST_CELL = 24;

/**
 * @param {number} count number of tokens
 * @throws {RangeError} above the limit of a file
 */
export function checkSavable(count) {
  if (count > TOKENS_LIMIT) throw new RangeError(`it has ${count} tokens, but a file holds at most ${TOKENS_LIMIT}.`);
}

/** @typedef {import('./figure.js').FileStyle & { shading: import('../draw/raster.js').Shading }} MapStyle */

/**
 * @param {Exclude<Format, 'html'>} format
 * @param {import('../draw/map-export.js').MapFigure} figure
 * @param {MapStyle} style
 * @returns {Promise<Blob>}
 * @throws {RangeError} if the map does not fit in a picture
 */
export async function mapFile(format, figure, style) {
  const { shading, palette, options } = style;
  if (format === 'json') return textFile(mapJsonSteps(figure, shading), 'application/json');
  if (format === 'csv') return textFile(mapCsvSteps(figure), 'text/csv');
  // The cell is as large as its label.
  const cell = Math.max(14, Math.ceil(1.2 * options.fontSize));
  if (format === 'svg') return textFile(mapSvgSteps(figure, shading, palette, cell, options), 'image/svg+xml');
  if (format === 'tex' || format === 'tikz') {
    const tikz = mapToTikz(figure, shading, palette, cell, options);
    return new Blob([format === 'tex' ? tikzDocument(tikz) : tikz.picture], { type: 'application/x-tex' });
  }
  return mapPng(figure, style);
}

/**
 * @param {import('../draw/map-export.js').MapFigure} figure
 * @param {MapStyle} style
 */
function mapPng(figure, { shading, palette, options, faces }) {
  const { rows, tokens, queryTokens = tokens, title } = figure;
  const keys = keysOf({ rows, tokens });
  const layOut = (/** @type {number} */ cell) => layOutFigure({ queries: queryTokens.slice(0, rows.size),
    keys: tokens.slice(0, keys), cell, options, caption: captionOf(figure, options) });
  const cell = CELL_SIZES.findLast((side) => {
    if (side > Math.max(LARGEST_CELL, 1.2 * options.fontSize)) return false;
    const { width, height } = layOut(side);
    return DENSITY * Math.max(width, height) <= PICTURE_SIDE;
  });
  if (!cell) throw new RangeError(`its ${Math.max(rows.size, keys)} tokens do not fit in one picture. Save it as SVG.`);
  const layout = layOut(cell);
  const { left, top, width, height, bar, ticks } = layout;
  return figurePng({ layout, palette, options, faces, title, provenance: figure.provenance }, (context) => {
    const view = { width, height, left, top, cell, scrollX: 0, scrollY: 0, count: keys, queryCount: rows.size };
    const text = inkOf(palette);
    const ink = { text, muted: text, hatch: palette.dark ? '#45474d' : '#cfcfcc', unknown: palette.paper,
      font: `${options.fontSize}px ${faces.face}`, mono: `${options.fontSize}px ${faces.mono}` };
    paintMap(context, { view, rows, tokens, queryTokens, shading, palette, ink, options });
    context.translate(bar.x, bar.y);
    paintLegend(context, palette, bar.width, bar.height);
    context.translate(-bar.x, -bar.y);
    context.strokeStyle = text;
    context.globalAlpha = 0.4;
    context.strokeRect(bar.x, bar.y, bar.width, bar.height);
    context.globalAlpha = 1;
    context.font = ink.font;
    context.fillStyle = text;
    context.textBaseline = 'alphabetic';
    for (const [words, share] of legendTicks(shading.kind, shading.max)) {
      context.textAlign = share === 0 ? 'left' : share === 1 ? 'right' : 'center';
      context.fillText(words, bar.x + share * bar.width, ticks);
    }
  });
}
