/** A GGUF model small enough to try every one of its bytes: one block, a vocabulary of twelve pieces. */
import { array, bool, float32, string, uint32, writeGguf } from '../../js/gguf/writer.js';
import { encode } from '../../js/gguf/quantize.js';
import { floats, randomFrom } from './numbers.js';

/** @typedef {import('../../js/gguf/writer.js').Metadata} Metadata */
/** @typedef {import('../../js/gguf/writer.js').Tensor} Tensor */

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

const [L, D, F, H, HK, DH] = [1, 32, 64, 2, 1, 16];

/** @type {Metadata} */
const LLAMA = {
  'general.architecture': string('llama'),
  'general.name': string('tiny'),
  'llama.block_count': uint32(L),
  'llama.context_length': uint32(24),
  'llama.embedding_length': uint32(D),
  'llama.feed_forward_length': uint32(F),
  'llama.attention.head_count': uint32(H),
  'llama.attention.head_count_kv': uint32(HK),
  'llama.attention.layer_norm_rms_epsilon': float32(1e-5),
};

/** Shapes by name. @param {number} vocabulary @returns {Record<string, number[]>} */
const shapes = (vocabulary) => ({
  'token_embd.weight': [vocabulary, D],
  'blk.0.attn_norm.weight': [D],
  'blk.0.attn_q.weight': [H * DH, D],
  'blk.0.attn_k.weight': [HK * DH, D],
  'blk.0.attn_v.weight': [HK * DH, D],
  'blk.0.attn_output.weight': [D, H * DH],
  'blk.0.ffn_norm.weight': [D],
  'blk.0.ffn_gate.weight': [F, D],
  'blk.0.ffn_up.weight': [F, D],
  'blk.0.ffn_down.weight': [D, F],
  'output_norm.weight': [D],
});

/**
 * @param {object} [options]
 * @param {Metadata} [options.metadata]     beside or in place of the usual
 * @param {string[]} [options.without]      keys to leave out
 * @param {Metadata} [options.tokenizer]
 * @param {'f32' | 'f16' | 'bf16' | 'q8_0' | 'q4_0'} [options.type] of the matrices
 * @param {(tensors: Tensor[]) => Tensor[]} [options.tensors] to change them
 * @param {2 | 3} [options.version]
 * @param {number} [options.alignment]
 * @param {number} [options.vocabulary]
 * @returns {Promise<Uint8Array>}
 */
export async function tinyGguf({
  metadata = {}, without = [], tokenizer = SENTENCE_PIECE, type = 'q8_0', tensors = (all) => all, version = 3,
  alignment = 32, vocabulary = PIECES.length,
} = {}) {
  const next = randomFrom(1);
  const list = Object.entries(shapes(vocabulary)).map(([name, shape]) => {
    const values = floats(next, shape.reduce((a, b) => a * b), 0.5);
    const kind = shape.length === 1 ? 'f32' : type;
    return { name, type: kind, shape, data: encode(values, kind) };
  });
  const aligned = alignment === 32 ? {} : { 'general.alignment': uint32(alignment) };
  const all = { ...LLAMA, ...tokenizer, ...aligned, ...metadata };
  for (const key of without) delete all[key];
  return writeGguf({ metadata: all, tensors: tensors(list), version, alignment });
}

/**
 * Where the header says what it says about a tensor.
 * @param {Uint8Array} file
 * @param {string} name
 * @returns {{ dims: number, type: number, offset: number }} places of the first dimension, the type and the offset
 */
export function describedAt(file, name) {
  const text = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const at = text.indexOf(name) + Buffer.byteLength(name);
  const dims = text.readUInt32LE(at);
  return { dims: at + 4, type: at + 4 + 8 * dims, offset: at + 8 + 8 * dims };
}
