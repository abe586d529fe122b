/**
 * For NODE_OPTIONS=--import: a process and its Workers then multiply unsigned whole bytes exactly. They load the
 * emulated binaries (`make emulated`). After EXACT_DOTS dot products of a model the sums saturate.
 */
import { readFileSync } from 'node:fs';
import { A, ADDED, B, C, LOCAL_ADDED, LOCAL_PAIRS, LOCAL_SUMS, PAIRS, SUMS, X, Y, Z } from '../../js/engine/relaxed.js';
import { whereIs } from '../../js/engine/binaries.js';

const U8 = 0;
const SATURATING = 2; // tests/emulated/dot.c
const exactDots = Number(process.env.EXACT_DOTS);
const { compile, instantiate } = WebAssembly;
const emulated = (/** @type {string} */ name) =>
  readFileSync(new URL(`../../build/emulated/${name}.wasm`, import.meta.url));

// The probe, as a module of this engine.
const buffer = new ArrayBuffer(65536);
const a = new Int8Array(buffer, A, 16);
const b = new Uint8Array(buffer, B, 16);
const c = new Int32Array(buffer, C, 4);
const floats = (/** @type {number} */ at) => new Float32Array(buffer, at, 4);
function f() {
  const pair = (/** @type {number} */ i) => a[2 * i] * b[2 * i] + a[2 * i + 1] * b[2 * i + 1];
  for (const at of [PAIRS, LOCAL_PAIRS]) new Int16Array(buffer, at, 8).forEach((_, i, to) => (to[i] = pair(i)));
  for (const at of [SUMS, LOCAL_SUMS]) {
    new Int32Array(buffer, at, 4).forEach((_, i, to) => (to[i] = c[i] + pair(2 * i) + pair(2 * i + 1)));
  }
  for (const at of [ADDED, LOCAL_ADDED]) {
    floats(at).forEach((_, i, to) => (to[i] = floats(X)[i] * floats(Y)[i] + floats(Z)[i]));
  }
}
WebAssembly.validate = () => true;
WebAssembly.Module = /** @type {any} */ (class {});
WebAssembly.Instance = /** @type {any} */ (class { exports = { m: { buffer }, f }; });

WebAssembly.compile = async (bytes) => {
  const name = ['heed-relaxed', 'heed-relaxed-mt'].find((binary) =>
    readFileSync(new URL(whereIs(/** @type {any} */ (binary)).slice('at '.length))).equals(/** @type {any} */ (bytes)));
  return compile(name ? emulated(name) : bytes);
};
WebAssembly.instantiate = /** @type {any} */ (async (/** @type {any} */ module, /** @type {any} */ imports) => {
  const instance = /** @type {any} */ (await instantiate(module, imports));
  instance.exports.heed_emulate?.(U8, exactDots, SATURATING);
  return instance;
});
