/** How many weights a transformer has, from its sizes alone. */
import { HeedError, quoted } from '../errors.js';
import { needOptions } from '../options.js';

/**
 * Products with biases: none (Llama), queries, keys and values (Qwen2), those and the attention's output (Llama with
 * `attention_bias`), the feed-forward network (Llama with `mlp_bias`), or all (GPT-2).
 * @typedef {'none' | 'qkv' | 'attention' | 'feed-forward' | 'all'} Biases
 *
 * @typedef {object} Architecture  sizes by the names of `model.info`; what is left out is as in GPT-2
 * @property {number} layers
 * @property {number} heads
 * @property {number} dModel
 * @property {number} vocabulary
 * @property {number} [kvHeads]           heads of keys and values; as many as of queries
 * @property {number} [dHead]             dModel / heads
 * @property {number} [dFeedForward]      4·dModel
 * @property {number} [learnedPositions]  positions that have a vector of their own; 0: none, as with RoPE
 * @property {boolean} [normBiases]       norms have a bias beside their weight; true unless told
 * @property {boolean} [gated]            a third matrix in the feed-forward network (SwiGLU)
 * @property {Biases} [biases]  which products have them; all
 * @property {boolean} [tied]             the head is the embedding's table
 *
 * @typedef {object} Part
 * @property {string} name
 * @property {'embedding' | 'attention' | 'feed-forward' | 'norm' | 'head'} kind
 * @property {number[]} shape    [outputs, inputs] or [n]
 * @property {number} copies     how many there are of it
 * @property {number} weights    all copies together
 */

const BIASES = ['none', 'qkv', 'attention', 'feed-forward', 'all'];
const KNOWN = ['layers', 'heads', 'dModel', 'vocabulary', 'kvHeads', 'dHead', 'dFeedForward', 'learnedPositions',
  'normBiases', 'gated', 'biases', 'tied'];

/**
 * Every weight of a causal language model, part by part.  With heads of d/h, all of them with keys and values of their
 * own, attention has 4·d² weights a layer.  For a loaded model, `countWeights(model.info).total` is
 * `model.info.parameters`.
 * @param {Architecture} architecture
 * @returns {{ parts: Part[], total: number, attention: number }} attention: W_Q, W_K, W_V and W_O, without biases
 * @throws {HeedError} 'bad-argument'
 */
export function countWeights(architecture) {
  // what a model says of itself has more than is counted here
  if (!(architecture && 'architecture' in architecture)) needOptions('countWeights', architecture ?? null, KNOWN);
  const { layers: L, heads, dModel: D, vocabulary: V, kvHeads = heads, dHead = D / heads, dFeedForward: F = 4 * D,
    learnedPositions = 0, normBiases = true, gated = false, biases = 'all', tied = true } = architecture;
  const least = { layers: [L, 1], heads: [heads, 1], dModel: [D, 1], vocabulary: [V, 1], kvHeads: [kvHeads, 1],
    dHead: [dHead, 1], dFeedForward: [F, 1], learnedPositions: [learnedPositions, 0] };
  for (const [name, [n, from]] of Object.entries(least)) {
    if (Number.isInteger(n) && n >= from) continue;
    throw new HeedError('bad-argument', `countWeights: ${name} is ${n}; it is a whole number, ${from} or more.`);
  }
  if (!BIASES.includes(biases)) {
    throw new HeedError('bad-argument', `countWeights: biases is ${quoted(biases)}; it is ${BIASES.join(', ')}.`);
  }
  const [queries, keys] = [heads * dHead, kvHeads * dHead];
  /** @type {(name: string, kind: Part['kind'], copies: number, shape: number[]) => Part} */
  const part = (name, kind, copies, shape) =>
    ({ name, kind, shape, copies, weights: copies * shape.reduce((product, size) => product * size, 1) });

  /** @param {Biases[]} kinds */
  const of = (...kinds) => biases === 'all' || kinds.includes(biases);
  const products = [
    part('W_Q', 'attention', L, [queries, D]),
    part('W_K', 'attention', L, [keys, D]),
    part('W_V', 'attention', L, [keys, D]),
    part('W_O', 'attention', L, [D, queries]),
  ];
  const parts = [
    part('token embedding', 'embedding', 1, [V, D]),
    ...(learnedPositions ? [part('positions', 'embedding', 1, [learnedPositions, D])] : []),
    ...products,
    ...(of('qkv', 'attention') ? [part('b_Q, b_K, b_V', 'attention', L, [queries + 2 * keys])] : []),
    ...(of('attention') ? [part('b_O', 'attention', L, [D])] : []),
    ...(gated ? [part('W_gate', 'feed-forward', L, [F, D])] : []),
    part('W_1', 'feed-forward', L, [F, D]),
    part('W_2', 'feed-forward', L, [D, F]),
    ...(of('feed-forward') && gated ? [part('b_gate', 'feed-forward', L, [F])] : []),
    ...(of('feed-forward') ? [part('b_1', 'feed-forward', L, [F]), part('b_2', 'feed-forward', L, [D])] : []),
    part('norms', 'norm', (normBiases ? 2 : 1) * (2 * L + 1), [D]),
    ...(tied ? [] : [part('head', 'head', 1, [V, D])]),
  ];
  const sum = (/** @type {Part[]} */ list) => list.reduce((all, { weights }) => all + weights, 0);
  return { parts, total: sum(parts), attention: sum(products) };
}

/**
 * What a file's configuration and tensors say of its architecture.
 * @param {import('../files/config.js').Config} config
 * @param {readonly { name: string }[]} tensors by GGUF's names
 * @returns {Required<Architecture>}
 */
export function architectureOf(config, tensors) {
  const has = (/** @type {string} */ name) => tensors.some((tensor) => tensor.name === name);
  const qkv = has('blk.0.attn_q.bias') || has('blk.0.attn_qkv.bias');
  const attention = qkv && has('blk.0.attn_output.bias');
  const feedForward = has('blk.0.ffn_up.bias');
  return {
    layers: config.layers,
    heads: config.heads,
    kvHeads: config.kv_heads,
    dModel: config.d_model,
    dHead: config.d_head,
    dFeedForward: config.d_ff,
    vocabulary: config.vocabulary,
    learnedPositions: config.position === 'learned' ? config.context_length : 0,
    normBiases: has('blk.0.attn_norm.bias'),
    gated: config.gated === 'yes',
    biases: attention && feedForward ? 'all'
      : attention ? 'attention' : qkv ? 'qkv' : feedForward ? 'feed-forward' : 'none',
    tied: !has('output.weight'),
  };
}
