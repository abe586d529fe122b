/**
 * Encodes numbers in the block formats of formats.js. The largest number of a group decides its scale, where llama.cpp
 * searches for better scales. Files made here are for tests, which compare two readers of one file.
 */
import { FORMATS } from './formats.js';
import { floatFromHalf, halfFromFloat } from '../../js/files/half.js';

/** @typedef {import('./formats.js').FormatName} FormatName */
/**
 * A step of 32: stored codes, and scales and minima of its halves.
 * @typedef {{ q: number[], s: number[], n: number[] }} Codes
 * @typedef {object} Rule
 * @property {number} group        numbers that share a scale: 16 or 32; without integer scales, the whole block
 * @property {number} scales       largest code of a scale; 0: a block has one scale, which is not a code
 * @property {number[]} values     values of the codes 0, 1, …, before the scale
 * @property {1 | -1 | 0} minimum  its sign in the sum; 0: without
 * @property {(put: Put, k: number, codes: Codes) => void} pack a step into its block, which is zeros
 * @typedef {(at: number, shift: number, value: number) => void} Put sets bits of a byte
 */

const range = (/** @type {number} */ n) => Array.from({ length: n }, (_, i) => i);
const signed = (/** @type {number} */ bits) => range(2 ** bits).map((i) => i - 2 ** (bits - 1));
const IQ4 = [-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113];

/** @param {Put} put @param {number} at @param {number[]} q */
const nibbles = (put, at, q) => q.forEach((code, i) => put(at + i % 16, i < 16 ? 0 : 4, code & 15));
/** @param {Put} put @param {number} at @param {number[]} q */
const fifthBits = (put, at, q) => q.forEach((code, i) => put(at + (i >> 3), i & 7, code >> 4));

/** Inverse of get_scale_min_k4. @param {Put} put @param {number} j @param {Codes} codes */
function scaleAndMinimum(put, j, { s: [s], n: [n] }) {
  if (j < 4) {
    put(4 + j, 0, s);
    put(8 + j, 0, n);
  } else {
    put(8 + j, 0, s & 15 | (n & 15) << 4);
    put(j, 6, s >> 4);
    put(4 + j, 6, n >> 4);
  }
}

/** @type {Record<FormatName, Rule>} */
const RULES = {
  q4_1: { group: 32, scales: 0, values: range(16), minimum: 1, pack: (put, _, { q }) => nibbles(put, 4, q) },
  q5_0: {
    group: 32, scales: 0, values: signed(5), minimum: 0,
    pack(put, _, { q }) {
      fifthBits(put, 2, q);
      nibbles(put, 6, q);
    },
  },
  q5_1: {
    group: 32, scales: 0, values: range(32), minimum: 1,
    pack(put, _, { q }) {
      fifthBits(put, 4, q);
      nibbles(put, 8, q);
    },
  },
  q2_k: {
    group: 16, scales: 15, values: range(4), minimum: -1,
    pack(put, k, { q, s, n }) {
      s.forEach((scale, h) => put(2 * k + h, 0, scale | n[h] << 4));
      q.forEach((code, i) => put(16 + 32 * (k >> 2) + i, 2 * (k & 3), code));
    },
  },
  q3_k: {
    group: 16, scales: 31, values: signed(3), minimum: 0,
    pack(put, k, { q, s }) {
      s.forEach((scale, h) => {
        const j = 2 * k + h;
        const code = scale + 32;
        put(96 + j % 8, j < 8 ? 0 : 4, code & 15);
        put(104 + (j & 3), 2 * (j >> 2), code >> 4);
      });
      q.forEach((code, i) => {
        put(i, k, code >> 2);
        put(32 + 32 * (k >> 2) + i, 2 * (k & 3), code & 3);
      });
    },
  },
  q4_k: {
    group: 32, scales: 63, values: range(16), minimum: -1,
    pack(put, k, codes) {
      scaleAndMinimum(put, k, codes);
      codes.q.forEach((code, i) => put(16 + 32 * (k >> 1) + i, 4 * (k & 1), code));
    },
  },
  q5_k: {
    group: 32, scales: 63, values: range(32), minimum: -1,
    pack(put, k, codes) {
      scaleAndMinimum(put, k, codes);
      codes.q.forEach((code, i) => {
        put(16 + i, k, code >> 4);
        put(48 + 32 * (k >> 1) + i, 4 * (k & 1), code & 15);
      });
    },
  },
  q6_k: {
    group: 16, scales: 127, values: signed(6), minimum: 0,
    pack(put, k, { q, s }) {
      const part = k >> 2;
      const j = k & 3;
      s.forEach((scale, h) => put(192 + 2 * k + h, 0, scale & 255));
      q.forEach((code, i) => {
        put(64 * part + 32 * (j & 1) + i, 4 * (j >> 1), code & 15);
        put(128 + 32 * part + i, 2 * j, code >> 4);
      });
    },
  },
  iq4_nl: { group: 32, scales: 0, values: IQ4, minimum: 0, pack: (put, _, { q }) => nibbles(put, 2, q) },
  iq4_xs: {
    group: 32, scales: 31, values: IQ4, minimum: 0,
    pack(put, k, { q, s: [scale] }) {
      put(4 + (k >> 1), 4 * (k & 1), scale + 32 & 15);
      put(2 + (k >> 2), 2 * (k & 3), scale + 32 >> 4);
      nibbles(put, 8 + 16 * k, q);
    },
  },
};

/** @param {FormatName} name @param {Float32Array} x whole blocks @returns {Uint8Array} */
export function encodeFormat(name, x) {
  const { elements, bytes } = FORMATS[name];
  const out = new Uint8Array(x.length / elements * bytes);
  for (let block = 0; block < x.length / elements; block++) {
    const to = out.subarray(block * bytes, (block + 1) * bytes);
    encodeBlock(name, x.subarray(block * elements, (block + 1) * elements), to);
  }
  return out;
}

/** @param {FormatName} name @param {Float32Array} x @param {Uint8Array} out zeros */
function encodeBlock(name, x, out) {
  const { group, scales, values, minimum, pack } = RULES[name];
  const groups = range(x.length / group).map((g) => ideal(x.subarray(g * group, (g + 1) * group), values, minimum));
  const setHalf = (/** @type {number} */ at, /** @type {number} */ value) => {
    new DataView(out.buffer, out.byteOffset).setUint16(at, halfFromFloat(value), true);
    return floatFromHalf(halfFromFloat(value));
  };
  /** The scale of a block. Scales of groups are its multiples up to `scales`. @param {number[]} wanted */
  const shared = (wanted) => (scales === 0 ? wanted[0] : Math.max(...wanted.map(Math.abs)) / scales);
  const [dAt, mAt] = FORMATS[name].halves;
  const d = setHalf(dAt, shared(groups.map(({ scale }) => scale)));
  const m = minimum ? setHalf(mAt, shared(groups.map(({ least }) => least * minimum))) * minimum : 0;
  const coded = groups.map(({ scale, least }) => ({
    s: scales === 0 ? 1 : multiple(scale, d, scales),
    n: minimum === 0 ? 0 : scales === 0 ? 1 : multiple(least, m, scales),
  }));
  const put = (/** @type {number} */ at, /** @type {number} */ shift, /** @type {number} */ value) => {
    out[at] |= value << shift;
  };
  for (let k = 0; k < x.length / 32; k++) {
    const halves = [0, 16].map((i) => coded[Math.floor((32 * k + i) / group)]);
    const q = Array(32);
    for (let i = 0; i < 32; i++) {
      const { s, n } = halves[i >> 4];
      q[i] = nearest(values, d * s === 0 ? 0 : (x[32 * k + i] - m * n) / (d * s));
    }
    pack(put, k, { q, s: halves.map(({ s }) => s), n: halves.map(({ n }) => n) });
  }
}

/** The scale and the minimum that represent both extremes of a group.
 *  @param {Float32Array} x @param {number[]} values @param {number} minimum */
function ideal(x, values, minimum) {
  let low = x[0];
  let high = x[0];
  for (const v of x) {
    if (v < low) low = v;
    if (v > high) high = v;
  }
  if (minimum === 0) return { scale: (-low > high ? low : high) / values[0], least: 0 };
  // Minima stored as codes are subtracted, so they are at most zero.
  const least = minimum < 0 ? Math.min(0, low) : low;
  return { scale: (high - least) / values[values.length - 1], least };
}

/** @param {number} value @param {number} unit @param {number} most */
function multiple(value, unit, most) {
  return unit === 0 ? 0 : Math.max(-most, Math.min(most, Math.round(value / unit)));
}

/** The index of the nearest value. @param {number[]} values ascending @param {number} v */
function nearest(values, v) {
  if (values !== IQ4) return Math.max(0, Math.min(values.length - 1, Math.round(v) - values[0])); // one apart
  let best = 0;
  while (best < values.length - 1 && v > (values[best] + values[best + 1]) / 2) best++;
  return best;
}
