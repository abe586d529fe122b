/** Tests of relaxed SIMD: which of its instructions are exact in this engine. */
import { HeedError } from '../errors.js';

/**
 * Tests whether relaxed SIMD is available and correct, and how it multiplies whole bytes.
 *
 * Node 20 accepts these instructions with --experimental-wasm-relaxed-simd.  But its baseline compiler computes
 * i32x4.relaxed_dot_i8x16_i7x16_add_s wrongly if the sum comes from memory; its optimizing compiler, some thousand
 * calls later, is correct.  So the test runs a new module once, which is how a model computes its first token.  It
 * covers the dot products and the multiply-add that kernels use.  One wrong result excludes all of them.
 *
 * The second operand of that dot product has seven bits.  With eight, an engine may read it as unsigned (vpdpbusd of
 * AVX-VNNI), as signed (sdot of ARM), or saturate sums of two products (vpmaddubsw).  The first two are exact.  The
 * kernels of relaxed-u8 and relaxed-s8 rely on one of them, so src/kernels/whole_bytes.c tests again in every pass.
 */

/** How an engine multiplies whole bytes, all eight bits of the second operand.
 *  @typedef {'u8' | 's8'} WholeBytes */

/** Addresses of operands and of results, for operands from memory and from local variables; 16 bytes each. */
export const A = 0;
export const B = 16;
export const C = 32;
export const PAIRS = 48;
export const SUMS = 64;
export const LOCAL_PAIRS = 80;
export const LOCAL_SUMS = 96;
/** Addresses of the multiply-add, whose operands are floats. */
export const X = 112;
export const Y = 128;
export const Z = 144;
export const ADDED = 160;
export const LOCAL_ADDED = 176;

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

/**
 * The module's memory and its function, which computes all results from the operands in memory.
 * @typedef {{ m: { buffer: ArrayBuffer }, f: () => void }} Probe
 */
const openProbe = () =>
  /** @type {Probe} */ (/** @type {unknown} */ (new WebAssembly.Instance(new WebAssembly.Module(PROBE)).exports));

/** Sets the operands of the dot products; c has four sums.
 *  @param {Probe} probe @param {ArrayLike<number>} a @param {ArrayLike<number>} b @param {ArrayLike<number>} c */
function setBytes({ m: { buffer } }, a, b, c) {
  new Int8Array(buffer, A, 16).set(a);
  new Uint8Array(buffer, B, 16).set(b);
  new Int32Array(buffer, C, 4).set(c);
}

/** Sums to which products are added. */
const START = [1000, -2000, 1 << 30, -(1 << 30)];

/** Whether the module computes the exact results, for the smallest and largest operands and some between.
 *  @param {Probe} probe */
function isCorrect({ m, f }) {
  const { buffer } = m;
  const i16 = (/** @type {number} */ at) => new Int16Array(buffer, at, 8);
  const i32 = (/** @type {number} */ at) => new Int32Array(buffer, at, 4);
  const a = [-128, -128, -128, -128, 127, 127, 127, 127, -128, 127, -1, 1, 5, -6, 7, -8];
  const b = [127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 0, 1, 64, 9]; // at most 127
  setBytes({ m, f }, a, b, START);
  // Results are exact, so one rounding and two agree.  All operands differ, so that swapped operands are noticed.
  const f32 = (/** @type {number} */ at) => new Float32Array(buffer, at, 4);
  const x = f32(X);
  const y = f32(Y);
  const z = f32(Z);
  x.set([3, -5, 0.5, 4096]);
  y.set([7, 11, -2048, 1025]);
  z.set([100, -1, 8192, -0.5]);

  f();
  const pair = (/** @type {number} */ i) => a[2 * i] * b[2 * i] + a[2 * i + 1] * b[2 * i + 1];
  const sum = (/** @type {number} */ i) => START[i] + pair(2 * i) + pair(2 * i + 1);
  return (
    [PAIRS, LOCAL_PAIRS].every((at) => i16(at).every((value, i) => value === pair(i))) &&
    [SUMS, LOCAL_SUMS].every((at) => i32(at).every((value, i) => value === sum(i))) &&
    [ADDED, LOCAL_ADDED].every((at) => f32(at).every((value, i) => value === x[i] * y[i] + z[i]))
  );
}

/** First operands of whole bytes: the extremes of quantized activations, alone and side by side.  They exclude -128:
 *  ARM without sdot adds pairs of products in 16 bits, where only -128 · -128 twice does not fit. */
const EXTREMES = [-127, -127, -127, -127, 127, 127, 127, 127, -127, 127, -127, 127, 127, -127, -127, 127];
/** Second operands of whole bytes: each number from 128 to 255, alone and beside numbers of seven bits. */
const SECOND = Array.from({ length: 128 }, (_, i) => 128 + i).flatMap((byte) =>
  [new Array(16).fill(byte), Array.from(EXTREMES, (_, i) => (i % 3 ? byte : 127 - i))]);

/** How the module multiplies whole bytes; null if results are neither exact for u8 nor exact for s8 throughout.
 *  @param {Probe} probe @returns {WholeBytes | null} */
function askOnce(probe) {
  const { buffer } = probe.m;
  /** @param {(byte: number) => number} meaning of a second operand @param {number[]} b */
  const isExact = (meaning, b) => {
    const product = (/** @type {number} */ i) => EXTREMES[i] * meaning(b[i]);
    return [SUMS, LOCAL_SUMS].every((at) => new Int32Array(buffer, at, 4).every((value, i) =>
      value === START[i] + product(4 * i) + product(4 * i + 1) + product(4 * i + 2) + product(4 * i + 3)));
  };
  let u8 = true;
  let s8 = true;
  for (const b of SECOND) {
    setBytes(probe, EXTREMES, b, START);
    probe.f();
    u8 &&= isExact((byte) => byte, b);
    s8 &&= isExact((byte) => (byte > 127 ? byte - 256 : byte), b);
  }
  return u8 ? 'u8' : s8 ? 's8' : null;
}

/** Calls that make the module hot, in groups with a test after each: V8 optimizes it after about 50,000.  The tests
 *  end after HOT_MS. */
const HOT_GROUPS = 20;
const GROUP_CALLS = 4000;
const HOT_MS = 20;

/**
 * How an engine multiplies whole bytes: tested cold, and while the same module becomes hot.  Optimized code may appear
 * after the last test, so this can show a fault but not exclude one.
 * @param {Probe} probe  a module that has not run yet, or an emulation of one
 * @returns {WholeBytes | null}
 */
export function askWholeBytes(probe) {
  const cold = askOnce(probe);
  const end = performance.now() + HOT_MS;
  for (let group = 0; cold && group < HOT_GROUPS && (group === 0 || performance.now() < end); group++) {
    for (let i = 0; i < GROUP_CALLS; i++) probe.f();
    if (askOnce(probe) !== cold) return null;
  }
  return cold;
}

/** Advice for a page whose policy forbids WebAssembly. */
export const WASM_FORBIDDEN = 'The Content-Security-Policy forbids WebAssembly: add ‘wasm-unsafe-eval’ to script-src.';

/** Whether compilation failed because of the page's policy; only the message of the error names the policy.
 *  @param {unknown} error */
export const isForbidden = (error) => /Content.Security.Policy|\bCSP\b/i.test(String(error));

/** The cached results, because only the first run uses the baseline compiler.
 *  @type {{ obstacle: string | null, wholeBytes: WholeBytes | null } | undefined} */
let found;

/** Runs the tests once.
 *  @throws {HeedError} 'unavailable' when the page's policy forbids WebAssembly */
function find() {
  const unusable = (/** @type {string} */ obstacle) => ({ obstacle, wholeBytes: null });
  if (!WebAssembly.validate(PROBE)) return unusable('this WebAssembly engine has no relaxed SIMD');
  try {
    const probe = openProbe();
    if (!isCorrect(probe)) return unusable('this WebAssembly engine computes relaxed SIMD wrongly');
    return { obstacle: null, wholeBytes: askWholeBytes(probe) };
  } catch (cause) {
    if (isForbidden(cause)) throw new HeedError('unavailable', `The engine cannot run. ${WASM_FORBIDDEN}`, { cause });
    throw cause;
  }
}

/** The reason why the binaries with relaxed SIMD cannot run here, as the end of a sentence; null if they can. */
export const whyNotRelaxed = () => (found ??= find()).obstacle;

/** How this engine multiplies whole bytes; null if it is not exact on them. */
export const wholeBytes = () => (found ??= find()).wholeBytes;
