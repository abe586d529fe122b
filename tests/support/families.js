/** Tiny random models of further families, as GGUF files and as Hugging Face's files. */
import { array, bool, float32, string, uint32, writeGguf } from '../../js/files/gguf/writer.js';
import { floats, randomFrom } from './numbers.js';

/** @typedef {import('../../js/files/gguf/writer.js').MetadataValue} MetadataValue */
/** @typedef {import('../../js/files/gguf/writer.js').Tensor} Tensor */
/** @typedef {{ shape: number[], data: Float32Array }} Matrix */
/** @typedef {Record<string, Matrix>} Weights */

export const V = 40;
export const D = 32;
export const H = 4;
export const HK = 2;
export const DH = 8;
export const F = 48;
export const CONTEXT = 64;
export const EPS = 1e-3; // large, so that its omission is visible
/** A prompt with a repetition, longer than the windows below. */
export const IDS = [7, 21, 3, 35, 7, 12, 28, 3, 16, 1, 30, 9];
const WINDOW = 5;

/**
 * @typedef {object} Row
 * @property {string} name
 * @property {string} [architecture]  default: the name
 * @property {number} [layers]   default 2
 * @property {number} [kvHeads]  default 2
 * @property {number} [feedForward]  default 48
 * @property {Partial<import('./reference.js').ReferenceModel>} means  what it computes, for the reference
 * @property {Record<string, MetadataValue>} settings  keys of GGUF without their prefix, in addition to sizes
 * @property {Record<string, number[]>} model   weights beside embedding and final norm
 * @property {Record<string, number[]>} block
 * @property {boolean} [finalNorm]  default true
 * @property {boolean} [firstNorm]  whether the first block has attn_norm; default true
 * @property {boolean} [gguf]    whether llama.cpp runs the family; default true
 * @property {Record<string, unknown>} config   config.json
 * @property {number} [dShared]   width of the feed-forward network of every token, beside its experts
 * @property {Record<string, string>} names     Hugging Face's name of each tensor, without ‘.weight’; # is the layer
 * @property {(name: string, matrix: Matrix) => Matrix} [stored]  the matrix in Hugging Face's order
 */

const rms = { 'attention.layer_norm_rms_epsilon': float32(EPS) };
const layerNorm = { 'attention.layer_norm_epsilon': float32(EPS) };

/** Shapes of attention with separate queries, keys and values. */
export const attention = (heads = H, kvHeads = HK, dHead = DH) => ({
  'attn_q.weight': [heads * dHead, D], 'attn_k.weight': [kvHeads * dHead, D], 'attn_v.weight': [kvHeads * dHead, D],
  'attn_output.weight': [D, heads * dHead],
});
export const fused = (kvHeads = H) =>
  ({ 'attn_qkv.weight': [(H + 2 * kvHeads) * DH, D], 'attn_output.weight': [D, H * DH] });
const norms = { 'attn_norm.weight': [D], 'ffn_norm.weight': [D] };
const postNorms = { 'post_attention_norm.weight': [D], 'post_ffw_norm.weight': [D] };
export const gated = { 'ffn_gate.weight': [F, D], 'ffn_up.weight': [F, D], 'ffn_down.weight': [D, F] };
export const plain = { 'ffn_up.weight': [F, D], 'ffn_down.weight': [D, F] };
const head = { 'output.weight': [V, D] };
/** A router and six experts with the width of the feed-forward network; and the shared expert of Qwen. */
const EXPERTS = 6;
const SHARED = 64;
const experts = { 'ffn_gate_inp.weight': [EXPERTS, D], 'ffn_gate_exps.weight': [EXPERTS, F, D],
  'ffn_up_exps.weight': [EXPERTS, F, D], 'ffn_down_exps.weight': [EXPERTS, D, F] };
const sharedExpert = { 'ffn_gate_inp_shexp.weight': [D], 'ffn_gate_shexp.weight': [SHARED, D],
  'ffn_up_shexp.weight': [SHARED, D], 'ffn_down_shexp.weight': [D, SHARED] };
const mixture = (/** @type {number} */ used) =>
  ({ ...rms, expert_count: uint32(EXPERTS), expert_used_count: uint32(used) });

/** The shapes with a bias for each matrix or norm that a pattern matches.
 *  @param {Record<string, number[]>} shapes @param {RegExp} [which] */
export const biased = (shapes, which = /./) => Object.fromEntries(Object.entries(shapes).flatMap(([name, shape]) =>
  (which.test(name) ? [[name, shape], [name.replace(/weight$/, 'bias'), [shape[0]]]] : [[name, shape]])));

/** Hugging Face's names of Llama. */
const LLAMA = {
  'token_embd': 'model.embed_tokens', 'output_norm': 'model.norm', 'output': 'lm_head',
  'attn_norm': 'model.layers.#.input_layernorm', 'ffn_norm': 'model.layers.#.post_attention_layernorm',
  'attn_q': 'model.layers.#.self_attn.q_proj', 'attn_k': 'model.layers.#.self_attn.k_proj',
  'attn_v': 'model.layers.#.self_attn.v_proj', 'attn_output': 'model.layers.#.self_attn.o_proj',
  'attn_q_norm': 'model.layers.#.self_attn.q_norm', 'attn_k_norm': 'model.layers.#.self_attn.k_norm',
  'ffn_gate': 'model.layers.#.mlp.gate_proj', 'ffn_up': 'model.layers.#.mlp.up_proj',
  'ffn_down': 'model.layers.#.mlp.down_proj',
};
const POST = {
  ...LLAMA, 'post_attention_norm': 'model.layers.#.post_attention_layernorm',
  'post_ffw_norm': 'model.layers.#.post_feedforward_layernorm', 'ffn_norm': 'model.layers.#.pre_feedforward_layernorm',
};
const GPT = {
  'token_embd': 'transformer.wte', 'position_embd': 'transformer.wpe', 'output_norm': 'transformer.ln_f',
  'output': 'lm_head', 'attn_norm': 'transformer.h.#.ln_1', 'ffn_norm': 'transformer.h.#.ln_2',
};
const BIGSCIENCE = {
  'token_embd': 'transformer.word_embeddings', 'token_embd_norm': 'transformer.word_embeddings_layernorm',
  'output_norm': 'transformer.ln_f', 'output': 'lm_head', 'attn_norm': 'transformer.h.#.input_layernorm',
  'attn_qkv': 'transformer.h.#.self_attention.query_key_value',
  'attn_output': 'transformer.h.#.self_attention.dense', 'ffn_norm': 'transformer.h.#.post_attention_layernorm',
  'ffn_up': 'transformer.h.#.mlp.dense_h_to_4h', 'ffn_down': 'transformer.h.#.mlp.dense_4h_to_h',
};

/** config.json with Llama's names. @param {string} model_type @param {object} more */
const config = (model_type, more = {}) => ({
  model_type, vocab_size: V, hidden_size: D, intermediate_size: F, num_hidden_layers: 2, num_attention_heads: H,
  num_key_value_heads: HK, max_position_embeddings: CONTEXT, head_dim: DH, rms_norm_eps: EPS,
  tie_word_embeddings: false, ...more,
});

/** Rows of a matrix in another order. @param {Matrix} matrix @param {(row: number) => number} from */
function rows({ shape, data }, from) {
  const columns = shape[1] ?? 1;
  const out = new Float32Array(data.length);
  for (let row = 0; row < shape[0]; row++) {
    out.set(data.subarray(from(row) * columns, (from(row) + 1) * columns), row * columns);
  }
  return { shape, data: out };
}

/** Adjacent pairs of queries and keys become halves. @param {string} name @param {Matrix} matrix */
const halves = (name, matrix) => (/attn_[qk]\.(weight|bias)$/.test(name)
  ? rows(matrix, (row) => row - row % DH + 2 * (row % (DH / 2)) + Math.floor(row % DH / (DH / 2))) : matrix);

/** Norms without the 1. @param {string} name @param {Matrix} matrix */
const withoutOne = (name, { shape, data }) =>
  ({ shape, data: /norm\.weight$/.test(name) ? data.map((x) => x - 1) : data });

/** Queries, keys and values by key/value head. @param {number} kvHeads */
const grouped = (kvHeads) => (/** @type {string} */ name, /** @type {Matrix} */ matrix) => {
  if (!/attn_qkv/.test(name)) return matrix;
  const group = H / kvHeads;
  return rows(matrix, (row) => {
    const head = Math.floor(row / DH);
    const kv = Math.floor(head / (group + 2));
    const part = head % (group + 2);
    const of = part < group ? kv * group + part : part === group ? H + kv : H + kvHeads + kv;
    return of * DH + row % DH;
  });
};

/** Hugging Face's names of experts, where @ is the expert. */
const EXPERT_NAMES = {
  ...LLAMA, 'ffn_gate_inp': 'model.layers.#.mlp.gate', 'ffn_gate_exps': 'model.layers.#.mlp.experts.@.gate_proj',
  'ffn_up_exps': 'model.layers.#.mlp.experts.@.up_proj', 'ffn_down_exps': 'model.layers.#.mlp.experts.@.down_proj',
  'ffn_gate_inp_shexp': 'model.layers.#.mlp.shared_expert_gate',
  'ffn_gate_shexp': 'model.layers.#.mlp.shared_expert.gate_proj',
  'ffn_up_shexp': 'model.layers.#.mlp.shared_expert.up_proj',
  'ffn_down_shexp': 'model.layers.#.mlp.shared_expert.down_proj',
};
const NEOX = {
  'token_embd': 'gpt_neox.embed_in', 'output_norm': 'gpt_neox.final_layer_norm', 'output': 'embed_out',
  'attn_norm': 'gpt_neox.layers.#.input_layernorm', 'attn_qkv': 'gpt_neox.layers.#.attention.query_key_value',
  'attn_output': 'gpt_neox.layers.#.attention.dense', 'ffn_norm': 'gpt_neox.layers.#.post_attention_layernorm',
  'ffn_up': 'gpt_neox.layers.#.mlp.dense_h_to_4h', 'ffn_down': 'gpt_neox.layers.#.mlp.dense_4h_to_h',
};
const FALCON = { model_type: 'falcon', vocab_size: V, hidden_size: D, num_hidden_layers: 2, num_attention_heads: H,
  multi_query: true, layer_norm_epsilon: EPS, ffn_hidden_size: F, tie_word_embeddings: true };

/** @type {Row[]} */
export const FAMILIES = [
  {
    name: 'qwen3',
    means: { rope: 'halves', ropeBase: 1e6 },
    settings: { ...rms, 'attention.key_length': uint32(DH), 'attention.value_length': uint32(DH),
      'rope.freq_base': float32(1e6) },
    model: head, block: { ...norms, ...attention(), 'attn_q_norm.weight': [DH], 'attn_k_norm.weight': [DH], ...gated },
    config: config('qwen3', { rope_theta: 1e6 }), names: LLAMA,
  },
  {
    name: 'gemma',
    means: { rope: 'halves', variant: { activation: 'gelu_tanh', embeddingScale: Math.sqrt(D) } },
    settings: { ...rms, 'attention.key_length': uint32(DH), 'attention.value_length': uint32(DH) },
    model: {}, block: { ...norms, ...attention(), ...gated },
    config: config('gemma', { tie_word_embeddings: true }), names: LLAMA, stored: withoutOne,
  },
  {
    name: 'gemma2',
    means: { rope: 'halves', window: WINDOW, variant: { activation: 'gelu_tanh', embeddingScale: Math.sqrt(D),
      attentionCap: 2, logitCap: 3, isGlobal: (layer) => layer % 2 === 1 } },
    layers: 3, settings: { ...rms, 'attention.key_length': uint32(DH),
      'attention.value_length': uint32(DH), 'attention.sliding_window': uint32(WINDOW),
      attn_logit_softcapping: float32(2), final_logit_softcapping: float32(3) },
    model: {}, block: { ...norms, ...postNorms, ...attention(), ...gated },
    config: config('gemma2', { num_hidden_layers: 3, tie_word_embeddings: true, sliding_window: WINDOW,
      query_pre_attn_scalar: DH, attn_logit_softcapping: 2, final_logit_softcapping: 3 }),
    names: POST, stored: withoutOne,
  },
  {
    name: 'gemma3',
    means: { rope: 'halves', window: WINDOW, ropeBase: 1e6, ropeScale: 8, variant: { activation: 'gelu_tanh',
      embeddingScale: Math.sqrt(D), localBase: 10000, isGlobal: (layer) => layer % 6 === 5 } },
    layers: 7, settings: { ...rms, 'attention.key_length': uint32(DH),
      'attention.value_length': uint32(DH), 'attention.sliding_window': uint32(WINDOW), 'rope.freq_base': float32(1e6),
      'rope.scaling.type': string('linear'), 'rope.scaling.factor': float32(8) },
    model: {}, block: { ...norms, ...postNorms, ...attention(), 'attn_q_norm.weight': [DH], 'attn_k_norm.weight': [DH],
      ...gated },
    config: config('gemma3_text', { num_hidden_layers: 7, tie_word_embeddings: true, sliding_window: WINDOW,
      query_pre_attn_scalar: DH, rope_scaling: { rope_type: 'linear', factor: 8 } }),
    names: POST, stored: withoutOne,
  },
  {
    name: 'phi3',
    means: { rope: 'halves' },
    kvHeads: H, settings: { ...rms, 'rope.dimension_count': uint32(DH) },
    model: head, block: { ...norms, ...fused(), 'ffn_up.weight': [2 * F, D], 'ffn_down.weight': [D, F] },
    config: config('phi3', { num_key_value_heads: H, head_dim: undefined }),
    names: { ...LLAMA, 'attn_qkv': 'model.layers.#.self_attn.qkv_proj', 'ffn_up': 'model.layers.#.mlp.gate_up_proj' },
  },
  {
    name: 'longrope',
    means: { rope: 'halves', ropeDims: 6, variant: { magnitude: Math.sqrt(1.5) } },
    architecture: 'phi3', kvHeads: H, settings: { ...rms, 'rope.dimension_count': uint32(DH - 2),
      'rope.scaling.attn_factor': float32(Math.sqrt(1 + Math.log(CONTEXT / 16) / Math.log(16))),
      'rope.scaling.original_context_length': uint32(16) },
    model: { ...head, 'rope_factors_long.weight': [3], 'rope_factors_short.weight': [3] },
    block: { ...norms, ...fused(), 'ffn_up.weight': [2 * F, D], 'ffn_down.weight': [D, F] },
    config: config('phi3', { num_key_value_heads: H, head_dim: undefined, partial_rotary_factor: 0.75,
      original_max_position_embeddings: 16, rope_scaling: { type: 'longrope', long_factor: [], short_factor: [] } }),
    names: { ...LLAMA, 'attn_qkv': 'model.layers.#.self_attn.qkv_proj', 'ffn_up': 'model.layers.#.mlp.gate_up_proj' },
  },
  {
    name: 'yarn',
    means: { rope: 'halves', variant: { magnitude: 1 + Math.log(4) / 10, divisors: [1, 1, 1.6, 4] } },
    architecture: 'qwen2', settings: { ...rms, 'rope.scaling.type': string('yarn'),
      'rope.scaling.factor': float32(4), 'rope.scaling.original_context_length': uint32(2048) },
    model: head, block: { ...norms, ...biased(attention(), /_[qkv]\./), ...gated },
    config: config('qwen2', { head_dim: undefined,
      rope_scaling: { rope_type: 'yarn', factor: 4, original_max_position_embeddings: 2048 } }), names: LLAMA,
  },
  {
    name: 'olmo2',
    means: { rope: 'halves' },
    settings: rms,
    model: head, block: { ...postNorms, ...attention(), 'attn_q_norm.weight': [H * DH], 'attn_k_norm.weight': [HK * DH],
      ...gated },
    config: config('olmo2', { head_dim: undefined }), names: POST,
  },
  {
    name: 'smollm3',
    means: { rope: 'adjacent', ropeBase: 2e6, variant: { isGlobal: (layer) => layer % 4 === 3, globalRotates: false } },
    layers: 5, settings: { ...rms, 'rope.dimension_count': uint32(DH), 'rope.freq_base': float32(2e6) },
    model: {}, block: { ...norms, ...attention(), ...gated },
    config: config('smollm3', { num_hidden_layers: 5, tie_word_embeddings: true, head_dim: undefined }),
    names: LLAMA, stored: halves,
  },
  {
    name: 'granite',
    means: { rope: 'adjacent', variant: { embeddingScale: 3, residualScale: 0.6, logitScale: 1 / 4,
      attentionScale: 0.3 } },
    settings: { ...rms, 'rope.dimension_count': uint32(DH), embedding_scale: float32(3),
      residual_scale: float32(0.6), logit_scale: float32(4), 'attention.scale': float32(0.3) },
    model: {}, block: { ...norms, ...attention(), ...gated },
    config: config('granite', { tie_word_embeddings: true, head_dim: undefined, embedding_multiplier: 3,
      residual_multiplier: 0.6, logits_scaling: 4, attention_multiplier: 0.3 }), names: LLAMA, stored: halves,
  },
  {
    name: 'gptneox',
    means: { rope: 'halves', ropeDims: 4, variant: { norm: 'layer', activation: 'gelu_erf', parallel: true } },
    kvHeads: H, settings: { ...layerNorm, 'rope.dimension_count': uint32(4),
      use_parallel_residual: bool(true) },
    model: head, block: biased({ ...norms, ...fused(), ...plain }),
    config: config('gpt_neox', { num_key_value_heads: undefined, head_dim: undefined, rms_norm_eps: undefined,
      layer_norm_eps: EPS, rotary_pct: 0.5 }), stored: grouped(H), names: NEOX,
  },
  {
    name: 'gptneox-sequential',
    means: { rope: 'halves', ropeDims: 4, variant: { norm: 'layer', activation: 'gelu_erf' } },
    architecture: 'gptneox', kvHeads: H, settings: { ...layerNorm,
      'rope.dimension_count': uint32(4), use_parallel_residual: bool(false) },
    model: head, block: biased({ ...norms, ...fused(), ...plain }),
    config: config('gpt_neox', { num_key_value_heads: undefined, head_dim: undefined, rms_norm_eps: undefined,
      layer_norm_eps: EPS, rotary_pct: 0.5, use_parallel_residual: false }), stored: grouped(H), names: NEOX,
  },
  {
    name: 'phi2',
    means: { rope: 'halves', ropeDims: 4, variant: { norm: 'layer', parallel: true } },
    kvHeads: H, settings: { ...layerNorm, 'rope.dimension_count': uint32(4) },
    model: biased(head), block: biased({ 'attn_norm.weight': [D], ...fused(), ...plain }),
    config: config('phi', { num_key_value_heads: H, head_dim: undefined, rms_norm_eps: undefined,
      layer_norm_eps: EPS }),
    names: { ...LLAMA, 'output_norm': 'model.final_layernorm', 'attn_output': 'model.layers.#.self_attn.dense',
      'ffn_up': 'model.layers.#.mlp.fc1', 'ffn_down': 'model.layers.#.mlp.fc2' },
  },
  {
    name: 'starcoder2',
    means: { rope: 'halves', ropeBase: 1e5, variant: { norm: 'layer' } },
    settings: { ...layerNorm, 'rope.freq_base': float32(1e5) },
    model: {}, block: biased({ ...norms, ...attention(), ...plain }),
    config: config('starcoder2', { tie_word_embeddings: true, head_dim: undefined, rms_norm_eps: undefined,
      norm_epsilon: EPS, rope_theta: 1e5 }),
    names: { ...LLAMA, 'ffn_up': 'model.layers.#.mlp.c_fc', 'ffn_down': 'model.layers.#.mlp.c_proj' },
  },
  {
    name: 'falcon',
    means: { rope: 'halves', variant: { norm: 'layer', activation: 'gelu_erf', parallel: true } },
    kvHeads: 1, settings: { ...layerNorm, tensor_data_layout: string('jploski') },
    model: {}, block: { ...biased({ 'attn_norm.weight': [D] }), ...fused(1), ...plain },
    config: FALCON, names: BIGSCIENCE, stored: grouped(1),
  },
  {
    name: 'falcon-40b',
    means: { rope: 'halves', variant: { norm: 'layer', activation: 'gelu_erf', parallel: true } },
    architecture: 'falcon', kvHeads: 2, settings: layerNorm,
    model: head, block: { ...biased({ 'attn_norm.weight': [D], 'attn_norm_2.weight': [D] }), ...fused(2), ...plain },
    config: { ...FALCON, tie_word_embeddings: false, new_decoder_architecture: true, num_kv_heads: 2 },
    names: { ...BIGSCIENCE, 'attn_norm': 'transformer.h.#.ln_mlp', 'attn_norm_2': 'transformer.h.#.ln_attn' },
    stored: grouped(2),
  },
  {
    name: 'bloom',
    means: { variant: { norm: 'layer', alibi: 8 } },
    kvHeads: H, settings: layerNorm,
    feedForward: 4 * D,
    model: biased({ 'token_embd_norm.weight': [D] }),
    block: biased({ ...norms, ...fused(), 'ffn_up.weight': [4 * D, D], 'ffn_down.weight': [D, 4 * D] }),
    config: { model_type: 'bloom', vocab_size: V, hidden_size: D, n_layer: 2, n_head: H, layer_norm_epsilon: EPS,
      seq_length: CONTEXT }, names: BIGSCIENCE, stored: grouped(H),
  },
  {
    name: 'mpt',
    means: { variant: { norm: 'layer', activation: 'gelu_erf', alibi: 8 } },
    kvHeads: H, settings: { ...layerNorm, 'attention.max_alibi_bias': float32(8) },
    model: {}, block: { ...norms, ...fused(), ...plain },
    config: { model_type: 'mpt', vocab_size: V, d_model: D, n_layers: 2, n_heads: H, expansion_ratio: 1.5,
      max_seq_len: CONTEXT, layer_norm_epsilon: EPS, no_bias: true,
      attn_config: { alibi: true, attn_type: 'multihead_attention' } },
    names: { 'token_embd': 'transformer.wte', 'output_norm': 'transformer.norm_f', 'output': 'lm_head',
      'attn_norm': 'transformer.blocks.#.norm_1', 'attn_qkv': 'transformer.blocks.#.attn.Wqkv',
      'attn_output': 'transformer.blocks.#.attn.out_proj', 'ffn_norm': 'transformer.blocks.#.norm_2',
      'ffn_up': 'transformer.blocks.#.ffn.up_proj', 'ffn_down': 'transformer.blocks.#.ffn.down_proj' },
  },
  {
    name: 'qwen2moe',
    means: { rope: 'halves', variant: { activation: 'silu', expertsUsed: 2 } },
    settings: { ...mixture(2), expert_feed_forward_length: uint32(F), expert_shared_feed_forward_length:
      uint32(SHARED) },
    feedForward: 2 * F, dShared: SHARED,
    model: head, block: { ...norms, ...biased(attention(), /_[qkv]\./), ...experts, ...sharedExpert },
    config: config('qwen2_moe', { head_dim: undefined, intermediate_size: 2 * F, moe_intermediate_size: F,
      shared_expert_intermediate_size: SHARED, num_experts: EXPERTS, num_experts_per_tok: 2 }), names: EXPERT_NAMES,
  },
  {
    name: 'qwen3moe',
    means: { rope: 'halves', variant: { activation: 'silu', expertsUsed: 3, expertNorm: true } },
    settings: { ...mixture(3), expert_feed_forward_length: uint32(F), 'attention.key_length': uint32(DH),
      'attention.value_length': uint32(DH) },
    feedForward: 2 * F,
    model: head, block: { ...norms, ...attention(), 'attn_q_norm.weight': [DH], 'attn_k_norm.weight': [DH],
      ...experts },
    config: config('qwen3_moe', { intermediate_size: 2 * F, moe_intermediate_size: F, num_experts: EXPERTS,
      num_experts_per_tok: 3, norm_topk_prob: true }), names: EXPERT_NAMES,
  },
  {
    name: 'olmoe',
    means: { rope: 'halves', variant: { activation: 'silu', expertsUsed: 2 } },
    kvHeads: H, settings: mixture(2),
    model: head, block: { ...norms, ...attention(H, H), 'attn_q_norm.weight': [H * DH], 'attn_k_norm.weight': [H * DH],
      ...experts },
    config: config('olmoe', { head_dim: undefined, num_key_value_heads: H, num_experts: EXPERTS,
      num_experts_per_tok: 2 }),
    names: EXPERT_NAMES,
  },
  {
    name: 'mixtral',
    means: { rope: 'adjacent', variant: { activation: 'silu', expertsUsed: 2, expertNorm: true } },
    architecture: 'llama', settings: { ...mixture(2), 'rope.dimension_count': uint32(DH) },
    model: head, block: { ...norms, ...attention(), ...experts },
    config: config('mixtral', { head_dim: undefined, num_local_experts: EXPERTS, num_experts_per_tok: 2,
      rope_theta: 1e4 }), stored: halves,
    names: { ...LLAMA, 'ffn_gate_inp': 'model.layers.#.block_sparse_moe.gate',
      'ffn_gate_exps': 'model.layers.#.block_sparse_moe.experts.@.w1',
      'ffn_up_exps': 'model.layers.#.block_sparse_moe.experts.@.w3',
      'ffn_down_exps': 'model.layers.#.block_sparse_moe.experts.@.w2' },
  },
  {
    name: 'gptj',
    means: { rope: 'adjacent', ropeDims: 4, variant: { norm: 'layer', parallel: true } },
    gguf: false, kvHeads: H, settings: { ...layerNorm, 'rope.dimension_count': uint32(4) },
    model: biased(head), block: { ...biased({ 'attn_norm.weight': [D], ...plain }), ...attention(H, H) },
    config: { model_type: 'gptj', vocab_size: V, n_positions: CONTEXT, n_embd: D, n_layer: 2, n_head: H, n_inner: F,
      rotary_dim: 4, layer_norm_epsilon: EPS, tie_word_embeddings: false },
    names: { ...GPT, 'attn_q': 'transformer.h.#.attn.q_proj', 'attn_k': 'transformer.h.#.attn.k_proj',
      'attn_v': 'transformer.h.#.attn.v_proj', 'attn_output': 'transformer.h.#.attn.out_proj',
      'ffn_up': 'transformer.h.#.mlp.fc_in', 'ffn_down': 'transformer.h.#.mlp.fc_out' },
  },
  {
    name: 'gptneo',
    means: { window: WINDOW, variant: { norm: 'layer', attentionScale: 1, isGlobal: (layer) => layer % 2 === 0 } },
    gguf: false, layers: 3, kvHeads: H, settings: { ...layerNorm,
      'attention.sliding_window': uint32(WINDOW) },
    model: { 'position_embd.weight': [CONTEXT, D] },
    block: { ...biased({ ...norms, ...plain }), ...biased(attention(H, H), /output/) },
    config: { model_type: 'gpt_neo', vocab_size: V, max_position_embeddings: CONTEXT, hidden_size: D, num_layers: 3,
      num_heads: H, intermediate_size: F, window_size: WINDOW, layer_norm_epsilon: EPS,
      attention_types: [[['global', 'local'], 1], [['global'], 1]] },
    names: { ...GPT, 'attn_q': 'transformer.h.#.attn.attention.q_proj',
      'attn_k': 'transformer.h.#.attn.attention.k_proj',
      'attn_v': 'transformer.h.#.attn.attention.v_proj', 'attn_output': 'transformer.h.#.attn.attention.out_proj',
      'ffn_up': 'transformer.h.#.mlp.c_fc', 'ffn_down': 'transformer.h.#.mlp.c_proj' },
  },
  {
    name: 'stablelm',
    means: { rope: 'halves', ropeDims: 2, variant: { norm: 'layer', activation: 'silu' } },
    settings: { ...layerNorm, 'rope.dimension_count': uint32(2), use_parallel_residual: bool(false) },
    model: head, block: { ...biased(norms), ...biased(attention(), /_[qkv]\./), ...gated },
    config: config('stablelm', { head_dim: undefined, rms_norm_eps: undefined, layer_norm_eps: EPS,
      use_qkv_bias: true }),
    names: LLAMA,
  },
  {
    name: 'ernie4_5',
    means: { rope: 'adjacent', ropeBase: 5e5 },
    settings: { ...rms, 'attention.key_length': uint32(DH), 'attention.value_length': uint32(DH),
      'rope.freq_base': float32(5e5) },
    model: {}, block: { ...norms, ...attention(), ...gated },
    config: config('ernie4_5', { tie_word_embeddings: true }), names: LLAMA,
  },
  {
    name: 'exaone4',
    means: { rope: 'halves', ropeBase: 1e6 },
    settings: { ...rms, 'attention.key_length': uint32(DH), 'attention.value_length': uint32(DH),
      'rope.freq_base': float32(1e6) },
    model: {}, block: { ...postNorms, ...attention(), 'attn_q_norm.weight': [DH], 'attn_k_norm.weight': [DH],
      ...gated },
    config: config('exaone4', { tie_word_embeddings: true, rope_theta: 1e6, sliding_window: null }), names: POST,
  },
  {
    name: 'granitemoe',
    means: { rope: 'adjacent', variant: { activation: 'silu', expertsUsed: 2, expertNorm: true, embeddingScale: 3,
      residualScale: 0.6, logitScale: 1 / 4, attentionScale: 0.3 } },
    settings: { ...mixture(2), 'rope.dimension_count': uint32(DH), embedding_scale: float32(3),
      residual_scale: float32(0.6), logit_scale: float32(4), 'attention.scale': float32(0.3) },
    model: {}, block: { ...norms, ...attention(), ...experts },
    config: config('granitemoe', { tie_word_embeddings: true, head_dim: undefined, num_local_experts: EXPERTS,
      num_experts_per_tok: 2, embedding_multiplier: 3, residual_multiplier: 0.6, logits_scaling: 4,
      attention_multiplier: 0.3 }), stored: halves,
    names: { ...LLAMA, 'ffn_gate_inp': 'model.layers.#.block_sparse_moe.router.layer',
      'ffn_up_exps': 'model.layers.#.block_sparse_moe.input_linear',
      'ffn_down_exps': 'model.layers.#.block_sparse_moe.output_linear' },
  },
  {
    name: 'granite-4',
    means: { rope: 'adjacent', variant: { embeddingScale: 2, residualScale: 0.7, logitScale: 1 / 3,
      attentionScale: 0.4 } },
    architecture: 'granite',
    settings: { ...rms, 'rope.dimension_count': uint32(DH), embedding_scale: float32(2),
      residual_scale: float32(0.7), logit_scale: float32(3), 'attention.scale': float32(0.4) },
    model: {}, block: { ...norms, ...attention(), ...gated },
    config: config('granitemoehybrid', { tie_word_embeddings: true, head_dim: undefined, intermediate_size: D,
      shared_intermediate_size: F, num_local_experts: 0, num_experts_per_tok: 0, position_embedding_type: 'rope',
      layer_types: ['attention', 'attention'], embedding_multiplier: 2, residual_multiplier: 0.7, logits_scaling: 3,
      attention_multiplier: 0.4 }), stored: halves,
    names: { ...LLAMA, 'ffn_gate': '', 'ffn_up': 'model.layers.#.shared_mlp.input_linear',
      'ffn_down': 'model.layers.#.shared_mlp.output_linear' },
  },
];

/** Numbers of a weight: matrices large enough that heads choose, norms around 1. @param {string} name
 *  @param {number[]} shape @param {() => number} next @returns {Float32Array} */
function numbers(name, shape, next) {
  const n = shape.reduce((a, b) => a * b);
  if (name.startsWith('rope_factors')) return floats(next, n, 0.4).map((x) => 2 + x);
  if (/norm(_2)?\.weight$/.test(name)) return floats(next, n, 0.4).map((x) => 1 + x);
  if (shape.length === 1) return floats(next, n, 0.5);
  if (/(token_embd|position_embd|token_types)\./.test(name)) return floats(next, n, 1.5);
  const gain = /attn_output|ffn_down/.test(name) ? 1.2 : 2.2;
  return floats(next, n, gain / Math.sqrt(shape[shape.length - 1]));
}

/** The weights of a row by GGUF's names. @param {Row} row @returns {Weights} */
export function weightsOf(row) {
  const at = FAMILIES.indexOf(row);
  const next = randomFrom(at < 0 ? row.name.length + 100 : at + 1);
  const { layers = 2, finalNorm = true, firstNorm = true } = row;
  const shapes = {
    'token_embd.weight': [V, D],
    ...row.model,
    ...(finalNorm && { 'output_norm.weight': [D] }),
    ...('attn_norm.bias' in row.block && { 'output_norm.bias': [D] }),
    ...Object.fromEntries(Array.from({ length: layers }, (_, layer) =>
      Object.entries(row.block).filter(([name]) => firstNorm || layer > 0 || !name.startsWith('attn_norm.'))
        .map(([name, shape]) => [`blk.${layer}.${name}`, shape])).flat()),
  };
  return Object.fromEntries(Object.entries(shapes).map(([name, shape]) =>
    [name, { shape, data: numbers(name, shape, next) }]));
}

/** @param {Row} row @param {Record<string, MetadataValue>} [changes]
 *  @param {(tensors: Tensor[]) => Tensor[]} [tensors] changes the tensors @returns {Promise<Uint8Array>} */
export async function ggufOf(row, changes = {}, tensors = (all) => all) {
  const { architecture = row.name, layers = 2, kvHeads = HK, feedForward = F } = row;
  const settings = {
    block_count: uint32(layers), context_length: uint32(CONTEXT), embedding_length: uint32(D),
    feed_forward_length: uint32(feedForward), vocab_size: uint32(V), 'attention.head_count': uint32(H),
    'attention.head_count_kv': uint32(kvHeads), ...row.settings, ...changes,
  };
  const words = Number(settings.vocab_size.value);
  return writeGguf({
    metadata: {
      'general.architecture': string(architecture),
      ...Object.fromEntries(Object.entries(settings).map(([key, value]) => [`${architecture}.${key}`, value])),
      'tokenizer.ggml.model': string('gpt2'),
      'tokenizer.ggml.pre': string('gpt-2'),
      'tokenizer.ggml.tokens': array('string', Array.from({ length: words }, (_, i) => `t${i}`)),
      'tokenizer.ggml.token_type': array('int32', Array(words).fill(1)),
      'tokenizer.ggml.merges': array('string', ['t 1']),
      'tokenizer.ggml.add_bos_token': bool(false),
      ...(row.model['token_types.weight'] &&
        { 'tokenizer.ggml.token_type_count': uint32(row.model['token_types.weight'][0]) }),
    },
    tensors: tensors(Object.entries(weightsOf(row)).map(([name, { shape, data }]) =>
      ({ name, type: 'f32', shape, data }))),
  });
}

/** The float64 model of a row. @param {Row} row @returns {import('./reference.js').ReferenceModel} */
export function referenceOf(row) {
  const weights = weightsOf(row);
  const renamed = Object.fromEntries(Object.entries(weights).flatMap(([name, { shape, data }]) => {
    const matrix = (/** @type {number[]} */ size, /** @type {Float32Array} */ numbers) =>
      ({ type: /** @type {const} */ ('f32'), shape: size, data: numbers });
    if (name.includes('_exps')) {
      return expertsOf(name, { shape, data }).map(([one, of]) => [one, matrix(of.shape, of.data)]);
    }
    if (/ffn_\w+_shexp/.test(name) && shape.length === 2) {
      return [[name.replace('_shexp', ''), matrix(shape, data)]];
    }
    if (name === 'rope_factors_long.weight') return [['rope_freqs.weight', matrix(shape, data)]];
    if (name.endsWith('ffn_up.weight') && shape[0] === 2 * F) {
      return ['ffn_gate', 'ffn_up'].map((part, i) => [name.replace('ffn_up', part),
        matrix([F, D], data.slice(i * F * D, (i + 1) * F * D))]);
    }
    const two = 'attn_norm_2.weight' in row.block;
    const slot = two ? name.replace('.attn_norm.', '.ffn_norm.').replace('.attn_norm_2.', '.attn_norm.') : name;
    return [[slot, matrix(shape, data)]];
  }));
  return { architecture: row.architecture ?? row.name, layers: row.layers ?? 2, heads: H, kvHeads: row.kvHeads ?? HK,
    dHead: DH, eps: EPS, window: Infinity, vocabulary: V, rope: null, ropeDims: DH, ropeBase: 10000, ropeScale: 1,
    ...row.means, weights: renamed };
}

/** Three matrices of a fused one if the class has three; none of divisors, which are in config.json.
 *  @param {Row} row @param {[string, Matrix]} entry @returns {[string, Matrix][]} */
function parts({ names }, [name, matrix]) {
  if (name.startsWith('rope_factors')) return [];
  if (name.endsWith('_shexp.weight') && matrix.shape.length === 1) return [[name, { ...matrix, shape: [1, D] }]];
  if (name.includes('_exps') && 'ffn_gate_exps' in names) return expertsOf(name, matrix);
  if (!name.includes('attn_qkv') || 'attn_qkv' in names) return [[name, matrix]];
  const { shape: [rows, ...columns], data } = matrix;
  return ['q', 'k', 'v'].map((part, i) => [name.replace('qkv', part),
    { shape: [rows / 3, ...columns], data: data.slice(i * data.length / 3, (i + 1) * data.length / 3) }]);
}

/** The matrix of each expert. @param {string} name @param {Matrix} of @returns {[string, Matrix][]} */
function expertsOf(name, { shape: [count, ...shape], data }) {
  const size = data.length / count;
  return Array.from({ length: count }, (_, expert) =>
    [name.replace('weight', `${expert}.weight`), { shape, data: data.slice(expert * size, (expert + 1) * size) }]);
}

/** The weights. If the class does not name a gate, its rows stand before the rows of ‘up’: in one matrix, or one per
 *  expert.
 *  @param {Row} row @returns {Weights} */
function joined(row) {
  const weights = weightsOf(row);
  return Object.fromEntries(Object.entries(weights).flatMap(([name, matrix]) => {
    const [, part, kind = ''] = /ffn_(gate|up)(_exps)?\.weight$/.exec(name) ?? [];
    const gate = weights[name.replace('up', 'gate')];
    if (!part || !gate || row.names[`ffn_gate${kind}`]) return [[name, matrix]];
    if (part === 'gate') return [];
    const [inner, columns] = matrix.shape.slice(-2);
    const size = inner * columns;
    const count = matrix.data.length / (inner * columns);
    const data = new Float32Array(2 * matrix.data.length);
    for (let expert = 0; expert < count; expert++) {
      for (const [half, { data: of }] of [gate, matrix].entries()) {
        data.set(of.subarray(expert * size, (expert + 1) * size), (2 * expert + half) * size);
      }
    }
    return [[name, { shape: [...matrix.shape.slice(0, -2), 2 * inner, columns], data }]];
  }));
}

/** The files of a row in Hugging Face's layout. @param {Row} row @param {object} [changes] of config.json */
export function huggingFaceOf(row, changes = {}) {
  const weights = weightsOf(row);
  const stored = Object.entries(joined(row))
    .flatMap((entry) => parts(row, entry)).map(([name, matrix]) => {
    const [, layer = '', stem, expert = '', kind] =
      /^(?:blk\.(\d+)\.)?(.+?)(?:\.(\d+))?\.(weight|bias)$/.exec(name) ?? [];
    const renamed = `${row.names[stem].replace('#', layer).replace('@', expert)}.${kind}`;
    return /** @type {const} */ ([renamed, row.stored?.(name, matrix) ?? matrix]);
  });
  let end = 0;
  const header = Object.fromEntries(stored.map(([name, { shape, data }]) =>
    [name, { dtype: 'F32', shape, data_offsets: [end, (end += data.byteLength)] }]));
  const text = new TextEncoder().encode(JSON.stringify(header));
  const bytes = stored.map(([, { data }]) => new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  const length = new Uint8Array(new BigUint64Array([BigInt(text.length)]).buffer);
  const scaling = weights['rope_factors_long.weight'] && { rope_scaling: { type: 'longrope',
    long_factor: Array.from(weights['rope_factors_long.weight'].data),
    short_factor: Array.from(weights['rope_factors_short.weight'].data) } };
  const json = JSON.parse(JSON.stringify({ ...row.config, ...scaling, ...changes }));
  return { weights: new Uint8Array(Buffer.concat([length, text, ...bytes])), config: json };
}
