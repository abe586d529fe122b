import { HeedError, quoted } from './errors.js';

/** @typedef {import('./wasm.js').Engine} Engine */

/** Ids of one call into the engine: enough to reuse each weight, few enough that nobody waits long for the thread. */
export const BATCH = 64;
/** What a session takes without being asked: a context of 131,072 positions would take all there is. */
const SESSION_BYTES = 2 ** 30;

/** Threads that are taken without being asked: more seldom have a core of their own. */
const AUTO_THREADS = 4;
/** Weights below which threads wait for each other longer than they work. */
const WORTH_THREADS_BYTES = 2 ** 25;
/** As many as the core can hold (src/threads.h). */
const MAX_THREADS = 16;

/** Refuses options that cannot be met, before anything is read.
 *  @param {import('./load.js').LoadOptions} options
 *  @throws {HeedError} 'bad-argument', 'unsupported' */
export function checkOptions({ engine = 'auto', threads = 'auto', quantize = 'keep' }) {
  if (!['auto', 'scalar', 'simd128', 'relaxed'].includes(engine)) {
    throw new HeedError(
      'bad-argument',
      `There is no engine ${quoted(engine)}; ‘auto’, ‘scalar’ and ‘simd128’ there are.`,
    );
  }
  if (engine === 'relaxed') {
    throw new HeedError('unsupported', 'This version has no binary with relaxed SIMD. Take ‘auto’ or ‘simd128’.');
  }
  if (threads !== 'auto' && !(Number.isInteger(threads) && threads >= 1 && threads <= MAX_THREADS)) {
    throw new HeedError(
      'bad-argument',
      `threads is ${quoted(threads)}; it must be ‘auto’ or a whole number from 1 to ${MAX_THREADS}.`,
    );
  }
  if (quantize !== 'keep') {
    throw new HeedError(
      'unsupported',
      `quantize: ${quoted(quantize)} is not there yet: weights run in the type of their file.`,
    );
  }
}

/** What runs, and why.
 *  @param {import('./load.js').LoadOptions} options @param {number} weightsBytes
 *  @returns {Promise<import('./model.js').ModelInfo['engine']>} */
export async function chooseEngine({ engine = 'auto', threads: wanted = 'auto' }, weightsBytes) {
  const binary = engine === 'scalar' ? 'scalar' : 'simd128';
  const kernels = engine === 'auto' ? 'simd128 is the fastest that this version has' : `${engine} was asked for`;
  const { threads, why } = await chooseThreads(wanted, weightsBytes);
  return { binary, threads, why: `${kernels}; ${why}` };
}

/** @param {number | 'auto'} wanted @param {number} weightsBytes @returns {Promise<{ threads: number, why: string }>} */
async function chooseThreads(wanted, weightsBytes) {
  if (wanted === 1) return { threads: 1, why: 'one thread was asked for' };
  const hindrance = noSharing();
  if (hindrance) {
    const instead = wanted === 'auto' ? '' : `, not ${wanted}`;
    return { threads: 1, why: `one thread${instead}: ${hindrance}` };
  }
  if (wanted !== 'auto') return { threads: wanted, why: `${wanted} threads were asked for` };
  if (weightsBytes < WORTH_THREADS_BYTES) return { threads: 1, why: 'one thread, for the model is small' };
  const processors = await countCores();
  const threads = Math.min(processors, AUTO_THREADS);
  return { threads, why: `${threads} of ${processors} processors` };
}

/** Why memory cannot be shared here, if it cannot. */
function noSharing() {
  if (typeof document === 'object') return 'a page’s own thread may not wait for others; load with worker: true';
  const isolated = /** @type {any} */ (globalThis).crossOriginIsolated ?? true; // Node knows no such thing
  if (typeof SharedArrayBuffer !== 'function' || !isolated) {
    return 'the page is not cross-origin isolated, so memory cannot be shared (README: threads)';
  }
  return null;
}

async function countCores() {
  const count = globalThis.navigator?.hardwareConcurrency;
  if (count) return count;
  const name = 'node:os';
  /** @type {typeof import('node:os')} */
  const { availableParallelism } = await import(/* webpackIgnore: true */ /* @vite-ignore */ name);
  return availableParallelism();
}

/** The positions of a session: as asked, or as many as the model has and memory allows.
 *  @param {Engine} engine @param {number} model @param {boolean} maps @param {number} threads
 *  @param {import('./config.js').Config} config @param {number} [wanted] */
export function chooseContext(engine, model, maps, threads, config, wanted) {
  if (wanted !== undefined) {
    if (!Number.isInteger(wanted) || wanted < 1 || wanted > config.context_length) {
      throw new HeedError(
        'bad-argument',
        `contextLength is ${quoted(wanted)}; this model takes 1 to ${config.context_length}.`,
      );
    }
    return wanted;
  }
  const fits = (/** @type {number} */ context) => {
    try {
      return engine.call('heed_session_bytes', model, context, BATCH, Number(maps), threads) <= SESSION_BYTES;
    } catch {
      return false;
    }
  };
  let low = 1;
  let high = config.context_length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
