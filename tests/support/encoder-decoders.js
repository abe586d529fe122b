/** Tiny random encoder–decoders in Hugging Face's form. */
import { writeSafetensors } from '../../js/files/safetensors/writer.js';
import { float32, string, uint32, writeGguf } from '../../js/files/gguf/writer.js';
import { floats, randomFrom } from './numbers.js';

const V = 40;
const D = 32;
const H = 4;
const F = 48;
const CONTEXT = 64;
const ENCODER = 2;
const DECODER = 3;
/** A source that is longer than the distances of the last bucket, and ids of a text. */
export const SOURCE = Array.from({ length: 29 }, (_, i) => (i * 17 + 5) % V);
export const TEXT = [2, 0, 31, 7, 7, 19, 4];
/** Buckets and largest distance of the tiny T5. */
const BUCKETS = 8;
const REACH = 20;

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
  const tensors = weightsOf({ ...MODELS[name].shapes, ...more }).flatMap(({ name: tensor, shape, data }) => {
    const renamed = rename(tensor);
    return renamed === null ? [] : [[renamed, { dtype: 'F32', shape, data }]];
  });
  return { weights: writeSafetensors(Object.fromEntries(tensors), {}), config: { ...MODELS[name].config, ...config } };
}

/** Random weights. @param {Shapes} shapes */
function weightsOf(shapes) {
  const next = randomFrom(53);
  return Object.entries(shapes).map(([name, shape]) => {
    const data = floats(next, shape.reduce((a, b) => a * b), /relative|shared|positions/.test(name) ? 1 : 0.3);
    if (/norm(_embedding)?\.weight$/.test(name)) data.forEach((x, i) => (data[i] = 1 + x));
    return { name, shape, data };
  });
}

/** The largest distance of T5 in GGUF. */
export const GGUF_REACH = 128;
/** llama.cpp's names of T5's tensors. @type {Record<string, string>} */
const IN_GGUF = { 'SelfAttention.': 'attn_', 'EncDecAttention.': 'cross_attn_', 'relative_attention_bias': 'rel_b',
  'DenseReluDense.wi_0': 'ffn_gate', 'DenseReluDense.wi_1': 'ffn_up', 'DenseReluDense.wi': 'ffn_up',
  'DenseReluDense.wo': 'ffn_down' };

/** llama.cpp's name of a tensor. @param {string} name */
function nameInGguf(name) {
  const [, part, block, layer, rest] = /^(enc|dec)oder\.block\.(\d+)\.layer\.(\d)\.(.+)\.weight$/.exec(name) ?? [];
  if (!part) {
    return name.replace('shared', 'token_embd').replace('lm_head', 'output')
      .replace(/^(enc|dec)oder\.final_layer_norm/, '$1.output_norm');
  }
  const norm = layer === '0' ? 'attn_norm' : part === 'dec' && layer === '1' ? 'cross_attn_norm' : 'ffn_norm';
  const stem = Object.entries(IN_GGUF).reduce((text, [from, to]) => text.replace(from, to), rest);
  return `${part}.blk.${block}.${stem.replace('layer_norm', norm)}.weight`;
}

/** A T5 of MODELS as llama.cpp's converter writes it.
 *  @param {string} name @param {(name: string) => boolean} [keeps] @param {Record<string, any>} [changes]
 *  @returns {Promise<Uint8Array>} */
export function t5Gguf(name, keeps = () => true, changes = {}) {
  const { shapes, config } = MODELS[name];
  const settings = {
    context_length: uint32(CONTEXT), embedding_length: uint32(D), feed_forward_length: uint32(F),
    vocab_size: uint32(V), block_count: uint32(ENCODER), decoder_block_count: uint32(DECODER),
    'attention.head_count': uint32(H),
    'attention.key_length': uint32(config.d_kv), 'attention.value_length': uint32(config.d_kv),
    'attention.layer_norm_epsilon': float32(1e-3), 'attention.layer_norm_rms_epsilon': float32(1e-3),
    'attention.relative_buckets_count': uint32(BUCKETS), decoder_start_token_id: uint32(0), ...changes,
  };
  return writeGguf({
    metadata: { 'general.architecture': string('t5'), 'tokenizer.ggml.model': string('no_vocab'),
      ...Object.fromEntries(Object.entries(settings).map(([key, value]) => [`t5.${key}`, value])) },
    tensors: weightsOf(shapes).map((tensor) => ({ ...tensor, name: nameInGguf(tensor.name), type: /** @type {const} */
      ('f32') })).filter((tensor) => keeps(tensor.name)),
  });
}

/** The same with a decoder as deep as its encoder; llama.cpp reads no deeper ones. @param {string} name */
export const t5OfEqualParts = (name) => t5Gguf(name, (tensor) => !tensor.startsWith(`dec.blk.${ENCODER}.`),
  { decoder_block_count: uint32(ENCODER) });
