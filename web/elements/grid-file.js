/** Writes the grid of heads as PNG or SVG, and its scores as CSV or JSON. */
import { cssOf } from '../draw/color.js';
import { inkOf } from '../draw/map-export.js';
import { GAP, gridToSvg, headStatsToCsv, headStatsToJson, layOutGrid, THUMBNAIL, widthOf } from
  '../draw/grid-export.js';
import { DENSITY, figurePng, PICTURE_SIDE } from './figure-png.js';

/**
 * @param {import('./figure.js').FileFormat} format
 * @param {import('../draw/grid-export.js').GridFigure} figure
 * @param {import('./figure.js').FileStyle & { stats: import('../draw/head-stats.js').HeadStats }} style
 * @returns {Promise<Blob>}
 * @throws {RangeError} if the grid does not fit in a picture
 */
export async function gridFile(format, figure, { palette, options, faces, stats }) {
  if (format === 'csv') return new Blob([headStatsToCsv(stats)], { type: 'text/csv' });
  if (format === 'json') return new Blob([headStatsToJson(stats, figure)], { type: 'application/json' });
  if (format === 'svg') return new Blob([gridToSvg(figure, palette, options)], { type: 'image/svg+xml' });
  const layout = layOutGrid(figure, options);
  const { left, top, gap, width, height } = layout;
  if (DENSITY * Math.max(width, height) > PICTURE_SIDE) {
    throw new RangeError(`its ${figure.layers} × ${figure.heads} heads do not fit in one picture. Save it as SVG.`);
  }
  const place = (/** @type {number} */ at) => at * (THUMBNAIL + GAP);
  const { title, provenance } = figure;
  return figurePng({ layout, palette, options, faces, title, provenance }, (context) => {
    const ink = inkOf(palette);
    figure.thumbnails.forEach(({ levels }, at) => {
      const x = left + place(at % figure.heads);
      const y = top + place(Math.floor(at / figure.heads));
      context.fillStyle = cssOf(palette.paper);
      context.fillRect(x, y, THUMBNAIL, THUMBNAIL);
      const edges = (/** @type {number} */ count) => (/** @type {number} */ cells) =>
        Math.round(DENSITY * cells * THUMBNAIL / Math.max(1, count)) / DENSITY;
      const down = edges(levels.length);
      const across = edges(widthOf(levels));
      levels.forEach((line, query) => line.forEach((level, key) => {
        context.fillStyle = cssOf(palette.rgb[level]);
        context.fillRect(x + across(key), y + down(query), across(key + 1) - across(key),
          down(query + 1) - down(query));
      }));
      context.globalAlpha = 0.25;
      context.strokeStyle = ink;
      context.strokeRect(x, y, THUMBNAIL, THUMBNAIL);
      context.globalAlpha = 1;
    });
    context.font = `${options.fontSize}px ${faces.mono}`;
    context.fillStyle = ink;
    context.textBaseline = 'middle';
    context.textAlign = 'right';
    for (const { at, text } of layout.down) context.fillText(text, left - gap, top + place(at) + THUMBNAIL / 2);
    context.textAlign = 'center';
    for (const { at, text } of layout.across) {
      context.fillText(text, left + place(at) + THUMBNAIL / 2, top - gap - options.fontSize / 2);
    }
  });
}
