/** The loss curve of a training: its path, its axes, and the step under a point. */
import { countTicks } from './ticks.js';

/**
 * The box of a curve, in CSS pixels.
 * @typedef {object} CurveBox
 * @property {number} width
 * @property {number} height
 * @property {number} left width of the loss labels
 * @property {number} bottom height of the step labels
 */

/**
 * @typedef {object} Curve
 * @property {string} path of an SVG; empty if there is no loss yet
 * @property {{ y: number, text: string }[]} losses labels of the loss axis
 * @property {{ x: number, text: string }[]} steps labels of the step axis
 */

/** Space above the largest loss, and right of the last step for half a label. */
const MARGIN = 16;
/** Least distance between two step labels. */
const LABEL_WIDTH = 60;

/** The x position of a step, counted from 1. @param {CurveBox} box @param {number} steps @param {number} step */
export const xOf = ({ width, left }, steps, step) =>
  left + (Math.max(0, step - 1) / Math.max(1, steps - 1)) * (width - left - MARGIN);

/** The step nearest to an x position, 1 or more. @param {CurveBox} box @param {number} steps @param {number} x */
export const stepAt = ({ width, left }, steps, x) =>
  Math.max(1, Math.min(steps, 1 + Math.round(((x - left) / (width - left - MARGIN)) * (steps - 1))));

/**
 * The loss curve on a logarithmic scale, which shows small losses as well as the first drop.
 * @param {ArrayLike<number>} losses [steps so far] positive numbers
 * @param {number} steps number of steps of the whole training
 * @param {CurveBox} box
 * @returns {Curve}
 */
export function lossCurve(losses, steps, box) {
  const columns = columnMeans(losses, (i) => Math.round(xOf(box, steps, i + 1)));
  const values = columns.map(([, loss]) => Math.log10(loss)).filter(Number.isFinite);
  if (values.length === 0) return { path: '', losses: [], steps: stepLabels(steps, box) };
  const low = Math.floor(Math.min(...values) + 1e-9);
  const high = Math.max(low + 1, Math.ceil(Math.max(...values) - 1e-9));
  const y = (/** @type {number} */ power) =>
    MARGIN + ((high - power) / (high - low)) * (box.height - box.bottom - MARGIN);
  const path = columns.filter(([, loss]) => loss > 0)
    .map(([x, loss], i) => `${i ? 'L' : 'M'}${x} ${y(Math.log10(loss)).toFixed(1)}`).join('');
  const powers = Array.from({ length: high - low + 1 }, (_, i) => low + i);
  const text = (/** @type {number} */ power) => (10 ** power).toFixed(Math.max(0, -power));
  return {
    path,
    losses: powers.map((power) => ({ y: y(power), text: text(power) })),
    steps: stepLabels(steps, box),
  };
}

/**
 * The mean loss of each pixel column, so that a curve has at most one point per column.
 * @param {ArrayLike<number>} losses
 * @param {(index: number) => number} columnOf
 * @returns {[x: number, mean: number][]}
 */
function columnMeans(losses, columnOf) {
  /** @type {[number, number][]} */
  const columns = [];
  let count = 0;
  for (let i = 0; i < losses.length; i++) {
    const x = columnOf(i);
    const last = columns[columns.length - 1];
    if (last?.[0] === x) last[1] += (losses[i] - last[1]) / ++count;
    else {
      columns.push([x, losses[i]]);
      count = 1;
    }
  }
  return columns;
}

/** @param {number} steps @param {CurveBox} box */
function stepLabels(steps, box) {
  const most = Math.max(1, Math.floor((box.width - box.left) / LABEL_WIDTH));
  return countTicks(steps, most).map((step) => ({ x: xOf(box, steps, step), text: String(step) }));
}
