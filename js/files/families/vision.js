/** Families that read pictures. */
import { COMMON } from '../safetensors/keys.js';
import { all, only } from '../settings.js';

/** Red, green and blue. */
const COLORS = 3;
/** Largest sides of a picture and of a patch, in pixels. */
const MOST_SIDE = 4096;
const MOST_PATCH = 256;

/** The Vision Transformer (Dosovitskiy et al. 2021), and DeiT without distillation token (Touvron et al. 2021).
 *  @type {import('./decoder.js').Decoder} */
export const vit = {
  name: 'vit',
  config: { norm: 'layernorm', position: 'learned', activation: 'gelu_erf', gated: 'no', bidirectional: 'yes' },
  weights: { normBiases: 'needed', positions: 'needed', patches: 'needed', outputBias: 'needed',
    feedForwardBiases: 'needed' },
  hubOnly: true,
  types: {
    vit: {
      layout: 'vit',
      keys: {
        ...COMMON,
        ...all('applied', `hidden_size num_hidden_layers num_attention_heads intermediate_size hidden_act layer_norm_eps
          image_size patch_size num_channels qkv_bias architectures id2label num_labels _num_labels`),
        ...all('harmless', `hidden_dropout_prob attention_probs_dropout_prob encoder_stride pooler_output_size
          pooler_act`),
        ...all(only(false), 'is_decoder add_cross_attention'),
        is_causal: only(false),
      },
      read(json) {
        const { side, patch } = sizesOf(json);
        const name = json.className();
        const isClassifier = /ForImageClassification$/.test(name);
        const because = `config.json names the class ${JSON.stringify(name)}`;
        const biased = json.flag('qkv_bias', true);
        const context_length = 1 + (side / patch) ** 2;
        return {
          layout: isClassifier ? 'vit_labels' : 'vit',
          tied: !isClassifier,
          said: {
            qkvBiases: { rule: biased ? 'needed' : 'absent', because: `config.json has a ‘qkv_bias’ of ${biased}` },
            headBias: { rule: isClassifier ? 'needed' : 'absent', because },
          },
          config: {
            ...json.encoder(),
            vocabulary: context_length,
            context_length,
            patch: COLORS * patch ** 2,
            ...(isClassifier && { labels: json.labels() }),
          },
        };
      },
    },
  },
};

/** The side of a picture and of a patch, in pixels. @param {import('../safetensors/fields.js').Fields} json */
function sizesOf(json) {
  const [side, patch] = [json.number('image_size', 224), json.number('patch_size', 16)];
  if (json.number('num_channels', COLORS) !== COLORS) throw json.unsupported('reads pictures without three colors');
  const isWhole = Number.isInteger(patch) && Number.isInteger(side / patch);
  if (isWhole && patch >= 1 && patch <= MOST_PATCH && side <= MOST_SIDE) return { side, patch };
  throw json.unsupported(`divides pictures of ${side} pixels into patches of ${patch} pixels`);
}
