/** Exercises on scores. */
import { normal } from '../../../js/lab/index.js';
import { code, number } from '../kit/answers.js';
import { fixed, grouped } from '../kit/format.js';
import { largestDifference } from '../kit/numbers.js';

/** Random pairs whose products are measured. */
const PAIRS = 1024;

/** @param {ArrayLike<number>} list */
function deviationOf(list) {
  const all = Array.from(list);
  const mean = all.reduce((sum, value) => sum + value, 0) / all.length;
  return Math.sqrt(all.reduce((sum, value) => sum + (value - mean) ** 2, 0) / all.length);
}

/** Deviation of the dot products of random vectors. @param {import('../kit/answers.js').Context} context
 *  @param {number} width */
const measured = ({ l, random }, width) => l.evaluate(() => {
  const [q, k] = [0, 1].map(() => l.tensor(normal(random, PAIRS * width), { pair: PAIRS, dim: width }));
  return deviationOf(l.sum(l.mul(q, k), 'dim').data);
});

/** @type {import('../kit/answers.js').Exercise[]} */
export default [
  {
    id: 'scores-axis', kind: 'predict', title: 'A softmax over the wrong axis',
    question: 'A map has 2 queries and 3 keys. A bug computes the softmax over the queries instead of the keys. What '
      + 'is the sum of all six weights?',
    hints: ['A softmax makes each row or each column sum to 1, depending on its axis.',
      'Over the queries, each column sums to 1.'],
    pose({ l, random }) {
      const E = normal(random, 6);
      // The softmax runs over the last axis, so the wrong axis needs the transpose.
      const byKey = E.map((_, i) => E[3 * (i % 2) + Math.floor(i / 2)]);
      const sums = l.evaluate(() => [l.tensor(E, { query: 2, key: 3 }), l.tensor(byKey, { key: 3, query: 2 })]
        .map((scores) => Math.round(l.sum(l.softmax(scores)).item())));
      return number({
        label: 'Sum of all weights', right: sums[1],
        why: 'Each of the three columns sums to 1. A row may then sum to any number up to 3, so its output is no '
          + 'average of values.',
        mistakes: [[sums[0], 'This is the right map, where each of the two rows sums to 1.'],
          [1, 'A softmax over all six numbers would sum to 1. Here it runs once for each key.'],
          [6, 'Six weights of 1 each: but the two weights of a column share 1.']],
        solution: 'There is one softmax for each key, and each sums to 1. With 3 keys the total is 3. The right '
          + 'softmax has one for each query: the total is 2.',
      });
    },
  },
  {
    id: 'scores-root', kind: 'predict', title: 'Why the square root',
    question: 'The numbers of a query and of a key are independent, with mean 0 and variance 1. Both have 64 numbers. '
      + 'What is the standard deviation of their dot product?',
    hints: ['Each product of two numbers has variance 1.', 'Variances of independent terms add. The standard '
      + 'deviation is the root of the variance.'],
    pose(context) {
      const right = measured(context, 64);
      return { ...number({
        label: 'Standard deviation of q · k', right, tolerance: 0.5,
        why: `${grouped(PAIRS)} random pairs have ${fixed(right, 2)}. So dividing by √64 = 8 brings the deviation `
          + `back to 1.`,
        mistakes: [[64, 'This is the variance. The standard deviation is its root.'],
          [1, 'This is the deviation of one term, or of the scaled score. Here 64 terms are added.'],
          [4096, 'Variances add: 64 terms of variance 1 have variance 64, not 64².']],
        solution: 'The dot product has 64 independent terms of variance 1. Its variance is 64, and its deviation √64 '
          + '= 8.',
      }), explore: { label: 'Numbers in q and k', min: 1, max: 128, step: 1, value: 64,
        say: (width) => `With d = ${width} the measured deviation is ${fixed(measured(context, width), 2)}; √d is `
          + `${fixed(Math.sqrt(width), 2)}.` } };
    },
  },
  {
    id: 'scores-scaled', kind: 'cell', title: 'One weight, scaled', varied: true,
    question: 'A query has the dot products below with two keys. The vectors have 64 numbers. Without scaling the '
      + 'first weight would be almost 1. Compute the weight of the first key with the scaled score.',
    hints: ['Divide both scores by √64.', 'With two keys only the difference x of the scaled scores matters: the '
      + 'weight is 1 / (1 + exp(−x)).'],
    pose({ l, random }) {
      const gap = 8 * (1 + Math.floor(random() * 2)); // 8 or 16
      const least = Math.floor(random() * 5);
      const [scaled, plain] = [8, 1].map((root) => l.evaluate(() =>
        l.softmax(l.tensor([(least + gap) / root, least / root], { query: 1, key: 2 })).data.slice()));
      return { ...number({
        label: 'the first weight', right: scaled[0], tolerance: 0.01,
        why: `The scaled scores differ by ${gap / 8}, so the weight is ${fixed(scaled[0], 3)}. Unscaled it would be `
          + `${fixed(plain[0], 6)}, and its gradient nearly 0.`,
        mistakes: [[plain[0], 'This is the softmax of the plain dot products. Divide them by √64 first.'],
          [1 / (1 + Math.exp(-gap / 64)), 'You divided by 64. The scale is its root.'],
          [0.5, 'The scores are not equal, so the weights are not equal.']],
        solution: `The scaled scores are ${(least + gap) / 8} and ${least / 8}. Their difference is ${gap / 8}, and `
          + `1 / (1 + exp(−${gap / 8})) = ${fixed(scaled[0], 3)}.`,
      }), given: [
        { caption: 'Dot products', axes: ['', 'key'], rows: ['q · k'], data: [least + gap, least], digits: 0 },
        { caption: 'Weights', axes: ['', 'key'], rows: ['α'], columns: ['1'], data: [0], blank: [0, 0] }] };
    },
  },
  {
    id: 'scores-self', kind: 'code', title: 'Self-attention in one line',
    question: 'Complete version 5, self-attention. The arguments are queries, keys and values, in this order. The '
      + 'check compares the result with the formula softmax(X W_Q (X W_K)ᵀ / √d) X W_V on random numbers.',
    hints: ['In the formula, which matrix stands to the left of the transpose?',
      'The values are what the weights average.'],
    pose({ l, random }) {
      const [X, ...projections] = [12, 16, 16, 16].map((n) => normal(random, n));
      const width = { d: 4 };
      const wanted = l.evaluate(() => {
        const [Q, K, V] = projections.map((W) => l.linear(l.tensor(X, { time: 3, feature: 4 }), l.tensor(W, [4, 4])));
        const E = l.scale(l.matmul(Q, K, { transposeB: true }), 1 / Math.sqrt(width.d));
        return l.matmul(l.softmax(E), V).data.slice();
      });
      const options = ['W_Q', 'W_K', 'W_V'];
      const gap = (/** @type {string} */ label) => ({ label, options });
      return code({
        parts: ['l.attention(l.linear(X, ', gap('matrix of the queries'), '), l.linear(X, ', gap('matrix of the keys'),
          '), l.linear(X, ', gap('matrix of the values'), '))'],
        run(chosen) {
          const [q, k, v] = chosen;
          const found = l.evaluate(() => {
            const x = l.tensor(X, { time: 3, feature: 4 });
            const [Q, K, V] = chosen.map((name) => l.linear(x, l.tensor(projections[options.indexOf(name)], [4, 4])));
            return l.attention(Q, K, V).output.data.slice();
          });
          const apart = largestDifference(found, wanted);
          return { correct: apart < 1e-5, why: apart < 1e-5
            ? `The output differs from the formula by ${apart === 0 ? 'nothing' : 'rounding only'}.`
            : `The output differs by ${fixed(apart, 2)}. ${v !== 'W_V'
              ? 'The last argument has the values, which are averaged.'
              : q === k ? 'Queries and keys are now the same vectors, so the scores are symmetric.'
                : 'Queries and keys are exchanged: each score is the one of the transposed matrix.'}` };
        },
        right: ['W_Q', 'W_K', 'W_V'],
        wrong: [{ answer: ['W_K', 'W_Q', 'W_V'], why: 'exchanged' },
          { answer: ['W_Q', 'W_Q', 'W_V'], why: 'symmetric' },
          { answer: ['W_Q', 'W_V', 'W_K'], why: 'averaged' }],
        solution: '`l.attention(l.linear(X, W_Q), l.linear(X, W_K), l.linear(X, W_V))`. All three come from the same '
          + 'X: this is self-attention.',
      });
    },
  },
];
