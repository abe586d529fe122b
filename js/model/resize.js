/** Resizing of pictures with the numbers of PIL (Pillow's Resample.c), which image processors of Python use. */

/** @typedef {import('./picture.js').Pixels} Pixels */
/** @typedef {{ reach: number, at: (x: number) => number }} Filter  reach: distance after which it is 0 */

/** Bytes of a pixel. @param {Pixels} pixels */
export const bytesOf = ({ data, width, height }) => data.length / (width * height);

/** Keys' cubic with a = −0.5. @param {number} x */
function cubic(x) {
  const a = -0.5;
  const d = Math.abs(x);
  if (d < 1) return ((a + 2) * d - (a + 3)) * d * d + 1;
  return d < 2 ? (((d - 5) * d + 8) * d - 4) * a : 0;
}

/** @type {Readonly<Record<'bilinear' | 'bicubic', Filter>>} */
const FILTERS = Object.freeze({
  bilinear: { reach: 1, at: (x) => Math.max(0, 1 - Math.abs(x)) },
  bicubic: { reach: 2, at: cubic },
});

/** Factor of the integer coefficients: 22 bits, so that sums of bytes fit into 32 bits. */
const ONE = 2 ** 22;

/**
 * For each new position, the first old position and the integer coefficients from there on.  A smaller picture averages
 * over the pixels that it replaces.
 * @param {number} from  old length
 * @param {number} to    new length
 * @param {Filter} filter
 * @returns {{ first: number, weights: number[] }[]}
 */
function coefficients(from, to, filter) {
  const scale = from / to;
  const wide = Math.max(scale, 1);
  const reach = filter.reach * wide;
  return Array.from({ length: to }, (_, i) => {
    const center = (i + 0.5) * scale;
    const first = Math.max(0, Math.trunc(center - reach + 0.5));
    const end = Math.min(from, Math.trunc(center + reach + 0.5));
    const raw = Array.from({ length: end - first }, (_, j) => filter.at((j + first - center + 0.5) / wide));
    const sum = raw.reduce((total, weight) => total + weight, 0);
    return { first, weights: raw.map((weight) => {
      const share = weight / sum * ONE;
      return Math.trunc(share < 0 ? share - 0.5 : share + 0.5);
    }) };
  });
}

/** @param {number} sum of bytes times coefficients @returns {number} a byte */
const byte = (sum) => Math.max(0, Math.min(255, Math.floor((sum + ONE / 2) / ONE)));

/**
 * @param {Pixels} pixels
 * @param {number} width
 * @param {number} height
 * @param {'nearest' | 'bilinear' | 'bicubic'} filter
 * @param {() => Promise<void>} pause  called after each row
 * @returns {Promise<Pixels>} of three bytes
 */
export async function resized(pixels, width, height, filter, pause) {
  if (filter === 'nearest') return nearest(pixels, width, height);
  const across = await passed(pixels, coefficients(pixels.width, width, FILTERS[filter]), pause);
  const down = await passed(turned(across), coefficients(pixels.height, height, FILTERS[filter]), pause);
  return turned(down);
}

/** Every row with new columns. @param {Pixels} pixels @param {{ first: number, weights: number[] }[]} columns
 *  @param {() => Promise<void>} pause @returns {Promise<Pixels>} */
async function passed(pixels, columns, pause) {
  const { data, width, height } = pixels;
  const bytes = bytesOf(pixels);
  const out = new Uint8Array(3 * columns.length * height);
  let at = 0;
  for (let y = 0; y < height; y++) {
    for (const { first, weights } of columns) {
      let red = 0;
      let green = 0;
      let blue = 0;
      let from = bytes * (y * width + first);
      for (const weight of weights) {
        red += weight * data[from];
        green += weight * data[from + 1];
        blue += weight * data[from + 2];
        from += bytes;
      }
      out[at++] = byte(red);
      out[at++] = byte(green);
      out[at++] = byte(blue);
    }
    await pause();
  }
  return { data: out, width: columns.length, height };
}

/** Rows become columns. @param {Pixels} pixels  of three bytes @returns {Pixels} */
function turned({ data, width, height }) {
  const out = new Uint8Array(data.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      for (let c = 0; c < 3; c++) out[3 * (x * height + y) + c] = data[3 * (y * width + x) + c];
    }
  }
  return { data: out, width: height, height: width };
}

/** The pixel under the middle of each new one. @param {Pixels} pixels @param {number} width @param {number} height */
function nearest(pixels, width, height) {
  const { data, width: oldWidth, height: oldHeight } = pixels;
  const bytes = bytesOf(pixels);
  const out = new Uint8Array(3 * width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const from = Math.floor((y + 0.5) * oldHeight / height) * oldWidth + Math.floor((x + 0.5) * oldWidth / width);
      for (let c = 0; c < 3; c++) out[3 * (y * width + x) + c] = data[bytes * from + c];
    }
  }
  return { data: out, width, height };
}
