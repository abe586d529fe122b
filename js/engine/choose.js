import { HeedError, quoted } from '../errors.js';
import { nodeModule } from '../node.js';
import { whyNotRelaxed } from './relaxed.js';

/**
 * @typedef {object} EngineOptions
 * @property {'auto' | 'scalar' | 'simd128' | 'relaxed'} [engine]
 * @property {boolean} [strict]
 * @property {number | 'auto'} [threads]
 *
 * @typedef {{ binary: import('./wasm.js').Binary, threads: number, why: string }} EngineInfo
 */

/** What `engine` may be. */
const ENGINES = ['auto', 'scalar', 'simd128', 'relaxed'];

/** Threads that are taken without being asked: more seldom have a core of their own. */
const AUTO_THREADS = 4;
/** Weights below which threads wait for each other longer than they work. */
const WORTH_THREADS_BYTES = 2 ** 25;

/** Refuses options that cannot be met, before anything is read.
 *  @param {EngineOptions} options
 *  @throws {HeedError} 'bad-argument', 'unsupported' */
export function checkEngine({ engine = 'auto', strict = false, threads = 'auto' }) {
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
}

/** What runs, and why.
 *  @param {EngineOptions} options @param {number} weightsBytes
 *  @returns {Promise<EngineInfo>} */
export async function chooseEngine({ engine = 'auto', strict = false, threads: wanted = 'auto' }, weightsBytes) {
  const kernels = chooseKernels(engine, strict);
  const { threads, why } = await chooseThreads(wanted, weightsBytes);
  return { binary: kernels.binary, threads, why: `${kernels.why}; ${why}` };
}

/** @param {NonNullable<EngineOptions['engine']>} engine @param {boolean} strict
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
