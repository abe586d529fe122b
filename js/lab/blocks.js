/** Multi-head attention and the transformer's blocks, with PyTorch's names of weights. */
import { needCounts, needOneOf, needPrefix, needTensors, needWeights } from './arguments.js';
import { attend } from './attention.js';
import { badShape, describe } from './axes.js';

/**
 * @typedef {import('./tensor.js').Tensor} Tensor
 * @typedef {import('./operations.js').Operations} Operations
 * @typedef {Record<string, Tensor>} Weights
 *
 * @typedef {object} HeadOptions
 * @property {number} heads
 * @property {number} [kvHeads]  fewer heads of keys and values than of queries
 * @property {{ kind?: 'halves' | 'adjacent', theta?: number, first?: number } | null} [rope]  turns queries and keys
 * @property {number[]} [valueWidths]  of each head, where they differ
 *
 * @typedef {HeadOptions & import('./attention.js').AttentionOptions} MultiHeadOptions
 *
 * @typedef {object} BlockOptions
 * @property {'post' | 'pre'} [norm]  where the norms stand: after the sum (Vaswani et al. 2017), or before each layer
 * @property {string} [activation]    of the feed-forward network
 * @property {number} [dropout]
 * @property {number} [eps]
 */

/** The weights whose names begin with a prefix, without it.
 *  @param {Weights} weights @param {string} prefix @returns {Weights} */
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
 * MultiHead(Q, K, V) = Concat(head_1 … head_h)·W_O, head_i = Attention(Q·W_Q, K·W_K, V·W_V) (Vaswani et al. 2017).
 * @param {Operations} lab
 * @param {Tensor} q [batch][query][feature], or without the batch; k, v [batch][key][feature]
 * @param {Tensor} k @param {Tensor} v
 * @param {Weights} w in_proj_weight [3d][d] and in_proj_bias, or q_, k_ and v_proj_weight; out_proj.weight, .bias.
 *   With valueWidths: q_proj_weight, k_proj_weight [h·e][d], v_proj_weight [Σ widths][d], out_proj.weight [d][Σ widths]
 * @param {MultiHeadOptions} options
 * @returns {{ output: Tensor, pattern: Tensor, scores: Tensor }} pattern and scores [batch][head][query][key]
 */
export function multiHead(lab, q, k, v, w, options = NO_HEADS) {
  const { heads, kvHeads = heads, rope = null, valueWidths, ...attention } = options;
  needTensors('multiHead', { q, k, v });
  needCounts('multiHead', { heads, kvHeads });
  if (valueWidths) return multiHeadOfWidths(lab, q, k, v, w, valueWidths, options);
  if (heads > 1) needOneOf('multiHead', 'score of several heads', attention.score ?? PRODUCTS[0], PRODUCTS);
  needWeights('multiHead', w, ['out_proj.weight', ...(w?.q_proj_weight ? APART : ['in_proj_weight'])]);
  let [queries, keys, values] = project(lab, q, k, v, w);
  const shape = joinedHeads(q, k, heads, kvHeads, queries.place.columns);
  needSharedHeads(shape, queries, keys, values);
  if (rope) {
    queries = lab.rope(queries, { ...rope, heads });
    keys = lab.rope(keys, { ...rope, first: 0, heads: kvHeads });
  }
  const [ofKeys, ofValues] = [k, v].map(({ axes: { sizes } }) => sizes[sizes.length - 2]);
  if (ofKeys !== ofValues) {
    throw badShape('multiHead', `k is ${describe(k.axes)} and v ${describe(v.axes)}: each key has one value`);
  }
  const { output: z, pattern, scores } = attend(lab, queries, keys, values, shape, attention);
  const { sizes, names } = q.axes;
  const joined = lab.reshape(z, { sizes: [...sizes.slice(0, -1), z.place.columns], names });
  const output = lab.linear(joined, w['out_proj.weight'], w['out_proj.bias']);
  const maps = mapAxes(q, k, heads);
  return { output, pattern: lab.reshape(pattern, maps), scores: lab.reshape(scores, maps) };
}

/** Scores without weights: those of the others would have to be split among the heads. */
const PRODUCTS = ['scaled-dot', 'dot'];
const APART = ['q_proj_weight', 'k_proj_weight', 'v_proj_weight'];
/** So that options left out are refused by the name of what they lack. */
const NO_HEADS = /** @type {MultiHeadOptions} */ ({});

/** Queries, keys and values: one product where all three come from one place.
 *  @param {Operations} lab @param {Tensor} q @param {Tensor} k @param {Tensor} v @param {Weights} w */
function project(lab, q, k, v, w) {
  const { in_proj_weight: weight, in_proj_bias: bias } = w;
  const d = q.place.columns;
  const part = (/** @type {number} */ i) => bias && lab.slice(bias, 0, i * d, (i + 1) * d);
  if (!weight) {
    return [q, k, v].map((x, i) => lab.linear(x, w[APART[i]], bias && biasOf(lab, bias, w, i)));
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
  const ends = APART.map((name) => w[name].place.rows);
  const from = ends.slice(0, i).reduce((sum, n) => sum + n, 0);
  return lab.slice(bias, 0, from, from + ends[i]);
}

/** @param {Tensor} q @param {Tensor} k @param {number} heads @param {number} kvHeads @param {number} width */
function joinedHeads(q, k, heads, kvHeads, width) {
  const [a, b] = [q.axes.sizes, k.axes.sizes];
  if (a.length < 2 || a.length > 3 || b.length !== a.length || (a.length === 3 && a[0] !== b[0])) {
    throw badShape('multiHead', `q and k are [batch][time][feature] of one batch; they are ${describe(q.axes)} and ` +
      describe(k.axes));
  }
  if (width % heads) throw badShape('multiHead', `${width} features are not ${heads} heads of one width`);
  const [queries, keys] = [a[a.length - 2], b[b.length - 2]];
  return { batch: a.length === 3 ? a[0] : 1, heads, kvHeads, queries, keys, joined: true };
}

/** Each head of keys and values serves as many of queries. @param {import('./attention.js').Heads} shape
 *  @param {Tensor} queries @param {Tensor} keys @param {Tensor} values */
function needSharedHeads({ heads, kvHeads }, queries, keys, values) {
  if (heads % kvHeads) throw badShape('multiHead', `${heads} heads of queries cannot share ${kvHeads} of keys`);
  const width = queries.place.columns / heads;
  if (keys.place.columns !== kvHeads * width) {
    throw badShape('multiHead', `the keys have ${keys.place.columns} features; ${kvHeads} heads of them, each as ` +
      `wide as one of the queries, have ${kvHeads * width}: k_proj_weight gives so many, and in_proj_weight as many ` +
      'as there are of queries');
  }
  if (values.place.columns % kvHeads) {
    throw badShape('multiHead', `the values have ${values.place.columns} features, which are not ${kvHeads} heads of ` +
      'one width');
  }
}

/** @param {Tensor} q @param {Tensor} k @param {number} heads */
function mapAxes(q, k, heads) {
  const [a, b] = [q.axes, k.axes];
  const sizes = [...a.sizes.slice(0, -2), heads, a.sizes[a.sizes.length - 2], b.sizes[b.sizes.length - 2]];
  return { sizes, names: a.names && [...a.names.slice(0, -2), 'head', 'query', 'key'] };
}

/** Heads whose values are as wide as each likes, one after another.
 *  @param {Operations} lab @param {Tensor} q @param {Tensor} k @param {Tensor} v @param {Weights} w
 *  @param {number[]} widths @param {MultiHeadOptions} options */
function multiHeadOfWidths(lab, q, k, v, w, widths, { heads, kvHeads = heads, rope, ...options }) {
  needWeights('multiHead', w, [...APART, 'out_proj.weight']);
  const rows = w.v_proj_weight.place.rows;
  if (widths.length !== heads || widths.reduce((sum, width) => sum + width, 0) !== rows) {
    throw badShape('multiHead', `valueWidths [${widths}] are not those of ${heads} heads that share the ${rows} rows ` +
      'of v_proj_weight');
  }
  if (kvHeads !== heads || rope || w.in_proj_bias) {
    throw badShape('multiHead', 'heads of different valueWidths have keys of their own, no rope and no in_proj_bias');
  }
  const [wq, wk] = APART.slice(0, 2).map((name) => split(lab, w[name], 0, heads));
  const wv = split(lab, w.v_proj_weight, 0, widths);
  const all = wq.map((_, i) => oneHead(lab, [q, k, v], [wq[i], wk[i], wv[i]], options));
  const z = lab.concat(all.map(({ output }) => output), -1);
  return { output: lab.linear(z, w['out_proj.weight'], w['out_proj.bias']), ...mapsOf(lab, all) };
}

/**
 * A·X: each head looks at its own piece of the features, [d/h] wide, and projects only that; outputs side by side.
 * @param {Operations} lab @param {Tensor} x [batch][time][feature], or without the batch
 * @param {Weights} w q_proj_weight, k_proj_weight [h·e][d/h], v_proj_weight [h·f][d/h], head after head;
 *   out_proj.weight [d][h·f], out_proj.bias
 * @param {MultiHeadOptions} options
 */
export function multiHeadOfPieces(lab, x, w, { heads, ...options } = NO_HEADS) {
  needTensors('multiHeadOfPieces', { x });
  needCounts('multiHeadOfPieces', { heads });
  needWeights('multiHeadOfPieces', w, [...APART, 'out_proj.weight']);
  const pieces = split(lab, x, -1, heads);
  const [wq, wk, wv] = APART.map((name) => split(lab, w[name], 0, heads));
  const all = pieces.map((piece, i) => oneHead(lab, [piece, piece, piece], [wq[i], wk[i], wv[i]], options));
  const z = lab.concat(all.map(({ output }) => output), -1);
  return { output: lab.linear(z, w['out_proj.weight'], w['out_proj.bias']), ...mapsOf(lab, all) };
}

/**
 * Heads whose values are as wide as the model, added up instead of put side by side.
 * @param {Operations} lab @param {Tensor} x [batch][time][feature], or without the batch
 * @param {Weights} w q_proj_weight, k_proj_weight [h·e][d], v_proj_weight [h·d][d]; out_proj.weight, .bias or neither
 * @param {MultiHeadOptions} options
 */
export function multiHeadPooled(lab, x, w, { heads, ...options } = NO_HEADS) {
  needTensors('multiHeadPooled', { x });
  needCounts('multiHeadPooled', { heads });
  needWeights('multiHeadPooled', w, [...APART]);
  const [wq, wk, wv] = APART.map((name) => split(lab, w[name], 0, heads));
  const all = wq.map((_, i) => oneHead(lab, [x, x, x], [wq[i], wk[i], wv[i]], options));
  const z = all.map(({ output }) => output).reduce((sum, output) => lab.add(sum, output));
  const output = w['out_proj.weight'] ? lab.linear(z, w['out_proj.weight'], w['out_proj.bias']) : z;
  return { output, ...mapsOf(lab, all) };
}

/** Parts of an axis: so many alike, or of these sizes.
 *  @param {Operations} lab @param {Tensor} x @param {number} axis @param {number | number[]} parts */
function split(lab, x, axis, parts) {
  if (typeof parts === 'number') {
    const size = (x.axes.sizes.at(axis) ?? 1) / parts;
    if (!Number.isInteger(size)) {
      throw badShape('multiHead', `${describe(x.axes)} cannot be split among ${parts} heads`);
    }
    return split(lab, x, axis, new Array(parts).fill(size));
  }
  let end = 0;
  return parts.map((size) => lab.slice(x, axis, end, end += size));
}

/** @param {Operations} lab @param {Tensor[]} inputs of queries, keys and values @param {Tensor[]} weights of each
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

/** @param {Operations} lab @param {{ pattern: Tensor, scores: Tensor }[]} all heads */
function mapsOf(lab, all) {
  const join = (/** @type {Tensor[]} */ list) => lab.concat(list, -3);
  return { pattern: join(all.map(({ pattern }) => pattern)), scores: join(all.map(({ scores }) => scores)) };
}

const PLACES = ['post', 'pre'];
const feedForwardNames = ['linear1.weight', 'linear2.weight'];
/** @param {number} n */
const normNames = (n) => Array.from({ length: n }, (_, i) => `norm${i + 1}.weight`);

/** LN, with the weights of one norm. @param {Operations} lab @param {Tensor} x @param {Weights} w
 *  @param {string} name @param {number} [eps] */
const norm = (lab, x, w, name, eps) => lab.layerNorm(x, w[`${name}.weight`], w[`${name}.bias`], { eps });

/** FFN(x) = f(x·W1 + b1)·W2 + b2. @param {Operations} lab @param {Tensor} x @param {Weights} w
 *  @param {BlockOptions} options */
function feedForward(lab, x, w, { activation = 'relu', dropout = 0 }) {
  const hidden = lab.activation(lab.linear(x, w['linear1.weight'], w['linear1.bias']), activation);
  return lab.linear(lab.dropout(hidden, dropout), w['linear2.weight'], w['linear2.bias']);
}

/**
 * Encoder block: U = LN(SelfAttention(X) + X), X' = LN(FFN(U) + U); with norm 'pre', LN before each layer instead.
 * @param {Operations} lab @param {Tensor} x [batch][time][feature], or without the batch
 * @param {Weights} w self_attn.*, linear1.*, linear2.*, norm1.*, norm2.* (nn.TransformerEncoderLayer)
 * @param {MultiHeadOptions & BlockOptions} options
 * @returns {{ output: Tensor, pattern: Tensor, scores: Tensor }}
 */
export function encoderBlock(lab, x, w, options = NO_HEADS) {
  needTensors('encoderBlock', { x });
  needWeights('encoderBlock', w, ['self_attn.out_proj.weight', ...feedForwardNames, ...normNames(2)]);
  const { norm: place = 'post', dropout = 0, eps } = options;
  needOneOf('encoderBlock', 'norm', place, PLACES);
  const pre = place === 'pre';
  const inner = pre ? norm(lab, x, w, 'norm1', eps) : x;
  const attended = multiHead(lab, inner, inner, inner, under(w, 'self_attn.'), options);
  let u = lab.add(x, lab.dropout(attended.output, dropout));
  if (!pre) u = norm(lab, u, w, 'norm1', eps);
  const f = feedForward(lab, pre ? norm(lab, u, w, 'norm2', eps) : u, w, options);
  const sum = lab.add(u, lab.dropout(f, dropout));
  return { ...attended, output: pre ? sum : norm(lab, sum, w, 'norm2', eps) };
}

/**
 * Decoder block: masked self-attention, attention to the encoder's memory, feed-forward; each added and normalised.
 * @param {Operations} lab @param {Tensor} x [batch][query][feature], or without the batch
 * @param {Tensor} memory [batch][key][feature]
 * @param {Weights} w self_attn.*, multihead_attn.*, linear1.*, linear2.*, norm1.* … (nn.TransformerDecoderLayer)
 * @param {MultiHeadOptions & BlockOptions & { memoryLengths?: ArrayLike<number> | null, memoryMask?: Tensor }} options
 *   causal is on unless told otherwise; lengths and mask are of x, memoryLengths and memoryMask of the memory
 * @returns {{ output: Tensor, self: { pattern: Tensor, scores: Tensor }, cross: { pattern: Tensor, scores: Tensor } }}
 */
export function decoderBlock(lab, x, memory, w, options = NO_HEADS) {
  needTensors('decoderBlock', { x, memory });
  needWeights('decoderBlock', w, ['self_attn.out_proj.weight', 'multihead_attn.out_proj.weight', ...feedForwardNames,
    ...normNames(3)]);
  const { norm: place = 'post', dropout = 0, eps, heads, kvHeads, memoryLengths, memoryMask, maskKind } = options;
  needOneOf('decoderBlock', 'norm', place, PLACES);
  const pre = place === 'pre';
  const before = (/** @type {Tensor} */ t, /** @type {string} */ name) => (pre ? norm(lab, t, w, name, eps) : t);
  const after = (/** @type {Tensor} */ t, /** @type {string} */ name) => (pre ? t : norm(lab, t, w, name, eps));
  const inner = before(x, 'norm1');
  const self = multiHead(lab, inner, inner, inner, under(w, 'self_attn.'), { causal: true, ...options });
  const u = after(lab.add(x, lab.dropout(self.output, dropout)), 'norm1');
  const cross = multiHead(lab, before(u, 'norm2'), memory, memory, under(w, 'multihead_attn.'),
    { heads, kvHeads, dropout, lengths: memoryLengths, mask: memoryMask, maskKind });
  const z = after(lab.add(u, lab.dropout(cross.output, dropout)), 'norm2');
  const f = feedForward(lab, before(z, 'norm3'), w, options);
  return { output: after(lab.add(z, lab.dropout(f, dropout)), 'norm3'), self, cross };
}
