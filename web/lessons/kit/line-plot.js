/** Lines over one axis, as SVG, with the numbers in a table behind it. */
import { h } from '../../elements/dom.js';
import { Behind } from './data-table.js';
import { whenSeen } from './redraw.js';
import { short } from './format.js';
import { svg } from './svg.js';

/**
 * @typedef {{ name: string, ys: ArrayLike<number> }} Series
 * @typedef {object} PlotOptions
 * @property {string} label what is seen
 * @property {string} x     name of the axis
 * @property {string} y     what goes up
 * @property {number} [digits] of the table
 */

const HEIGHT = 254;
const EDGE = { left: 48, right: 12, top: 24, bottom: 36 };

/** Round numbers between two. @param {number} low @param {number} high @param {number} most */
function ticks(low, high, most) {
  const rough = (high - low) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= rough) ?? rough;
  const first = Math.ceil(low / step - 1e-9);
  return Array.from({ length: Math.floor(high / step + 1e-9) - first + 1 }, (_, i) => (first + i) * step);
}

export class Plot {
  #options;
  #picture = svg('svg', { class: 'plot', role: 'img' });
  #legend = h('p', { class: 'legend' });
  #behind;
  #changed;
  /** @type {number[]} */ #xs = [];
  /** @type {Series[]} */ #series = [];

  /** @param {HTMLElement} place @param {PlotOptions} options */
  constructor(place, options) {
    this.#options = options;
    this.#picture.setAttribute('aria-label', options.label);
    const box = h('div', { class: 'plot-box' }, this.#picture);
    place.append(box, this.#legend);
    this.#behind = new Behind(place, options.label);
    this.#changed = whenSeen(box, () => this.#draw());
    new ResizeObserver(this.#changed).observe(box);
  }

  /** @param {number[]} xs @param {Series[]} series of as many numbers */
  show(xs, series) {
    this.#xs = xs;
    this.#series = series;
    this.#legend.replaceChildren(...series.map(({ name }, i) => h('span', { class: `key line-${i}` }, name)));
    this.#changed();
    const { x, digits = 4 } = this.#options;
    this.#behind.show(() => ({
      head: [x, ...series.map(({ name }) => name)],
      rows: xs.map((value, at) => [short(value, 4), ...series.map(({ ys }) => short(ys[at], digits))]),
    }));
  }

  #draw() {
    const width = this.#picture.parentElement?.clientWidth ?? 0;
    const xs = this.#xs;
    if (width === 0 || xs.length === 0) return;
    const all = this.#series.flatMap(({ ys }) => Array.from(ys)).filter(Number.isFinite);
    const [low, high] = [Math.min(0, ...all), Math.max(0, ...all) || 1];
    const [from, to] = [xs[0], xs[xs.length - 1]];
    const atX = (/** @type {number} */ x) =>
      EDGE.left + (x - from) / ((to - from) || 1) * (width - EDGE.left - EDGE.right);
    const atY = (/** @type {number} */ y) =>
      EDGE.top + (high - y) / (high - low) * (HEIGHT - EDGE.top - EDGE.bottom);
    const lines = this.#series.map(({ ys }, i) => svg('path', {
      class: `line line-${i}`,
      d: xs.map((x, at) => `${at === 0 ? 'M' : 'L'}${atX(x).toFixed(1)} ${atY(ys[at]).toFixed(1)}`).join(''),
    }));
    const marks = ticks(low, high, 5).flatMap((y) => [
      svg('line', { class: 'grid', x1: EDGE.left, x2: width - EDGE.right, y1: atY(y), y2: atY(y) }),
      svg('text', { x: EDGE.left - 6, y: atY(y) + 4, 'text-anchor': 'end' }, short(y, 3)),
    ]);
    const feet = ticks(from, to, width < 400 ? 5 : 10).map((x) =>
      svg('text', { x: atX(x), y: HEIGHT - EDGE.bottom + 16, 'text-anchor': 'middle' }, short(x, 2)));
    this.#picture.setAttribute('viewBox', `0 0 ${width} ${HEIGHT}`);
    this.#picture.setAttribute('height', String(HEIGHT));
    this.#picture.replaceChildren(...marks, ...feet, ...lines,
      svg('text', { x: 0, y: 10 }, this.#options.y),
      svg('text', { x: EDGE.left + (width - EDGE.left - EDGE.right) / 2, y: HEIGHT - 4, 'text-anchor': 'middle' },
        this.#options.x));
  }
}
