/** The boxes of a transformer in the order of its forward pass: their activations, shapes, inputs and explanations. */
import { checkCount, checkObject, InputError } from './check.js';

/**
 * Sizes of a model, as `model.info` of heed has them.
 * @typedef {object} AnatomySizes
 * @property {number} layers
 * @property {number} heads query heads of a block
 * @property {number} kvHeads key and value heads of a block; divides `heads`
 * @property {number} dModel
 * @property {number} dHead
 * @property {number} dFeedForward
 * @property {number} vocabulary
 * @property {number} learnedPositions 0 without an embedding of positions
 * @property {boolean} rotary queries and keys are rotated by their positions
 * @property {boolean} gated the feed-forward network has a gate
 * @property {boolean} tied the output matrix is the token embedding
 * @property {'layernorm' | 'rmsnorm'} norm
 * @property {number} normEpsilon
 * @property {'gelu_tanh' | 'gelu_erf' | 'silu' | 'relu' | 'quick_gelu'} activation
 * @property {number} [rotaryDims] rotated features of a head; default dHead
 * @property {'adjacent' | 'halves'} [rotaryPairs] features 0 and 1, or 0 and rotaryDims / 2; default 'adjacent'
 * @property {number} [alibi] largest exponent of ALiBi's slopes; default 0: scores do not fall with the distance
 * @property {boolean} [parallel] attention and the feed-forward network read the same residual; default false
 * @property {boolean} [preNorms] they read a norm of it; default true
 * @property {number} [blockNorms] norms of the residual in a block; default 2
 * @property {'none' | 'head' | 'all'} [qkNorm] norms of queries and keys; default 'none'
 * @property {boolean} [embeddingNorm] embeddings are normalized; default false
 * @property {boolean} [headBias] logits have a bias; default false
 * @property {number} [experts] networks of a block in a mixture of experts; default 0
 * @property {{ embedding: number, attention: number, residual: number, logits: number }} [scales] default 1, for scores
 *   1 / √dHead
 * @property {{ attention: number, logits: number }} [softcaps] soft caps of scores and logits; default
 *   0: none
 */

/** Checked sizes, with defaults. @typedef {Required<AnatomySizes>} AnatomyInfo */
/** @typedef {{ data: Float32Array, shape: number[] }} Activation */

/**
 * @typedef {object} Box
 * @property {string} id unique in a block
 * @property {string} title
 * @property {string} name name of its activation: 'blocks.2.attn.hook_q'
 * @property {'model' | 'head' | 'map' | 'mlp' | 'vocabulary' | 'weight'} kind columns: features of the model,
 *   features of a head, keys, neurons, tokens of the vocabulary, or inputs of a weight
 * @property {number[]} shape shape of the activation or weight
 * @property {string} axes names of these axes
 * @property {string} what one sentence
 * @property {string} lesson name of the lesson that explains it
 * @property {string[]} from ids of its inputs
 * @property {import('./anatomy-weights.js').Part} [part] rows of a weight that the box shows
 */

/** Largest sizes of a model that the figure takes. */
const LIMITS = { layers: 1024, heads: 1024, kvHeads: 1024, dModel: 1 << 18, dHead: 4096, dFeedForward: 1 << 20,
  vocabulary: 1 << 22 };
/** @type {Record<string, readonly string[]>} */
const CHOICES = {
  norm: ['layernorm', 'rmsnorm'],
  activation: ['gelu_tanh', 'gelu_erf', 'silu', 'relu', 'quick_gelu'],
  rotaryPairs: ['adjacent', 'halves'],
  qkNorm: ['none', 'head', 'all'],
};
/** Fields of newer families, with the values of GPT-2. */
const DEFAULTS = { rotaryPairs: 'adjacent', alibi: 0, parallel: false, preNorms: true, blockNorms: 2, qkNorm: 'none',
  embeddingNorm: false, headBias: false, experts: 0, softcaps: { attention: 0, logits: 0 } };

/** Why the figure cannot show a model, or null. @param {any} info such as model.info */
const whyNoAnatomy = (info) => (info.bidirectional || info.parts
  ? `The anatomy shows decoders. This model is an encoder${info.parts ? '–decoder, whose decoder also reads a source'
    : ', whose blocks end with norms or read both sides'}.` : null);

/**
 * Validates and copies the sizes of a model.
 * @param {any} given
 * @param {string} name
 * @returns {AnatomyInfo}
 * @throws {InputError}
 */
export function checkInfo(given, name) {
  checkObject(given, name, '{ layers, heads, dModel, … }, such as model.info');
  const why = whyNoAnatomy(given);
  if (why) throw new InputError(`${name}: ${why}`);
  const info = { ...DEFAULTS, rotaryDims: given.dHead,
    scales: { embedding: 1, attention: 1 / Math.sqrt(given.dHead), residual: 1, logits: 1 }, ...given };
  /** @type {Record<string, any>} */
  const checked = {};
  for (const [field, most] of Object.entries(LIMITS)) {
    checked[field] = checkCount(info[field], `${name}.${field}`, 1, most);
  }
  checked.learnedPositions = checkCount(info.learnedPositions ?? 0, `${name}.learnedPositions`);
  for (const field of ['blockNorms', 'experts', 'rotaryDims']) {
    checked[field] = checkCount(info[field], `${name}.${field}`);
  }
  for (const field of ['rotary', 'gated', 'tied', 'parallel', 'preNorms', 'embeddingNorm', 'headBias']) {
    if (typeof info[field] !== 'boolean') throw new InputError(`${name}.${field} must be true or false.`);
    checked[field] = info[field];
  }
  for (const [field, words] of Object.entries(CHOICES)) {
    if (!words.includes(info[field])) throw new InputError(`${name}.${field} must be ${words.join(' or ')}.`);
    checked[field] = info[field];
  }
  if (!(info.normEpsilon >= 0 && info.normEpsilon < 1)) {
    throw new InputError(`${name}.normEpsilon must be a number from 0 to 1.`);
  }
  if (checked.heads % checked.kvHeads !== 0) {
    throw new InputError(`${name}.heads must be a multiple of kvHeads, got ${checked.heads} and ${checked.kvHeads}.`);
  }
  const { normEpsilon, alibi } = info;
  const scales = { ...info.scales };
  const softcaps = { ...info.softcaps };
  for (const [field, numbers] of Object.entries({ alibi: { alibi }, scales, softcaps })) {
    for (const number of Object.values(numbers)) {
      if (!(number >= 0 && number < Infinity)) throw new InputError(`${name}.${field} must have numbers from 0.`);
    }
  }
  return /** @type {AnatomyInfo} */ ({ ...checked, normEpsilon, alibi, scales, softcaps });
}

/** The box that attention reads. @param {AnatomyInfo} info */
export const readByAttention = ({ preNorms }) => (preNorms ? 'ln1' : 'resid_pre');
/** The box that the feed-forward network, or its norm, reads. @param {AnatomyInfo} info */
export const middleOf = ({ parallel }) => (parallel ? 'resid_pre' : 'resid_mid');
/** The box that the feed-forward network reads. @param {AnatomyInfo} info */
export const readByNetwork = (info) => (info.preNorms ? 'ln2' : middleOf(info));
/** The norm of the residual before the feed-forward network: in some parallel blocks, attention's.
 *  @param {AnatomyInfo} info */
export const networkNorm = ({ parallel, blockNorms }) => (parallel && blockNorms === 1 ? 'attn_norm' : 'ffn_norm');
/** Whether a norm follows attention, and another one the feed-forward network. @param {AnatomyInfo} info */
export const hasPostNorms = ({ preNorms, blockNorms }) => !preNorms || blockNorms > 2;

/** @typedef {[id: string, title: string, hook: string, kind: Exclude<Box['kind'], 'weight'> | 'q' | 'kv',
 *   what: string, lesson: string, from: string[]]} Row */

/** The boxes of a block, and false for boxes that the model lacks. @param {AnatomyInfo} info
 *  @returns {(Row | false)[]} */
function blockRows(info) {
  const { rotary, gated, activation, dHead, parallel, preNorms, experts } = info;
  const attention = readByAttention(info);
  const network = readByNetwork(info);
  const middle = middleOf(info);
  const scale = Math.abs(info.scales.attention * Math.sqrt(dHead) - 1) < 1e-6 ? `divided by √${dHead}`
    : `times ${Number(info.scales.attention.toPrecision(4))}`;
  const then = hasPostNorms(info) ? ' A norm scales it.' : '';
  const [asking, offering] = rotary ? ['rot_q', 'rot_k'] : ['q', 'k'];
  const act = activation.replace(/^gelu_.*/, 'gelu').toUpperCase().replace('SILU', 'SiLU').replace('RELU', 'ReLU')
    .replace('QUICK_', 'Quick');
  return [
    ['resid_pre', 'Residual in', 'hook_resid_pre', 'model',
      'One vector for each token, which every block reads and adds to.', '06-block', []],
    preNorms && ['ln1', 'Norm', 'ln1.hook_normalized', 'model',
      'Each vector is scaled to a standard size before attention reads it.', '06-block', ['resid_pre']],
    ['q', 'Q', 'attn.hook_q', 'q', 'The query of each token: the features that it looks for.', '04-heads', [attention]],
    rotary && ['rot_q', 'Q rot.', 'attn.hook_rot_q', 'q',
      'Pairs of features are turned by an angle that grows with the position.', '05-positions', ['q']],
    ['k', 'K', 'attn.hook_k', 'kv', 'The key of each token: the features that it offers to queries.', '04-heads',
      [attention]],
    rotary && ['rot_k', 'K rot.', 'attn.hook_rot_k', 'kv',
      'Keys are turned like queries, so a score depends on the distance of two tokens.', '05-positions', ['k']],
    ['v', 'V', 'attn.hook_v', 'kv', 'The value of each token, which it passes on to tokens that attend to it.',
      '04-heads', [attention]],
    ['scores', 'Scores, masked', 'attn.hook_attn_scores', 'map',
      `Each query times each key, ${scale}. The mask removes keys that come later.`, '02-scores',
      [asking, offering]],
    ['pattern', 'Softmax', 'attn.hook_pattern', 'map',
      'The softmax turns each row of scores into weights that sum to 1.', '01-soft-lookup', ['scores']],
    ['z', 'z', 'attn.hook_z', 'q', 'The average of the values, weighted by the pattern.', '01-soft-lookup',
      ['pattern', 'v']],
    ['attn_out', 'Attn. out', 'hook_attn_out', 'model',
      `The matrix W_O mixes the results of all heads into one vector.${then}`, '04-heads', ['z']],
    !parallel && ['resid_mid', 'Residual', 'hook_resid_mid', 'model',
      'The result of attention is added to the residual.', '06-block', ['attn_out', 'resid_pre']],
    preNorms && ['ln2', 'Norm', 'ln2.hook_normalized', 'model',
      'Each vector is scaled again before the feed-forward network reads it.', '06-block', [middle]],
    !experts && ['pre', gated ? 'Gate' : 'Up', 'mlp.hook_pre', 'mlp', gated
      ? 'The gate decides how far each neuron opens.' : 'Each neuron takes a weighted sum of the features.', '06-block',
      [network]],
    !experts && gated && ['pre_linear', 'Up', 'mlp.hook_pre_linear', 'mlp',
      'Each neuron takes a weighted sum of the features.', '06-block', [network]],
    !experts && ['post', act, 'mlp.hook_post', 'mlp', gated
      ? `The activation function ${act} of the gate, times the other sum.`
      : `The activation function ${act} of each sum.`, '06-block', gated ? ['pre', 'pre_linear'] : ['pre']],
    ['mlp_out', 'MLP out', 'hook_mlp_out', 'model', experts
      ? `A token goes to a few of ${experts} networks, the experts. This is the weighted sum of their outputs.${then}`
      : `The neurons write their results back as features.${then}`, '06-block', [experts ? network : 'post']],
    ['resid_post', 'Residual out', 'hook_resid_post', 'model',
      'The result of the feed-forward network is added. The next block reads this vector.', '06-block',
      ['mlp_out', middle, ...(parallel ? ['attn_out'] : [])]],
  ];
}

/**
 * Sizes and names of the axes of an activation, by the kind of its columns.
 * @param {AnatomyInfo} info
 * @param {number} tokens
 * @returns {Record<string, { kind: Box['kind'], shape: number[], axes: string }>}
 */
const kindsOf = ({ heads, kvHeads, dModel, dHead, dFeedForward, vocabulary }, tokens) => ({
  model: { kind: 'model', shape: [tokens, dModel], axes: 'tokens × features' },
  q: { kind: 'head', shape: [tokens, heads, dHead], axes: 'tokens × heads × features' },
  kv: { kind: 'head', shape: [tokens, kvHeads, dHead], axes: 'tokens × key heads × features' },
  map: { kind: 'map', shape: [heads, tokens, tokens], axes: 'heads × queries × keys' },
  mlp: { kind: 'mlp', shape: [tokens, dFeedForward], axes: 'tokens × neurons' },
  vocabulary: { kind: 'vocabulary', shape: [vocabulary], axes: 'tokens of the vocabulary' },
});

/** @param {AnatomyInfo} info @param {number} tokens @param {(Row | false)[]} rows @param {string} [prefix] */
function boxesFrom(info, tokens, rows, prefix = '') {
  const kinds = kindsOf(info, tokens);
  return rows.filter((row) => row !== false).map(([id, title, hook, kind, what, lesson, from]) =>
    (/** @type {Box} */ ({ id, title, name: prefix + hook, ...kinds[kind], what, lesson, from })));
}

/**
 * The boxes of a block.
 * @param {AnatomyInfo} info
 * @param {number} layer
 * @param {number} tokens number of positions
 */
export const blockBoxes = (info, layer, tokens) => boxesFrom(info, tokens, blockRows(info), `blocks.${layer}.`);

/**
 * The boxes before the first block.
 * @param {AnatomyInfo} info
 * @param {number} tokens number of positions
 */
export const firstBoxes = (info, tokens) => boxesFrom(info, tokens, [
  ['embed', 'Embedding', 'hook_embed', 'model', 'Each token is looked up in a table: one vector for each token.',
    '01-soft-lookup', []],
  info.learnedPositions > 0 && ['pos_embed', 'Positions', 'hook_pos_embed', 'model',
    'The vector of each position is added.', '05-positions', []],
]);

/**
 * The boxes after the last block.
 * @param {AnatomyInfo} info
 * @param {number} tokens number of positions
 */
export const lastBoxes = (info, tokens) => boxesFrom(info, tokens, [
  ['ln_final', 'Final norm', 'ln_final.hook_normalized', 'model',
    'The last residual is scaled once more before the output matrix reads it.', '06-block', []],
  ['logits', 'Logits', 'logits', 'vocabulary', 'A score for every token of the vocabulary.', '07-weights',
    ['ln_final']],
  ['probabilities', 'Probabilities', 'logits', 'vocabulary',
    'The softmax of the logits: the probability that a token comes next.', '01-soft-lookup', ['logits']],
]);

/**
 * The name of a box for screen readers, which begins with the words that the box shows.
 * @param {Box} box
 */
export const nameOf = (box) =>
  `${box.title} ${sizeOf(box)}, shape ${box.shape.join(' × ')} (${box.axes}). ${box.what}`;

/** Kinds of boxes whose first axis is not the tokens of the text. */
const WHOLE = ['map', 'vocabulary', 'weight'];

/** The shape of a box without its tokens, because every row is a token. @param {Box} box */
export const sizeOf = ({ kind, shape }) => shape.slice(WHOLE.includes(kind) ? 0 : 1).join(' × ');

/**
 * The expected sizes of a weight, by its GGUF name.
 * @param {AnatomyInfo} info
 * @param {string} name such as 'blk.0.attn_q.weight'
 * @returns {number[] | null} null for an unknown name
 */
export function weightShape({ dModel: D, dFeedForward: F, dHead, heads, kvHeads, vocabulary: V, learnedPositions: P,
  qkNorm }, name) {
  const Q = heads * dHead;
  const K = kvHeads * dHead;
  /** @type {Record<string, number[]>} */
  const shapes = { attn_norm: [D], ffn_norm: [D], output_norm: [D], attn_q: [Q, D], attn_k: [K, D], attn_v: [K, D],
    attn_qkv: [Q + 2 * K, D], attn_output: [D, Q], ffn_gate: [F, D], ffn_up: [F, D], ffn_down: [D, F], output: [V, D],
    token_embd: [V, D], position_embd: [P, D],
    post_attention_norm: [D], post_ffw_norm: [D], attn_q_norm: [qkNorm === 'all' ? Q : dHead],
    attn_k_norm: [qkNorm === 'all' ? K : dHead] };
  const [, slot, part] = /^(?:blk\.\d+\.)?(\w+)\.(weight|bias)$/.exec(name) ?? [];
  if (!Object.hasOwn(shapes, slot)) return null;
  return part === 'bias' ? [shapes[slot][0]] : shapes[slot];
}

/** The key and value head that a query head reads. @param {AnatomyInfo} info @param {number} head */
export const kvHeadOf = ({ heads, kvHeads }, head) => Math.floor(head / (heads / kvHeads));

/**
 * A view of one head of an activation, or of all of it: row r, column c is `data[offset + r * stride + c]`.
 * @typedef {{ data: Float32Array, offset: number, stride: number, rows: number, columns: number }} Plane
 */

/**
 * The plane that a box shows.
 * @param {Box} box
 * @param {Activation} activation
 * @param {number} head query head
 * @param {AnatomyInfo} info
 * @returns {Plane}
 */
export function planeOf({ kind, shape, part }, { data }, head, info) {
  if (part) {
    const { first, rows, columns } = part;
    return { data, offset: first * columns, stride: columns, rows, columns };
  }
  if (kind === 'map') {
    const [, rows, columns] = shape;
    return { data, offset: head * rows * columns, stride: columns, rows, columns };
  }
  if (kind === 'head') {
    const [rows, heads, columns] = shape;
    const at = heads === info.heads ? head : kvHeadOf(info, head);
    return { data, offset: at * columns, stride: heads * columns, rows, columns };
  }
  const [rows, columns] = kind === 'vocabulary' ? [1, shape[0]] : shape;
  return { data, offset: 0, stride: columns, rows, columns };
}

/** A number of a plane. @param {Plane} plane @param {number} row @param {number} column */
export const valueAt = ({ data, offset, stride }, row, column) => data[offset + row * stride + column];
