// Attention versions and properties of the course notes, against their definitions in float64.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { lab, normal, randomFrom } from '../../js/lab/index.js';

let l;
before(async () => { l = await lab({ seed: 5 }); });
after(() => l.dispose());

const random = (seed, ...shape) => l.tensor(normal(randomFrom(seed), shape.reduce((a, b) => a * b, 1)), shape);
const identity = (n) => l.tensor(Array.from({ length: n * n }, (_, i) => Number(i % (n + 1) === 0)), [n, n]);
const dot = (a, b) => a.reduce((sum, value, i) => sum + value * b[i], 0);
const times = (W, x) => W.map((row) => dot(row, x));
const softmax = (row) => {
  const e = row.map((s) => Math.exp(s - Math.max(...row)));
  return e.map((x) => x / e.reduce((a, b) => a + b));
};
/** Pattern [query][key] and output [query][dim] for the scores s(query, key), in float64. */
const attention = (queries, keys, values, score) => {
  const pattern = queries.map((q) => softmax(keys.map((k) => score(q, k))));
  return { pattern, output: pattern.map((row) => values[0].map((_, d) => dot(row, values.map((v) => v[d])))) };
};
/** Checks that both results of a call equal the definition. */
const same = (found, expected, what) => {
  for (const name of ['pattern', 'output']) {
    const numbers = expected[name].flat();
    assert.deepEqual(found[name].shape, [expected[name].length, expected[name][0].length], what);
    found[name].data.forEach((value, i) => assert.ok(Math.abs(value - numbers[i]) <= 2e-6 * Math.max(1,
      Math.abs(numbers[i])), `${what}, ${name}[${i}]: ${value}, not ${numbers[i]}`));
  }
};

describe('versions 0 to 5', () => {
  const D = 6;
  const INPUTS = 5;
  const QUERIES = 3;
  const HIDDEN = 7;
  const scaled = (q, k) => dot(q, k) / Math.sqrt(D);
  /** @type {Record<string, any>} */ let w;
  let [X, Q, q] = /** @type {any[]} */ ([]);
  before(() => {
    X = random(1, INPUTS, D);
    Q = random(2, QUERIES, D);
    q = random(3, 1, D);
    w = { W_q: random(4, HIDDEN, D), W_k: random(5, HIDDEN, D), w_a: random(6, HIDDEN),
      W_Q: random(7, D, D), W_K: random(8, D, D), W_V: random(9, D, D) };
  });

  test('each version is one call and equals its equation', () => {
    const x = X.toArray();
    const of = (name) => w[name].toArray();
    const through = (name, rows) => rows.map((row) => times(of(name), row));
    const [K, V, self] = ['W_K', 'W_V', 'W_Q'].map((name) => through(name, x));
    const network = (query, key) => dot(of('w_a'), times(of('W_q'), query).map((a, i) =>
      Math.tanh(a + times(of('W_k'), key)[i])));
    same(l.attention(q, X, X, { score: 'additive', weights: w }), attention(q.toArray(), x, x, network), 'version 0');
    same(l.attention(q, X, X, { score: 'dot' }), attention(q.toArray(), x, x, dot), 'version 1');
    same(l.attention(q, X, X), attention(q.toArray(), x, x, scaled), 'version 2');
    same(l.attention(Q, X, X), attention(Q.toArray(), x, x, scaled), 'version 3');
    same(l.attention(Q, l.linear(X, w.W_K), l.linear(X, w.W_V)), attention(Q.toArray(), K, V, scaled), 'version 4');
    same(l.attention(l.linear(X, w.W_Q), l.linear(X, w.W_K), l.linear(X, w.W_V)), attention(self, K, V, scaled),
      'version 5');
  });

  test('equivalent versions agree', () => {
    const one = identity(D);
    const bits = (found, expected, what) => {
      for (const name of ['pattern', 'output']) assert.deepEqual([...found[name].data], [...expected[name].data], what);
    };
    const third = l.attention(Q, X, X);
    const first = l.attention(l.slice(Q, 0, 0, 1), X, X);
    assert.deepEqual([...third.output.data.slice(0, D)], [...first.output.data], '3 and 2, with one query');
    bits(l.attention(Q, l.linear(X, one), l.linear(X, one)), third, '4 and 3, with identity projections');
    bits(l.attention(l.linear(X, one), l.linear(X, one), l.linear(X, one)), l.attention(X, X, X),
      '5 and 3, with the inputs as queries');
    const K = l.linear(X, w.W_K);
    const V = l.linear(X, w.W_V);
    const fifth = l.attention(l.linear(X, w.W_Q), K, V);
    bits(l.attention(l.copy(l.linear(X, w.W_Q)), K, V), fifth, '5 and 4, with the projected inputs as queries');
    assert.notDeepEqual([...fifth.pattern.data], [...l.attention(X, X, X).pattern.data], 'with projections');
  });
});

test('content attention: a trainable query learns which input to select', () => {
  const INPUTS = 6;
  const D = 4;
  const V = random(11, INPUTS, D);
  const theta = l.parameter(normal(randomFrom(12), 2 * D, 0.1), [2, D], 'θ');
  l.evaluate(() => same(l.attention(theta, V, V, { score: 'dot' }),
    attention(theta.toArray(), V.toArray(), V.toArray(), dot), 'before the training'));
  const wanted = l.gather(V, [4, 1]);
  const optimizer = l.adamW([theta], { rate: 0.1, weightDecay: 0 });
  const losses = Array.from({ length: 150 }, () => l.step(() => {
    const error = l.sub(l.attention(theta, V, V, { score: 'dot' }).output, wanted);
    const loss = l.sum(l.mul(error, error));
    l.backward(loss);
    optimizer.step();
    return loss.item();
  }));
  const [last] = losses.slice(-1);
  assert.ok(last < losses[0] / 10, `${losses[0]}, then ${last}`);
});

test('cross-attention of T queries over T̄ keys is T × T̄ and keeps the names of its axes', () => {
  const states = l.tensor(normal(randomFrom(21), 12), { target: 3, dim: 4 });
  const memory = l.tensor(normal(randomFrom(22), 20), { source: 5, dim: 4 });
  const { output, pattern, scores } = l.attention(states, memory, memory);
  assert.deepEqual(pattern.shape, { target: 3, source: 5 });
  assert.deepEqual(scores.shape, { target: 3, source: 5 });
  assert.deepEqual(output.shape, { target: 3, dim: 4 });
});

describe('sinusoidal positions', () => {
  const COUNT = 50;
  const D = 128;
  const angle = (t, i) => t / 10000 ** (2 * i / D);
  const variance = (list) => {
    const mean = list.reduce((a, b) => a + b) / list.length;
    return list.reduce((sum, value) => sum + (value - mean) ** 2, 0) / list.length;
  };

  test('equal sines and cosines of the position over 10000^(2i/d)', () => {
    const P = l.sinusoidal(COUNT, D).toArray();
    P.forEach((row, t) => row.forEach((value, k) => {
      const expected = (k % 2 === 0 ? Math.sin : Math.cos)(angle(t, Math.floor(k / 2)));
      assert.ok(Math.abs(value - expected) < 4e-6, `PE(${t}, ${k}) is ${value}, not ${expected}`);
    }));
  });

  test('the squared distance over k positions is Σ 4 sin²(ωk/2) at any position', () => {
    const P = l.sinusoidal(400, D).toArray();
    for (const k of [1, 7, 49]) {
      const expected = Math.sqrt(Array.from({ length: D / 2 }, (_, i) => 4 * Math.sin(angle(k, i) / 2) ** 2)
        .reduce((a, b) => a + b));
      for (const t of [0, 1, 20, 350]) {
        const found = Math.hypot(...P[t + k].map((value, i) => value - P[t][i]));
        assert.ok(Math.abs(found - expected) < 1e-4, `‖PE(${t + k}) − PE(${t})‖ is ${found}, not ${expected}`);
      }
    }
  });

  test('the first 50 elements hold the variance of the inner product over |t − t′| ~ U(50)', () => {
    const P = l.sinusoidal(COUNT, D).toArray();
    const found = Array.from({ length: D / 2 }, (_, at) => variance(P.map((row) =>
      dot(row.slice(0, 2 * (at + 1)), P[0]))));
    const expected = Array.from({ length: D / 2 }, (_, at) => variance(P.map((_row, t) =>
      Array.from({ length: at + 1 }, (__, i) => Math.cos(angle(t, i))).reduce((a, b) => a + b))));
    found.forEach((value, at) => assert.ok(Math.abs(value - expected[at]) < 1e-3, `${value}, not ${expected[at]}`));
    const whole = expected[expected.length - 1];
    assert.ok(expected[24] > 0.8 * whole && expected[4] < 0.5 * whole, `${expected[24] / whole} of the variance`);
  });
});
