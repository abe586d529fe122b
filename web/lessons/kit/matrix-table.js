/** A small matrix as a table: colored cells, named axes, hatched cells where masked, editable if wanted. */
import { h } from '../../elements/dom.js';
import { colorCell, onColorScheme } from './cell-colors.js';
import { makeScrollFocusable } from './focusable-scroll.js';
import { fixed, trimmed } from './format.js';
import { oncePerFrame, track } from './redraw.js';
import { addState, nameOf } from './state.js';

/**
 * @typedef {object} MatrixTableOptions
 * @property {string} caption
 * @property {string} [name] of editable cells in the address of the lesson; default: from the caption
 * @property {[rows: string, columns: string]} axes names of the axes: ['query', 'key']
 * @property {string[]} [rows]     labels; default 1, 2, 3 …
 * @property {string[]} [columns]  labels; default 1, 2, 3 …
 * @property {number} [digits]     decimals; default 3
 * @property {import('./cell-colors.js').Shade} [shade] default 'none'
 * @property {number} [max]        the value of the last color; default: the largest absolute value
 * @property {boolean} [compact]   narrow cells, for rows with many columns
 * @property {(data: Float32Array) => unknown} [onEdit] makes the cells editable; called with all numbers after a change
 * @property {(row: number, column: number) => string} [cellTitle] the text of a cell on hover
 */

/** Larger input is ignored, because products and exponentials of it would overflow. */
const LARGEST = 1e6;

/** The shortest text of a 32-bit number. @param {number} value */
const shortest = (value) => [1, 2, 3, 4, 5, 6, 7, 8, 9].map((digits) => String(Number(value.toPrecision(digits))))
  .find((text) => Math.fround(Number(text)) === value) ?? String(value);

export class MatrixTable {
  #options;
  #body = h('tbody');
  #head = h('thead');
  #window;
  #data = new Float32Array(0);
  /** The numbers that the table showed first. */
  #first = new Float32Array(0);
  /** @type {HTMLElement[]} */ #cells = [];
  /** The state that each cell shows: only cells whose state changed are written. @type {string[]} */ #shown = [];
  /** @type {ArrayLike<number>} */ #masked = [];
  #shape = '';

  /**
   * @param {HTMLElement} container the table becomes its last child
   * @param {MatrixTableOptions} options
   */
  constructor(container, options) {
    this.#options = options;
    const caption = h('caption', {}, h('span', {}, options.caption));
    const table = h('table', { class: options.compact ? 'matrix compact' : 'matrix' }, caption, this.#head, this.#body);
    this.#window = h('div', { class: 'scrolls', role: 'group', 'aria-label': options.caption }, table);
    makeScrollFocusable(this.#window);
    container.append(this.#window);
    if (options.onEdit) {
      addState(this.#window, { name: options.name ?? nameOf(options.caption), read: () => this.#changes(),
        write: (text) => this.#change(text) });
    }
    onColorScheme(() => {
      this.#shown = [];
      this.#paint();
    });
  }

  /**
   * @param {ArrayLike<number>} data row after row
   * @param {{ rows?: string[], columns?: string[], masked?: ArrayLike<number> }} [more] new labels; masked: 1 for each
   *   masked cell. Cells of −∞ are masked too.
   */
  update(data, { masked, ...labels } = {}) {
    Object.assign(this.#options, labels);
    this.#masked = masked ?? [];
    const { rows, columns } = this.#labels(data.length);
    const shape = JSON.stringify([rows, columns]);
    if (shape !== this.#shape) this.#build(rows, columns);
    this.#shape = shape;
    this.#data = Float32Array.from(data);
    if (this.#first.length !== data.length) this.#first = this.#data.slice();
    this.#paint();
  }

  /** Scrolls a wide table to a column. @param {number} column */
  scrollToColumn(column) {
    const cell = /** @type {HTMLElement} */ (this.#cells[column].parentElement);
    this.#window.scrollLeft = cell.offsetLeft + cell.offsetWidth / 2 - this.#window.clientWidth / 2;
  }

  /** The cells that differ from the first numbers: `1.2:0.5` is 0.5 in row 1, column 2. */
  #changes() {
    const columns = this.#cells.length / Math.max(1, this.#body.rows.length);
    const changes = Array.from(this.#data, (value, i) => (value === this.#first[i] ? ''
      : `${Math.floor(i / columns) + 1}.${i % columns + 1}:${shortest(value)}`));
    return changes.filter(Boolean).join();
  }

  /** Changes cells of the first numbers. @param {string} text from #changes() @returns {boolean} false: refused */
  #change(text) {
    const { onEdit = () => {} } = this.#options;
    const columns = this.#cells.length / Math.max(1, this.#body.rows.length);
    const data = this.#first.slice();
    for (const change of text ? text.split(',') : []) {
      const [, row, column, value] = /^(\d{1,3})\.(\d{1,3}):(-?[\d.]{1,16}(?:e[+-]?\d\d?)?)$/.exec(change) ?? [];
      const index = (Number(row) - 1) * columns + Number(column) - 1;
      const within = Number(column) >= 1 && Number(column) <= columns && index >= 0 && index < data.length;
      if (!within || !(Math.abs(Number(value)) <= LARGEST)) return false;
      data[index] = Number(value);
    }
    this.update(data);
    track(onEdit(data.slice()));
    return true;
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
    const onEdit = this.#options.onEdit && oncePerFrame(this.#options.onEdit);
    this.#head.replaceChildren(h('tr', {},
      h('td', { class: 'axes' }, axes.map((name, i) =>
        name && `${name} ${'↓→'[i]}`.replaceAll(' ', '\u00a0')).join(' ')),
      ...columns.map((name) => h('th', { scope: 'col' }, name))));
    this.#cells = [];
    this.#shown = [];
    this.#body.replaceChildren(...rows.map((row, i) => h('tr', {}, h('th', { scope: 'row' }, row),
      ...columns.map((column, j) => {
        const name = `${caption}: ${axes[0]} ${row}, ${axes[1]} ${column}`;
        const cell = onEdit
          ? h('input', { type: 'number', step: 'any', min: -LARGEST, max: LARGEST, autocomplete: 'off',
            'aria-label': name })
          : h('span');
        if (onEdit) {
          cell.addEventListener('input', () => this.#edited(i * columns.length + j, onEdit));
          cell.addEventListener('blur', () => this.#paint()); // a refused text gives way to the number in use
        }
        this.#cells.push(cell);
        return h('td', {}, cell);
      }))));
  }

  /** @param {number} index of the cell @param {(data: Float32Array) => void} onEdit */
  #edited(index, onEdit) {
    const { valueAsNumber: value, validity } = /** @type {HTMLInputElement} */ (this.#cells[index]);
    if (!Number.isFinite(value) || !validity.valid) return; // incomplete ('-' or nothing), or too large
    this.#data[index] = value;
    onEdit(this.#data.slice());
  }

  #paint() {
    const { shade = 'none', digits = 3, cellTitle } = this.#options;
    const finite = this.#data.filter(Number.isFinite);
    const max = this.#options.max ?? finite.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    const columns = this.#cells.length / Math.max(1, this.#body.rows.length);
    this.#data.forEach((value, index) => {
      const cell = this.#cells[index];
      const td = /** @type {HTMLElement} */ (cell.parentElement);
      const hidden = value === -Infinity || this.#masked[index] === 1;
      const input = cell instanceof HTMLInputElement ? cell : null;
      if (input && input.valueAsNumber !== value) input.value = trimmed(value, 6).replace('−', '-');
      if (cellTitle) td.title = cellTitle(Math.floor(index / columns), index % columns);
      const state = `${hidden} ${value} ${max}`;
      if (this.#shown[index] === state) return;
      this.#shown[index] = state;
      if (!input) cell.textContent = hidden && value === 0 ? '' : fixed(value, digits);
      td.classList.toggle('masked', hidden);
      if (hidden && value === 0) td.setAttribute('aria-label', 'masked');
      else td.removeAttribute('aria-label');
      colorCell(td, hidden ? 'none' : shade, value, max);
    });
  }
}
