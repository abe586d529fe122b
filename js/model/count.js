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
 * 'not qkv': every product except queries, keys and values, as in GPT-Neo.
 * 'not up': every product except W_1 and the gate of the feed-forward network, as in JinaBERT.
 * @typedef {'none' | 'qkv' | 'attention' | 'feed-forward' | 'all' | 'not qkv' | 'not up'} Biases
 */
/**
 * Sizes of a transformer, by the names of `model.info`.  Defaults are the choices of GPT-2.
 * @typedef {object} Architecture
 * @property {number} layers              number of blocks; in an encoder–decoder, of the decoder
 * @property {number} heads               number of query heads per block
 * @property {number} dModel              width of the residual stream
 * @property {number} vocabulary          number of tokens
 * @property {number} [kvHeads]           number of key and value heads per block; default `heads`
 * @property {number} [dHead]             width of a head; default dModel / heads
 * @property {number} [dFeedForward]      hidden width of the feed-forward network; default 4·dModel
 * @property {number} [encoderLayers]     number of the encoder's blocks, in an encoder–decoder; default 0: no encoder.
 *   Blocks of the decoder then have cross-attention, too
 * @property {number} [learnedPositions]  number of learned position embeddings, in each part of an encoder–decoder;
 *   default 0, as with RoPE
 * @property {number} [relativeBuckets]   number of learned biases of distances of each head and part, as in T5;
 *   default 0
 * @property {number} [experts]           number of feed-forward networks of a block, in a mixture of experts; default 0
 * @property {number} [dShared]           hidden width of the network that every token uses, too; default 0
 * @property {boolean} [normBiases]       whether norms have a bias beside their weight; default true
 * @property {boolean} [gated]            whether the feed-forward network has a gate (SwiGLU); default false
 * @property {Biases} [biases]            matrix products that have biases; default 'all'
 * @property {number} [blockNorms]        number of norms of the residual stream in a block, without that of
 *   cross-attention; default 2
 * @property {'none' | 'head' | 'all'} [qkNorm]  norms of queries and keys: of each head, or of all heads together;
 *   default 'none'
 * @property {boolean} [embeddingNorm]    whether embeddings are normalized, as in Bloom; default false
 * @property {boolean} [headBias]         whether logits have a bias, as in Phi-2; default false
 * @property {number} [segments]          rows of the embedding of segments, as in BERT; default 0
 * @property {boolean} [firstNorm]        whether the first block has a norm before attention, if others have it;
 *   default true
 * @property {boolean} [finalNorm]        whether a norm follows the last block; default true
 * @property {'none' | 'dense' | 'dense and norm'} [headLayer]  layer before the output head, as in BERT; default 'none'
 * @property {number} [outputs]           logits of a row: labels of a classifier; default `vocabulary`
 * @property {number} [patch]             numbers of a patch of a picture; default 0: the model reads texts
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

/** @type {Record<string, string[]>} */
const CHOICES = {
  biases: ['none', 'qkv', 'attention', 'feed-forward', 'all', 'not qkv', 'not up'],
  qkNorm: ['none', 'head', 'all'],
  headLayer: ['none', 'dense', 'dense and norm'],
};
const KNOWN = ['layers', 'heads', 'dModel', 'vocabulary', 'kvHeads', 'dHead', 'dFeedForward', 'learnedPositions',
  'normBiases', 'gated', 'biases', 'tied', 'blockNorms', 'qkNorm', 'embeddingNorm', 'headBias', 'segments', 'patch',
  'firstNorm', 'finalNorm', 'headLayer', 'outputs', 'experts', 'dShared', 'encoderLayers', 'relativeBuckets'];

/** @param {string} name @param {string} expected @param {unknown} got */
const wrong = (name, expected, got) =>
  new HeedError('bad-argument', `countWeights: expected ${name} to be ${expected} got ${got}.`);

/**
 * Counts the weights of a transformer, part by part.  With heads of width dModel / heads and as many key
 * heads as query heads, attention has 4·dModel² weights per layer.  For a loaded model,
 * `countWeights(model.info).total` equals `model.info.parameters`.
 * @param {Architecture} architecture  sizes, or the `info` of a loaded model
 * @returns {{ parts: Part[], total: number, attention: number }} parts that have weights; the number of all weights;
 *   the number of weights of W_Q, W_K, W_V and W_O, without biases
 * @throws {HeedError} 'bad-argument'
 */
export function countWeights(architecture) {
  // model.info has more properties than the options of this call
  if (!(architecture && 'architecture' in architecture)) needOptions('countWeights', architecture ?? null, KNOWN);
  const { layers: L, heads, dModel: D, vocabulary: V, kvHeads = heads, dHead = D / heads, dFeedForward: F = 4 * D,
    learnedPositions = 0, normBiases = true, gated = false, biases = 'all', tied = true, blockNorms = 2,
    qkNorm = 'none', embeddingNorm = false, headBias = false, segments = 0, patch = 0, firstNorm = true,
    finalNorm = true, headLayer = 'none', outputs = V, experts = 0, dShared = 0, encoderLayers = 0,
    relativeBuckets = 0 } = architecture;
  const sizes = { layers: L, heads, dModel: D, vocabulary: V, kvHeads, dHead, dFeedForward: F, outputs };
  const least = (/** @type {object} */ sizesOrCounts, /** @type {number} */ from) => {
    for (const [name, n] of Object.entries(sizesOrCounts)) {
      if (!Number.isInteger(n) || n < from) throw wrong(name, `an integer from ${from},`, n);
    }
  };
  least(sizes, 1);
  least({ learnedPositions, blockNorms, segments, patch, experts, dShared, encoderLayers, relativeBuckets }, 0);
  for (const [name, value] of Object.entries({ biases, qkNorm, headLayer })) {
    const known = CHOICES[name];
    if (!known.includes(value)) throw wrong(name, `one of ${known.join(', ')};`, quoted(value));
  }
  const stacks = encoderLayers ? 2 : 1;
  const blocks = encoderLayers + L;
  const crossAttentions = encoderLayers ? L : 0;
  const attentions = blocks + crossAttentions;
  const queries = heads * dHead;
  const keys = kvHeads * dHead;
  /** @type {(name: string, kind: Part['kind'], copies: number, shape: number[]) => Part} */
  const part = (name, kind, copies, shape) =>
    ({ name, kind, shape, copies, weights: copies * shape.reduce((product, size) => product * size, 1) });
  /** Feed-forward networks. @param {number} copies @param {number} width @param {string} of */
  const network = (copies, width, of) => [
    part(`W_gate${of}`, 'feed-forward', gated ? copies : 0, [width, D]),
    part(`W_1${of}`, 'feed-forward', copies, [width, D]),
    part(`W_2${of}`, 'feed-forward', copies, [D, width]),
  ];

  /** 1 if the model has these biases, otherwise 0. @param {Biases[]} kinds */
  const has = (...kinds) => Number(biases === 'all' || kinds.includes(biases));
  const inNetworks = blocks * has('feed-forward', 'not qkv');
  const norms = blockNorms * blocks + crossAttentions - Number(!firstNorm) +
    stacks * (Number(finalNorm) + Number(embeddingNorm)) + Number(headLayer === 'dense and norm');
  const products = [
    part('W_Q', 'attention', attentions, [queries, D]),
    part('W_K', 'attention', attentions, [keys, D]),
    part('W_V', 'attention', attentions, [keys, D]),
    part('W_O', 'attention', attentions, [D, queries]),
  ];
  const parts = [
    ...(patch ? [part('class token', 'embedding', 1, [D]), part('patches', 'embedding', 1, [D, patch]),
      part('b_patches', 'embedding', 1, [D])] : [part('token embedding', 'embedding', 1, [V, D])]),
    part('positions', 'embedding', stacks, [learnedPositions, D]),
    part('segments', 'embedding', 1, [segments, D]),
    part('biases of distances', 'attention', stacks, [relativeBuckets, heads]),
    ...products,
    part('b_Q, b_K, b_V', 'attention', attentions * has('qkv', 'attention', 'not up'), [queries + 2 * keys]),
    part('b_O', 'attention', attentions * has('attention', 'not qkv', 'not up'), [D]),
    part('norms of queries and keys', 'norm', qkNorm === 'head' ? 2 * attentions : 0, [dHead]),
    part('norms of queries and keys', 'norm', qkNorm === 'all' ? attentions : 0, [queries + keys]),
    part('router', 'feed-forward', blocks, [experts, D]),
    ...network(blocks * (experts || 1), F, ''),
    ...network(blocks, dShared, ' shared'),
    part('gate of shared', 'feed-forward', dShared ? blocks : 0, [D]),
    part('b_gate', 'feed-forward', gated ? inNetworks : 0, [F]),
    part('b_1', 'feed-forward', inNetworks, [F]),
    part('b_2', 'feed-forward', blocks * has('feed-forward', 'not qkv', 'not up'), [D]),
    part('norms', 'norm', (normBiases ? 2 : 1) * norms, [D]),
    part('layer before the head', 'head', headLayer === 'none' ? 0 : 1, [D, D]),
    part('b_layer', 'head', headLayer === 'none' || biases !== 'all' ? 0 : 1, [D]),
    part('head', 'head', tied ? 0 : 1, [outputs, D]),
    part('b_head', 'head', headBias ? 1 : 0, [outputs]),
  ].filter(({ weights }) => weights > 0);
  const sum = (/** @type {Part[]} */ list) => list.reduce((all, { weights }) => all + weights, 0);
  return { parts, total: sum(parts), attention: sum(products) };
}

/** The number of norms of a block.  @param {(name: string) => boolean} has @param {number} layer */
const normsOf = (has, layer) => ['attn_norm', 'post_attention_norm', 'attn_output_norm', 'ffn_norm', 'post_ffw_norm',
  'layer_output_norm'].filter((norm) => has(`blk.${layer}.${norm}.weight`)).length;

/**
 * The architecture of a file, from its configuration and the names of its tensors.
 * @param {import('../files/config.js').Config} config
 * @param {readonly { name: string }[]} tensors  tensors with GGUF's names
 * @param {import('../files/families/parts.js').Parts} [parts]  parts of an encoder–decoder
 * @returns {Required<Architecture>}
 */
export function architectureOf(config, tensors, parts) {
  const has = (/** @type {string} */ name) => tensors.some((tensor) => tensor.name === name);
  const hasBias = (/** @type {string} */ slot) => has(`blk.0.${slot}.bias`);
  const qkv = hasBias('attn_q') || hasBias('attn_qkv');
  const output = hasBias('attn_output');
  const down = hasBias('ffn_down');
  return {
    layers: parts?.decoder.layers ?? config.layers,
    encoderLayers: parts?.encoder.layers ?? 0,
    heads: config.heads,
    kvHeads: config.kv_heads,
    dModel: config.d_model,
    dHead: config.d_head,
    dFeedForward: config.d_ff,
    experts: config.experts ?? 0,
    dShared: config.d_shared ?? 0,
    vocabulary: config.vocabulary,
    learnedPositions: config.position === 'learned' && !parts?.sinusoids ? config.context_length : 0,
    relativeBuckets: parts?.buckets ?? 0,
    normBiases: hasBias('attn_norm') || hasBias('attn_output_norm'),
    gated: config.gated === 'yes',
    biases: qkv && output ? (!down ? 'attention' : hasBias('ffn_up') ? 'all' : 'not up')
      : qkv ? 'qkv' : output ? 'not qkv' : down ? 'feed-forward' : 'none',
    tied: !has('output.weight'),
    blockNorms: normsOf(has, config.layers - 1),
    qkNorm: config.qk_norm ?? 'none',
    embeddingNorm: has('token_embd_norm.weight'),
    headBias: has('output.bias'),
    segments: config.token_types ?? 0,
    patch: config.patch ?? 0,
    firstNorm: normsOf(has, 0) === normsOf(has, config.layers - 1),
    finalNorm: has('output_norm.weight'),
    headLayer: !has('cls.weight') ? 'none' : has('cls.norm.weight') ? 'dense and norm' : 'dense',
    outputs: config.labels || config.vocabulary,
  };
}
