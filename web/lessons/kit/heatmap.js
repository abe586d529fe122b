/** Many numbers as a picture, too many for cells that say theirs: each is said where one points or walks by the arrow
 *  keys, and stands with those around it in a table behind the picture. */
import { h } from '../../elements/dom.js';
import { Behind } from './data-table.js';
import { whenSeen } from './redraw.js';
import { fixed } from './format.js';
import { colourOf, onTheme } from './cell-colors.js';

/** Rows and columns of the table: what a reader can follow, and a page can lay out in a frame. */
const SIDE = 24;

/** What a key moves by: rows, columns, as on a map of attention. @type {Record<string, [number, number]>} */
const MOVES = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], PageUp: [-10, 0],
  PageDown: [10, 0], Home: [0, -Infinity], End: [0, Infinity] };

/**
 * @typedef {object} RasterOptions
 * @property {string} label  what is seen
 * @property {[rows: string, columns: string]} axes their names: ['position', 'element']
 * @property {import('./cell-colors.js').Shade} shade
 * @property {number} max    the value of the last colour
 * @property {number} scale  pixels of a cell
 * @property {number} [digits] after the point
 */

export class Raster {
  #options;
  #canvas = h('canvas', { class: 'raster', role: 'application', 'aria-roledescription': 'picture of numbers',
    tabindex: '0' });
  #mark = h('div', { class: 'raster-mark', hidden: true });
  #said;
  #behind;
  #changed;
  /** @type {ArrayLike<number>} */ #data = [];
  #columns = 0;
  #at = { row: 0, column: 0 };
  /** Whether a cell has been said. */
  #looked = false;

  /** @param {HTMLElement} place it is put at the end of @param {HTMLElement} said where a cell is said
   *  @param {RasterOptions} options */
  constructor(place, said, options) {
    this.#options = options;
    this.#said = said;
    const [rows, columns] = options.axes;
    this.#canvas.setAttribute('aria-label', `${options.label}: a row for each ${rows}, a column for each ${columns}. ` +
      'Arrow keys walk over its cells.');
    for (const type of /** @type {const} */ (['pointermove', 'pointerdown'])) {
      this.#canvas.addEventListener(type, ({ offsetX, offsetY }) => this.#look(
        Math.floor(offsetY / this.#canvas.clientHeight * this.#rows),
        Math.floor(offsetX / this.#canvas.clientWidth * this.#columns)));
    }
    this.#canvas.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') this.#mark.hidden = true;
      const move = MOVES[event.key];
      if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      this.#look(this.#at.row + move[0], this.#at.column + move[1]);
    });
    this.#canvas.addEventListener('focus', () => {
      if (this.#canvas.matches(':focus-visible')) this.#look(this.#at.row, this.#at.column);
    });
    this.#canvas.addEventListener('blur', () => { this.#mark.hidden = true; });
    place.append(h('div', { class: 'raster-box' }, this.#canvas, this.#mark));
    this.#behind = new Behind(place, options.label);
    this.#changed = whenSeen(this.#canvas, () => this.#paint());
    onTheme(this.#changed);
  }

  /** @param {ArrayLike<number>} data row after row @param {number} columns */
  show(data, columns) {
    this.#data = data;
    this.#columns = columns;
    this.#at.row = Math.min(this.#at.row, this.#rows - 1);
    this.#at.column = Math.min(this.#at.column, columns - 1);
    this.#mark.hidden = true;
    this.#size();
    this.#changed();
    if (this.#looked) this.#say();
    this.#behind.show(() => this.#around());
  }

  /** The cell that was looked at last, and those around it. */
  #around() {
    const { axes, digits = 3 } = this.#options;
    const counts = [this.#rows, this.#columns];
    const [rows, columns] = [this.#at.row, this.#at.column].map((at, i) => {
      const from = Math.max(0, Math.min(counts[i] - SIDE, at - SIDE / 2));
      return Array.from({ length: Math.min(SIDE, counts[i]) }, (_, j) => from + j);
    });
    const [down, across] = [rows, columns].map((list, i) => `${axes[i]}s ${list[0]}–${list[list.length - 1]}`);
    return {
      caption: `${down} down, ${across} across, of ${counts.join(' × ')}: what is around the cell that is looked at.`,
      head: [axes.map((name, i) => `${name} ${'↓→'[i]}`).join(' '), ...columns.map(String)],
      rows: rows.map((row) => [String(row), ...columns.map((column) =>
        fixed(this.#data[row * this.#columns + column], digits))]),
    };
  }

  #say() {
    const { axes: [down, across], digits = 3 } = this.#options;
    const { row, column } = this.#at;
    const value = this.#data[row * this.#columns + column];
    this.#looked = true;
    this.#said.textContent = `${down[0].toUpperCase()}${down.slice(1)} ${row}, ${across} ${column}: ` +
      `${fixed(value, digits)}.`;
  }

  get #rows() {
    return this.#data.length / this.#columns;
  }

  /** @param {number} row @param {number} column to be said; the nearest there is */
  #look(row, column) {
    const within = (/** @type {number} */ at, /** @type {number} */ count) => Math.max(0, Math.min(count - 1, at));
    this.#at = { row: within(row, this.#rows), column: within(column, this.#columns) };
    this.#say();
    this.#mark.hidden = false;
    this.#behind.show(() => this.#around());
    Object.assign(this.#mark.style, {
      left: `${100 * this.#at.column / this.#columns}%`, width: `${100 / this.#columns}%`,
      top: `${100 * this.#at.row / this.#rows}%`, height: `${100 / this.#rows}%`,
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
    if (!context) throw new Error('This browser gives no 2D canvas.');
    const image = context.createImageData(this.#columns, rows);
    const bytes = image.data;
    for (let at = 0; at < this.#data.length; at++) {
      const [red, green, blue] = colourOf(shade, this.#data[at], max);
      bytes[4 * at] = red;
      bytes[4 * at + 1] = green;
      bytes[4 * at + 2] = blue;
      bytes[4 * at + 3] = 255;
    }
    context.putImageData(image, 0, 0);
  }
}
