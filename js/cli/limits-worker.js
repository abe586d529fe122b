// One of the threads that read memory together, for limits.js.
import { parentPort, workerData } from 'node:worker_threads';
import { openShare } from './limit-loops.js';

const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);
/** @type {{ binary: Uint8Array<ArrayBuffer>, threads: number, begun: Int32Array }} */
const { binary, threads, begun } = workerData;
const { bytes, read } = await openShare(binary, threads);
const seconds = () => Number(process.hrtime.bigint()) / 1e9;

/** @param {number} all  counts of `begun` when every thread of this turn has come */
function turn(all) {
  Atomics.add(begun, 0, 1);
  while (Atomics.load(begun, 0) < all);
  const start = seconds();
  read();
  return { start, end: seconds() };
}
port.on('message', (all) => port.postMessage(turn(all)));
port.postMessage(bytes);
