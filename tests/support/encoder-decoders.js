/** Tiny random encoder–decoders in Hugging Face's form. */
import { writeSafetensors } from '../../js/files/safetensors/writer.js';
import { floats, randomFrom } from './numbers.js';

const [V, D, H, F, CONTEXT, ENCODER, DECODER] = [40, 32, 4, 48, 64, 2, 3];
/** A source that is longer than the distances of the last bucket, and ids of a text. */
export const SOURCE = Array.from({ length: 29 }, (_, i) => (i * 17 + 5) % V);
export const TEXT = [2, 0, 31, 7, 7, 19, 4];
/** Buckets and largest distance of the tiny T5. */
const [BUCKETS, REACH] = [8, 20];

const SIZES = { vocab_size: V, d_model: D, is_encoder_decoder: true };

/** @typedef {Record<string, number[]>} Shapes */

/** A matrix or norm with its bias. @param {string} name @param {number[]} shape @returns {Shapes} */
const biased = (name, shape) => ({ [`${name}.weight`]: shape, [`${name}.bias`]: [shape[0]] });

/** @param {string} at @returns {Shapes} */
const bartAttention = (at) => Object.assign({}, biased(`${at}_layer_norm`, [D]),
  ...['q_proj', 'k_proj', 'v_proj', 'out_proj'].map((name) => biased(`${at}.${name}`, [D, D])));
/** @param {string} at @returns {Shapes} */
const bartFeedForward = (at) => ({ ...biased(`${at}.fc1`, [F, D]), ...biased(`${at}.fc2`, [D, F]),
  ...biased(`${at}.final_layer_norm`, [D]) });

/** @returns {Shapes} */
function bartShapes() {
  /** @type {Shapes} */
  const shapes = { 'final_logits_bias': [1, V], 'model.shared.weight': [V, D] };
  for (let l = 0; l < ENCODER; l++) {
    const at = `model.encoder.layers.${l}`;
    Object.assign(shapes, bartAttention(`${at}.self_attn`), bartFeedForward(at));
  }
  for (let l = 0; l < DECODER; l++) {
    const at = `model.decoder.layers.${l}`;
    Object.assign(shapes, bartAttention(`${at}.self_attn`), bartAttention(`${at}.encoder_attn`), bartFeedForward(at));
  }
  return shapes;
}

/** @param {boolean} gated @param {number} width  of a head @returns {Shapes} */
function t5Shapes(gated, width) {
  /** @type {Shapes} */
  const shapes = { 'shared.weight': [V, D], 'encoder.final_layer_norm.weight': [D],
    'decoder.final_layer_norm.weight': [D], ...(gated && { 'lm_head.weight': [V, D] }) };
  for (const [part, layers] of /** @type {const} */ ([['encoder', ENCODER], ['decoder', DECODER]])) {
    for (let l = 0; l < layers; l++) {
      const kinds = ['SelfAttention', ...(part === 'decoder' ? ['EncDecAttention'] : [])];
      for (const [i, kind] of kinds.entries()) {
        const at = `${part}.block.${l}.layer.${i}`;
        for (const name of ['q', 'k', 'v']) shapes[`${at}.${kind}.${name}.weight`] = [H * width, D];
        shapes[`${at}.${kind}.o.weight`] = [D, H * width];
        shapes[`${at}.layer_norm.weight`] = [D];
      }
      const at = `${part}.block.${l}.layer.${kinds.length}`;
      for (const name of gated ? ['wi_0', 'wi_1'] : ['wi']) shapes[`${at}.DenseReluDense.${name}.weight`] = [F, D];
      shapes[`${at}.DenseReluDense.wo.weight`] = [D, F];
      shapes[`${at}.layer_norm.weight`] = [D];
    }
    shapes[`${part}.block.0.layer.0.SelfAttention.relative_attention_bias.weight`] = [BUCKETS, H];
  }
  return shapes;
}

const BART = { ...SIZES, encoder_layers: ENCODER, decoder_layers: DECODER, encoder_attention_heads: H,
  decoder_attention_heads: H, encoder_ffn_dim: F, decoder_ffn_dim: F, max_position_embeddings: CONTEXT,
  eos_token_id: 2, pad_token_id: 1 };
const T5 = { ...SIZES, d_ff: F, num_layers: ENCODER, num_decoder_layers: DECODER, num_heads: H,
  relative_attention_num_buckets: BUCKETS, relative_attention_max_distance: REACH, layer_norm_epsilon: 1e-3,
  decoder_start_token_id: 0, eos_token_id: 1, n_positions: CONTEXT };

/** Models by name. @type {Record<string, { shapes: Shapes, config: Record<string, any> }>} */
const MODELS = {
  'bart': {
    shapes: { ...bartShapes(), ...biased('model.encoder.layernorm_embedding', [D]),
      ...biased('model.decoder.layernorm_embedding', [D]), 'model.encoder.embed_positions.weight': [CONTEXT + 2, D],
      'model.decoder.embed_positions.weight': [CONTEXT + 2, D] },
    config: { ...BART, model_type: 'bart', activation_function: 'gelu', decoder_start_token_id: 2,
      forced_bos_token_id: 0 },
  },
  'marian': {
    shapes: bartShapes(),
    config: { ...BART, model_type: 'marian', activation_function: 'swish', scale_embedding: true,
      static_position_embeddings: true, normalize_embedding: false, decoder_start_token_id: V - 1,
      bad_words_ids: [[V - 1]] },
  },
  't5': { shapes: t5Shapes(false, 8), config: { ...T5, model_type: 't5', d_kv: 8 } },
  't5 v1.1': {
    shapes: t5Shapes(true, 6),
    config: { ...T5, model_type: 't5', d_kv: 6, feed_forward_proj: 'gated-gelu', tie_word_embeddings: false },
  },
};
export const NAMES = Object.keys(MODELS);

/**
 * @param {string} name
 * @param {{ config?: object, rename?: (name: string) => string | null, more?: Shapes }} [options]  rename: null leaves
 *   a tensor out
 * @returns {{ weights: Uint8Array, config: Record<string, any> }}
 */
export function tinyEncoderDecoder(name, { config = {}, rename = (tensor) => tensor, more = {} } = {}) {
  const next = randomFrom(53);
  const model = MODELS[name];
  const tensors = Object.entries({ ...model.shapes, ...more }).flatMap(([tensor, shape]) => {
    const data = floats(next, shape.reduce((a, b) => a * b), /relative|shared|positions/.test(tensor) ? 1 : 0.3);
    if (/norm(_embedding)?\.weight$/.test(tensor)) data.forEach((x, i) => (data[i] = 1 + x));
    const renamed = rename(tensor);
    return renamed === null ? [] : [[renamed, { dtype: 'F32', shape, data }]];
  });
  return { weights: writeSafetensors(Object.fromEntries(tensors), {}), config: { ...model.config, ...config } };
}
