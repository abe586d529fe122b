/** Settings that many kinds of config.json share: sizes, RoPE scaling, windows, biases and activations. */
import { HeedError, quoted } from '../../errors.js';
import { CONFIG_LIMITS, NO_ROPE, attentionWindow, headSize } from '../config.js';
import { llama3, longRope, yarn } from '../families/rope.js';

/** @typedef {import('../config.js').Config} Config */

/** Activations by the names of `transformers` (ACT2FN). @type {Readonly<Record<string, Config['activation']>>} */
const ACTIVATIONS = Object.freeze({
  gelu_new: 'gelu_tanh',
  gelu_pytorch_tanh: 'gelu_tanh',
  gelu_fast: 'gelu_tanh',
  gelu: 'gelu_erf',
  quick_gelu: 'quick_gelu',
  relu: 'relu',
  silu: 'silu',
  swish: 'silu',
});

/** Kinds of RoPE scaling, and their additional keys.  @type {Readonly<Record<string, string[]>>} */
const ROPE_KEYS = Object.freeze({
  default: ['rope_type', 'type', 'rope_theta', 'partial_rotary_factor', 'original_max_position_embeddings'],
  linear: ['factor'],
  llama3: ['factor', 'low_freq_factor', 'high_freq_factor'],
  yarn: ['factor', 'attention_factor', 'beta_fast', 'beta_slow'],
  longrope: ['factor', 'attention_factor', 'short_factor', 'long_factor'],
  // Changes frequencies only beyond the positions of the model, which no session exceeds.
  dynamic: ['factor', 'alpha'],
});

/** Reads and checks fields of config.json. */
export class Fields {
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

  /** The window of a class with a switch for it, as in Qwen2.  Without `layer_types`, layers before max_window_layers
   *  have full attention, and later layers have a window.
   *  @param {Pick<Config, 'layers' | 'context_length'>} config */
  switchedWindow({ layers, context_length }) {
    const window = this.flag('use_sliding_window', false) ? this.window() : 0;
    const types = this.layerTypes(layers, window);
    const full = types ? Number(types.includes('full_attention')) * layers : this.number('max_window_layers', 28);
    if (window && full > 0 && full < layers) throw this.unsupported('has a window in some layers and none in others');
    return full === 0 ? attentionWindow(window, context_length) : 0;
  }

  /**
   * The layers with full attention, if other layers have a window.
   * @param {number} layers
   * @param {number} every   period, if `layer_types` does not say it
   * @param {number} [first]  first of these layers; default: the last of the period
   * @returns {Partial<Config>} the period; without a window if all layers have full attention
   */
  globalLayers(layers, every, first = every - 1) {
    const types = this.json.layer_types ?? null;
    if (types === null) return { global_every: every, global_first: first };
    return this.periodOf('layer_types', types, layers, 'full_attention', 'sliding_attention');
  }

  /**
   * The period of layers of one kind.
   * @param {string} key  name of the list
   * @param {unknown} types  the kind of each layer
   * @param {number} layers
   * @param {string} full
   * @param {string} local
   * @returns {Partial<Config>}
   */
  periodOf(key, types, layers, full, local) {
    if (!Array.isArray(types) || types.length !== layers) {
      throw new HeedError('bad-config', `Expected ${quoted(key)} of ${quoted(this.name)} to be an array of ${layers} ` +
        'types.');
    }
    const globals = types.flatMap((type, layer) => (type === full ? layer : []));
    const isKnown = types.every((type) => type === full || type === local);
    if (isKnown && globals.length === layers) return { window: 0 };
    if (isKnown && globals.length === 0) return {};
    const [first, second = first + layers] = globals;
    const period = Math.min(second - first, layers);
    const expected = types.flatMap((_, layer) => (layer % period === first ? layer : []));
    if (isKnown && String(expected) === String(globals)) return { global_every: period, global_first: first };
    throw this.unsupported(`has ${quoted(key)} without a period (${quoted([...new Set(types)].join(', '))})`);
  }

  /** A soft cap; null means none. @param {string} key @param {number} usual */
  cap(key, usual) {
    return this.json[key] === null ? 0 : this.number(key, usual);
  }

  /**
   * Base, width and scaling of RoPE: `rope_theta` and `rope_scaling`, or in newer files `rope_parameters`.
   * @param {number} dHead
   * @param {{ theta?: number, share?: number, context?: number, parameters?: unknown }} [defaults]  of the class: base,
   *   share of a head that is rotated, positions; and the parameters of some layers instead of `rope_parameters`
   * @returns {import('../families/rope.js').Scaling & { theta: number, dims: number, scale: number }}
   */
  rope(dHead, defaults = {}) {
    const { rope_parameters: all, rope_scaling: old } = this.json;
    const parameters = defaults.parameters ?? all;
    if (parameters && old && JSON.stringify(parameters) !== JSON.stringify(old)) {
      throw new HeedError('bad-config', `‘rope_parameters’ and ‘rope_scaling’ of ${quoted(this.name)} differ; they ` +
        'mean the same.');
    }
    const scaling = parameters ?? old ?? {};
    if (typeof scaling !== 'object' || Array.isArray(scaling)) {
      throw this.unsupported('has an unknown form of RoPE scaling');
    }
    const fields = /** @type {Record<string, unknown>} */ (scaling);
    const theta = this.number('rope_theta', this.number('rope_theta', defaults.theta ?? 10000), fields);
    const usual = this.number('partial_rotary_factor', defaults.share ?? 1);
    const share = this.number('partial_rotary_factor', usual, fields);
    const dims = Math.trunc(dHead * share);
    const given = String(fields.rope_type ?? fields.type ?? 'default');
    const type = given === 'su' ? 'longrope' : given;
    if (!Object.hasOwn(ROPE_KEYS, type)) {
      throw this.unsupported(`has ${quoted(type)} RoPE scaling (heed supports ${Object.keys(ROPE_KEYS).join(', ')})`);
    }
    const known = [...ROPE_KEYS.default, ...ROPE_KEYS[type]];
    const unknown = Object.keys(fields).find((key) => fields[key] !== null && !known.includes(key));
    if (unknown !== undefined) {
      throw this.unsupported(`has ${quoted(unknown)} in its RoPE scaling of the kind ${quoted(type)}`);
    }
    const plain = { theta, dims, scale: 1, divisors: null };
    const read = (/** @type {string} */ key, /** @type {number | undefined} */ fallback) =>
      (fallback === undefined ? this.needed(key, fields) : this.number(key, fallback, fields));
    const rope = { theta, dims, context: defaults.context ?? 0, name: this.name };
    if (type === 'linear') return { ...plain, scale: this.needed('factor', fields) };
    if (type === 'llama3') return { ...plain, ...llama3(read, rope) };
    if (type === 'yarn') return { ...plain, ...yarn(read, rope) };
    if (type === 'longrope') {
      const first = this.number('original_max_position_embeddings', rope.context);
      const from = (/** @type {string} */ key, /** @type {number} */ fallback) =>
        this.number(key, key === 'original_max_position_embeddings' ? first : fallback, fields);
      return { ...plain, ...longRope(/** @type {any} */ (from), rope, fields.short_factor, fields.long_factor) };
    }
    return plain;
  }

  /**
   * Sizes, norm, RoPE and activation of a decoder with Llama's names.
   * @param {object} defaults  defaults of the class
   * @param {number | null} defaults.kvHeads  key/value heads; null: as many as query heads
   * @param {number} defaults.context         positions
   * @param {number} [defaults.dHead]         width of a head; default: by the width of the model
   * @param {number} [defaults.theta]
   * @param {number} [defaults.share]         of a head that is rotated
   * @param {unknown} [defaults.parameters]   of RoPE, instead of `rope_parameters`
   * @param {string} [defaults.epsilon]       name of the epsilon
   * @param {number} [defaults.eps]
   * @param {readonly [key: string, name: string]} [defaults.activation]
   * @returns {{ rope: import('../families/rope.js').Scaling,
   *   config: Omit<Config, 'norm' | 'position' | 'window' | 'gated'> }}
   */
  decoder({ kvHeads, context, dHead, activation = ['hidden_act', 'silu'], epsilon = 'rms_norm_eps', eps = 1e-6,
    ...rest }) {
    const d_model = this.needed('hidden_size');
    const heads = this.needed('num_attention_heads');
    const d_head = this.number('head_dim', dHead ?? null) ?? headSize(d_model, heads, this.name);
    const context_length = this.number('max_position_embeddings', context);
    const rope = this.rope(d_head, { context: context_length, ...rest });
    const usual = this.json.num_key_value_heads === undefined ? kvHeads : null;
    return {
      rope,
      config: {
        layers: this.needed('num_hidden_layers'),
        heads,
        kv_heads: this.number('num_key_value_heads', usual ?? heads),
        d_model,
        d_head,
        d_ff: this.needed('intermediate_size'),
        vocabulary: this.needed('vocab_size'),
        context_length,
        norm_eps: this.number(epsilon, eps),
        rope_theta: rope.theta,
        rope_dims: rope.dims,
        rope_scale: rope.scale,
        ...(rope.magnitude !== undefined && { rope_magnitude: rope.magnitude }),
        activation: this.activation(...activation),
      },
    };
  }

  /**
   * Sizes of an encoder with BERT's names, without its vocabulary and positions.
   * @param {{ width?: number, heads?: number, inner?: number, activation?: string, eps?: number }} [defaults]  of the
   *   class; default: BERT's
   * @returns {Pick<Config, 'layers' | 'heads' | 'kv_heads' | 'd_model' | 'd_head' | 'd_ff' | 'norm_eps' |
   *   'activation' | 'rope_theta' | 'rope_dims' | 'rope_scale' | 'window'>}
   */
  encoder({ width = 768, heads: usual = 12, inner = 3072, activation = 'gelu', eps = 1e-12 } = {}) {
    const d_model = this.number('hidden_size', width);
    const heads = this.number('num_attention_heads', usual);
    return {
      layers: this.number('num_hidden_layers', 12),
      heads,
      kv_heads: heads,
      d_model,
      d_head: headSize(d_model, heads, this.name),
      d_ff: this.number('intermediate_size', inner),
      norm_eps: this.number('layer_norm_eps', eps),
      activation: this.activation('hidden_act', activation),
      ...NO_ROPE,
      window: 0,
    };
  }

  /** The name of the class of `transformers`, or ''. */
  className() {
    const [name = ''] = /** @type {unknown[]} */ ([this.json.architectures ?? []].flat());
    return String(name);
  }

  /** An integer from 1. @param {string} key @param {number} fallback @param {number} most */
  count(key, fallback, most) {
    const count = this.number(key, fallback);
    if (Number.isInteger(count) && count >= 1 && count <= most) return count;
    throw new HeedError('bad-config', `Expected an integer from 1 to ${most} at ${quoted(key)} of ` +
      `${quoted(this.name)}, got ${quoted(count)}.`);
  }

  /** The number of layers of a part of an encoder–decoder. @param {string} key @param {number} fallback */
  layers(key, fallback) {
    return this.count(key, fallback, Math.floor(CONFIG_LIMITS.layers / 3));
  }

  /** The number of labels of a classifier; the classes have two by default. */
  labels() {
    return Object.keys(/** @type {object} */ (this.json.id2label ?? {})).length ||
      Number(this.json.num_labels ?? this.json._num_labels ?? 2);
  }

  /** @param {string} what */
  unsupported(what) {
    return new HeedError('unsupported', `The model of ${quoted(this.name)} ${what}, which heed does not run.`);
  }
}
