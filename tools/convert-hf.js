#!/usr/bin/env node
/** Hugging Face folder (config.json, tokenizer.json, safetensors) → GGUF: Llama, Mistral, SmolLM2, Qwen2, GPT-2. */
import { readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { runTool } from './cli.js';
import { adjacentPairs, modelMetadata, weight } from '../js/gguf/describe.js';
import { string } from '../js/gguf/writer.js';
import { writeGgufFile } from './gguf-file.js';
import { ggufName } from './hf-names.js';
import { hfTokenizerMetadata } from './hf-tokenizer.js';
import { TYPES } from '../js/gguf/quantize.js';
import { readSafetensors } from './safetensors.js';

/** @typedef {import('./safetensors.js').StoredTensor} StoredTensor */

/** Hugging Face's `model_type` → GGUF's architecture. @type {Record<string, 'llama' | 'qwen2' | 'gpt2'>} */
const ARCHITECTURES = { llama: 'llama', mistral: 'llama', qwen2: 'qwen2', gpt2: 'gpt2' };

/**
 * @param {string} folder
 * @param {object} options
 * @param {import('../js/gguf/quantize.js').TypeName} options.type of the matrices
 * @param {Record<string, string>} [options.general] texts for `general.*`
 * @param {string} [options.pre] name of the pre-tokenizer where it cannot be recognised
 * @returns {Promise<import('../js/gguf/writer.js').GgufContent>}
 */
export async function convertHf(folder, { type, general = {}, pre }) {
  const config = JSON.parse(await readFile(join(folder, 'config.json'), 'utf8'));
  const model = readConfig(config);
  const tensors = [];
  for (const [source, tensor] of Object.entries(await readTensors(folder))) {
    const name = ggufName(source, model.architecture);
    if (name === null || (name === 'output.weight' && isTied(config))) continue;
    const { shape, load } = rearrange(name, tensor, model);
    tensors.push(weight(name, shape, load, type));
  }
  const factors = ropeFactors(config, model.dHead);
  if (factors) tensors.push(weight('rope_freqs.weight', [factors.length], () => factors, 'f32'));
  return {
    metadata: {
      ...modelMetadata(model, type),
      'general.name': string(basename(resolve(folder))),
      ...Object.fromEntries(Object.entries(general).map(([key, text]) => [`general.${key}`, string(text)])),
      ...await hfTokenizerMetadata(folder, config, pre),
    },
    tensors,
  };
}

/** GPT-2 is tied unless it says otherwise, the others only if they say so. @param {any} config */
function isTied(config) {
  return config.tie_word_embeddings ?? config.model_type === 'gpt2';
}

/** @param {any} config Hugging Face's @returns {import('../js/gguf/describe.js').Architecture} */
function readConfig(config) {
  const architecture = ARCHITECTURES[config.model_type];
  if (!architecture) {
    throw new Error(`model_type '${config.model_type}' is none of ${Object.keys(ARCHITECTURES).join(', ')}`);
  }
  if (architecture === 'gpt2') {
    if (config.activation_function !== 'gelu_new') throw new Error('a GPT-2 in GGUF has the activation gelu_new');
    return {
      architecture, layers: config.n_layer, heads: config.n_head, kvHeads: config.n_head, dModel: config.n_embd,
      dHead: config.n_embd / config.n_head, dFf: config.n_inner ?? 4 * config.n_embd, vocabulary: config.vocab_size,
      contextLength: config.n_positions, normEps: config.layer_norm_epsilon,
    };
  }
  if (config.hidden_act !== 'silu') throw new Error(`a ${architecture} in GGUF has hidden_act silu`);
  const scaling = config.rope_scaling;
  const kind = scaling?.rope_type ?? scaling?.type ?? 'default';
  if (!['default', 'linear', 'llama3'].includes(kind)) {
    throw new Error(`rope_scaling of type '${kind}' cannot be converted`);
  }
  const windowed = config.sliding_window && config.use_sliding_window !== false;
  return {
    architecture, layers: config.num_hidden_layers, heads: config.num_attention_heads,
    kvHeads: config.num_key_value_heads ?? config.num_attention_heads, dModel: config.hidden_size,
    dHead: config.head_dim ?? config.hidden_size / config.num_attention_heads, dFf: config.intermediate_size,
    vocabulary: config.vocab_size, contextLength: config.max_position_embeddings, normEps: config.rms_norm_eps,
    rope: { base: config.rope_theta ?? 10000, ...(kind === 'linear' && { scale: scaling.factor }) },
    ...(windowed && { window: config.sliding_window }),
  };
}

/** @param {string} folder @returns {Promise<Record<string, StoredTensor>>} of one file or of all shards */
async function readTensors(folder) {
  const index = await readFile(join(folder, 'model.safetensors.index.json'), 'utf8').catch(() => null);
  if (index === null) return readSafetensors(join(folder, 'model.safetensors'));
  const files = [...new Set(/** @type {string[]} */ (Object.values(JSON.parse(index).weight_map)))];
  const shards = await Promise.all(files.map((file) => readSafetensors(join(folder, basename(file)))));
  return Object.assign({}, ...shards);
}

/**
 * Rows as GGUF wants them: outputs first (GPT-2's Conv1D has them last), and for `llama` the rows of q and k in the
 * order of adjacent RoPE pairs.
 * @param {string} name @param {StoredTensor} tensor @param {import('../js/gguf/describe.js').Architecture} model
 */
function rearrange(name, tensor, { architecture, dHead }) {
  if (architecture === 'gpt2' && /(attn_qkv|attn_output|ffn_up|ffn_down)\.weight$/.test(name)) {
    return { shape: tensor.shape.toReversed(), load: () => transpose(tensor.load(), tensor.shape) };
  }
  if (architecture === 'llama' && /attn_[qk]\.(weight|bias)$/.test(name)) {
    return { shape: tensor.shape, load: () => adjacentPairs(tensor.load(), tensor.shape, dHead) };
  }
  return { shape: tensor.shape, load: tensor.load };
}

/** @param {Float32Array} data @param {number[]} shape */
function transpose(data, [rows, columns]) {
  return data.map((_, i) => data[i % rows * columns + Math.floor(i / rows)]);
}

/**
 * Llama 3's RoPE scaling as divisors of the frequencies: long waves are stretched by `factor`, short ones stay.
 * @param {any} config @param {number} dHead @returns {Float32Array | null}
 */
function ropeFactors({ rope_scaling: scaling, rope_theta: base }, dHead) {
  if ((scaling?.rope_type ?? scaling?.type) !== 'llama3') return null;
  const { factor, low_freq_factor: low, high_freq_factor: high, original_max_position_embeddings: context } = scaling;
  return Float32Array.from({ length: dHead / 2 }, (_, i) => {
    const turns = context / (2 * Math.PI * base ** (2 * i / dHead)); // over the original context
    const smooth = Math.min(1, Math.max(0, (turns - low) / (high - low)));
    return 1 / ((1 - smooth) / factor + smooth);
  });
}

const usage = `node tools/convert-hf.js FOLDER OUT.gguf [options]

Converts a Hugging Face folder (config.json, tokenizer.json, model.safetensors or its shards) to GGUF.

  --type f32|f16|bf16|q8_0|q4_0   of the matrices; default f32
  --name --author --license --description TEXT   for general.* of the metadata
  --pre NAME                      tokenizer.ggml.pre, where the pre-tokenizer is not recognised`;

await runTool(import.meta.url, {
  usage,
  positionals: 2,
  options: {
    type: { type: 'string', default: 'f32' },
    pre: { type: 'string' },
    name: { type: 'string' },
    author: { type: 'string' },
    license: { type: 'string' },
    description: { type: 'string' },
  },
  async run([folder, out], { type, pre, ...general }) {
    if (!(type in TYPES)) throw new Error(`--type is one of ${Object.keys(TYPES).join(', ')}, not '${type}'`);
    const bytes = await writeGgufFile(out, await convertHf(folder, { type, pre, general }));
    console.log(`${out}: ${bytes} bytes`);
  },
});
