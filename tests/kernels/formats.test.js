/** Products with the formats of src/kernels/formats/formats.h, and their packing into panels, in every kernel set. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DTYPES } from '../../js/files/dtypes.js';
import { FORMATS, decodeFormat, subBlocksOf } from '../../tools/convert/formats.js';
import { quantGolden } from '../support/goldens.js';
import { ENGINES, Kernels, inOut, input, output } from '../support/kernels.js';
import {
  AFFINE_FORMATS, PANELS, Q4_0, Q8, Q8_0, activationBlocks, affineLayout, decodeBlocks, formatBlocks, layoutOf,
  packAffine, packIq4, packPanels, randomFrom,
} from '../support/numbers.js';
import { same, sameAlone } from '../support/tolerance.js';

/** @typedef {import('../support/kernels.js').Engine} Engine */
/** @typedef {import('../support/numbers.js').AffineFormat} AffineFormat */

const kernels = await Kernels.open();
const { fround } = Math;
const range = (/** @type {number} */ n) => Array.from({ length: n }, (_, i) => i);

for (const name of AFFINE_FORMATS) {
  const { number, elements, bytes, halves } = FORMATS[name];
  const columns = affineLayout(name).scales === 2 ? 16 : 32; // number of columns that share a scale
  const steps = elements / 32;

  /** The contract, operation by operation: exact integers inside a step, one rounding at each operation after it.
   * @param {Uint8Array} x @param {Uint8Array} w @param {number} T @param {number} O @param {number} blocks of a row */
  const reference = (x, w, T, O, blocks) => {
    const rows = decodeBlocks(Q8, x);
    const weights = subBlocksOf(name, w);
    const n = blocks * steps;
    return Float32Array.from({ length: T * O }, (_, i) => {
      const t = Math.floor(i / O);
      const o = i % O;
      let sum = 0;
      for (let b = 0; b < n; b++) {
        const v = rows[t * n + b];
        const u = weights[o * n + b];
        const parts = range(32 / columns).map((part) => {
          const from = part * columns;
          const q = v.q.slice(from, from + columns);
          return {
            dot: q.reduce((total, x, k) => total + u.q[from + k] * x, 0),
            minimum: fround(u.m * u.n[from >> 4] * fround(q.reduce((all, x) => all + x, 0) * v.d)),
            scale: u.s[from >> 4],
          };
        });
        if (parts.length === 2) { // integer scales multiply exact sums
          const products = parts.reduce((all, { dot, scale }) => all + scale * dot, 0);
          sum = fround(sum + fround(fround(products) * fround(u.d * v.d)));
          for (const { minimum } of parts) sum = fround(sum + minimum);
        } else {
          const [{ dot, minimum, scale }] = parts;
          sum = fround(sum + fround(fround(fround(dot) * fround(u.d * scale * v.d)) + minimum));
        }
      }
      return sum;
    });
  };
  /** @param {Engine} engine @param {Uint8Array} x @param {Uint8Array} panels
   * @param {number} T @param {number} O @param {number} blocks */
  const runPanels = (engine, x, panels, T, O, blocks, gap = 0) => {
    const size = Math.max(0, T * (O + gap) - gap);
    const args = [output(size), O + gap, input(x), input(panels), T, O, blocks * elements];
    const { written } = kernels.run(engine, `matmul_${name}`, args);
    return written[0].filter((_, i) => i % (O + gap) < O);
  };
  /** @param {Engine} engine @param {Uint8Array} x @param {Uint8Array} w
   * @param {number} T @param {number} O @param {number} blocks */
  const run = (engine, x, w, T, O, blocks) => runPanels(engine, x, packAffine(name, w, O, blocks), T, O, blocks);
  /** One row is read in each way. @param {number} T @param {number} O @param {number} blocks @param {number} [gap] */
  const check = (T, O, blocks, gap) => {
    const random = randomFrom(T * 31 + O * 1009 + blocks);
    const x = activationBlocks(random, T * blocks * steps);
    const w = formatBlocks(random, name, O * blocks);
    const expected = reference(x, w, T, O, blocks);
    const panels = packAffine(name, w, O, blocks);
    const checkSets = () => {
      for (const engine of ENGINES) {
        const found = runPanels(engine, x, panels, T, O, blocks, gap);
        same(found, expected, `${name} ${engine} T=${T} O=${O} blocks=${blocks}`);
      }
    };
    if (T === 1) kernels.eachStreams(checkSets);
    else checkSets();
  };

  describe(`matmul_${name}`, () => {
    test('the library has the same sizes for the type', () => {
      assert.deepEqual(DTYPES[number], { name: name.toUpperCase(), elements, bytes });
    });
    test('reads every weight with the bits of llama.cpp', async () => {
      const { blocks, values, columns } = await quantGolden(name);
      same(decodeFormat(name, blocks), values, 'decodeFormat');
      // A row of activations with a single 1 selects one weight of every row.
      const O = values.length / columns;
      const x = new Uint8Array(columns * columns / 32 * Q8.bytes);
      const view = new DataView(x.buffer);
      for (let i = 0; i < x.length; i += Q8.bytes) view.setFloat32(i, 1, true);
      for (let t = 0; t < columns; t++) x[(t * columns / 32 + (t >> 5)) * Q8.bytes + 4 + t % 32] = 1;
      const expected = values.map((_, i) => values[i % O * columns + Math.floor(i / O)]);
      for (const engine of ENGINES) {
        same(run(engine, x, blocks, columns, O, columns / elements), expected, engine);
        const row = x.subarray(0, columns / 32 * Q8.bytes);
        same(run(engine, row, blocks, 1, O, columns / elements), expected.subarray(0, O), `${engine}, one row`);
      }
    });
    test('gives the bits of its contract in every set, for every length', () => {
      const lengths = steps === 1 ? [...range(10), 18, 63, 64, 65, 67, 131, 259].slice(1) : [1, 2, 3, 7, 8, 9, 33];
      for (const blocks of lengths) check(steps === 1 ? 5 : 1, 2, blocks);
      for (const T of [4, 8, 12, 16]) check(T, 1, steps === 1 ? 67 : 9);
    });
    test('for every number of rows and outputs', () => {
      for (const T of [...range(10), 15, 16, 17, 23, 33]) check(T, 3, 2);
      for (const O of [...range(18), 33, 39, 40]) check(6, O, 1);
      for (const O of [15, 31, 32, 33, 63, 64, 65, 71]) for (const blocks of [1, 3]) check(1, O, blocks);
      check(1, 33, steps === 1 ? 259 : 33); // longer than a chunk
    });
    test('with gaps between the rows', () => {
      for (const gap of [1, 3]) check(6, 3, 3, gap);
    });
    test('extreme codes and scales do not overflow', () => {
      const random = randomFrom(4);
      for (const activation of [0x81, 0x7f]) {
        const x = new Uint8Array(4 * steps * Q8.bytes).fill(activation);
        for (let i = 0; i < x.length; i += Q8.bytes) new DataView(x.buffer).setFloat32(i, 1, true);
        for (const byte of [0x00, 0x7f, 0x80, 0xff, 0x1f, 0xf0]) {
          const w = formatBlocks(random, name, 1).fill(byte);
          for (const at of halves) new DataView(w.buffer).setUint16(at, 0x3c00, true); // 1
          for (const engine of ENGINES) {
            for (const T of [1, 4]) {
              const rows = x.subarray(0, T * steps * Q8.bytes);
              same(run(engine, rows, w, T, 1, 1), reference(rows, w, T, 1, 1), `${engine}, T=${T}, ${byte}`);
            }
          }
        }
      }
    });
    test('every finite scale has its value', () => {
      const random = randomFrom(3);
      for (const bits of [0x0000, 0x8000, 0x0001, 0x83ff, 0x0400, 0x7bff, 0xfbff]) {
        for (const [at, T] of halves.flatMap((at) => [[at, 1], [at, 4]])) {
          const x = activationBlocks(random, T * 2 * steps);
          const w = formatBlocks(random, name, 2);
          new DataView(w.buffer).setUint16(bytes + at, bits, true);
          const expected = reference(x, w, T, 1, 2);
          for (const engine of ENGINES) same(run(engine, x, w, T, 1, 2), expected, `${engine}, ${at} is ${bits}`);
        }
      }
    });
    test('a row has the same bits alone and among other rows', () => {
      const T = 23;
      const O = 3;
      const blocks = steps === 1 ? 37 : 5;
      const random = randomFrom(8);
      const x = activationBlocks(random, T * blocks * steps);
      const w = formatBlocks(random, name, O * blocks);
      const row = blocks * steps * Q8.bytes;
      const outputs = blocks * bytes;
      for (const engine of ENGINES) sameAlone(run.bind(null, engine), x, w, { T, O, blocks, row, outputs });
    });
  });
}

for (const name of /** @type {import('../../tools/convert/formats.js').FormatName[]} */ (Object.keys(FORMATS))) {
  const { bytes, halves } = FORMATS[name];
  /** @param {Uint8Array} w eight rows @param {number} blocks of a row */
  const expected = (w, blocks) => (name === 'iq4_nl' || name === 'iq4_xs'
    ? packIq4(name, w, 8, blocks) : packAffine(name, w, 8, blocks));
  /** @param {Engine} engine @param {Uint8Array} w @param {number} blocks @param {number} size */
  const pack = (engine, w, blocks, size) => {
    const result = kernels.run(engine, `pack_${name}`, [inOut(new Uint8Array(size).fill(0x55)), input(w), blocks]);
    return { finite: result.value, panels: result.bytes[0] };
  };

  describe(`pack_${name}`, () => {
    test('equals the definition of panels, for every number of blocks', () => {
      for (const blocks of [1, 2, 3, 5, 9, 18]) {
        const w = formatBlocks(randomFrom(blocks), name, 8 * blocks);
        const panels = expected(w, blocks);
        for (const engine of ENGINES) {
          const was = pack(engine, w, blocks, panels.length);
          assert.equal(was.finite, 1, engine);
          same(was.panels, panels, `${engine}, ${blocks} blocks`);
        }
      }
    });
    test('of equal bits', () => {
      for (const byte of [0x00, 0x0f, 0x55, 0xaa, 0xf0, 0xff]) {
        const w = new Uint8Array(8 * bytes).fill(byte);
        for (let b = 0; b < 8; b++) {
          for (const at of halves) new DataView(w.buffer).setUint16(b * bytes + at, 0x3c00, true);
        }
        const panels = expected(w, 1);
        for (const engine of ENGINES) same(pack(engine, w, 1, panels.length).panels, panels, `${engine}, ${byte}`);
      }
    });
    test('finds a number that is not finite in every place', () => {
      for (const engine of ENGINES) {
        for (let b = 0; b < 16; b++) {
          for (const at of halves) {
            const w = formatBlocks(randomFrom(b), name, 16);
            const size = expected(w, 2).length;
            new DataView(w.buffer).setUint16(b * bytes + at, b % 2 ? 0xfc00 : 0x7e01, true);
            assert.equal(pack(engine, w, 2, size).finite, 0, `${engine}, block ${b}, byte ${at}`);
          }
        }
      }
    });
  });
}

describe('reading panels as codes', () => {
  const HEED_CODE = 8191;

  /**
   * The codes of 32 columns against the numbers of the file, and equal bits in every set.
   * @param {string} kernel @param {Uint8Array} panels @param {number} stride of rows of panels
   * @param {number[][]} expected [rows][32] @param {import('../support/kernels.js').Argument[]} [more]
   */
  function check(kernel, panels, stride, expected, more = []) {
    const rows = expected.length;
    const all = ENGINES.map((engine) => {
      const y = new Uint8Array(4 * 32 + 2 * 32 * rows).fill(0xff);
      return kernels.run(engine, `read_${kernel}`, [inOut(y), input(panels), stride, rows, ...more]).bytes[0];
    });
    for (const bytes of all) same(bytes, all[0], `${kernel}, ${rows} rows`);
    const scales = new Float32Array(all[0].slice(0, 128).buffer);
    const codes = new Int16Array(all[0].slice(128).buffer);
    const d = scales[0];
    assert.ok(scales.every((scale) => Object.is(scale, d)), 'one scale for all columns');
    const largest = codes.reduce((most, code) => Math.max(most, Math.abs(code)), 0);
    assert.ok(largest <= HEED_CODE + 1, `a code of ${largest}`);
    for (let row = 0; row < rows; row++) {
      for (let i = 0; i < 32; i++) {
        // the layout of keys: [4 panels][pairs of rows][8 columns][2 rows]
        const code = codes[((i >> 3) * (rows / 2) + (row >> 1)) * 16 + i % 8 * 2 + row % 2];
        // half a unit of the scale, the minimum and the product
        assert.ok(Math.abs(code * d - expected[row][i]) <= 1.501 * d, `row ${row}, column ${i}: ${code * d}, not ${
          expected[row][i]}`);
      }
    }
    return { d, largest };
  }
  /** @param {ArrayLike<number>} values [rows][n] @param {number} rows @param {number} n @param {number} from */
  const columnsOf = (values, rows, n, from) => Array.from({ length: rows }, (_, row) =>
    Array.from({ length: 32 }, (_, i) => values[row * n + from + i]));

  for (const name of AFFINE_FORMATS) {
    test(`${name}, close to the numbers of the file`, () => {
      const { elements } = FORMATS[name];
      for (const [rows, blocks] of [[8, 1], [16, 3], [128, 2]]) {
        const w = formatBlocks(randomFrom(rows), name, rows * blocks);
        const panels = packAffine(name, w, rows, blocks);
        const stride = panels.length / (rows / 8), values = decodeFormat(name, w);
        for (let from = 0; from < blocks * elements; from += 32) {
          const first = Math.floor(from / elements) * (stride / blocks);
          const columns = columnsOf(values, rows, blocks * elements, from);
          const { d, largest } = check('affine', panels.slice(first), stride, columns,
            [from % elements / 32, input(layoutOf(name))]);
          const most = Math.max(...columns.flat().map(Math.abs));
          assert.ok(largest > HEED_CODE / 2 && most <= (HEED_CODE + 2) * d, `codes up to ${largest} use their bits`);
        }
      }
    });
  }
  for (const [name, type] of /** @type {const} */ ([['q8_0', Q8_0], ['q4_0', Q4_0]])) {
    /** @param {number} rows @param {number} blocks @param {number[]} scales of blocks in turns */
    const blocksOf = (rows, blocks, scales) => {
      const random = randomFrom(rows);
      const w = Uint8Array.from({ length: rows * blocks * type.bytes }, () => 256 * random());
      for (let b = 0; b < rows * blocks; b++) {
        new DataView(w.buffer).setUint16(b * type.bytes, scales[b % scales.length], true);
      }
      return w;
    };
    test(`${name}, every code with scales of both signs, 0 and the largest`, () => {
      for (const [rows, blocks] of [[8, 1], [16, 3], [128, 2]]) {
        const w = blocksOf(rows, blocks, [0x3c00, 0xb555, 0x0000, 0x8000, 0x7bff, 0x0001, 0x3000]);
        const values = decodeBlocks(type, w).flatMap(({ d, q }) => Array.from(q, (code) => fround(d * code)));
        const panels = packPanels(name, w, rows, blocks);
        for (let b = 0; b < blocks; b++) {
          check(name, panels.slice(b * PANELS[name].bytes), blocks, columnsOf(values, rows, 32 * blocks, 32 * b));
        }
      }
    });
    test(`${name} of zeros`, () => {
      const w = blocksOf(8, 1, [0]);
      const zeros = Array.from({ length: 8 }, () => Array(32).fill(0));
      assert.deepEqual(check(name, packPanels(name, w, 8, 1), 1, zeros), { d: 0, largest: 0 });
    });
  }
});
