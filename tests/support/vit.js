/** A tiny random Vision Transformer or DeiT in Hugging Face's form, and pictures of smooth random colors. */
import { writeSafetensors } from '../../js/files/safetensors/writer.js';
import { floats, randomFrom } from './numbers.js';

const D = 32;
const H = 4;
const F = 48;
const LAYERS = 2;
const SIDE = 32;
const PATCH = 8;
/** More labels than the 17 ids of the model. */
export const LABELS = 20;

const BLOCK = {
  'layernorm_before': [D],
  'attention.attention.query': [D, D],
  'attention.attention.key': [D, D],
  'attention.attention.value': [D, D],
  'attention.output.dense': [D, D],
  'layernorm_after': [D],
  'intermediate.dense': [F, D],
  'output.dense': [D, F],
};

/** Settings of its processor, unlike the defaults. */
export const PREPROCESSOR = Object.freeze({
  do_resize: true, size: { height: SIDE, width: SIDE }, resample: 3, do_rescale: true, rescale_factor: 1 / 255,
  do_normalize: true, image_mean: [0.4, 0.5, 0.6], image_std: [0.2, 0.3, 0.4],
});

/** @typedef {{ classifies?: boolean, config?: object, rename?: (name: string) => string | null }} Options
 *  rename: null leaves a tensor out */

/** @param {Options} [options] */
export const tinyVit = (options) => tiny('vit', options);
/** With a distillation token.  hasTeacher: with two heads. @param {Options & { hasTeacher?: boolean }} [options] */
export const tinyDeit = (options) => tiny('deit', { hasTeacher: true, ...options });

/**
 * @param {'vit' | 'deit'} type @param {Options & { hasTeacher?: boolean }} [options]
 * @returns {{ weights: Uint8Array, config: Record<string, any> }}
 */
function tiny(type, { classifies = true, hasTeacher = false, config = {}, rename = (name) => name } = {}) {
  const next = randomFrom(31);
  const prefix = classifies ? `${type}.` : '';
  const isDeit = type === 'deit';
  /** @type {Record<string, number[]>} */
  const shapes = {
    [`${prefix}embeddings.cls_token`]: [1, 1, D],
    [`${prefix}embeddings.position_embeddings`]: [1, (isDeit ? 2 : 1) + (SIDE / PATCH) ** 2, D],
    [`${prefix}embeddings.patch_embeddings.projection.weight`]: [D, 3, PATCH, PATCH],
    [`${prefix}embeddings.patch_embeddings.projection.bias`]: [D],
    ...(isDeit && { [`${prefix}embeddings.distillation_token`]: [1, 1, D] }),
  };
  const add = (/** @type {string} */ name, /** @type {number[]} */ shape) => {
    shapes[`${name}.weight`] = shape;
    shapes[`${name}.bias`] = [shape[0]];
  };
  for (let layer = 0; layer < LAYERS; layer++) {
    for (const [name, shape] of Object.entries(BLOCK)) add(`${prefix}encoder.layer.${layer}.${name}`, shape);
  }
  add(`${prefix}layernorm`, [D]);
  if (classifies && hasTeacher) ['cls_classifier', 'distillation_classifier'].forEach((name) => add(name, [LABELS, D]));
  else if (classifies) add('classifier', [LABELS, D]);
  else add('pooler.dense', [D, D]);
  const tensors = Object.entries(shapes).flatMap(([name, shape]) => {
    const data = floats(next, shape.reduce((a, b) => a * b), 0.3);
    if (/layernorm(_\w+)?\.weight$/.test(name)) data.forEach((x, i) => (data[i] = 1 + x));
    const renamed = rename(name);
    return renamed === null ? [] : [[renamed, { dtype: 'F32', shape, data }]];
  });
  const labels = Object.fromEntries(Array.from({ length: LABELS }, (_, i) => [i, `label ${i}`]));
  return {
    weights: writeSafetensors(Object.fromEntries(tensors), {}),
    config: { model_type: type, architectures: [`${isDeit ? 'DeiT' : 'ViT'}${!classifies ? 'Model'
      : `ForImageClassification${hasTeacher ? 'WithTeacher' : ''}`}`],
      hidden_size: D, num_hidden_layers: LAYERS, num_attention_heads: H, intermediate_size: F, hidden_act: 'gelu',
      layer_norm_eps: 1e-3, image_size: SIDE, patch_size: PATCH, num_channels: 3, qkv_bias: true,
      ...(classifies && { id2label: labels }), ...config },
  };
}

/** Waves of color. @param {number} width @param {number} height @param {number} [channels] */
export function waves(width, height, channels = 3) {
  const data = new Uint8ClampedArray(width * height * channels);
  for (let i = 0; i < data.length; i++) {
    const c = i % channels;
    const x = Math.floor(i / channels) % width;
    const y = Math.floor(i / channels / width);
    data[i] = c === 3 ? 255 : (x * (11 + 6 * c) + y * (17 - 4 * c) + ((x * y) % 7) * 23) % 256;
  }
  return { data, width, height };
}

/** Sizes and filters whose results PIL computed. */
export const RESIZES = /** @type {const} */ ([
  [37, 29, 20, 15, 'bilinear'], [37, 29, 20, 15, 'bicubic'], [37, 29, 5, 40, 'bilinear'], [37, 29, 64, 3, 'bicubic'],
  [37, 29, 37, 12, 'bicubic'], [9, 50, 32, 32, 'bilinear'], [37, 29, 20, 15, 'nearest'], [1, 1, 4, 4, 'bicubic'],
]);
