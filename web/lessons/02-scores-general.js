/** What the scores have in common: weights from any measure of how related a query and a key are. */
import { normal, randomFrom } from '../../js/lab/index.js';
import { rough } from './kit/numbers.js';
import { say } from './kit/page.js';

/** @typedef {import('../../js/lab/index.js').Lab} Lab */

const [QUERIES, KEYS, D] = [4, 6, 8];

/** Rows of a matrix [rows][columns]. @param {ArrayLike<number>} data @param {number} columns */
const rowsOf = (data, columns) => Array.from({ length: data.length / columns }, (_, row) =>
  Array.from({ length: columns }, (__, column) => data[row * columns + column]));

/** W x. @param {number[][]} W @param {number[]} x */
const times = (W, x) => W.map((row) => dot(row, x));

/** @param {number[]} a @param {number[]} b */
const dot = (a, b) => a.reduce((sum, value, i) => sum + value * b[i], 0);

/** The definition, term by term in 64-bit numbers, beside the call. @param {Lab} l */
export function showGeneral(l) {
  const random = randomFrom(4);
  const [Q, K, V] = [QUERIES, KEYS, KEYS].map((rows) => normal(random, rows * D));
  const [theta, phi, g] = ['θ', 'φ', 'g'].map((name) => l.init.normal(name, [D, D]));
  const [W_q, W_k, W_v] = [theta, phi, g].map(({ data }) => rowsOf(data, D));

  const defined = rowsOf(Q, D).flatMap((q) => {
    const f = rowsOf(K, D).map((k) => Math.exp(dot(times(W_q, q), times(W_k, k))));
    const C = f.reduce((sum, each) => sum + each, 0);
    const values = rowsOf(V, D).map((v) => times(W_v, v));
    return Array.from({ length: D }, (_, at) => f.reduce((sum, each, i) => sum + each * values[i][at], 0) / C);
  });
  l.evaluate(() => {
    const [queries, keys, values] = [l.tensor(Q, { query: QUERIES, dim: D }), l.tensor(K, { key: KEYS, dim: D }),
      l.tensor(V, { key: KEYS, dim: D })];
    const { output } = l.attention(
      l.linear(queries, theta), l.linear(keys, phi), l.linear(values, g), { score: 'dot' });
    say({ 'general-off': rough(Math.max(...output.data.map((value, i) => Math.abs(value - defined[i])))) });
  });
}
