/** Captures as files of NumPy and PyTorch. */
import { HeedError, quoted } from '../errors.js';
import { writeSafetensors } from '../files/safetensors/writer.js';
import { zip } from '../files/zip.js';
import { guarded } from '../guard.js';
import { needOptions } from '../options.js';

/** @typedef {import('../model/hooks.js').Activation} Activation */
/** @typedef {import('./result.js').Result} Result */
/** An activation, a result of an analysis, or numbers with one axis.
 *  @typedef {Activation | Result | Float32Array | Int32Array} Captured */
/**
 * Options of toNpz and toSafetensors.
 * @typedef {object} ExportOptions
 * @property {boolean} [batch]  adds a first axis of size 1, as in a cache of TransformerLens; default false
 */
/** @typedef {{ data: Float32Array | Int32Array, shape: number[] }} Tensor */

const isFloat = (/** @type {Tensor} */ { data }) => data instanceof Float32Array;

/**
 * Writes a capture as an `.npz` file, which `numpy.load` reads.  Arrays have the names of the activations, as in
 * TransformerLens.
 * @param {Record<string, Captured>} capture  activations by name, such as the `cache` of `runWithCache`; also results
 *   of analyses, and arrays such as logits
 * @param {ExportOptions} [options]  a first axis for a batch
 * @returns {Uint8Array<ArrayBuffer>} bytes of the file
 * @throws {HeedError} 'bad-argument', 'too-large'
 */
export const toNpz = guarded('toNpz', writeNpz);

/** @param {Record<string, Captured>} capture @param {ExportOptions} [options] */
function writeNpz(capture, options = {}) {
  const files = tensorsOf('toNpz', capture, options).map(([name, tensor]) =>
    [`${name}.npy`, [npyHeader(tensor), bytesOf(tensor)]]);
  return zip(Object.fromEntries(files));
}

/**
 * Writes a capture as a safetensors file, which `safetensors.torch.load_file` reads.
 * @param {Record<string, Captured>} capture  activations by name, such as the `cache` of `runWithCache`; also results
 *   of analyses, and arrays such as logits
 * @param {ExportOptions} [options]  a first axis for a batch
 * @returns {Uint8Array<ArrayBuffer>} bytes of the file
 * @throws {HeedError} 'bad-argument', 'too-large'
 */
export const toSafetensors = guarded('toSafetensors', writeTensors);

/** @param {Record<string, Captured>} capture @param {ExportOptions} [options] */
function writeTensors(capture, options = {}) {
  const tensors = tensorsOf('toSafetensors', capture, options).map(([name, tensor]) =>
    [name, { dtype: isFloat(tensor) ? 'F32' : 'I32', ...tensor }]);
  return writeSafetensors(Object.fromEntries(tensors), { format: 'pt' });
}

/** @param {string} call @param {Record<string, Captured>} capture @param {ExportOptions} options
 *  @returns {[name: string, tensor: Tensor][]} */
function tensorsOf(call, capture, options) {
  needOptions(call, options, ['batch']);
  const { batch = false } = options;
  if (typeof batch !== 'boolean') throw new HeedError('bad-argument', `${call}: batch is true or false.`);
  if (typeof capture !== 'object' || capture === null || ArrayBuffer.isView(capture)) {
    throw new HeedError('bad-argument', `${call}: expected activations by name, such as the cache of runWithCache; ` +
      `got ${quoted(capture)}.`);
  }
  return Object.entries(capture).map(([name, captured]) => {
    const { data, shape } = tensorOf(call, name, captured);
    return [name, { data, shape: batch ? [1, ...shape] : shape }];
  });
}

/** @param {string} call @param {string} name @param {any} captured @returns {Tensor} */
function tensorOf(call, name, captured) {
  const data = captured?.data ?? captured;
  const axes = /** @type {unknown[][]} */ (Object.values(captured?.axes ?? {}));
  const shape = captured?.shape ?? (axes.length > 0 ? axes.map(({ length }) => length) : [data?.length]);
  const isArray = data instanceof Float32Array || data instanceof Int32Array;
  const count = isArray && Array.isArray(shape) ? shape.reduce((product, n) => product * n, 1) : NaN;
  const isSize = (/** @type {unknown} */ n) => Number.isInteger(n) && Number(n) >= 0;
  if (isArray && count === data.length && shape.every(isSize) && name !== '__metadata__') {
    return { data, shape };
  }
  throw new HeedError('bad-argument', `${call}: ${quoted(name)} is not an activation, but ${quoted(captured)}. ` +
    'Expected { data, shape }: a Float32Array or Int32Array with one number for each place of the shape.');
}

/** @param {Tensor} tensor */
const bytesOf = ({ data }) => new Uint8Array(data.buffer, data.byteOffset, data.byteLength);

/**
 * The header of an `.npy` file (NumPy Enhancement Proposal 1, version 1.0).
 * @param {Tensor} tensor
 */
function npyHeader(tensor) {
  const shape = `(${tensor.shape.join(', ')}${tensor.shape.length === 1 ? ',' : ''})`;
  const type = isFloat(tensor) ? '<f4' : '<i4';
  const text = `{'descr': '${type}', 'fortran_order': False, 'shape': ${shape}, }`;
  const start = 10; // magic number, version, length of the text
  const length = Math.ceil((start + text.length + 1) / 64) * 64 - start;
  const header = new Uint8Array(start + length);
  header.set([0x93, ...new TextEncoder().encode('NUMPY'), 1, 0, length & 0xff, length >> 8]);
  header.set(new TextEncoder().encode(`${text.padEnd(length - 1)}\n`), start);
  return header;
}
