import { HeedError, quoted } from './errors.js';
import { nodeModule } from './node.js';
import { QUANTIZE } from './quantize.js';
import { whyNotRelaxed } from './relaxed.js';

/** @typedef {import('./wasm.js').Engine} Engine */

/** Ids that go through the model together: as many as a product unpacks its weights for. */
export const BATCH = 128;
/** What a session takes without being asked: a context of 131,072 positions would take all there is. */
const SESSION_BYTES = 2 ** 30;

/** What `engine` may be. */
const ENGINES = ['auto', 'scalar', 'simd128', 'relaxed'];

/** Threads that are taken without being asked: more seldom have a core of their own. */
const AUTO_THREADS = 4;
/** Weights below which threads wait for each other longer than they work. */
const WORTH_THREADS_BYTES = 2 ** 25;

/** Refuses options that cannot be met, before anything is read.
 *  @param {import('./load.js').LoadOptions} options
 *  @throws {HeedError} 'bad-argument', 'unsupported' */
export function checkOptions({ engine = 'auto', strict = false, threads = 'auto', quantize = 'keep' }) {
  if (!ENGINES.includes(engine)) {
    throw new HeedError('bad-argument', `There is no engine ${quoted(engine)}; there are ${ENGINES.join(', ')}.`);
  }
  if (engine === 'relaxed') {
    if (strict) {
      throw new HeedError(
        'bad-argument',
        'strict: true leaves relaxed SIMD out, and engine: ‘relaxed’ wants it. Give one of the two.',
      );
    }
    const hindrance = whyNotRelaxed();
    if (hindrance) {
      throw new HeedError('unsupported', `engine: ‘relaxed’ cannot be: ${hindrance}. Take ‘auto’ or ‘simd128’.`);
    }
  }
  if (threads !== 'auto' && !(Number.isInteger(threads) && threads >= 1)) {
    throw new HeedError('bad-argument', `threads is ${quoted(threads)}; it must be ‘auto’ or a whole number from 1.`);
  }
  if (!Object.hasOwn(QUANTIZE, quantize)) {
    throw new HeedError(
      'bad-argument',
      `quantize is ${quoted(quantize)}; it must be one of ${Object.keys(QUANTIZE).join(', ')}.`,
    );
  }
}

/** What runs, and why.
 *  @param {import('./load.js').LoadOptions} options @param {number} weightsBytes
 *  @returns {Promise<import('./model.js').ModelInfo['engine']>} */
export async function chooseEngine({ engine = 'auto', strict = false, threads: wanted = 'auto' }, weightsBytes) {
  const kernels = chooseKernels(engine, strict);
  const { threads, why } = await chooseThreads(wanted, weightsBytes);
  return { binary: kernels.binary, threads, why: `${kernels.why}; ${why}` };
}

/** @param {NonNullable<import('./load.js').LoadOptions['engine']>} engine @param {boolean} strict
 *  @returns {{ binary: import('./wasm.js').Binary, why: string }} */
function chooseKernels(engine, strict) {
  if (engine !== 'auto') return { binary: engine, why: `${engine} was asked for` };
  if (strict) return { binary: 'simd128', why: 'simd128, for strict: true leaves relaxed SIMD out' };
  const hindrance = whyNotRelaxed();
  if (hindrance) return { binary: 'simd128', why: `simd128, for ${hindrance}` };
  return { binary: 'relaxed', why: 'relaxed SIMD is here, and gave the known answer' };
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
  /** @type {typeof import('node:os')} */
  const { availableParallelism } = await nodeModule('node:os');
  return availableParallelism();
}

/** The positions of a session: as asked, or as many as the model has and memory allows.
 *  @param {Engine} engine @param {number} model @param {boolean} maps
 *  @param {number} cache of heed_cache_type @param {number} threads
 *  @param {import('./config.js').Config} config @param {number} [wanted] */
export function chooseContext(engine, model, maps, cache, threads, config, wanted) {
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
      return engine.call('heed_session_bytes', model, context, BATCH, Number(maps), cache, threads) <= SESSION_BYTES;
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
