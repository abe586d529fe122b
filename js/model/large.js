/** Models that do not fit into 32-bit memory. */
import { MEMORY64_LIMIT, whyNotMemory64 } from '../memory64.js';
import { HeedError } from '../errors.js';

/** @typedef {import('./load.js').LoadedModel} LoadedModel */
/** @typedef {import('./load.js').LoadOptions} LoadOptions */
/** @typedef {(source: import('./load.js').ModelSource, options: any) => Promise<LoadedModel>} Open */

/**
 * Loads a model again, into 64-bit memory.
 * @param {Open} open
 * @param {import('./load.js').ModelSource} source
 * @param {LoadOptions} options
 * @param {HeedError} error  'needs-memory' of the first attempt, which says how much memory the model needs
 * @returns {Promise<LoadedModel>}
 * @throws {HeedError} 'too-large' without 64-bit memory, and for a model that does not fit into it
 */
export async function openLarge(open, source, options, error) {
  if (options.memory64) throw tooLarge(error, `WebAssembly has at most ${MEMORY64_LIMIT / 2 ** 30} GB`, options);
  if (options.memory64 === false) throw tooLarge(error, 'with memory64: false there are at most 4 GB', options);
  const obstacle = whyNotMemory64();
  if (obstacle) throw tooLarge(error, `WebAssembly has at most 4 GB here, because ${obstacle}`, options);
  try {
    return await open(source, { ...options, memory64: true });
  } catch (again) {
    if (/** @type {any} */ (again).code !== 'needs-memory') throw again;
    return openLarge(open, source, { ...options, memory64: true }, /** @type {HeedError} */ (again));
  }
}

/** @param {HeedError} error @param {string} limit @param {LoadOptions} options */
function tooLarge({ message, cause }, limit, { quantize = 'keep', cache = 'auto' }) {
  const types = quantize === 'q4_0' ? [] : quantize === 'q8_0' ? ['‘q4_0’'] : ['‘q8_0’', '‘q4_0’'];
  const smaller = types.length > 0 ? `with quantize: ${types.join(' or ')}, ` : '';
  // auto takes int16 for quantized weights already.
  const half = cache === 'f32' || (cache === 'auto' && quantize !== 'q8_0' && quantize !== 'q4_0')
    ? 'with cache: ‘int16’ if its weights are not quantized, ' : '';
  const advice = smaller + half;
  return new HeedError('too-large', `${message.replace(/\.$/, '')}; ${limit}. Load it ${advice}with a shorter ` +
    'contextLength or with maps: false, or load a smaller model.', { cause });
}
