/** Families with LayerNorm and a feed-forward network without a gate. */
import { CONFIG_LIMITS, attentionWindow, headSize } from '../config.js';
import { ROPE_KEYS, SHARED } from '../gguf/keys.js';
import { all, only } from '../settings.js';
import { COMMON, DECODER } from '../safetensors/keys.js';
import { LIKE_GPT } from './decoder.js';

/** @typedef {import('./decoder.js').Decoder} Decoder */
/** @typedef {import('../safetensors/fields.js').Fields} Fields */

const KEYS = {
  ...ROPE_KEYS,
  'attention.layer_norm_epsilon': /** @type {const} */ ('applied'),
  'attention.layer_norm_rms_epsilon': /** @type {const} */ ('harmless'),
  'hidden_activation': only('gelu', 'gelu_new', 'gelu_pytorch_tanh'),
};
/** Every product and norm has a bias. */
const ALL_BIASES = /** @type {const} */ ({ normBiases: 'needed', qkvBiases: 'needed', outputBias: 'needed',
  feedForwardBiases: 'needed' });

/** @param {unknown} wanted @param {string} because @returns {{ rule: 'needed' | 'absent', because: string }} */
const said = (wanted, because) => ({ rule: wanted ? 'needed' : 'absent', because });

/** GPT-2 (2019); js/files/safetensors/config.js reads config.json. @type {Decoder} */
export const gpt2 = {
  name: 'gpt2',
  config: { ...LIKE_GPT, position: 'learned' },
  weights: { ...ALL_BIASES, positions: 'needed' },
  oneQkv: true,
  keys: {
    ...SHARED,
    ...all('applied', 'attention.layer_norm_epsilon attention.scale'),
    ...all('harmless', 'attention.layer_norm_rms_epsilon'),
    hidden_activation: only('gelu', 'gelu_new'),
  },
};

/** GPT-NeoX and Pythia (2022): attention and feed-forward network beside each other, RoPE of a part of a head.
 *  @type {Decoder} */
export const gptneox = {
  name: 'gptneox',
  config: { ...LIKE_GPT, activation: 'gelu_erf' },
  weights: ALL_BIASES,
  oneQkv: true,
  keys: { ...KEYS, use_parallel_residual: 'applied' },
  gguf: (read) => ({ parallel: read.value('use_parallel_residual') === false ? 'no' : 'yes' }),
  types: {
    gpt_neox: {
      layout: 'gpt_neox',
      keys: { ...DECODER, ...all('applied', `use_parallel_residual rotary_pct rotary_emb_base layer_norm_eps
        attention_bias`), ...all('harmless', 'hidden_dropout classifier_dropout') },
      read(json) {
        const { config, rope } = json.decoder({ kvHeads: null, context: 2048, epsilon: 'layer_norm_eps', eps: 1e-5,
          activation: ['hidden_act', 'gelu'], theta: json.number('rotary_emb_base', 10000),
          share: json.number('rotary_pct', 0.25) });
        const biased = json.flag('attention_bias', true);
        const rule = said(biased, `‘attention_bias’ is ${biased}`);
        return { config: { ...config, parallel: json.flag('use_parallel_residual', true) ? 'yes' : 'no' }, rope,
          said: { qkvBiases: rule, outputBias: rule }, tied: json.flag('tie_word_embeddings', false) };
      },
    },
  },
};

/** Phi-1, 1.5 and 2 (2023): attention and feed-forward network share one norm; a bias of logits. @type {Decoder} */
export const phi2 = {
  name: 'phi2',
  config: { ...LIKE_GPT, parallel: 'yes' },
  weights: { ...ALL_BIASES, ffnNorm: 'absent', headBias: 'needed' },
  keys: KEYS,
  types: {
    phi: {
      layout: 'phi',
      keys: { ...DECODER, ...all('applied', 'layer_norm_eps'), ...all('harmless', 'resid_pdrop embd_pdrop'),
        qk_layernorm: only(false) },
      read(json) {
        const { config, rope } = json.decoder({ kvHeads: null, context: 2048, epsilon: 'layer_norm_eps', eps: 1e-5,
          activation: ['hidden_act', 'gelu_new'], share: 0.5 });
        return { config, rope, tied: json.flag('tie_word_embeddings', false) };
      },
    },
  },
};

/** StarCoder2 (2024): as Llama, with LayerNorm, GELU and biases. @type {Decoder} */
export const starcoder2 = {
  name: 'starcoder2',
  config: LIKE_GPT,
  weights: ALL_BIASES,
  keys: KEYS,
  types: {
    starcoder2: {
      layout: 'starcoder2',
      keys: { ...DECODER, ...all('applied', 'norm_epsilon use_bias'),
        ...all('harmless', 'residual_dropout embedding_dropout'), mlp_type: only('default'),
        norm_type: only('layer_norm') },
      read(json) {
        const { config, rope } = json.decoder({ kvHeads: 2, context: 4096, epsilon: 'norm_epsilon', eps: 1e-5,
          activation: ['hidden_act', 'gelu_pytorch_tanh'] });
        const biased = json.flag('use_bias', true);
        const rule = said(biased, `‘use_bias’ is ${biased}`);
        const window = json.number('sliding_window', 0);
        return { config: { ...config, window: attentionWindow(window, config.context_length) }, rope,
          said: { qkvBiases: rule, outputBias: rule, feedForwardBiases: rule },
          tied: json.flag('tie_word_embeddings', true) };
      },
    },
  },
};

/** Falcon (2023): attention and feed-forward network beside each other, few keys and values, no biases of products.
 *  @type {Decoder} */
export const falcon = {
  name: 'falcon',
  config: { ...LIKE_GPT, activation: 'gelu_erf', parallel: 'yes' },
  weights: { normBiases: 'needed', ffnNorm: 'uniform' },
  oneQkv: true,
  keys: KEYS,
  // Falcon-40B has a norm for each of them; attn_norm is then the norm of the feed-forward network.
  slots: (name, has) => {
    if (!has('attn_norm_2.weight')) return [name];
    return [name.replace(/^attn_norm\./, 'ffn_norm.').replace(/^attn_norm_2\./, 'attn_norm.')];
  },
  types: {
    falcon: {
      layout: 'falcon',
      keys: { ...DECODER, ...all('applied', `layer_norm_epsilon num_kv_heads multi_query new_decoder_architecture bias
        ffn_hidden_size activation num_ln_in_parallel_attn n_layer n_head`),
      ...all('harmless', 'hidden_dropout apply_residual_connection_post_layernorm n_embed'),
      alibi: only(false), parallel_attn: only(true), use_alibi: only(false), hidden_act: 'harmless',
      num_key_value_heads: 'harmless', intermediate_size: 'harmless' },
      read(json) {
        const heads = json.renamed('num_attention_heads', 'n_head', 71);
        const grouped = json.flag('new_decoder_architecture', false);
        const d_model = json.number('hidden_size', 4544);
        const many = json.flag('multi_query', true) ? 1 : heads;
        const d_head = headSize(d_model, heads, json.name);
        const context_length = json.number('max_position_embeddings', 2048);
        const rope = json.rope(d_head, { context: context_length });
        const biased = said(json.flag('bias', false), `‘bias’ is ${json.flag('bias', false)}`);
        const two = grouped && json.number('num_ln_in_parallel_attn', 2) === 2;
        return {
          rope,
          tied: json.flag('tie_word_embeddings', true),
          layout: two ? 'falcon_two' : 'falcon',
          said: { qkvBiases: biased, outputBias: biased, feedForwardBiases: biased,
            ffnNorm: said(two, `‘new_decoder_architecture’ is ${grouped}`) },
          config: {
            layers: json.renamed('num_hidden_layers', 'n_layer', 32),
            heads,
            kv_heads: grouped ? json.number('num_kv_heads', heads) : many,
            d_model,
            d_head,
            d_ff: json.number('ffn_hidden_size', 4 * d_model),
            vocabulary: json.number('vocab_size', 65024),
            context_length,
            norm_eps: json.number('layer_norm_epsilon', 1e-5),
            rope_theta: rope.theta,
            rope_dims: rope.dims,
            rope_scale: rope.scale,
            activation: json.activation('activation', 'gelu'),
          },
        };
      },
    },
  },
};

/** Bloom (2022): ALiBi, and a norm of embeddings. @type {Decoder} */
export const bloom = {
  name: 'bloom',
  config: { ...LIKE_GPT, position: 'alibi', alibi: 8 },
  weights: { ...ALL_BIASES, embeddingNorm: 'needed' },
  oneQkv: true,
  keys: KEYS,
  types: {
    bloom: {
      layout: 'bloom',
      keys: { ...COMMON, ...all('applied', `vocab_size hidden_size n_embed n_layer num_hidden_layers n_head
        num_attention_heads layer_norm_epsilon tie_word_embeddings seq_length`),
      ...all('harmless', `hidden_dropout attention_dropout pretraining_tp slow_but_exact skip_bias_add
        skip_bias_add_qkv attention_softmax_in_fp32 bias_dropout_fusion masked_softmax_fusion offset_alibi
        unk_token_id n_inner`),
      apply_residual_connection_post_layernorm: only(false) },
      read(json) {
        const d_model = json.renamed('hidden_size', 'n_embed', 64);
        const heads = json.renamed('n_head', 'num_attention_heads', 8);
        return { tied: json.flag('tie_word_embeddings', true), config: {
          layers: json.renamed('n_layer', 'num_hidden_layers', 2),
          heads,
          kv_heads: heads,
          d_model,
          d_head: headSize(d_model, heads, json.name),
          d_ff: 4 * d_model,
          vocabulary: json.number('vocab_size', 250880),
          context_length: json.number('seq_length', 2048),
          norm_eps: json.number('layer_norm_epsilon', 1e-5),
        } };
      },
    },
  },
};

/** MPT (2023): ALiBi without biases. @type {Decoder} */
export const mpt = {
  name: 'mpt',
  config: { ...LIKE_GPT, position: 'alibi', activation: 'gelu_erf' },
  weights: { normBiases: 'uniform', qkvBiases: 'uniform', outputBias: 'uniform', feedForwardBiases: 'uniform' },
  oneQkv: true,
  keys: { ...KEYS, 'attention.max_alibi_bias': 'applied', 'attention.clamp_kqv': only(0) },
  gguf: (read) => {
    const alibi = read.number('attention.max_alibi_bias', 0);
    if (!alibi) throw read.unsupported('has learned positions instead of ALiBi');
    return { alibi };
  },
  types: {
    mpt: {
      layout: 'mpt',
      keys: { ...COMMON, ...all('applied', `d_model n_heads n_layers expansion_ratio max_seq_len vocab_size attn_config
        no_bias layer_norm_epsilon tie_word_embeddings`),
      ...all('harmless', `resid_pdrop emb_pdrop init_config init_device verbose embedding_fraction use_cache
        attn_pdrop learned_pos_emb`),
      norm_type: only('low_precision_layernorm'), ...all(only(), 'logit_scale') },
      read(json) {
        const attention = /** @type {Record<string, unknown>} */ (json.json.attn_config ?? {});
        for (const [key, usual] of [['clip_qkv', null], ['softmax_scale', null], ['qk_ln', false], ['prefix_lm', false],
          ['alibi', true], ['attn_type', 'multihead_attention']]) {
          const value = attention[String(key)] ?? (key === 'alibi' ? true : usual);
          if (value !== usual) throw json.unsupported(`sets ‘attn_config.${key}’`);
        }
        const d_model = json.number('d_model', 2048);
        const heads = json.number('n_heads', 16);
        const none = json.flag('no_bias', true);
        const rule = said(!none, `‘no_bias’ is ${none}`);
        return { tied: json.flag('tie_word_embeddings', true),
          said: { normBiases: rule, qkvBiases: rule, outputBias: rule, feedForwardBiases: rule },
          config: {
            layers: json.number('n_layers', 24),
            heads,
            kv_heads: heads,
            d_model,
            d_head: headSize(d_model, heads, json.name),
            d_ff: json.number('expansion_ratio', 4) * d_model,
            vocabulary: json.number('vocab_size', 50368),
            context_length: json.number('max_seq_len', 2048),
            norm_eps: json.number('layer_norm_epsilon', 1e-5),
            alibi: json.number('alibi_bias_max', 8, attention),
          } };
      },
    },
  },
};

/** Sizes of GPT-J, with GPT-2's names. @param {Fields} json */
function gptSizes(json) {
  const d_model = json.renamed('n_embd', 'hidden_size', 4096);
  const heads = json.renamed('n_head', 'num_attention_heads', 16);
  return {
    layers: json.renamed('n_layer', 'num_hidden_layers', 28),
    heads,
    kv_heads: heads,
    d_model,
    d_head: headSize(d_model, heads, json.name),
    d_ff: json.number('n_inner', 4 * d_model),
    vocabulary: json.number('vocab_size', 50400),
    context_length: json.renamed('n_positions', 'max_position_embeddings', 2048),
    norm_eps: json.number('layer_norm_epsilon', 1e-5),
    activation: json.activation('activation_function', 'gelu_new'),
  };
}

/** GPT-J (2021): attention and feed-forward network share one norm; RoPE of a part of a head. @type {Decoder} */
export const gptj = {
  name: 'gptj',
  config: { ...LIKE_GPT, position: 'rope_adjacent', parallel: 'yes' },
  weights: { normBiases: 'needed', ffnNorm: 'absent', feedForwardBiases: 'needed', headBias: 'needed' },
  keys: KEYS,
  hubOnly: true,
  types: {
    gptj: {
      layout: 'gptj',
      keys: { ...COMMON, ...all('applied', `vocab_size n_positions n_embd n_layer n_head n_inner rotary_dim
        activation_function layer_norm_epsilon tie_word_embeddings hidden_size max_position_embeddings
        num_attention_heads num_hidden_layers`),
      ...all('harmless', `resid_pdrop embd_pdrop attn_pdrop summary_type summary_use_proj summary_activation
        summary_proj_to_labels summary_first_dropout n_ctx rotary scale_attn_weights`) },
      read(json) {
        const sizes = gptSizes(json);
        return { tied: json.flag('tie_word_embeddings', false), config: {
          ...sizes,
          rope_theta: 10000,
          rope_dims: json.number('rotary_dim', json.json.rotary_dim === null ? sizes.d_head : 64),
          rope_scale: 1,
        } };
      },
    },
  },
};

/** GPT-Neo and TinyStories (2021): learned positions, a window in every other layer, scores without a scale.
 *  @type {Decoder} */
export const gptneo = {
  name: 'gptneo',
  config: { ...LIKE_GPT, position: 'learned', attention_scale: 1 },
  weights: { positions: 'needed', normBiases: 'needed', outputBias: 'needed', feedForwardBiases: 'needed' },
  keys: KEYS,
  hubOnly: true,
  types: {
    gpt_neo: {
      layout: 'gpt_neo',
      keys: { ...COMMON, ...all('applied', `vocab_size max_position_embeddings hidden_size num_layers num_heads
        intermediate_size window_size attention_types attention_layers activation_function layer_norm_epsilon
        tie_word_embeddings num_hidden_layers num_attention_heads`),
      ...all('harmless', `resid_dropout embed_dropout attention_dropout classifier_dropout summary_type
        summary_use_proj summary_activation summary_proj_to_labels summary_first_dropout`) },
      read(json) {
        const d_model = json.number('hidden_size', 2048);
        const heads = json.renamed('num_heads', 'num_attention_heads', 16);
        const layers = json.renamed('num_layers', 'num_hidden_layers', 24);
        const context_length = json.number('max_position_embeddings', 2048);
        const window = attentionWindow(json.number('window_size', 256), context_length);
        return { tied: json.flag('tie_word_embeddings', true), config: {
          layers,
          heads,
          kv_heads: heads,
          d_model,
          d_head: headSize(d_model, heads, json.name),
          d_ff: json.number('intermediate_size', 4 * d_model),
          vocabulary: json.number('vocab_size', 50257),
          context_length,
          norm_eps: json.number('layer_norm_epsilon', 1e-5),
          activation: json.activation('activation_function', 'gelu_new'),
          window,
          ...json.periodOf('attention_layers', kindsOf(json), layers, 'global', 'local'),
        } };
      },
    },
  },
};

/** The kind of each layer: `attention_types` is a list of kinds with their repetitions. @param {Fields} json */
function kindsOf(json) {
  const layers = json.renamed('num_layers', 'num_hidden_layers', 24);
  const types = json.json.attention_types ?? [[['global', 'local'], layers / 2]];
  if (json.json.attention_layers) return json.json.attention_layers;
  if (!Array.isArray(types) || !types.every(Array.isArray)) throw json.unsupported('has unknown ‘attention_types’');
  const runs = types.map(([kinds, times]) =>
    ({ kinds: [kinds].flat(), times: Math.min(Math.max(Math.trunc(times) || 0, 0), CONFIG_LIMITS.layers) }));
  const count = runs.reduce((sum, { kinds, times }) => sum + Math.max(1, kinds.length) * times, 0);
  if (count > CONFIG_LIMITS.layers) throw json.unsupported(`has ‘attention_types’ of ${count} layers`);
  return runs.flatMap(({ kinds, times }) => Array(times).fill(kinds).flat());
}
