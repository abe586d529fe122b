import { HeedError, quoted } from '../errors.js';

/**
 * The engine's configuration, by the names of `heed_config` (src/heed.h, HEED_CONFIG_FIELDS).
 *
 * @typedef {object} Config
 * @property {number} layers
 * @property {number} heads
 * @property {number} kv_heads        divides heads
 * @property {number} d_model
 * @property {number} d_head
 * @property {number} d_ff
 * @property {number} vocabulary
 * @property {number} context_length  positions the model was made for
 * @property {'layernorm' | 'rmsnorm'} norm
 * @property {number} norm_eps
 * @property {'none' | 'learned' | 'rope_adjacent' | 'rope_halves'} position
 * @property {number} rope_theta      this and the next two are 0 where nothing turns
 * @property {number} rope_dims       leading elements of a head that turn
 * @property {number} rope_scale      positions are divided by it
 * @property {number} window          keys a query sees, itself included; 0 = all before it
 * @property {'gelu_tanh' | 'gelu_erf' | 'silu' | 'relu'} activation
 * @property {'no' | 'yes'} gated
 */

/** Where positions are learned, or there are none. */
export const NO_ROPE = Object.freeze({ rope_theta: 0, rope_dims: 0, rope_scale: 0 });

/**
 * The largest values of a configuration: the engine's (src/heed.h, HEED_CONFIG_LIMITS; a test holds them equal).  Files
 * are read without an engine, so they stand here, too.
 */
export const CONFIG_LIMITS = Object.freeze({
  layers: 1024,
  heads: 1024,
  kv_heads: 1024,
  d_model: 1 << 17,
  d_head: 4096,
  d_ff: 1 << 20,
  vocabulary: 1 << 21,
  context_length: 1 << 24,
});

/**
 * Refuses what no model can have, before anything is allocated or downloaded for it.
 * @param {Config} config
 * @param {string} name of the file, for sentences
 * @returns {Config} the same
 * @throws {HeedError} 'bad-config'
 */
export function checkConfig(config, name) {
  for (const [field, limit] of Object.entries(CONFIG_LIMITS)) {
    const value = config[/** @type {keyof typeof CONFIG_LIMITS} */ (field)];
    if (!Number.isInteger(value) || value < 1 || value > limit) {
      throw bad(name, `${field} is ${quoted(value)}; it must be a whole number from 1 to ${limit}`);
    }
  }
  if (config.heads % config.kv_heads !== 0) {
    throw bad(name, `${config.heads} heads cannot share ${config.kv_heads} key/value heads evenly`);
  }
  if (!(config.norm_eps >= 0 && config.norm_eps < 1)) {
    throw bad(name, `the epsilon of the norm is ${config.norm_eps}; it must lie from 0 to 1`);
  }
  if (config.position.startsWith('rope')) checkRope(config, name);
  if (!Number.isInteger(config.window) || config.window < 0) {
    throw bad(name, `the attention window is ${config.window}; it must be a whole number`);
  }
  return config;
}

/**
 * @param {Config} config
 * @param {string} name
 */
function checkRope({ rope_theta, rope_dims, rope_scale, d_head }, name) {
  if (!(rope_theta >= 1 && rope_theta <= 1e12)) {
    throw bad(name, `the RoPE base is ${rope_theta}; it must lie from 1 to 1e12`);
  }
  if (!Number.isInteger(rope_dims) || rope_dims < 2 || rope_dims % 2 !== 0 || rope_dims > d_head) {
    throw bad(name, `RoPE turns ${rope_dims} elements of heads of ${d_head}; it must be even and at most ${d_head}`);
  }
  if (!(rope_scale > 0 && rope_scale <= 1e6)) {
    throw bad(name, `the RoPE scale is ${rope_scale}; it must be positive and at most a million`);
  }
}

/**
 * @param {string} name
 * @param {string} problem
 */
function bad(name, problem) {
  return new HeedError('bad-config', `The configuration in ${quoted(name)} fits no model: ${problem}.`);
}

/**
 * Elements of a head, where the file does not say.
 * @param {number} dModel
 * @param {number} heads
 * @param {string} name
 * @throws {HeedError} 'bad-config' where heads do not divide the model's width
 */
export function headSize(dModel, heads, name) {
  if (heads >= 1 && dModel % heads === 0) return dModel / heads;
  throw bad(name, `${heads} heads do not divide ${dModel} elements evenly, and no size of a head is given`);
}

/**
 * A window that covers the whole context is none.
 * @param {number | null | undefined} window
 * @param {number} contextLength
 */
export function attentionWindow(window, contextLength) {
  return window && window < contextLength ? window : 0;
}
