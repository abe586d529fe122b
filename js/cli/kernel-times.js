// Measures the time of each kernel during a pass.  Timing functions replace the kernels in the module's table, so that
// the real calls are measured, with their shapes, weights and caches.
import { performance } from 'node:perf_hooks';

/** @typedef {import('../engine/wasm.js').Engine} Engine */
/** @typedef {import('./limit-loops.js').Limits} Limits */
/**
 * @typedef {object} KernelTime
 * @property {string} kernel
 * @property {number} calls
 * @property {number} seconds
 * @property {number} operations       arithmetic operations; 0 if the kernel is not a product
 * @property {number} bytes            bytes of weights, keys or values that a product reads
 * @property {number} limitSeconds     lower bound of the time: per call, the longer of reading and multiplying
 */

/**
 * Runs work and times every kernel, for calls of this thread only, in 32-bit memory.
 * @param {Engine} engine @param {import('../engine/wasm.js').KernelSet} set @param {Limits} limits
 * @param {() => Promise<unknown>} work
 * @returns {Promise<KernelTime[]>} times of the kernels that ran
 */
export async function timeKernels(engine, set, limits, work) {
  const clock = clockSeconds();
  const { table } = engine;
  const indices = new Uint32Array(engine.memory.buffer, engine.kernels(set)); // pointers of 32-bit memory
  const restore = engine.abi.kernels.map((kernel, i) =>
    ({ kernel, index: indices[i], original: table.get(indices[i]) }));
  /** @type {KernelTime[]} */
  const times = [];
  try {
    for (const { kernel, index, original } of restore) {
      const time = { kernel, calls: 0, seconds: 0, operations: 0, bytes: 0, limitSeconds: 0 };
      const workOf = productOf(engine, kernel);
      times.push(time);
      const timed = (/** @type {number[]} */ ...parameters) => {
        const start = performance.now();
        const result = original(...parameters);
        time.seconds += Math.max(0, (performance.now() - start) / 1000 - clock);
        time.calls++;
        if (!workOf) return result;
        const { operations, bytes, limit } = workOf(parameters);
        time.operations += operations;
        time.bytes += bytes;
        time.limitSeconds += Math.max(bytes / limits.readBytesPerSecond, operations / limits[limit]);
        return result;
      };
      table.set(index, asWasm(timed, original));
    }
    await work();
  } finally {
    for (const { index, original } of restore) table.set(index, original);
  }
  return times.filter(({ calls }) => calls > 0);
}

const FLOATS = ['f32', 'f16', 'bf16'];

/** Operations, bytes and limit of a product, from the last three parameters of its call (src/kernels/kernels.h).
 *  @param {Engine} engine @param {string} kernel
 *  @returns {((parameters: number[]) => { operations: number, bytes: number, limit: keyof Limits }) | null} null for
 *    other kernels */
function productOf(engine, kernel) {
  if (/^(scores|weighted_sum)_i16$/.test(kernel)) return withCache;
  const [, dtype] = /^(?:matmul|weighted_sum)_(\w+)$/.exec(kernel) ?? [];
  const number = engine.abi.dtypes.get(dtype);
  if (number === undefined) return null;
  const limit = FLOATS.includes(dtype) ? 'f32FlopsPerSecond' : dtype === 'q8_0' ? 'int8OpsPerSecond'
    : 'int7OpsPerSecond';
  return (parameters) => {
    const [T, O, K] = parameters.slice(-3);
    const bytes = engine.ask('heed_weight_bytes', number, O, K);
    return { operations: 2 * T * O * K, bytes, limit };
  };
}

/** T rows of each of H heads by N keys or values of D 16-bit codes, with one float scale for each of the N.
 *  @param {number[]} parameters @returns {{ operations: number, bytes: number, limit: keyof Limits }} */
function withCache(parameters) {
  const [H, T, N, D] = parameters.slice(-4);
  return { operations: 2 * H * T * N * D, bytes: H * N * (2 * D + 4), limit: 'int16OpsPerSecond' };
}

/** Time to read the clock: the best of several runs, so that not too much is subtracted. */
function clockSeconds() {
  const times = 1000;
  let seconds = Infinity;
  for (let run = 0; run < 30; run++) {
    const start = performance.now();
    for (let i = 0; i < times; i++) performance.now();
    seconds = Math.min(seconds, (performance.now() - start) / 1000 / times);
  }
  return seconds;
}

const I32 = 0x7f;
const F32 = 0x7d;

/**
 * A function as an export of a WebAssembly module, because tables accept only such functions, with the right signature.
 * The module also imports the original, which fails to link with a wrong signature.
 * @param {(...parameters: number[]) => number} f @param {(...parameters: number[]) => number} original
 * @returns {(...parameters: number[]) => number}
 */
function asWasm(f, original) {
  for (const signature of signatures(original.length)) {
    try {
      const module = new WebAssembly.Module(passThrough(signature));
      return /** @type {any} */ (new WebAssembly.Instance(module, { '': { o: original, f } }).exports).f;
    } catch (error) {
      if (!(error instanceof WebAssembly.LinkError)) throw error;
    }
  }
  throw new Error('a kernel has more than one floating-point parameter');
}

/** Possible signatures of kernels: pointers, sizes and at most one float.
 *  @param {number} n  number of parameters */
function* signatures(n) {
  for (const results of [[], [F32], [I32]]) {
    for (let float = -1; float < n; float++) {
      yield { parameters: Array.from({ length: n }, (_, i) => (i === float ? F32 : I32)), results };
    }
  }
}

/** (import "" "o" (func T)) (import "" "f" (func T)) (export "f" (func 1))
 *  @param {{ parameters: number[], results: number[] }} signature */
function passThrough({ parameters, results }) {
  const FUNCTION = 0;
  const name = (/** @type {string} */ text) => [text.length, ...new TextEncoder().encode(text)];
  const section = (/** @type {number} */ id, /** @type {number[]} */ ...bytes) => [id, bytes.length, ...bytes];
  return new Uint8Array([
    0, ...new TextEncoder().encode('asm'), 1, 0, 0, 0,
    ...section(1, 1, 0x60, parameters.length, ...parameters, results.length, ...results),
    ...section(2, 2, ...name(''), ...name('o'), FUNCTION, 0, ...name(''), ...name('f'), FUNCTION, 0),
    ...section(7, 1, ...name('f'), FUNCTION, 1),
  ]);
}
