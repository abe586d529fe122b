/** Kernels for training only, against float64. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ENGINES, Kernels, inOut, input, output } from '../support/kernels.js';
import { floats, randomFrom } from '../support/numbers.js';
import { EXP, U, gamma, sameBits, sumOfProducts, within } from '../support/tolerance.js';

const kernels = await Kernels.open();

/** Runs gemm on factors of either order. */
function gemm(engine, [M, N, K], { aT = false, bT = false, gap = 0, add = 0, scale = 1 } = {}) {
  const random = randomFrom(M * 7919 + N * 104729 + K);
  const [aRow, aStep] = aT ? [1, M + gap] : [K + gap, 1];
  const [bRow, bStep] = bT ? [1, K + gap] : [N + gap, 1];
  const a = floats(random, (M - 1) * aRow + (K - 1) * aStep + 1);
  const b = floats(random, (K - 1) * bRow + (N - 1) * bStep + 1);
  const before = floats(random, (M - 1) * (N + gap) + N);
  const { written: [y] } = kernels.run(engine, 'gemm_f32', [inOut(before.slice()), N + gap, input(a), aRow, aStep,
    input(b), bRow, bStep, M, N, K, add, scale]);
  const expected = Float64Array.from(before);
  const magnitude = new Float64Array(before.length);
  for (let m = 0; m < M; m++) {
    for (let n = 0; n < N; n++) {
      const at = m * (N + gap) + n;
      if (!add) expected[at] = 0;
      magnitude[at] = Math.abs(expected[at]);
      for (let k = 0; k < K; k++) {
        const product = scale * a[m * aRow + k * aStep] * b[k * bRow + n * bStep];
        expected[at] += product;
        magnitude[at] += Math.abs(product);
      }
    }
  }
  return { y, expected, magnitude };
}

describe('gemm_f32', () => {
  const SIZES = [
    [1, 1, 1], [3, 5, 7], [4, 8, 16], [5, 9, 129], [13, 17, 31], [129, 9, 3], [130, 24, 128], [7, 33, 300],
  ];
  for (const size of SIZES) {
    test(`${size.join(' × ')}: correct in every order of the factors, equal bits without fused multiply-add`, () => {
      for (const options of [{}, { aT: true }, { bT: true }, { aT: true, bT: true, gap: 3 }, { add: 1, gap: 1 },
        { aT: true, scale: Math.fround(0.3) }, { scale: 0.125, gap: 2, add: 1 }]) {
        const [scalar, simd, relaxed] = ENGINES.map((engine) => gemm(engine, size, options));
        const bound = (/** @type {number} */ i) => sumOfProducts(size[2] + 2, scalar.magnitude[i]);
        within(scalar.y, scalar.expected, bound, 'scalar');
        sameBits(simd.y, scalar.y, 'simd128');
        // A fused multiply-add rounds once instead of twice, so γ of the same number of sums bounds it, too.
        if (relaxed) within(relaxed.y, relaxed.expected, bound, 'relaxed');
      }
    });
  }
});

test('sums with a scaled row and with a product, in the same bits in every set', () => {
  for (const n of [0, 1, 3, 4, 6, 64, 131]) {
    const random = randomFrom(n + 5);
    const before = floats(random, n);
    const a = floats(random, n);
    const b = floats(random, n);
    const scale = Math.fround(-0.7);
    const run = (/** @type {any} */ engine) => ({
      scaled: kernels.run(engine, 'add_scaled_f32', [inOut(before.slice()), input(a), scale, n]).written[0],
      product: kernels.run(engine, 'add_product_f32', [inOut(before.slice()), input(a), input(b), n]).written[0],
    });
    const scalar = run('scalar');
    assert.deepEqual(scalar.scaled, before.map((y, i) => y + Math.fround(a[i] * scale)));
    assert.deepEqual(scalar.product, before.map((y, i) => y + Math.fround(a[i] * b[i])));
    for (const engine of ENGINES) assert.deepEqual(run(engine), scalar, engine);
  }
});

test('AdamW, against float64, in the same bits in every set', () => {
  const beta1 = 0.9;
  const beta2 = 0.99;
  const keep = 0.999;
  const step = 0.01;
  const root = 0.3;
  const eps = 1e-6;
  const numbers = Float32Array.of(beta1, beta2, keep, step, root, eps);
  for (const n of [1, 3, 4, 7, 64, 130]) {
    const random = randomFrom(n + 11);
    const w = floats(random, n);
    const m = floats(random, n);
    const g = floats(random, n);
    const v = floats(random, n).map((x) => x * x);
    const run = (/** @type {any} */ engine) => kernels.run(engine, 'adamw_f32',
      [inOut(w.slice()), inOut(m.slice()), inOut(v.slice()), input(g), input(numbers), n]).written;
    const scalar = run('scalar');
    const [b1, b2, k, s, r, e] = numbers;
    const first = Float64Array.from(m, (x, i) => b1 * x + (1 - b1) * g[i]);
    const second = Float64Array.from(v, (x, i) => b2 * x + (1 - b2) * g[i] * g[i]);
    const moved = Float64Array.from(first, (x, i) => (s * x) / (Math.sqrt(second[i]) / r + e));
    const size = (/** @type {number} */ i) => Math.abs(b1 * m[i]) + Math.abs((1 - b1) * g[i]);
    within(scalar[1], first, (i) => gamma(4) * size(i), 'm');
    within(scalar[2], second, (i) => gamma(5) * second[i], 'v');
    const rest = (/** @type {number} */ i) => (gamma(12) * s * size(i)) / (Math.sqrt(second[i]) / r + e);
    const bound = (/** @type {number} */ i) => gamma(3) * Math.abs(w[i]) + rest(i);
    within(scalar[0], Float64Array.from(w, (x, i) => x * k - moved[i]), bound, 'w');
    for (const engine of ENGINES) assert.deepEqual(run(engine), scalar, engine);
  }
});

/** erf by its series and its continued fraction in float64. */
function phi(x) {
  if (Math.abs(x) < 3) {
    let term = x;
    let sum = x;
    for (let n = 1; n < 80; n++) sum += (term *= (x * x) / (2 * n + 1));
    return 0.5 + sum * Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
  }
  let fraction = 0;
  for (let n = 60; n > 0; n--) fraction = n / (Math.abs(x) + fraction);
  const tail = Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI) / (Math.abs(x) + fraction);
  return x > 0 ? 1 - tail : tail;
}

const X = Float32Array.from([...Array.from({ length: 801 }, (_, i) => (i - 400) / 40), -100, 100, 1e-20, -1e-7,
  0.6249999, 0.625, -0.625, 50, -87, 88]);
/** Every magnitude of float32, of both signs. */
const EXTREMES = [3.4028234e38, ...Array.from({ length: 276 }, (_, i) => 2 ** (i - 149) * 1.7)].flatMap((v) => [v, -v]);

test('tanh and sigmoid', () => {
  const x = Float32Array.of(...X, ...EXTREMES, Infinity, -Infinity, NaN);
  for (const engine of ENGINES) {
    for (const [name, f] of [['tanh', Math.tanh], ['sigmoid', (x) => 1 / (1 + Math.exp(-x))]]) {
      const { written: [y] } = kernels.run(engine, `${name}_f32`, [output(x.length), input(x), x.length]);
      // one exp, a sum, a quotient; tanh's difference 1 - u is at least 0.7 of its terms
      const bound = (/** @type {number} */ i) => gamma(2 * EXP + 4) * Math.abs(f(x[i])) + 2 ** -126;
      within(y, Float64Array.from(x, f), bound, `${engine} ${name}`);
    }
  }
});

test('slopes of activations', () => {
  const c = Math.sqrt(2 / Math.PI);
  const SLOPES = {
    gelu_tanh: (x) => {
      const t = Math.tanh(c * (x + 0.044715 * x ** 3));
      return 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * c * (1 + 3 * 0.044715 * x * x);
    },
    gelu_erf: (x) => phi(x) + x * Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI),
    silu: (x) => (1 + x * (1 - 1 / (1 + Math.exp(-x)))) / (1 + Math.exp(-x)),
  };
  // Some have outputs near and below the smallest normal number, and none.
  const x = Float32Array.of(...X.filter((v) => Math.abs(v) <= 10), 1e-37, -1.1e-37, -0, ...EXTREMES);
  const random = randomFrom(7);
  const dy = floats(random, x.length);
  const before = floats(random, x.length);
  for (const engine of ENGINES) {
    for (const [name, slope] of Object.entries(SLOPES)) {
      const { written: [y] } = kernels.run(engine, `${name}_f32`, [output(x.length), input(x), x.length]);
      const { written: [dx] } = kernels.run(engine, `${name}_backward_f32`,
        [inOut(before.slice()), input(x), input(y), input(dy), x.length]);
      // Most of the error is that of 1 - s, three roundings, times 2x·u', which is at most 33 where 1 - s is not 0.
      within(dx, Float64Array.from(x, (v, i) => before[i] + dy[i] * slope(v)), () => 64 * U, `${engine} ${name}`);
    }
  }
});

test('backward of a softmax row, and of both norms', () => {
  for (const engine of ENGINES) {
    for (const n of [1, 3, 4, 7, 64, 129]) {
      const random = randomFrom(n);
      const [x, w, dy, before] = [3, 1, 1, 1].map((scale) => floats(random, n, scale));
      const exps = Array.from(x, Math.exp);
      const p = Float32Array.from(exps, (e) => e / exps.reduce((a, b) => a + b));
      const dot = p.reduce((sum, v, i) => sum + v * dy[i], 0);
      const { written: [dx] } = kernels.run(engine, 'softmax_backward_f32',
        [inOut(before.slice()), input(p), input(dy), n]);
      const slopes = Float64Array.from(p, (v, i) => before[i] + v * (dy[i] - dot));
      within(dx, slopes, () => gamma(n + 6) * 3, `${engine} softmax`);
      for (const centered of [0, 1]) {
        const mean = centered ? x.reduce((a, b) => a + b, 0) / n : 0;
        const inverse = 1 / Math.sqrt(x.reduce((sum, v) => sum + (v - mean) ** 2, 0) / n + 1e-2);
        const g = Array.from(dy, (d, i) => d * w[i]);
        const hat = Array.from(x, (v) => (v - mean) * inverse);
        const level = centered ? g.reduce((a, b) => a + b) / n : 0;
        const along = g.reduce((sum, v, i) => sum + v * hat[i], 0) / n;
        const { written: [dn, stats] } = kernels.run(engine, 'norm_backward_f32',
          [inOut(before.slice()), output(2), input(x), input(w), input(dy), centered, 1e-2, n]);
        within(stats, [mean, inverse], () => gamma(n + 8) * (3 + inverse * 3), `${engine} stats`);
        const expected = Float64Array.from(g, (v, i) => before[i] + inverse * (v - level - hat[i] * along));
        within(dn, expected, () => gamma(4 * n + 16) * (1 + inverse * (2 + inverse)), `${engine} norm ${centered}`);
      }
    }
  }
  assert.ok(kernels.names.includes('norm_backward_f32'));
});
