/** Multi-head attention and transformer blocks with PyTorch's names of weights. */
import { HeedError } from '../errors.js';
import { kindOf, needCounts, needOneOf, needPrefix, needTensors, needWeights } from './arguments.js';
import { attend } from './attention.js';
import { badShape, describe } from './axes.js';

/**
 * @typedef {import('./tensor.js').Tensor} Tensor
 * @typedef {import('./operations.js').Operations} Operations
 * @typedef {import('./attention.js').Attended} Attended
 */

/** Tensors by name, as in a state dict. @typedef {Record<string, Tensor>} Weights */

/**
 * Options of the heads.
 * @typedef {object} HeadOptions
 * @property {number} heads      number of query heads
 * @property {number} [kvHeads]  number of key-value heads, a divisor of `heads`; default `heads`
 * @property {{ kind?: 'halves' | 'adjacent', theta?: number, first?: number } | null} [rope]  options of the rotary
 *   position embedding of queries and keys; default none
 * @property {number[]} [valueWidths]  number of value features of each head, if they differ; default equal
 */

/**
 * Called with each activation while it is computed. The tensor ends with the step or evaluation: copy its `data`.
 * @callback OnActivation
 * @param {string} name  name in TransformerLens, without the block: 'attn.hook_q', 'cross_attn.hook_q', 'mlp.hook_post'
 * @param {Tensor} x     [batch][time][feature], heads joined; scores and pattern: [batch][head][query][key]
 * @returns {void}
 */

/**
 * Options of multi-head attention.
 * @typedef {HeadOptions & import('./attention.js').AttentionOptions} MultiHeadOptions
 */

/**
 * Options of a transformer block.
 * @typedef {object} BlockOptions
 * @property {'post' | 'pre'} [norm]  place of the norms: after the residual sum (Vaswani et al. 2017) or before each
 *   layer (Xiong et al. 2020); default 'post'
 * @property {string} [activation]    activation of the feed-forward network; default 'relu'
 * @property {number} [dropout]       probability of dropout on patterns, hidden units and layer outputs; default 0
 * @property {number} [eps]           epsilon of the norms; default 1e-5
 */

/**
 * Options of an encoder block.
 * @typedef {MultiHeadOptions & BlockOptions & { onActivation?: OnActivation }} EncoderBlockOptions
 */

/**
 * Options of a decoder block. `lengths`, `mask` and `edit` apply to the self-attention.
 * @typedef {MultiHeadOptions & BlockOptions & MemoryOptions & { onActivation?: OnActivation }} DecoderBlockOptions
 */

/**
 * Masks and edit of the cross-attention.
 * @typedef {object} MemoryOptions
 * @property {ArrayLike<number> | null} [memoryLengths]  number of visible memory positions of each sequence, [batch]
 * @property {Tensor} [memoryMask]  mask of the memory, [batch][head][query][key]
 * @property {(pattern: Tensor) => Tensor} [memoryEdit]  `edit` of the cross-attention
 */

/**
 * Result of a decoder block.
 * @typedef {object} DecoderBlockResult
 * @property {Tensor} output  [batch][query][feature]
 * @property {Attended} self   maps of the self-attention
 * @property {Attended} cross  maps of the cross-attention
 */

/**
 * Weights whose names start with a prefix, with the prefix removed.
 * @param {Weights} weights  tensors by name
 * @param {string} prefix    such as 'block.0.'
 * @returns {Weights} the matching tensors by their shorter names
 * @throws {HeedError} 'bad-argument'
 * @example
 * lab.linear(x, under(weights, 'head.').weight);
 */
export function under(weights, prefix) {
  needPrefix('under', prefix);
  needTensors('under', weights ?? { weights });
  /** @type {Weights} */
  const found = {};
  for (const name of Object.keys(weights)) {
    if (name.startsWith(prefix)) found[name.slice(prefix.length)] = weights[name];
  }
  return found;
}

/**
 * Multi-head attention on joined heads.
 * @see {@link import('./index.js').Lab.multiHead}
 * @param {Operations} lab @param {Tensor} q @param {Tensor} k @param {Tensor} v @param {Weights} w
 * @param {MultiHeadOptions} options
 * @param {OnActivation} [onActivation]
 * @returns {Attended}
 */
export function multiHead(lab, q, k, v, w, options = NO_HEADS, onActivation = () => {}) {
  const { heads, kvHeads = heads, rope = null, valueWidths, ...attention } = options;
  needTensors('multiHead', { q, k, v });
  needCounts('multiHead', { heads, kvHeads });
  if (valueWidths) return multiHeadOfWidths(lab, q, k, v, w, valueWidths, options);
  if (heads > 1) needOneOf('multiHead', 'score of several heads', attention.score ?? PRODUCTS[0], PRODUCTS);
  needWeights('multiHead', w, ['out_proj.weight', ...(w?.q_proj_weight ? SEPARATE : ['in_proj_weight'])]);
  let [queries, keys, values] = project(lab, q, k, v, w);
  const shape = joinedHeads(q, k, heads, kvHeads, queries.place.columns);
  needSharedHeads(shape, queries, keys, values);
  onActivation('attn.hook_q', queries);
  onActivation('attn.hook_k', keys);
  onActivation('attn.hook_v', values);
  if (rope) {
    queries = lab.rope(queries, { ...rope, heads });
    keys = lab.rope(keys, { ...rope, first: 0, heads: kvHeads });
    onActivation('attn.hook_rot_q', queries);
    onActivation('attn.hook_rot_k', keys);
  }
  const [keyCount, valueCount] = [k, v].map(({ axes: { sizes } }) => sizes[sizes.length - 2]);
  if (keyCount !== valueCount) {
    throw badShape('multiHead', `k is ${describe(k.axes)} and v ${describe(v.axes)}: each key needs one value`);
  }
  const { output: z, pattern, scores } = attend(lab, queries, keys, values, shape, attention);
  const { sizes, names } = q.axes;
  const joined = lab.reshape(z, { sizes: [...sizes.slice(0, -1), z.place.columns], names });
  const output = lab.linear(joined, w['out_proj.weight'], w['out_proj.bias']);
  const maps = mapAxes(q, k, heads);
  const attended = { output, pattern: lab.reshape(pattern, maps), scores: lab.reshape(scores, maps) };
  onActivation('attn.hook_attn_scores', attended.scores);
  onActivation('attn.hook_pattern', attended.pattern);
  onActivation('attn.hook_z', joined);
  return attended;
}

/** Scores without weights. Weights of the other scores would have to be split among the heads. */
const PRODUCTS = ['scaled-dot', 'dot'];
const SEPARATE = ['q_proj_weight', 'k_proj_weight', 'v_proj_weight'];
/** Missing options, so that the check of `heads` reports them by name. */
const NO_HEADS = /** @type {MultiHeadOptions} */ ({});

/** Projects queries, keys and values, in one product if q, k and v are the same tensor.
 *  @param {Operations} lab @param {Tensor} q @param {Tensor} k @param {Tensor} v @param {Weights} w */
function project(lab, q, k, v, w) {
  const { in_proj_weight: weight, in_proj_bias: bias } = w;
  const d = q.place.columns;
  const part = (/** @type {number} */ i) => bias && lab.slice(bias, 0, i * d, (i + 1) * d);
  if (!weight) {
    return [q, k, v].map((x, i) => lab.linear(x, w[SEPARATE[i]], bias && biasOf(lab, bias, w, i)));
  }
  if (weight.place.rows !== 3 * d) {
    throw badShape('multiHead', `in_proj_weight is ${describe(weight.axes)}; for the ${d} features of q it must be ` +
      `[${3 * d}, ${d}]`);
  }
  if (q === k && k === v) {
    const all = lab.linear(q, weight, bias);
    return [0, 1, 2].map((i) => lab.slice(all, -1, i * d, (i + 1) * d));
  }
  return [q, k, v].map((x, i) => lab.linear(x, lab.slice(weight, 0, i * d, (i + 1) * d), part(i)));
}

/** @param {Operations} lab @param {Tensor} bias @param {Weights} w @param {number} i */
function biasOf(lab, bias, w, i) {
  const ends = SEPARATE.map((name) => w[name].place.rows);
  const from = ends.slice(0, i).reduce((sum, n) => sum + n, 0);
  return lab.slice(bias, 0, from, from + ends[i]);
}

/** @param {Tensor} q @param {Tensor} k @param {number} heads @param {number} kvHeads @param {number} width */
function joinedHeads(q, k, heads, kvHeads, width) {
  const a = q.axes.sizes;
  const b = k.axes.sizes;
  if (a.length < 2 || a.length > 3 || b.length !== a.length || (a.length === 3 && a[0] !== b[0])) {
    throw badShape('multiHead', `q and k are [batch][time][feature] of one batch; they are ${describe(q.axes)} and ` +
      describe(k.axes));
  }
  if (width % heads) throw badShape('multiHead', `${width} features are not a multiple of ${heads} heads`);
  return {
    batch: a.length === 3 ? a[0] : 1,
    heads,
    kvHeads,
    queries: a[a.length - 2],
    keys: b[b.length - 2],
    joined: true,
  };
}

/** Checks the widths of grouped key-value heads. @param {import('./attention.js').Heads} shape
 *  @param {Tensor} queries @param {Tensor} keys @param {Tensor} values */
function needSharedHeads({ heads, kvHeads }, queries, keys, values) {
  if (heads % kvHeads) throw badShape('multiHead', `${heads} query heads are not a multiple of ${kvHeads} key heads`);
  const width = queries.place.columns / heads;
  if (keys.place.columns !== kvHeads * width) {
    throw badShape('multiHead', `the keys have ${keys.place.columns} features; ${kvHeads} heads as wide as a ` +
      `query head have ${kvHeads * width}. Use q_proj_weight, k_proj_weight and v_proj_weight, because ` +
      'in_proj_weight makes as many keys as queries');
  }
  if (values.place.columns % kvHeads) {
    throw badShape('multiHead', `the values have ${values.place.columns} features, which is not a multiple of ` +
      `${kvHeads} heads`);
  }
}

/** @param {Tensor} q @param {Tensor} k @param {number} heads */
function mapAxes(q, k, heads) {
  const a = q.axes;
  const b = k.axes;
  const sizes = [...a.sizes.slice(0, -2), heads, a.sizes[a.sizes.length - 2], b.sizes[b.sizes.length - 2]];
  return { sizes, names: a.names && [...a.names.slice(0, -2), 'head', 'query', 'key'] };
}

/** Multi-head attention whose heads have values of different widths.
 *  @param {Operations} lab @param {Tensor} q @param {Tensor} k @param {Tensor} v @param {Weights} w
 *  @param {number[]} widths @param {MultiHeadOptions} options */
function multiHeadOfWidths(lab, q, k, v, w, widths, { heads, kvHeads = heads, rope, ...options }) {
  needWeights('multiHead', w, [...SEPARATE, 'out_proj.weight']);
  const rows = w.v_proj_weight.place.rows;
  if (widths.length !== heads || widths.reduce((sum, width) => sum + width, 0) !== rows) {
    throw badShape('multiHead', `valueWidths [${widths}] must have ${heads} numbers with the sum ${rows}, the rows ` +
      'of v_proj_weight');
  }
  if (kvHeads !== heads || rope || w.in_proj_bias) {
    throw badShape('multiHead', 'valueWidths excludes kvHeads, rope and in_proj_bias');
  }
  const [wq, wk] = SEPARATE.slice(0, 2).map((name) => split(lab, w[name], 0, heads));
  const wv = split(lab, w.v_proj_weight, 0, widths);
  const all = wq.map((_, i) => oneHead(lab, [q, k, v], [wq[i], wk[i], wv[i]], options));
  const z = lab.concat(all.map(({ output }) => output), -1);
  return { output: lab.linear(z, w['out_proj.weight'], w['out_proj.bias']), ...mapsOf(lab, all) };
}

/**
 * Self-attention in which each head projects its own slice of the features.
 * @see {@link import('./index.js').Lab.multiHeadOfPieces}
 * @param {Operations} lab @param {Tensor} x @param {Weights} w @param {MultiHeadOptions} options
 * @returns {Attended}
 */
export function multiHeadOfPieces(lab, x, w, { heads, ...options } = NO_HEADS) {
  needTensors('multiHeadOfPieces', { x });
  needCounts('multiHeadOfPieces', { heads });
  needWeights('multiHeadOfPieces', w, [...SEPARATE, 'out_proj.weight']);
  const pieces = split(lab, x, -1, heads);
  const [wq, wk, wv] = SEPARATE.map((name) => split(lab, w[name], 0, heads));
  const all = pieces.map((piece, i) => oneHead(lab, [piece, piece, piece], [wq[i], wk[i], wv[i]], options));
  const z = lab.concat(all.map(({ output }) => output), -1);
  return { output: lab.linear(z, w['out_proj.weight'], w['out_proj.bias']), ...mapsOf(lab, all) };
}

/**
 * Self-attention whose heads have values of the full model width and are added.
 * @see {@link import('./index.js').Lab.multiHeadPooled}
 * @param {Operations} lab @param {Tensor} x @param {Weights} w @param {MultiHeadOptions} options
 * @returns {Attended}
 */
export function multiHeadPooled(lab, x, w, { heads, ...options } = NO_HEADS) {
  needTensors('multiHeadPooled', { x });
  needCounts('multiHeadPooled', { heads });
  needWeights('multiHeadPooled', w, [...SEPARATE]);
  const [wq, wk, wv] = SEPARATE.map((name) => split(lab, w[name], 0, heads));
  const all = wq.map((_, i) => oneHead(lab, [x, x, x], [wq[i], wk[i], wv[i]], options));
  const z = all.map(({ output }) => output).reduce((sum, output) => lab.add(sum, output));
  const output = w['out_proj.weight'] ? lab.linear(z, w['out_proj.weight'], w['out_proj.bias']) : z;
  return { output, ...mapsOf(lab, all) };
}

/** Splits an axis into a number of equal parts, or into parts of given sizes.
 *  @param {Operations} lab @param {Tensor} x @param {number} axis @param {number | number[]} parts */
function split(lab, x, axis, parts) {
  if (typeof parts === 'number') {
    const size = (x.axes.sizes.at(axis) ?? 1) / parts;
    if (!Number.isInteger(size)) {
      throw badShape('multiHead', `${describe(x.axes)} cannot be split into ${parts} heads`);
    }
    return split(lab, x, axis, new Array(parts).fill(size));
  }
  let end = 0;
  return parts.map((size) => lab.slice(x, axis, end, end += size));
}

/** One head. @param {Operations} lab @param {Tensor[]} inputs of queries, keys and values @param {Tensor[]} weights
 *  @param {import('./attention.js').AttentionOptions} options */
function oneHead(lab, inputs, weights, options) {
  const [x, memory] = inputs;
  const [q, k, v] = inputs.map((input, i) => lab.linear(input, weights[i]));
  const { output, pattern, scores } = attend(lab, q, k, v, joinedHeads(x, memory, 1, 1, q.place.columns), options);
  const { sizes, names } = x.axes;
  const maps = mapAxes(x, memory, 1);
  return {
    output: lab.reshape(output, { sizes: [...sizes.slice(0, -1), v.place.columns], names }),
    pattern: lab.reshape(pattern, maps),
    scores: lab.reshape(scores, maps),
  };
}

/** Joins the maps of single heads. @param {Operations} lab @param {{ pattern: Tensor, scores: Tensor }[]} all */
function mapsOf(lab, all) {
  const join = (/** @type {Tensor[]} */ list) => lab.concat(list, -3);
  return { pattern: join(all.map(({ pattern }) => pattern)), scores: join(all.map(({ scores }) => scores)) };
}

const NORMS = ['post', 'pre'];
const feedForwardNames = ['linear1.weight', 'linear2.weight'];
/** @param {number} n */
const normNames = (n) => Array.from({ length: n }, (_, i) => `norm${i + 1}.weight`);

/** LayerNorm with the weights of one norm. @param {Operations} lab @param {Tensor} x @param {Weights} w
 *  @param {string} name @param {number} [eps] */
const norm = (lab, x, w, name, eps) => lab.layerNorm(x, w[`${name}.weight`], w[`${name}.bias`], { eps });

/** Feed-forward network: f(x·W1 + b1)·W2 + b2. @param {Operations} lab @param {Tensor} x @param {Weights} w
 *  @param {BlockOptions} options @param {OnActivation} [onActivation] */
function feedForward(lab, x, w, { activation = 'relu', dropout = 0 }, onActivation = () => {}) {
  const before = lab.linear(x, w['linear1.weight'], w['linear1.bias']);
  onActivation('mlp.hook_pre', before);
  const hidden = lab.activation(before, activation);
  onActivation('mlp.hook_post', hidden);
  return lab.linear(lab.dropout(hidden, dropout), w['linear2.weight'], w['linear2.bias']);
}

/** A function that shows an activation to the listener and returns it. @param {string} call @param {OnActivation}
 *  onActivation */
function watching(call, onActivation) {
  if (typeof onActivation !== 'function') {
    throw new HeedError('bad-argument', `${call}: onActivation is ${kindOf(onActivation)}; expected a function.`);
  }
  return (/** @type {string} */ name, /** @type {Tensor} */ tensor) => {
    onActivation(name, tensor);
    return tensor;
  };
}

/**
 * Transformer encoder block.
 * @see {@link import('./index.js').Lab.encoderBlock}
 * @param {Operations} lab @param {Tensor} x @param {Weights} w @param {EncoderBlockOptions} options
 * @returns {Attended}
 */
export function encoderBlock(lab, x, w, { onActivation = () => {}, ...options } = NO_HEADS) {
  needTensors('encoderBlock', { x });
  needWeights('encoderBlock', w, ['self_attn.out_proj.weight', ...feedForwardNames, ...normNames(2)]);
  const { norm: place = 'post', dropout = 0, eps } = options;
  needOneOf('encoderBlock', 'norm', place, NORMS);
  const pre = place === 'pre';
  const watched = watching('encoderBlock', onActivation);
  const normed = (/** @type {Tensor} */ t, /** @type {1 | 2} */ i) =>
    watched(`ln${i}.hook_normalized`, norm(lab, t, w, `norm${i}`, eps));
  const inner = pre ? normed(watched('hook_resid_pre', x), 1) : watched('hook_resid_pre', x);
  const attended = multiHead(lab, inner, inner, inner, under(w, 'self_attn.'), options, onActivation);
  let u = watched('hook_resid_mid', lab.add(x, lab.dropout(watched('hook_attn_out', attended.output), dropout)));
  if (!pre) u = normed(u, 1);
  const f = feedForward(lab, pre ? normed(u, 2) : u, w, options, onActivation);
  const sum = watched('hook_resid_post', lab.add(u, lab.dropout(watched('hook_mlp_out', f), dropout)));
  return { ...attended, output: pre ? sum : normed(sum, 2) };
}

/**
 * Transformer decoder block.
 * @see {@link import('./index.js').Lab.decoderBlock}
 * @param {Operations} lab @param {Tensor} x @param {Tensor} memory @param {Weights} w @param {DecoderBlockOptions}
 *   options
 * @returns {DecoderBlockResult}
 */
export function decoderBlock(lab, x, memory, w, { onActivation = () => {}, ...options } = NO_HEADS) {
  needTensors('decoderBlock', { x, memory });
  needWeights('decoderBlock', w, ['self_attn.out_proj.weight', 'multihead_attn.out_proj.weight', ...feedForwardNames,
    ...normNames(3)]);
  const { norm: place = 'post', dropout = 0, eps, heads, kvHeads, memoryLengths, memoryMask, memoryEdit,
    maskKind } = options;
  needOneOf('decoderBlock', 'norm', place, NORMS);
  const pre = place === 'pre';
  const watched = watching('decoderBlock', onActivation);
  const normed = (/** @type {Tensor} */ t, /** @type {1 | 2 | 3} */ i) =>
    watched(`ln${i}.hook_normalized`, norm(lab, t, w, `norm${i}`, eps));
  const before = (/** @type {Tensor} */ t, /** @type {1 | 2 | 3} */ i) => (pre ? normed(t, i) : t);
  const after = (/** @type {Tensor} */ t, /** @type {1 | 2 | 3} */ i) => (pre ? t : normed(t, i));
  /** The residual connection: the output of a layer is added to its input. @param {Tensor} t @param {Tensor} output
   *  @param {string} name  of the output @param {string} sum  name of the sum */
  const added = (t, output, name, sum) => watched(sum, lab.add(t, lab.dropout(watched(name, output), dropout)));
  const inner = before(watched('hook_resid_pre', x), 1);
  const self = multiHead(lab, inner, inner, inner, under(w, 'self_attn.'), { causal: true, ...options }, onActivation);
  const u = after(added(x, self.output, 'hook_attn_out', 'hook_resid_mid'), 1);
  const cross = multiHead(lab, before(u, 2), memory, memory, under(w, 'multihead_attn.'),
    { heads, kvHeads, dropout, lengths: memoryLengths, mask: memoryMask, maskKind, edit: memoryEdit },
    (name, tensor) => onActivation(`cross_${name}`, tensor));
  const z = after(added(u, cross.output, 'hook_cross_attn_out', 'hook_resid_mid_cross'), 2);
  const f = feedForward(lab, before(z, 3), w, options, onActivation);
  return { output: after(added(z, f, 'hook_mlp_out', 'hook_resid_post'), 3), self, cross };
}
