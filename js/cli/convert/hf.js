// Hugging Face folder (config.json, tokenizer.json, safetensors) → GGUF: Llama, Mistral, SmolLM2, Qwen2, GPT-2.
import { readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { HeedError, quoted } from '../../errors.js';
import { adjacentPairs, modelMetadata, weight } from '../../files/gguf/describe.js';
import { string } from '../../files/gguf/writer.js';
import { checkWeights } from '../../files/families.js';
import { configFromHuggingFace } from '../../files/safetensors/config.js';
import { parseJson } from '../../files/json.js';
import { nameOf, placeOf } from '../../files/safetensors/names.js';
import { hfTokenizerMetadata } from './hf-tokenizer.js';
import { readSafetensors } from './safetensors.js';

/** @typedef {import('./safetensors.js').StoredTensor} StoredTensor */
/** @typedef {import('../../files/gguf/quantize.js').TypeName} TypeName */

/** Activations of GGUF's architectures; GGUF has no key for them. */
const ACTIVATIONS = { gpt2: 'gelu_tanh', llama: 'silu', qwen2: 'silu' };

/**
 * @param {string} folder
 * @param {object} [options]
 * @param {TypeName} [options.type] of the matrices; default: their types in the folder
 * @param {Record<string, string>} [options.general] texts for `general.*`
 * @param {string} [options.pre] name of the pre-tokenizer if it cannot be recognized
 * @returns {Promise<import('../../files/gguf/writer.js').GgufContent>}
 * @throws {HeedError} 'unsupported', 'bad-tensor', 'bad-config', 'bad-file'
 */
export async function convertHf(folder, { type, general = {}, pre } = {}) {
  const json = parseJson(await readFile(join(folder, 'config.json')), 'config.json', 'a config.json');
  const { family, layout, config, said, tied, rope: scaling } = configFromHuggingFace(json, 'config.json');
  const architecture = /** @type {keyof typeof ACTIVATIONS} */ (family.name);
  if (!Object.hasOwn(ACTIVATIONS, architecture) || config.rope_magnitude) {
    throw new HeedError('unsupported', `${quoted(folder)} is a ${architecture} model` +
      `${config.rope_magnitude ? ' with YaRN or LongRoPE' : ''}, which is not converted.`);
  }
  if (config.activation !== ACTIVATIONS[architecture]) {
    throw new HeedError('unsupported', `${quoted(folder)} has the activation ${config.activation}; in GGUF, ` +
      `${architecture} models have ${ACTIVATIONS[architecture]}.`);
  }
  const rope = config.position.startsWith('rope');
  if (rope && config.rope_dims !== config.d_head) {
    throw new HeedError('unsupported', `${quoted(folder)} rotates a part of each head (RoPE), which is not converted.`);
  }
  const tensors = [];
  for (const [source, tensor] of Object.entries(await readTensors(folder))) {
    const place = placeOf(source, layout);
    if (!place) {
      throw new HeedError('bad-tensor', `The tensor ${quoted(source)} has no place in a ${architecture} model.`);
    }
    if (place === 'ignored' || (place.slot === 'output.weight' && tied)) continue;
    const { shape, load } = rearrange(place, tensor, architecture, config.d_head);
    tensors.push(weight(place.slot, shape, load, type ?? tensor.type));
  }
  checkWeights(tensors.map(({ name }) => name), {
    family, layers: config.layers, said, tied, name: folder, nameOf: (slot) => nameOf(slot, layout, true),
  });
  const divisors = scaling?.divisors;
  if (divisors) tensors.push(weight('rope_freqs.weight', [divisors.length], () => divisors, 'f32'));
  const matrices = type ?? /** @type {TypeName} */ (tensors.find(({ name }) => name === 'token_embd.weight')?.type);
  const model = {
    architecture, layers: config.layers, heads: config.heads, kvHeads: config.kv_heads, dModel: config.d_model,
    dHead: config.d_head, dFf: config.d_ff, vocabulary: config.vocabulary, contextLength: config.context_length,
    normEps: config.norm_eps, window: config.window,
    ...(rope && { rope: { base: config.rope_theta, ...(config.rope_scale !== 1 && { scale: config.rope_scale }) } }),
  };
  return {
    metadata: {
      ...modelMetadata(model, matrices),
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
 * @param {string} architecture @param {number} dHead
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
