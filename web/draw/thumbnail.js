/** A small raster of a whole map that grows row by row and keeps no weights. */
import { levelOf } from './scale.js';

/** Most pixels per side. When the raster is full, its resolution is halved, so memory stays constant. */
export const SIDE = 64;

export class Thumbnail {
  /** Tokens per pixel, a power of two. */
  stride = 1;
  /** Number of rows so far. */
  length = 0;
  /** [query pixel][key pixel] the largest weight under a pixel, without the first token. */
  #raster = new Float32Array(SIDE * SIDE);
  /** [query pixel] the largest weight on the first token, which can be left out. */
  #first = new Float32Array(SIDE);

  /**
   * Adds the next row. A pixel keeps its largest weight, not the mean, so that a diagonal stays visible at any length.
   * @param {Float32Array} row [keys] with at least length + 1 weights
   */
  append(row) {
    if (this.length >= SIDE * this.stride) this.#halve();
    const y = Math.floor(this.length / this.stride);
    this.#first[y] = Math.max(this.#first[y], row[0]);
    for (let key = 1; key <= this.length; key++) {
      const at = y * SIDE + Math.floor(key / this.stride);
      if (row[key] > this.#raster[at]) this.#raster[at] = row[key];
    }
    this.length++;
  }

  /**
   * Drops the rows from position `length` on.
   * @param {number} length
   * @returns {number} the row to append next: at most `length`. It is less if a pixel covers rows on both sides, and 0
   *   if the remaining text needs a finer raster
   */
  truncate(length) {
    if (length >= this.length) return this.length;
    if (this.stride > 1 && length <= SIDE * this.stride / 2) this.#refine();
    const y = Math.floor(Math.min(length, this.length) / this.stride);
    this.#raster.fill(0, y * SIDE);
    this.#first.fill(0, y);
    this.length = y * this.stride;
    return this.length;
  }

  /** Number of pixels per side in use. */
  get side() {
    return Math.ceil(this.length / this.stride);
  }

  /**
   * The palette levels of the raster, from zero to its largest weight. Masked pixels are left out.
   * @param {{ leaveFirstOut: boolean }} options
   * @returns {Int16Array[]} [side] rows; row y has y + 1 levels
   */
  levels({ leaveFirstOut }) {
    let max = 0;
    for (let y = 0; y < this.side; y++) {
      for (let x = 0; x <= y; x++) max = Math.max(max, this.#at(y, x, leaveFirstOut));
    }
    return Array.from({ length: this.side }, (_, y) => {
      const levels = new Int16Array(y + 1);
      for (let x = 0; x <= y; x++) levels[x] = levelOf('linear', this.#at(y, x, leaveFirstOut), max);
      return levels;
    });
  }

  /**
   * The raster as pixels. Masked pixels are transparent.
   * @param {import('./color.js').Palette} palette
   * @param {{ leaveFirstOut: boolean }} options
   * @returns {Uint32Array} [side][side] RGBA pixels
   */
  paint(palette, options) {
    const { side } = this;
    const pixels = new Uint32Array(side * side);
    this.levels(options).forEach((levels, y) => levels.forEach((level, x) => {
      pixels[y * side + x] = palette.pixels[level];
    }));
    return pixels;
  }

  /**
   * @param {number} y
   * @param {number} x
   * @param {boolean} leaveFirstOut
   */
  #at(y, x, leaveFirstOut) {
    const weight = this.#raster[y * SIDE + x];
    return x === 0 && !leaveFirstOut ? Math.max(weight, this.#first[y]) : weight;
  }

  #refine() {
    this.stride = 1;
    this.length = 0;
    this.#raster.fill(0);
    this.#first.fill(0);
  }

  #halve() {
    const raster = new Float32Array(SIDE * SIDE);
    const first = new Float32Array(SIDE);
    for (let y = 0; y < SIDE; y++) {
      first[y >> 1] = Math.max(first[y >> 1], this.#first[y]);
      for (let x = 0; x < SIDE; x++) {
        const at = (y >> 1) * SIDE + (x >> 1);
        raster[at] = Math.max(raster[at], this.#raster[y * SIDE + x]);
      }
    }
    this.#raster = raster;
    this.#first = first;
    this.stride *= 2;
  }
}
