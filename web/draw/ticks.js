/** Round numbers for axes whose values are whole numbers. */
import { nice, range } from 'd3-array';

/** The smallest of 1, 2, 5, 10, 20, 50, … that is not below a number. @param {number} least */
export const roundStep = (least) => Math.max(1, nice(0, least, 1)[1]);

/**
 * Equally spaced round numbers from 1 to a largest one.
 * @param {number} largest
 * @param {number} most number of ticks, at least 1
 * @returns {number[]}
 */
export function countTicks(largest, most) {
  const step = roundStep(largest / most);
  return range(step, largest + 1, step);
}
