/**
 * Whether relaxed SIMD is here, and right.
 *
 * Node 20 takes these instructions with --experimental-wasm-relaxed-simd, but its baseline compiler computes the dot
 * product wrongly where the sum to add to comes from memory; the optimizing compiler, some thousand calls later, is
 * right.  So a module that never ran is asked what is known: the state in which a model computes its first token.
 */

/** Addresses of 16 bytes each: operands, then results. */
const [A, B, C, DOT_OF_MEMORY, DOT_OF_LOCALS, X, Y, MADD] = [0, 16, 32, 48, 64, 80, 96, 112];

// The instructions of the module, and its sections: every length and offset fits seven bits.
const ADDRESS = [0x41, 0]; // i32.const 0
const load = (/** @type {number} */ at) => [...ADDRESS, 0xfd, 0x00, 4, at]; // v128.load offset=at
const store = (/** @type {number} */ at) => [0xfd, 0x0b, 4, at]; // v128.store offset=at
const get = (/** @type {number} */ local) => [0x20, local];
const set = (/** @type {number} */ local) => [0x21, local];
const dot = [0xfd, 0x93, 0x02]; // i32x4.relaxed_dot_i8x16_i7x16_add_s
const madd = [0xfd, 0x85, 0x02]; // f32x4.relaxed_madd
const section = (/** @type {number} */ id, /** @type {number[]} */ ...bytes) => [id, bytes.length, ...bytes];

const RUN = [
  ...[1, 3, 0x7b], // (local v128 v128 v128)
  ...[...ADDRESS, ...load(A), ...load(B), ...load(C), ...dot, ...store(DOT_OF_MEMORY)],
  ...[...load(A), ...set(0), ...load(B), ...set(1), ...load(C), ...set(2)],
  ...[...ADDRESS, ...get(0), ...get(1), ...get(2), ...dot, ...store(DOT_OF_LOCALS)],
  ...[...ADDRESS, ...load(X), ...load(X), ...load(Y), ...madd, ...store(MADD)],
  0x0b, // end
];
const PROBE = Uint8Array.of(
  ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...section(1, 1, 0x60, 0, 0), // (type (func))
  ...section(3, 1, 0), // one function of it
  ...section(5, 1, 0, 1), // (memory 1)
  ...section(7, 2, 1, 0x6d, 2, 0, 1, 0x66, 0, 0), // (export "m" (memory 0)) (export "f" (func 0))
  ...section(10, 1, RUN.length, ...RUN),
);

/** What the module must give, exactly: products of the smallest and largest operands, squares of small integers. */
function isRight() {
  const { m, f } = new WebAssembly.Instance(new WebAssembly.Module(PROBE)).exports;
  const { buffer } = /** @type {WebAssembly.Memory} */ (m);
  const i32 = (/** @type {number} */ at) => new Int32Array(buffer, at, 4);
  const f32 = (/** @type {number} */ at) => new Float32Array(buffer, at, 4);
  const a = new Int8Array(buffer, A, 16);
  const b = new Int8Array(buffer, B, 16); // 0 to 127: the sign of the eighth bit is the engine's choice
  a.set([-128, -128, -128, -128, 127, 127, 127, 127, -128, 127, -1, 1, 5, -6, 7, -8]);
  b.set([127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 0, 1, 64, 9]);
  i32(C).set([1000, -2000, 1 << 30, -(1 << 30)]);
  f32(X).set([1, -3, 5, 4095]);
  f32(Y).set([-1, 0, 7, -4095]);

  /** @type {Function} */ (f)();
  return i32(C).every((c, lane) => {
    let sum = c;
    for (let i = 4 * lane; i < 4 * lane + 4; i++) sum += a[i] * b[i];
    const square = f32(X)[lane] ** 2 + f32(Y)[lane];
    return i32(DOT_OF_MEMORY)[lane] === sum && i32(DOT_OF_LOCALS)[lane] === sum && f32(MADD)[lane] === square;
  });
}

/** The answer, once there is one: the module is asked while it is cold, or never. @type {string | null | undefined} */
let hindrance;

/** Why the binaries with relaxed SIMD cannot run here, in words that end a sentence; null where they can. */
export function whyNotRelaxed() {
  if (hindrance === undefined) {
    if (!WebAssembly.validate(PROBE)) hindrance = 'this WebAssembly engine has no relaxed SIMD';
    else hindrance = isRight() ? null : 'this WebAssembly engine computes relaxed SIMD wrongly';
  }
  return hindrance;
}
