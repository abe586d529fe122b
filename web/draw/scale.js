/** Color scales: from a weight to a level of the palette. */
import { LEVELS } from './color.js';

/** @typedef {'linear' | 'log' | 'row-max'} WeightScale ‘row-max’: linear up to the largest weight of each row */
/** @typedef {WeightScale | 'difference'} ScaleKind ‘difference’: linear from −max to max, with zero in the middle */

/** Scales of weights. @type {readonly WeightScale[]} */
export const SCALES = ['linear', 'log', 'row-max'];

/** The weight at the start of the logarithmic scale. */
export const LOG_FLOOR = 1e-4;

/** Possible ends of a linear scale: few, so that the colors seldom change while a text grows. */
const NICE = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8];

/**
 * The end of a linear scale: a round number of at least the largest weight.
 * @param {number} max the largest weight, 0 to 1
 */
export const niceMax = (max) => (max > 0 ? NICE.find((nice) => max <= nice) ?? 1 : 1);

/** The end of a scale of numbers that may exceed 1: two digits of the largest number; 1 if all are 0.
 *  @param {number} max the largest size of a number */
export const roundedMax = (max) => Number(max.toPrecision(2)) || 1;

/** A scale around 0, up to the largest size of a number. @param {Float32Array} data
 *  @returns {import('./raster.js').Shading} */
export const differenceShading = (data) => ({ kind: 'difference', leaveFirstOut: false,
  max: roundedMax(data.reduce((most, value) => Math.max(most, Math.abs(value)), 0)) });

/**
 * The palette level of a weight.
 * @param {ScaleKind} kind
 * @param {number} weight 0 to 1
 * @param {number} max the weight of the last level: of the row for ‘row-max’, of the map for ‘linear’ and ‘log’
 * @returns {number} 0 to LEVELS - 1
 */
export function levelOf(kind, weight, max) {
  if (kind === 'difference') {
    const share = max > 0 ? Math.min(1, Math.max(-1, weight / max)) : 0;
    return Math.max(0, Math.round(LEVELS / 2 + share * (LEVELS / 2 - 1)));
  }
  if (!(weight > 0) || !(max > 0)) return 0;
  const share = kind === 'log' ? Math.log(weight / LOG_FLOOR) / Math.log(max / LOG_FLOOR) : weight / max;
  return Math.round(Math.min(1, Math.max(0, share)) * (LEVELS - 1));
}

/**
 * The numbers under a color bar.
 * @param {ScaleKind} kind
 * @param {number} max as for levelOf; not used for ‘row-max’
 * @returns {[text: string, position: number][]} positions from 0 to 1
 */
export function legendTicks(kind, max) {
  if (kind === 'row-max') return [['0', 0], ['row’s largest', 1]];
  if (kind === 'difference') return [[`−${max}`, 0], ['0', 0.5], [`+${max}`, 1]];
  if (kind === 'linear') return [['0', 0], [String(max / 2), 0.5], [String(max), 1]];
  const middle = 100 * LOG_FLOOR;
  const share = (/** @type {number} */ weight) => Math.log(weight / LOG_FLOOR) / Math.log(max / LOG_FLOOR);
  /** @type {[string, number][]} */
  const between = middle < max / 2 ? [[String(middle), share(middle)]] : [];
  return [[`≤ ${LOG_FLOOR}`, 0], ...between, [String(max), 1]];
}
