/** Colors of weights: one perceptually uniform sequential scale, with zero as the paper the map is printed on. */
import { interpolateMagma } from 'd3-scale-chromatic';

/** @typedef {readonly [red: number, green: number, blue: number]} Rgb  each 0..255 */

/**
 * @typedef {object} Palette
 * @property {Rgb} paper the color of zero
 * @property {boolean} dark whether the paper is dark
 * @property {Rgb[]} rgb [LEVELS] color of each level
 * @property {Uint32Array} pixels [LEVELS] the same as opaque RGBA pixels in the byte order of ImageData
 */

/** Steps of a palette. More than the eye separates, and a level fits a byte. */
export const LEVELS = 256;

// The share of the scale that leads in a straight line from the paper to magma.
const BLEND = 0.125;
// The stretch of magma used: on dark paper it starts at the paper's lightness, on light paper it stops short of black.
const DARK_FROM = 0.09;
const LIGHT_TO = 0.08;

/**
 * @param {string} css `rgb(r, g, b)`, `rgb(r g b)` or `#rrggbb`, as getComputedStyle and d3 write colors
 * @returns {Rgb}
 */
export function parseRgb(css) {
  const hex = /^#([0-9a-f]{6})$/i.exec(css);
  if (hex) {
    const n = parseInt(hex[1], 16);
    return [n >> 16, (n >> 8) & 255, n & 255];
  }
  const numbers = css.match(/[\d.]+/g);
  if (!css.startsWith('rgb') || !numbers || numbers.length < 3) throw new TypeError(`not an RGB color: ${css}`);
  return [Number(numbers[0]), Number(numbers[1]), Number(numbers[2])];
}

/** @param {Rgb} rgb */
export const cssOf = ([r, g, b]) => `rgb(${r}, ${g}, ${b})`;

/**
 * Relative luminance, 0..1 (WCAG 2.2).
 * @param {Rgb} rgb
 */
export function luminance(rgb) {
  const [r, g, b] = rgb.map((value) => {
    const c = value / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/**
 * CIE L*, 0..100: the lightness the eye sees.
 * @param {Rgb} rgb
 */
export function lightness(rgb) {
  const y = luminance(rgb);
  return y > 216 / 24389 ? 116 * Math.cbrt(y) - 16 : y * 24389 / 27;
}

/**
 * Contrast ratio of two colors, 1..21 (WCAG 2.2).
 * @param {Rgb} a
 * @param {Rgb} b
 */
export function contrast(a, b) {
  const [x, y] = [luminance(a), luminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

/**
 * Black or white, whichever reads better on a color; one of the two always reaches 4.5:1.
 * @param {Rgb} rgb
 */
export const inkOn = (rgb) => (contrast(rgb, [0, 0, 0]) > contrast(rgb, [255, 255, 255]) ? '#000' : '#fff');

/**
 * Magma (Smith and van der Walt, 2015) from the paper's lightness away from it.
 * @param {Rgb} paper
 * @returns {Palette}
 */
export function makePalette(paper) {
  const dark = luminance(paper) < 0.18;
  /** @type {Rgb[]} */
  const rgb = [];
  const pixels = new Uint32Array(LEVELS);
  const bytes = new Uint8ClampedArray(pixels.buffer);
  /** @param {number} share 0..1 @returns {Rgb} */
  const magma = (share) =>
    parseRgb(interpolateMagma(dark ? DARK_FROM + (1 - DARK_FROM) * share : 1 - (1 - LIGHT_TO) * share));
  const joint = magma(BLEND);
  for (let level = 0; level < LEVELS; level++) {
    const share = level / (LEVELS - 1);
    const color = share < BLEND ? paper.map((c, i) => c + (joint[i] - c) * (share / BLEND)) : magma(share);
    bytes.set([...color, 255], 4 * level);
    rgb.push([bytes[4 * level], bytes[4 * level + 1], bytes[4 * level + 2]]);
  }
  return { paper, dark, rgb, pixels };
}
