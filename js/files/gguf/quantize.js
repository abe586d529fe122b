/**
 * Encodes and decodes numbers of GGUF files, for converters and tests.
 *
 * Rounding follows ggml (`quantize_row_q8_0_ref`, `quantize_row_q4_0_ref`, `ggml_compute_fp32_to_bf16` in ggml-quants.c
 * and ggml-impl.h).  It uses single precision where ggml does, so files equal llama.cpp's files byte for byte.
 */
import { floatFromHalf, halfFromFloat } from '../half.js';

const BLOCK = 32;

/** @typedef {'f32' | 'f16' | 'bf16' | 'q8_0' | 'q4_0'} TypeName */

/** Number of each type in GGUF, and elements and bytes of a block.
 *  @type {Record<TypeName, { number: number, elements: number, bytes: number }>} */
export const TYPES = {
  f32: { number: 0, elements: 1, bytes: 4 },
  f16: { number: 1, elements: 1, bytes: 2 },
  q4_0: { number: 2, elements: BLOCK, bytes: 2 + BLOCK / 2 },
  q8_0: { number: 8, elements: BLOCK, bytes: 2 + BLOCK },
  bf16: { number: 30, elements: 1, bytes: 2 },
};

/** Bytes of a tensor, whose rows must consist of whole blocks.
 *  @param {TypeName} type @param {number[]} shape  slowest axis first */
export function byteLength(type, shape) {
  const { elements, bytes } = TYPES[type];
  const columns = shape.length > 0 ? shape[shape.length - 1] : 1;
  if (columns % elements !== 0) {
    throw new RangeError(`${type}: rows of ${columns} numbers are not a multiple of ${elements}`);
  }
  return shape.reduce((a, b) => a * b, 1) / elements * bytes;
}

/** @param {Float32Array} x @param {TypeName} type @returns {Uint8Array} the bytes of a file */
export function encode(x, type) {
  switch (type) {
    case 'f32': return bytesOf(x.slice());
    // Uint16Array.from(x, …) takes ten times as long.
    case 'f16': return bytesOf(new Uint16Array(x.map(halfFromFloat)));
    case 'bf16': return bytesOf(new Uint16Array(x.map(bfloatFromFloat)));
    case 'q8_0': return encodeBlocks(x, type, encodeQ8);
    case 'q4_0': return encodeBlocks(x, type, encodeQ4);
  }
}

/** @param {Uint8Array} bytes @param {TypeName} type @returns {Float32Array} the exact values */
export function decode(bytes, type) {
  const { elements, bytes: size } = TYPES[type];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const x = new Float32Array(bytes.byteLength / size * elements);
  switch (type) {
    case 'f32': return x.map((_, i) => view.getFloat32(4 * i, true));
    case 'f16': return x.map((_, i) => floatFromHalf(view.getUint16(2 * i, true)));
    case 'bf16': return x.map((_, i) => floatFromBits(view.getUint16(2 * i, true) << 16));
    case 'q8_0': return x.map((_, i) => {
      const block = Math.floor(i / BLOCK) * size;
      return floatFromHalf(view.getUint16(block, true)) * view.getInt8(block + 2 + i % BLOCK);
    });
    case 'q4_0': return x.map((_, i) => {
      const block = Math.floor(i / BLOCK) * size;
      const pair = view.getUint8(block + 2 + i % (BLOCK / 2));
      const nibble = i % BLOCK < BLOCK / 2 ? pair & 15 : pair >> 4;
      return floatFromHalf(view.getUint16(block, true)) * (nibble - 8);
    });
  }
}

/** @param {Float32Array} x @param {TypeName} type @param {(x: Float32Array, out: DataView) => void} encodeBlock */
function encodeBlocks(x, type, encodeBlock) {
  const size = TYPES[type].bytes;
  const out = new Uint8Array(byteLength(type, [x.length]));
  for (let block = 0; block * BLOCK < x.length; block++) {
    encodeBlock(x.subarray(block * BLOCK, (block + 1) * BLOCK), new DataView(out.buffer, block * size, size));
  }
  return out;
}

/** @param {Float32Array} x @param {DataView} out */
function encodeQ8(x, out) {
  const d = Math.fround(x.reduce((m, v) => Math.max(m, Math.abs(v)), 0) / 127);
  const inverse = d ? Math.fround(1 / d) : 0;
  out.setUint16(0, halfFromFloat(d), true);
  x.forEach((v, i) => out.setInt8(2 + i, roundAwayFromZero(Math.fround(v * inverse))));
}

/** The element of largest magnitude becomes -8 exactly, for either sign.
 *  @param {Float32Array} x @param {DataView} out */
function encodeQ4(x, out) {
  const d = Math.fround(x.reduce((m, v) => (Math.abs(v) > Math.abs(m) ? v : m), 0) / -8);
  const inverse = d ? Math.fround(1 / d) : 0;
  const nibble = (/** @type {number} */ v) => Math.min(15, Math.trunc(Math.fround(Math.fround(v * inverse) + 8.5)));
  out.setUint16(0, halfFromFloat(d), true);
  for (let i = 0; i < BLOCK / 2; i++) out.setUint8(2 + i, nibble(x[i]) | nibble(x[i + BLOCK / 2]) << 4);
}

const scratch = new DataView(new ArrayBuffer(4));

/** @param {number} x */
function bitsFromFloat(x) {
  scratch.setFloat32(0, x);
  return scratch.getUint32(0);
}

/** @param {number} bits */
function floatFromBits(bits) {
  scratch.setInt32(0, bits);
  return scratch.getFloat32(0);
}

/** The nearest bfloat16, ties to even. @param {number} x @returns {number} 16 bits */
export function bfloatFromFloat(x) {
  const bits = bitsFromFloat(x);
  if (Number.isNaN(x)) return bits >>> 16 | 64;
  return bits + 0x7fff + (bits >>> 16 & 1) >>> 16;
}

/** C's roundf. @param {number} x */
function roundAwayFromZero(x) {
  return Math.sign(x) * Math.floor(Math.abs(x) + 0.5);
}

/** @param {Float32Array | Uint16Array} array */
function bytesOf(array) {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}
