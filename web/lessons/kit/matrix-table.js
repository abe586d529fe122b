/** A small matrix as a table: numbers on their colours, axes with names, cells to edit where that is asked. */
import { h } from '../../elements/dom.js';
import { onceAFrame } from './redraw.js';
import { fixed, short } from './format.js';
import { reachable } from './focusable-scroll.js';
import { onTheme, shadeCell } from './cell-colors.js';

/**
 * @typedef {object} MatrixOptions
 * @property {string} caption
 * @property {[rows: string, columns: string]} axes their names: ['query', 'key']
 * @property {string[]} [rows]     labels; 1, 2, 3 … unless told
 * @property {string[]} [columns]
 * @property {number} [digits]     after the point; default 3
 * @property {import('./cell-colors.js').Shade} [shade] default 'none'
 * @property {number} [max]        the value of the last colour; default: the largest there is
 * @property {boolean} [tight]   narrow cells, where a row has many
 * @property {(data: Float32Array) => void} [edit] the reader may change the numbers
 * @property {(row: number, column: number) => string} [label] what a cell says on hover
 */

/** Numbers larger than these are refused: their products and exponentials would be none. */
const LARGEST = 1e6;

export class Matrix {
  #options;
  #body = h('tbody');
  #head = h('thead');
  #window;
  #data = new Float32Array(0);
  /** @type {HTMLElement[]} */ #cells = [];
  /** What each cell shows, so that only those that change are written. @type {string[]} */ #shown = [];
  /** @type {ArrayLike<number>} */ #masked = [];
  #shape = '';

  /** @param {HTMLElement} place it is put at the end of @param {MatrixOptions} options */
  constructor(place, options) {
    this.#options = options;
    const caption = h('caption', {}, h('span', {}, options.caption));
    const table = h('table', { class: options.tight ? 'matrix tight' : 'matrix' }, caption, this.#head, this.#body);
    this.#window = h('div', { class: 'scrolls', role: 'group', 'aria-label': options.caption }, table);
    reachable(this.#window);
    place.append(this.#window);
    onTheme(() => {
      this.#shown = [];
      this.#paint();
    });
  }

  /** @param {ArrayLike<number>} data row after row
   *  @param {{ rows?: string[], columns?: string[], masked?: ArrayLike<number> }} [more] masked: 1 where there is
   *  nothing, as there is where a number is −∞ */
  show(data, { masked, ...labels } = {}) {
    Object.assign(this.#options, labels);
    this.#masked = masked ?? [];
    const { rows, columns } = this.#labels(data.length);
    const shape = JSON.stringify([rows, columns]);
    if (shape !== this.#shape) this.#build(rows, columns);
    this.#shape = shape;
    this.#data = Float32Array.from(data);
    this.#paint();
  }

  /** Scrolls to a column, where not all are in sight. @param {number} column */
  reveal(column) {
    const cell = /** @type {HTMLElement} */ (this.#cells[column].parentElement);
    this.#window.scrollLeft = cell.offsetLeft + cell.offsetWidth / 2 - this.#window.clientWidth / 2;
  }

  /** @param {number} length */
  #labels(length) {
    let { rows, columns } = this.#options;
    const numbers = (/** @type {number} */ n) => Array.from({ length: n }, (_, i) => String(i + 1));
    rows ??= numbers(columns ? length / columns.length : 1);
    columns ??= numbers(length / rows.length);
    return { rows, columns };
  }

  /** @param {string[]} rows @param {string[]} columns */
  #build(rows, columns) {
    const { axes, caption } = this.#options;
    const edit = this.#options.edit && onceAFrame(this.#options.edit);
    this.#head.replaceChildren(h('tr', {},
      h('td', { class: 'axes' }, axes.map((name, i) => name && `${name} ${'↓→'[i]}`).join(' ')),
      ...columns.map((name) => h('th', { scope: 'col' }, name))));
    this.#cells = [];
    this.#shown = [];
    this.#body.replaceChildren(...rows.map((row, i) => h('tr', {}, h('th', { scope: 'row' }, row),
      ...columns.map((column, j) => {
        const name = `${caption}: ${axes[0]} ${row}, ${axes[1]} ${column}`;
        const cell = edit
          ? h('input', { type: 'number', step: 'any', min: -LARGEST, max: LARGEST, 'aria-label': name })
          : h('span');
        if (edit) cell.addEventListener('input', () => this.#edited(i * columns.length + j, edit));
        this.#cells.push(cell);
        return h('td', {}, cell);
      }))));
  }

  /** @param {number} at @param {(data: Float32Array) => void} edit */
  #edited(at, edit) {
    const { valueAsNumber: value, validity } = /** @type {HTMLInputElement} */ (this.#cells[at]);
    if (!Number.isFinite(value) || !validity.valid) return; // not a number yet, '-' or nothing, or too large
    this.#data[at] = value;
    edit(this.#data.slice());
  }

  #paint() {
    const { shade = 'none', digits = 3, label } = this.#options;
    const finite = this.#data.filter(Number.isFinite);
    const max = this.#options.max ?? finite.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    const columns = this.#cells.length / Math.max(1, this.#body.rows.length);
    this.#data.forEach((value, at) => {
      const cell = this.#cells[at];
      const around = /** @type {HTMLElement} */ (cell.parentElement);
      const hidden = value === -Infinity || this.#masked[at] === 1;
      const written = cell instanceof HTMLInputElement ? cell : null;
      if (written && written.valueAsNumber !== value) written.value = short(value, 6).replace('−', '-');
      if (label) around.title = label(Math.floor(at / columns), at % columns);
      const look = `${hidden} ${value} ${max}`;
      if (this.#shown[at] === look) return;
      this.#shown[at] = look;
      if (!written) cell.textContent = hidden && value === 0 ? '' : fixed(value, digits);
      around.classList.toggle('masked', hidden);
      if (hidden && value === 0) around.setAttribute('aria-label', 'masked');
      else around.removeAttribute('aria-label');
      shadeCell(around, hidden ? 'none' : shade, value, max);
    });
  }
}
