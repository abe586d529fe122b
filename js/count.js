/** How many weights a transformer has, from its configuration alone. */

/**
 * @typedef {Pick<import('./config.js').Config, 'layers' | 'heads' | 'kv_heads' | 'd_model' | 'd_head' | 'd_ff' |
 *   'vocabulary' | 'context_length' | 'norm' | 'position' | 'gated'>} CountedConfig
 * @typedef {object} Extras  what a file has or has not, and no configuration says
 * @property {'none' | 'qkv' | 'all'} [biases]  none (Llama), of queries, keys and values (Qwen2), of every product
 *   (GPT)
 * @property {boolean} [tied]  the head is the embedding's table
 *
 * @typedef {object} Part
 * @property {string} name
 * @property {'embedding' | 'attention' | 'feed-forward' | 'norm' | 'head'} kind
 * @property {number[]} shape    [outputs, inputs] or [n]
 * @property {number} copies     how many there are of it
 * @property {number} weights    all copies together
 */

/**
 * Every weight of a causal language model, part by part.  With heads of d/h, all of them with keys and values of their
 * own, attention has 4·d² weights a layer.
 * @param {CountedConfig} config @param {Extras} [extras]
 * @returns {{ parts: Part[], total: number, attention: number }} attention: W_Q, W_K, W_V and W_O, without biases
 */
export function countWeights(config, { biases = 'all', tied = true } = {}) {
  const { layers: L, d_model: D, d_ff: F, vocabulary: V, context_length: C } = config;
  const [queries, keys] = [config.heads * config.d_head, config.kv_heads * config.d_head];
  const gated = config.gated === 'yes';
  const norms = config.norm === 'layernorm' ? 2 : 1; // weight and bias, or weight
  /** @type {(name: string, kind: Part['kind'], copies: number, shape: number[]) => Part} */
  const part = (name, kind, copies, shape) =>
    ({ name, kind, shape, copies, weights: copies * shape.reduce((product, size) => product * size, 1) });

  const products = [
    part('W_Q', 'attention', L, [queries, D]),
    part('W_K', 'attention', L, [keys, D]),
    part('W_V', 'attention', L, [keys, D]),
    part('W_O', 'attention', L, [D, queries]),
  ];
  const parts = [
    part('token embedding', 'embedding', 1, [V, D]),
    ...(config.position === 'learned' ? [part('positions', 'embedding', 1, [C, D])] : []),
    ...products,
    ...(biases === 'none' ? [] : [part('b_Q, b_K, b_V', 'attention', L, [queries + 2 * keys])]),
    ...(biases === 'all' ? [part('b_O', 'attention', L, [D])] : []),
    ...(gated ? [part('W_gate', 'feed-forward', L, [F, D])] : []),
    part('W_1', 'feed-forward', L, [F, D]),
    part('W_2', 'feed-forward', L, [D, F]),
    ...(biases === 'all' ? [part('b_1', 'feed-forward', L, [F]), part('b_2', 'feed-forward', L, [D])] : []),
    part('norms', 'norm', norms * (2 * L + 1), [D]),
    ...(tied ? [] : [part('head', 'head', 1, [V, D])]),
  ];
  const sum = (/** @type {Part[]} */ list) => list.reduce((all, { weights }) => all + weights, 0);
  return { parts, total: sum(parts), attention: sum(products) };
}

/**
 * What a file's tensors say that its configuration does not.
 * @param {readonly { name: string }[]} tensors by GGUF's names @returns {Required<Extras>}
 */
export function extrasOf(tensors) {
  const has = (/** @type {string} */ name) => tensors.some((tensor) => tensor.name === name);
  const qkv = has('blk.0.attn_q.bias') || has('blk.0.attn_qkv.bias');
  return {
    biases: has('blk.0.attn_output.bias') ? 'all' : qkv ? 'qkv' : 'none',
    tied: !has('output.weight'),
  };
}
