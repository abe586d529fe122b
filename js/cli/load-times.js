// How long a model takes to load, beside what no loader of this engine is spared.
import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { DTYPES } from '../dtypes.js';

/** Bytes of a read, as the loader's own: few enough to stay in cache. */
const PIECE = 1 << 19;
const PAGE_BYTES = 65536;

/** @typedef {{ weightsBytes: number, types: Record<string, { tensors: number, bytes: number }> }} Weights */

/**
 * Milliseconds to bring a file into WebAssembly memory that nobody wrote before, as large as its weights are there.
 * What loading reads straight to its place is read there; the rest of the file is read piece by piece, and as many
 * bytes as become of it are copied out of a piece in cache. Most of it is the system's handing out of pages.
 * @param {string} path
 * @param {number} weightsBytes  in memory
 * @param {number} straight  bytes of them that are in memory as they are in the file
 */
function leastTime(path, weightsBytes, straight) {
  const stage = new Uint8Array(PIECE);
  const start = performance.now();
  const file = openSync(path, 'r');
  const memory = new WebAssembly.Memory({ initial: Math.ceil(weightsBytes / PAGE_BYTES) });
  const place = new Uint8Array(memory.buffer, 0, weightsBytes);
  const growth = (weightsBytes - straight) / (fstatSync(file).size - straight);
  let at = 0;
  while (at < straight) at += readSync(file, place, at, Math.min(PIECE, straight - at), null);
  for (let read; (read = readSync(file, stage, 0, PIECE, null)) > 0;) {
    for (let left = Math.min(Math.ceil(read * growth), weightsBytes - at); left > 0;) {
      const part = Math.min(left, read);
      place.set(stage.subarray(0, part), at);
      at += part;
      left -= part;
    }
  }
  closeSync(file);
  return performance.now() - start;
}

/** Floats stay as they are, unless another type is asked for. @param {Weights} weights @param {boolean} turned */
function straightBytes({ types }, turned) {
  const floats = Object.values(DTYPES).filter(({ elements, name }) => elements === 1 && name in types);
  return turned ? 0 : floats.reduce((sum, { name }) => sum + types[name].bytes, 0);
}

/**
 * Loading, reading the same bytes into memory of their own and the least that loading can take, in turns: of a file,
 * for an address is read as fast as its host gives.
 * @param {string} path
 * @param {() => Promise<{ info: Weights, dispose: () => void }>} load
 * @param {{ times: number, turned: boolean }} how  turned: whether weights become another type
 * @returns {Promise<{ load: number[], read: number[], least: number[] }>} milliseconds; of no file nothing but loads
 */
export async function timeLoads(path, load, { times, turned }) {
  /** @type {Record<'load' | 'read' | 'least', number[]>} */
  const took = { load: [], read: [], least: [] };
  const local = existsSync(path);
  for (let i = 0; i < times; i++) {
    let start = performance.now();
    if (local) {
      readFileSync(path);
      took.read.push(performance.now() - start);
    }
    start = performance.now();
    const model = await load();
    took.load.push(performance.now() - start);
    const { info } = model;
    model.dispose();
    if (local) took.least.push(leastTime(path, info.weightsBytes, straightBytes(info, turned)));
  }
  return took;
}
