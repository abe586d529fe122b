/** Colors of signed numbers (ColorBrewer PuOr): purple below zero, the background color at zero, orange above. */
import { interpolatePuOr } from 'd3-scale-chromatic';
import { LEVELS, luminance, parseRgb } from './color.js';

/** @typedef {import('./color.js').Rgb} Rgb */

/** Distance of the end colors from the middle of PuOr, for a light and a dark background. */
const END = { light: 0.42, dark: 0.22 };

/**
 * A diverging color scale for a background.
 * @param {Rgb} paper background color
 * @returns {(share: number) => Rgb} the color of a number from -1 to 1; other numbers are clamped
 */
export function makeDiverging(paper) {
  const out = luminance(paper) < 0.18 ? END.dark : END.light;
  const [below, above] = [0.5 - out, 0.5 + out].map((at) => parseRgb(interpolatePuOr(at)));
  return (share) => {
    const end = share < 0 ? below : above;
    const far = Math.min(1, Math.abs(share));
    const [r, g, b] = paper.map((c, i) => Math.round(c + (end[i] - c) * far));
    return [r, g, b];
  };
}

/**
 * The palette of the scale ‘difference’: level 0 is −1, the middle level is 0 in the background color.
 * @param {Rgb} paper background color
 * @returns {import('./color.js').Palette}
 */
export function makeDivergingPalette(paper) {
  const color = makeDiverging(paper);
  const pixels = new Uint32Array(LEVELS);
  const bytes = new Uint8ClampedArray(pixels.buffer);
  const rgb = Array.from({ length: LEVELS }, (_, level) => {
    const one = color((level - LEVELS / 2) / (LEVELS / 2 - 1));
    bytes.set([...one, 255], 4 * level);
    return one;
  });
  return { paper, dark: luminance(paper) < 0.18, rgb, pixels };
}
