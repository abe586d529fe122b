/** Colors of numbers of both signs: zero is the paper, purple below, orange above (PuOr of ColorBrewer). */
import { interpolatePuOr } from 'd3-scale-chromatic';
import { luminance, parseRgb } from './color.js';

/** @typedef {import('./color.js').Rgb} Rgb */

/** How far out on PuOr the ends lie: away from the paper's lightness. */
const END = { light: 0.42, dark: 0.22 };

/**
 * @param {Rgb} paper
 * @returns {(share: number) => Rgb} of a number between -1 and 1; what lies outside gets the color of the end
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
