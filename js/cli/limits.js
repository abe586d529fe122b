// What this engine can do at most on one thread, by the loops of bench/limits.c.
import { readFile } from 'node:fs/promises';
import { performance } from 'node:perf_hooks';

/** Larger than any cache of a processor that one meets. */
const READ_BYTES = 2 ** 28;
const VECTOR_BYTES = 16;
/** Of a loop in registers: some ten milliseconds. */
const ROUNDS = 50_000;
/** The first are slow, until the optimised code is in. */
const TIMES = 30;
const PAGE_BYTES = 65536;

/** @typedef {{ readBytesPerSecond: number, int8OpsPerSecond: number, f32FlopsPerSecond: number }} Limits */

/** The best of several runs of each: a limit is what nothing disturbed.
 *  @param {boolean} relaxed with the instructions of the relaxed binary
 *  @returns {Promise<Limits>} a multiplication and an addition are two operations */
export async function measureLimits(relaxed) {
  const binary = new URL(`../../dist/limits${relaxed ? '-relaxed' : ''}.wasm`, import.meta.url);
  const { instance } = await WebAssembly.instantiate(new Uint8Array(await readFile(binary)));
  const { memory, ...loops } = /** @type {Record<string, any>} */ (instance.exports);
  const at = memory.grow(READ_BYTES / PAGE_BYTES) * PAGE_BYTES;
  // A page that nobody wrote is read from one and the same place; as floats these are 0.01.
  new Uint8Array(memory.buffer, at).fill(0x3c);

  /** @param {number} work @param {() => void} run @returns work a second */
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
