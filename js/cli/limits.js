// Measures the limits of this engine, with the loops of bench/limits.c.
import { readFile } from 'node:fs/promises';
import { timeLoops } from './limit-loops.js';
import { openTeam } from './thread-team.js';

/** @typedef {import('./limit-loops.js').Limits} Limits */

/** Number of runs; the first are slow until the optimizing compiler has finished. */
const TIMES = 30;

/**
 * The best of several runs of each loop, on one thread and, for reading, on all threads at once.
 * @param {import('../engine/wasm.js').KernelSet} kernels @param {number} threads
 * @returns {Promise<Limits & { allReadBytesPerSecond: number }>}
 */
export async function measureLimits(kernels, threads) {
  const file = new URL(`../../dist/limits${kernels.startsWith('relaxed') ? '-relaxed' : ''}.wasm`, import.meta.url);
  const binary = new Uint8Array(await readFile(file));
  const limits = await timeLoops(binary, kernels, { times: TIMES });
  if (threads === 1) return { ...limits, allReadBytesPerSecond: limits.readBytesPerSecond };
  const readers = await openReaders(binary, threads);
  const best = [0, 0];
  try {
    for (let turn = 0; turn < 2 * TIMES; turn++) {
      best[turn % 2] = Math.max(best[turn % 2], await readers.read(turn % 2 ? threads : 1));
    }
  } finally {
    await readers.close();
  }
  return { ...limits, readBytesPerSecond: best[0], allReadBytesPerSecond: best[1] };
}

/**
 * Threads that read memory at the same time, each its own.
 * @param {Uint8Array} binary  dist/limits.wasm @param {number} threads
 * @returns {Promise<{ read: (n: number) => Promise<number>, close: () => Promise<unknown> }>}
 *   read: the bytes per second of the first n threads together
 */
export async function openReaders(binary, threads) {
  const file = new URL('./limits-worker.js', import.meta.url);
  const { opened: bytes, run, close } = await openTeam(file, threads, { binary });
  return { close, read: async (n) => (n * bytes) / (await run(n)) };
}
