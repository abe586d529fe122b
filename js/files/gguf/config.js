import { HeedError, quoted } from '../../errors.js';
import { NO_ROPE, attentionWindow, checkConfig, headSize } from '../config.js';
import { GGUF_KEYS, checkGgufKeys } from './keys.js';

/**
 * Converts the metadata of a GGUF file to the engine's configuration.  Keys: the GGUF specification, ‘Standardized
 * key-value pairs’.  Missing keys have the defaults of llama.cpp.
 */

/** @typedef {import('../config.js').Config} Config */
/** @typedef {import('./header.js').Metadata} Metadata */

/** Properties of each architecture that metadata do not contain. */
const FAMILIES = Object.freeze({
  llama: /** @type {const} */ ({ norm: 'rmsnorm', position: 'rope_adjacent', activation: 'silu', gated: 'yes' }),
  qwen2: /** @type {const} */ ({ norm: 'rmsnorm', position: 'rope_halves', activation: 'silu', gated: 'yes' }),
  gpt2: /** @type {const} */ ({ norm: 'layernorm', position: 'learned', activation: 'gelu_tanh', gated: 'no' }),
});

/**
 * The configuration of a GGUF file.
 * @param {Metadata} metadata
 * @param {number} vocabulary  number of rows of the embedding
 * @param {string} name        name of the file, for messages
 * @returns {Config}
 * @throws {HeedError} 'unsupported' for an architecture or variant that heed does not run, 'bad-config' for invalid
 *   values
 */
export function configFromGguf(metadata, vocabulary, name) {
  const architecture = architectureOf(metadata, name);
  const family = FAMILIES[architecture];
  const read = new Reader(metadata, architecture, name);
  const heads = read.number('attention.head_count');
  const d_model = read.number('embedding_length');
  const d_head = read.number('attention.key_length', null) ?? headSize(d_model, heads, name);
  const context_length = read.number('context_length');
  if (Number(read.value('expert_count') ?? 0) > 0) throw read.unsupported('is a mixture of experts');
  checkGgufKeys(metadata, architecture, name);
  read.needSame(d_head);
  /** @type {Config} */
  const config = {
    layers: read.number('block_count'),
    heads,
    kv_heads: read.number('attention.head_count_kv', heads),
    d_model,
    d_head,
    d_ff: read.number('feed_forward_length'),
    vocabulary: read.number('vocab_size', vocabulary),
    context_length,
    ...family,
    norm_eps: read.number(`attention.layer_norm_${family.norm === 'rmsnorm' ? 'rms_' : ''}epsilon`),
    ...(family.position === 'learned' ? NO_ROPE : read.rope(d_head)),
    window: attentionWindow(read.number('attention.sliding_window', 0), context_length),
  };
  if (config.vocabulary !== vocabulary) {
    throw new HeedError('bad-config', `${quoted(name)} announces ${config.vocabulary} tokens, but has ` +
      `${vocabulary} embeddings.`);
  }
  return checkConfig(config, name);
}

/**
 * @param {Metadata} metadata
 * @param {string} name
 * @returns {keyof typeof FAMILIES}
 * @throws {HeedError} 'unsupported', 'bad-file'
 */
export function architectureOf(metadata, name) {
  const architecture = metadata['general.architecture'];
  if (typeof architecture !== 'string') {
    throw new HeedError('bad-file', `${quoted(name)} lacks the key ‘general.architecture’.`);
  }
  if (Object.hasOwn(FAMILIES, architecture)) return /** @type {keyof typeof FAMILIES} */ (architecture);
  throw new HeedError('unsupported', `${quoted(name)} has the architecture ${quoted(architecture)}. heed runs ` +
    `${Object.keys(FAMILIES).join(', ')} (with llama: Llama, Mistral, SmolLM2).`);
}

/** Reads the keys of one architecture. */
class Reader {
  /**
   * @param {Metadata} metadata
   * @param {keyof typeof FAMILIES} architecture
   * @param {string} name
   */
  constructor(metadata, architecture, name) {
    this.metadata = metadata;
    this.architecture = architecture;
    this.name = name;
  }

  /** @param {string} key */
  value(key) {
    return this.metadata[`${this.architecture}.${key}`];
  }

  /**
   * A number.  An array with one number per layer is accepted if all are equal.
   * @template {number | null} [D=never]
   * @param {string} key
   * @param {D} [fallback]  without it the key is required
   * @returns {number | D}
   */
  number(key, fallback) {
    let value = this.value(key);
    if (Array.isArray(value)) {
      const [first] = value;
      if (value.length === 0 || value.some((other) => other !== first)) {
        throw this.unsupported(`has a different ${quoted(key)} in each layer`);
      }
      value = /** @type {number} */ (first);
    }
    if (value === undefined && fallback !== undefined) return fallback;
    if (typeof value === 'bigint') value = Number(value);
    if (typeof value === 'number') return value;
    throw new HeedError('bad-config', `Expected a number at ‘${this.architecture}.${key}’ of ` +
      `${quoted(this.name)}, got ${value === undefined ? 'nothing' : `a ${typeof value}`}.`);
  }

  /** @param {number} dHead */
  rope(dHead) {
    return {
      rope_theta: this.number('rope.freq_base', 10000),
      rope_dims: this.number('rope.dimension_count', dHead),
      rope_scale: this.#ropeScale(),
    };
  }

  /** The divisor of positions: linear scaling. */
  #ropeScale() {
    const type = this.value('rope.scaling.type') ?? 'none';
    const factor = this.number('rope.scaling.factor', this.number('rope.scale_linear', null));
    // Older files have a factor without `rope.scaling.type`, which means linear.
    if (type === 'linear' || this.value('rope.scaling.type') === undefined) return factor || 1;
    if (type === 'none' || factor === 1) return 1;
    throw this.unsupported(`has ${quoted(type)} RoPE scaling (heed supports none, linear and llama3)`);
  }

  /** Checks settings for which only one value is supported.
   *  @param {number} dHead */
  needSame(dHead) {
    const theta = this.number('rope.freq_base', 10000);
    const dims = this.number('rope.dimension_count', dHead);
    const scale = 1 / Math.sqrt(dHead);
    /** @type {[string, number, string][]} */
    const settings = [
      ['attention.value_length', dHead, 'values of a different width than keys'],
      ['attention.key_length_swa', dHead, 'keys of a different width in some layers'],
      ['attention.value_length_swa', dHead, 'values of a different width in some layers'],
      ['rope.freq_base_swa', theta, 'a different RoPE base in some layers'],
      ['rope.dimension_count_swa', dims, 'a different RoPE width in some layers'],
      ['attention.scale', scale, `scores that are not divided by √${dHead}`],
    ];
    for (const [key, expected, what] of settings) {
      if (GGUF_KEYS[this.architecture][key] !== 'applied') continue;
      const value = this.number(key, expected);
      const off = key === 'attention.scale' && value === 0;
      if (off || value === expected || Math.abs(value - expected) <= 1e-6 * expected) continue;
      throw this.unsupported(`has ${what} (${quoted(`${this.architecture}.${key}`)} is ${value})`);
    }
  }

  /** @param {string} what */
  unsupported(what) {
    return new HeedError('unsupported', `The ${this.architecture} model in ${quoted(this.name)} ${what}, which ` +
      'heed does not run.');
  }
}
