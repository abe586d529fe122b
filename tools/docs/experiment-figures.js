/** Figures of the experiments as SVG: tables with colored cells, and lines. */
import { colorOf } from '../../web/draw/categorical.js';
import { cssOf, inkOn, paletteFor } from '../../web/draw/color.js';
import { makeDiverging } from '../../web/draw/diverging.js';
import { DEFAULT_FIGURE_OPTIONS, layOutCaption, PAD, textWidth } from '../../web/draw/figure-layout.js';
import { inkOf, svgDocument } from '../../web/draw/map-export.js';
import { marksToSvg } from '../../web/draw/marks.js';

/** @typedef {import('../../web/draw/marks.js').Mark} Mark */

const { fontSize } = DEFAULT_FIGURE_OPTIONS;
const PAPER = paletteFor([255, 255, 255]);
const INK = inkOf(PAPER);
const GRAY = '#6b6b70';
const CELL_HEIGHT = 24;
const LEAST_CELL = 48;

/** @param {Mark[]} marks @param {{ width: number, height: number, title: string }} figure */
function svgOf(marks, { width, height, title }) {
  const outer = Math.ceil(width + 2 * PAD);
  const layout = { width: outer, pad: PAD,
    ...layOutCaption([title], { width: outer, from: height + 2 * PAD + fontSize, fontSize }) };
  const parts = [`<g transform="translate(${PAD} ${PAD})">`, ...marksToSvg(marks, fontSize), '</g>'];
  return svgDocument({ layout, palette: PAPER, options: DEFAULT_FIGURE_OPTIONS, title }, parts);
}

/** Two decimals; a rounded zero has no sign. @param {number} value */
export const fixed = (value) => value.toFixed(2).replace(/^-(?=0\.00$)/, '').replace('-', '\u2212');

/**
 * A table of numbers whose cells are colored.
 * @param {ArrayLike<number>} data [row][column]
 * @param {{ title: string, axes: [rows: string, columns: string], rows: string[], columns: string[],
 *   scale?: 'weight' | 'signed', max?: number }} figure max: number at the end of the colors, default the largest
 * @returns {string} SVG
 */
export function tableFigure(data, { title, axes, rows, columns, scale = 'weight', max }) {
  const most = max ?? Array.from(data).reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
  const diverging = makeDiverging(PAPER.paper);
  const color = (/** @type {number} */ share) => (scale === 'signed' ? diverging(share)
    : PAPER.rgb[Math.round(Math.min(1, Math.max(0, share)) * (PAPER.rgb.length - 1))]);
  const widest = (/** @type {string[]} */ texts) => Math.max(...texts.map((text) => textWidth(text, fontSize)));
  const left = widest([...rows, axes[0]]) + 10;
  const cell = Math.max(LEAST_CELL, widest(columns) + 8);
  const top = 2 * CELL_HEIGHT;
  /** @type {Mark[]} */
  const marks = [
    { text: axes[0], x: left - 8, y: top - CELL_HEIGHT / 2, fill: GRAY, anchor: 'end' },
    { text: axes[1], x: left, y: CELL_HEIGHT / 2, fill: GRAY },
    ...columns.map((text, i) => /** @type {Mark} */ ({ text, x: left + (i + 0.5) * cell, y: top - CELL_HEIGHT / 2,
      fill: INK, anchor: 'middle', mono: true })),
    ...rows.map((text, i) => /** @type {Mark} */ ({ text, x: left - 8, y: top + (i + 0.5) * CELL_HEIGHT, fill: INK,
      anchor: 'end', mono: true })),
    ...Array.from(data).flatMap((value, i) => {
      const x = left + (i % columns.length) * cell;
      const y = top + Math.floor(i / columns.length) * CELL_HEIGHT;
      const rgb = color(value / most);
      return /** @type {Mark[]} */ ([{ rect: [x, y, cell - 1, CELL_HEIGHT - 1], fill: cssOf(rgb) },
        { text: fixed(value), x: x + cell / 2, y: y + CELL_HEIGHT / 2, fill: inkOn(rgb), anchor: 'middle' }]);
    }),
  ];
  return svgOf(marks, { title, width: left + columns.length * cell, height: top + rows.length * CELL_HEIGHT });
}

/**
 * Lines over one axis, with values from 0 to `most`.
 * @param {{ title: string, axes: [x: string, y: string], xs: number[],
 *   lines: { name: string, ys: ArrayLike<number> }[], most: number }} figure
 * @returns {string} SVG
 */
export function lineFigure({ title, axes, xs, lines, most }) {
  const left = 44;
  const top = 24;
  const width = 420;
  const height = 180;
  const first = xs[0];
  const last = xs[xs.length - 1];
  const x = (/** @type {number} */ value) => left + ((value - first) / (last - first)) * width;
  const y = (/** @type {number} */ value) => top + (1 - value / most) * height;
  const ticks = [0, most / 2, most];
  /** @type {Mark[]} */
  const marks = [
    { text: axes[1], x: left, y: 8, fill: GRAY },
    { text: axes[0], x: left + width, y: top + height + 34, fill: GRAY, anchor: 'end' },
    ...ticks.flatMap((tick) => /** @type {Mark[]} */ ([
      { line: [left, y(tick), left + width, y(tick)], stroke: GRAY, width: 1, opacity: 0.3 },
      { text: `${Math.round(100 * tick)} %`, x: left - 6, y: y(tick), fill: INK, anchor: 'end' }])),
    ...xs.filter(Number.isInteger).map((value) => /** @type {Mark} */ ({
      text: value < 0 ? `\u2212${-value}` : String(value), x: x(value), y: top + height + 14, fill: INK,
      anchor: 'middle' })),
    ...lines.flatMap(({ name, ys }, i) => {
      const stroke = colorOf(false, i);
      const line = xs.slice(1).flatMap((at, j) => [x(xs[j]), y(ys[j]), x(at), y(ys[j + 1])]);
      return /** @type {Mark[]} */ ([{ line, stroke, width: 2 },
        { text: name, x: left + width + 8, y: y(ys[ys.length - 1]), fill: stroke, bold: true }]);
    }),
  ];
  return svgOf(marks, { title, width: left + width + 80, height: top + height + 44 });
}
