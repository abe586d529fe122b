/** Products: weights of every type, activations to blocks, patterns with values. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ENGINES, Kernels, inOut, input, output, UNTOUCHED } from '../support/kernels.js';
import {
  Q4_0, Q8, Q8_0, activationBlocks, decodeBf16, decodeBlocks, decodeF16, floats, packPanels, randomFrom,
} from '../support/numbers.js';
import { U, gamma, same, sameAlone, sameBits, sumOfProducts, within } from '../support/tolerance.js';

/** @typedef {import('../support/kernels.js').Engine} Engine */
const kernels = await Kernels.open();
const { fround } = Math;
const range = (/** @type {number} */ n) => Array.from({ length: n }, (_, i) => i);
const SIZES = [...range(18), 31, 32, 33, 63, 64, 65, 127, 128, 1023];

/** The rows of a matrix with the given stride; the gaps must be untouched.
 * @param {Float32Array} data @param {number} T @param {number} n @param {number} stride */
function rowsOf(data, T, n, stride) {
  const between = data.filter((_, i) => i % stride >= n);
  sameBits(between, new Float32Array(new Uint32Array(between.length).fill(new Uint32Array(UNTOUCHED.buffer)[0]).buffer),
    'between the rows');
  return Float32Array.from({ length: T * n }, (_, i) => data[Math.floor(i / n) * stride + (i % n)]);
}

/** Weights of floating types: how to make n of them, and their values. */
const FLOAT_TYPES = {
  f32: { make: floats, decode: (/** @type {number} */ w) => w },
  // Signs and exponents similar to trained weights; f16 includes subnormals.
  f16: {
    make: (/** @type {() => number} */ random, /** @type {number} */ n) =>
      Uint16Array.from({ length: n }, () => (random() < 0.5 ? 0x8000 : 0) | (random() * 0x3c00)),
    decode: decodeF16,
  },
  bf16: {
    make: (/** @type {() => number} */ random, /** @type {number} */ n) =>
      Uint16Array.from({ length: n }, () => (random() < 0.5 ? 0x8000 : 0) | (0x3b00 + random() * 0x480)),
    decode: decodeBf16,
  },
};

for (const [type, { make, decode }] of Object.entries(FLOAT_TYPES)) {
  const name = `matmul_${type}`;

  /** y [T][O] of both engines, compared with the sum in float64.
   * @param {number} T @param {number} O @param {number} K @param {number} [gap] between rows */
  const check = (T, O, K, gap = 0) => {
    const random = randomFrom(T * 7919 + O * 104729 + K);
    const x = floats(random, Math.max(0, T * (K + gap) - gap));
    const w = make(random, O * K);
    const y = { expected: new Float64Array(T * O), magnitude: new Float64Array(T * O) };
    for (let t = 0; t < T; t++) {
      for (let o = 0; o < O; o++) {
        for (let k = 0; k < K; k++) {
          const product = x[t * (K + gap) + k] * decode(w[o * K + k]);
          y.expected[t * O + o] += product;
          y.magnitude[t * O + o] += Math.abs(product);
        }
      }
    }
    const bound = (/** @type {number} */ i) => sumOfProducts(K, y.magnitude[i]);
    const [scalar, ...others] = ENGINES.map((engine) => {
      const { written } = kernels.run(engine, name,
        [output(Math.max(0, T * (O + gap) - gap)), O + gap, input(x), K + gap, input(w), T, O, K]);
      const rows = rowsOf(written[0], T, O, O + gap);
      within(rows, y.expected, bound, `${name} ${engine} T=${T} O=${O} K=${K}`);
      return rows;
    });
    for (const other of others) within(other, scalar, (i) => 2 * bound(i), `${name} T=${T} O=${O} K=${K}`);
  };

  describe(name, () => {
    test('equals the sum in float64 for every length', () => {
      for (const K of [...SIZES.slice(1), 1024, 1025, 2051]) check(5, 7, K);
    });
    test('for every number of rows', () => {
      for (const T of [...range(18), 31, 32, 33, 37, 65]) check(T, 5, 13);
    });
    test('for every number of outputs', () => {
      for (const O of [...range(18), 31, 33]) check(6, O, 13);
    });
    test('with gaps between the rows', () => {
      for (const gap of [1, 2, 5]) check(6, 3, 13, gap);
    });
    test('a row has the same bits alone and among other rows', () => {
      const T = 39;
      const O = 11;
      const K = 1031;
      const random = randomFrom(5);
      const x = floats(random, T * K);
      const w = make(random, O * K);
      for (const engine of ENGINES) {
        const run = (/** @type {any} */ x, /** @type {any} */ w, /** @type {number} */ T, /** @type {number} */ O) =>
          kernels.run(engine, name, [output(T * O), O, input(x), K, input(w), T, O, K]).written[0];
        const whole = run(x, w, T, O);
        for (let t = 0; t < T; t++) {
          const alone = run(x.subarray(t * K, (t + 1) * K), w, 1, O);
          sameBits(alone, whole.subarray(t * O, (t + 1) * O), `row ${t} of ${engine}`);
        }
        for (let o = 0; o < O; o++) {
          const alone = run(x, w.subarray(o * K, (o + 1) * K), T, 1);
          sameBits(alone, whole.filter((_, i) => i % O === o), `output ${o} of ${engine}`);
        }
      }
    });
  });
}

for (const [type, decode, one] of /** @type {const} */ ([['f16', decodeF16, 0x3c00], ['bf16', decodeBf16, 0x3f80]])) {
  test(`matmul_${type} reads every ${type === 'f16' ? 'finite weight' : 'weight'} exactly: subnormal ones too`, () => {
    const weights = range(65536).filter((h) => type === 'bf16' || Number.isFinite(decode(h)));
    const O = weights.length;
    const expected = Float64Array.from(weights, decode);
    // One activation selects the weight under test. Its neighbors are zeros or ones. Conversion takes 32 weights
    // at once, eight of each of four rows: 32 normal weights in one way, others in another way.
    const among = [0, 3, 4, 7].flatMap((place) => [[8, place, 0], [8, place, one]]);
    for (const [T, K, place, filler] of [1, 4].flatMap((T) => [[1, 0, 0], ...among].map((row) => [T, ...row]))) {
      const w = new Uint16Array(O * K).fill(filler);
      weights.forEach((h, o) => { w[o * K + place] = h; });
      const x = Float32Array.from({ length: T * K }, (_, i) => (i % K === place ? 1 : 0));
      for (const engine of ENGINES) {
        const { written } = kernels.run(engine, `matmul_${type}`, [output(T * O), O, input(x), K, input(w), T, O, K]);
        for (let t = 0; t < T; t++) {
          same(written[0].subarray(t * O, (t + 1) * O), expected, `${engine}, T=${T}, K=${K}, among ${filler}`);
        }
      }
    }
  });
}

test('matmul_f32 of powers of two is exact, and propagates inf and NaN', () => {
  const K = 37;
  const x = Float32Array.from(range(K), (k) => 2 ** (k % 12));
  const w = Float32Array.from(range(2 * K), (i) => (i % 3 ? 1 : -1) * 2 ** (i % 7));
  const expected = [0, 1].map((o) => x.reduce((sum, v, k) => sum + v * w[o * K + k], 0));
  for (const engine of ENGINES) {
    const run = (/** @type {Float32Array} */ x) =>
      kernels.run(engine, 'matmul_f32', [output(2), 2, input(x), K, input(w), 1, 2, K]).written[0];
    same(run(x), expected, engine);
    for (const k of [0, 5, K - 1]) {
      assert.deepEqual([...run(x.with(k, NaN))], [NaN, NaN]);
      assert.deepEqual([...run(x.with(k, Infinity))], [0, 1].map((o) => Math.sign(w[o * K + k]) * Infinity));
    }
  }
});

/** All codes, and scales of either sign, some subnormal.
 * @param {() => number} random @param {import('../support/numbers.js').BlockType} type @param {number} n */
function weightBlocks(random, type, n) {
  const bytes = Uint8Array.from({ length: n * type.bytes }, () => 256 * random());
  const view = new DataView(bytes.buffer);
  for (let b = 0; b < n; b++) {
    view.setUint16(b * type.bytes, (random() < 0.2 ? 0x8000 : 0) | (random() * 0x3000), true);
  }
  return bytes;
}

for (const [dtype, type] of /** @type {const} */ ([['q8_0', Q8_0], ['q4_0', Q4_0]])) {
  const name = `matmul_${dtype}`;

  /** The contract, operation by operation: exact integers inside a block, one float32 rounding at each step after it.
   * @param {Uint8Array} x @param {Uint8Array} w @param {number} T @param {number} O @param {number} blocks */
  const reference = (x, w, T, O, blocks) => {
    const rows = decodeBlocks(Q8, x);
    const weights = decodeBlocks(type, w);
    return Float32Array.from({ length: T * O }, (_, i) => {
      const t = Math.floor(i / O);
      const o = i % O;
      let sum = 0;
      for (let b = 0; b < blocks; b++) {
        const v = rows[t * blocks + b];
        const u = weights[o * blocks + b];
        let dot = 0;
        for (let k = 0; k < 32; k++) dot += v.q[k] * u.q[k];
        sum = fround(sum + fround(dot * fround(u.d * v.d)));
      }
      return sum;
    });
  };
  /** @param {Engine} engine @param {Uint8Array} x @param {Uint8Array} panels
   * @param {number} T @param {number} O @param {number} blocks */
  const runPanels = (engine, x, panels, T, O, blocks, gap = 0) => {
    const size = Math.max(0, T * (O + gap) - gap);
    const { written } = kernels.run(engine, name, [output(size), O + gap, input(x), input(panels), T, O, 32 * blocks]);
    return rowsOf(written[0], T, O, O + gap);
  };
  /** @param {Engine} engine @param {Uint8Array} x @param {Uint8Array} w rows of blocks
   * @param {number} T @param {number} O @param {number} blocks */
  const run = (engine, x, w, T, O, blocks) => runPanels(engine, x, packPanels(dtype, w, O, blocks), T, O, blocks);
  /** One row is read in each way. @param {number} T @param {number} O @param {number} blocks @param {number} [gap] */
  const check = (T, O, blocks, gap) => {
    const random = randomFrom(T * 31 + O * 1009 + blocks);
    const x = activationBlocks(random, T * blocks);
    const w = weightBlocks(random, type, O * blocks);
    const expected = reference(x, w, T, O, blocks);
    const panels = packPanels(dtype, w, O, blocks);
    const checkSets = () => {
      for (const engine of ENGINES) {
        const found = runPanels(engine, x, panels, T, O, blocks, gap);
        same(found, expected, `${name} ${engine} T=${T} O=${O} K=${32 * blocks}`);
      }
    };
    if (T === 1) kernels.eachStreams(checkSets);
    else checkSets();
  };

  describe(name, () => {
    test('gives the bits of its contract in every set, for every length', () => {
      for (const blocks of [...range(10), 18, 63, 64, 65, 67, 131].slice(1)) check(5, 3, blocks);
    });
    test('for every number of rows and outputs', () => {
      for (const T of [...range(10), 33, 128, 131]) check(T, 3, 2);
      for (const O of [...range(18), 31, 32, 33, 39, 40, 63, 64, 71]) check(6, O, 2);
      for (const T of [2, 3]) check(T, 65, 13);
    });
    test('one row by any number of rows of panels, also over several chunks', () => {
      const outputs = [...range(18), 23, 24, 25, 31, 32, 33, 47, 48, 49, 55, 56, 63, 64, 65, 71, 72, 95, 96, 97, 103];
      for (const O of outputs) for (const blocks of [1, 3, 129]) check(1, O, blocks);
    });
    test('with gaps between the rows', () => {
      for (const gap of [1, 3]) for (const O of [3, 8, 11]) check(6, O, 5, gap);
    });
    test('outputs past the last row of a panel stay untouched over several chunks', () => {
      for (const O of [1, 7, 9, 15]) check(5, O, 130, 9);
    });
    test('extreme codes do not overflow, and weight 0 is exact', () => {
      for (const activation of [-127, 127]) {
        const x = new Uint8Array(Q8.bytes).fill(activation);
        new DataView(x.buffer).setFloat32(0, 1, true);
        for (const byte of [0x80, 0x7f, 0xff, 0x00, 0x88]) {
          const w = new Uint8Array(type.bytes).fill(byte);
          new DataView(w.buffer).setUint16(0, 0x3c00, true); // 1
          const expected = decodeBlocks(type, w)[0].q.reduce((sum, q) => sum + activation * q, 0);
          for (const engine of ENGINES) {
            same(run(engine, x, w, 1, 1, 1), [expected], `${engine}, ${activation}, ${byte}`);
          }
        }
      }
    });
    test('extreme codes of many rows and outputs do not affect each other', () => {
      const T = 5;
      const O = 64;
      const rows = [[0x81], [0x7f], [0x81, 0x7f], [0x7f, 0, 0], [1]];
      const x = new Uint8Array(T * Q8.bytes);
      for (const [t, codes] of rows.entries()) {
        const block = x.subarray(t * Q8.bytes, (t + 1) * Q8.bytes);
        block.set(Uint8Array.from({ length: Q8.bytes }, (_, i) => codes[i % codes.length]));
        new DataView(x.buffer).setFloat32(t * Q8.bytes, 1, true);
      }
      const w = new Uint8Array(O * type.bytes);
      for (let o = 0; o < O; o++) {
        const byte = [0x80, 0x7f, 0xff, 0x00, 0x88, 0x0f, 0xf0][(o * 5 + (o >> 3)) % 7];
        w.fill(byte, o * type.bytes, (o + 1) * type.bytes);
        new DataView(w.buffer).setUint16(o * type.bytes, 0x3c00, true); // 1
      }
      const expected = reference(x, w, T, O, 1);
      for (const engine of ENGINES) same(run(engine, x, w, T, O, 1), expected, engine);
    });
    test('every finite scale has its value', () => {
      const random = randomFrom(3);
      for (const bits of [0x0000, 0x8000, 0x0001, 0x83ff, 0x0400, 0x7bff, 0xfbff]) {
        for (const blocks of [1, 5]) {
          const x = activationBlocks(random, 4 * blocks);
          const w = weightBlocks(random, type, blocks);
          new DataView(w.buffer).setUint16((blocks - 1) * type.bytes, bits, true);
          const expected = reference(x, w, 4, 1, blocks);
          for (const engine of ENGINES) same(run(engine, x, w, 4, 1, blocks), expected, `${engine}, scale ${bits}`);
        }
      }
    });
    test('a row has the same bits alone and among other rows', () => {
      const T = 11;
      const O = 13;
      const blocks = 70;
      const random = randomFrom(8);
      const x = activationBlocks(random, T * blocks);
      const w = weightBlocks(random, type, O * blocks);
      const row = blocks * Q8.bytes;
      const outputs = blocks * type.bytes;
      for (const engine of ENGINES) sameAlone(run.bind(null, engine), x, w, { T, O, blocks, row, outputs });
    });
  });
}

describe('quantize_q8', () => {
  const run = (/** @type {Engine} */ engine, /** @type {Float32Array} */ x) => {
    const y = inOut(new Uint8Array((x.length / 32) * Q8.bytes).fill(0x55));
    return decodeBlocks(Q8, kernels.run(engine, 'quantize_q8', [y, input(x), x.length]).bytes[0]);
  };
  const roundToEven = (/** @type {number} */ v) => {
    const down = Math.floor(v);
    const rest = v - down;
    return rest > 0.5 || (rest === 0.5 && down % 2 !== 0) ? down + 1 : down;
  };
  /** @param {Float32Array} x */
  const check = (x) => {
    const expected = range(x.length / 32).map((b) => {
      const block = [...x.subarray(32 * b, 32 * b + 32)];
      const d = fround(block.reduce((most, v) => Math.max(most, Math.abs(v)), 0) / 127);
      const q = block.map((v) => (d ? Math.max(-127, Math.min(127, roundToEven(fround(v / d)))) + 0 : 0));
      return { d, q };
    });
    for (const engine of ENGINES) assert.deepEqual(run(engine, x), expected, engine);
  };

  test('codes and scales follow the contract, for every number of blocks', () => {
    for (const blocks of [0, 1, 2, 3, 4, 5, 32]) check(floats(randomFrom(blocks), 32 * blocks, 10 ** (blocks - 2)));
  });
  test('ties go to even, on either side of zero', () => {
    const x = Float32Array.from(range(32), (i) => (i - 16) + 0.5);
    x[0] = 127; // so that d is 1
    check(x);
    for (const engine of ENGINES) {
      const [{ d, q }] = run(engine, x);
      assert.equal(d, 1);
      assert.deepEqual(q.slice(13, 20), [-2, -2, 0, 0, 2, 2, 4]);
    }
  });
  test('zeros of both signs, huge and subnormal numbers', () => {
    check(new Float32Array(32));
    check(new Float32Array(32).fill(-0));
    check(floats(randomFrom(1), 64, 3.4e38));
    check(floats(randomFrom(2), 64, 1e-38));
    // 190 times the smallest subnormal: the scale rounds to one step, and 127 is the largest code
    for (const steps of [1, 63, 64, 190, 191]) {
      check(Float32Array.from(range(32), (i) => (i % 2 ? 1 : -1) * steps * 2 ** -149));
    }
  });
  test('a block that is not finite has a non-finite scale and codes 0', () => {
    for (const [bad, scale] of [[Infinity, Infinity], [-Infinity, Infinity], [NaN, NaN]]) {
      for (const at of [0, 13, 31]) {
        const x = floats(randomFrom(9), 64);
        x[at] = bad;
        for (const engine of ENGINES) {
          const [first, second] = run(engine, x);
          assert.deepEqual(first, { d: scale, q: new Array(32).fill(0) }, engine);
          assert.ok(Number.isFinite(second.d) && second.q.some((q) => q !== 0));
        }
      }
    }
  });
});

describe('weighted_sum_f32', () => {
  /** j ascending, one rounding at each step: every set must give these bits. */
  const reference = (/** @type {Float32Array} */ p, /** @type {Float32Array} */ v, /** @type {number} */ T,
    /** @type {number} */ N, /** @type {number} */ D, gap = 0) => {
    const z = { rounded: new Float32Array(T * D), exact: new Float64Array(T * D), magnitude: new Float64Array(T * D) };
    for (let t = 0; t < T; t++) {
      for (let d = 0; d < D; d++) {
        const i = t * D + d;
        for (let j = 0; j < N; j++) {
          const product = p[t * (N + gap) + j] * v[j * D + d];
          z.rounded[i] = fround(z.rounded[i] + fround(product));
          z.exact[i] += product;
          z.magnitude[i] += Math.abs(product);
        }
      }
    }
    return z;
  };
  const run = (/** @type {Engine} */ engine, /** @type {Float32Array} */ p, /** @type {Float32Array} */ v,
    /** @type {number} */ T, /** @type {number} */ N, /** @type {number} */ D, gap = 0) => {
    const z = output(Math.max(0, T * (D + gap) - gap));
    const args = [z, D + gap, input(p), N + gap, input(v), T, N, D];
    return rowsOf(kernels.run(engine, 'weighted_sum_f32', args).written[0], T, D, D + gap);
  };
  const check = (/** @type {number} */ T, /** @type {number} */ N, /** @type {number} */ D, gap = 0) => {
    const random = randomFrom(T + N * 64 + D * 4096);
    const p = floats(random, Math.max(0, T * (N + gap) - gap));
    const v = floats(random, N * D);
    const { rounded, exact, magnitude } = reference(p, v, T, N, D, gap);
    within(rounded, exact, (i) => sumOfProducts(N, magnitude[i]), 'the reference');
    for (const engine of ENGINES) sameBits(run(engine, p, v, T, N, D, gap), rounded, `${engine} T=${T} N=${N} D=${D}`);
  };

  test('sums over j in order, for every number of rows, values and columns', () => {
    for (const T of [...range(10), 33]) check(T, 6, 10);
    for (const N of SIZES) check(5, N, 9);
    for (const D of SIZES.slice(0, -1)) check(5, 6, D);
    for (const gap of [1, 3]) check(6, 5, 12, gap);
  });

  test('zeros at the end of a row have no effect over any hidden values', () => {
    const T = 9;
    const N = 17;
    const D = 37;
    const random = randomFrom(4);
    const p = floats(random, T * N);
    const v = floats(random, N * D);
    const ends = [17, 1, 0, 16, 3, 4, 5, 6, 9]; // number of visible values of row t
    ends.forEach((end, t) => p.fill(0, t * N + end, (t + 1) * N));
    const hidden = v.slice();
    for (const engine of ENGINES) {
      const whole = run(engine, p, v, T, N, D);
      ends.forEach((end, t) => {
        const alone = run(engine, p.slice(t * N, t * N + end), v.subarray(0, end * D), 1, end, D);
        sameBits(whole.subarray(t * D, (t + 1) * D), alone, `row ${t} of ${engine}`);
      });
      for (const [t, end] of ends.entries()) {
        hidden.set(v);
        hidden.fill(NaN, end * D);
        hidden.fill(Infinity, end * D, Math.min(end + 1, N) * D);
        const row = run(engine, p, hidden, T, N, D).subarray(t * D, (t + 1) * D);
        sameBits(row, whole.subarray(t * D, (t + 1) * D), `row ${t} of ${engine} over hidden values`);
      }
    }
  });
});

test('the bounds of these tests detect one wrong element', () => {
  const magnitude = 1023 / 4; // the mean of |x·w| for the inputs above
  assert.ok(sumOfProducts(1023, magnitude) < 0.02, 'a typical element is larger than the bound');
  assert.ok(gamma(1024) < 1025 * U);
});
