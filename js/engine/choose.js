import { HeedError, quoted } from '../errors.js';
import { nodeModule } from '../node.js';
import { whyNotRelaxed } from './relaxed.js';

/**
 * Options of load() and lab() that choose the engine.
 * @typedef {object} EngineOptions
 * @property {'auto' | 'scalar' | 'simd128' | 'relaxed'} [engine]
 * @property {boolean} [strict]
 * @property {number | 'auto'} [threads]
 */
/**
 * The engine that runs a model.
 * @typedef {object} EngineInfo
 * @property {import('./wasm.js').KernelSet} kernels  kernel set: portable C, fixed-width SIMD or relaxed SIMD
 * @property {import('./wasm.js').KernelSet} binary   the same as `kernels`, its earlier name
 * @property {number} threads  number of threads
 * @property {string} why      reasons for the kernel set and the number of threads
 */

/** Values of the option `engine`. */
const ENGINES = ['auto', 'scalar', 'simd128', 'relaxed'];

/** Largest number of threads by default, because more rarely have a processor core each. */
const AUTO_THREADS = 4;
/** Size of weights below which threads spend more time waiting than computing. */
const MIN_BYTES_FOR_THREADS = 2 ** 25;

/** Checks options before a file is read.
 *  @param {EngineOptions} options
 *  @throws {HeedError} 'bad-argument', 'unsupported' for relaxed SIMD where it is missing */
export function checkEngine({ engine = 'auto', strict = false, threads = 'auto' }) {
  if (!ENGINES.includes(engine)) {
    throw new HeedError('bad-argument', `Expected engine to be one of ${ENGINES.join(', ')}, got ${quoted(engine)}.`);
  }
  if (engine === 'relaxed') {
    if (strict) {
      throw new HeedError('bad-argument', 'strict: true excludes relaxed SIMD, and engine: ‘relaxed’ requires it. ' +
        'Give only one of the two.');
    }
    const obstacle = whyNotRelaxed();
    if (obstacle) {
      throw new HeedError('unsupported', `engine: ‘relaxed’ is not available: ${obstacle}. Use ‘auto’ or ‘simd128’.`);
    }
  }
  if (threads !== 'auto' && !(Number.isInteger(threads) && threads >= 1)) {
    throw new HeedError('bad-argument', `Expected threads to be ‘auto’ or an integer from 1, got ${quoted(threads)}.`);
  }
}

/** Chooses the kernel set and the number of threads.
 *  @param {EngineOptions} options @param {number} weightsBytes
 *  @returns {Promise<EngineInfo>} */
export async function chooseEngine({ engine = 'auto', strict = false, threads: wanted = 'auto' }, weightsBytes) {
  const { kernels, why: whyKernels } = chooseKernels(engine, strict);
  const { threads, why: whyThreads } = await chooseThreads(wanted, weightsBytes);
  return { kernels, binary: kernels, threads, why: `${whyKernels}; ${whyThreads}` };
}

/** @param {NonNullable<EngineOptions['engine']>} engine @param {boolean} strict
 *  @returns {{ kernels: import('./wasm.js').KernelSet, why: string }} */
function chooseKernels(engine, strict) {
  if (engine !== 'auto') return { kernels: engine, why: `${engine}, as requested` };
  if (strict) return { kernels: 'simd128', why: 'simd128, because strict: true excludes relaxed SIMD' };
  const obstacle = whyNotRelaxed();
  if (obstacle) return { kernels: 'simd128', why: `simd128, because ${obstacle}` };
  return { kernels: 'relaxed', why: 'relaxed SIMD, which passed its test' };
}

/** @param {number | 'auto'} wanted @param {number} weightsBytes @returns {Promise<{ threads: number, why: string }>} */
async function chooseThreads(wanted, weightsBytes) {
  if (wanted === 1) return { threads: 1, why: 'one thread, as requested' };
  const obstacle = whyNotShared();
  if (obstacle) {
    const instead = wanted === 'auto' ? '' : ` instead of ${wanted}`;
    return { threads: 1, why: `one thread${instead}, because ${obstacle}` };
  }
  if (wanted !== 'auto') return { threads: wanted, why: `${wanted} threads, as requested` };
  if (weightsBytes < MIN_BYTES_FOR_THREADS) return { threads: 1, why: 'one thread, because the model is small' };
  const processors = await countCores();
  const threads = Math.min(processors, AUTO_THREADS);
  return { threads, why: `${threads} of ${processors} processors` };
}

/** The reason why threads cannot share memory here, or null. */
function whyNotShared() {
  if (typeof document === 'object') return 'the thread of a page must not wait for others; load with worker: true';
  const isIsolated = /** @type {any} */ (globalThis).crossOriginIsolated ?? true; // Node does not define it
  if (typeof SharedArrayBuffer !== 'function' || !isIsolated) {
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
