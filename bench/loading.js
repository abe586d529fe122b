/**
 * Compares loading a model with reading the same bytes into WebAssembly memory, in time and in memory beyond the
 * weights. Sources are a path in Node.js, and an address in Node.js and in Chromium, with the server on this machine.
 *
 *     node bench/loading.js MODEL… [--rounds N] [--from path,address,chromium] [--node NODE]
 *
 * Reading and loading take turns in one process. Printed are medians, and medians of the turns' ratios. Processor time
 * counts all threads, and for Chromium all processes.
 */
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { BROWSERS } from '../tests/support/browsers.js';

/** @typedef {{ wall: number, cpu: number }} Times milliseconds */
/** @typedef {{ first: Times, turns: { keep: Times, load: Times }[], beyond: number, weightsBytes: number }} Measured */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    from: { type: 'string', default: 'path,address,chromium' },
    node: { type: 'string', default: process.execPath },
  },
});
const rounds = Number(values.rounds);
const IN_NODE = fileURLToPath(new URL('loading/in-node.js', import.meta.url));
const SERVER = fileURLToPath(new URL('loading/server.js', import.meta.url));
const TICK_MS = 10; // of the processor's time in /proc

const median = (/** @type {number[]} */ numbers) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1];

/** @param {string} source @returns {Measured} */
function inNode(source) {
  const run = (/** @type {string[]} */ ...words) =>
    JSON.parse(execFileSync(values.node, [IN_NODE, ...words], { encoding: 'utf8' }));
  return { ...run('time', source, values.rounds), ...run('memory', source) };
}

/** A process and all its descendants. @param {number} root @returns {number[]} */
function family(root) {
  /** @type {Map<number, number>} */
  const parents = new Map();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    const fields = statOf(Number(name));
    if (fields) parents.set(Number(name), Number(fields[1]));
  }
  const all = [root];
  for (const pid of all) for (const [child, parent] of parents) if (parent === pid) all.push(child);
  return all;
}

/** The fields of /proc/PID/stat from the third on; null when it has ended. @param {number} pid */
function statOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'latin1').replace(/^.*\) /s, '').split(' ');
  } catch {
    return null;
  }
}

/** Milliseconds of the processor. @param {number[]} pids */
const processorTime = (pids) =>
  TICK_MS * pids.reduce((sum, pid) => sum + Number(statOf(pid)?.[11] ?? 0) + Number(statOf(pid)?.[12] ?? 0), 0);

/** Anonymous memory in bytes, private and shared with other processes. @param {number} pid */
function memoryOf(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  return 1024 * [...status.matchAll(/Rss(?:Anon|Shmem):\s+(\d+)/g)].reduce((sum, [, kB]) => sum + Number(kB), 0);
}

/** @param {string} address of the model @param {string} page @returns {Promise<Measured>} */
async function inChromium(address, page) {
  const before = new Set(family(process.pid));
  const browser = await BROWSERS.chromium({ width: 800, height: 600 });
  try {
    await browser.page.goto(page);
    const timed = (/** @type {string} */ way) => browser.page.evaluate(
      ({ way, address }) => /** @type {any} */ (globalThis).timed(way, address), { way, address });
    while (!(await browser.page.evaluate(() => document.documentElement.dataset.ready !== undefined)));
    const pids = family(process.pid).filter((pid) => !before.has(pid));
    // One process shows the page; a process in reserve does not change.
    const renderers = pids.filter((pid) => /--type=renderer/.test(readFileSync(`/proc/${pid}/cmdline`, 'latin1')));
    const memory = () => renderers.reduce((sum, pid) => sum + memoryOf(pid), 0);
    const started = memory();
    let peak = started;
    const watch = setInterval(() => (peak = Math.max(peak, memory())), 5);
    const start = processorTime(pids);
    const { wall, bytes: weightsBytes } = await timed('load');
    clearInterval(watch);
    const first = { wall, cpu: processorTime(pids) - start };

    const once = async (/** @type {string} */ way) => {
      const start = processorTime(pids);
      const { wall } = await timed(way);
      return { wall, cpu: processorTime(pids) - start };
    };
    await once('keep');
    const turns = [];
    for (let i = 0; i < rounds; i++) turns.push({ keep: await once('keep'), load: await once('load') });
    return { first, turns, weightsBytes, beyond: peak - started - weightsBytes };
  } finally {
    await browser.close();
  }
}

/** @param {string} name @param {Measured} measured */
function row(name, { first, turns, beyond }) {
  const of = (/** @type {'keep' | 'load'} */ way, /** @type {keyof Times} */ time) =>
    median(turns.map((turn) => turn[way][time])).toFixed(0);
  const ratio = (/** @type {keyof Times} */ time) =>
    median(turns.map(({ keep, load }) => load[time] / keep[time])).toFixed(2);
  const cells = [name, ...(/** @type {const} */ (['wall', 'cpu']).flatMap((time) => [of('keep', time), of('load', time),
    ratio(time)])), first.wall.toFixed(0), (beyond / 2 ** 20).toFixed(0)];
  return `| ${cells.join(' | ')} |`;
}

const COLUMNS = ['', 'keep, ms', 'load', 'ratio', 'keep, ms of processor', 'load', 'ratio', 'first load, ms',
  'MB beyond weights'];
console.log(`| ${COLUMNS.join(' | ')} |\n|${COLUMNS.map(() => '---').join('|')}|`);
for (const path of positionals.map((name) => resolve(name))) {
  const server = spawn(process.execPath, [SERVER, dirname(path)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const url = String(await new Promise((done) => server.stdout.once('data', done))).trim();
  const address = `${url}files/${encodeURIComponent(basename(path))}`;
  try {
    for (const from of values.from.split(',')) {
      const measured = from === 'chromium' ? await inChromium(address, `${url}bench/loading/page.html`)
        : inNode(from === 'path' ? path : address);
      console.log(row(`${basename(path)}, ${from}`, measured));
    }
  } finally {
    server.kill();
  }
}
