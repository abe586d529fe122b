/**
 * Reads adapters of low rank (Hu et al. 2021) in the layout of PEFT: adapter_model.safetensors and adapter_config.json.
 * A matrix W with an adapter computes W·x + scale·B·(A·x), where `lora_A` is [rank][inputs] and `lora_B` is
 * [outputs][rank].  js/model/adapter.js compares an adapter with its model.  The page reads it, so that workers without
 * an adapter need no code for it.
 */
import { HeedError, quoted } from '../errors.js';
import { decode } from './gguf/quantize.js';
import { readJson } from './json.js';
import { readHeader } from './safetensors/header.js';
import { placeOf } from './safetensors/names.js';
import { isSource, openSource } from './source.js';
import { StreamReader } from './stream.js';

/** @typedef {import('./source.js').Source} Source */
/**
 * An adapter as PEFT saves it: adapter_model.safetensors, and adapter_config.json as a file or parsed.
 * @typedef {{ weights: Source, config: Source | object }} AdapterSource
 */
/**
 * An adapter in memory.
 * @typedef {object} AdapterFile
 * @property {string} name   name of the file, for messages
 * @property {number} alpha  the factor of B·A is alpha / rank
 * @property {boolean} byRoot  the factor is alpha / √rank instead (Kalajdzievski 2023)
 * @property {AdapterTensor[]} tensors
 *
 * @typedef {object} AdapterTensor
 * @property {string} name  name in the file
 * @property {string} slot  name of the changed matrix in the GGUF format, such as 'blk.0.attn_q.weight'
 * @property {'A' | 'B'} side
 * @property {number[]} shape
 * @property {Float32Array} data
 */

/** Largest adapter_config.json, and largest file of weights: rank 256 of a model with 3 billion weights. */
const MAX_CONFIG_BYTES = 1 << 20;
export const MAX_ADAPTER_BYTES = 2 ** 30;

/** Largest rank, HEED_MAX_RANK of src/heed.h; a test compares both, because options are checked without an engine. */
export const MAX_RANK = 256;

/** Types of numbers. @type {Readonly<Record<string, 'f32' | 'f16' | 'bf16'>>} */
const TYPES = Object.freeze({ F32: 'f32', F16: 'f16', BF16: 'bf16' });

/** Settings of PEFT that would change the result. */
const REFUSED = ['use_dora', 'modules_to_save', 'rank_pattern', 'alpha_pattern', 'trainable_token_indices'];

/**
 * @param {AdapterSource} source
 * @param {AbortSignal | null} [signal]
 * @returns {Promise<AdapterFile>}
 * @throws {HeedError} 'bad-argument', 'bad-file', 'bad-config', 'bad-tensor', 'unsupported', 'too-large', 'truncated',
 *   'not-finite', 'aborted'
 */
export async function readAdapter(source, signal = null) {
  if (typeof source !== 'object' || source === null || !isSource(source.weights) || source.config === undefined) {
    throw new HeedError('bad-argument', `Expected adapter to be { weights, config }, got ${quoted(source)}. weights ` +
      'is adapter_model.safetensors, config is adapter_config.json.');
  }
  const { json, name } = await readJson(source.config,
    { limit: MAX_CONFIG_BYTES, what: 'an adapter_config.json', signal });
  const settings = settingsOf(json, name);
  const weights = openSource(source.weights);
  return { name: weights.name, ...settings, tensors: await readTensors(weights, signal) };
}

/** @param {any} json  adapter_config.json @param {string} name  of this file */
function settingsOf(json, name) {
  if (json?.peft_type !== 'LORA') {
    throw new HeedError('unsupported', `${quoted(name)} has the peft_type ${quoted(json?.peft_type)}; heed reads ` +
      '‘LORA’.');
  }
  const set = (/** @type {any} */ value) =>
    Boolean(value) && (typeof value !== 'object' || Object.keys(value).length > 0);
  const extra = REFUSED.find((key) => set(json[key]));
  if (extra) throw new HeedError('unsupported', `${quoted(name)} sets ${quoted(extra)}, which heed does not apply.`);
  if ((json.bias ?? 'none') !== 'none') {
    throw new HeedError('unsupported', `${quoted(name)} has the bias ${quoted(json.bias)}; heed applies ‘none’.`);
  }
  const { lora_alpha: alpha, use_rslora: byRoot = false } = json;
  if (typeof alpha === 'number' && Number.isFinite(alpha)) return { alpha, byRoot: Boolean(byRoot) };
  throw new HeedError('bad-config', `${quoted(name)} has the lora_alpha ${quoted(alpha)}; it is a number.`);
}

/** The matrix that a tensor changes; GPT-2 and Llama have different names. @param {string} tensor @param {string} where
 *  @returns {Pick<AdapterTensor, 'slot' | 'side'>} */
function placeOfTensor(tensor, where) {
  const [, module, side] = /^base_model\.model\.(.+)\.lora_([AB])(?:\.default)?\.weight$/.exec(tensor) ?? [];
  const place = module === undefined ? null
    : placeOf(`${module}.weight`, 'llama') ?? placeOf(`${module}.weight`, 'gpt2');
  if (place && place !== 'ignored') return { slot: place.slot, side: /** @type {'A' | 'B'} */ (side) };
  throw new HeedError('bad-tensor', `The ${where} changes no matrix that heed knows. Expected names such as ` +
    '‘base_model.model.model.layers.0.self_attn.q_proj.lora_A.weight’.');
}

/** @param {import('./source.js').ByteSource} source @param {AbortSignal | null} signal
 *  @returns {Promise<AdapterTensor[]>} */
async function readTensors(source, signal) {
  const { name } = source;
  const reader = new StreamReader(source.stream(signal), { name: quoted(name), signal });
  try {
    const { tensors } = await readHeader(reader, name, source.size);
    const total = tensors.reduce((sum, { bytes }) => sum + bytes, 0);
    if (total > MAX_ADAPTER_BYTES) {
      throw new HeedError('too-large', `The tensors of ${quoted(name)} have ${total} bytes; an adapter has at most ` +
        `${MAX_ADAPTER_BYTES}.`);
    }
    const read = [];
    for (const { name: tensor, type, shape, bytes } of tensors) {
      const where = `tensor ${quoted(tensor)} of ${quoted(name)}`;
      const place = placeOfTensor(tensor, where);
      if (!Object.hasOwn(TYPES, type)) {
        throw new HeedError('unsupported', `The ${where} has the type ${type}; heed reads ` +
          `${Object.keys(TYPES).join(', ')}.`);
      }
      const raw = new Uint8Array(bytes);
      await reader.readInto(raw, where);
      const data = decode(raw, TYPES[type]);
      if (!data.every(Number.isFinite)) {
        throw new HeedError('not-finite', `The ${where} has NaN or infinite numbers.`);
      }
      read.push({ name: tensor, ...place, shape, data });
    }
    return read;
  } finally {
    await reader.close();
  }
}
