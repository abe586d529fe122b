/** From a weight to a level of the palette. */
import { LEVELS } from './color.js';

/** @typedef {'linear' | 'log' | 'row-max'} ScaleKind */

/** @type {readonly ScaleKind[]} */
export const SCALES = ['linear', 'log', 'row-max'];

/** The weight at which the logarithmic scale begins: below it a head pays no attention that anyone could see. */
export const LOG_FLOOR = 1e-4;

const NICE = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8];

/**
 * The end of a linear scale: the smallest round number that no weight exceeds, so that it seldom moves as text grows.
 * @param {number} max 0..1; 0 where there is no weight yet
 */
export const niceMax = (max) => (max > 0 ? NICE.find((nice) => max <= nice) ?? 1 : 1);

/**
 * The level of a weight, 0 only for what cannot be told from zero.
 * @param {ScaleKind} kind
 * @param {number} weight 0..1
 * @param {number} max the weight that gets the last level: of the row for 'row-max', of the map for 'linear' and 'log'
 */
export function levelOf(kind, weight, max) {
  if (!(weight > 0) || !(max > 0)) return 0;
  const share = kind === 'log' ? Math.log(weight / LOG_FLOOR) / Math.log(max / LOG_FLOOR) : weight / max;
  return Math.round(Math.min(1, Math.max(0, share)) * (LEVELS - 1));
}

/**
 * The numbers beside the colors of a legend: [weight, share of the bar].
 * @param {ScaleKind} kind
 * @param {number} max as for levelOf; unused for 'row-max', whose end differs from row to row
 * @returns {[string, number][]}
 */
export function legendTicks(kind, max) {
  if (kind === 'row-max') return [['0', 0], ['row’s largest', 1]];
  if (kind === 'linear') return [['0', 0], [String(max / 2), 0.5], [String(max), 1]];
  const middle = 100 * LOG_FLOOR;
  const share = (/** @type {number} */ weight) => Math.log(weight / LOG_FLOOR) / Math.log(max / LOG_FLOOR);
  /** @type {[string, number][]} */
  const between = middle < max / 2 ? [[String(middle), share(middle)]] : [];
  return [[`≤ ${LOG_FLOOR}`, 0], ...between, [String(max), 1]];
}
