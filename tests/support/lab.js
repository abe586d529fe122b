/** Helpers for the tests of heed/lab: goldens with gradients, and the tolerance of float32. */
import { fileURLToPath } from 'node:url';
import { readSafetensors } from '../../js/cli/convert/safetensors.js';
import { U } from './tolerance.js';

/**
 * @typedef {import('../../js/lab/index.js').Lab} Lab
 * @typedef {import('../../js/lab/index.js').Tensor} Tensor
 */

/** A case of tools/goldens/lab.py, or of another folder of goldens: every tensor by name.
 *  @param {string} name @param {string} [folder] */
export async function golden(name, folder = 'lab') {
  const path = fileURLToPath(new URL(`../goldens/${folder}/${name}.safetensors`, import.meta.url));
  const stored = await readSafetensors(path);
  return Object.fromEntries(Object.entries(stored).map(([key, { shape, load }]) => [key, { shape, data: load() }]));
}

/**
 * Values of a block pass a few dozen roundings and sums of a few dozen terms; gradients pass twice as many. Each value
 * must be within 400 roundings of the largest value of its tensor, because small values can be differences of large
 * ones. A wrong formula has a far larger error.
 */
const ROUNDINGS = 400;

/** @param {ArrayLike<number>} actual @param {ArrayLike<number>} expected @param {string} what */
export function close(actual, expected, what) {
  if (actual.length !== expected.length) throw new Error(`${what}: ${actual.length} numbers, not ${expected.length}`);
  const finite = Array.from(expected).filter(Number.isFinite);
  const largest = finite.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  const allowed = ROUNDINGS * U * Math.max(largest, 2 ** -10);
  for (let i = 0; i < expected.length; i++) {
    if (Object.is(actual[i], expected[i]) || Math.abs(actual[i] - expected[i]) <= allowed) continue;
    throw new Error(`${what}: [${i}] is ${actual[i]}, not ${expected[i]} (allowed ${allowed})`);
  }
}

/** The loss of the goldens' gradients: Σ y·r. @param {Lab} lab @param {Tensor} y @param {ArrayLike<number>} r */
export function weigh(lab, y, r) {
  return lab.sum(lab.mul(y, lab.tensor(r, /** @type {any} */ (y.shape))));
}

/** Rows of scores after softmax, in float64. @param {Float32Array} scores [row][key] @param {number} keys */
export function softmaxOf(scores, keys) {
  return Array.from({ length: scores.length / keys }, (_, row) => {
    const of = Array.from(scores.subarray(row * keys, (row + 1) * keys));
    const most = Math.max(...of);
    const weights = of.map((score) => Math.exp(score - most));
    const sum = weights.reduce((a, b) => a + b);
    return weights.map((weight) => weight / sum);
  }).flat();
}
