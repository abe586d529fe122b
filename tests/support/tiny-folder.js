/** A tiny Llama as a Hugging Face folder, with a tokenizer of bytes and six merges. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { encode } from '../../js/files/gguf/quantize.js';
import { writeSafetensors } from '../../js/files/safetensors/writer.js';
import { floats, randomFrom } from './numbers.js';

const V = 266;
const D = 64;
const F = 128;
const L = 2;
const H = 4;
const HK = 2;

export const TINY_CONFIG = {
  model_type: 'llama', architectures: ['LlamaForCausalLM'], vocab_size: V, hidden_size: D, intermediate_size: F,
  num_hidden_layers: L, num_attention_heads: H, num_key_value_heads: HK, max_position_embeddings: 64,
  rms_norm_eps: 1e-5, rope_theta: 10000, hidden_act: 'silu', tie_word_embeddings: false, bos_token_id: 0,
  eos_token_id: 0,
};

/** @type {Record<string, number[]>} */
const BLOCK = {
  'input_layernorm': [D], 'self_attn.q_proj': [D, D], 'self_attn.k_proj': [HK * D / H, D],
  'self_attn.v_proj': [HK * D / H, D], 'self_attn.o_proj': [D, D], 'post_attention_layernorm': [D],
  'mlp.gate_proj': [F, D], 'mlp.up_proj': [F, D], 'mlp.down_proj': [D, F],
};
const SHAPES = Object.entries({
  'model.embed_tokens': [V, D], 'model.norm': [D], 'lm_head': [V, D],
  ...Object.fromEntries(Array.from({ length: L }, (_, layer) =>
    Object.entries(BLOCK).map(([name, shape]) => [`model.layers.${layer}.${name}`, shape])).flat()),
});

/**
 * Writes the folder.
 * @param {string} folder
 * @param {'F32' | 'F16' | 'BF16'} dtype  of the matrices
 */
export async function writeTinyFolder(folder, dtype) {
  const next = randomFrom(5);
  const type = /** @type {'f32' | 'f16' | 'bf16'} */ (dtype.toLowerCase());
  const tensors = Object.fromEntries(SHAPES.map(([name, shape]) => {
    const values = floats(next, shape.reduce((a, b) => a * b), 0.3);
    const gains = shape.length === 1 ? values.map((x) => x + 1) : values;
    return [`${name}.weight`, { dtype, shape, data: encode(gains, type) }];
  }));
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'model.safetensors'), writeSafetensors(tensors, { format: 'pt' }));
  await writeFile(join(folder, 'config.json'), JSON.stringify(TINY_CONFIG));
  await writeFile(join(folder, 'tokenizer.json'), JSON.stringify(tinyTokenizer()));
}

/** GPT-2's characters of bytes, a few merges, and an end token at the start of the template. */
export function tinyTokenizer() {
  const isPrintable = (/** @type {number} */ byte) => (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
  const all256 = Array.from({ length: 256 }, (_, byte) => byte);
  const characters = [...all256.filter(isPrintable), ...Array.from({ length: 68 }, (_, i) => 256 + i)];
  const bytes = characters.map((code) => String.fromCharCode(code));
  const merges = ['t h', 'th e', 'Ġ the', 'c a', 'ca t', '1 2'];
  const tokens = ['<|end|>', ...bytes, ...merges.map((pair) => pair.replace(' ', ''))];
  return {
    added_tokens: [
      { id: 0, content: '<|end|>', special: true, single_word: false, lstrip: false, rstrip: false, normalized: false },
    ],
    normalizer: null,
    pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true },
    post_processor: {
      type: 'TemplateProcessing',
      single: [{ SpecialToken: { id: '<|end|>', type_id: 0 } }, { Sequence: { id: 'A', type_id: 0 } }],
      pair: [{ Sequence: { id: 'A', type_id: 0 } }, { Sequence: { id: 'B', type_id: 1 } }],
      special_tokens: { '<|end|>': { id: '<|end|>', ids: [0], tokens: ['<|end|>'] } },
    },
    decoder: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true },
    model: {
      type: 'BPE', dropout: null, unk_token: null, continuing_subword_prefix: null, end_of_word_suffix: null,
      fuse_unk: false, byte_fallback: false, vocab: Object.fromEntries(tokens.map((token, id) => [token, id])), merges,
    },
  };
}
