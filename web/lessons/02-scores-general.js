/** The general form of attention: weights from any positive measure of similarity between a query and a key. */
import { normal, randomFrom } from '../../js/lab/index.js';
import { fixed, grouped, magnitude } from './kit/format.js';
import { largestDifference } from './kit/numbers.js';
import { showValues } from './kit/page.js';

/** @typedef {import('../../js/lab/index.js').Lab} Lab */

const QUERIES = 4;
const KEYS = 6;
const D = 8;
/** Number and width of random pairs of a query and a key. */
const PAIRS = 4000;
const PAIR_WIDTH = 64;

/** Rows of a matrix [rows][columns]. @param {ArrayLike<number>} data @param {number} columns */
const rowsOf = (data, columns) => Array.from({ length: data.length / columns }, (_, row) =>
  Array.from({ length: columns }, (__, column) => data[row * columns + column]));

/** W x. @param {number[][]} W @param {number[]} x */
const times = (W, x) => W.map((row) => dot(row, x));

/** @param {number[]} a @param {number[]} b */
const dot = (a, b) => a.reduce((sum, value, i) => sum + value * b[i], 0);

/** The weights f / C of one query. @param {number[]} f of each key */
function normalize(f) {
  const C = f.reduce((sum, each) => sum + each, 0);
  return f.map((each) => each / C);
}

/** Computes the definition term by term in 64-bit numbers, and as one call. @param {Lab} l */
export function showGeneral(l) {
  const random = randomFrom(4);
  const [Q, K, V] = [QUERIES, KEYS, KEYS].map((rows) => normal(random, rows * D));
  const [W_Q, W_K, W_V] = ['W_Q', 'W_K', 'W_V'].map((name) => l.init.normal(name, [D, D], 1 / Math.sqrt(D)));
  const [ofQueries, ofKeys, ofValues] = [W_Q, W_K, W_V].map(({ data }) => rowsOf(data, D));

  const matches = rowsOf(Q, D).map((q) => rowsOf(K, D).map((k) => dot(times(ofQueries, q), times(ofKeys, k))));
  const values = rowsOf(V, D).map((v) => times(ofValues, v));
  const weights = matches.map((row) => normalize(row.map(Math.exp)));
  const defined = weights.flatMap((row) => Array.from({ length: D }, (_, at) => dot(row, values.map((v) => v[at]))));
  const [positive, signed] = [weights, matches.map(normalize)].map((all) => all.flat());
  showValues({ 'positive-least': magnitude(Math.min(...positive)), 'signed-least': fixed(Math.min(...signed), 2),
    'signed-most': fixed(Math.max(...signed), 2) });
  l.evaluate(() => {
    const queries = l.tensor(Q, { query: QUERIES, dim: D });
    const keys = l.tensor(K, { key: KEYS, dim: D });
    const values = l.tensor(V, { key: KEYS, dim: D });
    const { output } = l.attention(
      l.linear(queries, W_Q), l.linear(keys, W_K), l.linear(values, W_V), { score: 'dot' });
    showValues({ 'general-off': magnitude(largestDifference(output.data, defined)) });
  });
}

/** Variance of dot products divided by their width, for numbers with mean 0 and with mean 1. */
export function showVariance() {
  const random = randomFrom(6);
  const [queries, keys] = [0, 1].map(() => rowsOf(normal(random, PAIRS * PAIR_WIDTH), PAIR_WIDTH));
  const [centered, shifted] = [0, 1].map((mean) => {
    const moved = (/** @type {number[]} */ row) => row.map((value) => value + mean);
    const products = queries.map((q, i) => dot(moved(q), moved(keys[i])));
    const middle = products.reduce((sum, each) => sum + each, 0) / PAIRS;
    return products.reduce((sum, each) => sum + (each - middle) ** 2, 0) / PAIRS / PAIR_WIDTH;
  });
  showValues({ pairs: grouped(PAIRS), 'pair-width': PAIR_WIDTH, 'variance-centered': fixed(centered, 2),
    'variance-shifted': fixed(shifted, 2) });
}
