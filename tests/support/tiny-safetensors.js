/** A tiny Llama in Hugging Face's form, for tests that change each byte. */
import { floats, randomFrom } from './numbers.js';

export const CONFIG = {
  model_type: 'llama', vocab_size: 12, hidden_size: 32, intermediate_size: 64, num_hidden_layers: 1,
  num_attention_heads: 2, num_key_value_heads: 1, max_position_embeddings: 24, rms_norm_eps: 1e-5,
  rope_theta: 10000, hidden_act: 'silu', tie_word_embeddings: false,
};

const V = 12;
const D = 32;
const F = 64;
const Q = 32;
const K = 16;
/** @type {Record<string, number[]>} */
const SHAPES = {
  'model.embed_tokens.weight': [V, D],
  'model.layers.0.input_layernorm.weight': [D],
  'model.layers.0.self_attn.q_proj.weight': [Q, D],
  'model.layers.0.self_attn.k_proj.weight': [K, D],
  'model.layers.0.self_attn.v_proj.weight': [K, D],
  'model.layers.0.self_attn.o_proj.weight': [D, Q],
  'model.layers.0.post_attention_layernorm.weight': [D],
  'model.layers.0.mlp.gate_proj.weight': [F, D],
  'model.layers.0.mlp.up_proj.weight': [F, D],
  'model.layers.0.mlp.down_proj.weight': [D, F],
  'model.norm.weight': [D],
  'lm_head.weight': [V, D],
};

/** The biases of Qwen2. */
export const QKV_BIASES = {
  'model.layers.0.self_attn.q_proj.bias': [Q],
  'model.layers.0.self_attn.k_proj.bias': [K],
  'model.layers.0.self_attn.v_proj.bias': [K],
};

/**
 * @param {object} [options]
 * @param {Record<string, number[]>} [options.more] additional tensors by name
 * @param {(header: any) => void} [options.header] edits the header
 * @param {string[]} [options.only] names of the tensors to write
 * @param {Record<string, string>} [options.metadata]
 * @returns {{ weights: Uint8Array, config: typeof CONFIG, headerBytes: number, values: Record<string, Float32Array> }}
 */
export function tinySafetensors({
  more = {}, header: change = () => {}, only = Object.keys({ ...SHAPES, ...more }), metadata,
} = {}) {
  const next = randomFrom(2);
  /** @type {Record<string, any>} */
  const header = {};
  /** @type {Record<string, Float32Array>} */
  const values = {};
  let end = 0;
  for (const [name, shape] of Object.entries({ ...SHAPES, ...more })) {
    const data = floats(next, shape.reduce((a, b) => a * b), 0.5);
    if (!only.includes(name)) continue;
    values[name] = data;
    header[name] = { dtype: 'F32', shape, data_offsets: [end, (end += data.byteLength)] };
  }
  if (metadata) header.__metadata__ = metadata;
  change(header);
  const text = new TextEncoder().encode(JSON.stringify(header));
  const weights = new Uint8Array(8 + text.length + end);
  new DataView(weights.buffer).setBigUint64(0, BigInt(text.length), true);
  weights.set(text, 8);
  let at = 8 + text.length;
  for (const data of Object.values(values)) {
    weights.set(new Uint8Array(data.buffer), at);
    at += data.byteLength;
  }
  return { weights, config: { ...CONFIG }, headerBytes: 8 + text.length, values };
}
