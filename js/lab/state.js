/** State dicts as safetensors files (https://huggingface.co/docs/safetensors): names, and numbers bit for bit, unless
 *  half precision is asked for. */
import { HeedError, quoted } from '../errors.js';
import { floatFromHalf, halfFromFloat } from '../files/half.js';
import { readHeader } from '../files/safetensors/header.js';
import { StreamReader } from '../files/stream.js';
import { needOptions } from '../options.js';
import { kindOf, needOneOf, needTensors } from './arguments.js';
import { badShape, describe, sameSizes } from './axes.js';

/** @typedef {import('./blocks.js').Weights} Weights */

/** @typedef {Uint8Array | ArrayBuffer | Blob} Bytes  of a file; a File is a Blob */

/** How numbers of a type stand in a file. */
const STORED = {
  F32: {
    bytes: 4,
    write: (/** @type {Float32Array} */ data) => data,
    read: (/** @type {ArrayBufferLike} */ stored) => new Float32Array(stored),
  },
  F16: {
    bytes: 2,
    write: (/** @type {Float32Array} */ data) => Uint16Array.from(data, halfFromFloat),
    read: (/** @type {ArrayBufferLike} */ stored) => Float32Array.from(new Uint16Array(stored), floatFromHalf),
  },
};

/** bfloat16 is the upper half of a float32. @param {ArrayBufferLike} stored */
const fromBfloat = (stored) => new Float32Array(Uint32Array.from(new Uint16Array(stored), (half) => half << 16).buffer);
/** What is read, each number as it is. @type {Record<string, (stored: ArrayBufferLike) => Float32Array>} */
const READERS = { F32: STORED.F32.read, F16: STORED.F16.read, BF16: fromBfloat };

/**
 * @param {Weights} weights @param {Record<string, string>} [metadata]
 * @param {{ dtype?: 'F32' | 'F16' }} [options] F16: half of the bytes, numbers rounded to 11 bits
 * @returns {Uint8Array} a file
 */
export function toSafetensors(weights, metadata = {}, options = {}) {
  needOptions('save', options, ['dtype']);
  const { dtype = 'F32' } = options;
  needTensors('save', weights ?? { weights });
  needOneOf('save', 'dtype', dtype, Object.keys(STORED));
  const strange = Object.entries(metadata).find(([, value]) => typeof value !== 'string');
  if (strange) {
    throw new HeedError('bad-argument', `save: metadata.${strange[0]} is ${kindOf(strange[1])}; the format keeps ` +
      'texts there, so give JSON.stringify of it.');
  }
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

/** @param {Bytes} file @returns {Promise<Uint8Array>} @throws {HeedError} 'bad-source' */
async function bytesOf(file) {
  if (file instanceof Uint8Array) return file;
  if (file instanceof ArrayBuffer) return new Uint8Array(file);
  if (typeof Blob === 'function' && file instanceof Blob) return new Uint8Array(await file.arrayBuffer());
  throw new HeedError('bad-source', `A state dict is read from the bytes of a safetensors file, a Uint8Array, an ` +
    `ArrayBuffer or a File, not from ${kindOf(file)}.`);
}

/**
 * @param {Bytes} source
 * @param {string} [what] that it is, for sentences
 * @returns {Promise<{ tensors: Record<string, { shape: number[], data: Float32Array }>, metadata:
 *   Record<string, string> }>}
 * @throws {HeedError} 'bad-source', 'bad-file', 'truncated', 'too-large', 'unsupported'
 */
export async function fromSafetensors(source, what = 'the state dict') {
  const file = await bytesOf(source);
  const chunks = (async function* once() { yield file; })();
  const { tensors, metadata } = await readHeader(new StreamReader(chunks, { name: what }), what, file.byteLength);
  return {
    metadata,
    tensors: Object.fromEntries(tensors.map(({ name, type, shape, start, bytes }) => {
      if (!Object.hasOwn(READERS, type)) {
        throw new HeedError('unsupported', `${quoted(name)} is ${quoted(type)}; a state dict to learn from is ` +
          `${Object.keys(READERS).join(', ')}. In PyTorch, .float() before it is saved makes it so.`);
      }
      const copy = new Uint8Array(file.subarray(start, start + bytes)); // of a Node Buffer, slice would be no copy
      return [name, { shape, data: READERS[type](copy.buffer) }];
    })),
  };
}

/**
 * Puts numbers of a file into tensors of the same names and shapes; every one must be there, or none is changed.
 * @param {Weights} weights @param {Bytes} file
 * @param {string} [what] that the file is, for sentences
 * @returns {Promise<Record<string, string>>} the file's metadata
 */
export async function assign(weights, file, what) {
  needTensors('assign', weights ?? { weights });
  const { tensors, metadata } = await fromSafetensors(file, what);
  for (const [name, tensor] of Object.entries(weights)) {
    const stored = tensors[name];
    if (!stored) throw new HeedError('bad-tensor', `The file has no ${quoted(name)}.`);
    if (sameSizes(stored.shape, tensor.axes.sizes)) continue;
    throw badShape('assign', `${quoted(name)} is [${stored.shape}] in the file, ${describe(tensor.axes)} here`);
  }
  for (const [name, tensor] of Object.entries(weights)) tensor.set(tensors[name].data);
  return metadata;
}
