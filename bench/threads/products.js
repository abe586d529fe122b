/**
 * The products of one token on threads that never wait for each other, beside reading as many bytes, in the same turns.
 * It shows how much of the memory's limit the kernels use on several threads.
 *
 *     node bench/threads/products.js [--threads N] [--turns N] [--engine E]
 *
 * Defaults: 2, 100, simd128. The matrices have the shapes of SmolLM2-135M, in Q8_0: 151 MB in memory. Each thread
 * has its own share of every matrix. Printed are milliseconds until the last thread ends, by rank.
 */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { openReaders } from '../../js/cli/limits.js';
import { Kernels } from '../../tests/support/kernels.js';
import { thisRun } from '../this-run.js';

const [LAYERS, D, KV, F, V] = [30, 576, 192, 1536, 49152];
/** Outputs and columns of the matrices of a layer. @type {[O: number, K: number][]} */
const LAYER = [[D, D], [KV, D], [KV, D], [D, D], [F, D], [F, D], [D, F]];
const MATRICES = [...Array.from({ length: LAYERS }, () => LAYER).flat(), /** @type {[number, number]} */ ([V, D])];
const bytesOf = (/** @type {number} */ O, /** @type {number} */ K) => (O * K * 36) / 32;
const PANEL = 8;
const BYTES = MATRICES.reduce((sum, [O, K]) => sum + bytesOf(O, K), 0);

/** One thread's share of all matrices. @param {import('../../tests/support/engines.js').Engine} engine
 *  @param {number} threads */
async function openShare(engine, threads) {
  const { binaries: { [engine]: binary } } = await Kernels.open(['scalar', engine]);
  const kernel = binary.kernel(engine, 'matmul_q8_0');
  const [y, x] = [binary.base, binary.base + 4 * V];
  let at = x + 2 * F;
  const products = MATRICES.map(([O, K]) => {
    const rows = Math.floor(O / PANEL / threads) * PANEL, w = at;
    at += bytesOf(rows, K);
    return [y, rows, x, w, 1, rows, K];
  });
  binary.memory.grow(Math.ceil(at / 65536));
  // Unwritten pages would all map to one physical page.  As floats, these bytes are 0.01.
  new Uint8Array(binary.memory.buffer, x, at - x).fill(0x3c);
  return () => { for (const product of products) kernel(...product); };
}

const seconds = () => Number(process.hrtime.bigint()) / 1e9;
if (isMainThread) await compare();
else await serve(/** @type {import('node:worker_threads').MessagePort} */ (parentPort));

/** Multiplies when all threads of a turn have come. @param {import('node:worker_threads').MessagePort} port */
async function serve(port) {
  const { engine, threads, begun } = workerData;
  const multiply = await openShare(engine, threads);
  for (let i = 0; i < 30; i++) multiply(); // until the engine has compiled the optimized code
  port.on('message', (all) => {
    Atomics.add(begun, 0, 1);
    while (Atomics.load(begun, 0) < all);
    const start = seconds();
    multiply();
    port.postMessage({ start, end: seconds() });
  });
  port.postMessage(null);
}

async function compare() {
  const { values } = parseArgs({ options: {
    threads: { type: 'string', default: '2' }, turns: { type: 'string', default: '100' },
    engine: { type: 'string', default: 'simd128' },
  } });
  const threads = Number(values.threads), begun = new Int32Array(new SharedArrayBuffer(4));
  const options = { workerData: { engine: values.engine, threads, begun } };
  const workers = Array.from({ length: threads }, () => new Worker(new URL(import.meta.url), options));
  const answers = (/** @type {Worker[]} */ from) =>
    Promise.all(from.map(async (worker) => (await once(worker, 'message'))[0]));
  await answers(workers);
  const limits = new Uint8Array(await readFile(new URL('../../dist/limits.wasm', import.meta.url)));
  const readers = await openReaders(limits, threads);

  let all = 0;
  /** Milliseconds in which n threads multiply by their shares. @param {number} n */
  async function multiply(n) {
    const answered = answers(workers.slice(0, n));
    all += n;
    for (const worker of workers.slice(0, n)) worker.postMessage(all);
    const times = await answered;
    return 1000 * (Math.max(...times.map(({ end }) => end)) - Math.min(...times.map(({ start }) => start)));
  }
  /** Milliseconds in which n threads read as many bytes. @param {number} n */
  const read = async (n) => ((1000 * BYTES * n) / threads) / (await readers.read(n));

  const ways = [1, threads].flatMap((n) => [
    { name: 'products', n, run: () => multiply(n), times: /** @type {number[]} */ ([]) },
    { name: 'reading', n, run: () => read(n), times: /** @type {number[]} */ ([]) },
  ]);
  for (let turn = 0; turn < Number(values.turns); turn++) {
    for (const way of ways) way.times.push(await way.run());
  }
  const ranks = { fastest: 0, '5 %': 0.05, '10 %': 0.1, half: 0.5 };
  const row = (/** @type {(string | number)[]} */ cells) => console.log(`| ${cells.join(' | ')} |`);
  console.log(`\nSmolLM2-135M Q8_0, ${values.engine}, shares of ${threads} threads; ${thisRun().text}\n`);
  row(['ms', 'threads', ...Object.keys(ranks)]);
  row(['', '', ...Object.keys(ranks)].map(() => '---'));
  for (const { name, n, times } of ways) {
    times.sort((a, b) => a - b);
    row([name, n, ...Object.values(ranks).map((rank) => times[Math.floor(rank * (times.length - 1))].toFixed(2))]);
  }
  process.exit(0);
}
