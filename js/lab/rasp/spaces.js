/** Variables in the residual stream, and the weights that read them. */
import { distinct, keyOf } from './values.js';

/**
 * A part of the residual stream that holds one variable, which is one of `size` categories.
 *
 * - 'one-hot': category i has 1 at dimension first + i
 * - 'steps': category i has 1 at its first i of size − 1 dimensions. A network makes steps of a number without rounding
 * - 'constant': no dimensions
 * @typedef {object} Space
 * @property {'one-hot' | 'steps' | 'constant'} code
 * @property {string} name
 * @property {number} first   first dimension
 * @property {number} size    number of categories
 * @property {number} ready   half layer that can read it: 2·l for the attention of layer l, 2·l + 1 for its network
 * @property {number} [atBos] category that ⊢ has, if ⊢ has one
 */

/** A space with the value of each category. @template T
 *  @typedef {{ space: Space, labels: (T | undefined)[] }} View */

/** Row of a matrix: pairs of a dimension of the residual stream and a weight. @typedef {[number, number][]} Row */

/** Dimension that is 1 at ⊢. */
export const BOS = 0;
/** Dimension that is 1 at each token. */
export const TOKEN = 1;

/**
 * The row whose product with the residual stream is `weight(category)` at each token, and 0 at ⊢.
 * @param {Space} space @param {(category: number) => number} weight @returns {Row}
 */
export function reading({ code, first, size, atBos }, weight) {
  const weights = Array.from({ length: size }, (_, i) => weight(i));
  /** @type {Row} */
  const row = code === 'one-hot' ? weights.map((w, i) => [first + i, w])
    : [[TOKEN, weights[0]], ...weights.slice(1).map((w, i) =>
      /** @type {[number, number]} */ ([first + i, w - weights[i]]))];
  if (atBos !== undefined) row.push([BOS, -weights[atBos]]);
  return row.filter(([, w]) => w !== 0);
}

/**
 * Groups categories that behave alike.
 * @param {number} size @param {(category: number) => unknown} behavior  undefined: the category never counts
 * @returns {{ members: number[], of: (number | undefined)[] }} one member of each group; the group of each category
 */
export function grouped(size, behavior) {
  const behaviors = Array.from({ length: size }, (_, i) => behavior(i));
  const keys = distinct(behaviors).map(keyOf);
  const all = behaviors.map(keyOf);
  return {
    members: keys.map((key) => all.indexOf(key)),
    of: behaviors.map((each, i) => (each === undefined ? undefined : keys.indexOf(all[i]))),
  };
}
