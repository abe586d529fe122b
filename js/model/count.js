/** The number of weights of a transformer, from its sizes. */
import { HeedError, quoted } from '../errors.js';
import { needOptions } from '../options.js';

/**
 * Matrix products that have biases.
 * 'none': no product, as in Llama.
 * 'qkv': queries, keys and values, as in Qwen2.
 * 'attention': queries, keys, values and the attention output, as in Llama with `attention_bias`.
 * 'feed-forward': the feed-forward network, as in Llama with `mlp_bias`.
 * 'all': every product, as in GPT-2.
 * @typedef {'none' | 'qkv' | 'attention' | 'feed-forward' | 'all'} Biases
 */
/**
 * Sizes of a transformer, by the names of `model.info`.  Defaults are the choices of GPT-2.
 * @typedef {object} Architecture
 * @property {number} layers              number of blocks
 * @property {number} heads               number of query heads per block
 * @property {number} dModel              width of the residual stream
 * @property {number} vocabulary          number of tokens
 * @property {number} [kvHeads]           number of key and value heads per block; default `heads`
 * @property {number} [dHead]             width of a head; default dModel / heads
 * @property {number} [dFeedForward]      hidden width of the feed-forward network; default 4·dModel
 * @property {number} [learnedPositions]  number of learned position embeddings; default 0, as with RoPE
 * @property {boolean} [normBiases]       whether norms have a bias beside their weight; default true
 * @property {boolean} [gated]            whether the feed-forward network has a gate (SwiGLU); default false
 * @property {Biases} [biases]            matrix products that have biases; default 'all'
 * @property {boolean} [tied]             whether the output head is the token embedding; default true
 */
/**
 * A weight of the model, with its copies in all blocks.
 * @typedef {object} Part
 * @property {string} name       symbol or name of the weight
 * @property {'embedding' | 'attention' | 'feed-forward' | 'norm' | 'head'} kind
 * @property {number[]} shape    [outputs, inputs] or [n]
 * @property {number} copies     number of copies in the model
 * @property {number} weights    number of elements of all copies
 */

const BIASES = ['none', 'qkv', 'attention', 'feed-forward', 'all'];
const KNOWN = ['layers', 'heads', 'dModel', 'vocabulary', 'kvHeads', 'dHead', 'dFeedForward', 'learnedPositions',
  'normBiases', 'gated', 'biases', 'tied'];

/**
 * Counts the weights of a causal language model, part by part.  With heads of width dModel / heads and as many key
 * heads as query heads, attention has 4·dModel² weights per layer.  For a loaded model,
 * `countWeights(model.info).total` equals `model.info.parameters`.
 * @param {Architecture} architecture  sizes, or the `info` of a loaded model
 * @returns {{ parts: Part[], total: number, attention: number }} the parts; the number of all weights; the number of
 *   weights of W_Q, W_K, W_V and W_O, without biases
 * @throws {HeedError} 'bad-argument'
 */
export function countWeights(architecture) {
  // model.info has more properties than the options of this call
  if (!(architecture && 'architecture' in architecture)) needOptions('countWeights', architecture ?? null, KNOWN);
  const { layers: L, heads, dModel: D, vocabulary: V, kvHeads = heads, dHead = D / heads, dFeedForward: F = 4 * D,
    learnedPositions = 0, normBiases = true, gated = false, biases = 'all', tied = true } = architecture;
  const least = { layers: [L, 1], heads: [heads, 1], dModel: [D, 1], vocabulary: [V, 1], kvHeads: [kvHeads, 1],
    dHead: [dHead, 1], dFeedForward: [F, 1], learnedPositions: [learnedPositions, 0] };
  for (const [name, [n, from]] of Object.entries(least)) {
    if (Number.isInteger(n) && n >= from) continue;
    throw new HeedError('bad-argument', `countWeights: expected ${name} to be an integer from ${from}, got ${n}.`);
  }
  if (!BIASES.includes(biases)) {
    throw new HeedError('bad-argument', `countWeights: expected biases to be one of ${BIASES.join(', ')}; got ` +
      `${quoted(biases)}.`);
  }
  const queries = heads * dHead;
  const keys = kvHeads * dHead;
  /** @type {(name: string, kind: Part['kind'], copies: number, shape: number[]) => Part} */
  const part = (name, kind, copies, shape) =>
    ({ name, kind, shape, copies, weights: copies * shape.reduce((product, size) => product * size, 1) });

  /** Whether the model has these biases. @param {Biases[]} kinds */
  const has = (...kinds) => biases === 'all' || kinds.includes(biases);
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
    ...(has('qkv', 'attention') ? [part('b_Q, b_K, b_V', 'attention', L, [queries + 2 * keys])] : []),
    ...(has('attention') ? [part('b_O', 'attention', L, [D])] : []),
    ...(gated ? [part('W_gate', 'feed-forward', L, [F, D])] : []),
    part('W_1', 'feed-forward', L, [F, D]),
    part('W_2', 'feed-forward', L, [D, F]),
    ...(has('feed-forward') && gated ? [part('b_gate', 'feed-forward', L, [F])] : []),
    ...(has('feed-forward') ? [part('b_1', 'feed-forward', L, [F]), part('b_2', 'feed-forward', L, [D])] : []),
    part('norms', 'norm', (normBiases ? 2 : 1) * (2 * L + 1), [D]),
    ...(tied ? [] : [part('head', 'head', 1, [V, D])]),
  ];
  const sum = (/** @type {Part[]} */ list) => list.reduce((all, { weights }) => all + weights, 0);
  return { parts, total: sum(parts), attention: sum(products) };
}

/**
 * The architecture of a file, from its configuration and the names of its tensors.
 * @param {import('../files/config.js').Config} config
 * @param {readonly { name: string }[]} tensors  with GGUF's names
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
