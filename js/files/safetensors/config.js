import { HeedError, quoted } from '../../errors.js';
import { NO_ROPE, attentionWindow, checkConfig, headSize } from '../config.js';
import { checkConfigKeys } from './keys.js';

/**
 * Converts config.json of Hugging Face to the engine's configuration.  Defaults come from the classes of
 * `transformers`.
 */

/** @typedef {import('../config.js').Config} Config */

/**
 * @typedef {object} Architecture
 * @property {import('../families.js').Family} architecture  by GGUF's name
 * @property {import('../families.js').Said} said  rules for biases, if config.json decides them
 * @property {'gpt2' | 'llama'} layout   naming scheme of weights
 * @property {Config} config
 * @property {boolean} tied              whether the embedding is also the output head
 * @property {Float32Array | null} ropeFreqs  divisors of the RoPE frequencies, one per rotated pair (Llama 3)
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

/** Kinds of RoPE scaling, and their additional keys.  @type {Readonly<Record<string, string[]>>} */
const ROPE_KEYS = Object.freeze({
  default: ['rope_type', 'type', 'rope_theta', 'partial_rotary_factor', 'original_max_position_embeddings'],
  linear: ['factor'],
  llama3: ['factor', 'low_freq_factor', 'high_freq_factor'],
});

/** @type {Readonly<Record<string, (json: Fields) => Architecture>>} */
const MODELS = Object.freeze({ gpt2: gpt2, llama: llama, mistral: mistral, qwen2: qwen2 });

/**
 * The configuration of a Hugging Face model.
 * @param {unknown} json  the parsed config.json
 * @param {string} name   name of the file, for messages
 * @returns {Architecture}
 * @throws {HeedError} 'unsupported', 'bad-config'
 */
export function configFromHuggingFace(json, name) {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw new HeedError('bad-config', `${quoted(name)} is not a config.json, because it contains no JSON object.`);
  }
  const fields = new Fields(/** @type {Record<string, unknown>} */ (json), name);
  const type = fields.json.model_type;
  if (typeof type !== 'string' || !Object.hasOwn(MODELS, type)) {
    throw new HeedError('unsupported', `${quoted(name)} describes a model of the type ${quoted(type)}. heed runs ` +
      `${Object.keys(MODELS).join(', ')}.`);
  }
  checkConfigKeys(fields.json, type, name);
  const model = MODELS[type](fields);
  checkConfig(model.config, name);
  return model;
}

/** @param {Fields} json @returns {Architecture} */
function gpt2(json) {
  const d_model = json.renamed('n_embd', 'hidden_size', 768);
  const heads = json.renamed('n_head', 'num_attention_heads', 12);
  return {
    architecture: 'gpt2',
    said: {},
    layout: 'gpt2',
    tied: json.flag('tie_word_embeddings', true),
    ropeFreqs: null,
    config: {
      layers: json.renamed('n_layer', 'num_hidden_layers', 12),
      heads,
      kv_heads: heads,
      d_model,
      d_head: headSize(d_model, heads, json.name),
      d_ff: json.number('n_inner', 4 * d_model),
      vocabulary: json.number('vocab_size', 50257),
      context_length: json.renamed('n_positions', 'max_position_embeddings', 1024),
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
  const model = decoder(json, { kvHeads: null, context: 2048 });
  const attention = json.biases('attention_bias');
  model.said = { qkvBiases: attention, outputBias: attention, feedForwardBiases: json.biases('mlp_bias') };
  const window = attentionWindow(json.number('sliding_window', 0), model.config.context_length);
  if (window) throw json.unsupported(`sets ‘sliding_window’ to ${window}, which the class Llama does not have`);
  json.layerTypes(model.config.layers, 0);
  return model;
}

/** Mistral has Llama's names, but its class has no biases.  @type {import('../families.js').Said} */
const NO_BIASES = Object.fromEntries(['qkvBiases', 'outputBias', 'feedForwardBiases'].map((group) =>
  [group, { rule: 'absent', because: 'no Mistral has it' }]));

/** @param {Fields} json @returns {Architecture} */
function mistral(json) {
  const model = decoder(json, { kvHeads: 8, context: 4096 * 32 });
  model.said = NO_BIASES;
  const window = json.window();
  const types = json.layerTypes(model.config.layers, window);
  if (window && types?.includes('full_attention')) {
    // The class uses the window and ignores the types.
    throw json.unsupported(`sets ‘sliding_window’ to ${window}, and ‘layer_types’ to full attention`);
  }
  model.config.window = attentionWindow(window, model.config.context_length);
  return model;
}

/** @param {Fields} json @returns {Architecture} */
function qwen2(json) {
  const model = decoder(json, { kvHeads: 32, context: 32768 });
  const { config } = model;
  model.architecture = 'qwen2';
  const window = json.flag('use_sliding_window', false) ? json.window() : 0;
  const types = json.layerTypes(config.layers, window);
  // Without `layer_types`, layers before max_window_layers have full attention, and later layers have a window.
  const full = types ? Number(types.includes('full_attention')) * config.layers : json.number('max_window_layers', 28);
  if (window && full > 0 && full < config.layers) {
    throw json.unsupported('has a window in some layers and none in others');
  }
  if (full === 0) config.window = attentionWindow(window, config.context_length);
  return model;
}

/**
 * The parts that Llama, Mistral and Qwen2 share.
 * @param {Fields} json
 * @param {{ kvHeads: number | null, context: number }} defaults  defaults of the class: key/value heads (null: as many
 *   as query heads) and positions
 * @returns {Architecture}
 */
function decoder(json, defaults) {
  const d_model = json.needed('hidden_size');
  const heads = json.needed('num_attention_heads');
  const d_head = json.number('head_dim', null) ?? headSize(d_model, heads, json.name);
  const rope = json.rope(d_head);
  const kvHeads = json.json.num_key_value_heads === undefined ? defaults.kvHeads : null;
  return {
    architecture: 'llama',
    layout: 'llama',
    said: {},
    tied: json.flag('tie_word_embeddings', false),
    ropeFreqs: rope.freqs,
    config: {
      layers: json.needed('num_hidden_layers'),
      heads,
      kv_heads: json.number('num_key_value_heads', kvHeads ?? heads),
      d_model,
      d_head,
      d_ff: json.needed('intermediate_size'),
      vocabulary: json.needed('vocab_size'),
      context_length: json.number('max_position_embeddings', defaults.context),
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

/** Reads and checks fields of config.json. */
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
   * @param {D} fallback  value of a missing field or null
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
    throw new HeedError('bad-config', `Expected a number at ${quoted(key)} of ${quoted(this.name)}, got ` +
      `${value === undefined ? 'nothing' : quoted(JSON.stringify(value))}.`);
  }

  /**
   * @param {string} key
   * @param {boolean} fallback
   */
  flag(key, fallback) {
    const value = this.json[key] ?? fallback;
    if (typeof value === 'boolean') return value;
    throw new HeedError('bad-config', `Expected true or false at ${quoted(key)} of ${quoted(this.name)}, got ` +
      `${quoted(JSON.stringify(value))}.`);
  }

  /**
   * @param {string} key
   * @param {string} fallback
   */
  activation(key, fallback) {
    const name = this.json[key] ?? fallback;
    if (typeof name === 'string' && Object.hasOwn(ACTIVATIONS, name)) return ACTIVATIONS[name];
    throw this.unsupported(`has the activation ${quoted(name)} (heed supports ${Object.keys(ACTIVATIONS).join(', ')})`);
  }

  /**
   * The rule for biases of products.
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
   * A number with two names (attribute_map of the class).
   * @param {string} key
   * @param {string} other
   * @param {number} fallback
   */
  renamed(key, other, fallback) {
    const value = this.number(key, this.number(other, fallback));
    const again = this.number(other, value);
    if (again === value) return value;
    throw new HeedError('bad-config', `${quoted(this.name)} has ${value} at ${quoted(key)} and ${again} at ` +
      `${quoted(other)}, which must be equal.`);
  }

  /** Number of keys that a query sees: by default 4096; null means all. */
  window() {
    return this.json.sliding_window === undefined ? 4096 : this.number('sliding_window', 0);
  }

  /**
   * `layer_types`, which must be equal for all layers and match the window.
   * @param {number} layers
   * @param {number} window  0: no window
   * @returns {string[] | null} null if the file has no types
   */
  layerTypes(layers, window) {
    const types = this.json.layer_types ?? null;
    if (types === null) return null;
    if (!Array.isArray(types) || types.length !== layers) {
      throw new HeedError('bad-config', `Expected ‘layer_types’ of ${quoted(this.name)} to be an array of ` +
        `${layers} types.`);
    }
    const full = types.every((type) => type === 'full_attention');
    if (full || (window > 0 && types.every((type) => type === 'sliding_attention'))) return types;
    throw this.unsupported(`has the ‘layer_types’ ${quoted([...new Set(types)].join(', '))} with ` +
      `${window ? `a window of ${window}` : 'no window'}`);
  }

  /**
   * Base, width and scaling of RoPE: `rope_theta` and `rope_scaling`, or in newer files `rope_parameters`.
   * @param {number} dHead
   */
  rope(dHead) {
    const { rope_parameters: parameters, rope_scaling: old } = this.json;
    if (parameters && old && JSON.stringify(parameters) !== JSON.stringify(old)) {
      throw new HeedError('bad-config', `‘rope_parameters’ and ‘rope_scaling’ of ${quoted(this.name)} differ; they ` +
        'mean the same.');
    }
    const scaling = parameters ?? old ?? {};
    if (typeof scaling !== 'object' || Array.isArray(scaling)) {
      throw this.unsupported('has an unknown form of RoPE scaling');
    }
    const fields = /** @type {Record<string, unknown>} */ (scaling);
    const theta = this.number('rope_theta', this.number('rope_theta', 10000), fields);
    const share = this.number('partial_rotary_factor', this.number('partial_rotary_factor', 1), fields);
    const dims = Math.trunc(dHead * share);
    const type = String(fields.rope_type ?? fields.type ?? 'default');
    if (!Object.hasOwn(ROPE_KEYS, type)) {
      throw this.unsupported(`has ${quoted(type)} RoPE scaling (heed supports ${Object.keys(ROPE_KEYS).join(', ')})`);
    }
    const known = [...ROPE_KEYS.default, ...ROPE_KEYS[type]];
    const unknown = Object.keys(fields).find((key) => fields[key] !== null && !known.includes(key));
    if (unknown !== undefined) {
      throw this.unsupported(`has ${quoted(unknown)} in its RoPE scaling of the kind ${quoted(type)}`);
    }
    const plain = { theta, dims, scale: 1, freqs: null };
    if (type === 'linear') return { ...plain, scale: this.needed('factor', fields) };
    if (type === 'llama3') return { ...plain, freqs: this.#llama3(fields, theta, dims) };
    return plain;
  }

  /**
   * RoPE scaling of Llama 3.1 (`_compute_llama3_parameters` of transformers).  Low frequencies are divided by the
   * factor, high frequencies stay, and frequencies between two wavelengths are interpolated.
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
      throw new HeedError('bad-config', `The llama3 RoPE scaling in ${quoted(this.name)} has invalid values.`);
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
