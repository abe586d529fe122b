// Measures the limits of this engine on one thread, with the loops of bench/limits.c.
import { readFile } from 'node:fs/promises';
import { performance } from 'node:perf_hooks';

/** Bytes to read: more than the cache of common processors. */
const READ_BYTES = 2 ** 28;
const VECTOR_BYTES = 16;
/** Rounds of a loop in registers: about ten milliseconds. */
const ROUNDS = 50_000;
/** Number of runs; the first are slow until the optimizing compiler has finished. */
const TIMES = 30;
const PAGE_BYTES = 65536;

/** @typedef {{ readBytesPerSecond: number, int8OpsPerSecond: number, f32FlopsPerSecond: number }} Limits */

/** The best of several runs of each loop.
 *  @param {boolean} relaxed  whether to use relaxed SIMD
 *  @returns {Promise<Limits>} multiplication and addition count as two operations */
export async function measureLimits(relaxed) {
  const binary = new URL(`../../dist/limits${relaxed ? '-relaxed' : ''}.wasm`, import.meta.url);
  const { instance } = await WebAssembly.instantiate(new Uint8Array(await readFile(binary)));
  const { memory, ...loops } = /** @type {Record<string, any>} */ (instance.exports);
  const at = memory.grow(READ_BYTES / PAGE_BYTES) * PAGE_BYTES;
  // Unwritten pages would all map to one physical page.  As floats, these bytes are 0.01.
  new Uint8Array(memory.buffer, at).fill(0x3c);

  /** @param {number} work @param {() => void} run @returns work per second */
  const best = (work, run) => {
    let seconds = Infinity;
    for (let i = 0; i < TIMES; i++) {
      const start = performance.now();
      run();
      seconds = Math.min(seconds, (performance.now() - start) / 1000);
    }
    return work / seconds;
  };
  return {
    readBytesPerSecond: best(READ_BYTES, () => loops.read_words(at, READ_BYTES / VECTOR_BYTES)),
    int8OpsPerSecond: best(ROUNDS * loops.int8_operations(), () => loops.int8_products(at, ROUNDS)),
    f32FlopsPerSecond: best(ROUNDS * loops.f32_operations(), () => loops.f32_products(at, ROUNDS)),
  };
}
