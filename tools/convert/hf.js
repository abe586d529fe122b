#!/usr/bin/env node
/** Hugging Face folder (config.json, tokenizer.json, safetensors) → GGUF: Llama, Mistral, SmolLM2, Qwen2, GPT-2. */
import { readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { runTool } from '../cli.js';
import { adjacentPairs, modelMetadata, weight } from '../../js/files/gguf/describe.js';
import { string } from '../../js/files/gguf/writer.js';
import { checkWeights } from '../../js/files/families.js';
import { configFromHuggingFace } from '../../js/files/safetensors/config.js';
import { nameOf, placeOf } from '../../js/files/safetensors/names.js';
import { writeGgufFile } from './gguf-file.js';
import { hfTokenizerMetadata } from './hf-tokenizer.js';
import { TYPES } from '../../js/files/gguf/quantize.js';
import { readSafetensors } from './safetensors.js';

/** @typedef {import('./safetensors.js').StoredTensor} StoredTensor */

/** Activations that GGUF's architectures have, which it has no key for. */
const ACTIVATIONS = { gpt2: 'gelu_tanh', llama: 'silu', qwen2: 'silu' };

/**
 * @param {string} folder
 * @param {object} options
 * @param {import('../../js/files/gguf/quantize.js').TypeName} options.type of the matrices
 * @param {Record<string, string>} [options.general] texts for `general.*`
 * @param {string} [options.pre] name of the pre-tokenizer if it cannot be recognized
 * @returns {Promise<import('../../js/files/gguf/writer.js').GgufContent>}
 */
export async function convertHf(folder, { type, general = {}, pre }) {
  const json = JSON.parse(await readFile(join(folder, 'config.json'), 'utf8'));
  const { architecture, layout, config, said, tied, ropeFreqs } = configFromHuggingFace(json, 'config.json');
  if (config.activation !== ACTIVATIONS[architecture]) {
    throw new Error(`a ${architecture} in GGUF has the activation ${ACTIVATIONS[architecture]}`);
  }
  const rope = config.position.startsWith('rope');
  if (rope && config.rope_dims !== config.d_head) {
    throw new Error('RoPE that turns a part of a head cannot be converted');
  }
  const tensors = [];
  for (const [source, tensor] of Object.entries(await readTensors(folder))) {
    const place = placeOf(source, layout);
    if (!place) throw new Error(`the tensor ${source} has no place in a ${architecture} model`);
    if (place === 'ignored' || (place.slot === 'output.weight' && tied)) continue;
    const { shape, load } = rearrange(place, tensor, architecture, config.d_head);
    tensors.push(weight(place.slot, shape, load, type));
  }
  checkWeights(tensors.map(({ name }) => name), {
    family: architecture, layers: config.layers, said, tied, name: folder, nameOf: (slot) => nameOf(slot, layout, true),
  });
  if (ropeFreqs) tensors.push(weight('rope_freqs.weight', [ropeFreqs.length], () => ropeFreqs, 'f32'));
  const model = {
    architecture, layers: config.layers, heads: config.heads, kvHeads: config.kv_heads, dModel: config.d_model,
    dHead: config.d_head, dFf: config.d_ff, vocabulary: config.vocabulary, contextLength: config.context_length,
    normEps: config.norm_eps, window: config.window,
    ...(rope && { rope: { base: config.rope_theta, ...(config.rope_scale !== 1 && { scale: config.rope_scale }) } }),
  };
  return {
    metadata: {
      ...modelMetadata(model, type),
      'general.name': string(basename(resolve(folder))),
      ...Object.fromEntries(Object.entries(general).map(([key, text]) => [`general.${key}`, string(text)])),
      ...await hfTokenizerMetadata(folder, json, pre),
    },
    tensors,
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
 * Arranges a matrix for GGUF. Outputs come first; GPT-2's Conv1D has them last. For `llama`, rows of q and k are put
 * in the order of interleaved RoPE pairs.
 * @param {{ slot: string, transpose?: true }} place @param {StoredTensor} tensor
 * @param {import('../../js/files/families.js').Family} architecture @param {number} dHead
 */
function rearrange({ slot, transpose: turned }, tensor, architecture, dHead) {
  if (turned) return { shape: tensor.shape.toReversed(), load: () => transpose(tensor.load(), tensor.shape) };
  if (architecture === 'llama' && /attn_[qk]\.(weight|bias)$/.test(slot)) {
    return { shape: tensor.shape, load: () => adjacentPairs(tensor.load(), tensor.shape, dHead) };
  }
  return { shape: tensor.shape, load: tensor.load };
}

/** @param {Float32Array} data @param {number[]} shape */
function transpose(data, [rows, columns]) {
  return data.map((_, i) => data[i % rows * columns + Math.floor(i / rows)]);
}

const usage = `node tools/convert/hf.js FOLDER OUT.gguf [options]

Converts a Hugging Face folder (config.json, tokenizer.json, model.safetensors or its shards) to GGUF.

  --type f32|f16|bf16|q8_0|q4_0   of the matrices; default f32
  --name --author --license --description TEXT   for general.* of the metadata
  --pre NAME                      tokenizer.ggml.pre, if the pre-tokenizer is not recognized`;

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
