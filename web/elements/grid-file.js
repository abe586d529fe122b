/** The grid of heads as PNG, SVG or CSV. */
import { cssOf } from '../draw/color.js';
import { inkOf } from '../draw/map-export.js';
import { GAP, gridToSvg, headStatsToCsv, layOutGrid, THUMBNAIL } from '../draw/grid-export.js';
import { DENSITY, pictureOf, PICTURE_SIDE } from './figure-png.js';

/** @typedef {'png' | 'svg' | 'csv'} GridFormat */

/**
 * @param {GridFormat} format
 * @param {import('../draw/grid-export.js').GridFigure} plate
 * @param {{ palette: import('../draw/color.js').Palette, look: import('../draw/figure-layout.js').FigureOptions,
 *   faces: { face: string, mono: string }, habits: import('../draw/head-stats.js').HeadStats }} style
 * @returns {Promise<Blob>}
 */
export async function gridFile(format, plate, { palette, look, faces, habits }) {
  if (format === 'csv') return new Blob([headStatsToCsv(habits)], { type: 'text/csv' });
  if (format === 'svg') return new Blob([gridToSvg(plate, palette, look)], { type: 'image/svg+xml' });
  const layout = layOutGrid(plate, look);
  const { left, top, gap, width, height } = layout;
  if (DENSITY * Math.max(width, height) > PICTURE_SIDE) {
    throw new RangeError(`its ${plate.layers} × ${plate.heads} heads do not fit in one picture. Save it as SVG.`);
  }
  const place = (/** @type {number} */ at) => at * (THUMBNAIL + GAP);
  return pictureOf({ layout, palette, look, faces, title: plate.title, provenance: plate.provenance }, (context) => {
    const ink = inkOf(palette);
    plate.thumbnails.forEach(({ levels }, at) => {
      const [x, y] = [left + place(at % plate.heads), top + place(Math.floor(at / plate.heads))];
      context.fillStyle = cssOf(palette.paper);
      context.fillRect(x, y, THUMBNAIL, THUMBNAIL);
      const cell = THUMBNAIL / Math.max(1, levels.length);
      const edge = (/** @type {number} */ cells) => Math.round(DENSITY * cells * cell) / DENSITY;
      levels.forEach((line, query) => line.forEach((level, key) => {
        context.fillStyle = cssOf(palette.rgb[level]);
        context.fillRect(x + edge(key), y + edge(query), edge(key + 1) - edge(key), edge(query + 1) - edge(query));
      }));
      context.globalAlpha = 0.25;
      context.strokeStyle = ink;
      context.strokeRect(x, y, THUMBNAIL, THUMBNAIL);
      context.globalAlpha = 1;
    });
    context.font = `${look.fontSize}px ${faces.mono}`;
    context.fillStyle = ink;
    context.textBaseline = 'middle';
    context.textAlign = 'right';
    for (const { at, text } of layout.down) context.fillText(text, left - gap, top + place(at) + THUMBNAIL / 2);
    context.textAlign = 'center';
    for (const { at, text } of layout.across) {
      context.fillText(text, left + place(at) + THUMBNAIL / 2, top - gap - look.fontSize / 2);
    }
  });
}
