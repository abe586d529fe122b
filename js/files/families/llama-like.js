/** Families with RoPE and a gated feed-forward network. */
import { attentionWindow } from '../config.js';
import { ROPE_KEYS } from '../gguf/keys.js';
import { all, only } from '../settings.js';
import { DECODER } from '../safetensors/keys.js';
import { LIKE_LLAMA, biases, lastOfEach } from './decoder.js';
import { GGUF_SETTINGS, MULTIPLIERS, graniteOf, scalesOfGguf } from './granite.js';

/** @typedef {import('./decoder.js').Decoder} Decoder */
/** @typedef {import('../config.js').Config} Config */

/** Qwen2 and 2.5 (2024): biases of queries, keys and values; js/files/safetensors/config.js reads config.json.
 *  @type {Decoder} */
export const qwen2 = {
  name: 'qwen2',
  config: LIKE_LLAMA,
  weights: { qkvBiases: 'needed', gate: 'needed' },
  keys: ROPE_KEYS,
};

/** Qwen3 (2025): as Qwen2, with norms of queries and keys instead of biases. @type {Decoder} */
export const qwen3 = {
  name: 'qwen3',
  config: { ...LIKE_LLAMA, qk_norm: 'head' },
  weights: { gate: 'needed', qkNorms: 'needed', qkvBiases: 'uniform', outputBias: 'uniform' },
  keys: ROPE_KEYS,
  types: {
    qwen3: {
      layout: 'llama',
      keys: { ...DECODER, ...all('applied', 'attention_bias use_sliding_window max_window_layers') },
      read(json) {
        const { config, rope } = json.decoder({ kvHeads: 32, context: 32768, dHead: 128 });
        return { config: { ...config, window: json.switchedWindow(config) }, rope, said: biases(json, false),
          tied: json.flag('tie_word_embeddings', false) };
      },
    },
  },
};

/** The constants of all Gemma models. */
const GEMMA = /** @type {const} */ ({ ...LIKE_LLAMA, activation: 'gelu_tanh' });
const GEMMA_KEYS = { ...ROPE_KEYS, hidden_activation: only('gelu_pytorch_tanh') };
/** Defaults of the classes. */
const GEMMA_CLASS = /** @type {const} */ ({ kvHeads: 4, context: 8192, dHead: 256,
  activation: ['hidden_activation', 'gelu_pytorch_tanh'] });
/** @type {Readonly<Record<string, import('../settings.js').Fate>>} */
const GEMMA_CONFIG_KEYS = {
  ...DECODER,
  ...all('applied', 'hidden_activation'),
  // The classes read `hidden_activation`.
  hidden_act: 'harmless',
  attention_bias: only(false),
  use_bidirectional_attention: only(false),
};

/** Gemma (2024): embeddings times √D. @type {Decoder} */
export const gemma = {
  name: 'gemma',
  config: GEMMA,
  weights: { gate: 'needed' },
  keys: GEMMA_KEYS,
  gguf: (_, { d_model }) => ({ embedding_scale: Math.sqrt(d_model) }),
  types: {
    gemma: {
      layout: 'gemma',
      keys: GEMMA_CONFIG_KEYS,
      read(json) {
        const { config, rope } = json.decoder({ ...GEMMA_CLASS, kvHeads: 16 });
        json.layerTypes(config.layers, 0);
        return { config: { ...config, embedding_scale: Math.sqrt(config.d_model) }, rope,
          tied: json.flag('tie_word_embeddings', true) };
      },
    },
  },
};

/** Scales of Gemma 2 and 3; models of 27 B divide scores by √(D / H).
 *  @param {Config} config @param {number} layersOfLargest */
const gemmaScales = ({ d_model, heads, d_head, layers }, layersOfLargest) => ({
  embedding_scale: Math.sqrt(d_model),
  attention_scale: 1 / Math.sqrt(layers === layersOfLargest ? d_model / heads : d_head),
});

/** Gemma 2 (2024): soft caps, norms before and after, a window in every other layer. @type {Decoder} */
export const gemma2 = {
  name: 'gemma2',
  config: GEMMA,
  weights: { gate: 'needed', postNorms: 'needed' },
  keys: { ...GEMMA_KEYS, ...all('applied', 'attn_logit_softcapping final_logit_softcapping') },
  gguf: (read, config) => ({
    ...gemmaScales(config, 46),
    attention_softcap: read.number('attn_logit_softcapping', 50),
    logit_softcap: read.number('final_logit_softcapping', 30),
    window: attentionWindow(read.number('attention.sliding_window', 4096), config.context_length),
    ...lastOfEach(2),
  }),
  types: {
    gemma2: {
      layout: 'gemma2',
      keys: { ...GEMMA_CONFIG_KEYS,
        ...all('applied', 'query_pre_attn_scalar attn_logit_softcapping final_logit_softcapping') },
      read(json) {
        const { config, rope } = json.decoder(GEMMA_CLASS);
        const window = attentionWindow(json.window(), config.context_length);
        return { rope, tied: json.flag('tie_word_embeddings', true), config: {
          ...config,
          window,
          ...json.globalLayers(config.layers, 2),
          embedding_scale: Math.sqrt(config.d_model),
          attention_scale: json.number('query_pre_attn_scalar', 256) ** -0.5,
          attention_softcap: json.cap('attn_logit_softcapping', 50),
          logit_softcap: json.cap('final_logit_softcapping', 30),
        } };
      },
    },
  },
};

/** Gemma 3 (2025): five layers with a window and their own RoPE, then one without; norms of queries and keys.
 *  @type {Decoder} */
export const gemma3 = {
  name: 'gemma3',
  config: { ...GEMMA, qk_norm: 'head' },
  weights: { gate: 'needed', postNorms: 'needed', qkNorms: 'needed' },
  keys: { ...GEMMA_KEYS, 'attention.sliding_window_pattern': only(6), 'final_logit_softcapping': only(0) },
  own: ['rope.freq_base_swa'],
  gguf: (read, config) => ({
    ...gemmaScales(config, 62),
    local_theta: read.number('rope.freq_base_swa', 10000),
    ...(config.window && lastOfEach(6)),
  }),
  types: {
    gemma3_text: {
      layout: 'gemma2',
      keys: { ...GEMMA_CONFIG_KEYS, ...all('applied', `query_pre_attn_scalar rope_local_base_freq
        sliding_window_pattern use_bidirectional_attention`),
      ...all(only(0), 'attn_logit_softcapping final_logit_softcapping') },
      read(json) {
        const isEncoder = json.flag('use_bidirectional_attention', false);
        const window = json.window();
        const { sliding_attention: local, full_attention: full } =
          /** @type {Record<string, any>} */ (json.json.rope_parameters ?? {});
        const { config, rope } = json.decoder({ ...GEMMA_CLASS, context: 131072, theta: 1e6, parameters: full });
        const base = local ? json.rope(config.d_head, { parameters: local }) : null;
        if (base && (base.scale !== 1 || base.divisors)) throw json.unsupported('scales the RoPE of local layers');
        const tied = json.flag('tie_word_embeddings', true);
        return { rope, tied, ...(isEncoder && { family: gemmaEmbedding }), config: {
          ...config,
          window: isEncoder ? window : attentionWindow(window, config.context_length),
          ...json.globalLayers(config.layers, json.number('sliding_window_pattern', 6)),
          local_theta: base?.theta ?? json.number('rope_local_base_freq', 10000),
          embedding_scale: Math.sqrt(config.d_model),
          attention_scale: json.number('query_pre_attn_scalar', 256) ** -0.5,
        } };
      },
    },
  },
};

/** EmbeddingGemma (2025): the blocks of Gemma 3 as an encoder; `gemma3_text` above reads its config.json.
 *  @type {Decoder} */
export const gemmaEmbedding = {
  name: 'gemma-embedding',
  config: { ...gemma3.config, bidirectional: 'yes' },
  weights: { ...gemma3.weights, dense: 'optional' },
  // Widths of the Dense layers, which their tensors have, too.
  keys: { ...gemma3.keys, 'attention.causal': only(false),
    ...all('harmless', 'dense_2_feat_in dense_2_feat_out dense_3_feat_in dense_3_feat_out') },
  own: gemma3.own,
  gguf(read, config, rowsOf) {
    const window = read.number('attention.sliding_window', 0); // half of it is on either side
    return { ...gemma3.gguf?.(read, { ...config, window }, rowsOf), window };
  },
};

/** Phi-3, 3.5 and 4-mini (2024): one matrix for gate and up, LongRoPE. @type {Decoder} */
export const phi3 = {
  name: 'phi3',
  config: LIKE_LLAMA,
  weights: { gate: 'needed', ropeFreqs: 'optional' },
  oneQkv: true,
  keys: { ...ROPE_KEYS, ...all('applied', 'rope.scaling.attn_factor rope.scaling.original_context_length') },
  slots: (name) => (name === 'ffn_up.weight' ? ['ffn_gate.weight', 'ffn_up.weight'] : [name]),
  gguf: (read) => ({ rope_magnitude: read.number('rope.scaling.attn_factor', 0) }),
  types: {
    phi3: {
      layout: 'phi3',
      keys: { ...DECODER, ...all('applied', 'original_max_position_embeddings'),
        ...all('harmless', 'resid_pdrop embd_pdrop'), attention_bias: only(false), mlp_bias: only(false) },
      read(json) {
        const { config, rope } = json.decoder({ kvHeads: null, context: 4096, eps: 1e-5 });
        const window = json.number('sliding_window', 0);
        json.layerTypes(config.layers, window);
        return { config: { ...config, window: attentionWindow(window, config.context_length) }, rope,
          tied: json.flag('tie_word_embeddings', false) };
      },
    },
  },
};

/** OLMo 2 (2024): norms after attention and feed-forward, and of all queries and keys together. @type {Decoder} */
export const olmo2 = {
  name: 'olmo2',
  config: { ...LIKE_LLAMA, qk_norm: 'all' },
  weights: { gate: 'needed', attnNorm: 'absent', ffnNorm: 'absent', postNorms: 'needed', qkNorms: 'needed' },
  keys: { ...ROPE_KEYS, 'attention.sliding_window': only(0) },
  types: {
    olmo2: {
      layout: 'olmo2',
      keys: { ...DECODER, attention_bias: only(false), mlp_bias: only(false), sliding_window: only() },
      read(json) {
        const { config, rope } = json.decoder({ kvHeads: null, context: 2048, eps: 1e-5 });
        json.layerTypes(config.layers, 0);
        return { config, rope, tied: json.flag('tie_word_embeddings', false) };
      },
    },
  },
};

/** SmolLM3 (2025): every fourth layer has no positions. @type {Decoder} */
export const smollm3 = {
  name: 'smollm3',
  config: { ...LIKE_LLAMA, position: 'rope_adjacent', global_rope: 'no' },
  weights: { gate: 'needed', qkvBiases: 'uniform', outputBias: 'uniform', feedForwardBiases: 'uniform' },
  keys: ROPE_KEYS,
  gguf: () => lastOfEach(4),
  types: {
    smollm3: {
      layout: 'llama',
      keys: { ...DECODER, ...all('applied', 'attention_bias mlp_bias no_rope_layers no_rope_layer_interval'),
        use_sliding_window: only(false), sliding_window: 'harmless', max_window_layers: 'harmless' },
      read(json) {
        const { config, rope } = json.decoder({ kvHeads: 4, context: 32768, theta: 2000000 });
        json.layerTypes(config.layers, 0);
        const every = json.number('no_rope_layer_interval', 4);
        const period = lastOfEach(every);
        const rotating = json.json.no_rope_layers ?? null;
        const list = Array.isArray(rotating) ? rotating : [];
        const expected = list.map((_, layer) => Number((layer + 1) % every !== 0));
        if (rotating !== null && (list.length !== config.layers || String(list) !== String(expected))) {
          const none = Array.isArray(rotating) && rotating.every(Boolean);
          if (!none) throw json.unsupported('has ‘no_rope_layers’ without a period');
          Object.assign(period, { global_every: 0, global_first: 0 });
        }
        return { config: { ...config, ...period, position: 'rope_halves' }, rope, said: biases(json, true),
          tied: json.flag('tie_word_embeddings', true) };
      },
    },
  },
};

/** Granite 3 and 4 (2024, 2025): factors of embeddings, scores, sums and logits.  Granite 4.0 has the class of hybrids;
 *  its models with layers of Mamba or with experts are refused. @type {Decoder} */
export const granite = {
  name: 'granite',
  config: { ...LIKE_LLAMA, position: 'rope_adjacent' },
  weights: { gate: 'needed', qkvBiases: 'uniform', outputBias: 'uniform', feedForwardBiases: 'uniform',
    ropeFreqs: 'optional' },
  keys: { ...ROPE_KEYS, ...GGUF_SETTINGS },
  own: ['attention.scale'],
  gguf: scalesOfGguf,
  types: {
    granite: {
      layout: 'llama',
      keys: { ...DECODER, ...MULTIPLIERS, mlp_bias: 'applied' },
      read(json) {
        const model = graniteOf(json);
        json.layerTypes(model.config.layers, 0);
        return { ...model, said: biases(json, true) };
      },
    },
    granitemoehybrid: {
      layout: 'granite_shared',
      keys: { ...DECODER, ...MULTIPLIERS, ...all('applied', 'num_local_experts position_embedding_type') },
      read(json) {
        const model = graniteOf(json, { d_ff: json.number('shared_intermediate_size', 1024) });
        const { layer_types: types, num_local_experts: experts, position_embedding_type: position } = json.json;
        const attends = Array.isArray(types) && types.length === model.config.layers &&
          types.every((type) => type === 'attention');
        if (!attends || experts !== 0 || position !== 'rope') {
          throw json.unsupported('has layers of Mamba, experts, or no RoPE (‘layer_types’, ‘num_local_experts’, ' +
            '‘position_embedding_type’)');
        }
        return { ...model, said: biases(json, false) };
      },
    },
  },
};

/** StableLM 3B and StableLM 2 1.6B (2023, 2024): LayerNorm, RoPE of a quarter of a head.  StableLM 2 12B is refused: it
 *  has norms of queries and keys, and attention beside the feed-forward network. @type {Decoder} */
export const stablelm = {
  name: 'stablelm',
  config: { ...LIKE_LLAMA, norm: 'layernorm' },
  weights: { gate: 'needed', normBiases: 'needed', qkvBiases: 'uniform' },
  // llama.cpp ignores `use_parallel_residual`, and its converter writes true if config.json does not have the key.
  keys: { ...ROPE_KEYS, 'attention.layer_norm_epsilon': 'applied', 'use_parallel_residual': 'harmless' },
  types: {
    stablelm: {
      layout: 'llama',
      keys: { ...DECODER, ...all('applied', 'layer_norm_eps use_qkv_bias'), ...all('harmless', 'hidden_dropout') },
      read(json) {
        const { config, rope } = json.decoder({ kvHeads: 32, context: 4096, epsilon: 'layer_norm_eps', eps: 1e-5,
          share: 0.25 });
        return { config, rope, said: { qkvBiases: json.biases('use_qkv_bias') },
          tied: json.flag('tie_word_embeddings', false) };
      },
    },
  },
};

/** ERNIE 4.5 (2025): as Llama, with heads wider than the model divided by their number. @type {Decoder} */
export const ernie = {
  name: 'ernie4_5',
  config: { ...LIKE_LLAMA, position: 'rope_adjacent' },
  weights: { gate: 'needed', qkvBiases: 'uniform', outputBias: 'uniform', feedForwardBiases: 'uniform' },
  keys: ROPE_KEYS,
  types: {
    ernie4_5: {
      layout: 'llama',
      keys: { ...DECODER, ...all('applied', 'use_bias') },
      read(json) {
        const { config, rope } = json.decoder({ kvHeads: 2, context: 131072, theta: 500000, dHead: 128, eps: 1e-5 });
        const rule = json.biases('use_bias');
        return { config, rope, said: { qkvBiases: rule, outputBias: rule, feedForwardBiases: rule },
          tied: json.flag('tie_word_embeddings', true) };
      },
    },
  },
};

/** EXAONE 4 (2025), without the windows of its larger models: as OLMo 2, with norms of each query and key.
 *  @type {Decoder} */
export const exaone4 = {
  name: 'exaone4',
  config: { ...LIKE_LLAMA, qk_norm: 'head' },
  weights: { ...olmo2.weights, ropeFreqs: 'optional' },
  keys: { ...ROPE_KEYS, 'attention.sliding_window': only(0) },
  types: {
    exaone4: {
      layout: 'olmo2',
      keys: { ...DECODER, ...all('harmless', 'sliding_window_pattern') },
      read(json) {
        const { config, rope } = json.decoder({ kvHeads: 32, context: 2048, eps: 1e-5 });
        const window = json.window();
        if (window) throw json.unsupported(`has a window of ${window} tokens, and layers without positions`);
        json.layerTypes(config.layers, 0);
        return { config, rope, tied: json.flag('tie_word_embeddings', false) };
      },
    },
  },
};
