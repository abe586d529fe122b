/** Pixels of a box: signed numbers in two colors, weights and scores of a map in one, masked cells transparent. */
import { LEVELS } from './color.js';
import { makeDiverging } from './diverging.js';
import { levelOf, niceMax } from './scale.js';

/** @typedef {import('./anatomy-boxes.js').Plane} Plane */
/** @typedef {import('./color.js').Palette} Palette */

/**
 * Colors of a theme.
 * @typedef {object} Inks
 * @property {Palette} palette of weights
 * @property {Uint32Array} signed [2 × LEVELS + 1] RGBA pixels from the largest negative number to the largest positive
 */

/** @param {Palette} palette @returns {Inks} */
export function makeInks(palette) {
  const color = makeDiverging(palette.paper);
  const signed = new Uint32Array(2 * LEVELS + 1);
  const bytes = new Uint8ClampedArray(signed.buffer);
  for (let at = 0; at < signed.length; at++) bytes.set([...color(at / LEVELS - 1), 255], 4 * at);
  return { palette, signed };
}

/** Largest number of values that determine the scale of a plane. */
const SAMPLES = 4096;
/** Share of numbers that the scale covers. A few features of a residual are many times larger than the others. */
const COVERED = 0.98;

/**
 * The number at the end of the color scale of a plane.
 * @param {Plane} plane
 * @param {boolean} weights true for softmax weights, whose scale ends at a round number
 */
export function endOf({ data, offset, stride, rows, columns }, weights) {
  const sizes = [];
  const step = Math.max(1, Math.floor(rows * columns / SAMPLES));
  for (let at = 0; at < rows * columns; at += step) {
    const value = data[offset + Math.floor(at / columns) * stride + at % columns];
    if (Number.isFinite(value)) sizes.push(Math.abs(value));
  }
  sizes.sort((a, b) => a - b);
  const most = sizes.at(-1) ?? 0;
  if (weights) return niceMax(most);
  return sizes[Math.floor(COVERED * (sizes.length - 1))] || most || 1;
}

/**
 * The pixels of a part of a plane. A pixel is the mean of the numbers under it.
 * @param {Plane} plane
 * @param {{ rows: [from: number, to: number], columns: [from: number, to: number] }} part
 * @param {{ width: number, height: number }} size of the picture in pixels, at most the number of columns and rows
 * @param {{ end: number, weights: boolean, causal: boolean }} scale causal: columns after the row are masked
 * @param {Inks} inks
 * @returns {Uint32Array} [height][width] RGBA pixels; masked cells are transparent
 */
export function pixelsOf({ data, offset, stride }, { rows, columns }, { width, height }, { end, weights, causal },
  { palette, signed }) {
  const pixels = new Uint32Array(width * height);
  const edge = (/** @type {[number, number]} */ [from, to], /** @type {number} */ at, /** @type {number} */ count) =>
    from + Math.floor(at * (to - from) / count);
  for (let y = 0; y < height; y++) {
    const top = edge(rows, y, height);
    const bottom = edge(rows, y + 1, height);
    for (let x = 0; x < width; x++) {
      const left = edge(columns, x, width);
      const right = edge(columns, x + 1, width);
      let sum = 0;
      let count = 0;
      for (let row = top; row < bottom; row++) {
        const stop = causal ? Math.min(right, row + 1) : right;
        for (let column = left; column < stop; column++) {
          const value = data[offset + row * stride + column];
          if (!Number.isFinite(value)) continue;
          sum += value;
          count++;
        }
      }
      if (!count) continue;
      const mean = sum / count;
      pixels[y * width + x] = weights ? palette.pixels[levelOf('linear', mean, end)]
        : signed[LEVELS + Math.round(LEVELS * Math.max(-1, Math.min(1, mean / end)))];
    }
  }
  return pixels;
}

/**
 * Paints pixels into a rectangle, without smoothing.
 * @param {CanvasRenderingContext2D} context
 * @param {Uint32Array} pixels
 * @param {{ width: number, height: number }} size of the picture in pixels
 * @param {{ x: number, y: number, width: number, height: number }} box in the units of the context
 */
export function paintPixels(context, pixels, { width, height }, box) {
  if (!width || !height) return;
  const canvas = new OffscreenCanvas(width, height);
  const image = new ImageData(new Uint8ClampedArray(/** @type {ArrayBuffer} */ (pixels.buffer)), width, height);
  /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext('2d')).putImageData(image, 0, 0);
  context.imageSmoothingEnabled = false;
  context.drawImage(canvas, box.x, box.y, box.width, box.height);
}
