/** Colors of cells on the background of the page; they follow the color scheme. */
import { cssOf, inkOn, paletteFor, parseRgb } from '../../draw/color.js';
import { makeDiverging } from '../../draw/diverging.js';
import { levelOf } from '../../draw/scale.js';

/**
 * A color scale: 'weight' from 0 to a maximum, 'signed' with zero in the middle, 'none' without colors.
 * @typedef {'weight' | 'signed' | 'none'} Shade
 */
/** @typedef {import('../../draw/color.js').Rgb} Rgb */

/** Colors on each side of zero; the eye distinguishes fewer. */
const LEVELS = 128;

const readColors = () => {
  const paper = parseRgb(getComputedStyle(document.body).backgroundColor);
  const diverging = makeDiverging(paper);
  return { weight: paletteFor(paper).rgb,
    signed: Array.from({ length: 2 * LEVELS + 1 }, (_, i) => diverging(i / LEVELS - 1)) };
};
/** @type {ReturnType<typeof readColors> | null} */
let colors = null;
/** @type {Set<() => void>} */
const painters = new Set();

function paintAgain() {
  colors = null;
  for (const each of painters) each();
}

/** Calls back when the reader switches between light and dark, and for paper. @param {() => void} paint */
export function onColorScheme(paint) {
  if (painters.size === 0) {
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', paintAgain);
    for (const type of ['beforeprint', 'afterprint']) addEventListener(type, paintAgain);
  }
  painters.add(paint);
}

/**
 * @param {Shade} shade
 * @param {number} value
 * @param {number} max the value of the last color
 * @returns {Rgb}
 */
export function colorOf(shade, value, max) {
  colors ??= readColors();
  if (shade !== 'signed') return colors.weight[levelOf('linear', value, max)];
  const share = max > 0 ? Math.max(-1, Math.min(1, value / max)) : 0;
  return colors.signed[Math.round((1 + share) * LEVELS)];
}

/**
 * Sets the background of a cell, and a text color that is readable on it.
 * @param {HTMLElement} cell
 * @param {Shade} shade
 * @param {number} value
 * @param {number} max the value of the last color
 */
export function colorCell(cell, shade, value, max) {
  const plain = shade === 'none' || !Number.isFinite(value);
  const color = colorOf(shade, plain ? 0 : value, max);
  cell.style.backgroundColor = plain ? '' : cssOf(color);
  cell.style.color = plain ? '' : inkOn(color);
}
