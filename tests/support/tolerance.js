/**
 * Error bounds for float32. Every bound is derived: a sum may be computed in any order, so its bound is the
 * rounding error of the worst order.
 *
 * U is the unit roundoff of binary32: fl(a ∘ b) = (a ∘ b)(1 + δ), |δ| <= U for + - · / and sqrt (Higham, Accuracy and
 * Stability of Numerical Algorithms, 2002, 2.2), plus at most TINY / 2 where a product is subnormal. n roundings on one
 * path give γ(n) = nU / (1 - nU) (Higham, 3.1).
 */
export const U = 2 ** -24;
/** The smallest subnormal. */
export const TINY = 2 ** -149;
/** @param {number} n roundings */
export const gamma = (n) => (n * U) / (1 - n * U);

/** Σ of `n` products whose sum of magnitudes is `magnitude`: one rounding a product, at most n a path of additions. */
export const sumOfProducts = (/** @type {number} */ n, /** @type {number} */ magnitude) =>
  gamma(n + 1) * magnitude + n * TINY;

/** Roundings of one exp: musl's is within 0.51 ulp, the SIMD version within 1.1 (an ulp is at most 2U). */
export const EXP = 3;

/**
 * @param {ArrayLike<number>} actual @param {ArrayLike<number>} expected @param {(i: number) => number} bound absolute
 * @param {string} what
 */
export function within(actual, expected, bound, what) {
  if (actual.length !== expected.length) throw new Error(`${what}: ${actual.length} values, not ${expected.length}`);
  for (let i = 0; i < expected.length; i++) {
    const error = Math.abs(actual[i] - expected[i]);
    if (Object.is(actual[i], expected[i]) || error === 0 || error <= bound(i)) continue;
    throw new Error(`${what}: [${i}] is ${actual[i]}, not ${expected[i]}: off by ${error}, allowed ${bound(i)}`);
  }
}

/** Equal numbers; NaN equals NaN, 0 equals -0. */
export const same = (/** @type {ArrayLike<number>} */ actual, /** @type {ArrayLike<number>} */ expected,
  /** @type {string} */ what) => within(actual, expected, () => 0, what);

/** The same bits. @param {Float32Array} actual @param {Float32Array} expected @param {string} what */
export function sameBits(actual, expected, what) {
  const [a, e] = [actual, expected].map((x) => new Uint32Array(x.slice().buffer));
  if (a.length !== e.length) throw new Error(`${what}: ${a.length} values, not ${e.length}`);
  const i = a.findIndex((bits, at) => bits !== e[at]);
  if (i >= 0) throw new Error(`${what}: [${i}] is ${actual[i]}, not ${expected[i]} to the last bit`);
}

/**
 * Asserts that the rows of a product are independent: one row of activations or of weights alone gives the same bits
 * as all rows together.
 * @param {(x: Uint8Array, w: Uint8Array, T: number, O: number, blocks: number) => Float32Array} run
 * @param {Uint8Array} x [T] rows of `row` bytes
 * @param {Uint8Array} w [O] rows of `outputs` bytes
 * @param {{ T: number, O: number, blocks: number, row: number, outputs: number }} shape
 */
export function sameAlone(run, x, w, { T, O, blocks, row, outputs }) {
  const whole = run(x, w, T, O, blocks);
  for (let t = 0; t < T; t++) {
    const alone = run(x.subarray(t * row, (t + 1) * row), w, 1, O, blocks);
    sameBits(alone, whole.subarray(t * O, (t + 1) * O), `row ${t}`);
  }
  for (let o = 0; o < O; o++) {
    const alone = run(x, w.subarray(o * outputs, (o + 1) * outputs), T, 1, blocks);
    sameBits(alone, whole.filter((_, i) => i % O === o), `output ${o}`);
  }
}
