/** Writes a figure of marks as SVG or PNG. */
import { layOutCaption, MIN_CHARACTERS, PAD, textWidth } from '../draw/figure-layout.js';
import { captionOf, svgDocument } from '../draw/map-export.js';
import { marksToSvg, paintMarks } from '../draw/marks.js';
import { DENSITY, figurePng, PICTURE_SIDE } from './figure-png.js';

/** Most marks in an SVG: about 40 MB. */
const MARKS_LIMIT = 400_000;

/**
 * @typedef {object} MarkFigure
 * @property {number} width of the marks, CSS pixels
 * @property {number} height of the marks, CSS pixels
 * @property {import('../draw/marks.js').Mark[]} marks
 * @property {string} title
 * @property {string[]} caption provenance as lines under the title
 * @property {object} provenance
 */

/**
 * Writes a picture.
 * @param {'svg' | 'png'} format
 * @param {MarkFigure} figure
 * @param {import('./figure.js').FileStyle} style
 * @returns {Promise<Blob>}
 * @throws {RangeError} (rejects) if the figure is too large for the format
 */
export async function markFile(format, figure, { options, palette, faces }) {
  const { marks, title, provenance } = figure;
  const { fontSize } = options;
  const width = Math.ceil(Math.max(figure.width + 2 * PAD, textWidth('m'.repeat(MIN_CHARACTERS), fontSize)));
  const from = PAD + figure.height + 2 * fontSize;
  const layout = { width, pad: PAD, ...layOutCaption(captionOf(figure, options), { width, from, fontSize }) };
  if (format === 'svg') {
    if (marks.length > MARKS_LIMIT) throw new RangeError(`it has ${marks.length} parts, too many for an SVG.`);
    const parts = [`<g transform="translate(${PAD} ${PAD})">`, ...marksToSvg(marks, fontSize), '</g>'];
    return new Blob([svgDocument({ layout, palette, options, title, provenance }, parts)], { type: 'image/svg+xml' });
  }
  if (DENSITY * Math.max(width, layout.height) > PICTURE_SIDE) {
    throw new RangeError('it does not fit in one picture. Save it as SVG.');
  }
  return figurePng({ layout, palette, options, faces, title, provenance }, (context) => {
    context.translate(PAD, PAD);
    paintMarks(context, marks, { fontSize, ...faces });
    context.translate(-PAD, -PAD);
  });
}
