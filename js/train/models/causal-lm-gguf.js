/** A trained language model as a GGUF file, which `load()` runs. */
import { HeedError, quoted } from '../../errors.js';
import { DTYPES } from '../../files/dtypes.js';
import { openGguf } from '../../files/gguf-file.js';
import {
  TOKEN_TYPE, adjacentPairs, halves, modelMetadata, tokenizerMetadata, weight,
} from '../../files/gguf/describe.js';
import { decode } from '../../files/gguf/quantize.js';
import { float32, string, uint32 } from '../../files/gguf/writer.js';
import { placeOf } from '../../files/safetensors/names.js';
import { SAMPLING_KEYS } from '../../model/sampling.js';
import { byteLevelOf } from '../../text/tokenizer/byte-level.js';
import { parameters } from './causal-lm.js';

/**
 * @typedef {import('../../files/gguf/writer.js').Metadata} Metadata
 * @typedef {import('../../files/gguf/quantize.js').TypeName} TypeName
 */

/**
 * @param {import('../../lab/index.js').Weights} weights @param {import('./causal-lm.js').Config} config
 * @param {object} options
 * @param {TypeName} options.type         number type of the matrices
 * @param {Metadata} options.tokenizer    metadata from `characterTokenizer` or `byteLevelTokenizer`
 * @param {Record<string, string>} [options.general]  texts for `general.*`: name, license, description
 * @param {Partial<Record<keyof typeof SAMPLING_KEYS, number>>} [options.sampling]  settings to recommend to readers
 * @returns {import('../../files/gguf/writer.js').GgufContent}
 */
export function toGguf(weights, config, { type, tokenizer, general = {}, sampling = {} }) {
  const { form, layers, heads, kvHeads = heads, width, hidden, vocabulary, context, eps = 1e-5 } = config;
  const dHead = width / heads;
  const model = {
    architecture: form, layers, heads, kvHeads, dHead, dModel: width, dFf: hidden, vocabulary, contextLength: context,
    norm: form === 'gpt2' ? /** @type {const} */ ('layernorm') : /** @type {const} */ ('rmsnorm'), normEps: eps,
    ...(form === 'llama' && { rope: { base: config.theta ?? 10000 } }),
  };
  const texts = Object.entries(general).map(([key, text]) => [`general.${key}`, string(text)]);
  const settings = Object.entries(SAMPLING_KEYS).flatMap(([setting, key]) => {
    const value = sampling[/** @type {keyof typeof SAMPLING_KEYS} */ (setting)];
    return value === undefined ? [] : [[key, setting === 'topK' ? uint32(value) : float32(value)]];
  });
  return {
    metadata: { ...modelMetadata(model, type), ...Object.fromEntries([...texts, ...settings]), ...tokenizer },
    tensors: Object.entries(weights).flatMap(([name, { axes, data }]) => {
      const place = placeOf(name, form);
      if (!place || place === 'ignored') throw new HeedError('bad-tensor', `GGUF has no place for ${quoted(name)}.`);
      const turns = form === 'llama' && /attn_[qk]\.weight$/.test(place.slot);
      const numbers = turns ? adjacentPairs(data, axes.sizes, dHead) : data.slice();
      const stored = weight(place.slot, [...axes.sizes], () => numbers, type);
      return form === 'gpt2' ? [stored, ...noBias(stored)] : [stored];
    }),
  };
}

/**
 * Numbers of a Llama-layout GGUF file under Hugging Face's names: `toGguf` backwards, so that a training can continue
 * from a file.
 * @param {Uint8Array} bytes with tensors in F32, F16, BF16, Q8_0 or Q4_0
 * @param {import('./causal-lm.js').Config} config that the file must fit
 * @returns {Promise<Record<string, Float32Array>>}
 * @throws {HeedError} 'bad-tensor' where a weight is missing or has another shape; the errors of `openGguf`
 */
export async function fromGguf(bytes, config) {
  const file = await openGguf(bytes);
  /** @type {Record<string, { shape: readonly number[], data: Float32Array }>} */
  const stored = {};
  for await (const [entry, reader] of file.weights()) {
    const raw = new Uint8Array(entry.bytes);
    await reader.readInto(raw, entry.name);
    const type = /** @type {TypeName} */ (DTYPES[entry.dtype].name.toLowerCase());
    stored[entry.name] = { shape: entry.shape, data: decode(raw, type) };
  }
  return Object.fromEntries(parameters(config).map(([name, shape]) => {
    const { slot } = /** @type {{ slot: string }} */ (placeOf(name, 'llama'));
    const found = stored[slot];
    if (!found || found.shape.join() !== shape.join()) {
      throw new HeedError('bad-tensor', `${quoted(slot)} is ${found ? `[${found.shape}]` : 'missing'} in the file, ` +
        `but this model has [${shape}]. Continue from a file of a model with the same sizes.`);
    }
    const turned = /attn_[qk]\.weight$/.test(slot);
    return [name, turned ? halves(found.data, shape, config.width / config.heads) : found.data];
  }));
}

/** Zeros as the bias of a product or a norm of GPT-2: llama.cpp requires it, and these models do not have it.
 *  @param {import('../../files/gguf/writer.js').Tensor} tensor
 *  @returns {import('../../files/gguf/writer.js').Tensor[]} */
function noBias({ name, shape: [rows] }) {
  if (name.endsWith('_embd.weight')) return [];
  return [weight(name.replace(/weight$/, 'bias'), [rows], () => new Float32Array(rows), 'f32')];
}

/**
 * A vocabulary of single characters: byte-level BPE without merges.
 * @param {string[]} characters by id @returns {Metadata}
 * @throws {HeedError} 'unsupported' for characters of more than one byte, which need merges
 */
export function characterTokenizer(characters) {
  const tokens = characters.map(byteLevelOf);
  const wide = tokens.findIndex((token) => token.length > 1);
  if (wide >= 0) {
    throw new HeedError('unsupported', `The character ${quoted(characters[wide])} has several bytes; a vocabulary of ` +
      'characters in GGUF has single bytes.');
  }
  const types = tokens.map(() => TOKEN_TYPE.normal);
  return tokenizerMetadata({ model: 'gpt2', pre: 'gpt-2', tokens, types, merges: [], addBos: false });
}

/**
 * GPT-2's byte-level BPE of a Hugging Face tokenizer.json; its first special token begins and ends a text.
 * @param {{ model: { vocab: Record<string, number>, merges: string[] }, added_tokens: { id: number }[] }} json
 * @returns {Metadata}
 */
export function byteLevelTokenizer({ model: { vocab, merges }, added_tokens: [end] }) {
  const tokens = Object.entries(vocab).sort(([, a], [, b]) => a - b).map(([token]) => token);
  const types = tokens.map((_, id) => (id === end.id ? TOKEN_TYPE.control : TOKEN_TYPE.normal));
  return tokenizerMetadata({ model: 'gpt2', pre: 'gpt-2', tokens, types, merges, bos: end.id, eos: end.id,
    addBos: true });
}
