/**
 * The keys ‘<architecture>.…’ of GGUF metadata and how each is handled.  Names and defaults: llama.cpp
 * (src/llama-arch.cpp, LLM_KV_NAMES) and the GGUF specification.  Other keys describe the file and its tokenizer; the
 * forward pass does not read them.
 */
import { all, checkSetting, isOff, only } from '../settings.js';

/** @typedef {import('../settings.js').Fate} Fate */

/** @type {Readonly<Record<string, Fate>>} */
export const SHARED = {
  ...all('applied', `block_count context_length embedding_length feed_forward_length vocab_size attention.head_count
    attention.head_count_kv attention.key_length attention.value_length attention.sliding_window`),
  // The layout of the original weights, and the pooling of text embeddings.
  ...all('harmless', 'tensor_data_layout pooling_type'),
  // Settings of experts; js/files/families/mixtures.js has the families with an `expert_count`.
  ...all('harmless', `expert_used_count expert_feed_forward_length expert_shared_feed_forward_length
    expert_weights_scale expert_weights_norm expert_gating_func`),
  'attention.causal': only(true),
  ...all(only(0, 1), 'logit_scale residual_scale embedding_scale attention.output_scale attention.value_scale'),
};

/** @type {Readonly<Record<string, Fate>>} */
const WITH_ROPE = {
  ...all('applied', `attention.layer_norm_rms_epsilon rope.dimension_count rope.freq_base rope.scale_linear
    rope.scaling.type rope.scaling.factor attention.scale attention.key_length_swa attention.value_length_swa
    rope.dimension_count_swa rope.freq_base_swa`),
  // Settings of YaRN and LongRoPE; `rope.scaling.type` allows neither.
  ...all('harmless', `attention.layer_norm_epsilon rope.scaling.original_context_length rope.scaling.finetuned
    rope.scaling.yarn_log_multiplier rope.scaling.yarn_beta_fast rope.scaling.yarn_beta_slow`),
  // Factors of cosines and sines.
  ...all(only(1), 'rope.scaling.attn_factor rope.scaling.yarn_attn_factor'),
  'rope.scaling.yarn_ext_factor': only(0, -1),
  'rope.scaling.alpha': only(0, 1),
  'hidden_activation': only('silu'),
};

export const ROPE_KEYS = Object.freeze({ ...SHARED, ...WITH_ROPE });

/**
 * Rejects settings that change the result in a way that heed does not compute.  An unknown key is an error unless it is
 * off (false, zero or empty), which is how llama.cpp writes optional settings that are not used.
 * @param {Record<string, unknown>} metadata
 * @param {import('../families.js').Family} family
 * @param {string} name  name of the file
 * @throws {import('../../errors.js').HeedError} 'unsupported'
 */
export function checkGgufKeys(metadata, { name: architecture, config, keys: fates = {} }, name) {
  const prefix = `${architecture}.`;
  for (const [key, value] of Object.entries(metadata)) {
    if (!key.startsWith(prefix)) continue;
    const bare = key.slice(prefix.length);
    if (bare.startsWith('rope.') && !config.position.startsWith('rope')) continue;
    const fate = Object.hasOwn(fates, bare) ? fates[bare] : only();
    if (fate !== 'applied' && !Object.hasOwn(fates, bare) && isOff(value)) continue;
    checkSetting(key, value, fate, name);
  }
}
