import { HeedError, quoted } from '../errors.js';

/**
 * When the temperature divides the logits, in the order of heed_sampler_order.  Both begin with the repeat penalty.
 * llama.cpp: top-k, top-p, min-p, then temperature.  transformers: temperature, then top-k, top-p, min-p; so a
 * temperature above 1 lets top-p and min-p keep more tokens, and one below 1 fewer.
 */
export const SAMPLER_ORDERS = Object.freeze(/** @type {const} */ (['llama.cpp', 'transformers']));

/** @typedef {typeof SAMPLER_ORDERS[number]} SamplerOrder */

/**
 * Defaults of `generate` for a model whose file recommends nothing: the same in the library, on the command line and on
 * the page.
 */
export const SAMPLING = Object.freeze({
  /** Divides the logits; 0 takes the likeliest token always. */
  temperature: 0.7,
  /** Tokens that stay, the likeliest first; 0 keeps all. */
  topK: 40,
  /** Probability of the smallest set of tokens that stays (Holtzman et al. 2020); 1 keeps all. */
  topP: 0.95,
  /** Least probability of a token that stays, as a share of the likeliest token's; 0 keeps all. */
  minP: 0,
  /** Divides the positive logits of tokens that the session holds, multiplies the others (Keskar et al. 2019). */
  repeatPenalty: 1,
  /** Whether the cuts see the model's probabilities, or those that the temperature has changed. */
  samplerOrder: /** @type {SamplerOrder} */ ('llama.cpp'),
});

/**
 * @typedef {Record<'temperature' | 'topK' | 'topP' | 'minP' | 'repeatPenalty', number> &
 *   { samplerOrder: SamplerOrder }} Sampling
 */

/** Smallest and largest value of each number. @type {Readonly<Record<string, readonly [number, number]>>} */
export const SAMPLING_RANGES = Object.freeze({
  temperature: [0, 1e6],
  topK: [0, Number.MAX_SAFE_INTEGER],
  topP: [1e-6, 1],
  minP: [0, 1],
  repeatPenalty: [1e-3, 1e3],
});

/**
 * Keys of GGUF metadata in which the authors of a model recommend settings (llama.cpp, pull request 17120).  The keys
 * for samplers that heed does not have (xtc, mirostat) and for another order of them are not read.
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
 * @param {Record<string, unknown>} metadata of the file
 * @param {string} name of the file
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
