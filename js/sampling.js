/**
 * When the temperature divides the logits, in the order of heed_sampler_order.  Both begin with the repeat penalty.
 * llama.cpp: top-k, top-p, min-p, then temperature.  transformers: temperature, then top-k, top-p, min-p; so a
 * temperature above 1 lets top-p and min-p keep more tokens, and one below 1 fewer.
 */
export const SAMPLER_ORDERS = Object.freeze(/** @type {const} */ (['llama.cpp', 'transformers']));

/** @typedef {typeof SAMPLER_ORDERS[number]} SamplerOrder */

/**
 * How `generate` samples where its caller does not say: the same in the library, on the command line and on the page.
 * `stories.gguf`, the default model, was judged with these settings (models/README.md).
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
