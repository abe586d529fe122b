/** Colors of weights: a perceptually uniform sequential scale whose zero is the background color. */
import { interpolateMagma } from 'd3-scale-chromatic';

/** @typedef {readonly [red: number, green: number, blue: number]} Rgb each 0 to 255 */

/**
 * @typedef {object} Palette
 * @property {Rgb} paper background color, the color of zero
 * @property {boolean} dark true if the background is dark
 * @property {Rgb[]} rgb [LEVELS] the color of each level
 * @property {Uint32Array} pixels [LEVELS] the same colors as opaque RGBA pixels in the byte order of ImageData
 */

/** Number of colors in a palette: more than the eye can tell apart, and a level fits in a byte. */
export const LEVELS = 256;

// Fraction of the scale that blends linearly from the background to magma.
const BLEND = 0.125;
// The used part of magma: it starts at the lightness of a dark background, and stops before black on light paper.
const DARK_FROM = 0.09;
const LIGHT_TO = 0.08;

/**
 * Parses a color as getComputedStyle and d3 write it.
 * @param {string} css `rgb(r, g, b)`, `rgb(r g b)` or `#rrggbb`
 * @returns {Rgb}
 * @throws {TypeError} for other notations
 */
export function parseRgb(css) {
  const hex = /^#([0-9a-f]{6})$/i.exec(css);
  if (hex) {
    const n = parseInt(hex[1], 16);
    return [n >> 16, (n >> 8) & 255, n & 255];
  }
  const numbers = css.match(/[\d.]+/g);
  if (!css.startsWith('rgb') || !numbers || numbers.length < 3) {
    throw new TypeError(`Expected an RGB color, got ${css}.`);
  }
  return [Number(numbers[0]), Number(numbers[1]), Number(numbers[2])];
}

/** A color as CSS. @param {Rgb} rgb */
export const cssOf = ([r, g, b]) => `rgb(${r}, ${g}, ${b})`;

/**
 * Relative luminance, 0 to 1 (WCAG 2.2).
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
 * Perceived lightness, CIE L*, 0 to 100.
 * @param {Rgb} rgb
 */
export function lightness(rgb) {
  const y = luminance(rgb);
  return y > 216 / 24389 ? 116 * Math.cbrt(y) - 16 : y * 24389 / 27;
}

/**
 * Contrast ratio of two colors, 1 to 21 (WCAG 2.2).
 * @param {Rgb} a
 * @param {Rgb} b
 */
export function contrast(a, b) {
  const x = luminance(a);
  const y = luminance(b);
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

/**
 * Black or white, whichever has the higher contrast; it always reaches 4.5:1.
 * @param {Rgb} rgb
 */
export const inkOn = (rgb) => (contrast(rgb, [0, 0, 0]) > contrast(rgb, [255, 255, 255]) ? '#000' : '#fff');

/** Palettes by background: a page has few backgrounds and many figures. @type {Map<string, Palette>} */
const palettes = new Map();
const MOST_PALETTES = 16;

/**
 * The palette for a background: magma (Smith and van der Walt, 2015), running from the background to its opposite.
 * @param {Rgb} paper background color
 * @returns {Palette} shared with other callers: read only
 */
export function paletteFor(paper) {
  const name = cssOf(paper);
  let palette = palettes.get(name);
  if (!palette) {
    if (palettes.size >= MOST_PALETTES) palettes.clear();
    palettes.set(name, palette = makePalette(paper));
  }
  return palette;
}

/** @param {Rgb} paper @returns {Palette} */
function makePalette(paper) {
  const dark = luminance(paper) < 0.18;
  /** @type {Rgb[]} */
  const rgb = [];
  const pixels = new Uint32Array(LEVELS);
  const bytes = new Uint8ClampedArray(pixels.buffer);
  /** @param {number} share 0 to 1 @returns {Rgb} */
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
