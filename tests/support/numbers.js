/** Numbers for tests: seeded ones, and 16-bit and block formats decoded from their definitions. */
import { FORMATS, subBlocksOf } from '../../tools/convert/formats.js';

/** Uniform in [0, 1). Mulberry32: 32 bits of state. @param {number} seed */
export function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** n floats in (-scale, scale). @param {() => number} random @param {number} n @param {number} [scale] */
export const floats = (random, n, scale = 1) => Float32Array.from({ length: n }, () => (2 * random() - 1) * scale);

/** IEEE 754-2019, 3.4: binary16. @param {number} h 16 bits */
export function decodeF16(h) {
  const sign = h >> 15 ? -1 : 1;
  const exponent = (h >> 10) & 31;
  const mantissa = h & 1023;
  if (exponent === 31) return mantissa ? NaN : sign * Infinity;
  return sign * (exponent ? (1 + mantissa / 1024) * 2 ** (exponent - 15) : (mantissa / 1024) * 2 ** -14);
}

/** bfloat16: binary32 without its lower half. @param {number} h 16 bits */
export function decodeBf16(h) {
  const sign = h >> 15 ? -1 : 1;
  const exponent = (h >> 7) & 255;
  const mantissa = h & 127;
  if (exponent === 255) return mantissa ? NaN : sign * Infinity;
  return sign * (exponent ? (1 + mantissa / 128) * 2 ** (exponent - 127) : (mantissa / 128) * 2 ** -126);
}

/**
 * Blocks of 32, GGML's layout.
 * @typedef {{ d: number, q: number[] }} Block scale and the 32 integers it multiplies
 * @typedef {{ bytes: number, decode: (view: DataView, at: number) => Block }} BlockType
 */

/** @type {BlockType} */
export const Q8_0 = {
  bytes: 34,
  decode: (view, at) => ({
    d: decodeF16(view.getUint16(at, true)),
    q: Array.from({ length: 32 }, (_, i) => view.getInt8(at + 2 + i)),
  }),
};

/** @type {BlockType} */
export const Q4_0 = {
  bytes: 18,
  decode: (view, at) => ({
    d: decodeF16(view.getUint16(at, true)),
    q: Array.from({ length: 32 }, (_, i) => {
      const byte = view.getUint8(at + 2 + (i % 16));
      return (i < 16 ? byte & 15 : byte >> 4) - 8;
    }),
  }),
};

/** heed_block_q8 of kernels.h. @type {BlockType} */
export const Q8 = {
  bytes: 36,
  decode: (view, at) => ({
    d: view.getFloat32(at, true),
    q: Array.from({ length: 32 }, (_, i) => view.getInt8(at + 4 + i)),
  }),
};

/** @param {BlockType} type @param {Uint8Array} bytes @returns {Block[]} */
export function decodeBlocks(type, bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: bytes.length / type.bytes }, (_, i) => type.decode(view, i * type.bytes));
}

/** Rows that kernels read side by side. */
const PANEL = 8;

/** Bytes of one panel: eight scales, and the codes of eight blocks. */
export const PANELS = { q8_0: { bytes: PANEL * (4 + 32) }, q4_0: { bytes: PANEL * (2 + 16) } };

/** In panels of Q8_0, codes of even columns have their sign bit flipped. @param {number} column */
const flipQ8 = (column) => (column % 2 ? 0 : 0x80);

/**
 * heed_panel_q8_0 and heed_panel_q4_0 of kernels.h, written from their definition: eight rows side by side, in blocks.
 * @param {keyof typeof PANELS} name
 * @param {Uint8Array} w rows of blocks
 * @param {number} rows
 * @param {number} blocks in a row
 */
export function packPanels(name, w, rows, blocks) {
  const type = { q8_0: Q8_0, q4_0: Q4_0 }[name];
  const { bytes } = PANELS[name];
  const panels = new Uint8Array(Math.ceil(rows / PANEL) * blocks * bytes);
  const from = new DataView(w.buffer, w.byteOffset, w.byteLength);
  const to = new DataView(panels.buffer);
  for (let row = 0; row < rows; row++) {
    for (let b = 0; b < blocks; b++) {
      const block = (row * blocks + b) * type.bytes;
      const panel = (Math.floor(row / PANEL) * blocks + b) * bytes;
      const lane = row % PANEL;
      if (name === 'q8_0') to.setFloat32(panel + 4 * lane, decodeF16(from.getUint16(block, true)), true);
      else to.setUint16(panel + 2 * lane, from.getUint16(block, true), true);
      const codes = panel + (name === 'q8_0' ? 4 : 2) * PANEL;
      for (let i = 0; i < type.bytes - 2; i++) {
        const flip = name === 'q8_0' ? flipQ8(i) : 0;
        panels[codes + (i >> 2) * 4 * PANEL + 4 * lane + (i & 3)] = w[block + 2 + i] ^ flip;
      }
    }
  }
  return panels;
}

/** @typedef {Exclude<import('../../tools/convert/formats.js').FormatName, 'iq4_nl' | 'iq4_xs'>} AffineFormat */

/** Formats with a panel layout; IQ4 becomes panels of Q8_0. */
export const AFFINE_FORMATS = /** @type {AffineFormat[]} */ (
  Object.entries(FORMATS).flatMap(([name, { panel }]) => (panel ? [name] : [])));

/** @param {AffineFormat} name */
export const affineLayout = (name) =>
  /** @type {NonNullable<import('../../tools/convert/formats.js').Format['panel']>} */ (FORMATS[name].panel);

/** affine_layout of formats.h; a name begins with the bits of a code. @param {AffineFormat} name */
export function layoutOf(name) {
  const { scales, zero } = affineLayout(name);
  const { elements, halves } = FORMATS[name];
  return Int32Array.of(elements / 32, Number(name[1]), scales, halves.length - 1, zero);
}

/** Stores the code of column c of a row among the codes of its sub-block: a byte, a nibble, or three in 16 bits.
 *  @typedef {(panel: DataView, at: number, lane: number, c: number, code: number) => void} Put */

/** @type {Put} */
const putByte = (panel, at, lane, c, code) => panel.setUint8(at + (c >> 2) * 4 * PANEL + 4 * lane + c % 4, code);

/** @type {Put} */
function putNibble(panel, codes, lane, c, code) {
  const packed = (c & 16) / 2 + c % 8;
  const at = codes + (packed >> 2) * 4 * PANEL + 4 * lane + packed % 4;
  panel.setUint8(at, panel.getUint8(at) | code << (c & 8 ? 4 : 0));
}

/** @type {Put} */
function putThird(panel, codes, lane, c, code) {
  const pair = 2 * (c >> 2) + c % 2;
  const i = c % 4 >> 1;
  if (pair === 15) return panel.setUint8(codes + 5 * 4 * PANEL + 2 * lane + i, code);
  const at = codes + Math.floor(pair / 3) * 4 * PANEL + 4 * lane + 2 * i;
  panel.setUint16(at, panel.getUint16(at, true) | code << 5 * (pair % 3), true);
}

/** Bytes of one panel: eight blocks. @param {AffineFormat} name */
export function affinePanelBytes(name) {
  const { bits, scales } = affineLayout(name);
  const { elements, halves } = FORMATS[name];
  return PANEL * (halves.length * (2 + elements / 32 * scales) + elements * bits / 8);
}

/**
 * Panels of an affine format, written from their definition.
 * @param {AffineFormat} name
 * @param {Uint8Array} w rows of blocks
 * @param {number} rows
 * @param {number} blocks in a row
 */
export function packAffine(name, w, rows, blocks) {
  const { bits, scales, zero } = affineLayout(name);
  const { bytes, elements, halves, subBlock: read } = FORMATS[name];
  const steps = elements / 32;
  const size = affinePanelBytes(name);
  const panels = new Uint8Array(Math.ceil(rows / PANEL) * blocks * size);
  const put = { 4: putNibble, 5.5: putThird, 8: putByte }[bits];
  for (let i = 0; i < rows * blocks; i++) {
    const row = Math.floor(i / blocks);
    const lane = Math.floor(i / blocks) % PANEL;
    const block = new DataView(w.buffer, w.byteOffset + i * bytes, bytes);
    const panel = new DataView(panels.buffer, (Math.floor(row / PANEL) * blocks + i % blocks) * size, size);
    const minus = elements === 256 ? 0x8000 : 0; // blocks of 256 subtract their minima
    halves.forEach((at, h) =>
      panel.setUint16((h * PANEL + lane) * 2, block.getUint16(at, true) ^ (h ? minus : 0), true));
    const first = 2 * PANEL * halves.length;
    const some = PANEL * scales;
    const codes = first + steps * some * halves.length;
    for (let k = 0; k < steps; k++) {
      const { s, n, q } = read(block, k);
      for (let part = 0; part < scales; part++) {
        panel.setInt8(first + k * some + part * PANEL + lane, s[part]);
        if (halves.length > 1) panel.setInt8(first + (steps + k) * some + part * PANEL + lane, n[part]);
      }
      q.forEach((code, c) => put(panel, codes + k * 32 * bits, lane, c, code + zero));
    }
  }
  return panels;
}

/**
 * Panels of Q8_0 from blocks of IQ4, written from their definition: d is d·s of the sub-block.
 * @param {'iq4_nl' | 'iq4_xs'} name
 * @param {Uint8Array} w rows of blocks
 * @param {number} rows
 * @param {number} blocks in a row
 */
export function packIq4(name, w, rows, blocks) {
  const steps = blocks * FORMATS[name].elements / 32;
  const panels = new DataView(new ArrayBuffer(Math.ceil(rows / PANEL) * steps * PANELS.q8_0.bytes));
  subBlocksOf(name, w).forEach(({ d, s, q }, i) => {
    const row = Math.floor(i / steps);
    const at = (Math.floor(row / PANEL) * steps + i % steps) * PANELS.q8_0.bytes;
    const lane = 4 * (row % PANEL);
    panels.setFloat32(at + lane, d * s[0], true);
    q.forEach((code, k) => panels.setInt8(at + 4 * PANEL + (k >> 2) * 4 * PANEL + lane + k % 4, code ^ flipQ8(k)));
  });
  return new Uint8Array(panels.buffer);
}

/** @param {() => number} random @param {number} n blocks of q8 @param {(i: number) => number} [scale] */
export function activationBlocks(random, n, scale = () => random() / 100) {
  const bytes = Uint8Array.from({ length: n * Q8.bytes }, () => 256 * random());
  const view = new DataView(bytes.buffer);
  for (let b = 0; b < n; b++) {
    view.setFloat32(b * Q8.bytes, scale(b), true);
    for (let i = 0; i < 32; i++) view.setInt8(b * Q8.bytes + 4 + i, Math.round(254 * random() - 127));
  }
  return bytes;
}

/**
 * Random blocks of a format: any bits as codes and scales; d and m of either sign, sometimes subnormal.
 * @param {() => number} random
 * @param {import('../../tools/convert/formats.js').FormatName} name
 * @param {number} n blocks
 */
export function formatBlocks(random, name, n) {
  const { bytes, halves } = FORMATS[name];
  const blocks = Uint8Array.from({ length: n * bytes }, () => 256 * random());
  const view = new DataView(blocks.buffer);
  for (let b = 0; b < n; b++) {
    for (const at of halves) view.setUint16(b * bytes + at, (random() < 0.2 ? 0x8000 : 0) | (random() * 0x3000), true);
  }
  return blocks;
}
