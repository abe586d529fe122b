/** The trained model as the anatomy shows it: its sizes, the names of its weights, and every number of a run. */
import { letterGpt } from '../../js/train/models/letter-gpt.js';

/** @typedef {import('../../js/lab/index.js').Lab} Lab */
/** @typedef {import('../../js/lab/index.js').Weights} Weights */

/** GGUF names of the weights of a block, and PyTorch's. @type {Record<string, string>} */
const BLOCK = {
  'attn_norm.weight': 'norm1.weight', 'attn_norm.bias': 'norm1.bias',
  'attn_qkv.weight': 'self_attn.in_proj_weight', 'attn_qkv.bias': 'self_attn.in_proj_bias',
  'attn_output.weight': 'self_attn.out_proj.weight', 'attn_output.bias': 'self_attn.out_proj.bias',
  'ffn_norm.weight': 'norm2.weight', 'ffn_norm.bias': 'norm2.bias',
  'ffn_up.weight': 'linear1.weight', 'ffn_up.bias': 'linear1.bias',
  'ffn_down.weight': 'linear2.weight', 'ffn_down.bias': 'linear2.bias',
};
/** The same outside of the blocks. @type {Record<string, string>} */
const SHARED = {
  'token_embd.weight': 'tok_emb.weight', 'position_embd.weight': 'pos_emb.weight', 'output_norm.weight': 'ln_f.weight',
  'output_norm.bias': 'ln_f.bias', 'output.weight': 'head.weight', 'output.bias': 'head.bias',
};

/** PyTorch's names of all weights, by GGUF name. @param {number} layers @returns {Record<string, string>} */
export const namesOf = (layers) => Object.fromEntries([...Object.entries(SHARED),
  ...Array.from({ length: layers }, (_, l) => Object.entries(BLOCK).map(([gguf, torch]) =>
    [`blk.${l}.${gguf}`, `blocks.${l}.${torch}`])).flat()]);

/** Sizes of the model, as the anatomy takes them.
 *  @param {import('../../js/train/models/letter-gpt.js').Config} config */
export const infoOf = ({ layers, heads, width, hidden, time, tokens }) => ({ layers, heads, kvHeads: heads,
  dModel: width, dHead: width / heads, dFeedForward: hidden, vocabulary: tokens.length, learnedPositions: time,
  rotary: false, gated: false, tied: false, norm: /** @type {const} */ ('layernorm'), normEpsilon: 1e-5,
  activation: /** @type {const} */ ('relu') });

/**
 * Runs the model and keeps every activation.
 * @param {Lab} l @param {Weights} weights @param {any} config @param {number[]} ids
 * @returns {Record<string, Float32Array>} by their names in TransformerLens, and `logits`
 */
export function runAll(l, weights, config, ids) {
  return l.evaluate(() => {
    /** @type {Record<string, Float32Array>} */
    const seen = {};
    const { logits } = letterGpt(l, weights, config, ids, { batch: 1, time: ids.length },
      (name, { data }) => { seen[name] = data.slice(); });
    return { ...seen, logits: logits.data.slice() };
  });
}
