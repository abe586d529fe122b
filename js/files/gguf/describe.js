/** A model's configuration and weights in GGUF: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md */
import { TYPES, encode } from './quantize.js';
import { array, float32, string, uint32 } from './writer.js';

/** @typedef {import('./quantize.js').TypeName} TypeName */

/** Values of general.file_type (llama_ftype). @type {Record<TypeName, number>} */
export const FILE_TYPES = { f32: 0, f16: 1, q4_0: 2, q8_0: 7, bf16: 32 };

/**
 * @typedef {object} Architecture
 * @property {string} architecture
 * @property {'layernorm' | 'rmsnorm'} norm
 * @property {number} layers @property {number} heads @property {number} kvHeads
 * @property {number} dModel @property {number} dHead @property {number} dFf
 * @property {number} vocabulary @property {number} contextLength
 * @property {number} normEps
 * @property {{ base: number, dims?: number, scale?: number }} [rope]  dims: rotated elements of a head, default all;
 *   scale: divisor of positions
 * @property {number} [window]  number of keys that a query sees, itself included
 */

/** Metadata of a model. @param {Architecture} model @param {TypeName} type @returns {import('./writer.js').Metadata} */
export function modelMetadata(model, type) {
  const { architecture, rope } = model;
  const epsilon = model.norm === 'layernorm' ? 'layer_norm_epsilon' : 'layer_norm_rms_epsilon';
  const key = (/** @type {string} */ name) => `${architecture}.${name}`;
  return {
    'general.architecture': string(architecture),
    'general.type': string('model'),
    'general.file_type': uint32(FILE_TYPES[type]),
    'general.quantization_version': uint32(2),
    [key('context_length')]: uint32(model.contextLength),
    [key('embedding_length')]: uint32(model.dModel),
    [key('block_count')]: uint32(model.layers),
    [key('feed_forward_length')]: uint32(model.dFf),
    [key('vocab_size')]: uint32(model.vocabulary),
    [key('attention.head_count')]: uint32(model.heads),
    [key('attention.head_count_kv')]: uint32(model.kvHeads),
    [key(`attention.${epsilon}`)]: float32(model.normEps),
    ...(model.dHead * model.heads !== model.dModel && {
      [key('attention.key_length')]: uint32(model.dHead),
      [key('attention.value_length')]: uint32(model.dHead),
    }),
    ...(rope && {
      [key('rope.dimension_count')]: uint32(rope.dims ?? model.dHead),
      [key('rope.freq_base')]: float32(rope.base),
      ...(rope.scale && {
        [key('rope.scaling.type')]: string('linear'),
        [key('rope.scaling.factor')]: float32(rope.scale),
      }),
    }),
    ...(model.window && { [key('attention.sliding_window')]: uint32(model.window) }),
  };
}

/** Matrices that stay F32. */
const EXACT = /^position_embd\.weight$|ffn_gate_inp\.weight$/;

/**
 * A weight in the requested type, with the exceptions of llama.cpp's converter.  Vectors, position embeddings and
 * routers of experts stay F32.  Rows that cannot be divided into blocks become F16 instead of a quantized type.
 * @param {string} name @param {number[]} shape slowest axis first
 * @param {() => Float32Array} load @param {TypeName} type
 * @returns {import('./writer.js').Tensor}
 */
export function weight(name, shape, load, type) {
  const columns = shape[shape.length - 1];
  /** @type {TypeName} */
  let stored = type;
  if (shape.length < 2 || EXACT.test(name)) stored = 'f32';
  else if (columns % TYPES[type].elements !== 0) stored = 'f16';
  return { name, shape, type: stored, data: () => encode(load(), stored) };
}

/** The row in the order of halves that becomes `row` in the order of adjacent pairs.
 *  @param {number} row @param {number} dHead */
function rowOfHalves(row, dHead) {
  const i = row % dHead;
  return row - i + Math.floor(i / 2) + i % 2 * dHead / 2;
}

/**
 * Reorders rows of q and k from RoPE over halves to RoPE over adjacent (interleaved) pairs, which GGUF's `llama` uses.
 * Row j of a head's first half and row j of its second half become rows 2j and 2j + 1.
 * @param {Float32Array} data @param {readonly number[]} shape @param {number} dHead
 */
export function adjacentPairs(data, [rows, columns = 1], dHead) {
  const out = new Float32Array(data.length);
  for (let row = 0; row < rows; row++) {
    const from = rowOfHalves(row, dHead);
    out.set(data.subarray(from * columns, (from + 1) * columns), row * columns);
  }
  return out;
}

/** The inverse of `adjacentPairs`. @param {Float32Array} data @param {readonly number[]} shape @param {number} dHead */
export function halves(data, [rows, columns = 1], dHead) {
  const out = new Float32Array(data.length);
  for (let row = 0; row < rows; row++) {
    out.set(data.subarray(row * columns, (row + 1) * columns), rowOfHalves(row, dHead) * columns);
  }
  return out;
}

/** The numbers of several weights, one after the other. @param {Float32Array[]} parts @returns {Float32Array} */
export function joined(parts) {
  if (parts.length === 1) return parts[0];
  const whole = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Types of tokens (llama_token_type). */
export const TOKEN_TYPE = { normal: 1, unknown: 2, control: 3, userDefined: 4, unused: 5, byte: 6 };

/**
 * Metadata of a tokenizer.
 * @param {object} vocabulary
 * @param {'gpt2' | 'llama'} vocabulary.model byte-level BPE, or SentencePiece
 * @param {string[]} vocabulary.tokens @param {number[]} vocabulary.types  values of TOKEN_TYPE
 * @param {number[]} [vocabulary.scores] @param {string[]} [vocabulary.merges] @param {string} [vocabulary.pre]
 * @param {number} [vocabulary.bos] @param {number} [vocabulary.eos] @param {number} [vocabulary.unknown]
 * @param {number} [vocabulary.eot]  another end token
 * @param {boolean} vocabulary.addBos
 * @param {boolean} [vocabulary.addEos]
 * @returns {import('./writer.js').Metadata}
 */
export function tokenizerMetadata({ model, tokens, types, scores, merges, pre, bos, eos, eot, unknown, addBos,
  addEos }) {
  return {
    'tokenizer.ggml.model': string(model),
    ...(pre !== undefined && { 'tokenizer.ggml.pre': string(pre) }),
    'tokenizer.ggml.tokens': array('string', tokens),
    ...(scores && { 'tokenizer.ggml.scores': array('float32', scores) }),
    'tokenizer.ggml.token_type': array('int32', types),
    ...(merges && { 'tokenizer.ggml.merges': array('string', merges) }),
    ...(bos !== undefined && { 'tokenizer.ggml.bos_token_id': uint32(bos) }),
    ...(eos !== undefined && { 'tokenizer.ggml.eos_token_id': uint32(eos) }),
    ...(eot !== undefined && { 'tokenizer.ggml.eot_token_id': uint32(eot) }),
    ...(unknown !== undefined && { 'tokenizer.ggml.unknown_token_id': uint32(unknown) }),
    'tokenizer.ggml.add_bos_token': { type: 'bool', value: addBos },
    ...(addEos && { 'tokenizer.ggml.add_eos_token': { type: /** @type {const} */ ('bool'), value: true } }),
  };
}
