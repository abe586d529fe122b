/** Vectors and matrices of weights and activations. */
import { HeedError, quoted } from '../errors.js';

/** @typedef {import('../model/hooks.js').Activation} Activation */

/** @param {Float32Array} a @param {Float32Array} b  as long as a @returns {number} */
export function dot(a, b) {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

/** Row i of the first axis, a view. @param {Activation} x @param {number} i */
export function rowOf({ data, shape }, i) {
  const width = data.length / shape[0];
  return data.subarray(i * width, (i + 1) * width);
}

/**
 * Wᵀ·x: how each input of a product contributes to the direction x of its outputs.
 * @param {Activation} weight  [outputs][inputs]
 * @param {Float32Array} x     [outputs]
 * @returns {Float32Array} [inputs]
 */
export function transposeTimes(weight, x) {
  const sum = new Float64Array(weight.shape[1]);
  for (let o = 0; o < x.length; o++) {
    const row = rowOf(weight, o);
    for (let i = 0; i < sum.length; i++) sum[i] += x[o] * row[i];
  }
  return Float32Array.from(sum);
}

/**
 * A weight that every model has.
 * @param {import('./input.js').Model} model @param {string} name  name of the GGUF format
 * @returns {Promise<Activation>}
 * @throws {HeedError} 'disposed'
 */
export async function weightOf(model, name) {
  const weight = await model.weight(name);
  if (weight) return weight;
  throw new HeedError('bad-tensor', `The model has no weight ${quoted(name)}.`);
}
