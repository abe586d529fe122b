// One of the threads that read memory together, for limits.js.
import { workerData } from 'node:worker_threads';
import { openShare } from './limit-loops.js';
import { serveTurns } from './thread-team.js';

/** @type {{ binary: Uint8Array<ArrayBuffer>, threads: number }} */
const { binary, threads } = workerData;
const { bytes, read } = await openShare(binary, threads);
serveTurns(read, bytes);
