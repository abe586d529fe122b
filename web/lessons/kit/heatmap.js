/** A matrix with too many numbers for a table, as a picture. The reader points at a cell, or moves with the arrow keys,
 *  to read its number. A table lists the cells around it. */
import { h } from '../../elements/dom.js';
import { colorOf, onColorScheme } from './cell-colors.js';
import { DataTable } from './data-table.js';
import { fixed } from './format.js';
import { whenVisible } from './redraw.js';

/** Rows and columns of the table of numbers: more would be slow to lay out. */
const TABLE_SIZE = 24;

/** Rows and columns that each key moves by; the same keys as on an attention map.
 *  @type {Record<string, [number, number]>} */
const MOVES = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], PageUp: [-10, 0],
  PageDown: [10, 0], Home: [0, -Infinity], End: [0, Infinity] };

/**
 * @typedef {object} HeatmapOptions
 * @property {string} label  the name of the figure, for screen readers
 * @property {[rows: string, columns: string]} axes names of the axes: ['position', 'element']
 * @property {import('./cell-colors.js').Shade} shade
 * @property {number} max    the value of the last color
 * @property {number} scale  size of a cell in CSS pixels
 * @property {number} [digits] decimals; default 3
 */

export class Heatmap {
  #options;
  #canvas = h('canvas', { class: 'raster', role: 'application', 'aria-roledescription': 'picture of numbers',
    tabindex: '0' });
  #mark = h('div', { class: 'raster-mark', hidden: true });
  #readout;
  #table;
  #redraw;
  /** @type {ArrayLike<number>} */ #data = [];
  #columns = 0;
  #cell = { row: 0, column: 0 };
  /** Whether the reader has chosen a cell. */
  #used = false;

  /**
   * @param {HTMLElement} container the picture becomes its last child
   * @param {HTMLElement} readout an element whose text becomes the number of the chosen cell; give it `aria-live`
   * @param {HeatmapOptions} options
   */
  constructor(container, readout, options) {
    this.#options = options;
    this.#readout = readout;
    const [rows, columns] = options.axes;
    this.#canvas.setAttribute('aria-label', `${options.label}: a row for each ${rows}, a column for each ${columns}. ` +
      'Arrow keys move over its cells.');
    for (const type of /** @type {const} */ (['pointermove', 'pointerdown'])) {
      this.#canvas.addEventListener(type, ({ offsetX, offsetY }) => this.#select(
        Math.floor(offsetY / this.#canvas.clientHeight * this.#rows),
        Math.floor(offsetX / this.#canvas.clientWidth * this.#columns)));
    }
    this.#canvas.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') this.#mark.hidden = true;
      const move = MOVES[event.key];
      if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      this.#select(this.#cell.row + move[0], this.#cell.column + move[1]);
    });
    this.#canvas.addEventListener('focus', () => {
      if (this.#canvas.matches(':focus-visible')) this.#select(this.#cell.row, this.#cell.column);
    });
    this.#canvas.addEventListener('blur', () => { this.#mark.hidden = true; });
    container.append(h('div', { class: 'raster-box' }, this.#canvas, this.#mark));
    this.#table = new DataTable(container, options.label);
    this.#redraw = whenVisible(this.#canvas, () => this.#paint());
    onColorScheme(this.#redraw);
  }

  /**
   * @param {ArrayLike<number>} data row after row
   * @param {number} columns
   */
  update(data, columns) {
    this.#data = Float32Array.from(data);
    this.#columns = columns;
    this.#cell.row = Math.min(this.#cell.row, this.#rows - 1);
    this.#cell.column = Math.min(this.#cell.column, columns - 1);
    this.#mark.hidden = true;
    this.#size();
    this.#redraw();
    if (this.#used) this.#writeReadout();
    this.#table.update(() => this.#around());
  }

  /** The chosen cell and the cells around it. */
  #around() {
    const { axes, digits = 3 } = this.#options;
    const counts = [this.#rows, this.#columns];
    const [rows, columns] = [this.#cell.row, this.#cell.column].map((index, i) => {
      const from = Math.max(0, Math.min(counts[i] - TABLE_SIZE, index - TABLE_SIZE / 2));
      return Array.from({ length: Math.min(TABLE_SIZE, counts[i]) }, (_, j) => from + j);
    });
    const [down, across] = [rows, columns].map((list, i) => `${axes[i]}s ${list[0]}–${list[list.length - 1]}`);
    return {
      caption: `${down} down, ${across} across, of ${counts.join(' × ')}: the cells around the chosen cell.`,
      head: [axes.map((name, i) => `${name} ${'↓→'[i]}`).join(' '), ...columns.map(String)],
      rows: rows.map((row) => [String(row), ...columns.map((column) =>
        fixed(this.#data[row * this.#columns + column], digits))]),
    };
  }

  #writeReadout() {
    const { axes: [down, across], digits = 3 } = this.#options;
    const { row, column } = this.#cell;
    const value = this.#data[row * this.#columns + column];
    this.#used = true;
    this.#readout.textContent = `${down[0].toUpperCase()}${down.slice(1)} ${row}, ${across} ${column}: ` +
      `${fixed(value, digits)}.`;
  }

  get #rows() {
    return this.#data.length / this.#columns;
  }

  /** Chooses the nearest existing cell. @param {number} row @param {number} column */
  #select(row, column) {
    const within = (/** @type {number} */ index, /** @type {number} */ count) =>
      Math.max(0, Math.min(count - 1, index));
    this.#cell = { row: within(row, this.#rows), column: within(column, this.#columns) };
    this.#writeReadout();
    this.#mark.hidden = false;
    this.#table.update(() => this.#around());
    Object.assign(this.#mark.style, {
      left: `${100 * this.#cell.column / this.#columns}%`, width: `${100 / this.#columns}%`,
      top: `${100 * this.#cell.row / this.#rows}%`, height: `${100 / this.#rows}%`,
    });
  }

  #size() {
    this.#canvas.style.width = `${this.#columns * this.#options.scale}px`;
    this.#canvas.style.aspectRatio = `${this.#columns} / ${this.#rows}`;
  }

  #paint() {
    const { shade, max } = this.#options;
    const rows = this.#rows;
    Object.assign(this.#canvas, { width: this.#columns, height: rows });
    const context = this.#canvas.getContext('2d');
    if (!context) throw new Error('This browser provides no 2D canvas.');
    const image = context.createImageData(this.#columns, rows);
    const bytes = image.data;
    for (let i = 0; i < this.#data.length; i++) {
      const [red, green, blue] = colorOf(shade, this.#data[i], max);
      bytes[4 * i] = red;
      bytes[4 * i + 1] = green;
      bytes[4 * i + 2] = blue;
      bytes[4 * i + 3] = 255;
    }
    context.putImageData(image, 0, 0);
  }
}
