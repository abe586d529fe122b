/** A Llama of two blocks with matrices of any GGUF type. Its width is the largest block size, 256. */
import { FORMATS, decodeFormat } from '../../tools/convert/formats.js';
import { float32, string, uint32, writeGguf } from '../../js/files/gguf/writer.js';
import { encode } from '../../js/files/gguf/quantize.js';
import { halfFromFloat } from '../../js/files/half.js';
import { floats, formatBlocks, randomFrom } from './numbers.js';
import { PIECES, SENTENCE_PIECE } from './tiny-gguf.js';

/** @typedef {import('../../tools/convert/formats.js').FormatName} FormatName */
/** @typedef {import('../../js/files/gguf/quantize.js').TypeName} PlainName */
/** @typedef {FormatName | PlainName} MatrixType */

const L = 2;
const D = 256;
const F = 512;
const H = 4;
const HK = 2;
const DH = 64;

/** Random codes. d and m give a mean near 0 and a deviation of 1 / √D, as trained weights have.
 *  @param {() => number} random @param {FormatName} name @param {number} n weights */
function randomWeights(random, name, n) {
  const { elements, bytes, halves } = FORMATS[name];
  const blocks = formatBlocks(random, name, n / elements);
  const set = (/** @type {number[]} */ values) => {
    const view = new DataView(blocks.buffer);
    for (let at = 0; at < blocks.length; at += bytes) {
      halves.forEach((half, i) => view.setUint16(at + half, halfFromFloat(values[i]), true));
    }
    const w = decodeFormat(name, blocks);
    return { mean: w.reduce((a, b) => a + b) / n, size: Math.sqrt(w.reduce((a, b) => a + b * b) / n) };
  };
  const m = halves.length > 1 ? -set([1, 0]).mean / set([0, 1]).mean : 0;
  const d = 1 / Math.sqrt(D) / set([1, m]).size;
  set([d, d * m]);
  return blocks;
}

/** @param {() => number} random @param {MatrixType} type @param {number[]} shape */
function matrix(random, type, shape) {
  const n = shape[0] * shape[1];
  if (type in FORMATS) {
    const format = /** @type {FormatName} */ (type);
    return { type: FORMATS[format].number, data: randomWeights(random, format, n) };
  }
  const plain = /** @type {PlainName} */ (type);
  return { type: plain, data: encode(floats(random, n, Math.sqrt(3 / D)), plain) };
}

/**
 * @param {(matrix: string) => MatrixType} typeOf
 * @param {number} seed
 * @returns {Promise<Uint8Array>}
 */
export async function blockModel(typeOf, seed) {
  const random = randomFrom(seed);
  /** @type {Record<string, number[]>} */
  const shapes = { 'token_embd.weight': [PIECES.length, D], 'output.weight': [PIECES.length, D] };
  for (let l = 0; l < L; l++) {
    Object.assign(shapes, {
      [`blk.${l}.attn_q.weight`]: [H * DH, D],
      [`blk.${l}.attn_k.weight`]: [HK * DH, D],
      [`blk.${l}.attn_v.weight`]: [HK * DH, D],
      [`blk.${l}.attn_output.weight`]: [D, H * DH],
      [`blk.${l}.ffn_gate.weight`]: [F, D],
      [`blk.${l}.ffn_up.weight`]: [F, D],
      [`blk.${l}.ffn_down.weight`]: [D, F],
    });
  }
  const norms = ['output_norm.weight', ...[...Array(L).keys()].flatMap((l) =>
    [`blk.${l}.attn_norm.weight`, `blk.${l}.ffn_norm.weight`])];
  return writeGguf({
    metadata: {
      'general.architecture': string('llama'),
      'llama.block_count': uint32(L),
      'llama.context_length': uint32(72),
      'llama.embedding_length': uint32(D),
      'llama.feed_forward_length': uint32(F),
      'llama.attention.head_count': uint32(H),
      'llama.attention.head_count_kv': uint32(HK),
      'llama.attention.layer_norm_rms_epsilon': float32(1e-5),
      'llama.rope.dimension_count': uint32(DH),
      ...SENTENCE_PIECE,
    },
    tensors: [
      ...norms.map((norm) => ({
        name: norm, type: /** @type {const} */ ('f32'), shape: [D], data: floats(random, D, 0.2).map((v) => 1 + v),
      })),
      ...Object.entries(shapes).map(([name, shape]) => ({
        name, shape, ...matrix(random, typeOf(name), shape),
      })),
    ],
  });
}
