/** Colours of cells on this page's paper, renewed when the reader changes the colour scheme. */
import { cssOf, inkOn, makePalette, parseRgb } from '../../draw/color.js';
import { makeDiverging } from '../../draw/diverging.js';
import { levelOf } from '../../draw/scale.js';

/** @typedef {'weight' | 'signed' | 'none'} Shade  of weights from zero up, of numbers of both signs, none */
/** @typedef {import('../../draw/color.js').Rgb} Rgb */

/** Colours on either side of zero: more than the eye separates. */
const SIDE = 128;

const read = () => {
  const paper = parseRgb(getComputedStyle(document.body).backgroundColor);
  const diverging = makeDiverging(paper);
  return { weight: makePalette(paper).rgb,
    signed: Array.from({ length: 2 * SIDE + 1 }, (_, i) => diverging(i / SIDE - 1)) };
};
let colours = read();
/** @type {Set<() => void>} */
const painters = new Set();

matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
  colours = read();
  for (const paint of painters) paint();
});

/** Calls back when colours are others. @param {() => void} paint */
export function onTheme(paint) {
  painters.add(paint);
}

/**
 * @param {Shade} shade @param {number} value @param {number} max the value of the last colour
 * @returns {Rgb}
 */
export function colourOf(shade, value, max) {
  if (shade !== 'signed') return colours.weight[levelOf('linear', value, max)];
  const share = max > 0 ? Math.max(-1, Math.min(1, value / max)) : 0;
  return colours.signed[Math.round((1 + share) * SIDE)];
}

/** @param {HTMLElement} cell @param {Shade} shade @param {number} value @param {number} max */
export function shadeCell(cell, shade, value, max) {
  const plain = shade === 'none' || !Number.isFinite(value);
  const colour = colourOf(shade, plain ? 0 : value, max);
  cell.style.backgroundColor = plain ? '' : cssOf(colour);
  cell.style.color = plain ? '' : inkOn(colour);
}
