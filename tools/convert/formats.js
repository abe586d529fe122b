/**
 * Decodes the block formats of GGUF files. It is written from llama.cpp's description (ggml-common.h and the
 * dequantize_row functions of ggml-quants.c), independent of the C code. Tests compare both with each other and with
 * values of llama.cpp (tests/goldens/quants).
 *
 * A step is 32 weights: w[i] = d·s·q[i] + m·n with d and m of the block and s and n of the half of the step, i / 16.
 */
import { floatFromHalf } from '../../js/files/half.js';

/**
 * @typedef {{ d: number, m: number, s: [number, number], n: [number, number], q: number[] }} SubBlock
 * @typedef {object} Format
 * @property {number} number in GGUF
 * @property {number} elements of a block
 * @property {number} bytes of a block
 * @property {number[]} halves places of its half precision numbers: d, and m where there are minima
 * @property {{ bits: number, scales: number, zero: number }} [panel] of affine formats (src/kernels/formats/affine.h):
 *   bits of memory for a code, integer scales of a sub-block, and the code of weight 0
 * @property {(block: DataView, k: number) => SubBlock} subBlock decodes sub-block k
 */

const range = (/** @type {number} */ n) => Array.from({ length: n }, (_, i) => i);
const half = (/** @type {DataView} */ block, /** @type {number} */ at) => floatFromHalf(block.getUint16(at, true));
const byte = (/** @type {DataView} */ block, /** @type {number} */ at) => block.getUint8(at);

/** Blocks of 32: element j and element j + 16 share byte j. @param {DataView} block @param {number} at */
const nibbles = (block, at) =>
  range(32).map((i) => (i < 16 ? byte(block, at + i) & 15 : byte(block, at + i - 16) >> 4));
/** The fifth bits of 32 codes. @param {DataView} block @param {number} at */
const fifthBits = (block, at) => range(32).map((i) => (block.getUint32(at, true) >>> i & 1) << 4);

const IQ4 = [-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113];

/** get_scale_min_k4: eight scales and eight minima of six bits in twelve bytes.
 *  @param {DataView} block @param {number} at @param {number} j @returns {[scale: number, minimum: number]} */
function scaleAndMinimum(block, at, j) {
  const q = (/** @type {number} */ i) => byte(block, at + i);
  if (j < 4) return [q(j) & 63, q(j + 4) & 63];
  return [q(j + 4) & 15 | q(j - 4) >> 6 << 4, q(j + 4) >> 4 | q(j) >> 6 << 4];
}

/** Q4_K and Q5_K without their codes. @param {DataView} block @param {number} j @returns {Omit<SubBlock, 'q'>} */
function scalesOfSixBits(block, j) {
  const [s, n] = scaleAndMinimum(block, 4, j);
  return { d: half(block, 0), m: -half(block, 2), s: [s, s], n: [n, n] };
}

/** @typedef {'q4_1' | 'q5_0' | 'q5_1' | 'q2_k' | 'q3_k' | 'q4_k' | 'q5_k' | 'q6_k' | 'iq4_nl' | 'iq4_xs'} FormatName */

/** @type {Record<FormatName, Format>} */
export const FORMATS = {
  q4_1: {
    number: 3, elements: 32, bytes: 20, halves: [0, 2],
    panel: { bits: 4, scales: 0, zero: 0 },
    subBlock: (block) => ({ d: half(block, 0), m: half(block, 2), s: [1, 1], n: [1, 1], q: nibbles(block, 4) }),
  },
  q5_0: {
    number: 6, elements: 32, bytes: 22, halves: [0],
    panel: { bits: 5.5, scales: 0, zero: 16 },
    subBlock(block) {
      const high = fifthBits(block, 2);
      const q = nibbles(block, 6).map((low, i) => (low | high[i]) - 16);
      return { d: half(block, 0), m: 0, s: [1, 1], n: [0, 0], q };
    },
  },
  q5_1: {
    number: 7, elements: 32, bytes: 24, halves: [0, 2],
    panel: { bits: 5.5, scales: 0, zero: 0 },
    subBlock(block) {
      const high = fifthBits(block, 4);
      const q = nibbles(block, 8).map((low, i) => low | high[i]);
      return { d: half(block, 0), m: half(block, 2), s: [1, 1], n: [1, 1], q };
    },
  },
  q2_k: {
    number: 10, elements: 256, bytes: 84, halves: [80, 82],
    panel: { bits: 4, scales: 2, zero: 0 },
    subBlock(block, k) {
      const low = byte(block, 2 * k);
      const high = byte(block, 2 * k + 1);
      const q = range(32).map((i) => byte(block, 16 + 32 * (k >> 2) + i) >> 2 * (k & 3) & 3);
      return { d: half(block, 80), m: -half(block, 82), s: [low & 15, high & 15], n: [low >> 4, high >> 4], q };
    },
  },
  q3_k: {
    number: 11, elements: 256, bytes: 110, halves: [108],
    panel: { bits: 4, scales: 2, zero: 4 },
    subBlock(block, k) {
      const scale = (/** @type {number} */ j) => {
        const low = j < 8 ? byte(block, 96 + j) & 15 : byte(block, 96 + j - 8) >> 4;
        return (low | (byte(block, 104 + (j & 3)) >> 2 * (j >> 2) & 3) << 4) - 32;
      };
      const q = range(32).map((i) => {
        const low = byte(block, 32 + 32 * (k >> 2) + i) >> 2 * (k & 3) & 3;
        return byte(block, i) >> k & 1 ? low : low - 4;
      });
      return { d: half(block, 108), m: 0, s: [scale(2 * k), scale(2 * k + 1)], n: [0, 0], q };
    },
  },
  q4_k: {
    number: 12, elements: 256, bytes: 144, halves: [0, 2],
    panel: { bits: 4, scales: 1, zero: 0 },
    subBlock(block, k) {
      const q = range(32).map((i) => byte(block, 16 + 32 * (k >> 1) + i) >> 4 * (k & 1) & 15);
      return { ...scalesOfSixBits(block, k), q };
    },
  },
  q5_k: {
    number: 13, elements: 256, bytes: 176, halves: [0, 2],
    panel: { bits: 5.5, scales: 1, zero: 0 },
    subBlock(block, k) {
      const q = range(32).map((i) =>
        byte(block, 48 + 32 * (k >> 1) + i) >> 4 * (k & 1) & 15 | (byte(block, 16 + i) >> k & 1) << 4);
      return { ...scalesOfSixBits(block, k), q };
    },
  },
  q6_k: {
    number: 14, elements: 256, bytes: 210, halves: [208],
    panel: { bits: 8, scales: 2, zero: 32 },
    subBlock(block, k) {
      const part = k >> 2;
      const j = k & 3;
      const q = range(32).map((i) => {
        const low = byte(block, 64 * part + 32 * (j & 1) + i) >> 4 * (j >> 1) & 15;
        return (low | (byte(block, 128 + 32 * part + i) >> 2 * j & 3) << 4) - 32;
      });
      const s = /** @type {[number, number]} */ ([0, 1].map((h) => block.getInt8(192 + 2 * k + h)));
      return { d: half(block, 208), m: 0, s, n: [0, 0], q };
    },
  },
  iq4_nl: {
    number: 20, elements: 32, bytes: 18, halves: [0],
    subBlock: (block) => ({ d: half(block, 0), m: 0, s: [1, 1], n: [0, 0], q: nibbles(block, 2).map((i) => IQ4[i]) }),
  },
  iq4_xs: {
    number: 23, elements: 256, bytes: 136, halves: [0],
    subBlock(block, k) {
      const s = (byte(block, 4 + (k >> 1)) >> 4 * (k & 1) & 15 | (block.getUint16(2, true) >> 2 * k & 3) << 4) - 32;
      const q = nibbles(block, 8 + 16 * k).map((i) => IQ4[i]);
      return { d: half(block, 0), m: 0, s: [s, s], n: [0, 0], q };
    },
  },
};

/** Every step of some blocks. @param {FormatName} name @param {Uint8Array} bytes @returns {SubBlock[]} */
export function subBlocksOf(name, bytes) {
  const { elements, bytes: size, subBlock } = FORMATS[name];
  return range(bytes.length / size * elements / 32).map((k) => {
    const block = Math.floor(k / (elements / 32));
    return subBlock(new DataView(bytes.buffer, bytes.byteOffset + block * size, size), k % (elements / 32));
  });
}

/** The weights of some blocks, rounded once to single precision.
 *  @param {FormatName} name @param {Uint8Array} bytes @returns {Float32Array} */
export function decodeFormat(name, bytes) {
  return Float32Array.from(subBlocksOf(name, bytes).flatMap(({ d, m, s, n, q }) =>
    q.map((code, i) => d * s[i >> 4] * code + m * n[i >> 4])));
}
