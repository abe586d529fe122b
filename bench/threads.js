/**
 * Decoding on several threads, in turns of a few tokens, beside the limit of memory.
 *
 *     node bench/threads.js MODEL [OPTIONS]
 *
 *     --threads N,N  default 1,2; the others are compared with the first
 *     --engine E     kernel set; default simd128
 *     --context N    positions before the tokens; default 16
 *     --turns N      default 200
 *     --products     also one row by the matrices of SmolLM2-135M in Q8_0, on threads that never wait for each other.
 *                    Only a model in Q8_0 compares with them.
 *     --tree DIR     repeatable: a built tree of heed, to compare versions in one run; default: this one
 *
 * In a turn, each number of threads decodes five tokens and reads memory once. Printed are milliseconds of a token: the
 * fastest, by rank, and the median. Reading and products are scaled to the bytes of the weights. Other programs delay a
 * token on several threads more often than one on a single thread. So the first ranks show a quiet machine.
 */
import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { openReaders } from '../js/cli/limits.js';
import { openTeam } from '../js/cli/thread-team.js';
import { thisRun } from './this-run.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const { values, positionals: [path] } = parseArgs({
  allowPositionals: true,
  options: {
    threads: { type: 'string', default: '1,2' },
    engine: { type: 'string', default: 'simd128' },
    context: { type: 'string', default: '16' },
    turns: { type: 'string', default: '200' },
    products: { type: 'boolean', default: false },
    tree: { type: 'string', multiple: true, default: [ROOT] },
  },
});
if (!path) {
  console.error('usage: node bench/threads.js MODEL [OPTIONS]; the first comment of the program lists them');
  process.exit(2);
}
const TOKENS = 5;
const WARM_UP = 20;
const counts = values.threads.split(',').map(Number);
const context = Number(values.context);
const prompt = Array.from({ length: context }, (_, i) => (i * 7919 + 300) % 2000);

/** Times are in milliseconds.
 *  @typedef {{ name: string, threads: number, times: number[], run: () => Promise<number[]> }} Way */

/** @param {string} tree @param {number} threads @returns {Promise<Way & { bytes: number }>} */
async function decoding(tree, threads) {
  const { load } = await import(pathToFileURL(resolve(tree, 'js/index.js')).href);
  const model = await load(path, { engine: values.engine, threads, contextLength: context + WARM_UP + TOKENS });
  await model.forward(prompt);
  for (let i = 0; i < WARM_UP; i++) await model.forward([300 + i]);
  const run = async () => {
    const times = [];
    model.rewind(context);
    for (let i = 0; i < TOKENS; i++) {
      const start = performance.now();
      await model.forward([300 + i]);
      times.push(performance.now() - start);
    }
    return times;
  };
  const name = values.tree.length > 1 ? `decoding, ${basename(resolve(tree))}` : 'decoding';
  return { name, threads, times: [], run, bytes: model.info.weightsBytes };
}

const decoders = [];
for (const tree of values.tree) for (const threads of counts) decoders.push(await decoding(tree, threads));
const [{ bytes }] = decoders;
const most = Math.max(...counts);

/** @param {string} name @param {(threads: number) => Promise<number>} rate  bytes per second @returns {Way[]} */
const alone = (name, rate) => counts.map((threads) => (
  { name, threads, times: [], run: async () => [(1000 * bytes) / (await rate(threads))] }));
/** @type {Way[]} */
const ways = [...decoders];
if (values.products) {
  const file = new URL('threads/products.js', import.meta.url);
  const { opened: share, run } = await openTeam(file, most, { engine: values.engine });
  ways.push(...alone('products alone', async (threads) => (threads * share) / (await run(threads))));
}
const limits = new Uint8Array(await readFile(new URL('../dist/limits.wasm', import.meta.url)));
ways.push(...alone('reading alone', (await openReaders(limits, most)).read));
for (let turn = 0; turn < Number(values.turns); turn++) {
  for (const way of ways) way.times.push(...(await way.run()));
}

const RANKS = { fastest: 0, '1 %': 0.01, '5 %': 0.05, '10 %': 0.1, half: 0.5 };
const row = (/** @type {(string | number)[]} */ cells) => console.log(`| ${cells.join(' | ')} |`);
console.log(`\n${basename(path)}, ${values.engine}, after ${context} positions; ${thisRun().text}\n`);
row(['ms of a token (speed over the first)', 'threads', ...Object.keys(RANKS)]);
row(['', '', ...Object.keys(RANKS)].map(() => '---'));
for (const way of ways) {
  const first = /** @type {Way} */ (ways.find(({ name }) => name === way.name));
  const at = (/** @type {Way} */ { times }, /** @type {number} */ rank) =>
    times.sort((a, b) => a - b)[Math.floor(rank * (times.length - 1))];
  row([way.name, way.threads, ...Object.values(RANKS).map((rank) => {
    const ratio = at(first, rank) / at(way, rank);
    return at(way, rank).toFixed(2) + (way === first ? '' : ` (${ratio.toFixed(2)})`);
  })]);
}
process.exit(0);
