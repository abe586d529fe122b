/** The grid of heads as a file of text: SVG, CSV. */
import { cssOf } from './color.js';
import { captionOf, escapeXml, inkOf, levelPaths, svgDocument } from './map-export.js';
import { DEFAULT_FIGURE_OPTIONS, layOutFigure } from './figure-layout.js';

/** CSS pixels of a thumbnail in a file, and of the gap after it. */
export const [THUMBNAIL, GAP] = [64, 6];
/** Cells of an SVG at most: about 40 MB. */
const CELLS_LIMIT = 2e6;

/**
 * @typedef {object} GridFigure
 * @property {number} layers
 * @property {number} heads
 * @property {{ levels: Int16Array[], label: string }[]} thumbnails [layer · heads + head]
 * @property {string} title
 * @property {string[]} caption
 * @property {object} provenance
 */

/** @param {GridFigure} plate @param {import('./figure-layout.js').FigureOptions} look */
export function layOutGrid(plate, look) {
  const numbers = (/** @type {number} */ count) => Array.from({ length: count }, (_, at) => String(at));
  return layOutFigure({ queries: numbers(plate.layers), keys: numbers(plate.heads), cell: THUMBNAIL + GAP, look,
    caption: captionOf(plate, look), bar: false });
}

/**
 * @param {GridFigure} plate
 * @param {import('./color.js').Palette} palette
 * @param {import('./figure-layout.js').FigureOptions} [look]
 * @returns {string} an SVG document
 */
export function gridToSvg(plate, palette, look = DEFAULT_FIGURE_OPTIONS) {
  const cells = plate.thumbnails.reduce((sum, { levels }) => sum + levels.length * (levels.length + 1) / 2, 0);
  if (cells > CELLS_LIMIT) throw new RangeError(`it has ${Math.round(cells)} cells, too many for an SVG. Save a PNG.`);
  const layout = layOutGrid(plate, look);
  const { left, top, gap } = layout;
  const place = (/** @type {number} */ at) => at * (THUMBNAIL + GAP);
  const ink = inkOf(palette);
  return svgDocument({ layout, palette, look, title: plate.title, provenance: plate.provenance }, [
    ...plate.thumbnails.flatMap(({ levels, label }, at) => {
      const [x, y] = [left + place(at % plate.heads), top + place(Math.floor(at / plate.heads))];
      const scale = Number((THUMBNAIL / Math.max(1, levels.length)).toFixed(5));
      return [
        `<g transform="translate(${x} ${y})" shape-rendering="crispEdges"><title>${escapeXml(label)}</title>`,
        `<rect width="${THUMBNAIL}" height="${THUMBNAIL}" fill="${cssOf(palette.paper)}" stroke="${ink}" `
          + 'stroke-opacity=".25"/>',
        `<g transform="scale(${scale})">`,
        ...levelPaths(levels, palette),
        '</g></g>',
      ];
    }),
    `<g fill="${ink}" font-family="ui-monospace, monospace" font-size="${look.fontSize}" dominant-baseline="central">`,
    ...layout.down.map(({ at, text }) =>
      `<text x="${left - gap}" y="${top + place(at) + THUMBNAIL / 2}" text-anchor="end">${text}</text>`),
    ...layout.across.map(({ at, text }) =>
      `<text x="${left + place(at) + THUMBNAIL / 2}" y="${top - gap - look.fontSize / 2}" text-anchor="middle">${text}`
        + '</text>'),
    '</g>',
  ]);
}

/**
 * What each head does, one line a head; a measure that the text is too short for is empty.
 * @param {import('./head-stats.js').HeadStats} habits
 */
export function headStatsToCsv(habits) {
  const lines = ['layer,head,previous_token,first_token,same_position,duplicate_token,induction'];
  const number = (/** @type {number | null | undefined} */ share) =>
    (share === null || share === undefined ? '' : Number(share.toPrecision(6)));
  for (let layer = 0; layer < habits.layers; layer++) {
    for (let head = 0; head < habits.heads; head++) {
      const { previous, first, self, duplicate, induction } = habits.of(layer, head) ?? {};
      lines.push([layer, head, ...[previous, first, self, duplicate, induction].map(number)].join(','));
    }
  }
  return `${lines.join('\r\n')}\r\n`;
}
