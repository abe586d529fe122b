/** A number written out: its equation, its terms as colored strips and bars, and a table of them. */
import { LEVELS } from '../draw/color.js';
import { formatNumber } from '../draw/sentence.js';
import { pointInElement } from '../draw/view.js';
import { h, sized } from './dom.js';
import { button } from './export-menu.js';

/** @typedef {import('../draw/anatomy-sums.js').Sum} Sum */
/** @typedef {import('../draw/anatomy-sums.js').Term} Term */

/** Most terms in the equation and in the table, and least width of a term in the strips. */
const WRITTEN = 4;
const TABLED = 256;
const LEAST = 3;
/** Heights in the strips: a factor, the bars, the space between. */
const FACTOR = 14;
const BARS = 52;
const SPACE = 4;
const NAMES = 58;

/** @param {Term} term */
const written = ({ factors, value }) =>
  (factors.length === 2 ? factors.map((factor) => inBrackets(factor)).join('·') : inBrackets(value));
/** @param {number} value */
const inBrackets = (value) => (value < 0 ? `(${formatNumber(value)})` : formatNumber(value));

/** The largest terms, in their order. @param {Term[]} terms @param {number} count */
const largest = (terms, count) => (terms.length <= count ? terms : terms.map((term, at) => ({ term, at }))
  .sort((a, b) => Math.abs(b.term.value) - Math.abs(a.term.value)).slice(0, count).sort((a, b) => a.at - b.at)
  .map(({ term }) => term));

/** The sum of the terms as text. @param {Sum} sum */
export function equationOf({ terms, total }) {
  if (!terms.length) return '';
  const shown = largest(terms, WRITTEN);
  const rest = terms.length - shown.length;
  const more = rest ? ` + … (${rest} more)` : '';
  return `${shown.map(written).join(' + ')}${more} = ${formatNumber(total)}`;
}

export class AnatomySum {
  #said = h('output');
  #equation = h('p', { class: 'equation' });
  #canvas = h('canvas', { class: 'terms', 'aria-hidden': 'true' });
  #term = h('p', { class: 'term', 'aria-hidden': 'true' });
  #note = h('p', { class: 'muted' });
  #summary = h('summary');
  #table = h('table');
  #details = h('details', {}, this.#summary, h('div', { class: 'scroll', tabindex: 0, role: 'region',
    'aria-label': 'Terms of the sum' }, this.#table));
  element = h('section', { class: 'sum', 'aria-label': 'Sum' }, h('div', {}, this.#said, this.#equation, this.#note),
    h('div', {}, this.#canvas, this.#term, this.#details));
  /** @type {Sum | null} */
  #sum = null;
  /** Terms in the strips. @type {Term[]} */
  #shown = [];
  #onWeight;

  /** @param {(cell: { box: string, row: number, column: number }) => void} onWeight a weight was chosen in the table */
  constructor(onWeight) {
    this.#onWeight = onWeight;
    this.#canvas.addEventListener('pointermove', (event) => {
      const { offsetWidth: width, offsetHeight: height } = this.#canvas;
      const { x } = pointInElement(this.#canvas.getBoundingClientRect(), { width, height },
        { x: event.clientX, y: event.clientY });
      const term = this.#shown[Math.floor((x - NAMES) / ((width - NAMES) / this.#shown.length))];
      if (term) this.#term.textContent = `${term.label}: ${written(term)} = ${formatNumber(term.value)}`;
    });
    this.#details.addEventListener('toggle', () => this.#fillTable());
    this.show(null);
  }

  /** @param {Sum | null} sum @param {string} [waiting] text shown instead */
  show(sum, waiting = '') {
    this.#sum = sum;
    this.#said.textContent = sum ? `${sum.title}: ${formatNumber(sum.result)}` : waiting;
    this.#equation.replaceChildren(...(sum ? [equationOf(sum), ...sum.steps].filter(Boolean).flatMap((line, at) =>
      (at ? [h('br'), line] : [line])) : []));
    this.#note.textContent = sum?.note ?? '';
    const count = sum?.terms.length ?? 0;
    this.#canvas.hidden = this.#term.hidden = count < 2;
    this.#details.hidden = count === 0;
    this.#summary.textContent = count > TABLED ? `The ${TABLED} largest of ${count} terms`
      : count === 1 ? 'The term' : `All ${count} terms`;
    this.#term.textContent = '';
    this.#fillTable();
  }

  #fillTable() {
    if (!this.#details.open || !this.#sum) return;
    const { terms, factors } = this.#sum;
    const focused = [...this.#table.querySelectorAll('button')].findIndex((each) => each.matches(':focus'));
    const heads = ['Term', ...factors, ...(factors.length === 2 ? ['product'] : ['term'])];
    this.#table.replaceChildren(
      h('thead', {}, h('tr', {}, ...heads.map((head) => h('th', { scope: 'col' }, head)))),
      h('tbody', {}, ...largest(terms, TABLED).map(({ label, factors: [first, ...others], value, weight }) =>
        h('tr', {}, h('th', { scope: 'row' }, label), h('td', {}, formatNumber(first)),
        ...others.map((factor) => h('td', {}, weight ? this.#weightButton(weight, factor) : formatNumber(factor))),
        h('td', {}, formatNumber(value))))));
    this.#table.querySelectorAll('button')[focused]?.focus();
  }

  /** @param {{ box: string, row: number, column: number }} weight @param {number} value */
  #weightButton(weight, value) {
    const { box, row, column } = weight;
    return button(formatNumber(value), `${formatNumber(value)}, show row ${row}, column ${column} of ${box}`, () =>
      this.#onWeight(weight));
  }

  /**
   * @param {import('../draw/anatomy-raster.js').Inks} inks
   * @param {{ muted: string, face: string, accent: string, text: string }} style
   */
  paint(inks, style) {
    if (!this.#sum || this.#canvas.hidden) return;
    const { factors, terms } = this.#sum;
    const width = this.#canvas.parentElement?.clientWidth ?? 0;
    const room = width - NAMES;
    this.#shown = largest(terms, Math.max(1, Math.floor(room / LEAST)));
    const rows = factors.length === 2 ? 2 : 0;
    const height = rows * (FACTOR + SPACE) + BARS;
    const context = sized(this.#canvas, width, height);
    context.clearRect(0, 0, width, height);
    context.font = `11px ${style.face}`;
    context.textBaseline = 'middle';
    const wide = room / this.#shown.length;
    const gap = wide > 6 ? 1 : 0;
    const bytes = new Uint8Array(inks.signed.buffer);
    for (let row = 0; row < rows; row++) {
      const top = row * (FACTOR + SPACE);
      const end = this.#shown.reduce((most, term) => Math.max(most, Math.abs(term.factors[row])), 1e-12);
      context.fillStyle = style.muted;
      context.fillText(`${row ? '×' : ''} ${factors[row]}`, 0, top + FACTOR / 2);
      this.#shown.forEach((term, at) => {
        const level = 4 * (LEVELS + Math.round(LEVELS * term.factors[row] / end));
        context.fillStyle = `rgb(${bytes[level]}, ${bytes[level + 1]}, ${bytes[level + 2]})`;
        context.fillRect(NAMES + at * wide, top, wide - gap, FACTOR);
      });
    }
    const top = rows * (FACTOR + SPACE);
    const most = this.#shown.reduce((size, { value }) => Math.max(size, value), 0);
    const least = this.#shown.reduce((size, { value }) => Math.min(size, value), 0);
    const scale = (BARS - 2) / (most - least || 1);
    const zero = top + 1 + most * scale;
    context.fillStyle = style.muted;
    context.fillText(rows ? '= product' : 'term', 0, top + BARS / 2);
    context.fillRect(NAMES, zero, room, 0.5);
    this.#shown.forEach(({ value }, at) => {
      const level = 4 * (value < 0 ? 0 : 2 * LEVELS);
      context.fillStyle = `rgb(${bytes[level]}, ${bytes[level + 1]}, ${bytes[level + 2]})`;
      context.fillRect(NAMES + at * wide, Math.min(zero, zero - value * scale), wide - gap,
        Math.max(0.5, Math.abs(value * scale)));
    });
  }
}
