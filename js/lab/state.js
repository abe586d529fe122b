/**
 * State dicts as safetensors files. Values keep their bits unless half precision is requested.
 * @see https://huggingface.co/docs/safetensors
 */
import { HeedError, quoted } from '../errors.js';
import { floatFromHalf, halfFromFloat } from '../files/half.js';
import { readHeader } from '../files/safetensors/header.js';
import { writeSafetensors } from '../files/safetensors/writer.js';
import { StreamReader } from '../files/stream.js';
import { needOptions } from '../options.js';
import { kindOf, needOneOf, needTensors } from './arguments.js';
import { badShape, describe, sameSizes } from './axes.js';

/** @typedef {import('./blocks.js').Weights} Weights */

/** Contents of a file. A `File` is a `Blob`. @typedef {Uint8Array | ArrayBuffer | Blob} Bytes */

/**
 * Options of `save`.
 * @typedef {object} SaveOptions
 * @property {'F32' | 'F16'} [dtype]  type of the stored numbers; 'F16' halves the file and rounds to 11 bits;
 *   default 'F32'
 */

/** Types that heed writes, with conversions. */
const STORED = {
  F32: {
    write: (/** @type {Float32Array} */ data) => data,
    read: (/** @type {ArrayBufferLike} */ stored) => new Float32Array(stored),
  },
  F16: {
    write: (/** @type {Float32Array} */ data) => new Uint16Array(data.map(halfFromFloat)),
    read: (/** @type {ArrayBufferLike} */ stored) => new Float32Array(new Uint16Array(stored)).map(floatFromHalf),
  },
};

/** A bfloat16 is the upper half of a float32. @param {ArrayBufferLike} stored */
const fromBfloat = (stored) =>
  new Float32Array(new Uint32Array(new Uint16Array(stored)).map((half) => half << 16).buffer);
/** Conversions of the types that heed reads. @type {Record<string, (stored: ArrayBufferLike) => Float32Array>} */
const READERS = { F32: STORED.F32.read, F16: STORED.F16.read, BF16: fromBfloat };

/**
 * Writes tensors as a safetensors file, which PyTorch and Hugging Face libraries read.
 * @param {Weights} weights  tensors by name
 * @param {Record<string, string>} [metadata]  texts for the file's header
 * @param {SaveOptions} [options]  settings
 * @returns {Uint8Array<ArrayBuffer>} bytes of the file
 * @throws {HeedError} 'bad-argument'
 */
export function toSafetensors(weights, metadata = {}, options = {}) {
  needOptions('save', options, ['dtype']);
  const { dtype = 'F32' } = options;
  needTensors('save', weights ?? { weights });
  needOneOf('save', 'dtype', dtype, Object.keys(STORED));
  const strange = Object.entries(metadata).find(([, value]) => typeof value !== 'string');
  if (strange) {
    throw new HeedError('bad-argument', `save: metadata.${strange[0]} is ${kindOf(strange[1])}. The format stores ` +
      'texts there: pass JSON.stringify of the value.');
  }
  const tensors = Object.entries(weights).map(([name, { axes, data }]) =>
    [name, { dtype, shape: axes.sizes, data: STORED[dtype].write(data) }]);
  return writeSafetensors(Object.fromEntries(tensors), { format: 'pt', ...metadata });
}

/** @param {Bytes} file @returns {Promise<Uint8Array>} @throws {HeedError} 'bad-source' */
async function bytesOf(file) {
  if (file instanceof Uint8Array) return file;
  if (file instanceof ArrayBuffer) return new Uint8Array(file);
  if (typeof Blob === 'function' && file instanceof Blob) return new Uint8Array(await file.arrayBuffer());
  throw new HeedError('bad-source', `Expected the bytes of a safetensors file as a Uint8Array, an ArrayBuffer or ` +
    `a File, got ${kindOf(file)}.`);
}

/**
 * Reads a safetensors file without a lab.
 * @param {Bytes} source  bytes of the file; tensors of type F32, F16 or BF16
 * @param {string} [what]  name of the file in messages
 * @returns {Promise<{ tensors: Record<string, { shape: number[], data: Float32Array }>, metadata: Record<string,
 *   string> }>} numbers by tensor name; the file's metadata
 * @throws {HeedError} 'bad-source', 'bad-file', 'truncated', 'too-large', 'unsupported' for another tensor type
 */
export async function fromSafetensors(source, what = 'the state dict') {
  const file = await bytesOf(source);
  if (String.fromCharCode(...file.subarray(0, 4)) === 'GGUF') {
    throw new HeedError('bad-file', `${what} is a GGUF file. Expected safetensors, as lab.save and heed train write ` +
      'them; load of heed opens GGUF.');
  }
  const chunks = (async function* once() { yield file; })();
  const { tensors, metadata } = await readHeader(new StreamReader(chunks, { name: what }), what, file.byteLength);
  return {
    metadata,
    tensors: Object.fromEntries(tensors.map(({ name, type, shape, start, bytes }) => {
      if (!Object.hasOwn(READERS, type)) {
        throw new HeedError('unsupported', `${quoted(name)} has the type ${quoted(type)}; expected ` +
          `${Object.keys(READERS).join(', ')}. In PyTorch, call .float() before you save the tensor.`);
      }
      const copy = new Uint8Array(file.subarray(start, start + bytes)); // slice() of a Node Buffer makes no copy
      return [name, { shape, data: READERS[type](copy.buffer) }];
    })),
  };
}

/**
 * Copies the values of a safetensors file into existing tensors.
 * @see {@link import('./index.js').Lab.assign}
 * @param {Weights} weights  tensors by name
 * @param {Bytes} file  bytes of the file
 * @param {string} [what]  name of the file in messages
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
