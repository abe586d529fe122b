// Threads that do the same work at the same time, each on its own memory: for measurements.
import { once } from 'node:events';
import { parentPort, Worker, workerData } from 'node:worker_threads';

/**
 * Opens threads that run a module. The module calls serveTurns.
 * @param {URL} file  the module @param {number} threads @param {object} data  workerData of every thread
 * @returns {Promise<{ opened: any, run: (n: number) => Promise<number>, close: () => Promise<unknown> }>}
 *   opened: what the first thread gave to serveTurns; run: seconds from the first start to the last end of n threads
 */
export async function openTeam(file, threads, data) {
  const begun = new Int32Array(new SharedArrayBuffer(4));
  const options = { execArgv: [], workerData: { ...data, threads, begun } };
  const workers = Array.from({ length: threads }, () => new Worker(file, options));
  const answers = (/** @type {Worker[]} */ from) =>
    Promise.all(from.map(async (worker) => (await once(worker, 'message'))[0]));
  const close = () => Promise.all(workers.map((worker) => worker.terminate()));
  let all = 0;
  const [opened] = await answers(workers).catch(async (error) => {
    await close();
    throw error;
  });
  return {
    opened,
    close,
    async run(n) {
      const team = workers.slice(0, n);
      const answered = answers(team);
      all += n;
      for (const worker of team) worker.postMessage(all);
      const times = await answered;
      return Math.max(...times.map(({ end }) => end)) - Math.min(...times.map(({ start }) => start));
    },
  };
}

/**
 * In a thread of a team: does the work in every turn, when all threads of the turn have come.
 * @param {() => void} work @param {unknown} [opened]  for the caller of openTeam
 */
export function serveTurns(work, opened) {
  const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);
  const begun = /** @type {Int32Array} */ (workerData.begun);
  const seconds = () => Number(process.hrtime.bigint()) / 1e9;
  port.on('message', (/** @type {number} */ all) => {
    Atomics.add(begun, 0, 1);
    while (Atomics.load(begun, 0) < all);
    const start = seconds();
    work();
    port.postMessage({ start, end: seconds() });
  });
  port.postMessage(opened);
}
