/** Weights that are computed from a configuration, and are in no file. */
import { openSource } from './source.js';
import { StreamReader } from './stream.js';

/**
 * A part of a model with one computed vector or matrix.
 * @param {string} name
 * @param {Float32Array} values
 * @param {boolean} [longer]  as in PlacedTensor
 * @param {number[]} [shape]  default: a vector
 * @returns {import('./weights.js').Part}
 */
export function computedPart(name, values, longer, shape = [values.length]) {
  const entry = { name, dtype: 0, shape, bytes: values.byteLength, learned: 0 };
  const open = async () => new StreamReader(openSource(values).stream(), { name });
  return { placed: [{ start: 0, entry, longer }], open };
}
