/** Writes the open block of an anatomy as SVG, and the numbers of a box as CSV or JSON. */
import { sizeOf, valueAt } from './anatomy-boxes.js';
import { arrowhead } from './anatomy-layout.js';
import { layOutCaption, PAD } from './figure-layout.js';
import { captionOf, csvLines, csvText, escapeXml, inkOf, svgDocument } from './map-export.js';
import { tokenLabel } from './token.js';
import { labelStep } from './view.js';

/** @typedef {import('./anatomy-boxes.js').Box} Box */

/**
 * The open block as a figure.
 * @typedef {object} AnatomyFigure
 * @property {ReturnType<typeof import('./anatomy-layout.js').layOutBlock>} layout
 * @property {Box[]} boxes of the layout
 * @property {string[]} tokens
 * @property {string} title
 * @property {string[]} caption
 * @property {object} provenance
 */

/** Font size of the layout. Other sizes scale the whole figure. */
const FONT_SIZE = 12;

/**
 * The size and caption of the file.
 * @param {AnatomyFigure} figure
 * @param {import('./figure-layout.js').FigureOptions} options
 */
export function pageOf({ layout, title, caption }, options) {
  const { fontSize } = options;
  const scale = fontSize / FONT_SIZE;
  const width = Math.ceil(scale * layout.width + 2 * PAD);
  const from = scale * layout.height + PAD + 1.6 * fontSize;
  const lines = captionOf({ title, caption }, options);
  return { scale, pad: PAD, width, ...layOutCaption(lines, { width, from, fontSize }) };
}

/** Texts of the figure, in units of the layout: titles and shapes of boxes, and labels of tokens.
 *  @param {AnatomyFigure} figure */
export function textsOf({ layout, boxes, tokens }) {
  const step = labelStep(layout.row, FONT_SIZE);
  return [
    ...layout.placed.flatMap(({ id, card: { x, y } }) => {
      const box = /** @type {Box} */ (boxes.find((each) => each.id === id));
      return [{ text: box.title, x, y: y + 12, kind: 'title' }, { text: sizeOf(box), x, y: y + 27, kind: 'shape' }];
    }),
    ...layout.bands.flatMap(({ y }) => tokens.flatMap((token, at) => (at % step ? [] : [
      { text: tokenLabel(token, 11), x: layout.labels - 8, y: y + (at + 0.5) * layout.row + 4, kind: 'token' }]))),
  ];
}

/** Attributes of each kind of text. @type {Record<string, string>} */
const TEXT = {
  title: 'font-weight="600" font-size="12"',
  shape: 'font-size="11" opacity=".65"',
  token: 'font-size="11" opacity=".75" text-anchor="end" font-family="ui-monospace, monospace"',
};

/**
 * @param {AnatomyFigure} figure
 * @param {Map<string, string>} images a PNG of each box, as a data URL
 * @param {import('./color.js').Palette} palette
 * @param {import('./figure-layout.js').FigureOptions} options
 * @returns {string} an SVG document
 */
export function anatomyToSvg(figure, images, palette, options) {
  const { layout, boxes, title, provenance } = figure;
  const page = pageOf(figure, options);
  const ink = inkOf(palette);
  const masked = (/** @type {string} */ id) => options.hatch && boxes.find((box) => box.id === id)?.kind === 'map';
  return svgDocument({ layout: page, palette, options, title, provenance }, [
    `<defs><pattern id="masked" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">`
      + `<path d="M0 0V7" stroke="${ink}" stroke-opacity=".2"/></pattern></defs>`,
    `<g transform="translate(${PAD} ${PAD}) scale(${page.scale})">`,
    `<g fill="none" stroke="${ink}" stroke-opacity=".5">`,
    ...layout.links.map(({ path }) => `<path d="${path}"/>`),
    `</g><g fill="${ink}" fill-opacity=".6">`,
    ...layout.links.map(({ tip }) => `<path d="${arrowhead(tip)}"/>`),
    '</g>',
    ...layout.placed.flatMap(({ id, raster: { x, y, width, height } }) => {
      const place = `x="${x}" y="${y}" width="${width}" height="${height}"`;
      return [
        ...(masked(id) ? [`<rect ${place} fill="url(#masked)"/>`] : []),
        `<image ${place} preserveAspectRatio="none" image-rendering="pixelated" href="${images.get(id)}"/>`,
        `<rect ${place} fill="none" stroke="${ink}" stroke-opacity=".3"/>`,
      ];
    }),
    `<g fill="${ink}" font-family="system-ui, sans-serif">`,
    ...textsOf(figure).map(({ text, x, y, kind }) =>
      `<text x="${x}" y="${Math.round(10 * y) / 10}" ${TEXT[kind]}>${escapeXml(text)}</text>`),
    '</g></g>',
  ]);
}

/** A number with the digits of a float; null if it is infinite, as masked scores. @param {number} value */
const finite = (value) => (Number.isFinite(value) ? Number(value.toPrecision(9)) : null);

/**
 * The shown numbers of a box as JSON.
 * @param {Box} box
 * @param {import('./anatomy-boxes.js').Plane} plane
 * @param {Pick<AnatomyFigure, 'tokens' | 'title' | 'provenance'>} figure
 */
export function boxToJson({ id, kind, name }, plane, { tokens, title, provenance }) {
  const axes = kind === 'map' ? ['query', 'key'] : kind === 'weight' ? ['output', 'input']
    : kind === 'vocabulary' ? ['', 'token'] : ['position', 'feature'];
  const data = Array.from({ length: plane.rows }, (_, row) =>
    Array.from({ length: plane.columns }, (__, column) => finite(valueAt(plane, row, column))));
  return `${JSON.stringify({ title, box: id, name, axes, tokens, provenance, data })}\n`;
}

/**
 * The shown numbers of a box, one line for each row.
 * @param {Box} box
 * @param {import('./anatomy-boxes.js').Plane} plane
 * @param {string[]} tokens
 */
export function boxToCsv({ kind, name }, plane, tokens) {
  const columns = Array.from({ length: plane.columns }, (_, column) =>
    (kind === 'map' ? csvText(tokens[column]) : String(column)));
  const lines = [['position', 'token', ...columns].join(',')];
  for (let row = 0; row < plane.rows; row++) {
    const numbers = columns.map((_, column) => finite(valueAt(plane, row, column)) ?? '');
    lines.push([row, csvText(kind === 'vocabulary' ? name : tokens[row]), ...numbers].join(','));
  }
  return csvLines(lines);
}
