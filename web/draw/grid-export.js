/** Writes the grid of heads as SVG or CSV. */
import { cssOf } from './color.js';
import { captionOf, csvLines, escapeXml, inkOf, levelPaths, svgDocument } from './map-export.js';
import { DEFAULT_FIGURE_OPTIONS, layOutFigure } from './figure-layout.js';

/** CSS pixels of a thumbnail in a file, and of the gap between two. */
export const THUMBNAIL = 64;
export const GAP = 6;
/** Most cells in an SVG: about 40 MB. */
const CELLS_LIMIT = 2e6;

/**
 * @typedef {object} GridFigure
 * @property {number} layers
 * @property {number} heads
 * @property {{ levels: Int16Array[], label: string }[]} thumbnails [layers · heads] layer by layer
 * @property {string} title
 * @property {string[]} caption
 * @property {object} provenance
 */

/** Number of columns of a thumbnail. @param {Int16Array[]} levels */
export const widthOf = (levels) => levels.reduce((most, { length }) => Math.max(most, length), 0);

/** The layout of a grid. @param {GridFigure} figure @param {import('./figure-layout.js').FigureOptions} options */
export function layOutGrid(figure, options) {
  const numbers = (/** @type {number} */ count) => Array.from({ length: count }, (_, at) => String(at));
  return layOutFigure({ queries: numbers(figure.layers), keys: numbers(figure.heads), cell: THUMBNAIL + GAP, options,
    caption: captionOf(figure, options), bar: false });
}

/**
 * The grid as an SVG document.
 * @param {GridFigure} figure
 * @param {import('./color.js').Palette} palette
 * @param {import('./figure-layout.js').FigureOptions} [options]
 * @returns {string}
 * @throws {RangeError} if there are too many cells
 */
export function gridToSvg(figure, palette, options = DEFAULT_FIGURE_OPTIONS) {
  const cells = figure.thumbnails.flatMap(({ levels }) => levels).reduce((sum, { length }) => sum + length, 0);
  if (cells > CELLS_LIMIT) throw new RangeError(`it has ${Math.round(cells)} cells, too many for an SVG. Save a PNG.`);
  const layout = layOutGrid(figure, options);
  const { left, top, gap } = layout;
  const place = (/** @type {number} */ at) => at * (THUMBNAIL + GAP);
  const ink = inkOf(palette);
  return svgDocument({ layout, palette, options, title: figure.title, provenance: figure.provenance }, [
    ...figure.thumbnails.flatMap(({ levels, label }, at) => {
      const x = left + place(at % figure.heads);
      const y = top + place(Math.floor(at / figure.heads));
      const [across, down] = [widthOf(levels), levels.length].map((cells) =>
        Number((THUMBNAIL / Math.max(1, cells)).toFixed(5)));
      return [
        `<g transform="translate(${x} ${y})" shape-rendering="crispEdges"><title>${escapeXml(label)}</title>`,
        `<rect width="${THUMBNAIL}" height="${THUMBNAIL}" fill="${cssOf(palette.paper)}" stroke="${ink}" `
          + 'stroke-opacity=".25"/>',
        `<g transform="scale(${across === down ? down : `${across} ${down}`})">`,
        ...levelPaths(levels, palette),
        '</g></g>',
      ];
    }),
    `<g fill="${ink}" font-family="ui-monospace, monospace" font-size="${options.fontSize}" `
      + 'dominant-baseline="central">',
    ...layout.down.map(({ at, text }) =>
      `<text x="${left - gap}" y="${top + place(at) + THUMBNAIL / 2}" text-anchor="end">${text}</text>`),
    ...layout.across.map(({ at, text }) =>
      `<text x="${left + place(at) + THUMBNAIL / 2}" y="${top - gap - options.fontSize / 2}" text-anchor="middle">`
        + `${text}</text>`),
    '</g>',
  ]);
}

/** @param {number | null | undefined} share @returns {number | null} */
const shortened = (share) => (share === null || share === undefined ? null : Number(share.toPrecision(6)));

/** The scores of every head. @param {import('./head-stats.js').HeadStats} stats */
function scoresOf(stats) {
  return Array.from({ length: stats.layers * stats.heads }, (_, at) => {
    const layer = Math.floor(at / stats.heads);
    const head = at % stats.heads;
    const { previous, first, self, duplicate, induction, next, last } = stats.of(layer, head) ?? {};
    return { layer, head, previous_token: shortened(previous), first_token: shortened(first),
      same_position: shortened(self), duplicate_token: shortened(duplicate), induction: shortened(induction),
      ...(stats.kind === 'bidirectional' && { next_token: shortened(next), last_token: shortened(last) }) };
  });
}

/**
 * The scores of all heads as CSV, one line per head. Scores that need a longer text are empty.
 * @param {import('./head-stats.js').HeadStats} stats
 */
export function headStatsToCsv(stats) {
  const lines = scoresOf(stats).map((scores) => Object.values(scores).map((score) => score ?? '').join(','));
  return csvLines([Object.keys(scoresOf(stats)[0] ?? {}).join(','), ...lines]);
}

/**
 * The scores of all heads as JSON. Scores that need a longer text are null.
 * @param {import('./head-stats.js').HeadStats} stats
 * @param {Pick<GridFigure, 'layers' | 'heads' | 'title' | 'provenance'>} figure
 */
export const headStatsToJson = (stats, { title, layers, heads, provenance }) =>
  `${JSON.stringify({ title, layers, heads, provenance, data: scoresOf(stats) })}\n`;
