/** The compact cache: vectors to codes, scores of codes, weighted sums of codes; src/kernels/kernels.h. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { roundToEven } from '../../js/files/half.js';
import { ENGINES, Kernels, inOut, input, output } from '../support/kernels.js';
import { floats, randomFrom } from '../support/numbers.js';
import { U, gamma, same, sameBits, within } from '../support/tolerance.js';

/** @typedef {import('../support/kernels.js').Engine} Engine */
const kernels = await Kernels.open();
const { fround } = Math;
const range = (/** @type {number} */ n) => Array.from({ length: n }, (_, i) => i);
const LARGEST = 8191;
const NORMAL = 2 ** -126;
const BLOCK = 32;
const even = (/** @type {number} */ D) => D + (D % 2);
const up = (/** @type {number} */ n, /** @type {number} */ step) => Math.ceil(n / step) * step;

/** @typedef {{ codes: Int16Array, d: number }} Vector x[i] ~ d·codes[i] */

/** The contract of quantize_i16, with one rounding at each step. @param {ArrayLike<number>} x @returns {Vector} */
function quantize(x) {
  let largest = 0;
  for (let i = 0; i < x.length; i++) largest = Math.max(largest, Math.abs(x[i]));
  const d = fround(largest / LARGEST);
  const code = (/** @type {number} */ v) => (d >= NORMAL && d < Infinity ? roundToEven(fround(v * fround(1 / d))) : 0);
  return { d, codes: Int16Array.from(x, code) };
}
/** Bound of the distance between a number and its code: half a step, plus two roundings of at most 8191 steps. If steps
 *  are subnormal, it is the whole range. */
const step = (/** @type {number} */ d) => (d < NORMAL ? NORMAL * LARGEST : d * (0.5 + LARGEST * gamma(2)));

/** The rows of a matrix in a longer one. @param {Float32Array} data @param {number} T @param {number} n
 *  @param {number} stride */
const rows = (data, T, n, stride) =>
  Float32Array.from({ length: T * n }, (_, i) => data[Math.floor(i / n) * stride + (i % n)]);

describe('quantize_i16', () => {
  const run = (/** @type {Engine} */ engine, /** @type {Float32Array} */ x) => {
    const { value, bytes } = kernels.run(engine, 'quantize_i16', [inOut(new Int16Array(x.length).fill(77)), input(x),
      x.length]);
    return { d: value, codes: new Int16Array(bytes[0].buffer) };
  };
  /** @param {Float32Array} x */
  const check = (x) => {
    const expected = quantize(x);
    for (const engine of ENGINES) {
      const { d, codes } = run(engine, x);
      assert.equal(d, expected.d, engine);
      assert.deepEqual(codes, expected.codes, engine);
      within(Float64Array.from(codes, (q) => q * d), x, () => step(d), `${engine}, n = ${x.length}`);
    }
  };

  test('codes and scales follow the contract within half a step, for every length', () => {
    for (const n of [...range(36), 63, 64, 65, 80, 128, 257]) check(floats(randomFrom(n), n, 10 ** ((n % 7) - 3)));
  });
  test('ties go to even, on either side of zero', () => {
    const x = Float32Array.from(range(41), (i) => (i - 20) + 0.5);
    x[0] = LARGEST; // so that d is 1
    check(x);
    for (const engine of ENGINES) assert.deepEqual([...run(engine, x).codes.slice(17, 24)], [-2, -2, 0, 0, 2, 2, 4]);
  });
  test('zeros of both signs, huge and subnormal numbers', () => {
    check(new Float32Array(19));
    check(new Float32Array(19).fill(-0));
    check(floats(randomFrom(1), 64, 3.4e38));
    check(floats(randomFrom(2), 64, 1e-38));
    // Scales just above, at and below the smallest normal number
    for (const d of [1.5, 1 + 2 ** -13, 1, 1 - 2 ** -13, 0.5, 2 ** -23]) {
      const x = Float32Array.from(range(9), (i) => (i - 4) / 4 * d * LARGEST * NORMAL);
      check(x);
      for (const engine of ENGINES) assert.equal(run(engine, x).codes[8], d < 1 ? 0 : LARGEST, `${engine}, ${d}`);
    }
  });
  test('numbers that are not finite have a non-finite scale and codes 0', () => {
    for (const [bad, scale] of [[Infinity, Infinity], [-Infinity, Infinity], [NaN, NaN]]) {
      for (const at of [0, 7, 13, 20]) {
        const x = floats(randomFrom(9), 21).with(at, bad);
        for (const engine of ENGINES) assert.deepEqual(run(engine, x), { d: scale, codes: new Int16Array(21) }, engine);
      }
    }
  });
});

/** Index of a code in a block of 32 positions. @typedef {(D: number, j: number, d: number) => number} CodeAt */
/** @type {CodeAt} */
const keyAt = (D, j, d) => (Math.floor(j / 8) * (even(D) / 2) + Math.floor(d / 2)) * 16 + (j % 8) * 2 + (d % 2);
/** @type {CodeAt} */
const valueAt = (_, j, d) => (Math.floor(d / 8) * 16 + Math.floor(j / 2)) * 16 + (d % 8) * 2 + (j % 2);

/** The blocks [positions / 32][heads] of the first heads of a layer: 32 scales, then codes. Slots beyond the last
 *  position, column and head hold values that must not matter.
 *  @param {Vector[][]} of @param {number} D @param {CodeAt} codeAt @param {number} heads */
function pack(of, D, codeAt, heads) {
  const codes = BLOCK * up(D, 8);
  const bytes = 4 * BLOCK + 2 * codes;
  const to = new Uint8Array(Math.ceil(of[0].length / BLOCK) * heads * bytes);
  for (let at = 0; at < to.length; at += bytes) {
    new Float32Array(to.buffer, at, BLOCK).fill(NaN);
    new Int16Array(to.buffer, at + 4 * BLOCK, codes).fill(-LARGEST);
  }
  of.forEach((vectors, h) => vectors.forEach(({ codes, d }, j) => {
    const at = (Math.floor(j / BLOCK) * heads + h) * bytes;
    new Float32Array(to.buffer, at, BLOCK)[j % BLOCK] = d;
    const block = new Int16Array(to.buffer, at + 4 * BLOCK);
    codes.forEach((code, column) => (block[codeAt(D, j % BLOCK, column)] = code));
  }));
  return to;
}
/** n vectors as a model has them. @param {() => number} random @param {number} n @param {number} D */
const vectors = (random, n, D) => range(n).map((i) => floats(random, D, 2 ** ((i % 5) - 2)));

describe('scores_i16', () => {
  /** @param {Engine} engine @param {Vector[]} q @param {Vector[][]} k  keys of each head @param {number} D
   *  @param {number} [between] queries from one to the next in memory @param {number} [heads] of the layer */
  const runHeads = (engine, q, k, D, between = 1, gap = 0, heads = k.length) => {
    const rowCount = q.length;
    const N = k[0].length;
    const stride = between * even(D);
    const codes = new Int16Array(Math.max(0, (rowCount - 1) * stride + even(D))).fill(LARGEST);
    const scales = new Float32Array(Math.max(0, (rowCount - 1) * between + 1)).fill(NaN);
    q.forEach((row, t) => {
      codes.fill(0, t * stride, t * stride + even(D));
      codes.set(row.codes, t * stride);
      scales[t * between] = row.d;
    });
    const y = output(Math.max(0, rowCount * (N + gap) - gap));
    const { written } = kernels.run(engine, 'scores_i16', [y, N + gap, input(codes), stride, input(scales), between,
      input(pack(k, D, keyAt, heads)), heads, k.length, rowCount / k.length, N, D]);
    return rows(written[0], rowCount, N, N + gap);
  };
  /** One head. @param {Engine} engine @param {Vector[]} q @param {Vector[]} k @param {number} D
   *  @param {number} [between] @param {number} [gap] */
  const run = (engine, q, k, D, between, gap) => runHeads(engine, q, [k], D, between, gap);
  /** The contract, operation by operation. @param {Vector[]} q @param {Vector[]} k @param {number} D */
  const reference = (q, k, D) => Float32Array.from(q.flatMap((a) => k.map((b) => {
    let total = 0;
    for (let from = 0; from < D; from += BLOCK) {
      let sum = 0;
      for (let d = from; d < Math.min(D, from + BLOCK); d++) sum += a.codes[d] * b.codes[d];
      total = fround(total + fround(sum));
    }
    return fround(total * fround(a.d * b.d));
  })));
  /** @param {number} T @param {number} N @param {number} D @param {number} [between] @param {number} [gap] */
  const check = (T, N, D, between, gap) => {
    const random = randomFrom(T * 31 + N * 1009 + D);
    const q = vectors(random, T, D);
    const k = vectors(random, N, D);
    const a = q.map(quantize);
    const b = k.map(quantize);
    const expected = reference(a, b, D);
    for (const engine of ENGINES) {
      const y = run(engine, a, b, D, between, gap);
      sameBits(y, expected, `${engine} T=${T} N=${N} D=${D}`);
      // Bound of the distance to the product before quantization: a step of each factor, plus a few roundings.
      q.forEach((x, t) => k.forEach((w, j) => {
        let dot = 0;
        let off = 0;
        let magnitude = 0;
        for (let d = 0; d < D; d++) {
          dot += x[d] * w[d];
          magnitude += Math.abs(x[d] * w[d]);
          off += Math.abs(x[d]) * step(b[j].d) + Math.abs(w[d]) * step(a[t].d) + step(a[t].d) * step(b[j].d);
        }
        const bound = off + gamma(D / BLOCK + 4) * (magnitude + off);
        within([y[t * N + j]], [dot], () => bound, `${engine} T=${T} N=${N} D=${D}, query ${t}, key ${j}`);
      }));
    }
  };

  test('gives the bits of its contract, near the product in float64, for every width', () => {
    for (const D of [...range(40).slice(1), 62, 63, 64, 65, 80, 96, 100, 128, 256, 257, 300, 513]) check(5, 11, D);
  });
  test('for every number of queries and keys', () => {
    for (const T of [...range(10), 33]) check(T, 9, 10);
    for (const N of [...range(34), 63, 64, 65, 71, 72, 73, 95, 96, 97, 127, 128, 129, 255, 256, 257]) check(3, N, 34);
  });
  test('queries of one head among several, and gaps between the rows', () => {
    for (const between of [2, 3]) for (const gap of [0, 1, 3]) check(6, 13, 7, between, gap);
  });
  test('several heads at once have the bits of each alone', () => {
    for (const [H, T, N, D] of [[2, 1, 40, 8], [3, 3, 65, 64], [2, 6, 33, 34], [20, 1, 33, 16], [3, 70, 34, 6],
      [2, 3, 40, 260]]) {
      const random = randomFrom(H + T + N + D);
      const q = vectors(random, H * T, D).map(quantize);
      const k = range(H).map(() => vectors(random, N, D).map(quantize));
      for (const engine of ENGINES) {
        const alone = k.flatMap((keys, h) => [...run(engine, q.slice(h * T, (h + 1) * T), keys, D)]);
        for (const heads of [H, H + 2]) {
          sameBits(runHeads(engine, q, k, D, 1, 0, heads), Float32Array.from(alone), `${engine}, ${H} of ${heads}`);
        }
      }
    }
  });
  test('extreme codes do not overflow', () => {
    for (const D of [32, 64, 100]) {
      const most = (/** @type {number} */ sign) => ({ codes: new Int16Array(D).fill(sign * LARGEST), d: 1 });
      for (const sign of [1, -1]) {
        for (const engine of ENGINES) {
          const pair = [[most(1)], [most(sign)]];
          sameBits(run(engine, pair[0], pair[1], D), reference(pair[0], pair[1], D), `${engine}, D = ${D}`);
        }
      }
    }
  });
  test('a vector that is not finite gives NaN, and other vectors do not change', () => {
    const random = randomFrom(3);
    const q = vectors(random, 3, 20).map(quantize);
    const k = vectors(random, 10, 20).map(quantize);
    const expected = reference(q, k, 20);
    for (const d of [Infinity, NaN]) {
      const broken = k.with(4, { codes: new Int16Array(20), d });
      for (const engine of ENGINES) {
        same(run(engine, q, broken, 20), expected.map((v, i) => (i % 10 === 4 ? NaN : v)), engine);
      }
    }
  });
  test('a score has the same bits alone and among other scores', () => {
    const random = randomFrom(5);
    const q = vectors(random, 11, 70).map(quantize);
    const k = vectors(random, 37, 70).map(quantize);
    for (const engine of ENGINES) {
      const whole = run(engine, q, k, 70);
      q.forEach((row, t) => sameBits(run(engine, [row], k, 70), whole.subarray(37 * t, 37 * t + 37), `row ${t}`));
      k.forEach((row, j) => sameBits(run(engine, q, [row], 70), whole.filter((_, i) => i % 37 === j), `key ${j}`));
    }
  });
});

describe('weighted_sum_i16', () => {
  /** @param {Engine} engine @param {Float32Array} p [H][T][N] @param {Vector[][]} v  values of each head
   *  @param {number} T @param {number} D @param {number} [gap] @param {number} [heads] of the layer */
  const runHeads = (engine, p, v, T, D, gap = 0, heads = v.length) => {
    const N = v[0].length;
    const rowCount = v.length * T;
    const spread = new Float32Array(Math.max(0, rowCount * (N + gap) - gap)).fill(NaN);
    for (let t = 0; t < rowCount; t++) spread.set(p.subarray(t * N, (t + 1) * N), t * (N + gap));
    const z = output(Math.max(0, rowCount * (D + gap) - gap));
    const args = [z, D + gap, input(spread), N + gap, input(pack(v, D, valueAt, heads)), heads, v.length, T, N, D];
    return rows(kernels.run(engine, 'weighted_sum_i16', args).written[0], rowCount, D, D + gap);
  };
  /** One head. @param {Engine} engine @param {Float32Array} p @param {Vector[]} v @param {number} T @param {number} D
   *  @param {number} [gap] */
  const run = (engine, p, v, T, D, gap) => runHeads(engine, p, [v], T, D, gap);
  /** The contract, operation by operation. @param {Float32Array} p @param {Vector[]} v @param {number} T
   *  @param {number} D */
  const reference = (p, v, T, D) => {
    const z = new Float32Array(T * D);
    const N = v.length;
    for (let t = 0; t < T; t++) {
      let end = N;
      while (end > 0 && p[t * N + end - 1] === 0) end--;
      for (let from = 0; from < end; from += BLOCK) {
        const block = range(Math.min(BLOCK, end - from)).map((j) => from + j);
        const shares = quantize(block.map((j) => fround(p[t * N + j] * v[j].d)));
        for (let d = 0; d < D; d++) {
          const sum = block.reduce((total, j, i) => total + shares.codes[i] * v[j].codes[d], 0);
          z[t * D + d] = fround(z[t * D + d] + fround(shares.d * fround(sum)));
        }
      }
    }
    return z;
  };
  /** @param {number} T @param {number} N @param {number} D @param {number} [gap] */
  const check = (T, N, D, gap) => {
    const random = randomFrom(T + N * 64 + D * 4096);
    const p = floats(random, T * N);
    const values = vectors(random, N, D);
    const v = values.map(quantize);
    const expected = reference(p, v, T, D);
    for (const engine of ENGINES) {
      const z = run(engine, p, v, T, D, gap);
      sameBits(z, expected, `${engine} T=${T} N=${N} D=${D}`);
      for (let t = 0; t < T; t++) {
        const shares = range(N).map((j) => p[t * N + j] * v[j].d);
        const most = range(Math.ceil(N / BLOCK)).map((b) =>
          Math.max(...shares.slice(b * BLOCK, (b + 1) * BLOCK).map(Math.abs)));
        for (let d = 0; d < D; d++) {
          let exact = 0;
          let off = 0;
          let magnitude = 0;
          for (let j = 0; j < N; j++) {
            const scale = most[Math.floor(j / BLOCK)] / LARGEST;
            exact += p[t * N + j] * values[j][d];
            magnitude += Math.abs(p[t * N + j] * values[j][d]);
            off += Math.abs(p[t * N + j]) * step(v[j].d)
              + (step(scale * (1 + 3 * U)) + U * Math.abs(shares[j])) * Math.abs(v[j].codes[d]);
          }
          const bound = off + gamma(N / BLOCK + 4) * (magnitude + off);
          within([z[t * D + d]], [exact], () => bound, `${engine} T=${T} N=${N} D=${D}, row ${t}, column ${d}`);
        }
      }
    }
  };

  test('gives the bits of its contract, near the sum in float64, for every number of positions', () => {
    for (const N of [...range(36), 63, 64, 65, 95, 96, 97, 200]) check(5, N, 9);
  });
  test('for every number of rows and columns', () => {
    for (const T of [...range(10), 33]) check(T, 35, 10);
    for (const D of [...range(19).slice(1), 24, 31, 32, 33, 40, 63, 64, 65, 80, 96, 100, 128, 256]) check(3, 37, D);
    for (const gap of [1, 3]) check(6, 34, 12, gap);
  });
  test('several heads at once have the bits of each alone', () => {
    for (const [H, T, N, D] of [[2, 1, 40, 8], [3, 3, 65, 64], [2, 6, 33, 34], [20, 1, 33, 16], [3, 70, 34, 6]]) {
      const random = randomFrom(H + T + N + D);
      const p = floats(random, H * T * N);
      for (let t = 0; t < H * T; t += 2) p.fill(0, t * N + (5 * t) % N, (t + 1) * N); // rows of different lengths
      const v = range(H).map(() => vectors(random, N, D).map(quantize));
      for (const engine of ENGINES) {
        const alone = v.flatMap((values, h) => [...run(engine, p.subarray(h * T * N, (h + 1) * T * N), values, T, D)]);
        for (const heads of [H, H + 2]) {
          sameBits(runHeads(engine, p, v, T, D, 0, heads), Float32Array.from(alone), `${engine}, ${H} of ${heads}`);
        }
      }
    }
  });
  test('zeros at the end of a row have no effect over any hidden values; zeros at its beginning add nothing', () => {
    const N = 101;
    const D = 21;
    const random = randomFrom(4);
    const ends = [101, 1, 0, 100, 33, 32, 31, 64, 96]; // number of visible values of row t
    const T = ends.length;
    const p = floats(random, T * N);
    ends.forEach((end, t) => p.fill(0, t * N + end, (t + 1) * N));
    const v = vectors(random, N, D).map(quantize);
    for (const engine of ENGINES) {
      const whole = run(engine, p, v, T, D);
      ends.forEach((end, t) => {
        const row = p.subarray(t * N, (t + 1) * N);
        const alone = run(engine, row.subarray(0, end), v.slice(0, end), 1, D);
        sameBits(whole.subarray(t * D, (t + 1) * D), alone, `row ${t} of ${engine}`);
        const blank = (/** @type {number} */ j) => ({ codes: new Int16Array(D), d: j % 2 ? NaN : Infinity });
        const hidden = v.map((vector, j) => (j < end ? vector : blank(j)));
        sameBits(run(engine, row, hidden, 1, D), alone, `row ${t} of ${engine} over hidden values`);
      });
      const late = p.slice(0, N).fill(0, 0, 70);
      sameBits(run(engine, late, v, 1, D), reference(late, v, 1, D), `a window, ${engine}`);
    }
  });
  test('only rows that see a non-finite value are NaN', () => {
    const T = 4;
    const N = 70;
    const D = 11;
    const ends = [70, 33, 34, 5];
    const p = floats(randomFrom(8), T * N);
    ends.forEach((end, t) => p.fill(0, t * N + end, (t + 1) * N));
    const v = vectors(randomFrom(9), N, D).map(quantize);
    const expected = reference(p, v, T, D);
    for (const d of [Infinity, NaN]) {
      const broken = v.with(33, { codes: new Int16Array(D), d });
      for (const engine of ENGINES) {
        same(run(engine, p, broken, T, D), expected.map((z, i) => (ends[Math.floor(i / D)] > 33 ? NaN : z)), engine);
      }
    }
  });
  test('extreme codes do not overflow', () => {
    const N = 40;
    const v = range(N).map(() => ({ codes: new Int16Array(9).fill(LARGEST), d: 1 }));
    for (const sign of [1, -1]) {
      const p = new Float32Array(N).fill(sign);
      for (const engine of ENGINES) sameBits(run(engine, p, v, 1, 9), reference(p, v, 1, 9), engine);
    }
  });
  test('a visible value that is not finite gives NaN', () => {
    const v = vectors(randomFrom(6), 40, 5).map(quantize);
    for (const d of [Infinity, NaN]) {
      const broken = v.with(35, { codes: new Int16Array(5), d });
      for (const engine of ENGINES) {
        assert.ok(run(engine, new Float32Array(40).fill(0.1), broken, 1, 5).every(Number.isNaN), engine);
      }
    }
  });
});
