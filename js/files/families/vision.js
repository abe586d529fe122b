/** Families that read pictures. */
import { COMMON } from '../safetensors/keys.js';
import { all, only } from '../settings.js';

/** Red, green and blue. */
const COLORS = 3;
/** Largest sides of a picture and of a patch, in pixels. */
const MOST_SIDE = 4096;
const MOST_PATCH = 256;

/** @typedef {import('./decoder.js').Decoder} Decoder */

/** @type {Pick<Decoder, 'config' | 'weights' | 'hubOnly'>} */
const LIKE_VIT = {
  config: { norm: 'layernorm', position: 'learned', activation: 'gelu_erf', gated: 'no', bidirectional: 'yes' },
  weights: { normBiases: 'needed', positions: 'needed', patches: 'needed', outputBias: 'needed',
    feedForwardBiases: 'needed' },
  hubOnly: true,
};
const KEYS = {
  ...COMMON,
  ...all('applied', `hidden_size num_hidden_layers num_attention_heads intermediate_size hidden_act layer_norm_eps
    image_size patch_size num_channels qkv_bias architectures id2label num_labels _num_labels`),
  ...all('harmless', `hidden_dropout_prob attention_probs_dropout_prob encoder_stride pooler_output_size
    pooler_act`),
  ...all(only(false), 'is_decoder add_cross_attention'),
  is_causal: only(false),
};

/** The Vision Transformer (Dosovitskiy et al. 2021), and DeiT without distillation token (Touvron et al. 2021).
 *  @type {Decoder} */
const vit = {
  name: 'vit',
  ...LIKE_VIT,
  types: { vit: { layout: 'vit', keys: KEYS, read: (json) => described(json, 'vit', 1) } },
};

/** DeiT with distillation (Touvron et al. 2021): a second token, and with the teacher's head also a second head.
 *  @type {Decoder} */
const deit = {
  name: 'deit',
  ...LIKE_VIT,
  weights: { ...LIKE_VIT.weights, distillation: 'needed' },
  types: { deit: { layout: 'deit', keys: KEYS, read: (json) => described(json, 'deit', 2) } },
};

/** Families with a class token. */
export const families = { vit, deit };

/**
 * @param {import('../safetensors/fields.js').Fields} json
 * @param {'vit' | 'deit'} layout
 * @param {number} leading  tokens before the patches
 * @returns {import('./decoder.js').Described}
 */
function described(json, layout, leading) {
  const name = json.className();
  const hasTeacher = layout === 'deit' && /ForImageClassificationWithTeacher$/.test(name);
  const isClassifier = hasTeacher || /ForImageClassification$/.test(name);
  const because = `config.json names the class ${JSON.stringify(name)}`;
  const biased = json.flag('qkv_bias', true);
  const labelHeads = hasTeacher ? 2 : 1;
  return {
    layout: hasTeacher ? 'deit_teacher' : isClassifier ? `${layout}_labels` : layout,
    tied: !isClassifier,
    labelHeads,
    said: {
      qkvBiases: { rule: biased ? 'needed' : 'absent', because: `config.json has a ‘qkv_bias’ of ${biased}` },
      headBias: { rule: isClassifier ? 'needed' : 'absent', because },
      secondHead: { rule: hasTeacher ? 'needed' : 'absent', because },
    },
    config: {
      ...json.encoder(),
      ...patchesOf(json, 16, leading),
      ...(isClassifier && { labels: labelHeads * json.labels() }),
    },
  };
}

/**
 * The ids of a picture, and the numbers of a patch.
 * @param {import('../safetensors/fields.js').Fields} json
 * @param {number} usual  side of a patch in pixels, if config.json does not say it
 * @param {number} [leading]  tokens before the patches
 */
export function patchesOf(json, usual, leading = 1) {
  const side = json.number('image_size', 224);
  const patch = json.number('patch_size', usual);
  if (json.number('num_channels', COLORS) !== COLORS) throw json.unsupported('reads pictures without three colors');
  const isWhole = Number.isInteger(patch) && Number.isInteger(side / patch);
  if (isWhole && patch >= 1 && patch <= MOST_PATCH && side <= MOST_SIDE) {
    const ids = leading + (side / patch) ** 2;
    return { vocabulary: ids, context_length: ids, patch: COLORS * patch ** 2 };
  }
  throw json.unsupported(`divides pictures of ${side} pixels into patches of ${patch} pixels`);
}
