/** A tiny GGUF model, for tests that change each byte: one block, a vocabulary of twelve pieces. */
import { array, bool, float32, string, uint32, writeGguf } from '../../js/files/gguf/writer.js';
import { encode } from '../../js/files/gguf/quantize.js';
import { floats, randomFrom } from './numbers.js';

/** @typedef {import('../../js/files/gguf/writer.js').Metadata} Metadata */
/** @typedef {import('../../js/files/gguf/writer.js').Tensor} Tensor */

export const PIECES = ['<unk>', '<s>', '</s>', '<0x0A>', '▁', 'a', 'b', 'c', 'ab', '▁a', '▁ab', 'abc'];
const PIECE_SCORES = [0, 0, 0, 0, -3, -3, -3, -3, -2, -1.5, -1, -2];
const PIECE_TYPES = [2, 3, 3, 6, 1, 1, 1, 1, 1, 1, 1, 1];

/** SentencePiece vocabulary. @type {Metadata} */
export const SENTENCE_PIECE = {
  'tokenizer.ggml.model': string('llama'),
  'tokenizer.ggml.tokens': array('string', PIECES),
  'tokenizer.ggml.scores': array('float32', PIECE_SCORES),
  'tokenizer.ggml.token_type': array('int32', PIECE_TYPES),
  'tokenizer.ggml.bos_token_id': uint32(1),
  'tokenizer.ggml.eos_token_id': uint32(2),
};

/** Byte-level vocabulary of the same size. @type {Metadata} */
export const BYTE_LEVEL = {
  'tokenizer.ggml.model': string('gpt2'),
  'tokenizer.ggml.pre': string('gpt-2'),
  'tokenizer.ggml.tokens': array('string', [
    '<|end|>', '<tool>', 'Ġ', 'a', 'b', 'c', 'ab', 'Ġa', 'Ġab', 'abc', 'Ã', '©',
  ]),
  'tokenizer.ggml.token_type': array('int32', [3, 4, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]),
  'tokenizer.ggml.merges': array('string', ['Ġ a', 'a b', 'Ġa b', 'ab c']),
  'tokenizer.ggml.eos_token_id': uint32(0),
  'tokenizer.ggml.add_bos_token': bool(false),
};

const L = 1;
const D = 32;
const F = 64;
const H = 2;
const HK = 1;
const DH = 16;

const CONTEXT = 24;

/** @typedef {'llama' | 'qwen2' | 'gpt2'} Architecture */

const LLAMA_BLOCK = {
  'attn_norm.weight': [D],
  'attn_q.weight': [H * DH, D],
  'attn_k.weight': [HK * DH, D],
  'attn_v.weight': [HK * DH, D],
  'attn_output.weight': [D, H * DH],
  'ffn_norm.weight': [D],
  'ffn_gate.weight': [F, D],
  'ffn_up.weight': [F, D],
  'ffn_down.weight': [D, F],
};
const GPT2_BLOCK = {
  'attn_norm.weight': [D],
  'attn_norm.bias': [D],
  'attn_qkv.weight': [(H + 2 * HK) * DH, D],
  'attn_qkv.bias': [(H + 2 * HK) * DH],
  'attn_output.weight': [D, H * DH],
  'attn_output.bias': [D],
  'ffn_norm.weight': [D],
  'ffn_norm.bias': [D],
  'ffn_up.weight': [F, D],
  'ffn_up.bias': [F],
  'ffn_down.weight': [D, F],
  'ffn_down.bias': [D],
};

/** @param {Architecture} architecture @param {number} layers @returns {Metadata} */
const settings = (architecture, layers) => ({
  'general.architecture': string(architecture),
  'general.name': string('tiny'),
  [`${architecture}.block_count`]: uint32(layers),
  [`${architecture}.context_length`]: uint32(CONTEXT),
  [`${architecture}.embedding_length`]: uint32(D),
  [`${architecture}.feed_forward_length`]: uint32(F),
  [`${architecture}.attention.head_count`]: uint32(H),
  [`${architecture}.attention.head_count_kv`]: uint32(HK),
  [`${architecture}.attention.layer_norm_${architecture === 'gpt2' ? '' : 'rms_'}epsilon`]: float32(1e-5),
});

/** Shapes by name. @param {Architecture} architecture @param {number} layers @param {number} vocabulary
 *  @returns {Record<string, number[]>} */
const shapes = (architecture, layers, vocabulary) => ({
  'token_embd.weight': [vocabulary, D],
  ...(architecture === 'gpt2' && { 'position_embd.weight': [CONTEXT, D] }),
  ...Object.fromEntries(Array.from({ length: layers }, (_, layer) =>
    Object.entries(blockShapes(architecture)).map(([name, shape]) => [`blk.${layer}.${name}`, shape])).flat()),
  'output_norm.weight': [D],
  ...(architecture === 'gpt2' && { 'output_norm.bias': [D] }),
});

/** @param {Architecture} architecture @returns {Record<string, number[]>} */
const blockShapes = (architecture) => ({
  llama: LLAMA_BLOCK,
  qwen2: { ...LLAMA_BLOCK, 'attn_q.bias': [H * DH], 'attn_k.bias': [HK * DH], 'attn_v.bias': [HK * DH] },
  gpt2: GPT2_BLOCK,
})[architecture];
/**
 * @param {object} [options]
 * @param {Architecture} [options.architecture]
 * @param {number} [options.layers]
 * @param {Metadata} [options.metadata]     added to the defaults, or instead of them
 * @param {string[]} [options.without]      keys to leave out
 * @param {Metadata} [options.tokenizer]
 * @param {'f32' | 'f16' | 'bf16' | 'q8_0' | 'q4_0'} [options.type] of the matrices
 * @param {(tensors: Tensor[]) => Tensor[]} [options.tensors] changes the tensors
 * @param {2 | 3} [options.version]
 * @param {number} [options.alignment]
 * @param {number} [options.vocabulary]
 * @returns {Promise<Uint8Array>}
 */
export async function tinyGguf({
  architecture = 'llama', layers = L, metadata = {}, without = [], tokenizer = SENTENCE_PIECE, type = 'q8_0',
  tensors = (all) => all, version = 3, alignment = 32, vocabulary = PIECES.length,
} = {}) {
  const next = randomFrom(1);
  const list = Object.entries(shapes(architecture, layers, vocabulary)).map(([name, shape]) => {
    const values = floats(next, shape.reduce((a, b) => a * b), 0.5);
    const kind = shape.length === 1 ? 'f32' : type;
    return { name, type: kind, shape, data: encode(values, kind) };
  });
  const aligned = alignment === 32 ? {} : { 'general.alignment': uint32(alignment) };
  const all = { ...settings(architecture, layers), ...tokenizer, ...aligned, ...metadata };
  for (const key of without) delete all[key];
  return writeGguf({ metadata: all, tensors: tensors(list), version, alignment });
}

/**
 * Positions of a tensor's fields in the header.
 * @param {Uint8Array} file
 * @param {string} name
 * @returns {{ dims: number, type: number, offset: number }} positions of the first dimension, type and offset
 */
export function describedAt(file, name) {
  const text = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const at = text.indexOf(name) + Buffer.byteLength(name);
  const dims = text.readUInt32LE(at);
  return { dims: at + 4, type: at + 4 + 8 * dims, offset: at + 8 + 8 * dims };
}

/**
 * The tiny model in several files, as llama-gguf-split writes them: only the first has the model's metadata.
 * @param {number} count
 * @param {Parameters<typeof tinyGguf>[0]} [options]
 * @returns {Promise<Uint8Array[]>}
 */
export async function splitGguf(count, { metadata = {}, tokenizer = SENTENCE_PIECE, ...options } = {}) {
  let total = 0;
  await tinyGguf({ ...options, tensors: (all) => ((total = all.length), all) });
  const keys = [...Object.keys(settings(options.architecture ?? 'llama', 1)), ...Object.keys(tokenizer)];
  return Promise.all(Array.from({ length: count }, (_, part) => tinyGguf({
    ...options,
    tokenizer,
    without: part === 0 ? [] : keys,
    tensors: (all) => all.filter((_, i) => Math.floor(i * count / total) === part),
    metadata: {
      'split.no': { type: 'uint16', value: part },
      'split.count': { type: 'uint16', value: count },
      'split.tensors.count': { type: 'int32', value: total },
      ...metadata,
    },
  })));
}
