/** A compiled program: its weights, and the transformer of the lab that runs them. */
import { HeedError, quoted } from '../../errors.js';
import { under } from '../blocks.js';
import { MAX_WEIGHTS, MAX_WIDTH } from './limits.js';
import { BOS, TOKEN } from './spaces.js';

/**
 * @typedef {import('../index.js').Lab} Lab
 * @typedef {import('../tensor.js').Tensor} Tensor
 * @typedef {import('../index.js').Weights} Weights
 * @typedef {import('./compiler.js').Plan} Plan
 * @typedef {import('./spaces.js').Row} Row
 * @typedef {import('./values.js').Value} Value
 */

/**
 * The attention of one head.
 * @typedef {object} HeadMap
 * @property {string} selector      the selector of the program that this head computes
 * @property {number} line          its line in the program, from 1
 * @property {Float32Array} pattern  attention weights, [query][key]; query 0 and key 0 are ⊢
 */

/** Size of a compiled model.
 *  @typedef {{ layers: number, heads: number[], width: number, weights: number, nonzero: number }} RaspSize */

/** The sign before the first token. */
const START = '⊢';

/** A compiled program in a lab. `compiled.open(lab)` makes it. */
export class RaspModel {
  #lab;
  #plan;

  /** @param {Lab} lab @param {Plan} plan @internal */
  constructor(lab, plan) {
    this.#lab = lab;
    this.#plan = plan;
    /** Trainable tensors by name. Change one with `set`, and the model changes. @type {Weights} */
    this.weights = Object.fromEntries(Object.entries(matricesOf(plan)).map(([name, { data, shape }]) =>
      [name, lab.parameter(data, shape, name)]));
  }

  /**
   * Runs the transformer.
   * @param {string | string[]} input  tokens, or a string of one-letter tokens; at least one
   * @returns {{ output: Value[], layers: HeadMap[][], tokens: string[] }} one value for each token; the attention of
   *   each head of each layer; the tokens of the maps, with ⊢ first
   * @throws {HeedError} 'bad-argument' for a token outside of the vocabulary or a length beyond the model's;
   *   'not-finite' if a changed weight makes NaN
   */
  run(input) {
    const lab = this.#lab;
    const { layers, classes } = this.#plan;
    const tokens = tokensOf('rasp: the input', input);
    const ids = idsOf(tokens, this.#plan);
    return lab.evaluate(() => {
      const { logits, patterns } = forward(lab, this.weights, layers.map(({ heads }) => heads.length), ids);
      const rows = /** @type {number[][]} */ (logits.toArray()).slice(1);
      const size = ids.length ** 2;
      return {
        output: rows.map((row) => classes[likeliest(row)]),
        layers: layers.map(({ heads }, l) => heads.map(({ text, line }, h) =>
          ({ selector: text, line, pattern: patterns[l].slice(h * size, (h + 1) * size) }))),
        tokens: [START, ...tokens],
      };
    });
  }
}

/** @param {number[]} row @throws {HeedError} 'not-finite' for a NaN, which only a changed weight can cause */
function likeliest(row) {
  const found = row.indexOf(Math.max(...row));
  if (found >= 0) return found;
  throw new HeedError('not-finite', 'rasp: the logits have NaN, because a weight was changed to NaN or infinity. Set ' +
    'it again, or open the compiled program again.');
}

/**
 * The transformer: blocks without norms. X ← X + Σ_h softmax(Q_h·K_hᵀ)·V_h·O_h, X ← X + max(0, X·W1 + b1)·W2.
 * @param {Lab} lab @param {Weights} w @param {number[]} heads of each layer @param {Int32Array} ids
 */
function forward(lab, w, heads, ids) {
  const time = ids.length;
  const positions = Int32Array.from(ids, (_, i) => i);
  let x = lab.add(lab.embedding(w['tok_emb.weight'], ids), lab.embedding(w['pos_emb.weight'], positions));
  /** @type {Float32Array[]} */
  const patterns = [];
  for (const [l, count] of heads.entries()) {
    const block = under(w, `blocks.${l}.`);
    patterns.push(new Float32Array(0));
    if (count > 0) {
      const [q, k, v] = ['query', 'key', 'value'].map((name) => {
        const joined = lab.linear(x, block[`attn.${name}.weight`]);
        return lab.permute(lab.reshape(joined, [time, count, joined.data.length / time / count]), [1, 0, 2]);
      });
      const { output, pattern } = lab.attention(q, k, v, { score: 'dot' });
      patterns[l] = pattern.data.slice();
      const joined = lab.reshape(lab.permute(output, [1, 0, 2]), [time, output.data.length / time]);
      x = lab.add(x, lab.linear(joined, block['attn.out.weight']));
    }
    if (block['mlp.0.weight']) {
      const hidden = lab.relu(lab.linear(x, block['mlp.0.weight'], block['mlp.0.bias']));
      x = lab.add(x, lab.linear(hidden, block['mlp.2.weight']));
    }
  }
  return { logits: lab.linear(x, w['head.weight']), patterns };
}

/** @param {string} name  name of the tokens, for messages @param {unknown} given @returns {string[]} */
export function tokensOf(name, given) {
  const tokens = typeof given === 'string' ? [...given] : Array.isArray(given) ? given : [];
  if (tokens.length > 0 && tokens.every((token) => typeof token === 'string')) return tokens;
  throw new HeedError('bad-argument', `${name} is ${quoted(given)}; expected a string or a list of strings, at least ` +
    'one.');
}

/** @param {string[]} tokens @param {Plan} plan */
function idsOf(tokens, { vocabulary, length }) {
  if (tokens.length > length) {
    throw new HeedError('bad-argument', `rasp: the input has ${tokens.length} tokens; this model was compiled for at ` +
      `most ${length}. Compile the program with a larger length.`);
  }
  const foreign = tokens.find((token) => !vocabulary.includes(token));
  if (foreign !== undefined) {
    throw new HeedError('bad-argument', `rasp: the vocabulary has no ${quoted(foreign)}; there are ` +
      `${vocabulary.join(' ')}.`);
  }
  return Int32Array.from([vocabulary.length, ...tokens.map((token) => vocabulary.indexOf(token))]);
}

/** Shapes and numbers of all weights. @param {Plan} plan */
export function matricesOf({ vocabulary, length, width, layers, tokens, positions, readout }) {
  /** @type {Record<string, { shape: number[], rows: Row[] }>} */
  const rows = {};
  /** @param {string} name @param {Row[]} list @param {number} columns */
  const add = (name, list, columns) => { rows[name] = { shape: [list.length, columns], rows: list }; };
  /** @param {import('./spaces.js').Space | null} space @param {number} i @returns {Row} */
  const at = (space, i) => (space ? [[space.first + i, 1]] : []);
  const embeddings = vocabulary.map((_, i) => /** @type {Row} */ ([[TOKEN, 1], ...at(tokens, i)]));
  add('tok_emb.weight', [...embeddings, [[BOS, 1]]], width);
  add('pos_emb.weight', [[], ...Array.from({ length }, (_, i) => at(positions, i))], width);
  /** @type {Record<string, number[]>} */
  const biases = {};
  for (const [l, { heads, units }] of layers.entries()) {
    const keys = Math.max(0, ...heads.map(({ key }) => key.length));
    const values = Math.max(0, ...heads.map(({ value }) => value.length));
    /** @param {Row[]} list @param {number} size @returns {Row[]} */
    const padded = (list, size) => Array.from({ length: size }, (_, i) => list[i] ?? []);
    if (heads.length > 0) {
      add(`blocks.${l}.attn.query.weight`, heads.flatMap(({ query }) => padded(query, keys)), width);
      add(`blocks.${l}.attn.key.weight`, heads.flatMap(({ key }) => padded(key, keys)), width);
      add(`blocks.${l}.attn.value.weight`, heads.flatMap(({ value }) => padded(value, values)), width);
      add(`blocks.${l}.attn.out.weight`, transposed(heads.flatMap(({ to }) =>
        padded(to.map((dimension) => [[dimension, 1]]), values)), width), heads.length * values);
    }
    if (units.length > 0) {
      add(`blocks.${l}.mlp.0.weight`, units.map(({ row }) => row), width);
      biases[`blocks.${l}.mlp.0.bias`] = units.map(({ bias }) => bias);
      add(`blocks.${l}.mlp.2.weight`, transposed(units.map(({ to }) => to), width), units.length);
    }
  }
  add('head.weight', readout, width);
  needRoom(width, rows);
  return { ...Object.fromEntries(Object.entries(rows).map(([name, { shape, rows: list }]) =>
    [name, { shape, data: dense(list, shape[1]) }])),
  ...Object.fromEntries(Object.entries(biases).map(([name, data]) =>
    [name, { shape: [data.length], data: Float32Array.from(data) }])) };
}

/** @param {number} width @param {Record<string, { shape: number[] }>} rows */
function needRoom(width, rows) {
  const weights = Object.values(rows).reduce((sum, { shape }) => sum + shape[0] * shape[1], 0);
  if (width <= MAX_WIDTH && weights <= MAX_WEIGHTS) return;
  throw new HeedError('too-large', `rasp: the model would be ${width} wide and have ${weights} weights; the maximum ` +
    `is ${MAX_WIDTH} and ${MAX_WEIGHTS}. Use fewer tokens, a shorter length or a shorter program.`);
}

/** @param {Row[]} rows @param {number} columns @returns {Row[]} */
function transposed(rows, columns) {
  const result = Array.from({ length: columns }, () => /** @type {Row} */ ([]));
  for (const [r, row] of rows.entries()) {
    for (const [column, weight] of row) result[column].push([r, weight]);
  }
  return result;
}

/** @param {Row[]} rows @param {number} columns */
function dense(rows, columns) {
  const data = new Float32Array(rows.length * columns);
  for (const [r, row] of rows.entries()) {
    for (const [column, weight] of row) data[r * columns + column] += weight;
  }
  return data;
}

/** @param {Plan} plan @returns {RaspSize} */
export function sizeOf(plan) {
  const matrices = Object.values(matricesOf(plan));
  /** @param {(data: Float32Array) => number} of */
  const count = (of) => matrices.reduce((sum, { data }) => sum + of(data), 0);
  return {
    layers: plan.layers.length,
    heads: plan.layers.map(({ heads }) => heads.length),
    width: plan.width,
    weights: count((data) => data.length),
    nonzero: count((data) => data.reduce((sum, weight) => sum + Number(weight !== 0), 0)),
  };
}
