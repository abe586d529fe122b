/** Conversions of weights while loading: 16-bit numbers to float, numbers to blocks, blocks to panels. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { encode } from '../../js/files/gguf/quantize.js';
import { quantGolden, quantNumbers } from '../support/goldens.js';
import { ENGINES, Kernels, inOut, input, output } from '../support/kernels.js';
import {
  PANELS, Q4_0, Q8_0, decodeBf16, decodeF16, floats, packPanels, randomFrom,
} from '../support/numbers.js';
import { same } from '../support/tolerance.js';

/** @typedef {import('../support/kernels.js').Engine} Engine */
const kernels = await Kernels.open();
const range = (/** @type {number} */ n) => Array.from({ length: n }, (_, i) => i);

for (const [type, decode] of /** @type {const} */ ([['f16', decodeF16], ['bf16', decodeBf16]])) {
  test(`widen_${type} is exact for all 65,536 numbers, and for every length`, () => {
    const all = Uint16Array.from(range(65536));
    for (const x of [all, ...range(18).map((n) => all.subarray(15000, 15000 + n))]) {
      const expected = Float64Array.from(x, decode);
      for (const engine of ENGINES) {
        const { written } = kernels.run(engine, `widen_${type}`, [output(x.length), input(x), x.length]);
        same(written[0], expected, `${engine}, ${x.length} numbers`);
      }
    }
  });
}

for (const [name, type] of /** @type {const} */ ([['q8_0', Q8_0], ['q4_0', Q4_0]])) {
  describe(`quantize_${name}`, () => {
    /** @param {Engine} engine @param {Float32Array} x */
    const run = (engine, x) => {
      const y = inOut(new Uint8Array((x.length / 32) * type.bytes).fill(0x55));
      return kernels.run(engine, `quantize_${name}`, [y, input(x), x.length]).bytes[0];
    };
    /** @param {Float32Array} x @param {Uint8Array} [expected] */
    const check = (x, expected = encode(x, name)) => {
      for (const engine of ENGINES) assert.deepEqual(Buffer.from(run(engine, x)), Buffer.from(expected), engine);
    };

    test('writes the bytes of llama.cpp', async () => {
      check(await quantNumbers(), (await quantGolden(name)).blocks);
    });
    test('for every number of blocks, near 1 and with scales that are subnormal in half precision', () => {
      for (const n of [0, 1, 2, 3, 4, 5, 32]) check(floats(randomFrom(n), 32 * n, 10 ** (1 - (n % 6))));
    });
    test('halves round away from zero on either side, for the largest number at every place and of either sign', () => {
      for (const largest of [127, -127, 8, -8, 1]) {
        for (const at of range(32)) check(Float32Array.from(range(32), (i) => (i - 16) / 2).with(at, largest));
      }
      // The numbers next to a half, where adding a half would round to the next integer.
      const near = [0.5, 1.5, 2.5, 63.5, 64.5, 126.5].flatMap((half) =>
        [-1, 0, 1].flatMap((ulps) => [half, -half].map((x) => nextTo(x, ulps))));
      for (let i = 0; i < near.length; i += 31) {
        const x = new Float32Array(32);
        x.set([127, ...near.slice(i, i + 31)]);
        check(x);
      }
    });
    test('the first of several largest magnitudes decides the sign', () => {
      for (const [i, j] of [[0, 1], [3, 4], [15, 16], [0, 31], [7, 20]]) {
        for (const sign of [1, -1]) check(floats(randomFrom(i), 32).with(i, 2 * sign).with(j, -2 * sign));
      }
    });
    test('zeros of both signs, and scales that half precision rounds to zero', () => {
      check(new Float32Array(64));
      check(new Float32Array(32).fill(-0));
      check(floats(randomFrom(1), 64, 1e-7));
      check(floats(randomFrom(2), 64, 1e-20));
      // The inverse of the scale is not finite. A scale of zero allows all codes; the contract defines these.
      const tiny = floats(randomFrom(3), 32, 1e-39);
      const [scalar, simd128] = ENGINES.map((engine) => run(engine, tiny));
      assert.deepEqual(scalar, simd128);
      assert.equal(new DataView(scalar.buffer).getUint16(0, true) & 0x7fff, 0);
    });
    test('a scale that half precision cannot hold is infinite', () => {
      for (const engine of ENGINES) {
        const bytes = run(engine, floats(randomFrom(4), 32, 3.4e38));
        assert.equal(new DataView(bytes.buffer).getUint16(0, true) & 0x7fff, 0x7c00, engine);
      }
    });
  });

  describe(`pack_${name}`, () => {
    /** @param {Engine} engine @param {Uint8Array} blocks @param {number} count of one row */
    const run = (engine, blocks, count) => {
      const to = inOut(new Uint8Array(count * PANELS[name].bytes).fill(0x55));
      const { value, bytes } = kernels.run(engine, `pack_${name}`, [to, input(blocks), count]);
      return { finite: value, panels: bytes[0] };
    };
    /** Eight rows of any codes; scales of either sign, some subnormal. @param {number} count */
    const rows = (count) => {
      const random = randomFrom(count);
      const bytes = Uint8Array.from({ length: 8 * count * type.bytes }, () => 256 * random());
      const view = new DataView(bytes.buffer);
      for (let b = 0; b < 8 * count; b++) {
        view.setUint16(b * type.bytes, (random() < 0.3 ? 0x8000 : 0) | (random() * 0x7c00) >> (b % 2 ? 5 : 0), true);
      }
      return bytes;
    };

    test('equals the definition of panels, for every number of blocks', () => {
      for (const count of [1, 2, 3, 5, 18, 48]) {
        const blocks = rows(count);
        for (const engine of ENGINES) {
          const panels = packPanels(name, blocks, 8, count);
          assert.deepEqual(run(engine, blocks, count), { finite: 1, panels }, engine);
        }
      }
    });
    test('finds a scale that is not finite in every place', () => {
      for (const engine of ENGINES) {
        for (let b = 0; b < 16; b++) {
          const blocks = rows(2);
          new DataView(blocks.buffer).setUint16(b * type.bytes, b % 2 ? 0xfc00 : 0x7e01, true);
          assert.equal(run(engine, blocks, 2).finite, 0, `${engine}, block ${b}`);
        }
      }
    });
  });
}

/** The float a number of steps away from x. @param {number} x @param {number} steps */
function nextTo(x, steps) {
  const bits = new Int32Array(Float32Array.of(x).buffer);
  bits[0] += steps;
  return new Float32Array(bits.buffer)[0];
}
