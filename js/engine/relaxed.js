import { HeedError } from '../errors.js';

/**
 * Tests whether relaxed SIMD is available and correct.
 *
 * Node 20 accepts these instructions with --experimental-wasm-relaxed-simd.  But its baseline compiler computes
 * i32x4.relaxed_dot_i8x16_i7x16_add_s wrongly if the sum comes from memory; its optimizing compiler, some thousand
 * calls later, is correct.  So the test runs a new module once, which is how a model computes its first token.  It
 * covers the dot products and the multiply-add that kernels use.  One wrong result excludes all of them.
 */

/** Addresses of operands and of results, for operands from memory and from local variables; 16 bytes each. */
const [A, B, C, PAIRS, SUMS, LOCAL_PAIRS, LOCAL_SUMS] = [0, 16, 32, 48, 64, 80, 96];
/** Addresses of the multiply-add, whose operands are floats. */
const [X, Y, Z, ADDED, LOCAL_ADDED] = [112, 128, 144, 160, 176];

// The instructions of the module, and its sections.
const unsigned = (/** @type {number} */ n) => (n < 128 ? [n] : [(n & 127) | 128, n >> 7]); // LEB128 of 14 bits
const ADDRESS = [0x41, 0]; // i32.const 0
const load = (/** @type {number} */ at) => [...ADDRESS, 0xfd, 0x00, 4, ...unsigned(at)]; // v128.load offset=at
const store = (/** @type {number} */ at) => [0xfd, 0x0b, 4, ...unsigned(at)]; // v128.store offset=at
const get = (/** @type {number} */ local) => [0x20, local];
const set = (/** @type {number} */ local) => [0x21, local];
const pairs = [0xfd, 0x92, 0x02]; // i16x8.relaxed_dot_i8x16_i7x16_s
const sums = [0xfd, 0x93, 0x02]; // i32x4.relaxed_dot_i8x16_i7x16_add_s
const madd = [0xfd, 0x85, 0x02]; // f32x4.relaxed_madd
const section = (/** @type {number} */ id, /** @type {number[]} */ ...bytes) =>
  [id, ...unsigned(bytes.length), ...bytes];

const RUN = [
  ...[1, 3, 0x7b], // (local v128 v128 v128)
  ...[...ADDRESS, ...load(A), ...load(B), ...pairs, ...store(PAIRS)],
  ...[...ADDRESS, ...load(A), ...load(B), ...load(C), ...sums, ...store(SUMS)],
  ...[...load(A), ...set(0), ...load(B), ...set(1), ...load(C), ...set(2)],
  ...[...ADDRESS, ...get(0), ...get(1), ...pairs, ...store(LOCAL_PAIRS)],
  ...[...ADDRESS, ...get(0), ...get(1), ...get(2), ...sums, ...store(LOCAL_SUMS)],
  ...[...ADDRESS, ...load(X), ...load(Y), ...load(Z), ...madd, ...store(ADDED)],
  ...[...load(X), ...set(0), ...load(Y), ...set(1), ...load(Z), ...set(2)],
  ...[...ADDRESS, ...get(0), ...get(1), ...get(2), ...madd, ...store(LOCAL_ADDED)],
  0x0b, // end
];
const PROBE = Uint8Array.of(
  ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...section(1, 1, 0x60, 0, 0), // (type (func))
  ...section(3, 1, 0), // one function of it
  ...section(5, 1, 0, 1), // (memory 1)
  ...section(7, 2, 1, 0x6d, 2, 0, 1, 0x66, 0, 0), // (export "m" (memory 0)) (export "f" (func 0))
  ...section(10, 1, ...unsigned(RUN.length), ...RUN),
);

/** Whether the module computes the exact results, for the smallest and largest operands and some between. */
function isCorrect() {
  const { m, f } = new WebAssembly.Instance(new WebAssembly.Module(PROBE)).exports;
  const { buffer } = /** @type {WebAssembly.Memory} */ (m);
  const i16 = (/** @type {number} */ at) => new Int16Array(buffer, at, 8);
  const i32 = (/** @type {number} */ at) => new Int32Array(buffer, at, 4);
  const a = new Int8Array(buffer, A, 16);
  const b = new Int8Array(buffer, B, 16); // 0 to 127: results for negative operands are implementation-defined
  a.set([-128, -128, -128, -128, 127, 127, 127, 127, -128, 127, -1, 1, 5, -6, 7, -8]);
  b.set([127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 0, 1, 64, 9]);
  i32(C).set([1000, -2000, 1 << 30, -(1 << 30)]);
  // Results are exact, so one rounding and two agree.  All operands differ, so that swapped operands are noticed.
  const f32 = (/** @type {number} */ at) => new Float32Array(buffer, at, 4);
  const x = f32(X);
  const y = f32(Y);
  const z = f32(Z);
  x.set([3, -5, 0.5, 4096]);
  y.set([7, 11, -2048, 1025]);
  z.set([100, -1, 8192, -0.5]);

  /** @type {Function} */ (f)();
  const pair = (/** @type {number} */ i) => a[2 * i] * b[2 * i] + a[2 * i + 1] * b[2 * i + 1];
  const sum = (/** @type {number} */ i) => i32(C)[i] + pair(2 * i) + pair(2 * i + 1);
  return (
    [PAIRS, LOCAL_PAIRS].every((at) => i16(at).every((value, i) => value === pair(i))) &&
    [SUMS, LOCAL_SUMS].every((at) => i32(at).every((value, i) => value === sum(i))) &&
    [ADDED, LOCAL_ADDED].every((at) => f32(at).every((value, i) => value === x[i] * y[i] + z[i]))
  );
}

/** Advice for a page whose policy forbids WebAssembly. */
export const WASM_FORBIDDEN = 'The Content-Security-Policy forbids WebAssembly: add ‘wasm-unsafe-eval’ to script-src.';

/** Whether compilation failed because of the page's policy, which only the message of the error says.
 *  @param {unknown} error */
export const isForbidden = (error) => /Content.Security.Policy|\bCSP\b/i.test(String(error));

/** The cached result, because only the first run uses the baseline compiler. @type {string | null | undefined} */
let obstacle;

/** Runs the test once.
 *  @throws {HeedError} 'unavailable' when the page's policy forbids WebAssembly */
function runProbe() {
  try {
    return isCorrect() ? null : 'this WebAssembly engine computes relaxed SIMD wrongly';
  } catch (cause) {
    if (isForbidden(cause)) throw new HeedError('unavailable', `The engine cannot run. ${WASM_FORBIDDEN}`, { cause });
    throw cause;
  }
}

/** The reason why the binaries with relaxed SIMD cannot run here, as the end of a sentence; null if they can. */
export function whyNotRelaxed() {
  if (obstacle === undefined) {
    if (!WebAssembly.validate(PROBE)) obstacle = 'this WebAssembly engine has no relaxed SIMD';
    else obstacle = runProbe();
  }
  return obstacle;
}
