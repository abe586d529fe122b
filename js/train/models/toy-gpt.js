/** The toy GPT of the course's “think like Transformers”: one head without a mask, a feed-forward network, and no
 *  positions, residuals or norms.  Its weights are set by hand, or learned. */
import { under } from '../../lab/index.js';
import { BOS, LENGTH, LETTERS } from '../tasks/histogram.js';

/** @typedef {import('../../lab/index.js').Lab} Lab */
/** @typedef {import('../../lab/index.js').Tensor} Tensor */
/** @typedef {import('../../lab/index.js').Weights} Weights */

/**
 * Y = softmax(Q·Kᵀ/√d)·V, and FFN(Y) = max(0, Y·W1 + b1)·W2 + b2 after it.
 * @param {Lab} lab
 * @param {Weights} w tok_emb, block.attn.query, .key, .value, block.mlp.0, block.mlp.2 and, if it exists, head
 * @param {ArrayLike<number>} ids [batch][time]
 * @param {{ batch: number, time: number }} shape
 * @returns {{ output: Tensor, pattern: Tensor }} output [batch][time][class], pattern [batch][query][key]
 */
export function toyGpt(lab, w, ids, shape) {
  const x = lab.embedding(w['tok_emb.weight'], ids, shape);
  const { output: y, pattern } = selfAttention(lab, x, under(w, 'block.attn.'));
  const hidden = lab.relu(lab.linear(y, w['block.mlp.0.weight'], w['block.mlp.0.bias']));
  const z = lab.linear(hidden, w['block.mlp.2.weight'], w['block.mlp.2.bias']);
  return { output: w['head.weight'] ? lab.linear(z, w['head.weight'], w['head.bias']) : z, pattern };
}

/** @param {Lab} lab @param {Tensor} x [batch][time][channel] @param {Weights} w */
function selfAttention(lab, x, w) {
  const [q, k, v] = ['query', 'key', 'value'].map((name) => lab.linear(x, w[`${name}.weight`]));
  return lab.attention(q, k, v);
}

const CHANNELS = LETTERS + 1;
/** Queries and keys are so long that a softmax of their products is 0 or 1, or equal shares of 1, to the last bit. */
const SHARP = 100;

/** @param {number} size @param {number} [value] on the diagonal @returns {number[][]} */
const identity = (size, value = 1) =>
  Array.from({ length: size }, (_, row) => Array.from({ length: size }, (__, column) => (row === column ? value : 0)));

/**
 * Weights that return each token unchanged: a token attends to equal tokens, and their mean is the token.
 * @param {Lab} lab @returns {Weights} the output is the token's number, [batch][time][1]
 */
export function identityByHand(lab) {
  return parameters(lab, {
    'tok_emb.weight': identity(CHANNELS),
    'block.attn.query.weight': identity(CHANNELS, SHARP),
    'block.attn.key.weight': identity(CHANNELS, SHARP),
    'block.attn.value.weight': identity(CHANNELS),
    'block.mlp.0.weight': identity(CHANNELS), // no number is negative, so max(0, x) = x
    'block.mlp.0.bias': Array(CHANNELS).fill(0),
    'block.mlp.2.weight': identity(CHANNELS),
    'block.mlp.2.bias': Array(CHANNELS).fill(0),
    'head.weight': [Array.from({ length: CHANNELS }, (_, id) => id)],
  });
}

/**
 * Weights that count.  A letter attends equally to equal letters and to BOS.  With n equal letters, BOS gets
 * 1 / (n + 1), and only BOS has a value.  The network maps it to n: Σ_m 2m·max(0, 1/m − x) is 1/x − 1 at x = 1, 1/2,
 * 1/3, … and linear in between.
 * @param {Lab} lab @returns {Weights} the output is the count, [batch][time][1]
 */
export function histogramByHand(lab) {
  const key = identity(CHANNELS, SHARP);
  for (const row of key) row[BOS] = SHARP; // every letter selects BOS
  const ofBos = identity(CHANNELS)[BOS];
  const knots = Array.from({ length: LENGTH }, (_, i) => i + 1);
  return parameters(lab, {
    'tok_emb.weight': identity(CHANNELS),
    'block.attn.query.weight': identity(CHANNELS, SHARP),
    'block.attn.key.weight': key,
    'block.attn.value.weight': [ofBos],
    'block.mlp.0.weight': knots.map(() => [-1]),
    'block.mlp.0.bias': knots.map((m) => 1 / m),
    'block.mlp.2.weight': [knots.map((m) => 2 * m)],
    'block.mlp.2.bias': [0],
  });
}

/** @param {Lab} lab @param {Record<string, number[] | number[][]>} numbers @returns {Weights} */
const parameters = (lab, numbers) => Object.fromEntries(Object.entries(numbers).map(([name, rows]) => {
  const shape = Array.isArray(rows[0]) ? [rows.length, rows[0].length] : [rows.length];
  return [name, lab.parameter(rows.flat(), shape, name)];
}));

/**
 * The micro GPT: the same model with weights that learn and a class for every count.
 * @param {Lab} lab
 * @param {{ channels: number, keyChannels: number, hidden: number, classes: number }} config
 * @returns {Weights}
 */
export function initMicroGpt(lab, { channels, keyChannels, hidden, classes }) {
  const { init } = lab;
  return {
    ...init.embedding('tok_emb.', CHANNELS, channels),
    ...init.linear('block.attn.query.', channels, keyChannels, { bias: false }),
    ...init.linear('block.attn.key.', channels, keyChannels, { bias: false }),
    ...init.linear('block.attn.value.', channels, channels, { bias: false }),
    ...init.linear('block.mlp.0.', channels, hidden),
    ...init.linear('block.mlp.2.', hidden, channels),
    ...init.linear('head.', channels, classes),
  };
}
