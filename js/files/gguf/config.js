/** Reads the settings that all GGUF architectures share; a family adds its own by a function. */
import { HeedError, quoted } from '../../errors.js';
import { NO_ROPE, attentionWindow, checkConfig, headSize } from '../config.js';

/**
 * Converts the metadata of a GGUF file to the engine's configuration.  Keys: the GGUF specification, ‘Standardized
 * key-value pairs’.  Missing keys have the defaults of llama.cpp.
 */

/** @typedef {import('../config.js').Config} Config */
/** @typedef {import('../families.js').Family} Family */
/** @typedef {import('./header.js').Metadata} Metadata */

/**
 * The configuration of a GGUF file.
 * @param {Metadata} metadata
 * @param {number} vocabulary  number of rows of the embedding
 * @param {string} name        name of the file, for messages
 * @param {Family} family
 * @param {(read: Reader, config: Config) => Partial<Config>} [special]  settings of the family
 * @returns {Config}
 * @throws {HeedError} 'unsupported' for an architecture or variant that heed does not run, 'bad-config' for invalid
 *   values
 */
export function configFromGguf(metadata, vocabulary, name, family, special) {
  const read = new Reader(metadata, family, name);
  const heads = read.number('attention.head_count');
  const d_model = read.number('embedding_length');
  const d_head = read.number('attention.key_length', null) ?? headSize(d_model, heads, name);
  const context_length = read.number('context_length');
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
    ...family.config,
    norm_eps: read.number(`attention.layer_norm_${family.config.norm === 'rmsnorm' ? 'rms_' : ''}epsilon`),
    ...(family.config.position.startsWith('rope') ? read.rope(d_head) : NO_ROPE),
    window: attentionWindow(read.number('attention.sliding_window', 0), context_length),
  };
  if (config.vocabulary !== vocabulary) {
    throw new HeedError('bad-config', `${quoted(name)} announces ${config.vocabulary} tokens, but has ` +
      `${vocabulary} embeddings.`);
  }
  return checkConfig({ ...config, ...special?.(read, config) }, name);
}

/**
 * @param {Metadata} metadata
 * @param {string} name
 * @returns {string}
 * @throws {HeedError} 'bad-file'
 */
export function architectureOf(metadata, name) {
  const architecture = metadata['general.architecture'];
  if (typeof architecture === 'string') return architecture;
  throw new HeedError('bad-file', `${quoted(name)} lacks the key ‘general.architecture’.`);
}

/** Reads the keys of one architecture. */
export class Reader {
  /**
   * @param {Metadata} metadata
   * @param {Family} family
   * @param {string} name
   */
  constructor(metadata, family, name) {
    this.metadata = metadata;
    this.architecture = family.name;
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

  /** The divisor of positions: linear scaling.  Files of other kinds are described by js/files/families. */
  #ropeScale() {
    const type = this.value('rope.scaling.type');
    const factor = this.number('rope.scaling.factor', this.number('rope.scale_linear', null));
    // Older files have a factor without `rope.scaling.type`, which means linear.
    return factor && (type === undefined || type === 'linear') ? factor : 1;
  }

  /** @param {string} what */
  unsupported(what) {
    return new HeedError('unsupported', `The ${this.architecture} model in ${quoted(this.name)} ${what}, which ` +
      'heed does not run.');
  }
}
