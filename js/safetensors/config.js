import { NO_ROPE, attentionWindow, checkConfig, headSize } from '../config.js';
import { HeedError, quoted } from '../errors.js';

/**
 * From Hugging Face's config.json to the engine's configuration.  Defaults are those of the classes in `transformers`.
 */

/** @typedef {import('../config.js').Config} Config */

/**
 * @typedef {object} Architecture
 * @property {import('../families.js').Family} architecture  by GGUF's name
 * @property {import('../families.js').Said} said  which biases the weights have, where config.json decides
 * @property {'gpt2' | 'llama'} layout   of the names of weights
 * @property {Config} config
 * @property {boolean} tied              whether the embedding is also the head
 * @property {Float32Array | null} ropeFreqs  divisors of the RoPE frequencies, one for two turned elements (Llama 3)
 */

/** Activations by the names of `transformers` (ACT2FN). @type {Readonly<Record<string, Config['activation']>>} */
const ACTIVATIONS = Object.freeze({
  gelu_new: 'gelu_tanh',
  gelu_pytorch_tanh: 'gelu_tanh',
  gelu_fast: 'gelu_tanh',
  gelu: 'gelu_erf',
  relu: 'relu',
  silu: 'silu',
  swish: 'silu',
});

/** @type {Readonly<Record<string, (json: Fields) => Architecture>>} */
const MODELS = Object.freeze({ gpt2: gpt2, llama: llama, mistral: mistral, qwen2: qwen2 });

/**
 * @param {unknown} json  the parsed config.json
 * @param {string} name   of the file, for sentences
 * @returns {Architecture}
 * @throws {HeedError} 'unsupported', 'bad-config'
 */
export function configFromHuggingFace(json, name) {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw new HeedError('bad-config', `${quoted(name)} is no config.json: it holds no JSON object.`);
  }
  const fields = new Fields(/** @type {Record<string, unknown>} */ (json), name);
  const type = fields.json.model_type;
  if (typeof type !== 'string' || !Object.hasOwn(MODELS, type)) {
    throw new HeedError('unsupported', `${quoted(name)} describes a model of the type ${quoted(type)}. heed runs ` +
      `${Object.keys(MODELS).join(', ')}.`);
  }
  if (fields.json.quantization_config) throw fields.unsupported('is quantised (take it as F16, BF16 or GGUF)');
  const model = MODELS[type](fields);
  checkConfig(model.config, name);
  return model;
}

/** @param {Fields} json @returns {Architecture} */
function gpt2(json) {
  json.refuse('scale_attn_by_inverse_layer_idx', true);
  json.refuse('add_cross_attention', true);
  json.refuse('scale_attn_weights', false);
  const d_model = json.number('n_embd', 768);
  const heads = json.number('n_head', 12);
  return {
    architecture: 'gpt2',
    said: {},
    layout: 'gpt2',
    tied: json.flag('tie_word_embeddings', true),
    ropeFreqs: null,
    config: {
      layers: json.number('n_layer', 12),
      heads,
      kv_heads: heads,
      d_model,
      d_head: headSize(d_model, heads, json.name),
      d_ff: json.number('n_inner', 4 * d_model),
      vocabulary: json.number('vocab_size', 50257),
      context_length: json.number('n_positions', 1024),
      norm: 'layernorm',
      norm_eps: json.number('layer_norm_epsilon', 1e-5),
      position: 'learned',
      ...NO_ROPE,
      window: 0,
      activation: json.activation('activation_function', 'gelu_new'),
      gated: 'no',
    },
  };
}

/** @param {Fields} json @returns {Architecture} */
function llama(json) {
  json.refuse('rope_interleaved', true);
  const d_model = json.needed('hidden_size');
  const heads = json.needed('num_attention_heads');
  const d_head = json.number('head_dim', null) ?? headSize(d_model, heads, json.name);
  const rope = json.rope(d_head);
  const attention = json.biases('attention_bias');
  return {
    architecture: 'llama',
    layout: 'llama',
    said: { qkvBiases: attention, outputBias: attention, feedForwardBiases: json.biases('mlp_bias') },
    tied: json.flag('tie_word_embeddings', false),
    ropeFreqs: rope.freqs,
    config: {
      layers: json.needed('num_hidden_layers'),
      heads,
      kv_heads: json.number('num_key_value_heads', heads),
      d_model,
      d_head,
      d_ff: json.needed('intermediate_size'),
      vocabulary: json.needed('vocab_size'),
      context_length: json.number('max_position_embeddings', 2048),
      norm: 'rmsnorm',
      norm_eps: json.number('rms_norm_eps', 1e-6),
      position: 'rope_halves',
      rope_theta: rope.theta,
      rope_dims: rope.dims,
      rope_scale: rope.scale,
      window: 0,
      activation: json.activation('hidden_act', 'silu'),
      gated: 'yes',
    },
  };
}

/** Mistral shares Llama's names; its class has no bias at all.  @type {import('../families.js').Said} */
const NO_BIASES = Object.fromEntries(['qkvBiases', 'outputBias', 'feedForwardBiases'].map((group) =>
  [group, { rule: 'absent', because: 'no Mistral has it' }]));

/** @param {Fields} json @returns {Architecture} */
function mistral(json) {
  const model = llama(json);
  model.said = NO_BIASES;
  model.config.window = attentionWindow(json.number('sliding_window', 0), model.config.context_length);
  return model;
}

/** @param {Fields} json @returns {Architecture} */
function qwen2(json) {
  const model = llama(json);
  const { config } = model;
  model.architecture = 'qwen2';
  model.said = {};
  if (json.flag('use_sliding_window', false)) {
    // Layers before max_window_layers see everything, those after it a window.
    const full = json.number('max_window_layers', 28);
    if (full > 0 && full < config.layers) throw json.unsupported('has a window in some layers and none in others');
    if (full === 0) config.window = attentionWindow(json.number('sliding_window', 4096), config.context_length);
  }
  return model;
}

/** Reads fields of a config.json, with sentences for what is wrong. */
class Fields {
  /**
   * @param {Record<string, unknown>} json
   * @param {string} name
   */
  constructor(json, name) {
    this.json = json;
    this.name = name;
  }

  /**
   * @template {number | null} D
   * @param {string} key
   * @param {D} fallback for a field that is missing or null
   * @param {Record<string, unknown>} [json]
   * @returns {number | D}
   */
  number(key, fallback, json = this.json) {
    return (json[key] ?? null) === null ? fallback : this.needed(key, json);
  }

  /**
   * @param {string} key
   * @param {Record<string, unknown>} [json]
   * @returns {number}
   */
  needed(key, json = this.json) {
    const value = json[key];
    if (typeof value === 'number') return value;
    throw new HeedError('bad-config', `${quoted(this.name)} needs a number at ${quoted(key)} and has ` +
      `${value === undefined ? 'none' : quoted(JSON.stringify(value))}.`);
  }

  /**
   * @param {string} key
   * @param {boolean} fallback
   */
  flag(key, fallback) {
    const value = this.json[key] ?? fallback;
    if (typeof value === 'boolean') return value;
    throw new HeedError('bad-config', `${quoted(this.name)} has ${quoted(JSON.stringify(value))} at ` +
      `${quoted(key)}, neither true nor false.`);
  }

  /**
   * @param {string} key
   * @param {string} fallback
   */
  activation(key, fallback) {
    const name = this.json[key] ?? fallback;
    if (typeof name === 'string' && Object.hasOwn(ACTIVATIONS, name)) return ACTIVATIONS[name];
    throw this.unsupported(`has the activation ${quoted(name)} (heed knows ${Object.keys(ACTIVATIONS).join(', ')})`);
  }

  /**
   * Whether products have biases, as the weights must then have them.
   * @param {string} key
   * @returns {{ rule: import('../families.js').Rule, because: string }}
   */
  biases(key) {
    const wanted = this.flag(key, false);
    const because = (this.json[key] ?? null) === null
      ? `${quoted(this.name)} does not set ${quoted(key)}, which means false`
      : `${quoted(this.name)} sets ${quoted(key)} to ${wanted}`;
    return { rule: wanted ? 'needed' : 'absent', because };
  }

  /**
   * @param {string} key
   * @param {boolean} value
   */
  refuse(key, value) {
    if (this.json[key] === value) throw this.unsupported(`has ${quoted(key)} set to ${value}`);
  }

  /**
   * RoPE's base, extent and scaling: `rope_theta` and `rope_scaling`, or in newer files both in `rope_parameters`.
   * @param {number} dHead
   */
  rope(dHead) {
    const scaling = this.json.rope_parameters ?? this.json.rope_scaling ?? {};
    if (typeof scaling !== 'object' || Array.isArray(scaling)) {
      throw this.unsupported('has an unknown form of RoPE scaling');
    }
    const fields = /** @type {Record<string, unknown>} */ (scaling);
    const theta = this.number('rope_theta', this.number('rope_theta', 10000, fields));
    const share = this.number('partial_rotary_factor', this.number('partial_rotary_factor', 1, fields));
    const dims = Math.round(dHead * share);
    const type = fields.rope_type ?? fields.type ?? 'default';
    const plain = { theta, dims, scale: 1, freqs: null };
    if (type === 'default') return plain;
    if (type === 'linear') return { ...plain, scale: this.needed('factor', fields) };
    if (type === 'llama3') return { ...plain, freqs: this.#llama3(fields, theta, dims) };
    throw this.unsupported(`has ${quoted(type)} RoPE scaling (heed knows default, linear and llama3)`);
  }

  /**
   * Llama 3.1's scaling (`_compute_llama3_parameters` of transformers): slow turns are slowed by the factor, fast ones
   * stay, and between the two wavelengths one goes over into the other.
   * @param {Record<string, unknown>} scaling
   * @param {number} theta
   * @param {number} dims
   * @returns {Float32Array} divisors of the frequencies [dims / 2]
   */
  #llama3(scaling, theta, dims) {
    const factor = this.needed('factor', scaling);
    const low = this.needed('low_freq_factor', scaling);
    const high = this.needed('high_freq_factor', scaling);
    const context = this.needed('original_max_position_embeddings', scaling);
    if (!(factor >= 1 && low > 0 && high > low && context >= 1) || !(dims >= 2 && dims <= 4096)) {
      throw new HeedError('bad-config', `The llama3 RoPE scaling in ${quoted(this.name)} makes no sense.`);
    }
    return Float32Array.from({ length: dims / 2 }, (_, i) => {
      const wavelength = 2 * Math.PI * theta ** ((2 * i) / dims);
      if (wavelength < context / high) return 1;
      if (wavelength > context / low) return factor;
      const smooth = (context / wavelength - low) / (high - low);
      return 1 / ((1 - smooth) / factor + smooth);
    });
  }

  /** @param {string} what */
  unsupported(what) {
    return new HeedError('unsupported', `The model of ${quoted(this.name)} ${what}, which heed does not run.`);
  }
}
