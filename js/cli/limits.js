// Measures the limits of this engine, with the loops of bench/limits.c.
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { timeLoops } from './limit-loops.js';

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
  const [readBytesPerSecond, allReadBytesPerSecond] = await readTogether(binary, threads);
  return { ...limits, readBytesPerSecond, allReadBytesPerSecond };
}

/**
 * Rates of reading on one thread and on all of them, in turns. Each has its own memory.
 * @param {Uint8Array} binary @param {number} threads
 * @returns {Promise<number[]>} bytes per second: [one, all]
 */
async function readTogether(binary, threads) {
  const begun = new Int32Array(new SharedArrayBuffer(4));
  const data = { execArgv: [], workerData: { binary, threads, begun } };
  const file = new URL('./limits-worker.js', import.meta.url);
  const workers = Array.from({ length: threads }, () => new Worker(file, data));
  const answers = (/** @type {Worker[]} */ from) =>
    Promise.all(from.map(async (worker) => (await once(worker, 'message'))[0]));
  try {
    const [bytes] = await answers(workers);
    const best = [0, 0];
    let all = 0;
    for (let turn = 0; turn < 2 * TIMES; turn++) {
      const readers = turn % 2 ? workers : workers.slice(0, 1);
      const answered = answers(readers);
      all += readers.length;
      for (const reader of readers) reader.postMessage(all);
      const times = await answered;
      const seconds = Math.max(...times.map(({ end }) => end)) - Math.min(...times.map(({ start }) => start));
      best[turn % 2] = Math.max(best[turn % 2], (readers.length * bytes) / seconds);
    }
    return best;
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}
