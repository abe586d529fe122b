// How long a model takes to load, beside what no loader of this engine is spared.
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { DTYPES } from '../files/dtypes.js';
import { Pacer } from '../pause.js';

/** Bytes of a read, as the loader's own: few enough to stay in cache. */
const PIECE = 1 << 19;
const PAGE_BYTES = 65536;

/** @typedef {{ weightsBytes: number, types: Record<string, { tensors: number, bytes: number }> }} Weights */

/**
 * Milliseconds to bring a file into WebAssembly memory that nobody wrote before, as large as its weights are there.
 * What loading reads straight to its place is read there; the rest of the file is read piece by piece, and as many
 * bytes as become of it are copied out of a piece in cache. Most of it is the system's handing out of pages. It gives
 * the thread back as a load does: that is when V8 frees what was loaded before.
 * @param {string} path
 * @param {number} weightsBytes  in memory
 * @param {number} straight  bytes of them that are in memory as they are in the file
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

/** Floats stay as they are, unless another type is asked for. @param {Weights} weights @param {boolean} turned */
function straightBytes({ types }, turned) {
  const floats = Object.values(DTYPES).filter(({ elements, name }) => elements === 1 && name in types);
  return turned ? 0 : floats.reduce((sum, { name }) => sum + types[name].bytes, 0);
}

/** @param {string} from a path, or an address */
const isAddress = (from) => /^https?:/i.test(from);

/** All bytes, into memory of their own. @param {string} from */
async function read(from) {
  if (isAddress(from)) await (await fetch(from)).arrayBuffer();
  else readFileSync(from);
}

/**
 * Loading, reading the same bytes into memory of their own and the least that loading can take, in turns.
 * @param {string} from  a path, or an address
 * @param {() => Promise<{ info: Weights, dispose: () => void }>} load
 * @param {{ times: number, turned: boolean }} how  turned: whether weights become another type
 * @returns {Promise<{ load: number[], read: number[], least: number[] }>} milliseconds; of an address nothing is known
 *   of the least, for its host gives it as fast as it does
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
