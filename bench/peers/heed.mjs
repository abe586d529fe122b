/**
 * heed as a peer of peerbench, measured like every other peer: in headless Chromium, or in Node.
 *
 *     node PEERBENCH/run.mjs --peer PATH_FROM_ITS_peers_TO/bench/peers/heed --opt where=node --opt engine=simd128 …
 *
 * node bench/peers.js runs it in turns with the others.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { oneRun } from './one-run.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** The folder of the run.mjs that imported this. */
const PEERBENCH = dirname(process.argv[1]);
export const needs = 'gguf';

/** @param {any} arg as peerbench's README says; where: 'chromium' or 'node', engine: as load() takes it */
export const run = (arg) => (arg.where === 'node' ? inNode(arg) : inChromium(arg));

/** @param {any} arg */
async function inNode(arg) {
  const { measure, nodeCpu } = await import(join(PEERBENCH, 'lib/prompt.js'));
  const start = performance.now();
  const { load } = await import('../../js/index.js');
  const { model, one } = await oneRun(load, arg.path, arg);
  const load_ms = performance.now() - start;
  const cases = await measure(arg, one, nodeCpu);
  const peak = /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'));
  const info = { ...model.info.engine, node: process.version };
  model.dispose();
  return { load_ms, cases, peak_mb: peak ? Number(peak[1]) / 1024 : undefined, shipped: shipped(info), info };
}

/** @param {any} arg */
async function inChromium(arg) {
  const { browserPeer } = await import(pathToFileURL(join(PEERBENCH, 'lib/browserpeer.mjs')).href);
  const roots = { '/heed/': ROOT, '/pages/heed/': dirname(fileURLToPath(import.meta.url)) };
  const result = await browserPeer({ ...arg, roots }, 'heed/heed.html');
  return { ...result, shipped: shipped(result.info) };
}

/** Bytes that a page loads: the scripts, their imports, and the binary that ran.
 *  @param {{ binary: string, threads: number }} info */
function shipped({ binary, threads }) {
  const files = ['heed.js', 'worker.js', ...(threads > 1 ? ['thread.js'] : [])];
  for (const name of files) { // grows on the way
    const imported = readFileSync(join(ROOT, 'dist', name), 'utf8').matchAll(/["']\.\/(chunk-\w+\.js)["']/g);
    for (const [, chunk] of imported) if (!files.includes(chunk)) files.push(chunk);
  }
  files.push(`heed${binary === 'relaxed' ? '-relaxed' : ''}${threads > 1 ? '-mt' : ''}.wasm`);
  const bytes = files.map((name) => readFileSync(join(ROOT, 'dist', name)));
  return {
    raw: bytes.reduce((sum, file) => sum + file.length, 0),
    gz: bytes.reduce((sum, file) => sum + gzipSync(file, { level: 6 }).length, 0),
    files: Object.fromEntries(files.map((name, i) => [name, bytes[i].length])),
  };
}
