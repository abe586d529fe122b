import { HeedError, quoted } from '../errors.js';
import { DTYPES } from '../files/dtypes.js';

/** What a session keeps queries, keys and values in, in the order of heed_cache_type. */
export const CACHES = /** @type {const} */ (['f32', 'int16']);

/** @typedef {(typeof CACHES)[number]} CacheType */

/** @param {import('./load.js').LoadOptions} options
 *  @throws {HeedError} 'bad-argument' */
export function checkCache({ cache = 'auto' }) {
  if (cache === 'auto' || CACHES.includes(cache)) return;
  throw new HeedError('bad-argument', `There is no cache ${quoted(cache)}; ‘auto’, ‘f32’ and ‘int16’ there are.`);
}

/**
 * Float weights promise the model's own numbers, so nothing is rounded beside them. Products with quantised weights
 * round their activations to 8 bits; the 14 of the cache are far below that.
 * @param {CacheType | 'auto' | undefined} wanted
 * @param {import('./place.js').WeightsInfo['types']} types  that the weights have in memory
 * @returns {CacheType}
 */
export function chooseCache(wanted = 'auto', types) {
  if (wanted !== 'auto') return wanted;
  return Object.values(DTYPES).some(({ name, elements }) => elements > 1 && name in types) ? 'int16' : 'f32';
}
