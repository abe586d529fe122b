/** The two towers of CLIP (Radford et al. 2021, https://arxiv.org/abs/2103.00020): texts and pictures become vectors of
 *  one space. */
import { HeedError, quoted } from '../../errors.js';
import { COMMON } from '../safetensors/keys.js';
import { all, only } from '../settings.js';
import { patchesOf } from './vision.js';

/** @typedef {import('./decoder.js').Decoder} Decoder */
/** @typedef {'text' | 'vision'} Tower */

/** Types of the towers in config.json. @type {Readonly<Record<Tower, string>>} */
const TYPES = Object.freeze({ text: 'clip_text_model', vision: 'clip_vision_model' });
const CONFIG = Object.freeze({ norm: 'layernorm', position: 'learned', activation: 'quick_gelu', gated: 'no' });
/** @type {Readonly<Record<string, import('../families.js').Rule>>} */
const WEIGHTS = { normBiases: 'needed', positions: 'needed', qkvBiases: 'needed', outputBias: 'needed',
  feedForwardBiases: 'needed' };

const KEYS = {
  ...COMMON,
  ...all('applied', `hidden_size num_hidden_layers num_attention_heads intermediate_size hidden_act layer_norm_eps
    projection_dim architectures`),
  ...all('harmless', `attention_dropout dropout initializer_factor tie_word_embeddings`),
  ...all(only(false), 'is_decoder add_cross_attention'),
};

/**
 * Sizes of a tower, and its projection to the common space, if the class has it.
 * @param {import('../safetensors/fields.js').Fields} json @param {Tower} tower
 * @param {{ width: number, heads: number, inner: number }} defaults
 */
function towerOf(json, tower, { width, heads, inner }) {
  const projects = /WithProjection$/.test(json.className());
  return {
    layout: /** @type {const} */ (`clip_${tower}${projects ? '_projection' : ''}`),
    tied: !projects,
    config: {
      ...json.encoder({ width, heads, inner, activation: 'quick_gelu', eps: 1e-5 }),
      ...(projects && { labels: json.number('projection_dim', 512) }),
    },
  };
}

/** The tower of pictures: an encoder whose class token becomes the vector. @type {Decoder} */
export const clipVision = {
  name: 'clip-vision',
  config: { ...CONFIG, bidirectional: 'yes' },
  weights: { ...WEIGHTS, embeddingNorm: 'needed', patchMatrix: 'needed' },
  hubOnly: true,
  types: {
    clip_vision_model: {
      layout: 'clip_vision',
      keys: { ...KEYS, ...all('applied', 'image_size patch_size num_channels') },
      read(json) {
        const { layout, tied, config } = towerOf(json, 'vision', { width: 768, heads: 12, inner: 3072 });
        return { layout, tied, config: { ...config, ...patchesOf(json, 32) } };
      },
    },
  },
};

/** The tower of texts: a decoder whose last token, the end of the text, becomes the vector. @type {Decoder} */
export const clipText = {
  name: 'clip-text',
  config: CONFIG,
  weights: WEIGHTS,
  hubOnly: true,
  types: {
    clip_text_model: {
      layout: 'clip_text',
      keys: { ...KEYS, ...all('applied', 'vocab_size max_position_embeddings') },
      read(json) {
        const { layout, tied, config } = towerOf(json, 'text', { width: 512, heads: 8, inner: 2048 });
        return { layout, tied, config: { ...config,
          vocabulary: json.number('vocab_size', 49408), context_length: json.number('max_position_embeddings', 77) } };
      },
    },
  },
};

/**
 * How a tower makes one vector; nothing for other models.
 * @param {Pick<import('../model-file.js').ModelFile, 'architecture' | 'config'>} file
 * @returns {Pick<import('../model-file.js').ModelFile, 'head' | 'pooling'>}
 */
export function towerFile({ architecture, config }) {
  if (!architecture.startsWith('clip-')) return {};
  return { head: config.labels ? 'vector' : 'none', pooling: { mode: config.patch ? 'cls' : 'last', other: null } };
}

/**
 * config.json of one tower, from the config.json of a file with both towers.  Returns other files unchanged.
 * @param {unknown} json  the parsed config.json
 * @param {Tower | undefined} tower  the option of `load`
 * @param {string} name  of the file, for messages
 * @throws {HeedError} 'bad-argument' if the option is missing, or given for a model without towers
 */
export function configOfTower(json, tower, name) {
  const whole = /** @type {Record<string, any>} */ (json);
  const type = whole?.model_type;
  if (type === 'clip') {
    if (tower === undefined) {
      throw new HeedError('bad-argument', `${quoted(name)} describes two models: one reads texts, the other ` +
        'pictures. Give load the option tower: \'text\' or \'vision\'.');
    }
    const own = { ...whole[`${tower}_config`], ...whole[`${tower}_config_dict`] }; // the order of `transformers`
    return { ...own, model_type: TYPES[tower], projection_dim: whole.projection_dim,
      architectures: ['WithProjection'] }; // both towers of such a file have their projection
  }
  if (tower !== undefined && type !== TYPES[tower]) {
    throw new HeedError('bad-argument', `The option tower is for CLIP; ${quoted(name)} describes a model of the type ` +
      `${quoted(type)}.`);
  }
  return json;
}
