/** The loss curve of a training: its path, its axes, and the step under a point. */
import { nice, tickStep, ticks } from 'd3-array';
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
 * @property {{ x: number, y: number }[]} points
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
 * The loss curve. A logarithmic scale shows small losses as well as the first drop; a linear scale shows a loss that
 * changes little.
 * @param {ArrayLike<number>} losses [steps so far] positive numbers
 * @param {number} steps number of steps of the whole training
 * @param {CurveBox} box
 * @param {{ linear?: boolean, points?: { step: number, loss: number }[] }} [options] linear: a linear scale, default
 *   false; points: further losses on the same axes
 * @returns {Curve}
 */
export function lossCurve(losses, steps, box, { linear = false, points = [] } = {}) {
  const columns = columnMeans(losses, (i) => Math.round(xOf(box, steps, i + 1)));
  const { low, high, at, labels } = (linear ? linearAxis : logAxis)([...columns.map(([, loss]) => loss),
    ...points.map(({ loss }) => loss)].filter((loss) => loss > 0 && Number.isFinite(loss)));
  if (labels.length === 0) return { path: '', losses: [], steps: stepLabels(steps, box), points: [] };
  const y = (/** @type {number} */ value) =>
    MARGIN + ((high - value) / (high - low)) * (box.height - box.bottom - MARGIN);
  const path = columns.filter(([, loss]) => loss > 0)
    .map(([x, loss], i) => `${i ? 'L' : 'M'}${x} ${y(at(loss)).toFixed(1)}`).join('');
  return {
    path,
    losses: labels.map(({ value, text }) => ({ y: y(value), text })),
    steps: stepLabels(steps, box),
    points: points.map(({ step, loss }) => ({ x: xOf(box, steps, step), y: y(at(loss)) })),
  };
}

/**
 * @typedef {object} LossAxis
 * @property {number} low value at the bottom
 * @property {number} high value at the top
 * @property {(loss: number) => number} at value of a loss
 * @property {{ value: number, text: string }[]} labels none if there is no loss
 */

/** Whole decades. @param {number[]} losses @returns {LossAxis} */
function logAxis(losses) {
  const values = losses.map(Math.log10);
  const low = Math.floor(Math.min(...values) + 1e-9);
  const high = Math.max(low + 1, Math.ceil(Math.max(...values) - 1e-9));
  const powers = losses.length ? Array.from({ length: high - low + 1 }, (_, i) => low + i) : [];
  const text = (/** @type {number} */ power) => (10 ** power).toFixed(Math.max(0, -power));
  return { low, high, at: Math.log10, labels: powers.map((value) => ({ value, text: text(value) })) };
}

/** Number of intervals of a linear axis, approximately. */
const LINEAR_TICKS = 4;

/** Round numbers around the losses. @param {number[]} losses @returns {LossAxis} */
function linearAxis(losses) {
  const least = Math.min(...losses);
  const most = Math.max(...losses);
  const [low, high] = nice(least, most > least ? most : least + 1, LINEAR_TICKS);
  const digits = Math.max(0, -Math.floor(Math.log10(tickStep(low, high, LINEAR_TICKS)) + 1e-9));
  const values = losses.length ? ticks(low, high, LINEAR_TICKS) : [];
  return { low, high, at: (loss) => loss, labels: values.map((value) => ({ value, text: value.toFixed(digits) })) };
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
