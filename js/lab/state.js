/** State dicts as safetensors files (https://huggingface.co/docs/safetensors): names, and numbers bit for bit, unless
 *  half precision is asked for. */
import { HeedError, quoted } from '../errors.js';
import { readHeader } from '../safetensors/header.js';
import { StreamReader } from '../stream.js';
import { needTensors } from './arguments.js';
import { badShape, describe } from './axes.js';
import { fromHalf, toHalf } from './half.js';

/** @typedef {import('./blocks.js').Weights} Weights */

/** How numbers of a type stand in a file. */
const STORED = {
  F32: {
    bytes: 4,
    write: (/** @type {Float32Array} */ data) => data,
    read: (/** @type {ArrayBufferLike} */ stored) => new Float32Array(stored),
  },
  F16: {
    bytes: 2,
    write: (/** @type {Float32Array} */ data) => Uint16Array.from(data, toHalf),
    read: (/** @type {ArrayBufferLike} */ stored) => Float32Array.from(new Uint16Array(stored), fromHalf),
  },
};

/**
 * @param {Weights} weights @param {Record<string, string>} [metadata]
 * @param {{ dtype?: 'F32' | 'F16' }} [options] F16: half of the bytes, numbers rounded to 11 bits
 * @returns {Uint8Array} a file
 */
export function toSafetensors(weights, metadata = {}, { dtype = 'F32' } = {}) {
  needTensors('save', weights);
  const { bytes, write } = STORED[dtype];
  /** @type {Record<string, unknown>} */
  const header = { __metadata__: { format: 'pt', ...metadata } };
  let end = 0;
  for (const [name, { axes, place }] of Object.entries(weights)) {
    const start = end;
    end += bytes * place.rows * place.columns;
    header[name] = { dtype, shape: axes.sizes, data_offsets: [start, end] };
  }
  const text = new TextEncoder().encode(JSON.stringify(header));
  const length = Math.ceil(text.length / 8) * 8;
  const file = new Uint8Array(8 + length + end).fill(0x20, 8, 8 + length);
  new DataView(file.buffer).setBigUint64(0, BigInt(length), true);
  file.set(text, 8);
  let at = 8 + length;
  for (const { data } of Object.values(weights)) {
    const stored = write(data);
    file.set(new Uint8Array(stored.buffer, stored.byteOffset, stored.byteLength), at);
    at += stored.byteLength;
  }
  return file;
}

/**
 * @param {Uint8Array} file
 * @returns {Promise<{ tensors: Record<string, { shape: number[], data: Float32Array }>, metadata:
 *   Record<string, string> }>}
 * @throws {HeedError} 'bad-file', 'truncated', 'too-large', 'unsupported'
 */
export async function fromSafetensors(file) {
  const chunks = (async function* once() { yield file; })();
  const { tensors, metadata } = await readHeader(new StreamReader(chunks, { name: 'the state' }), 'the state',
    file.byteLength);
  return {
    metadata,
    tensors: Object.fromEntries(tensors.map(({ name, type, shape, start, bytes }) => {
      if (type !== 'F32' && type !== 'F16') {
        throw new HeedError('unsupported', `${quoted(name)} is ${quoted(type)}; a state dict to learn from is F32 or ` +
          'F16.');
      }
      const copy = new Uint8Array(file.subarray(start, start + bytes)); // of a Node Buffer, slice would be no copy
      return [name, { shape, data: STORED[type].read(copy.buffer) }];
    })),
  };
}

/**
 * Puts numbers of a file into tensors of the same names and shapes; every one must be there.
 * @param {Weights} weights @param {Uint8Array} file
 * @returns {Promise<Record<string, string>>} the file's metadata
 */
export async function assign(weights, file) {
  const { tensors, metadata } = await fromSafetensors(file);
  for (const [name, tensor] of Object.entries(weights)) {
    const stored = tensors[name];
    if (!stored) throw new HeedError('bad-tensor', `The file has no ${quoted(name)}.`);
    const { sizes } = tensor.axes;
    if (stored.shape.length !== sizes.length || stored.shape.some((size, i) => size !== sizes[i])) {
      throw badShape('assign', `${quoted(name)} is [${stored.shape}] in the file, ${describe(tensor.axes)} here`);
    }
    tensor.data.set(stored.data);
  }
  return metadata;
}
