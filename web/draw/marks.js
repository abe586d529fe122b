/** Figures as lists of marks (rectangles, lines, texts): painted on a canvas, or written as SVG. */
import { escapeXml, round } from './map-export.js';

/** @typedef {{ rect: [x: number, y: number, width: number, height: number], fill: string, opacity?: number }} Rect */
/** @typedef {{ line: number[], stroke: string, width: number, opacity?: number }} Line line: x1, y1, x2 and y2 of one
 *  or several lines */
/**
 * A line of text.
 * @typedef {object} Text
 * @property {string} text
 * @property {number} x start, middle or end of the text, as `anchor` says
 * @property {number} y middle of the line
 * @property {string} fill CSS color
 * @property {'start' | 'middle' | 'end'} [anchor] default ‘start’
 * @property {boolean} [mono] in the font of tokens
 * @property {boolean} [bold]
 */
/** @typedef {Rect | Line | Text} Mark all lengths in CSS pixels */

/** @type {Record<NonNullable<Text['anchor']>, CanvasTextAlign>} */
const ALIGN = { start: 'left', middle: 'center', end: 'right' };

/**
 * Marks at another place.
 * @param {Mark[]} marks
 * @param {number} x
 * @param {number} y
 * @returns {Mark[]}
 */
export const moved = (marks, x, y) => marks.map((mark) => {
  if ('text' in mark) return { ...mark, x: mark.x + x, y: mark.y + y };
  if ('line' in mark) return { ...mark, line: mark.line.map((at, i) => at + (i % 2 ? y : x)) };
  const [left, top, width, height] = mark.rect;
  return { ...mark, rect: [left + x, top + y, width, height] };
});

/** The four lines around a rectangle. @param {Rect['rect']} rect @returns {number[]} */
export const frameOf = ([x, y, width, height]) => {
  const right = x + width;
  const bottom = y + height;
  return [x, y, right, y, right, y, right, bottom, right, bottom, x, bottom, x, bottom, x, y];
};

/**
 * Paints marks on a canvas.
 * @param {import('./paint.js').Context} context whose unit is the CSS pixel
 * @param {Iterable<Mark>} marks in the order of painting
 * @param {{ fontSize: number, face: string, mono: string }} fonts CSS pixels and CSS fonts
 */
export function paintMarks(context, marks, { fontSize, face, mono }) {
  context.textBaseline = 'middle';
  for (const mark of marks) {
    if ('text' in mark) {
      context.font = `${mark.bold ? '600 ' : ''}${fontSize}px ${mark.mono ? mono : face}`;
      context.textAlign = ALIGN[mark.anchor ?? 'start'];
      context.fillStyle = mark.fill;
      context.fillText(mark.text, mark.x, mark.y);
      continue;
    }
    context.globalAlpha = mark.opacity ?? 1;
    if ('rect' in mark) {
      context.fillStyle = mark.fill;
      context.fillRect(...mark.rect);
    } else {
      context.strokeStyle = mark.stroke;
      context.lineWidth = mark.width;
      context.beginPath();
      for (let at = 0; at < mark.line.length; at += 4) {
        context.moveTo(mark.line[at], mark.line[at + 1]);
        context.lineTo(mark.line[at + 2], mark.line[at + 3]);
      }
      context.stroke();
    }
    context.globalAlpha = 1;
  }
}

/**
 * Marks as SVG elements.
 * @param {Iterable<Mark>} marks
 * @param {number} fontSize CSS pixels
 * @returns {string[]}
 */
export function marksToSvg(marks, fontSize) {
  const parts = [`<g font-size="${fontSize}" dominant-baseline="central">`];
  for (const mark of marks) {
    if ('text' in mark) {
      parts.push(`<text x="${round(mark.x)}" y="${round(mark.y)}" fill="${mark.fill}" text-anchor="${
        mark.anchor ?? 'start'}" font-family="${mark.mono ? 'ui-monospace, monospace' : 'system-ui, sans-serif'}"${
        mark.bold ? ' font-weight="600"' : ''}>${escapeXml(mark.text)}</text>`);
      continue;
    }
    const opacity = round(mark.opacity ?? 1);
    if ('rect' in mark) {
      const [x, y, width, height] = mark.rect.map(round);
      parts.push(`<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${mark.fill}"${
        opacity < 1 ? ` fill-opacity="${opacity}"` : ''}/>`);
    } else {
      const d = mark.line.map((x, at) => `${['M', ' ', 'L', ' '][at % 4]}${round(x)}`).join('');
      parts.push(`<path d="${d}" stroke="${mark.stroke}" stroke-width="${round(mark.width)}"${
        opacity < 1 ? ` stroke-opacity="${opacity}"` : ''}/>`);
    }
  }
  return [...parts, '</g>'];
}
