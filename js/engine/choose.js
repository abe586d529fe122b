/** The choice of the kernel set and of the number of threads. */
import { HeedError } from '../errors.js';
import { nodeModule } from '../node.js';
import { refuse } from '../options.js';
import { whyNotRelaxed, wholeBytes } from './relaxed.js';

/** @typedef {import('./wasm.js').KernelSet} KernelSet */
/**
 * Options of load() and lab() that choose the engine.
 * @typedef {object} EngineOptions
 * @property {'auto' | KernelSet} [engine]
 * @property {boolean} [strict]
 * @property {number | 'auto'} [threads]
 * @property {boolean} [memory64]
 */
/**
 * The engine that runs a model.
 * @typedef {object} EngineInfo
 * @property {KernelSet} kernels  kernel set: portable C, fixed-width SIMD, relaxed SIMD, or relaxed SIMD with products
 *   of whole bytes (unsigned or signed)
 * @property {KernelSet} binary   the same as `kernels`, its earlier name
 * @property {number} threads  number of threads
 * @property {boolean} memory64  whether its memory is 64-bit
 * @property {string} why      reasons for the kernel set and the number of threads
 */

/** Values of the option `engine`. */
export const ENGINES = ['auto', 'scalar', 'simd128', 'relaxed', 'relaxed-u8', 'relaxed-s8'];

/** Largest number of threads by default, because more threads rarely have a processor core each. */
const AUTO_THREADS = 4;
/** Size of weights below which threads spend more time waiting than computing. */
const MIN_BYTES_FOR_THREADS = 2 ** 25;

/** Checks options before a file is read.
 *  @param {EngineOptions} options
 *  @throws {HeedError} 'bad-argument', 'unsupported' for relaxed SIMD where it is missing */
export function checkEngine({ engine = 'auto', strict = false, threads = 'auto' }) {
  if (!ENGINES.includes(engine)) refuse('engine', `one of ${ENGINES.join(', ')}`, engine);
  if (strict && engine.startsWith('relaxed')) {
    throw new HeedError('bad-argument', `strict: true excludes relaxed SIMD, and engine: ‘${engine}’ requires it. ` +
      'Give only one of the two.');
  }
  const obstacle = engine === 'auto' ? null : whyNotKernels(engine);
  if (obstacle) {
    throw new HeedError('unsupported', `engine: ‘${engine}’ is not available: ${obstacle}. Use ‘auto’ or ‘simd128’.`);
  }
  if (threads !== 'auto' && !(Number.isInteger(threads) && threads >= 1)) {
    refuse('threads', '‘auto’ or an integer from 1', threads);
  }
}

/** Chooses the kernel set and the number of threads.
 *  @param {EngineOptions} options @param {number} weightsBytes
 *  @param {{ floatsOnly?: boolean }} [weights]  whether no weight is quantized, so that whole bytes change nothing
 *  @returns {Promise<EngineInfo>} */
export async function chooseEngine({ engine = 'auto', strict = false, threads: wanted = 'auto', memory64 = false },
  weightsBytes, { floatsOnly = false } = {}) {
  const { kernels, why: whyKernels } = chooseKernels(engine, strict, floatsOnly);
  const { threads, why: whyThreads } = await chooseThreads(wanted, weightsBytes);
  return { kernels, binary: kernels, threads, memory64, why: `${whyKernels}; ${whyThreads}` };
}

/** The reason why a kernel set cannot run here, as the end of a sentence; null if it can.
 *  @param {KernelSet} kernels @returns {string | null} */
export function whyNotKernels(kernels) {
  if (!kernels.startsWith('relaxed')) return null;
  const obstacle = whyNotRelaxed();
  if (obstacle || kernels === 'relaxed' || kernels === `relaxed-${wholeBytes()}`) return obstacle;
  return `this WebAssembly engine does not multiply ${kernels === 'relaxed-u8' ? 'un' : ''}signed bytes exactly`;
}

/** @param {NonNullable<EngineOptions['engine']>} engine @param {boolean} strict @param {boolean} floatsOnly
 *  @returns {{ kernels: KernelSet, why: string }} */
function chooseKernels(engine, strict, floatsOnly) {
  if (engine !== 'auto') return { kernels: engine, why: `${engine}, as requested` };
  if (strict) return { kernels: 'simd128', why: 'simd128, because strict: true excludes relaxed SIMD' };
  const obstacle = whyNotRelaxed();
  if (obstacle) return { kernels: 'simd128', why: `simd128, because ${obstacle}` };
  const bytes = floatsOnly ? null : wholeBytes();
  if (!bytes) return { kernels: 'relaxed', why: 'relaxed SIMD, which passed its test' };
  return { kernels: `relaxed-${bytes}`, why: `relaxed SIMD, which passed its test, also on whole bytes (${bytes})` };
}

/**
 * The engine after a wrong product of whole bytes: the core continues with exact products (src/kernels/whole_bytes.h).
 * @param {EngineInfo} engine @returns {EngineInfo}
 */
export const withoutWholeBytes = (engine) => ({
  ...engine,
  kernels: 'relaxed',
  binary: 'relaxed',
  why: `relaxed SIMD without whole bytes, because this WebAssembly engine changed how it multiplies them; ${
    engine.why.split('; ').at(-1)}`,
});

/** The engine on one thread, where memory of several cannot be reserved.
 *  @param {EngineInfo} engine @returns {EngineInfo} */
export const onOneThread = (engine) => ({
  ...engine,
  threads: 1,
  why: `${engine.why.split('; ')[0]}; one thread, because memory of several threads cannot be reserved`,
});

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
  if (typeof document === 'object') return 'the thread of a page must not wait for others, but a Worker can';
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
