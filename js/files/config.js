/** The configuration of a model, with its limits. */
import { HeedError, quoted } from '../errors.js';

/**
 * The engine's configuration, with the names of `heed_config` (src/heed.h, HEED_CONFIG_FIELDS).
 *
 * @typedef {object} Config
 * @property {number} layers
 * @property {number} heads
 * @property {number} kv_heads        divides heads
 * @property {number} d_model
 * @property {number} d_head
 * @property {number} d_ff
 * @property {number} vocabulary
 * @property {number} context_length  number of positions that the model was trained for
 * @property {'layernorm' | 'rmsnorm'} norm
 * @property {number} norm_eps
 * @property {'none' | 'learned' | 'rope_adjacent' | 'rope_halves' | 'alibi'} position
 * @property {number} rope_theta      base of RoPE's frequencies; 0 without RoPE, like the next two
 * @property {number} rope_dims       number of elements of a head that are rotated
 * @property {number} rope_scale      divisor of positions
 * @property {number} window          number of keys that a query sees, itself included; 0: no limit
 * @property {'gelu_tanh' | 'gelu_erf' | 'silu' | 'relu' | 'quick_gelu'} activation
 * @property {'no' | 'yes'} gated
 * @property {'no' | 'yes'} [parallel]     whether the feed-forward network reads the residual before attention; all of
 *   the following are 0, ‘no’ or ‘none’ by default
 * @property {'none' | 'head' | 'all'} [qk_norm]  RMSNorm of queries and keys
 * @property {number} [global_every]       period of layers without a window
 * @property {number} [global_first]
 * @property {'yes' | 'no'} [global_rope]  whether these layers have positions; default ‘yes’
 * @property {number} [local_theta]        base of RoPE in the other layers
 * @property {number} [rope_magnitude]     factor of cosines and sines
 * @property {number} [alibi]
 * @property {number} [embedding_scale]
 * @property {number} [attention_scale]    default 1/√d_head
 * @property {number} [attention_softcap]
 * @property {number} [residual_scale]
 * @property {number} [logit_scale]
 * @property {number} [logit_softcap]
 * @property {'no' | 'yes'} [bidirectional]  whether queries see all keys; with a window, half of it on either side
 * @property {number} [token_types]        rows of the embedding of segments
 * @property {number} [labels]             logits of a classifier, instead of the vocabulary
 * @property {'gelu_tanh' | 'gelu_erf' | 'silu' | 'relu' | 'quick_gelu' | 'tanh' | 'sigmoid'} [cls_activation]  of the
 *   layer before the head
 * @property {number} [patch]              numbers of a patch of a picture; 0: ids are of a vocabulary
 * @property {number} [encoder_layers]     number of first blocks that are the encoder of an encoder–decoder.  Each
 *   layer of its decoder has two blocks: self-attention, then cross-attention with the feed-forward network
 * @property {number} [relative_reach]     largest distance of relative biases
 * @property {number} [experts]            feed-forward networks of a block, each of width d_ff, in a mixture of experts
 * @property {number} [experts_used]       number of them that a token uses
 * @property {'no' | 'yes'} [expert_norm]  whether the weights of these are divided by their sum
 * @property {number} [d_shared]           width of the network that every token uses, too; 0: none
 */

/** The RoPE fields of models without RoPE. */
export const NO_ROPE = Object.freeze({ rope_theta: 0, rope_dims: 0, rope_scale: 0 });

/**
 * Largest values of a configuration.  They repeat HEED_CONFIG_LIMITS of src/heed.h, because files are read without an
 * engine; a test compares them.
 */
export const CONFIG_LIMITS = Object.freeze({
  layers: 1024,
  heads: 1024,
  kv_heads: 1024,
  d_model: 1 << 18,
  d_head: 4096,
  d_ff: 1 << 20,
  vocabulary: 1 << 22,
  context_length: 1 << 24,
});

/**
 * Checks a configuration, before memory is allocated or weights are downloaded.
 * @param {Config} config
 * @param {string} name  name of the file, for messages
 * @returns {Config} the same configuration
 * @throws {HeedError} 'bad-config'
 */
export function checkConfig(config, name) {
  for (const [field, limit] of Object.entries(CONFIG_LIMITS)) {
    const value = config[/** @type {keyof typeof CONFIG_LIMITS} */ (field)];
    if (!Number.isInteger(value) || value < 1 || value > limit) {
      throw bad(name, `${field} must be an integer from 1 to ${limit}, not ${quoted(value)}`);
    }
  }
  if (config.heads % config.kv_heads !== 0) {
    throw bad(name, `${config.heads} query heads are not a multiple of ${config.kv_heads} key/value heads`);
  }
  if (!(config.norm_eps > 0 && config.norm_eps < 1)) {
    throw bad(name, `the epsilon of the norm must be above 0 and below 1, not ${config.norm_eps}`);
  }
  if (config.position.startsWith('rope')) checkRope(config, name);
  if (!Number.isInteger(config.window) || config.window < 0) {
    throw bad(name, `the attention window must be an integer from 0, not ${config.window}`);
  }
  return config;
}

/**
 * @param {Config} config
 * @param {string} name
 */
function checkRope({ rope_theta, rope_dims, rope_scale, d_head }, name) {
  if (!(rope_theta >= 1 && rope_theta <= 1e12)) {
    throw bad(name, `the RoPE base must be from 1 to 1e12, not ${rope_theta}`);
  }
  if (!Number.isInteger(rope_dims) || rope_dims < 2 || rope_dims % 2 !== 0 || rope_dims > d_head) {
    throw bad(name, `the rotated elements of a head must be an even number from 2 to ${d_head}, not ${rope_dims}`);
  }
  if (!(rope_scale > 0 && rope_scale <= 1e6)) {
    throw bad(name, `the RoPE scale must be above 0 and at most 1e6, not ${rope_scale}`);
  }
}

/**
 * @param {string} name
 * @param {string} problem
 */
function bad(name, problem) {
  return new HeedError('bad-config', `The configuration in ${quoted(name)} is invalid: ${problem}.`);
}

/**
 * The width of a head, if the file does not give it.
 * @param {number} dModel
 * @param {number} heads
 * @param {string} name
 * @throws {HeedError} 'bad-config' if the model's width is not a multiple of the number of heads
 */
export function headSize(dModel, heads, name) {
  if (heads >= 1 && dModel % heads === 0) return dModel / heads;
  throw bad(name, `the width ${dModel} is not a multiple of ${heads} heads, and the width of a head is not given`);
}

/**
 * The attention window; 0 if it covers the whole context.
 * @param {number | null | undefined} window
 * @param {number} contextLength
 */
export function attentionWindow(window, contextLength) {
  return window && window < contextLength ? window : 0;
}
