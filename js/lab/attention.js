/** Attention: scores of every kind, mask, softmax, and the weighted sum of values. */
import { HeedError, quoted } from '../errors.js';
import { kindOf, needInRange, needOneOf, needTensors } from './arguments.js';
import { axisName, badShape, describe, distinct, product, sameSizes } from './axes.js';

/**
 * @typedef {import('./tensor.js').Tensor} Tensor
 * @typedef {import('./operations.js').Operations} Operations
 * @typedef {'scaled-dot' | 'dot' | 'additive' | 'bilinear' | 'concat'} Score
 */

/**
 * Options that decide which keys a query sees.
 * @typedef {object} MaskOptions
 * @property {boolean} [causal]  whether query t sees only the keys 0 … past + t; default false
 * @property {number} [past]     number of keys before the first query; default 0
 * @property {ArrayLike<number> | null} [lengths]  number of visible keys of each sequence, [batch]; default all
 * @property {Tensor | null} [mask]  mask of shape [batch][head][query][key], aligned at the right as NumPy broadcasts.
 *   Leading axes may be left out, and each axis except the last may have size 1
 * @property {'additive' | 'boolean'} [maskKind]  meaning of the mask: added to the scores, or 1 for visible and 0 for
 *   hidden; default 'additive'
 */

/**
 * Options of the scores and of the pattern. The scores of query q and key k, with d features each:
 *
 * - 'scaled-dot': q·k/√d (Vaswani et al. 2017)
 * - 'dot': q·k
 * - 'bilinear': qᵀ·W·k (Luong et al. 2015, "general")
 * - 'additive': w_a·tanh(W_q·q + W_k·k) (Bahdanau et al. 2015)
 * - 'concat': v_a·tanh(W_a·[q; k]) (Luong et al. 2015)
 * @typedef {object} ScoreOptions
 * @property {Score} [score]     kind of score; default 'scaled-dot'
 * @property {Record<string, Tensor | null>} [weights]  weights of the score. 'bilinear': W [dimQ][dimK].
 *   'additive': W_q [hidden][dimQ], W_k [hidden][dimK] and w_a [hidden]; W_k is null if k holds W_k·k already.
 *   'concat': W_a [hidden][dimQ + dimK] and v_a [hidden]
 * @property {number} [scale]    factor of the scores; default 1/√d for 'scaled-dot', otherwise 1
 * @property {number} [softcap]  bound of the scores: cap·tanh(score / cap) (Gemma 2, arXiv:2408.00118); default none
 * @property {number} [dropout]  probability of dropout on the pattern, active inside `lab.step`; default 0
 * @property {(pattern: Tensor) => Tensor} [edit]  computes the pattern that weights the values from the softmax,
 *   [batch][head][query][key]; the result has the same shape; default none
 */

/** Options of attention. @typedef {MaskOptions & ScoreOptions} AttentionOptions */

/**
 * Result of attention.  Axes that the inputs leave out, such as batch and head, are left out here, too.
 * @typedef {object} Attended
 * @property {Tensor} output   weighted sums of the values: [batch][head][query][dimV] of `attention`,
 *   [batch][query][feature] of layers and blocks
 * @property {Tensor} pattern  attention weights, [batch][head][query][key].  Each row sums to 1, or is zeros if the
 *   query sees no key; with `edit`, its result
 * @property {Tensor} scores   scores after scale, softcap and mask, before the softmax, [batch][head][query][key]
 */

/**
 * Layout of heads in matrices: joined, [batch·time][heads·dim], or separate, [batch·heads·time][dim].
 * @typedef {object} Heads
 * @property {number} batch
 * @property {number} heads
 * @property {number} kvHeads   number of key-value heads; each serves heads / kvHeads query heads
 * @property {number} queries
 * @property {number} keys
 * @property {boolean} joined
 */

/**
 * Attention on tensors with axes.
 * @see {@link import('./index.js').Lab.attention}
 * @param {Operations} lab @param {Tensor} q @param {Tensor} k @param {Tensor} v @param {AttentionOptions} options
 * @returns {Attended}
 */
export function attention(lab, q, k, v, options = {}) {
  needTensors('attention', { q, k, v });
  const heads = headsOf(q, k, v, options.score ?? 'scaled-dot');
  const { output, pattern, scores } = attend(lab, q, k, v, heads, options);
  const { sizes, names } = q.axes;
  const before = sizes.slice(0, -1);
  const keyName = k.axes.names?.at(-2) ?? 'key';
  const maps = { sizes: [...before, heads.keys], names: names && distinct([...names.slice(0, -1), keyName]) };
  const out = { sizes: [...before, v.axes.sizes.at(-1) ?? 1], names: names && [...names.slice(0, -1),
    v.axes.names?.at(-1) ?? names[names.length - 1]] };
  return {
    output: lab.reshape(output, { ...out, names: distinct(out.names) }),
    pattern: lab.reshape(pattern, maps),
    scores: lab.reshape(scores, maps),
  };
}

/**
 * Attention on matrices whose heads are laid out as `heads` says: scores, mask, softmax, weighted sum.
 * @param {Operations} lab @param {Tensor} q @param {Tensor} k @param {Tensor} v
 * @param {Heads} heads @param {AttentionOptions} options
 */
export function attend(lab, q, k, v, heads, options) {
  checkOptions(options);
  let scores = score(lab, q, k, heads, options);
  if (options.softcap) scores = lab.scale(lab.tanh(lab.scale(scores, 1 / options.softcap)), options.softcap);
  scores = mask(lab, scores, heads, skipsHidden(options) ? { ...options, causal: false } : options);
  const softmax = lab.run('softmax', [scores], { integers: integersOf(heads, options), as: 'attention' }, scores.axes);
  const pattern = options.edit ? edited(options.edit, softmax) : softmax;
  const used = lab.dropout(pattern, options.dropout ?? 0);
  return { output: weightedSum(lab, used, v, heads, options), pattern, scores };
}

/** @param {(pattern: Tensor) => Tensor} edit @param {Tensor} pattern @returns {Tensor} */
function edited(edit, pattern) {
  const result = edit(pattern);
  needTensors('attention', { 'result of edit': result });
  if (sameSizes(result.axes.sizes, pattern.axes.sizes)) return result;
  throw badShape('attention', `edit returned ${describe(result.axes)}; the pattern is ${describe(pattern.axes)}`);
}

/** Names of the weights of each score. @type {Record<Score, string[]>} */
const WEIGHTS = {
  'scaled-dot': [],
  'dot': [],
  'additive': ['W_q', 'W_k', 'w_a'],
  'bilinear': ['W'],
  'concat': ['W_a', 'v_a'],
};

/** Refuses options that would otherwise give NaN or have no effect. @param {AttentionOptions} options */
function checkOptions({ score: chosen, weights, scale, softcap, past, edit, maskKind = 'additive' }) {
  const kind = chosen ?? 'scaled-dot';
  if (!Object.hasOwn(WEIGHTS, kind)) {
    const known = Object.keys(WEIGHTS).join(', ');
    throw new HeedError('bad-argument', `attention: unknown score ${quoted(kind)}; expected one of ${known}.`);
  }
  const meant = Object.entries(WEIGHTS).find(([, names]) => names.some((name) => weights?.[name]));
  if (chosen === undefined && meant) {
    throw new HeedError('bad-argument', `attention: got weights of the score ‘${meant[0]}’. Add score: ` +
      `‘${meant[0]}’, or leave them out for ‘${kind}’.`);
  }
  needInRange('attention', { scale });
  needInRange('attention', { softcap }, { least: 0 });
  needInRange('attention', { past }, { least: 0, whole: true });
  needOneOf('attention', 'maskKind', maskKind, ['additive', 'boolean']);
  if (edit !== undefined && typeof edit !== 'function') {
    throw new HeedError('bad-argument', `attention: edit is ${kindOf(edit)}; expected a function.`);
  }
}

/** Whether the scores are one matrix product, which skips causally hidden pairs and writes -Infinity itself. A softcap
 *  would turn that into -cap. @param {AttentionOptions} options */
const skipsHidden = ({ score: kind = 'scaled-dot', softcap }) =>
  !softcap && ['scaled-dot', 'dot', 'bilinear'].includes(kind);

/** @param {Heads} h @param {MaskOptions} [rules] */
const integersOf = ({ batch, heads, kvHeads, joined }, { causal = false, past = 0 } = {}) =>
  [batch, heads, kvHeads, Number(joined), Number(Boolean(causal)), past];
/** @param {Heads} h @returns {import('./axes.js').Axes} */
const mapAxes = ({ batch, heads, queries, keys }) => ({ sizes: [batch, heads, queries, keys], names: null });

/** Any number of rows: the number of hidden units. */
const ANY = -1;

/** Scores of every query and key.
 *  @param {Operations} lab @param {Tensor} q @param {Tensor} k @param {Heads} heads @param {AttentionOptions} options
 *  @returns {Tensor} */
function score(lab, q, k, heads, options) {
  const { score: kind = 'scaled-dot', weights = {}, scale } = options;
  const rules = skipsHidden(options) ? options : {};
  const width = q.place.columns / (heads.joined ? heads.heads : 1);
  const dot = (/** @type {Tensor} */ left, /** @type {Tensor} */ right, /** @type {number} */ factor) =>
    lab.run('scores', [left, right],
      { integers: integersOf(heads, rules), floats: [factor], as: 'attention' }, mapAxes(heads));
  // w·tanh(q'_i + k'_j)
  const hidden = (/** @type {Tensor} */ left, /** @type {Tensor} */ right, /** @type {Tensor} */ w) => {
    const { batch, heads: h, queries, keys } = heads;
    const pairs = lab.run('pairs', [left, right], { integers: integersOf(heads), as: 'attention' },
      { sizes: [batch * h * queries * keys, left.place.columns], names: null });
    const values = lab.linear(lab.tanh(pairs), lab.reshape(w, [1, left.place.columns]));
    const s = lab.reshape(values, mapAxes(heads));
    return scale === undefined ? s : lab.scale(s, scale);
  };
  /** A weight of the score with a checked shape. @param {string} name @param {number} rows
   *  @param {number} columns */
  const weight = (name, rows, columns) => {
    const found = weights[name];
    if (!found) throw new HeedError('bad-argument', `attention: the score ‘${kind}’ needs weights.${name}.`);
    needTensors('attention', { [`weights.${name}`]: found });
    if (heads.joined || (found.place.columns === columns && (rows === ANY || found.place.rows === rows))) return found;
    throw badShape('attention', `weights.${name} is ${describe(found.axes)}; with queries of ${q.place.columns} and ` +
      `keys of ${k.place.columns} it must be [${rows === ANY ? 'hidden' : rows}, ${columns}]`);
  };
  /** A weight with one number per hidden unit. @param {string} name @param {Tensor} layer */
  const vector = (name, { place: { rows } }) => {
    const found = weights[name];
    if (found && product(found.axes.sizes) === rows) return found;
    return weight(name, 1, rows);
  };
  switch (kind) {
    case 'scaled-dot': return dot(q, k, scale ?? 1 / Math.sqrt(width));
    case 'dot': return dot(q, k, scale ?? 1);
    case 'bilinear': { // qᵀ·(W·k)
      const keys = lab.linear(k, weight('W', q.place.columns, k.place.columns));
      return dot(q, keys, scale ?? 1);
    }
    case 'additive': {
      const W_q = weight('W_q', ANY, q.place.columns);
      const keys = weights.W_k === null ? k : lab.linear(k, weight('W_k', W_q.place.rows, k.place.columns));
      return hidden(lab.linear(q, W_q), keys, vector('w_a', W_q));
    }
    case 'concat': { // W_a·[q; k] = W_a's left half·q + its right half·k
      const both = weight('W_a', ANY, width + k.place.columns);
      const halves = [lab.slice(both, 1, 0, width), lab.slice(both, 1, width, both.place.columns)];
      return hidden(lab.linear(q, halves[0]), lab.linear(k, halves[1]), vector('v_a', both));
    }
  }
}

/** Sets the scores of hidden keys to -Infinity.
 *  @param {Operations} lab @param {Tensor} scores @param {Heads} heads @param {MaskOptions} options */
function mask(lab, scores, heads, { causal = false, past = 0, lengths, mask: given, maskKind }) {
  if (!causal && !lengths && !given) return scores;
  const { batch, heads: h, queries, keys } = heads;
  if (given) needTensors('attention', { mask: given });
  if (given?.axes.sizes.at(-1) === 1 && keys > 1) { // the core repeats the other axes
    given = lab.add(given, lab.tensor(new Float32Array(keys), [keys]));
  }
  if (lengths && lengths.length !== batch) {
    throw badShape('attention', `got ${lengths.length ?? 'no'} lengths for a batch of ${batch}; expected a ` +
      'list with one length per sequence');
  }
  if (lengths) {
    for (let i = 0; i < batch; i++) {
      if (Number.isInteger(lengths[i]) && lengths[i] >= 0 && lengths[i] <= keys) continue;
      throw badShape('attention', `length ${lengths[i]} of sequence ${i} is not in 0 … ${keys}, the number of keys`);
    }
  }
  const sizes = given ? [...given.axes.sizes] : [1, 1, 1, keys];
  if (sizes.length > 4) {
    throw badShape('attention', `the mask is ${describe(/** @type {Tensor} */ (given).axes)}; it has at most the ` +
      'axes [batch][head][query][key]');
  }
  while (sizes.length < 4) sizes.unshift(1);
  [batch, h, queries, keys].forEach((size, i) => {
    if (sizes[i] === size || sizes[i] === 1) return;
    const perSequence = i === 1 && given?.axes.sizes.length === 3 && sizes[i] === batch;
    throw badShape('attention', `the mask is ${describe(/** @type {Tensor} */ (given).axes)}; its ` +
      `${['batch', 'head', 'query', 'key'][i]} axis must be 1 or ${size}` +
      `${perSequence ? '. A mask per sequence has the axes [batch, 1, query, key]' : ''}`);
  });
  const integers = [batch, h, Number(Boolean(causal)), past, ...sizes.slice(0, 3), Number(maskKind === 'boolean')];
  return lab.run('mask', [scores, given], { integers, ids: lengths, as: 'attention' }, scores.axes);
}

/** Weighted sum of the values: Σ_j p[j]·v[j].
 *  @param {Operations} lab @param {Tensor} pattern @param {Tensor} v @param {Heads} heads @param {MaskOptions} rules */
function weightedSum(lab, pattern, v, heads, rules) {
  const { batch, heads: h, kvHeads, queries, joined } = heads;
  const sizes = joined ? [batch, queries, (v.place.columns / kvHeads) * h] : [batch, h, queries, v.place.columns];
  return lab.run('attend_values', [pattern, v],
    { integers: integersOf(heads, rules), as: 'attention' }, { sizes, names: null });
}

/** @param {Tensor} q @param {Tensor} k @param {Tensor} v @param {Score} kind @returns {Heads} */
function headsOf(q, k, v, kind) {
  const [a, b, c] = [q, k, v].map(({ axes }) => axes);
  const count = a.sizes.length;
  if (count < 2 || count > 4 || b.sizes.length !== count || c.sizes.length !== count) {
    throw badShape('attention', 'q, k and v have the axes [batch][head][time][dim], or without the first or first ' +
      `two; they are ${describe(a)}, ${describe(b)} and ${describe(c)}`);
  }
  const size = (/** @type {import('./axes.js').Axes} */ axes, /** @type {number} */ i) => axes.sizes.at(i) ?? 1;
  const batch = count === 4 ? a.sizes[0] : 1;
  const heads = count > 2 ? size(a, -3) : 1;
  const kvHeads = count > 2 ? size(b, -3) : 1;
  const fits = (/** @type {boolean} */ ok, /** @type {string} */ problem) => {
    if (!ok) throw badShape('attention', problem);
  };
  const among = (/** @type {import('./axes.js').Axes} */ axes, /** @type {number} */ i) =>
    `${axisName(axes, i)} of`;
  fits(count < 4 || (b.sizes[0] === batch && c.sizes[0] === batch),
    `${among(b, 0)} k has ${b.sizes[0]} and of v ${c.sizes[0]}, that of q ${batch}`);
  fits(heads % kvHeads === 0, `${among(a, -3)} q has ${heads}, which is not a multiple of the ${kvHeads} heads of k`);
  fits(count < 3 || size(c, -3) === kvHeads, `${among(c, -3)} v has ${size(c, -3)}, that of k ${kvHeads}`);
  fits(size(c, -2) === size(b, -2), `${among(c, -2)} v has ${size(c, -2)}, ${among(b, -2)} k ${size(b, -2)}`);
  if (kind === 'dot' || kind === 'scaled-dot') {
    fits(size(a, -1) === size(b, -1), `${among(a, -1)} q has ${size(a, -1)}, ${among(b, -1)} k ${size(b, -1)}: a dot ` +
      'product needs one width');
  }
  return { batch, heads, kvHeads, queries: size(a, -2), keys: size(b, -2), joined: false };
}
