/** Lines over one axis as SVG, with their numbers in a table. */
import { ticks } from 'd3-array';
import { h } from '../../elements/dom.js';
import { DataTable } from './data-table.js';
import { trimmed } from './format.js';
import { whenVisible } from './redraw.js';
import { svg } from './svg.js';

/**
 * @typedef {{ name: string, ys: ArrayLike<number> }} Series
 * @typedef {object} LinePlotOptions
 * @property {string} label    the name of the figure, for screen readers
 * @property {string} x        label of the horizontal axis
 * @property {string} y        label of the vertical axis
 * @property {number} [digits] decimals in the table; default 4
 * @property {number} [most]   smallest upper end of the vertical axis; default the largest number
 * @property {string} [empty]  sentence between the axes as long as there are no lines
 */

const HEIGHT = 254;
const MARGIN = { left: 48, right: 12, top: 24, bottom: 36 };

export class LinePlot {
  #options;
  #picture = svg('svg', { class: 'plot', role: 'img' });
  #legend = h('p', { class: 'legend' });
  #table;
  #redraw;
  /** @type {number[]} */ #xs = [];
  /** @type {Series[]} */ #series = [];

  /**
   * @param {HTMLElement} container the plot becomes its last child
   * @param {LinePlotOptions} options
   */
  constructor(container, options) {
    this.#options = options;
    this.#picture.setAttribute('aria-label', options.label);
    const box = h('div', { class: 'plot-box' }, this.#picture);
    container.append(box, this.#legend);
    this.#table = new DataTable(container, options.label);
    this.#redraw = whenVisible(box, () => this.#draw());
    new ResizeObserver(this.#redraw).observe(box);
  }

  /**
   * @param {number[]} xs ascending
   * @param {Series[]} series one to four lines. A line with fewer numbers than xs ends early. Without lines the
   *   plot shows its axes
   */
  update(xs, series) {
    this.#xs = xs;
    this.#series = series;
    this.#legend.replaceChildren(...series.map(({ name }, i) => h('span', { class: `key line-${i}` }, name)));
    this.#redraw();
    const { x, digits = 4 } = this.#options;
    const known = Math.max(0, ...series.map(({ ys }) => ys.length));
    this.#table.update(() => ({
      head: [x, ...series.map(({ name }) => name)],
      rows: xs.slice(0, known).map((value, i) =>
        [trimmed(value, 4), ...series.map(({ ys }) => trimmed(ys[i], digits))]),
    }));
  }

  #draw() {
    const width = this.#picture.parentElement?.clientWidth ?? 0;
    const xs = this.#xs;
    if (xs.length === 0) this.#picture.replaceChildren();
    if (width === 0 || xs.length === 0) return;
    const all = this.#series.flatMap(({ ys }) => Array.from(ys)).filter(Number.isFinite);
    const { most = 0, empty = '' } = this.#options;
    const low = Math.min(0, ...all);
    const high = Math.max(most, ...all) || 1;
    const from = xs[0];
    const to = xs[xs.length - 1];
    const atX = (/** @type {number} */ x) =>
      MARGIN.left + (x - from) / ((to - from) || 1) * (width - MARGIN.left - MARGIN.right);
    const atY = (/** @type {number} */ y) =>
      MARGIN.top + (high - y) / (high - low) * (HEIGHT - MARGIN.top - MARGIN.bottom);
    const lines = this.#series.map(({ ys }, i) => svg('path', {
      class: `line line-${i}`,
      d: Array.from(ys, (y, k) => `${k === 0 ? 'M' : 'L'}${atX(xs[k]).toFixed(1)} ${atY(y).toFixed(1)}`).join(''),
    }));
    const isScaled = most > 0 || all.length > 0;
    const yTicks = (isScaled ? ticks(low, high, 5) : [low]).flatMap((y) => [
      svg('line', { class: 'grid', x1: MARGIN.left, x2: width - MARGIN.right, y1: atY(y), y2: atY(y) }),
      svg('text', { x: MARGIN.left - 6, y: atY(y) + 4, 'text-anchor': 'end' }, trimmed(y, 3)),
    ]);
    const middle = MARGIN.left + (width - MARGIN.left - MARGIN.right) / 2;
    const center = { 'x': middle, 'y': atY((low + high) / 2), 'text-anchor': 'middle' };
    const sentence = all.length > 0 ? [] : [svg('text', { class: 'empty', ...center }, empty)];
    const xTicks = ticks(from, to, width < 400 ? 5 : 10).map((x) =>
      svg('text', { x: atX(x), y: HEIGHT - MARGIN.bottom + 16, 'text-anchor': 'middle' }, trimmed(x, 2)));
    this.#picture.setAttribute('viewBox', `0 0 ${width} ${HEIGHT}`);
    this.#picture.setAttribute('height', String(HEIGHT));
    this.#picture.replaceChildren(...yTicks, ...xTicks, ...lines, ...sentence,
      svg('text', { x: 0, y: 10 }, this.#options.y),
      svg('text', { 'x': middle, 'y': HEIGHT - 4, 'text-anchor': 'middle' }, this.#options.x));
  }
}
