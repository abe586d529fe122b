/** A small raster of a whole map that grows row by row and keeps no weights. */
import { levelOf } from './scale.js';

/** Most pixels per side. When the raster is full, its resolution is halved, so memory stays constant. */
export const SIDE = 64;

export class Thumbnail {
  /** Tokens per pixel of the rows, a power of two. */
  stride = 1;
  /** Number of rows so far. */
  length = 0;
  /** Whether keys after the query are masked. */
  #causal;
  /** Keys of a row, if they are not masked. */
  #keys = 0;
  /** Keys per pixel, if they are not masked: a power of two. */
  #keyStride = 1;
  /** [query pixel][key pixel] the largest weight under a pixel, without the first token. */
  #raster = new Float32Array(SIDE * SIDE);
  /** [query pixel] the largest weight on the first token, which can be left out. */
  #first = new Float32Array(SIDE);

  /** @param {{ causal?: boolean }} [options] causal: keys after the query are masked, default true */
  constructor({ causal = true } = {}) {
    this.#causal = causal;
  }

  /**
   * Adds the next row. A pixel keeps its largest weight, not the mean, so that a diagonal stays visible at any length.
   * @param {Float32Array} row [keys] with at least length + 1 weights; without a mask, each row has the same keys
   */
  append(row) {
    if (this.length >= SIDE * this.stride) this.#halve();
    if (!this.#causal && this.length === 0) {
      this.#keys = row.length;
      this.#keyStride = 1;
      while (row.length > SIDE * this.#keyStride) this.#keyStride *= 2;
    }
    const y = Math.floor(this.length / this.stride);
    const keyStride = this.#causal ? this.stride : this.#keyStride;
    const end = this.#causal ? this.length + 1 : Math.min(this.#keys, row.length);
    this.#first[y] = Math.max(this.#first[y], row[0]);
    const shift = Math.log2(keyStride);
    for (let key = 1; key < end; key++) {
      const at = y * SIDE + (key >> shift);
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

  /** Number of rows of pixels in use; also of columns, if keys are masked. */
  get side() {
    return Math.ceil(this.length / this.stride);
  }

  /** Number of columns of pixels in use. */
  get width() {
    return this.#causal ? this.side : Math.ceil(this.#keys / this.#keyStride);
  }

  /** @param {number} y row of pixels @returns {number} its number of pixels that are not masked */
  #widthOf(y) {
    return this.#causal ? y + 1 : this.width;
  }

  /**
   * The palette levels of the raster, from zero to its largest weight. Masked pixels are left out.
   * @param {{ leaveFirstOut: boolean }} options
   * @returns {Int16Array[]} [side] rows; row y has y + 1 levels, or `width` without a mask
   */
  levels({ leaveFirstOut }) {
    let max = 0;
    for (let y = 0; y < this.side; y++) {
      for (let x = 0; x < this.#widthOf(y); x++) max = Math.max(max, this.#at(y, x, leaveFirstOut));
    }
    return Array.from({ length: this.side }, (_, y) => {
      const levels = new Int16Array(this.#widthOf(y));
      for (let x = 0; x < levels.length; x++) levels[x] = levelOf('linear', this.#at(y, x, leaveFirstOut), max);
      return levels;
    });
  }

  /**
   * The raster as pixels. Masked pixels are transparent.
   * @param {import('./color.js').Palette} palette
   * @param {{ leaveFirstOut: boolean }} options
   * @returns {Uint32Array} [side][width] RGBA pixels
   */
  paint(palette, options) {
    const { side, width } = this;
    const pixels = new Uint32Array(side * width);
    this.levels(options).forEach((levels, y) => levels.forEach((level, x) => {
      pixels[y * width + x] = palette.pixels[level];
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

  /** Two rows of pixels become one; so do columns, if keys are masked. */
  #halve() {
    const raster = new Float32Array(SIDE * SIDE);
    const first = new Float32Array(SIDE);
    const shift = this.#causal ? 1 : 0;
    for (let y = 0; y < SIDE; y++) {
      first[y >> 1] = Math.max(first[y >> 1], this.#first[y]);
      for (let x = 0; x < SIDE; x++) {
        const at = (y >> 1) * SIDE + (x >> shift);
        raster[at] = Math.max(raster[at], this.#raster[y * SIDE + x]);
      }
    }
    this.#raster = raster;
    this.#first = first;
    this.stride *= 2;
  }
}
