// Measures the time to load a model, and a lower bound of it.
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { DTYPES } from '../files/dtypes.js';
import { Pacer } from '../pause.js';

/** Bytes of a read, as in the loader: few enough to stay in cache. */
const PIECE = 1 << 19;
const PAGE_BYTES = 65536;

/** @typedef {{ weightsBytes: number, types: Record<string, { tensors: number, bytes: number }> }} Weights */

/**
 * Milliseconds to read a file into new WebAssembly memory of the size of its weights: a lower bound of loading.  Bytes
 * that a load reads to their final place are read there.  The rest is read in pieces, and as many bytes as it becomes
 * in memory are copied from a piece in cache.  Most of the time is the allocation of pages by the system.  The thread
 * yields as in a load, because V8 then frees the memory of earlier loads.
 * @param {string} path
 * @param {number} weightsBytes  in memory
 * @param {number} straight  bytes that are the same in memory and in the file
 */
async function leastTime(path, weightsBytes, straight) {
  const stage = new Uint8Array(PIECE);
  const start = performance.now();
  const file = openSync(path, 'r');
  const memory = new WebAssembly.Memory({ initial: Math.ceil(weightsBytes / PAGE_BYTES) });
  const place = new Uint8Array(memory.buffer, 0, weightsBytes);
  const growth = (weightsBytes - straight) / (fstatSync(file).size - straight);
  const pacer = new Pacer();
  let at = 0;
  for (; at < straight; await pacer.pause()) at += readSync(file, place, at, Math.min(PIECE, straight - at), null);
  for (let read; (read = readSync(file, stage, 0, PIECE, null)) > 0; await pacer.pause()) {
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

/** Bytes that are the same in memory and in the file: floats that are not converted.
 *  @param {Weights} weights @param {boolean} turned */
function straightBytes({ types }, turned) {
  const floats = Object.values(DTYPES).filter(({ elements, name }) => elements === 1 && name in types);
  return turned ? 0 : floats.reduce((sum, { name }) => sum + types[name].bytes, 0);
}

/** @param {string} from a path, or an address */
const isAddress = (from) => /^https?:/i.test(from);

/** Reads all bytes into new memory. @param {string} from */
async function read(from) {
  if (isAddress(from)) await (await fetch(from)).arrayBuffer();
  else readFileSync(from);
}

/**
 * Times loads, plain reads of the same bytes, and the lower bound of a load, in turns.
 * @param {string} from  a path, or an address
 * @param {() => Promise<{ info: Weights, dispose: () => void }>} load
 * @param {{ times: number, turned: boolean }} how  turned: whether weights are converted
 * @returns {Promise<{ load: number[], read: number[], least: number[] }>} milliseconds; no lower
 *   bound for an address, because it depends on the host
 */
export async function timeLoads(from, load, { times, turned }) {
  /** @type {Record<'load' | 'read' | 'least', number[]>} */
  const took = { load: [], read: [], least: [] };
  for (let i = 0; i < times; i++) {
    let start = performance.now();
    await read(from);
    took.read.push(performance.now() - start);
    start = performance.now();
    const model = await load();
    took.load.push(performance.now() - start);
    const { info } = model;
    model.dispose();
    if (isAddress(from)) continue;
    took.least.push(await leastTime(from, info.weightsBytes, straightBytes(info, turned)));
  }
  return took;
}
