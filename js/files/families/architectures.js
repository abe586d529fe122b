/**
 * How models of each family are written.  Settings and tensor names of GGUF that only some architectures have: what
 * llama.cpp's loaders read.  Settings of config.json: what the classes of `transformers` read.
 */
import { bool, float32, string, uint32 } from '../gguf/writer.js';

/** @typedef {import('../config.js').Config} Config */
/**
 * Facts of a model for its config.json.
 * @typedef {object} Facts
 * @property {Config} config
 * @property {(slot: string) => boolean} has  whether the first block has a weight
 * @property {(key: string) => number | undefined} setting  a number of GGUF that the configuration does not have
 */
/** Settings of config.json.  @typedef {(facts: Facts) => Record<string, unknown>} Settings */
/** A class of `transformers`: `model_type`, and the class of the whole model.
 *  @typedef {{ type: string, name: string, json: Settings }} HuggingFaceClass */
/**
 * @typedef {object} Architecture
 * @property {(config: Config) => import('../gguf/writer.js').Metadata} [settings]  of GGUF, without the prefix
 *   ‘<architecture>.’
 * @property {(slot: string, has: (slot: string) => boolean) => string} [nameOf]  GGUF's name of the engine's slot;
 *   default: the same.  has: whether blocks have a slot
 * @property {readonly string[]} [halves]  slots of a block that are one matrix in GGUF, with the name of the last one
 * @property {(config: Config) => HuggingFaceClass} of  the class of a model
 */

/** @param {string} type @param {string} name @param {Settings} json @returns {Pick<Architecture, 'of'>} */
const written = (type, name, json) => ({ of: () => ({ type, name: `${name}ForCausalLM`, json }) });

/** @param {Config} config */
const experts = ({ experts: count = 0, experts_used: used = 0, d_ff }) => ({
  ...(count && { expert_count: uint32(count), expert_used_count: uint32(used),
    expert_feed_forward_length: uint32(d_ff) }),
});

/** Widths of a head, which may differ from the width of the model by the number of heads. @param {Config} config */
const widths = ({ d_head }) => ({ 'attention.key_length': uint32(d_head), 'attention.value_length': uint32(d_head) });

/** Sizes and RoPE, with Llama's names. @type {Settings} */
const decoder = ({ config }) => ({
  vocab_size: config.vocabulary,
  hidden_size: config.d_model,
  intermediate_size: config.d_ff,
  num_hidden_layers: config.layers,
  num_attention_heads: config.heads,
  max_position_embeddings: config.context_length,
  rope_theta: config.rope_theta,
  ...(config.rope_scale !== 1 && { rope_scaling: { type: 'linear', factor: config.rope_scale } }),
});

/** @type {Settings} */
const llamaLike = (facts) => ({
  ...decoder(facts),
  num_key_value_heads: facts.config.kv_heads,
  head_dim: facts.config.d_head,
  rms_norm_eps: facts.config.norm_eps,
  hidden_act: 'silu',
});

/** @param {Facts} facts */
const hasQkvBiases = ({ has }) => has('attn_q.bias') || has('attn_qkv.bias');
/** @type {Settings} */
const attentionBias = (facts) => ({ attention_bias: hasQkvBiases(facts) });
/** @type {Settings} */
const bothBiases = (facts) => ({ ...attentionBias(facts), mlp_bias: facts.has('ffn_up.bias') });
/** A window of all layers; null: none. @type {Settings} */
const window = ({ config }) => ({ sliding_window: config.window || null });
/** The same with the switch of Qwen's classes. @type {Settings} */
const switchedWindow = ({ config }) => ({ ...(config.window && { use_sliding_window: true, max_window_layers: 0,
  sliding_window: config.window }) });

/** @type {Settings} */
const gemma = (facts) => ({ ...llamaLike(facts), hidden_act: 'gelu_pytorch_tanh',
  hidden_activation: 'gelu_pytorch_tanh' });
/** @type {Settings} */
const gemma2 = (facts) => ({
  ...gemma(facts),
  ...window(facts),
  query_pre_attn_scalar: (facts.config.attention_scale || 1) ** -2,
  attn_logit_softcapping: facts.config.attention_softcap || null,
  final_logit_softcapping: facts.config.logit_softcap || null,
});

/** @type {Settings} */
const gemma3 = (facts) => ({
  ...gemma2(facts),
  rope_local_base_freq: facts.config.local_theta,
  ...(facts.config.window ? { sliding_window_pattern: facts.config.global_every }
    : { layer_types: Array(facts.config.layers).fill('full_attention') }),
});
/** The same in GGUF.  @param {Config} config */
const localBase = ({ local_theta = 0, ...config }) =>
  ({ ...widths(config), 'rope.freq_base_swa': float32(local_theta) });

/** Experts of Mixtral and Granite.  @type {Settings} */
const localExperts = ({ config }) => ({ num_local_experts: config.experts, num_experts_per_tok: config.experts_used });

/** Llama, with a window or with experts another class.  @param {Config} config @returns {HuggingFaceClass} */
function llamaOrMistral({ experts: count, window: keys }) {
  if (count) {
    return { type: 'mixtral', name: 'MixtralForCausalLM', json: (facts) => ({ ...llamaLike(facts), ...window(facts),
      ...localExperts(facts) }) };
  }
  if (keys) {
    return { type: 'mistral', name: 'MistralForCausalLM',
      json: (facts) => ({ ...llamaLike(facts), ...window(facts) }) };
  }
  return { type: 'llama', name: 'LlamaForCausalLM', json: (facts) => ({ ...llamaLike(facts), ...bothBiases(facts) }) };
}

/** Factors of Granite.  @type {Settings} */
const multipliers = ({ config }) => ({
  embedding_multiplier: config.embedding_scale || 1,
  residual_multiplier: config.residual_scale || 1,
  logits_scaling: 1 / (config.logit_scale || 1),
  attention_multiplier: config.attention_scale || config.d_head ** -0.5,
});
/** The same in GGUF.  @param {Config} config */
const scales = ({ embedding_scale = 1, residual_scale = 1, logit_scale = 1, attention_scale = 0 }) => ({
  embedding_scale: float32(embedding_scale),
  residual_scale: float32(residual_scale),
  logit_scale: float32(1 / logit_scale),
  'attention.scale': float32(attention_scale),
});

/** Experts of Qwen and OLMoE.  @type {Settings} */
const mixture = (facts) => ({
  ...llamaLike(facts),
  num_experts: facts.config.experts,
  num_experts_per_tok: facts.config.experts_used,
  norm_topk_prob: facts.config.expert_norm === 'yes',
});
/** Qwen's classes name the width of an expert apart.  @type {Settings} */
const qwenMixture = (facts) => ({ ...mixture(facts), ...switchedWindow(facts),
  moe_intermediate_size: facts.config.d_ff,
  intermediate_size: facts.setting('feed_forward_length') ?? facts.config.d_ff });

/** Falcon-7B has one head of keys and values, Falcon-40B several, and Falcon-RW one for each query head.
 *  @type {Settings} */
function falcon({ config, has }) {
  const { heads, kv_heads: kvHeads } = config;
  const isNew = has('ffn_norm.weight') || (kvHeads > 1 && kvHeads < heads);
  return {
    vocab_size: config.vocabulary,
    hidden_size: config.d_model,
    ffn_hidden_size: config.d_ff,
    num_hidden_layers: config.layers,
    num_attention_heads: heads,
    max_position_embeddings: config.context_length,
    rope_theta: config.rope_theta,
    layer_norm_epsilon: config.norm_eps,
    activation: 'gelu',
    alibi: false,
    parallel_attn: true,
    bias: has('ffn_up.bias'),
    new_decoder_architecture: isNew,
    multi_query: kvHeads === 1,
    ...(isNew && { num_kv_heads: kvHeads, num_ln_in_parallel_attn: has('ffn_norm.weight') ? 2 : 1 }),
  };
}

/** By `general.architecture`. @type {Readonly<Record<string, Architecture>>} */
export const ARCHITECTURES = Object.freeze({
  gpt2: {
    of: () => ({ type: 'gpt2', name: 'GPT2LMHeadModel', json: ({ config }) => ({
      vocab_size: config.vocabulary,
      n_positions: config.context_length,
      n_embd: config.d_model,
      n_head: config.heads,
      n_layer: config.layers,
      n_inner: config.d_ff,
      layer_norm_epsilon: config.norm_eps,
      activation_function: 'gelu_new',
    }) }),
  },
  llama: { settings: experts, of: llamaOrMistral },
  qwen2: written('qwen2', 'Qwen2', (facts) => ({ ...llamaLike(facts), ...switchedWindow(facts) })),
  qwen3: {
    settings: widths,
    ...written('qwen3', 'Qwen3',
      (facts) => ({ ...llamaLike(facts), ...attentionBias(facts), ...switchedWindow(facts) })),
  },
  gemma: { settings: widths, ...written('gemma', 'Gemma', gemma) },
  gemma2: {
    settings: ({ attention_softcap = 0, logit_softcap = 0, ...config }) => ({
      ...widths(config),
      attn_logit_softcapping: float32(attention_softcap),
      final_logit_softcapping: float32(logit_softcap),
    }),
    ...written('gemma2', 'Gemma2', gemma2),
  },
  'gemma3': { settings: localBase, ...written('gemma3_text', 'Gemma3', gemma3) },
  'gemma-embedding': {
    settings: localBase,
    of: () => ({ type: 'gemma3_text', name: 'Gemma3TextModel',
      json: (facts) => ({ ...gemma3(facts), use_bidirectional_attention: true }) }),
  },
  phi3: {
    halves: ['ffn_gate.weight', 'ffn_up.weight'],
    ...written('phi3', 'Phi3', (facts) => ({ ...llamaLike(facts), ...window(facts),
      partial_rotary_factor: facts.config.rope_dims / facts.config.d_head })),
  },
  olmo2: written('olmo2', 'Olmo2', llamaLike),
  smollm3: written('smollm3', 'SmolLM3', (facts) => ({ ...llamaLike(facts), ...bothBiases(facts),
    no_rope_layer_interval: facts.config.global_every })),
  granite: {
    settings: scales,
    ...written('granite', 'Granite', (facts) => ({ ...llamaLike(facts), ...bothBiases(facts), ...multipliers(facts) })),
  },
  stablelm: {
    settings: () => ({ use_parallel_residual: bool(false) }),
    ...written('stablelm', 'StableLm', (facts) => ({
      ...decoder(facts),
      num_key_value_heads: facts.config.kv_heads,
      layer_norm_eps: facts.config.norm_eps,
      hidden_act: 'silu',
      partial_rotary_factor: facts.config.rope_dims / facts.config.d_head,
      use_qkv_bias: hasQkvBiases(facts),
    })),
  },
  ernie4_5: {
    settings: widths,
    ...written('ernie4_5', 'Ernie4_5', (facts) => ({ ...llamaLike(facts), use_bias: facts.has('ffn_up.bias') })),
  },
  exaone4: {
    settings: widths,
    ...written('exaone4', 'Exaone4', (facts) => ({ ...llamaLike(facts), ...window(facts) })),
  },
  gptneox: {
    settings: ({ parallel }) => ({ use_parallel_residual: bool(parallel === 'yes') }),
    ...written('gpt_neox', 'GPTNeoX', (facts) => ({
      ...decoder(facts),
      layer_norm_eps: facts.config.norm_eps,
      hidden_act: 'gelu',
      rotary_emb_base: facts.config.rope_theta,
      rotary_pct: facts.config.rope_dims / facts.config.d_head,
      use_parallel_residual: facts.config.parallel === 'yes',
      attention_bias: facts.has('attn_output.bias'),
    })),
  },
  phi2: written('phi', 'Phi', (facts) => ({
    ...decoder(facts),
    num_key_value_heads: facts.config.kv_heads,
    layer_norm_eps: facts.config.norm_eps,
    hidden_act: 'gelu_new',
    partial_rotary_factor: facts.config.rope_dims / facts.config.d_head,
  })),
  starcoder2: written('starcoder2', 'Starcoder2', (facts) => ({
    ...decoder(facts),
    ...window(facts),
    num_key_value_heads: facts.config.kv_heads,
    norm_epsilon: facts.config.norm_eps,
    hidden_act: 'gelu_pytorch_tanh',
    use_bias: facts.has('ffn_up.bias'),
  })),
  falcon: {
    settings: () => ({ tensor_data_layout: string('jploski') }),
    // Falcon-40B: attn_norm is the norm of the feed-forward network.
    nameOf: (slot, has) => (!has('ffn_norm.weight') ? slot
      : slot.replace('.attn_norm.', '.attn_norm_2.').replace('.ffn_norm.', '.attn_norm.')),
    ...written('falcon', 'Falcon', falcon),
  },
  bloom: written('bloom', 'Bloom', ({ config }) => ({
    vocab_size: config.vocabulary,
    hidden_size: config.d_model,
    n_layer: config.layers,
    n_head: config.heads,
    layer_norm_epsilon: config.norm_eps,
    seq_length: config.context_length,
  })),
  mpt: {
    settings: ({ alibi = 0 }) => ({ 'attention.max_alibi_bias': float32(alibi) }),
    ...written('mpt', 'Mpt', ({ config, has }) => ({
      vocab_size: config.vocabulary,
      d_model: config.d_model,
      n_layers: config.layers,
      n_heads: config.heads,
      expansion_ratio: config.d_ff / config.d_model,
      max_seq_len: config.context_length,
      layer_norm_epsilon: config.norm_eps,
      no_bias: !has('attn_norm.bias'),
      attn_config: { alibi: true, alibi_bias_max: config.alibi, attn_type: 'multihead_attention' },
    })),
  },
  qwen2moe: {
    settings: (config) => ({ ...experts(config),
      expert_shared_feed_forward_length: uint32(config.d_shared ?? 0) }),
    nameOf: (slot) => slot.replace(/\.(ffn_(?:gate|up|down))\.weight$/, '.$1_shexp.weight'),
    ...written('qwen2_moe', 'Qwen2Moe', (facts) => ({ ...qwenMixture(facts),
      shared_expert_intermediate_size: facts.config.d_shared })),
  },
  qwen3moe: {
    settings: (config) => ({ ...widths(config), ...experts(config) }),
    ...written('qwen3_moe', 'Qwen3Moe', (facts) => ({ ...qwenMixture(facts), ...attentionBias(facts) })),
  },
  olmoe: { settings: experts, ...written('olmoe', 'Olmoe', mixture) },
  granitemoe: {
    settings: (config) => ({ ...experts(config), ...scales(config) }),
    ...written('granitemoe', 'GraniteMoe', (facts) => ({
      ...llamaLike(facts),
      ...attentionBias(facts),
      ...multipliers(facts),
      ...localExperts(facts),
    })),
  },
});

/**
 * The place of a weight in GGUF, where a tensor may have several: all experts of a block, or the halves of a matrix.
 * @param {string} slot  two slots with a space: both halves
 * @param {{ architecture: string, experts: number, has: (slot: string) => boolean }} model  has: whether blocks have a
 *   slot
 * @returns {{ name: string, at: number, of: number, isStacked: boolean }}  name of the tensor, place among its `of`
 *   weights, and whether these have an axis of their own
 */
export function placeInGguf(slot, { architecture, experts, has }) {
  const [, before, expert] = /^(.+_exps)\.(\d+)\.weight$/.exec(slot) ?? [];
  if (expert !== undefined) return { name: `${before}.weight`, at: Number(expert), of: experts, isStacked: true };
  const { halves = [], nameOf = (each) => each } = ARCHITECTURES[architecture];
  const [, block = '', own = slot] = /^(blk\.\d+\.)(.+)$/.exec(slot) ?? [];
  const at = halves.indexOf(own);
  const name = at < 0 ? /** @type {string} */ (slot.split(' ').at(-1)) : block + halves[1];
  return { name: nameOf(name, has), at: Math.max(0, at), of: at < 0 ? 1 : halves.length, isStacked: false };
}
