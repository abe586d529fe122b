/** Exercises on the cache. */
import { normal, randomFrom } from '../../../js/lab/index.js';
import { reachOf } from '../19-cache-reach.js';
import { choice, number } from '../kit/answers.js';
import { fixed, grouped } from '../kit/format.js';

/** Tokens in a picture of reach: more than any answer. */
const TOKENS = 64;

/** @type {import('../kit/answers.js').Exercise[]} */
export default [
  {
    id: 'cache-size', kind: 'predict', title: 'The cache of a small model',
    question: 'A model has 24 layers, 16 query heads of width 64, and 4 pairs of keys and values. How many numbers '
      + 'does its cache have for each token?',
    hints: ['The number of query heads does not matter.', '2 · layers · pairs · width'],
    pose({ l }) {
      const count = (/** @type {number} */ pairs) => l.evaluate(() => {
        const [q, k] = [16, pairs].map((heads) => l.tensor(new Float32Array(heads * 64), [heads, 1, 64]));
        l.attention(q, k, k);
        return 24 * 2 * k.data.length;
      });
      return { ...number({
        label: 'Numbers for each token', right: count(4),
        why: '2 · 24 · 4 · 64: a key and a value of 64 numbers, 4 times in each of 24 layers.',
        mistakes: [[count(16), 'Keys and values have 4 heads, not 16.'],
          [count(4) / 2, 'The cache has a key and a value for each pair.'],
          [count(4) / 24, 'This is one layer. Each layer has its own keys and values.']],
        solution: `2 · 24 · 4 · 64 = ${grouped(count(4))}.`,
      }), explore: { label: 'Pairs (power of two)', min: 0, max: 4, step: 1, value: 2,
        format: (power) => String(2 ** power),
        say: (power) => `With ${2 ** power} ${power ? 'pairs' : 'pair'} it is ${grouped(count(2 ** power))}.` } };
    },
  },
  {
    id: 'cache-reach', kind: 'predict', title: 'How far a window reaches',
    question: 'Each of 5 layers has a window of 6 tokens: the token itself and 5 before it. How many tokens of a long '
      + 'text can change the last output?',
    hints: ['With one layer it is 6.', 'Each further layer adds 5 tokens.'],
    pose({ l }) {
      const reach = (/** @type {number} */ layers) => l.evaluate(() =>
        reachOf(l, TOKENS, 6, layers).slice(-TOKENS).filter((share) => share > 0).length);
      return { ...number({
        label: 'Tokens', right: reach(5),
        why: '5 · 5 + 1: each layer reaches 5 tokens further back, and the last token itself counts once.',
        mistakes: [[30, 'Windows of successive layers overlap in one token, so each layer adds 5 and not 6.'],
          [6, 'This is one layer. The keys of the second layer have read further back already.'],
          [25, 'Count the last token itself too.']],
        solution: 'The last token reads 6 tokens of the fifth layer. The farthest of them read 5 more in the fourth '
          + 'layer, and so on: 1 + 5 · 5 = 26.',
      }), explore: { label: 'Layers', min: 1, max: 10, step: 1, value: 1,
        say: (layers) => `${layers} ${layers === 1 ? 'layer reaches' : 'layers reach'} ${reach(layers)} tokens.` } };
    },
  },
  {
    id: 'cache-sink', kind: 'predict', title: 'The weight that a sink takes',
    question: 'No key fits: all keys have the score 0. The sink has the score 2. Which weight do the 4 keys have '
      + 'together?',
    hints: ['exp(0) is 1, and exp(2) is 7.389.', 'The denominator has the sink and all keys.'],
    pose({ l }) {
      const sum = (/** @type {number} */ b) => l.evaluate(() =>
        1 - l.softmax(l.tensor([b, 0, 0, 0, 0], { row: 1, key: 5 })).data[0]);
      const right = sum(2);
      return { ...number({
        label: 'Weight of the keys', right, tolerance: 0.005,
        why: `4 / (7.389 + 4) is ${fixed(right, 3)}.`,
        mistakes: [[1, 'This is the sum without a sink. The sink is in the denominator too.'],
          [1 - right, 'This is the weight of the sink.'],
          [right / 4, 'This is one of the four keys.']],
        solution: `The sum is 4 · 1 / (exp(2) + 4 · 1) = ${fixed(right, 3)}. The sink has no value, so the output has `
          + 'this share of its length.',
      }), explore: { label: 'Score of the sink', min: -6, max: 6, step: 1, value: -6,
        say: (b) => `With the score ${fixed(b, 0)} the keys have ${fixed(sum(b), 3)} together.` } };
    },
  },
  {
    id: 'cache-order', kind: 'choice', title: 'A matrix moved to the query',
    question: 'In attention with compressed keys, W_K is multiplied into the query. What if the keys also went through '
      + 'a ReLU: k = relu(c W_K)?',
    hints: ['Which rule allows to move W_K: q · (c W_K) = (q W_Kᵀ) · c?', 'Is relu(x + y) = relu(x) + relu(y)?'],
    pose({ l }) {
      const random = randomFrom(4);
      const [q, c, W] = [4, 3, 12].map((n) => normal(random, n));
      const off = (/** @type {boolean} */ bent) => l.evaluate(() => {
        const query = l.tensor(q, [1, 4]);
        const short = l.tensor(c, [1, 3]);
        const W_K = l.tensor(W, [4, 3]);
        const key = l.linear(short, W_K);
        const moved = l.matmul(l.matmul(query, W_K), short, { transposeB: true });
        return Math.abs(l.matmul(query, bent ? l.relu(key) : key, { transposeB: true }).item() - moved.item());
      });
      return choice({
        options: [
          ['Nothing: the ReLU moves to the query too.', 'The query would be bent in other places than the keys.'],
          ['The keys must be computed for each token again, or kept.', `A product of matrices can be regrouped, and a `
            + `nonlinear function between them cannot: here the score would be off by ${fixed(off(true), 3)}.`],
          ['Only the scale of the scores changes.', 'The ReLU sets single numbers of a key to 0, so the direction of '
            + 'the key changes.'],
        ],
        right: off(false) < 1e-5 && off(true) > 1e-5 ? 1 : 0,
        solution: 'Without a function between them, q W_Kᵀ can be computed once for all tokens. A function of each key '
          + 'has to see the key itself.',
      });
    },
  },
];
