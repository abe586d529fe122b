/** Chooses the number type of cached queries, keys and values. */
import { DTYPES } from '../files/dtypes.js';
import { refuse } from '../options.js';

/** Number types of cached queries, keys and values (src/heed.h, HEED_CACHE_TYPES). */
export const CACHES = /** @type {const} */ (['f32', 'int16']);

/** @typedef {(typeof CACHES)[number]} CacheType */

/** @param {Pick<import('./load.js').LoadOptions, 'cache'>} options
 *  @throws {HeedError} 'bad-argument' */
export function checkCache({ cache = 'auto' }) {
  if (cache === 'auto' || CACHES.includes(cache)) return;
  refuse('cache', 'one of auto, f32, int16', cache);
}

/**
 * The number type of the KV cache.  Models with float weights cache float32, so that the cache rounds nothing.
 * Products with quantized weights round activations to 8 bits, so a cache of 14 bits adds little error.
 * @param {CacheType | 'auto' | undefined} wanted
 * @param {import('./place.js').WeightsInfo['types']} types  types of the weights in memory
 * @returns {CacheType}
 */
export function chooseCache(wanted = 'auto', types) {
  if (wanted !== 'auto') return wanted;
  return Object.values(DTYPES).some(({ name, elements }) => elements > 1 && name in types) ? 'int16' : 'f32';
}
