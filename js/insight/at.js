/** Numbers of a result at a place of its axes, without strides. */
import { HeedError, quoted } from '../errors.js';
import { guarded } from '../guard.js';
import { needOptions } from '../options.js';
import { needResult } from './result.js';

/** @typedef {import('./result.js').Result} Result */

/**
 * The elements of a result at a place.  A place has one entry for each axis that is fixed:
 *
 * - an axis of numbers, such as `layer`, `head` or `rank`: the label.  In a logit lens, layer −1 is the embedding
 * - an axis of texts: the label, such as 'induction' of `score`; or the index, because tokens can repeat.  −1 is the
 *   last position
 *
 * The other axes stay, in their order.
 * @template {ArrayLike<any> & { slice(from: number, to: number): ArrayLike<any> }} [Elements=Float32Array]
 * @param {Result} result  result of an analysis
 * @param {Record<string, string | number>} place  label or index of each fixed axis
 * @param {Elements} [of]  other array with the axes of the result, such as `texts` of a lens; default: `result.data`
 * @returns {Elements} copy of the elements; with all axes fixed, one element
 * @throws {HeedError} 'bad-argument' for an axis or a place that the result does not have; 'bad-shape' for an array
 *   with another number of elements
 */
export const at = guarded('at', elementsAt);

/** @template {ArrayLike<any> & { slice(from: number, to: number): ArrayLike<any> }} [Elements=Float32Array]
 *  @param {Result} result @param {Record<string, string | number>} place @param {Elements} [of] @returns {Elements} */
function elementsAt(result, place, of = /** @type {any} */ (result?.data)) {
  needResult('at', result);
  const { data, axes } = result;
  needOptions('at', place ?? null, Object.keys(axes));
  if (of.length !== data.length) {
    throw new HeedError('bad-shape', `at: the array has ${of.length} elements, and the axes have ${data.length}.`);
  }
  let indexes = [0];
  for (const [name, labels] of Object.entries(axes)) {
    const wanted = place[name] === undefined ? labels.map((_, i) => i) : [indexOf(name, labels, place[name])];
    indexes = indexes.flatMap((index) => wanted.map((i) => index * labels.length + i));
  }
  const found = /** @type {any} */ (of.slice(0, indexes.length)); // a list or a typed array, as `of` is
  indexes.forEach((index, i) => (found[i] = of[index]));
  return found;
}

/** @param {string} name @param {import('./result.js').Label[]} labels @param {string | number} wanted */
function indexOf(name, labels, wanted) {
  const isIndex = typeof wanted === 'number' && typeof labels[0] === 'string';
  const index = isIndex ? wanted + (wanted < 0 ? labels.length : 0) : labels.indexOf(wanted);
  if (Number.isInteger(index) && index >= 0 && index < labels.length) return index;
  throw new HeedError('bad-argument', `at: the axis ${name} has no ${quoted(wanted)}. It has ` +
    `${labels.length} labels, from ${quoted(labels[0])} to ${quoted(labels.at(-1))}.`);
}
