// One process of bench/loading.js: reads and loads a source in turns, or loads it once and reports the memory used.
import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { load } from '../../js/index.js';
import { Pacer } from '../../js/pause.js';
import { fetchToKeep, room } from './ways.js';

const [what, source, rounds] = process.argv.slice(2);
const isAddress = source.startsWith('http:');
const PIECE = 1 << 20; // the size of a read in js/files/source.js
const PAUSE_MS = 30; // time for V8 to compile and collect after a turn

/**
 * Yields regularly, as a load does. V8 finishes a collection only while the thread is idle. Without the yields, the
 * collector would free the garbage of reading during the next load.
 */
async function readToKeep() {
  const bytes = room(statSync(source).size);
  const file = openSync(source, 'r');
  const pacer = new Pacer();
  for (let at = 0; at < bytes.length; await pacer.pause()) {
    at += readSync(file, bytes, at, Math.min(PIECE, bytes.length - at), null);
  }
  closeSync(file);
}

/** @param {() => unknown} work @returns {Promise<{ wall: number, cpu: number }>} milliseconds */
async function timed(work) {
  await new Promise((done) => setTimeout(done, PAUSE_MS));
  const start = performance.now();
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return { wall: performance.now() - start, cpu: (user + system) / 1000 };
}

/** Bytes of this process. @param {'VmRSS' | 'VmHWM'} field now, or at most so far */
const memory = (field) =>
  1024 * Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync('/proc/self/status', 'utf8'))?.[1]);

const options = { threads: 1, contextLength: 640 };
if (what === 'time') {
  const ways = {
    keep: () => (isAddress ? fetchToKeep(source) : readToKeep()),
    load: async () => (await load(source, options)).dispose(),
  };
  const first = await timed(ways.load);
  await timed(ways.keep);
  const turns = [];
  for (let i = 0; i < Number(rounds); i++) turns.push({ keep: await timed(ways.keep), load: await timed(ways.load) });
  console.log(JSON.stringify({ first, turns }));
} else {
  // Load the HTTP client before memory is counted.
  if (isAddress) await (await fetch(source, { method: 'HEAD' })).arrayBuffer();
  const before = memory('VmRSS');
  const { weightsBytes } = (await load(source, options)).info;
  console.log(JSON.stringify({ beyond: memory('VmHWM') - before - weightsBytes, weightsBytes }));
}
