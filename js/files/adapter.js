/**
 * Reads adapters of low rank (Hu et al. 2021): in the layout of PEFT, adapter_model.safetensors and
 * adapter_config.json, or as the GGUF file of llama.cpp.  A matrix W with an adapter computes W·x + scale·B·(A·x),
 * where `lora_A` is [rank][inputs] and `lora_B` is [outputs][rank].  js/model/adapter.js compares an adapter with its
 * model.  The page reads it, so that workers without an adapter need no code for it.
 */
import { HeedError, quoted } from '../errors.js';
import { DTYPES } from './dtypes.js';
import { readHeader as readGgufHeader } from './gguf/header.js';
import { decode } from './gguf/quantize.js';
import { placeTensors } from './gguf/tensors.js';
import { readJson } from './json.js';
import { readHeader } from './safetensors/header.js';
import { placeOf } from './safetensors/names.js';
import { isSource, openSource } from './source.js';
import { StreamReader } from './stream.js';
import { streamWeights } from './weights.js';

/** @typedef {import('./source.js').Source} Source */
/**
 * An adapter: as PEFT saves it, adapter_model.safetensors, and adapter_config.json as a file or parsed; or the GGUF
 * file of llama.cpp.
 * @typedef {{ weights: Source, config: Source | object } | Source} AdapterSource
 */
/**
 * An adapter in memory.
 * @typedef {object} AdapterFile
 * @property {string} name   name of the file, for messages
 * @property {number} alpha  the factor of B·A is alpha / rank
 * @property {boolean} byRoot  the factor is alpha / √rank instead (Kalajdzievski 2023)
 * @property {boolean} [ordered]  whether rows of B are in the order of GGUF, and not in that of Hugging Face
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
const MAX_ADAPTER_BYTES = 2 ** 30;

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
  if (isSource(source)) return readGguf(openSource(source), signal);
  if (typeof source !== 'object' || source === null || !isSource(source.weights) || source.config === undefined) {
    throw new HeedError('bad-argument', `Expected adapter to be { weights, config } or a GGUF file, got ` +
      `${quoted(source)}. weights is adapter_model.safetensors, config is adapter_config.json.`);
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
    needSmall(tensors, name);
    const read = [];
    for (const { name: tensor, type, shape, bytes } of tensors) {
      const where = `tensor ${quoted(tensor)} of ${quoted(name)}`;
      const place = placeOfTensor(tensor, where);
      read.push({ name: tensor, ...place, shape, data: await readNumbers(reader, type, bytes, where) });
    }
    return read;
  } finally {
    await reader.close();
  }
}

/** @param {{ bytes: number }[]} tensors @param {string} name */
function needSmall(tensors, name) {
  const total = tensors.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total <= MAX_ADAPTER_BYTES) return;
  throw new HeedError('too-large', `The tensors of ${quoted(name)} have ${total} bytes; an adapter has at most ` +
    `${MAX_ADAPTER_BYTES}.`);
}

/** @param {StreamReader} reader @param {string} type @param {number} bytes @param {string} where
 *  @returns {Promise<Float32Array>} */
async function readNumbers(reader, type, bytes, where) {
  if (!Object.hasOwn(TYPES, type)) {
    throw new HeedError('unsupported', `The ${where} has the type ${type}; heed reads ` +
      `${Object.keys(TYPES).join(', ')}.`);
  }
  const raw = new Uint8Array(bytes);
  await reader.readInto(raw, where);
  const data = decode(raw, TYPES[type]);
  if (data.every(Number.isFinite)) return data;
  throw new HeedError('not-finite', `The ${where} has NaN or infinite numbers.`);
}

/** Names of a GGUF adapter's tensors: blk.0.attn_q.weight.lora_a. */
const GGUF_NAME = /^(.+\.weight)\.lora_([ab])$/;

/**
 * An adapter of llama.cpp (convert_lora_to_gguf.py).  As there, alpha 0 means a factor of 1.
 * @param {import('./source.js').ByteSource} source
 * @param {AbortSignal | null} signal
 * @returns {Promise<AdapterFile>}
 */
async function readGguf(source, signal) {
  const { name } = source;
  const reader = new StreamReader(source.stream(signal), { name: quoted(name), signal });
  try {
    const header = await readGgufHeader(reader, name);
    const { 'general.type': kind, 'adapter.type': type, 'adapter.lora.alpha': given = 0 } = header.metadata;
    if (kind !== 'adapter') {
      throw new HeedError('bad-file', `${quoted(name)} is not an adapter: its general.type is ${quoted(kind)}. ` +
        'Pass a model as the source of load, and the file of its adapter as adapter.');
    }
    if (type !== 'lora' || 'adapter.alora.invocation_tokens' in header.metadata) {
      throw new HeedError('unsupported', `${quoted(name)} has the adapter.type ${quoted(type)}` +
        `${type === 'lora' ? ' with invocation tokens' : ''}; heed reads plain ‘lora’.`);
    }
    if (typeof given !== 'number' || !Number.isFinite(given)) {
      throw new HeedError('bad-config', `${quoted(name)} has the adapter.lora.alpha ${quoted(given)}; it is a number.`);
    }
    const placed = placeTensors(header, source);
    needSmall(placed.map(({ entry }) => entry), name);
    /** @type {AdapterTensor[]} */
    const tensors = [];
    const parts = [{ placed, open: async () => reader }];
    for await (const [{ name: tensor, dtype, shape, bytes }] of streamWeights(parts, {})) {
      const where = `tensor ${quoted(tensor)} of ${quoted(name)}`;
      const [, slot, side] = GGUF_NAME.exec(tensor) ?? [];
      if (slot === undefined) {
        throw new HeedError('bad-tensor', `The ${where} is not a side of an adapter. Expected names such as ` +
          '‘blk.0.attn_q.weight.lora_a’.');
      }
      const data = await readNumbers(reader, DTYPES[dtype].name, bytes, where);
      tensors.push({ name: tensor, slot, side: side === 'a' ? 'A' : 'B', shape, data });
    }
    return { name, alpha: given || rankOf(tensors, name), byRoot: false, ordered: true, tensors };
  } finally {
    await reader.close();
  }
}

/** The rank of all tensors. @param {AdapterTensor[]} tensors @param {string} name */
function rankOf(tensors, name) {
  const ranks = [...new Set(tensors.filter(({ side }) => side === 'A').map(({ shape }) => shape[0]))];
  if (ranks.length <= 1) return ranks[0] ?? 1;
  throw new HeedError('unsupported', `${quoted(name)} has no alpha and the ranks ${ranks.join(', ')}; heed reads one ` +
    'rank without alpha.');
}
