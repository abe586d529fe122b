/** Settings and tensor names of GGUF that only some architectures have: what llama.cpp's loaders read. */
import { bool, float32, string, uint32 } from '../../files/gguf/writer.js';

/** @typedef {import('../../files/config.js').Config} Config */
/**
 * @typedef {object} Architecture
 * @property {(config: Config) => import('../../files/gguf/writer.js').Metadata} [settings]  without the prefix
 *   ‘<architecture>.’
 * @property {(slot: string, has: (slot: string) => boolean) => string} [nameOf]  GGUF's name of the engine's slot;
 *   default: the same.  has: whether blocks have a slot
 */

/** @param {Config} config */
const experts = ({ experts: count = 0, experts_used: used = 0, d_ff }) => ({
  ...(count && { expert_count: uint32(count), expert_used_count: uint32(used),
    expert_feed_forward_length: uint32(d_ff) }),
});

/** Widths of a head, which may differ from the width of the model by the number of heads. @param {Config} config */
const widths = ({ d_head }) => ({ 'attention.key_length': uint32(d_head), 'attention.value_length': uint32(d_head) });

/** By `general.architecture`. @type {Readonly<Record<string, Architecture>>} */
export const ARCHITECTURES = Object.freeze({
  gpt2: {},
  llama: { settings: experts },
  qwen2: {},
  qwen3: { settings: widths },
  gemma: { settings: widths },
  gemma2: {
    settings: ({ attention_softcap = 0, logit_softcap = 0, ...config }) => ({
      ...widths(config),
      attn_logit_softcapping: float32(attention_softcap),
      final_logit_softcapping: float32(logit_softcap),
    }),
  },
  gemma3: {
    settings: ({ local_theta = 0, ...config }) => ({ ...widths(config), 'rope.freq_base_swa': float32(local_theta) }),
  },
  phi3: { nameOf: (slot) => slot.replace(/^(blk\.\d+\.)ffn_gate\.weight .*/, '$1ffn_up.weight') },
  olmo2: {},
  smollm3: {},
  granite: {
    settings: ({ embedding_scale = 1, residual_scale = 1, logit_scale = 1, attention_scale = 0 }) => ({
      embedding_scale: float32(embedding_scale),
      residual_scale: float32(residual_scale),
      logit_scale: float32(1 / logit_scale),
      'attention.scale': float32(attention_scale),
    }),
  },
  gptneox: { settings: ({ parallel }) => ({ use_parallel_residual: bool(parallel === 'yes') }) },
  phi2: {},
  starcoder2: {},
  falcon: {
    settings: () => ({ tensor_data_layout: string('jploski') }),
    // Falcon-40B: attn_norm is the norm of the feed-forward network.
    nameOf: (slot, has) => (!has('ffn_norm.weight') ? slot
      : slot.replace('.attn_norm.', '.attn_norm_2.').replace('.ffn_norm.', '.attn_norm.')),
  },
  bloom: {},
  mpt: { settings: ({ alibi = 0 }) => ({ 'attention.max_alibi_bias': float32(alibi) }) },
  qwen2moe: {
    settings: (config) => ({ ...experts(config),
      expert_shared_feed_forward_length: uint32(config.d_shared ?? 0) }),
    nameOf: (slot) => slot.replace(/\.(ffn_(?:gate|up|down))\.weight$/, '.$1_shexp.weight'),
  },
  qwen3moe: { settings: (config) => ({ ...widths(config), ...experts(config) }) },
  olmoe: { settings: experts },
});
