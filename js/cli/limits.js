// Measures the limits of this engine on one thread, with the loops of bench/limits.c.
import { readFile } from 'node:fs/promises';
import { timeLoops } from './limit-loops.js';

/** Number of runs; the first are slow until the optimizing compiler has finished. */
const TIMES = 30;

/** The best of several runs of each loop.
 *  @param {import('../engine/wasm.js').KernelSet} kernels
 *  @returns {Promise<import('./limit-loops.js').Limits>} */
export async function measureLimits(kernels) {
  const binary = new URL(`../../dist/limits${kernels.startsWith('relaxed') ? '-relaxed' : ''}.wasm`, import.meta.url);
  return timeLoops(new Uint8Array(await readFile(binary)), kernels, { times: TIMES });
}
