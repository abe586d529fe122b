/** Many numbers as a picture: one cell a number, too many for a table, each said where one points. */
import { h } from '../../elements/base.js';
import { colourOf, onTheme } from './shade.js';

export class Raster {
  #canvas = h('canvas', { class: 'raster', role: 'img' });
  /** @type {ArrayLike<number>} */ #data = [];
  #columns = 0;
  #shade;

  /**
   * @param {HTMLElement} place
   * @param {{ label: string, shade: import('./shade.js').Shade, max: number, scale: number,
   *   point: (row: number, column: number, value: number) => void }} options scale: pixels of a cell
   */
  constructor(place, { label, shade, max, scale, point }) {
    this.#shade = { shade, max, scale };
    this.#canvas.setAttribute('aria-label', label);
    this.#canvas.addEventListener('pointermove', ({ offsetX, offsetY }) => {
      const cell = (/** @type {number} */ at, /** @type {number} */ size, /** @type {number} */ count) =>
        Math.max(0, Math.min(count - 1, Math.floor(at / size * count)));
      const row = cell(offsetY, this.#canvas.clientHeight, this.#data.length / this.#columns);
      const column = cell(offsetX, this.#canvas.clientWidth, this.#columns);
      point(row, column, this.#data[row * this.#columns + column]);
    });
    place.append(this.#canvas);
    onTheme(() => this.#paint());
  }

  /** @param {ArrayLike<number>} data row after row @param {number} columns */
  show(data, columns) {
    this.#data = data;
    this.#columns = columns;
    this.#paint();
  }

  #paint() {
    const { shade, max, scale } = this.#shade;
    const rows = this.#data.length / this.#columns;
    Object.assign(this.#canvas, { width: this.#columns, height: rows });
    this.#canvas.style.width = `${this.#columns * scale}px`;
    this.#canvas.style.aspectRatio = `${this.#columns} / ${rows}`;
    const context = this.#canvas.getContext('2d');
    if (!context) throw new Error('This browser gives no 2D canvas.');
    const image = context.createImageData(this.#columns, rows);
    for (let at = 0; at < this.#data.length; at++) {
      image.data.set([...colourOf(shade, this.#data[at], max), 255], 4 * at);
    }
    context.putImageData(image, 0, 0);
  }
}
