/** The curve of a loss over steps: its scale, its path, and the step under a point. */

/**
 * @typedef {object} CurveBox in pixels
 * @property {number} width
 * @property {number} height
 * @property {number} left   room for the labels of losses
 * @property {number} bottom room for those of steps
 */

/**
 * @typedef {object} Curve
 * @property {string} path   of an SVG, '' where there is nothing yet
 * @property {{ y: number, text: string }[]} losses  labels
 * @property {{ x: number, text: string }[]} steps
 */

/** Room above the largest loss and, for half a label, right of the last step. */
const MARGIN = 16;
const STEPS = [1, 2, 5];

/** Where a step is, counted from 1. @param {CurveBox} box @param {number} steps @param {number} step */
export const xOf = ({ width, left }, steps, step) =>
  left + (Math.max(0, step - 1) / Math.max(1, steps - 1)) * (width - left - MARGIN);

/** The step, 1 or more, that is nearest to a point. @param {CurveBox} box @param {number} steps @param {number} x */
export const stepAt = ({ width, left }, steps, x) =>
  Math.max(1, Math.min(steps, 1 + Math.round(((x - left) / (width - left - MARGIN)) * (steps - 1))));

/**
 * Losses on a scale of powers of ten, which shows the last thousandths as well as the first fall.
 * @param {ArrayLike<number>} losses of the steps so far, each more than 0
 * @param {number} steps of the whole training
 * @param {CurveBox} box
 * @returns {Curve}
 */
export function lossCurve(losses, steps, box) {
  const columns = means(losses, (i) => Math.round(xOf(box, steps, i + 1)));
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
 * The mean of what falls on one column of pixels, column by column: a curve has no more points than a screen.
 * @param {ArrayLike<number>} losses
 * @param {(index: number) => number} columnOf
 * @returns {[x: number, mean: number][]}
 */
function means(losses, columnOf) {
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

/** Steps in round numbers, at least 60 pixels apart. @param {number} steps @param {CurveBox} box */
function stepLabels(steps, box) {
  const most = Math.max(1, Math.floor((box.width - box.left) / 60));
  for (let power = 1; ; power *= 10) {
    for (const step of STEPS) {
      const every = step * power;
      if (steps / every > most) continue;
      return Array.from({ length: Math.floor(steps / every) }, (_, i) => every * (i + 1))
        .map((at) => ({ x: xOf(box, steps, at), text: String(at) }));
    }
  }
}
