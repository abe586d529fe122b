/** GGUF files of models for vectors of texts, with their pooling, as llama.cpp's converter writes them. */
import { uint32 } from '../../js/files/gguf/writer.js';
import { ENCODERS } from './encoders.js';
import { D, FAMILIES, ggufOf } from './families.js';
import { floats, randomFrom } from './numbers.js';

/** A text of the tokenizer in word-piece.js. */
export const TEXT = 'The cats sat on a dog, the cat ran.';
/** Inner width of the Dense layers. */
const INNER = 64;

const next = randomFrom(97);
/** Dense layers of EmbeddingGemma, by their names in GGUF. */
export const DENSE = {
  'dense_2.weight': { shape: [INNER, D], data: floats(next, INNER * D, 0.4) },
  'dense_3.weight': { shape: [D, INNER], data: floats(next, INNER * D, 0.4) },
};

/** pooling: llama.cpp's number, and its name in heed; dense: whether Dense layers follow.
 *  @type {{ name: string, pooling: [type: number, mode: 'mean' | 'cls' | 'last'], dense?: true }[]} */
export const EMBEDDERS = [
  { name: 'bert', pooling: [1, 'mean'] },
  { name: 'bert', pooling: [2, 'cls'] },
  { name: 'nomic-bert', pooling: [1, 'mean'] },
  { name: 'modern-bert', pooling: [2, 'cls'] },
  { name: 'qwen3', pooling: [3, 'last'] },
  { name: 'gemma-embedding', pooling: [1, 'mean'], dense: true },
  { name: 'jina-bert-v2', pooling: [1, 'mean'] },
];

/** @typedef {Record<string, import('../../js/files/gguf/writer.js').MetadataValue>} Settings */

/** @param {(typeof EMBEDDERS)[number]} of @param {Settings} [changes]  of settings
 *  @param {Parameters<typeof ggufOf>[2]} [tensors]  changes the tensors */
export async function embedderOf({ name, pooling: [type], dense }, changes = {}, tensors = (all) => all) {
  const row = [...ENCODERS, ...FAMILIES].find((one) => one.name === name);
  if (!row) throw new Error(name);
  const settings = { pooling_type: uint32(type), ...(dense && { dense_2_feat_in: uint32(D),
    dense_2_feat_out: uint32(INNER), dense_3_feat_in: uint32(INNER), dense_3_feat_out: uint32(D) }), ...changes };
  const layers = dense ? Object.entries(DENSE).map(([layer, { shape, data }]) =>
    ({ name: layer, type: /** @type {const} */ ('f32'), shape, data })) : [];
  return ggufOf(row, settings, (all) => tensors([...layers, ...all]));
}
