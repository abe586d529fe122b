/** Settings of sampling: defaults, ranges, and recommendations of a file. */
import { HeedError, quoted } from '../errors.js';

/**
 * Orders of the sampling steps (src/heed.h, HEED_SAMPLER_ORDERS).  Both start with the repeat penalty.  'llama.cpp':
 * top-k, top-p, min-p, then temperature.  'transformers': temperature, then top-k, top-p, min-p.  In the second order a
 * temperature above 1 lets top-p and min-p keep more tokens.
 */
export const SAMPLER_ORDERS = Object.freeze(/** @type {const} */ (['llama.cpp', 'transformers']));

/** An element of SAMPLER_ORDERS. @typedef {typeof SAMPLER_ORDERS[number]} SamplerOrder */

/**
 * Default sampling settings of `generate` for models whose file recommends none.  The library, the command line and the
 * page share them.
 */
export const SAMPLING = Object.freeze({
  /** Divisor of the logits; 0 always takes the likeliest token. */
  temperature: 0.7,
  /** Number of likeliest tokens to keep; 0 keeps all. */
  topK: 40,
  /** Probability of the smallest set of tokens to keep (Holtzman et al. 2020); 1 keeps all. */
  topP: 0.95,
  /** Smallest probability to keep, relative to the likeliest token's; 0 keeps all. */
  minP: 0,
  /** Penalty on tokens of the session: divides positive logits, multiplies negative ones (Keskar et al. 2019). */
  repeatPenalty: 1,
  /** Order of temperature and cuts; see SAMPLER_ORDERS. */
  samplerOrder: /** @type {SamplerOrder} */ ('llama.cpp'),
});

/**
 * Sampling settings with all values.
 * @typedef {Record<'temperature' | 'topK' | 'topP' | 'minP' | 'repeatPenalty', number> &
 *   { samplerOrder: SamplerOrder }} Sampling
 */

/** Smallest and largest value of each setting. @type {Readonly<Record<string, readonly [number, number]>>} */
export const SAMPLING_RANGES = Object.freeze({
  temperature: [0, 1e6],
  topK: [0, Number.MAX_SAFE_INTEGER],
  topP: [1e-6, 1],
  minP: [0, 1],
  repeatPenalty: [1e-3, 1e3],
});

/**
 * Keys of GGUF metadata with the settings that the authors of a model recommend (llama.cpp, pull request 17120).  Keys
 * of other samplers (xtc, mirostat) and of their order are ignored.
 */
export const SAMPLING_KEYS = Object.freeze({
  temperature: 'general.sampling.temp',
  topK: 'general.sampling.top_k',
  topP: 'general.sampling.top_p',
  minP: 'general.sampling.min_p',
  repeatPenalty: 'general.sampling.penalty_repeat',
});

/**
 * Defaults of `generate` for one model: the recommendations of its file, and SAMPLING for the rest.
 * @param {Record<string, unknown>} metadata  metadata of the file
 * @param {string} name  name of the file
 * @returns {Readonly<Sampling>}
 * @throws {HeedError} 'bad-file' for a recommendation out of range
 */
export function samplingOf(metadata, name) {
  /** @type {Record<string, number>} */
  const recommended = {};
  for (const [setting, key] of Object.entries(SAMPLING_KEYS)) {
    if (!Object.hasOwn(metadata, key)) continue;
    const value = Number(Number(metadata[key]).toPrecision(7)); // 0.95 in 32 bits is 0.949999988
    const [low, high] = SAMPLING_RANGES[setting];
    if (!(value >= low && value <= high) || (setting === 'topK' && !Number.isInteger(value))) {
      throw new HeedError('bad-file', `${quoted(name)} recommends ${quoted(String(metadata[key]))} as ‘${key}’. ` +
        `Expected ${setting === 'topK' ? 'an integer' : 'a number'} from ${low} to ${high}.`);
    }
    recommended[setting] = value;
  }
  return Object.freeze({ ...SAMPLING, ...recommended });
}
