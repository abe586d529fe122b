/** The shape that every analysis returns: numbers with named axes. */
import { HeedError, quoted } from '../errors.js';

/** Name of a place on an axis: a number for a layer, head or rank, a text for a token.
 *  @typedef {string | number} Label */
/**
 * Numbers with named axes.  Each analysis has a type of its own, with its axes.
 * @typedef {object} Result
 * @property {Float32Array} data             numbers in row-major order: the last axis is fastest
 * @property {Record<string, Label[]>} axes  labels of each axis by its name, slowest axis first
 */

/**
 * Joins numbers with their axes.
 * @template {Record<string, Label[]>} Axes
 * @template {object} T
 * @param {Float32Array} data  one number for each combination of labels, last axis fastest
 * @param {Axes} axes  labels of each axis by its name, slowest first
 * @param {T} more  other properties of the result
 * @returns {{ data: Float32Array, axes: Axes } & T}
 * @throws {HeedError} 'bad-shape' if the axes do not have one number per combination of labels
 */
export function result(data, axes, more) {
  const all = /** @type {[string, Label[]][]} */ (Object.entries(axes));
  const count = all.reduce((product, [, labels]) => product * labels.length, 1);
  if (data.length === count) return { data, axes, ...more };
  const sizes = all.map(([name, labels]) => `${name} ${labels.length}`).join(', ');
  throw new HeedError('bad-shape', `The axes ${sizes} need ${count} numbers, not ${data.length}.`);
}

/**
 * Checks a result that a program passes.
 * @param {string} call  name of the call
 * @param {unknown} given
 * @throws {HeedError} 'bad-argument'
 */
export function needResult(call, given) {
  const { data, axes } = /** @type {Partial<Result>} */ (given ?? {});
  if (typeof data?.length === 'number' && typeof axes === 'object' && axes !== null) return;
  throw new HeedError('bad-argument', `${call}: expected a result of heed/insight, { data, axes }, got ` +
    `${quoted(given)}. Activations have a shape instead of axes.`);
}

/** Numbers 0 to n − 1, the labels of layers, heads and ranks. @param {number} n @returns {number[]} */
export const numbered = (n) => Array.from({ length: n }, (_, i) => i);

/** Largest number of elements of one result: half a gigabyte of float32. */
const LIMIT = 2 ** 27;

/**
 * The product of the sizes of a result's axes.
 * @param {string} call  name of the analysis
 * @param {number[]} sizes
 * @param {string} advice  what to do if there are too many
 * @returns {number}
 * @throws {HeedError} 'too-large'
 */
export function elementsOf(call, sizes, advice) {
  const count = sizes.reduce((product, n) => product * n, 1);
  if (count <= LIMIT) return count;
  throw new HeedError('too-large', `${call}: ${sizes.join(' × ')} numbers exceed the limit of ${LIMIT}. ${advice}`);
}
