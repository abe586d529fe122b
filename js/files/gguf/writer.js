/**
 * Writes GGUF files (https://github.com/ggml-org/ggml/blob/master/docs/gguf.md), little-endian.  Versions 2 and 3 have
 * the same layout.
 *
 *     const bytes = await writeGguf({
 *       metadata: { 'general.architecture': string('llama'), 'llama.block_count': uint32(5) },
 *       tensors: [{ name: 'output_norm.weight', type: 'f32', shape: [64], data: new Float32Array(64) }],
 *     });
 */
import { TYPES, byteLength } from './quantize.js';

/**
 * @typedef {'uint8' | 'int8' | 'uint16' | 'int16' | 'uint32' | 'int32' | 'uint64' | 'int64'} IntegerType
 * @typedef {IntegerType | 'float32' | 'float64' | 'bool' | 'string'} ScalarType
 * @typedef {number | bigint | boolean | string} Scalar
 * @typedef {{ type: ScalarType, value: Scalar } |
 *           { type: 'array', of: ScalarType, value: ArrayLike<Scalar> }} MetadataValue
 * @typedef {Record<string, MetadataValue>} Metadata
 *
 * @typedef {Uint8Array | Float32Array | Uint16Array} TensorData  bytes of the file
 * @typedef {object} Tensor
 * @property {string} name
 * @property {import('./quantize.js').TypeName | number} type  a name, or a number, which is not checked
 * @property {number[]} shape  slowest axis first; the file has the reverse order
 * @property {TensorData | (() => TensorData | Promise<TensorData>)} data  the data, or a function that is called when
 *   they are written
 *
 * @typedef {object} GgufContent
 * @property {Metadata} metadata
 * @property {Tensor[]} tensors
 * @property {2 | 3} [version]  default 3
 * @property {number} [alignment]  alignment of tensors in bytes; default 32; another value also needs
 *   `general.alignment`
 */

/** Numbers of gguf_metadata_value_type. @type {Record<string, number>} */
export const VALUE_TYPES = {
  uint8: 0, int8: 1, uint16: 2, int16: 3, uint32: 4, int32: 5, float32: 6, bool: 7, string: 8, array: 9, uint64: 10,
  int64: 11, float64: 12,
};

/** @param {string} value @returns {MetadataValue} */
export const string = (value) => ({ type: 'string', value });
/** @param {number} value @returns {MetadataValue} */
export const uint32 = (value) => ({ type: 'uint32', value });
/** @param {number} value @returns {MetadataValue} */
export const float32 = (value) => ({ type: 'float32', value });
/** @param {boolean} value @returns {MetadataValue} */
export const bool = (value) => ({ type: 'bool', value });
/** @param {ScalarType} of @param {ArrayLike<Scalar>} value @returns {MetadataValue} */
export const array = (of, value) => ({ type: 'array', of, value });

/** A whole file in memory. @param {GgufContent} content @returns {Promise<Uint8Array<ArrayBuffer>>} */
export async function writeGguf(content) {
  /** @type {Uint8Array[]} */
  const parts = [];
  for await (const part of ggufParts(content)) parts.push(part);
  const file = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    file.set(part, at);
    at += part.length;
  }
  return file;
}

/** The bytes of a file in order, one tensor at a time.
 *  @param {GgufContent} content @returns {AsyncGenerator<Uint8Array>} */
export async function* ggufParts({ metadata, tensors, version = 3, alignment = 32 }) {
  const lengths = [];
  for (const { type, shape, data } of tensors) {
    if (typeof type === 'string') lengths.push(byteLength(type, shape));
    else if (typeof data !== 'function') lengths.push(data.byteLength);
    else throw new TypeError('a tensor whose type is a number needs its data as an array');
  }
  const head = header(metadata, tensors, lengths, version, alignment);
  yield head;
  yield padding(head.length, alignment);
  for (const [i, tensor] of tensors.entries()) {
    const data = typeof tensor.data === 'function' ? await tensor.data() : tensor.data;
    if (data.byteLength !== lengths[i]) {
      throw new RangeError(`${tensor.name}: expected ${lengths[i]} bytes by type and shape, got ${data.byteLength}`);
    }
    yield new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    yield padding(lengths[i], alignment);
  }
}

/** @param {Metadata} metadata @param {Tensor[]} tensors @param {number[]} lengths @param {number} version
 *  @param {number} alignment */
function header(metadata, tensors, lengths, version, alignment) {
  const out = new ByteWriter();
  out.raw(new TextEncoder().encode('GGUF'));
  out.scalar('uint32', version);
  out.scalar('uint64', tensors.length);
  out.scalar('uint64', Object.keys(metadata).length);
  for (const [key, entry] of Object.entries(metadata)) {
    out.scalar('string', key);
    out.scalar('uint32', VALUE_TYPES[entry.type]);
    if (entry.type === 'array') {
      out.scalar('uint32', VALUE_TYPES[entry.of]);
      out.scalar('uint64', entry.value.length);
      for (const value of Array.from(entry.value)) out.scalar(entry.of, value);
    } else {
      out.scalar(entry.type, entry.value);
    }
  }
  let offset = 0;
  for (const [i, { name, type, shape }] of tensors.entries()) {
    out.scalar('string', name);
    out.scalar('uint32', shape.length);
    for (const size of shape.toReversed()) out.scalar('uint64', size);
    out.scalar('uint32', typeof type === 'string' ? TYPES[type].number : type);
    out.scalar('uint64', offset);
    offset += lengths[i] + padding(lengths[i], alignment).length;
  }
  return out.bytes();
}

/** @param {number} length @param {number} alignment */
function padding(length, alignment) {
  return new Uint8Array((alignment - length % alignment) % alignment);
}

/** A growing buffer. */
class ByteWriter {
  #buffer = new Uint8Array(1 << 16);
  #length = 0;

  /** @param {number} count @returns {DataView} a view of `count` new bytes */
  #take(count) {
    if (this.#length + count > this.#buffer.length) {
      const larger = new Uint8Array(2 * (this.#length + count));
      larger.set(this.#buffer.subarray(0, this.#length));
      this.#buffer = larger;
    }
    this.#length += count;
    return new DataView(this.#buffer.buffer, this.#length - count, count);
  }

  /** @param {Uint8Array} bytes */
  raw(bytes) {
    this.#take(bytes.length);
    this.#buffer.set(bytes, this.#length - bytes.length);
  }

  /** @param {ScalarType} type @param {Scalar} value */
  scalar(type, value) {
    switch (type) {
      case 'uint8': return this.#take(1).setUint8(0, Number(value));
      case 'int8': return this.#take(1).setInt8(0, Number(value));
      case 'uint16': return this.#take(2).setUint16(0, Number(value), true);
      case 'int16': return this.#take(2).setInt16(0, Number(value), true);
      case 'uint32': return this.#take(4).setUint32(0, Number(value), true);
      case 'int32': return this.#take(4).setInt32(0, Number(value), true);
      case 'float32': return this.#take(4).setFloat32(0, Number(value), true);
      case 'float64': return this.#take(8).setFloat64(0, Number(value), true);
      case 'uint64': return this.#take(8).setBigUint64(0, BigInt(value), true);
      case 'int64': return this.#take(8).setBigInt64(0, BigInt(value), true);
      case 'bool': return this.#take(1).setUint8(0, value ? 1 : 0);
      case 'string': {
        const bytes = new TextEncoder().encode(String(value));
        this.scalar('uint64', bytes.length);
        return this.raw(bytes);
      }
    }
  }

  bytes() {
    return this.#buffer.slice(0, this.#length);
  }
}
