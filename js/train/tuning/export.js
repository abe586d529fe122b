/** Writes a model with new weights in the form of GGUF or of Hugging Face. */
import { HeedError, quoted } from '../../errors.js';
import { FILE_TYPES, halves, weight } from '../../files/gguf/describe.js';
import { encode } from '../../files/gguf/quantize.js';
import { VALUE_TYPES, uint32, writeGguf } from '../../files/gguf/writer.js';
import { nameOf, placeOf } from '../../files/safetensors/names.js';
import { writeSafetensors } from '../../files/safetensors/writer.js';
import { isTurned } from '../../model/adapter.js';
import { layoutOf } from './peft.js';

/**
 * @typedef {import('../../files/model-file.js').ModelFile} ModelFile
 * @typedef {(slot: string) => Float32Array | Promise<Float32Array>} ValueOf  numbers of a weight in the engine's order
 * @typedef {Record<string, Uint8Array>} Files  bytes by name
 */

/**
 * Options of a written model.
 * @typedef {object} ModelFormat
 * @property {'gguf' | 'safetensors'} [format]  default: that of the source
 * @property {'f32' | 'f16' | 'q8_0'} [type]    of the matrices; default 'q8_0' for GGUF, 'f16' for safetensors, which
 *   has no quantized types
 */

/**
 * A model as files: model.gguf, or model.safetensors with config.json.
 * @param {ModelFile} file  the model whose weights are replaced
 * @param {ValueOf} valueOf
 * @param {ModelFormat} [options]
 * @returns {Promise<Files>}
 * @throws {HeedError} 'bad-argument', 'unsupported'
 */
export async function modelFiles(file, valueOf, { format = file.format, type } = {}) {
  if (format !== 'gguf' && format !== 'safetensors') {
    throw new HeedError('bad-argument', `Expected format to be gguf or safetensors, got ${quoted(format)}.`);
  }
  if (file.config.experts) {
    throw new HeedError('unsupported', `${quoted(file.name)} is a mixture of experts, which is not converted.`);
  }
  const types = format === 'gguf' ? ['f32', 'f16', 'q8_0'] : ['f32', 'f16'];
  if (type !== undefined && !types.includes(type)) {
    throw new HeedError('bad-argument', `Expected type to be one of ${types.join(', ')} for ${format}, got ` +
      `${quoted(type)}.`);
  }
  if (format === 'gguf') return { 'model.gguf': await ggufOf(file, valueOf, type ?? 'q8_0') };
  return {
    'model.safetensors': await safetensorsOf(file, valueOf, type === 'f32' ? 'F32' : 'F16'),
    'config.json': new TextEncoder().encode(`${JSON.stringify(configOf(file), null, 2)}\n`),
  };
}

/** The metadata of the source, and its weights in another type.
 *  @param {ModelFile} file @param {ValueOf} valueOf @param {'f32' | 'f16' | 'q8_0'} type */
async function ggufOf({ format, name, metadata, types, tensors }, valueOf, type) {
  if (format !== 'gguf' || !types) {
    throw new HeedError('unsupported', `${quoted(name)} is a safetensors file, whose tokenizer has no GGUF metadata. ` +
      'Write format: ‘safetensors’, or take the GGUF file of the model.');
  }
  const numbers = Object.entries(VALUE_TYPES);
  const nameOfType = (/** @type {number | undefined} */ type) =>
    /** @type {any} */ (numbers.find(([, number]) => number === type)?.[0]);
  const typed = Object.entries(metadata).map(([key, value]) => {
    const kind = nameOfType(types.get(key));
    if (typeof value !== 'object' || value === null) return [key, { type: kind, value }];
    return [key, { type: 'array', of: kind, value: Array.from(/** @type {any} */ (value)) }];
  });
  return writeGguf({
    metadata: { ...Object.fromEntries(typed), 'general.file_type': uint32(FILE_TYPES[type]) },
    tensors: await Promise.all(tensors.map(async ({ name: slot, shape }) => {
      const { type: stored } = weight(slot, shape, () => new Float32Array(0), type);
      const kept = slot === 'rope_freqs.weight' ? 'f32' : /** @type {'f32'} */ (stored);
      return { name: slot, shape, type: kept, data: async () => encode(await valueOf(slot), kept) };
    })),
  });
}

/** @param {ModelFile} file @param {ValueOf} valueOf @param {'F32' | 'F16'} dtype */
async function safetensorsOf({ name, architecture, config, tensors }, valueOf, dtype) {
  const layout = layoutOf(architecture);
  /** @type {Record<string, { dtype: string, shape: number[], data: Uint8Array }>} */
  const stored = {};
  for (const { name: slot, shape: [rows, columns] } of tensors) {
    if (slot === 'rope_freqs.weight') continue; // computed from config.json
    const bare = nameOf(slot, layout, true);
    const place = placeOf(bare, layout);
    if (!place || place === 'ignored') {
      throw new HeedError('unsupported', `${quoted(slot)} of ${quoted(name)} has no name in Hugging Face's ` +
        `${architecture} models. Write format: ‘gguf’.`);
    }
    const values = await valueOf(slot);
    const turned = isTurned(slot, config) ? halves(values, [rows, columns], config.d_head) : values;
    const ordered = place.transpose ? transposed(turned, rows, columns) : turned;
    const shape = columns === undefined ? [rows] : place.transpose ? [columns, rows] : [rows, columns];
    stored[bare] = { dtype, shape, data: encode(ordered, dtype === 'F32' ? 'f32' : 'f16') };
  }
  return writeSafetensors(stored, { format: 'pt' });
}

/** @param {Float32Array} x  [rows][columns] @param {number} rows @param {number} columns @returns {Float32Array} */
export function transposed(x, rows, columns) {
  const out = new Float32Array(x.length);
  for (let r = 0; r < rows; r++) for (let c = 0; c < columns; c++) out[c * rows + r] = x[r * columns + c];
  return out;
}

/** config.json of a model. @param {ModelFile} file @returns {object} */
function configOf({ architecture, config, metadata, tensors, name }) {
  if (metadata['config.json']) return /** @type {object} */ (metadata['config.json']);
  const has = (/** @type {string} */ slot) => tensors.some((tensor) => tensor.name === slot);
  const tied = !has('output.weight');
  if (architecture === 'gpt2') {
    return {
      model_type: 'gpt2', architectures: ['GPT2LMHeadModel'], vocab_size: config.vocabulary,
      n_positions: config.context_length, n_embd: config.d_model, n_head: config.heads, n_layer: config.layers,
      n_inner: config.d_ff, layer_norm_epsilon: config.norm_eps, activation_function: 'gelu_new',
      tie_word_embeddings: tied,
    };
  }
  if (has('rope_freqs.weight') || (architecture === 'qwen2' && config.window)) {
    throw new HeedError('unsupported', `config.json cannot be written for ${quoted(name)}, because its ` +
      `${config.window ? 'sliding window' : 'RoPE frequencies'} would need the original settings. Write ` +
      'format: ‘gguf’.');
  }
  const family = architecture === 'qwen2' ? 'qwen2' : config.window ? 'mistral' : 'llama';
  return {
    model_type: family, architectures: [`${{ qwen2: 'Qwen2', mistral: 'Mistral', llama: 'Llama' }[family]}ForCausalLM`],
    vocab_size: config.vocabulary, hidden_size: config.d_model, intermediate_size: config.d_ff,
    num_hidden_layers: config.layers, num_attention_heads: config.heads, num_key_value_heads: config.kv_heads,
    head_dim: config.d_head, max_position_embeddings: config.context_length, rms_norm_eps: config.norm_eps,
    rope_theta: config.rope_theta, hidden_act: 'silu', tie_word_embeddings: tied,
    ...(config.rope_scale !== 1 && { rope_scaling: { type: 'linear', factor: config.rope_scale } }),
    ...(config.window && { sliding_window: config.window }),
    ...(family === 'llama' && { attention_bias: has('blk.0.attn_q.bias'), mlp_bias: has('blk.0.ffn_up.bias') }),
  };
}
