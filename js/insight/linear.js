/** Vectors and matrices of weights and activations. */
import { HeedError, quoted } from '../errors.js';

/** @typedef {import('../model/hooks.js').Activation} Activation */

/** Four sums, because each addition waits for the previous addition. @param {Float32Array} a
 *  @param {Float32Array} b  as long as a @returns {number} */
export function dot(a, b) {
  let sum0 = 0;
  let sum1 = 0;
  let sum2 = 0;
  let sum3 = 0;
  const end = a.length - (a.length % 4);
  for (let i = 0; i < end; i += 4) {
    sum0 += a[i] * b[i];
    sum1 += a[i + 1] * b[i + 1];
    sum2 += a[i + 2] * b[i + 2];
    sum3 += a[i + 3] * b[i + 3];
  }
  for (let i = end; i < a.length; i++) sum0 += a[i] * b[i];
  return sum0 + sum1 + (sum2 + sum3);
}

/** Subtracts the mean of a vector from it. @param {Float32Array} x */
export function center(x) {
  const mean = x.reduce((sum, value) => sum + value, 0) / x.length;
  for (let i = 0; i < x.length; i++) x[i] -= mean;
  return x;
}

/** Row i of the first axis, a view. @param {Activation} x @param {number} i */
export function rowOf({ data, shape }, i) {
  const width = data.length / shape[0];
  return data.subarray(i * width, (i + 1) * width);
}

/** Columns of a matrix. @param {Activation} matrix @param {number} first @param {number} count */
export const columnsOf = ({ data, shape: [rows, columns] }, first, count) => Array.from({ length: count }, (_, i) =>
  new Float32Array(rows).map((_, row) => data[row * columns + first + i]));

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
 * The direction that v, a direction of a norm's outputs, reads from its input x.  The scale of x is frozen.
 * @param {{ norm: 'layernorm' | 'rmsnorm', normEpsilon: number }} kind
 * @param {Float32Array} x     input [n]
 * @param {Float32Array} gain  weight of the norm [n]
 * @param {Float32Array} v     [n]
 * @returns {Float32Array} [n]
 */
export function throughNorm({ norm, normEpsilon }, x, gain, v) {
  const isCentered = norm === 'layernorm';
  const input = isCentered ? center(x.slice()) : x;
  const scale = 1 / Math.sqrt(dot(input, input) / input.length + normEpsilon);
  const read = v.map((y, i) => y * gain[i] * scale);
  return isCentered ? center(read) : read;
}

/**
 * A weight that every model has.
 * @param {import('./input.js').Model} model @param {string} name  name in the GGUF format
 * @param {{ range?: ArrayLike<number> }} [options]  first row, and the row after the last
 * @returns {Promise<Activation>}
 * @throws {HeedError} 'disposed'
 */
export async function weightOf(model, name, options) {
  const weight = await model.weight(name, options);
  if (weight) return weight;
  throw new HeedError('bad-tensor', `The model has no weight ${quoted(name)}.`);
}
