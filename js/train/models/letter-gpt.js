/** A small causal transformer on letters: learned positions, pre-norm blocks. */
import { under } from '../../lab/index.js';

/** @typedef {import('../../lab/index.js').Lab} Lab */
/** @typedef {import('../../lab/index.js').Tensor} Tensor */
/** @typedef {import('../../lab/index.js').Weights} Weights */
/** @typedef {{ layers: number, heads: number, width: number, hidden: number, time: number, tokens: string[] }}
 *    Config */

/** @param {Lab} lab @param {Config} config @returns {Weights} */
export function initLetterGpt({ init }, { layers, width, hidden, time, tokens }) {
  const blocks = Array.from({ length: layers }, (_, l) => init.encoderBlock(`blocks.${l}.`, width, hidden));
  return {
    ...init.embedding('tok_emb.', tokens.length, width, { deviation: 0.5 }),
    ...init.embedding('pos_emb.', time, width, { deviation: 0.5 }),
    ...Object.assign({}, ...blocks),
    ...init.layerNorm('ln_f.', width),
    ...init.linear('head.', width, tokens.length),
  };
}

/**
 * @param {Lab} lab @param {Weights} w @param {Config} config
 * @param {ArrayLike<number>} ids [batch][time]
 * @param {{ batch: number, time: number }} shape
 * @param {import('../../lab/blocks.js').OnActivation} [onActivation] called with each activation, such as
 *   'blocks.0.attn.hook_q'
 * @returns {{ logits: Tensor, patterns: Tensor[] }} logits [batch][time][token]; [batch][head][query][key] a layer
 */
export function letterGpt(lab, w, { layers, heads }, ids, shape, onActivation = () => {}) {
  const positions = Int32Array.from({ length: ids.length }, (_, i) => i % shape.time);
  const embedded = lab.embedding(w['tok_emb.weight'], ids, shape);
  const placed = lab.embedding(w['pos_emb.weight'], positions, shape);
  onActivation('hook_embed', embedded);
  onActivation('hook_pos_embed', placed);
  let x = lab.add(embedded, placed);
  const patterns = [];
  for (let l = 0; l < layers; l++) {
    const block = lab.encoderBlock(x, under(w, `blocks.${l}.`), { heads, norm: 'pre', causal: true,
      onActivation: (name, tensor) => onActivation(`blocks.${l}.${name}`, tensor) });
    x = block.output;
    patterns.push(block.pattern);
  }
  const normed = lab.layerNorm(x, w['ln_f.weight'], w['ln_f.bias']);
  onActivation('ln_final.hook_normalized', normed);
  const logits = lab.linear(normed, w['head.weight'], w['head.bias']);
  return { logits, patterns };
}
