/** Families of decoders with mixtures of experts: a router chooses few of many feed-forward networks for each token. */
import { HeedError, quoted } from '../../errors.js';
import { attentionWindow } from '../config.js';
import { ROPE_KEYS } from '../gguf/keys.js';
import { DECODER } from '../safetensors/keys.js';
import { all, only } from '../settings.js';
import { LIKE_LLAMA, biases } from './decoder.js';
import { MAX_EXPERTS, checkExperts } from './experts.js';
import { GGUF_SETTINGS, MULTIPLIERS, graniteOf, scalesOfGguf } from './granite.js';

/** @typedef {import('./decoder.js').Decoder} Decoder */
/** @typedef {import('../config.js').Config} Config */
/** @typedef {import('../safetensors/fields.js').Fields} Fields */

/** Constants of every mixture. */
const MIXTURE = /** @type {const} */ ({ mixture: true, everyBlock: ['attn_output.weight'] });

/** Settings of GGUF.  llama.cpp does not read whether weights are divided by their sum, because the family decides.
 *  @param {boolean} norm */
const keysOf = (norm) => ({
  ...ROPE_KEYS,
  ...all('applied', 'expert_count expert_used_count expert_feed_forward_length expert_shared_feed_forward_length'),
  expert_weights_norm: only(norm),
  expert_weights_scale: only(0, 1),
  expert_gating_func: only(0, 1),
});

/** Sizes of the experts in GGUF.  @param {import('../gguf/config.js').Reader} read @param {Config} config
 *  @param {boolean} norm @returns {Partial<Config>} */
function fromGguf(read, { d_ff, layers }, norm) {
  const count = (/** @type {string} */ key, /** @type {number} */ most) => {
    const value = read.number(key);
    if (Number.isInteger(value) && value >= 1 && value <= most) return value;
    throw new HeedError('bad-config', `Expected an integer from 1 to ${most} at ` +
      `${quoted(`${read.architecture}.${key}`)} of ${quoted(read.name)}, got ${value}.`);
  };
  const experts = count('expert_count', MAX_EXPERTS);
  checkExperts(experts, layers, read.name);
  return { experts, experts_used: count('expert_used_count', experts), expert_norm: norm ? 'yes' : 'no',
    d_ff: read.number('expert_feed_forward_length', d_ff) };
}

/** Settings of config.json that the classes share. @type {Readonly<Record<string, import('../settings.js').Fate>>} */
const CONFIG_KEYS = {
  ...DECODER,
  ...all('applied', 'num_experts num_experts_per_tok norm_topk_prob moe_intermediate_size'),
  ...all('harmless', 'output_router_logits router_aux_loss_coef'),
};
/** Settings of Qwen's classes. */
const QWEN_KEYS = {
  ...CONFIG_KEYS,
  ...all('applied', 'use_sliding_window max_window_layers'),
  decoder_sparse_step: only(1),
  mlp_only_layers: only([]),
};

/** The experts of config.json.  @param {Fields} json @param {{ layers: number }} config
 *  @param {{ key?: string, experts: number, used: number }} of
 *  @returns {Pick<Config, 'experts' | 'experts_used' | 'expert_norm'>} */
function fromJson(json, { layers }, { key = 'num_experts', experts: usual, used }) {
  const experts = json.count(key, usual, MAX_EXPERTS);
  checkExperts(experts, layers, json.name);
  return { experts, experts_used: json.count('num_experts_per_tok', used, experts),
    expert_norm: json.flag('norm_topk_prob', false) ? 'yes' : 'no' };
}

/** Qwen1.5-MoE and Qwen2-MoE (2024): as Qwen2; every token uses a shared expert, too. @type {Decoder} */
export const qwen2Moe = {
  name: 'qwen2moe',
  config: LIKE_LLAMA,
  ...MIXTURE,
  weights: { qkvBiases: 'needed', experts: 'needed', sharedExpert: 'needed' },
  keys: keysOf(false),
  slots: (name) => [name.replace(/^(ffn_(gate|up|down))_shexp\./, '$1.')],
  gguf: (read, config, rowsOf) => ({ ...fromGguf(read, config, false),
    d_shared: read.number('expert_shared_feed_forward_length', rowsOf('blk.0.ffn_up_shexp.weight')) }),
  types: {
    qwen2_moe: {
      layout: 'qwen_moe',
      keys: { ...QWEN_KEYS, ...all('applied', 'shared_expert_intermediate_size qkv_bias') },
      read(json) {
        const { config, rope } = json.decoder({ kvHeads: 16, context: 32768 });
        const isBiased = json.flag('qkv_bias', true);
        const because = `config.json has a ‘qkv_bias’ of ${isBiased}`;
        return { rope, tied: json.flag('tie_word_embeddings', false),
          said: { qkvBiases: { rule: isBiased ? 'needed' : 'absent', because } },
          config: { ...config, ...fromJson(json, config, { experts: 60, used: 4 }), window: json.switchedWindow(config),
            d_ff: json.number('moe_intermediate_size', 1408),
            d_shared: json.number('shared_expert_intermediate_size', 5632) } };
      },
    },
  },
};

/** Qwen3-MoE (2025): as Qwen3, without a shared expert. @type {Decoder} */
export const qwen3Moe = {
  name: 'qwen3moe',
  config: { ...LIKE_LLAMA, qk_norm: 'head' },
  ...MIXTURE,
  weights: { qkNorms: 'needed', qkvBiases: 'uniform', outputBias: 'uniform', experts: 'needed' },
  keys: keysOf(true),
  gguf: (read, config) => fromGguf(read, config, true),
  types: {
    qwen3_moe: {
      layout: 'qwen_moe',
      keys: { ...QWEN_KEYS, ...all('applied', 'attention_bias') },
      read(json) {
        const { config, rope } = json.decoder({ kvHeads: 4, context: 32768 });
        return { rope, tied: json.flag('tie_word_embeddings', false), said: biases(json, false),
          config: { ...config, ...fromJson(json, config, { experts: 128, used: 8 }),
            window: json.switchedWindow(config), d_ff: json.number('moe_intermediate_size', 768) } };
      },
    },
  },
};

/** OLMoE (Muennighoff et al. 2024): norms of all queries and all keys together. @type {Decoder} */
export const olmoe = {
  name: 'olmoe',
  config: { ...LIKE_LLAMA, qk_norm: 'all' },
  ...MIXTURE,
  weights: { qkNorms: 'needed', experts: 'needed' },
  keys: { ...keysOf(false), 'attention.clamp_kqv': only(0) },
  gguf: (read, config) => fromGguf(read, config, false),
  types: {
    olmoe: {
      layout: 'qwen_moe',
      keys: { ...CONFIG_KEYS, attention_bias: only(false), sliding_window: only() },
      read(json) {
        const { config, rope } = json.decoder({ kvHeads: null, context: 4096, eps: 1e-5 });
        return { rope, tied: json.flag('tie_word_embeddings', false),
          config: { ...config, ...fromJson(json, config, { experts: 64, used: 8 }) } };
      },
    },
  },
};

/** Mixtral (Jiang et al. 2024): in GGUF a Llama with experts. @type {Decoder} */
export const mixtral = {
  name: 'llama',
  config: { ...LIKE_LLAMA, position: 'rope_adjacent' },
  ...MIXTURE,
  weights: { experts: 'needed', ropeFreqs: 'optional' },
  keys: keysOf(true),
  gguf: (read, config) => fromGguf(read, config, true),
  types: {
    mixtral: {
      layout: 'mixtral',
      keys: { ...CONFIG_KEYS, ...all('applied', 'num_local_experts'), router_jitter_noise: 'harmless' },
      read(json) {
        const { config, rope } = json.decoder({ kvHeads: 8, context: 4096 * 32, theta: 1e6, eps: 1e-5 });
        const window = attentionWindow(json.number('sliding_window', 0), config.context_length);
        json.layerTypes(config.layers, window);
        return { rope, tied: json.flag('tie_word_embeddings', false), config: { ...config, window,
          ...fromJson(json, config, { key: 'num_local_experts', experts: 8, used: 2 }), expert_norm: 'yes',
          position: 'rope_halves' } };
      },
    },
  },
};

/** Granite's mixtures (2024): as Granite. @type {Decoder} */
export const graniteMoe = {
  name: 'granitemoe',
  config: { ...LIKE_LLAMA, position: 'rope_adjacent' },
  ...MIXTURE,
  weights: { experts: 'needed', qkvBiases: 'uniform', outputBias: 'uniform', ropeFreqs: 'optional' },
  keys: { ...keysOf(true), ...GGUF_SETTINGS },
  own: ['attention.scale'],
  gguf: (read, config) => ({ ...fromGguf(read, config, true), ...scalesOfGguf(read) }),
  types: {
    granitemoe: {
      layout: 'granite_moe',
      keys: { ...CONFIG_KEYS, ...MULTIPLIERS, num_local_experts: 'applied' },
      read(json) {
        const { config, ...model } = graniteOf(json);
        json.layerTypes(config.layers, 0);
        return { ...model, said: biases(json, false), config: { ...config,
          ...fromJson(json, config, { key: 'num_local_experts', experts: 8, used: 2 }), expert_norm: 'yes' } };
      },
    },
  },
};
