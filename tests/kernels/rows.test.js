/** Operations on one row: softmax and its parts, norms, activations, element-wise sums and products, RoPE. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ENGINES, Kernels, inOut, input, output } from '../support/kernels.js';
import { floats, randomFrom } from '../support/numbers.js';
import { EXP, TINY, U, gamma, same, sameBits, within } from '../support/tolerance.js';

/** @typedef {import('../support/kernels.js').Engine} Engine */
const kernels = await Kernels.open();
const { fround } = Math;
const range = (/** @type {number} */ n) => Array.from({ length: n }, (_, i) => i);
const SIZES = [...range(18), 31, 32, 33, 63, 64, 65, 127, 128, 1023];
const sum = (/** @type {ArrayLike<number>} */ x) => Array.from(x).reduce((a, b) => a + b, 0);
const largest = (/** @type {ArrayLike<number>} */ x) => Array.from(x).reduce((a, b) => Math.max(a, b), -Infinity);
const both = (/** @type {(engine: Engine) => void} */ check) => ENGINES.forEach(check);

describe('softmax_f32', () => {
  const run = (/** @type {Engine} */ engine, /** @type {Float32Array} */ x) =>
    kernels.run(engine, 'softmax_f32', [inOut(x), x.length]).written[0];
  const exact = (/** @type {Float32Array} */ x) => {
    const top = largest(x);
    const e = Float64Array.from(x, (v) => Math.exp(v - top));
    const total = sum(e);
    return e.map((v) => v / total);
  };
  /**
   * The difference from the largest, Δ = max - x, is rounded once, and exp turns this into a relative error ΔU. Then
   * exp itself is rounded, n - 1 additions with errors weighted by each share, a division and a product.
   * @param {Float32Array} x
   */
  const check = (x) => {
    const p = exact(x);
    const top = largest(x);
    const deltas = x.map((v) => (v === -Infinity ? 0 : top - v));
    const mean = sum(p.map((share, i) => share * deltas[i]));
    const [scalar, ...others] = ENGINES.map((engine) => {
      const y = run(engine, x);
      within(y, p, (i) => p[i] * (gamma(2 * EXP + x.length + 1) + (deltas[i] + mean) * U) * 1.01 + TINY,
        `${engine}, n = ${x.length}`);
      return y;
    });
    const bound = (/** @type {number} */ i) =>
      2 * (p[i] * (gamma(2 * EXP + x.length + 1) + (deltas[i] + mean) * U) * 1.01 + TINY);
    for (const other of others) within(other, scalar, bound, `n = ${x.length}`);
  };

  test('equals float64 for every length', () => {
    for (const n of SIZES.slice(1)) check(floats(randomFrom(n), n, 8));
  });
  test('an empty row stays empty', () => both((engine) => assert.equal(run(engine, new Float32Array(0)).length, 0)));
  test('large, small and far apart numbers', () => {
    check(Float32Array.of(1e30, 1e30, -1e30));
    check(Float32Array.of(3.4e38, -3.4e38, 0, 1, 2));
    check(Float32Array.of(1e-40, 2e-45, -1e-40, 0, -0));
    check(Float32Array.from(range(129), (i) => -i));
  });
  test('equal numbers have equal shares, to the last bit', () => {
    for (const n of [1, 2, 3, 5, 8, 63, 1024]) {
      both((engine) => sameBits(run(engine, new Float32Array(n).fill(-7.5)), new Float32Array(n).fill(1 / n), engine));
    }
  });
  test('-inf gives exactly 0; a row of -inf gives zeros', () => {
    for (const n of SIZES.slice(1)) {
      both((engine) => same(run(engine, new Float32Array(n).fill(-Infinity)), new Float32Array(n), engine));
      for (const at of [0, n >> 1, n - 1]) {
        const x = new Float32Array(n).fill(-Infinity);
        x[at] = 3;
        both((engine) => same(run(engine, x), x.map((v) => (v === 3 ? 1 : 0)), `${engine}, ${at} of ${n}`));
      }
    }
  });
  test('trailing -inf changes no bit of a row', () => {
    for (const n of SIZES.slice(1)) {
      const x = floats(randomFrom(n), n, 5);
      for (const more of [1, 2, 3, 4, 9]) {
        const masked = new Float32Array(n + more).fill(-Infinity);
        masked.set(x);
        both((engine) => {
          const y = run(engine, masked);
          sameBits(y.subarray(0, n), run(engine, x), `${engine}, ${n} and ${more}`);
          same(y.subarray(n), new Float32Array(more), engine);
        });
      }
    }
  });
});

test('max_f32 finds the largest at every place', () => {
  for (const n of SIZES.slice(1)) {
    const x = floats(randomFrom(n), n, 100).map((v) => v - 1000);
    for (const at of new Set([0, 1, 2, 3, n >> 1, n - 1])) {
      if (at >= n) continue;
      for (const top of [-1, -0, 2 ** -149, 2 ** 127, Infinity]) {
        both((engine) => assert.equal(kernels.run(engine, 'max_f32', [input(x.with(at, top)), n]).value + 0, top + 0));
      }
    }
  }
  both((engine) => assert.equal(kernels.run(engine, 'max_f32', [input(new Float32Array(5).fill(-Infinity)), 5]).value,
    -Infinity));
});

describe('sumexp_f32', () => {
  const run = (/** @type {Engine} */ engine, /** @type {Float32Array} */ x, /** @type {number} */ shift) =>
    kernels.run(engine, 'sumexp_f32', [input(x), shift, x.length]).value;

  test('equals float64 for every length', () => {
    for (const n of [...SIZES, 49152]) {
      const x = floats(randomFrom(n), n, 8);
      const expected = sum(Float64Array.from(x, (v) => Math.exp(v - 3.5)));
      // |x - shift| <= 11.5 is rounded once
      both((engine) => within([run(engine, x, 3.5)], [expected], () => expected * (gamma(n + EXP) + 11.5 * U),
        `${engine}, n = ${n}`));
    }
  });
  test('exp is within its stated error from underflow to overflow', () => {
    const ulp = (/** @type {number} */ v) => Math.max(TINY, 2 ** (Math.floor(Math.log2(v)) - 23));
    const limitOf = (/** @type {string} */ engine) => (engine === 'scalar' ? 0.6 : 1.1);
    for (let i = 0; i < 60000; i++) {
      const x = fround(-104.5 + (193 * i) / 60000);
      const expected = Math.exp(x);
      if (expected > 3.4028234e38) continue;
      both((engine) => within([run(engine, Float32Array.of(x), 0)], [expected],
        () => limitOf(engine) * ulp(expected), `${engine}, exp(${x})`));
    }
    for (const [x, expected] of [[-Infinity, 0], [-3e38, 0], [-105, 0], [0, 1], [89, Infinity], [3e38, Infinity]]) {
      both((engine) => assert.equal(run(engine, Float32Array.of(x), 0), expected));
    }
    both((engine) => assert.ok(Number.isNaN(run(engine, Float32Array.of(NaN), 0))));
  });
});

test('softmax returns whether a row sums to 1', () => {
  for (const engine of ENGINES) {
    const says = (/** @type {number[]} */ ...x) =>
      kernels.run(engine, 'softmax_f32', [inOut(Float32Array.from(x)), x.length]).value;
    for (const row of [[0], [-1e38, 3, -Infinity], [1, 2, 3, 4, 5]]) assert.equal(says(...row), 1, `${engine}, ${row}`);
    for (const row of [[-Infinity], [-Infinity, -Infinity, -Infinity, -Infinity, -Infinity], [1, NaN, 2],
      [Infinity, 1, 2, 3, 4]]) {
      assert.equal(says(...row), 0, `${engine}, ${row}`);
    }
  }
});

test('norms of overflowing squares, infinities and NaN give NaN, not zeros', () => {
  for (const engine of ENGINES) {
    for (const [n, value] of [[1, 1e25], [7, 1e25], [33, -1e25], [9, Infinity], [9, NaN]]) {
      const x = floats(randomFrom(n), n);
      x[n - 1] = value;
      x[0] = n === 1 ? value : -value; // with one number, the difference from the mean is zero
      const rms = kernels.run(engine, 'rmsnorm_f32', [output(n), input(x), input(x), 1e-5, n]).written[0];
      assert.ok(rms.every(Number.isNaN), `rmsnorm, ${engine}, ${n} numbers with ${value}: ${rms}`);
      if (n === 1) continue;
      const layer = kernels.run(engine, 'layernorm_f32', [output(n), input(x), input(x), null, 1e-5, n]).written[0];
      assert.ok(layer.every(Number.isNaN), `layernorm, ${engine}, ${n} numbers with ${value}: ${layer}`);
    }
  }
});

describe('norms', () => {
  const EPS = fround(1e-5);
  /** @param {Float32Array} x @param {Float32Array} w @param {Float32Array | null} b */
  const checkLayernorm = (x, w, b) => {
    const n = x.length;
    const mean = sum(x) / n;
    const variance = sum(Float64Array.from(x, (v) => (v - mean) ** 2)) / n;
    const scale = 1 / Math.sqrt(variance + EPS);
    const y = Float64Array.from(x, (v, i) => (v - mean) * scale * w[i] + (b ? b[i] : 0));
    // The mean is off by δ, and so is every difference from it. Differences sum to 0, so the variance is off by δ² and
    // by n + 3 roundings. The square root halves the relative error.
    const delta = gamma(n) * sum(x.map(Math.abs)) / n;
    const relative = (delta * delta * scale * scale + gamma(n + 3)) / 2 + gamma(5);
    const bound = (/** @type {number} */ i) => {
      const difference = Math.abs(x[i] - mean) + delta;
      const scaled = Math.abs(w[i]) * scale * (delta + U * difference + difference * relative);
      return 1.01 * (scaled + U * Math.abs(y[i])) + TINY;
    };
    both((engine) => {
      const args = [output(n), input(x), input(w), b && input(b), EPS, n];
      within(kernels.run(engine, 'layernorm_f32', args).written[0], y, bound, `${engine}, n = ${n}`);
    });
  };
  const checkRmsnorm = (/** @type {Float32Array} */ x, /** @type {Float32Array} */ w) => {
    const n = x.length;
    const scale = 1 / Math.sqrt(sum(Float64Array.from(x, (v) => v * v)) / n + EPS);
    const y = Float64Array.from(x, (v, i) => v * scale * w[i]);
    both((engine) => within(
      kernels.run(engine, 'rmsnorm_f32', [output(n), input(x), input(w), EPS, n]).written[0], y,
      (i) => Math.abs(y[i]) * gamma((n + 3) / 2 + 5) + TINY, `${engine}, n = ${n}`));
  };

  test('layernorm equals float64 for every length, with bias and without', () => {
    for (const n of SIZES.slice(1)) {
      const random = randomFrom(n);
      const x = floats(random, n, 4);
      const w = floats(random, n, 2);
      const b = floats(random, n);
      checkLayernorm(x, w, b);
      checkLayernorm(x, w, null);
    }
  });
  test('layernorm stays accurate with a large mean, and equal numbers give the bias', () => {
    const random = randomFrom(1);
    checkLayernorm(floats(random, 127).map((v) => v + 1000), floats(random, 127), null);
    const b = floats(random, 64);
    const args = [output(64), input(new Float32Array(64).fill(3)), input(b), input(b), EPS, 64];
    both((engine) => same(kernels.run(engine, 'layernorm_f32', args).written[0], b, engine));
  });
  test('rmsnorm equals float64 for every length', () => {
    for (const n of SIZES.slice(1)) checkRmsnorm(floats(randomFrom(n), n, 3), floats(randomFrom(n + 1), n, 2));
    checkRmsnorm(new Float32Array(9), floats(randomFrom(2), 9));
    checkRmsnorm(floats(randomFrom(3), 33, 1e18), floats(randomFrom(4), 33));
    checkRmsnorm(floats(randomFrom(5), 33, 1e-20), floats(randomFrom(6), 33));
  });
});

/** Φ by Simpson's rule over the density, independent of approximations of erf. */
function normalCdf(/** @type {number} */ x) {
  const steps = 2000;
  const from = Math.min(x, 0) - (x < 0 ? 12 : 0);
  const to = x < 0 ? x : 0;
  const density = (/** @type {number} */ t) => Math.exp((-t * t) / 2) / Math.sqrt(2 * Math.PI);
  const simpson = (/** @type {number} */ a, /** @type {number} */ b) => {
    const h = (b - a) / steps;
    let total = density(a) + density(b);
    for (let i = 1; i < steps; i++) total += density(a + i * h) * (i % 2 ? 4 : 2);
    return (total * h) / 3;
  };
  return x < 0 ? simpson(from, to) : 0.5 + simpson(0, Math.min(x, 40));
}

describe('activations', () => {
  const sigmoid = (/** @type {number} */ x) => 1 / (1 + Math.exp(-x));
  /** From here on, GELU is 0 in float32. */
  const FAR = -15;
  /** Each with its value in float64, and its bounds in float32: an absolute factor of |x|, and a relative factor.
   * @type {Record<string, { f: (x: number) => number, bound: (x: number, y: number) => number }>} */
  const SMOOTH = {
    // e^-x, an addition, a division; below -88.7 e^-x overflows, and the result is 0
    silu_f32: {
      f: (x) => x * sigmoid(x),
      bound: (x, y) => Math.abs(y) * (x < -88.7 ? 1 : gamma(EXP + 2)) + TINY,
    },
    // u has 5 roundings and 2uσ'(2u) <= 0.23 of their size reaches σ; tanh, 1 + tanh, two products: all of at most |x|
    gelu_tanh_f32: {
      f: (x) => x * sigmoid(2 * Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3)),
      bound: (x) => (x > FAR ? Math.abs(x) * gamma(6) : 0) + TINY,
    },
    // 2.7 roundings for Φ as the kernel states it, 2 for erf and its sum in the scalar one, a product or two
    gelu_erf_f32: { f: (x) => x * normalCdf(x), bound: (x) => (x > FAR ? Math.abs(x) * gamma(5) : 0) + TINY },
  };
  const run = (/** @type {Engine} */ engine, /** @type {string} */ name, /** @type {Float32Array} */ x) =>
    kernels.run(engine, name, [output(x.length), input(x), x.length]).written[0];

  for (const [name, { f, bound }] of Object.entries(SMOOTH)) {
    test(`${name} equals float64 over its range and for every length`, () => {
      const sweep = Float32Array.from(range(4001), (i) => (i - 2000) / 160);
      const extremes = Float32Array.from([0, 20, 88, 88.7, 88.72284, 88.8, 89, 104, 105, 3.4028234e38,
        ...range(276).map((i) => 2 ** (i - 149) * 1.7)].flatMap((v) => [v, -v]));
      for (const x of [sweep, extremes, ...SIZES.map((n) => floats(randomFrom(n), n, 6))]) {
        const y = Float64Array.from(x, f);
        both((engine) => within(run(engine, name, x), y, (i) => bound(x[i], y[i]), `${name} ${engine} n=${x.length}`));
      }
      // Infinity is an overflow before the activation, which must stay visible.
      const odd = Float32Array.of(Infinity, -Infinity, NaN);
      both((engine) => same(run(engine, name, odd), [Infinity, NaN, NaN], engine));
    });
    test(`${name}: the value of an element is independent of its place and of in-place output`, () => {
      const x = floats(randomFrom(7), 35, 4);
      both((engine) => {
        const whole = run(engine, name, x);
        for (const from of [1, 2, 3, 33]) sameBits(run(engine, name, x.subarray(from)), whole.subarray(from), engine);
        const place = inOut(x);
        sameBits(kernels.run(engine, name, [place, place, 35]).written[0], whole, engine);
      });
    });
  }

  test('relu_f32 is exact', () => {
    for (const n of SIZES) {
      const x = floats(randomFrom(n), n);
      both((engine) => same(run(engine, 'relu_f32', x), x.map((v) => Math.max(v, 0)), engine));
    }
    const special = Float32Array.of(0, -0, 2 ** -149, -(2 ** -149), Infinity, -Infinity, NaN, 2 ** 127, -(2 ** 127));
    const expected = [0, 0, 2 ** -149, 0, Infinity, 0, NaN, 2 ** 127, 0];
    both((engine) => same(run(engine, 'relu_f32', special), expected, engine));
  });
});

for (const [name, f] of /** @type {[string, (a: number, b: number) => number][]} */ ([
  ['add_f32', (a, b) => a + b],
  ['mul_f32', (a, b) => a * b],
])) {
  test(`${name} rounds once, with a separate output or over either input`, () => {
    for (const n of SIZES) {
      const a = floats(randomFrom(n), n, 3);
      const b = floats(randomFrom(n + 1), n);
      const expected = a.map((v, i) => f(v, b[i]));
      both((engine) => {
        sameBits(kernels.run(engine, name, [output(n), input(a), input(b), n]).written[0], expected, engine);
        const left = inOut(a);
        const right = inOut(b);
        sameBits(kernels.run(engine, name, [left, left, input(b), n]).written[0], expected, engine);
        sameBits(kernels.run(engine, name, [right, input(a), right, n]).written[0], expected, engine);
      });
    }
  });
}

describe('RoPE', () => {
  /** (a, b) -> (a·cos - b·sin, a·sin + b·cos), rounded at each step. @param {Float32Array} x @param {Float32Array} cs
   * @param {(i: number) => [number, number]} pair indices of the i-th pair */
  const turn = (x, cs, pair) => {
    const y = x.slice();
    for (let i = 0; i < x.length / 2; i++) {
      const [a, b] = pair(i);
      const cos = cs[2 * i];
      const sin = cs[2 * i + 1];
      y[a] = fround(x[a] * cos) - fround(x[b] * sin);
      y[b] = fround(x[a] * sin) + fround(x[b] * cos);
    }
    return y;
  };
  const pairs = {
    rope_adjacent_f32: () => (/** @type {number} */ i) => /** @type {[number, number]} */ ([2 * i, 2 * i + 1]),
    rope_halves_f32: (/** @type {number} */ d) => (/** @type {number} */ i) =>
      /** @type {[number, number]} */ ([i, i + d / 2]),
  };
  for (const [name, pairOf] of Object.entries(pairs)) {
    test(`${name} turns every pair, to the last bit, for every even width`, () => {
      for (const d of [...range(18).map((i) => 2 * i), 62, 64, 66, 126, 128, 130]) {
        const x = floats(randomFrom(d), d, 3);
        const angles = floats(randomFrom(d + 1), d / 2, 7);
        const cs = Float32Array.from(range(d), (i) => (i % 2 ? Math.sin : Math.cos)(angles[i >> 1]));
        both((engine) => sameBits(kernels.run(engine, name, [inOut(x), input(cs), d]).written[0],
          turn(x, cs, pairOf(d)), `${engine}, d = ${d}`));
      }
    });
  }
});
