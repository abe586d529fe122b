/** Exercises on the soft lookup. */
import { choice, matrix, number } from '../kit/answers.js';
import { fixed } from '../kit/format.js';

/** Keys of the lesson: names, stands in, acts, is acted on. */
const KEYS = [[2, 0, 2, 0], [0, 2, 2, 0], [2, 0, 0, 2], [0, 2, 0, 2], [-2, -2, 0, 0]];
const VALUES = ['Professor Perry', 'He', 'Machine Learning', 'Them', 'Taught'];
const FEATURES = ['names', 'stands in', 'acts', 'is acted on'];

/** @param {import('../../../js/lab/index.js').Lab} l @param {number[]} query @param {number} temperature
 *  @param {number[][]} [keys] @returns {number[]} the weights */
const lookup = (l, query, temperature, keys = KEYS) => l.evaluate(() => {
  const q = l.tensor(query, { query: 1, feature: query.length });
  const K = l.tensor(keys.flat(), { key: keys.length, feature: query.length });
  return [...l.attention(q, K, K, { score: 'dot', scale: 1 / temperature }).pattern.data];
});

/** @type {import('../kit/answers.js').Exercise[]} */
export default [
  {
    id: 'lookup-hot', kind: 'predict', title: 'A high temperature',
    question: 'The query of the lesson is the key of Subject, (2, 0, 2, 0). At temperature τ = 1 Professor Perry gets '
      + 'nearly all weight. Now set τ = 100. Which weight does Professor Perry get?',
    hints: ['The scores are divided by τ. The largest score, 8, becomes 0.08.',
      'exp(0.08) and exp(0) are nearly equal. What does a softmax of five nearly equal scores give?'],
    pose({ l }) {
      const at = (/** @type {number} */ temperature) => lookup(l, KEYS[0], temperature)[0];
      return { ...number({
        label: 'Weight of Professor Perry at τ = 100', right: at(100), tolerance: 0.03,
        why: `It is ${fixed(at(100), 3)}. All five weights are nearly 1/5: a high temperature makes the lookup soft.`,
        mistakes: [[1, 'This is a cold lookup. A high temperature makes scores more equal, not less.'],
          [0, 'A softmax never gives 0 to a finite score, and this is the best key.']],
        solution: 'The five scores divided by 100 lie between −0.08 and 0.08. Their exponentials are all near 1, so '
          + 'each weight is near 1/5.',
      }), explore: { label: 'τ as a power of ten', min: -2, max: 2, step: 0.25, value: 0,
        say: (power) => `At τ = ${fixed(10 ** power, 2)} Professor Perry gets ${fixed(at(10 ** power), 3)}.` } };
    },
  },
  {
    id: 'lookup-equal-keys', kind: 'predict', title: 'Two keys that match equally',
    question: 'Let two of the five keys be equal to the query, and the other three match worse. The temperature is '
      + '0.01, so the lookup is almost hard. Which weight does the first of the two keys get?',
    hints: ['Equal keys have equal scores, at any temperature.',
      'All weights sum to 1. The other three keys get almost 0.'],
    pose({ l }) {
      const weight = lookup(l, KEYS[0], 0.01, [KEYS[0], KEYS[0], ...KEYS.slice(2)])[0];
      return number({
        label: 'Weight of the first key', right: weight, tolerance: 0.01,
        why: 'Equal scores give equal weights, so the two best keys share the weight.',
        mistakes: [[1, 'The second key has the same score. A softmax cannot prefer one of two equal scores.'],
          [0.2, 'This is the weight of a hot lookup. At τ = 0.01 the three worse keys get almost nothing.']],
        solution: 'The two best scores are equal, so their weights are equal. The other weights are 0 in 32-bit '
          + 'numbers. Each of the two gets 1/2.',
      });
    },
  },
  {
    id: 'lookup-query', kind: 'matrix', title: 'Ask for Machine Learning',
    question: 'Set the query so that the lookup at τ = 1 gives at least 0.99 to Machine Learning. Its key is (2, 0, '
      + '0, 2). The other keys are (2, 0, 2, 0), (0, 2, 2, 0), (0, 2, 0, 2) and (−2, −2, 0, 0).',
    hints: ['Which two features does the key of Machine Learning have?',
      'No other key has both of them. How large must the query be?'],
    pose: ({ l }) => matrix({
      tables: [{ caption: 'Query', axes: ['', 'feature'], rows: ['q'], columns: FEATURES, data: [0, 0, 0, 0] }],
      run(query) {
        const weights = lookup(l, query, 1);
        const best = weights.indexOf(Math.max(...weights));
        const correct = weights[2] >= 0.99;
        const even = Math.max(...weights) - Math.min(...weights) < 1e-6;
        return { correct, why: even ? 'Every key gets 0.2: all scores are equal.'
          : `Machine Learning gets ${fixed(weights[2], 3)}${correct ? '.'
            : best === 2 ? ', which is not enough. A longer query makes the weights sharper.'
              : `, and ${VALUES[best]} gets ${fixed(weights[best], 3)}.`}` };
      },
      right: [[3, 0, 0, 3]],
      wrong: [{ answer: [[0, 0, 0, 0]], why: 'all scores are equal' },
        { answer: [[2, 0, 0, 2]], why: 'A longer query makes the weights sharper' },
        { answer: [[2, 0, 2, 0]], why: 'Professor Perry gets' }],
      solution: 'The key itself, (2, 0, 0, 2), points in the right direction: it has score 8 with its key and at most '
        + '4 with another, which gives 0.964. The query (3, 0, 0, 3) is longer, and has 12 and 6. So the length of a '
        + 'query acts like 1/τ.',
    }),
  },
  {
    id: 'lookup-gradient', kind: 'choice', title: 'What a cold lookup can learn',
    question: 'At τ = 0.05 the query (2, 0, 2, 0) returns Professor Perry, but the right answer is He. The loss is '
      + 'the squared error. Which parts can gradient descent still change?',
    hints: ['A gradient says how the output changes when a number changes a little.',
      'At this temperature a small change of the query does not change which key is best.'],
    pose({ l }) {
      const q = l.parameter(KEYS[0], { query: 1, feature: 4 });
      const K = l.parameter(KEYS.flat(), { key: 5, feature: 4 });
      const V = l.parameter(VALUES.flatMap((_, i) => VALUES.map((__, j) => Number(i === j))), { key: 5, word: 5 });
      const lengths = l.step(() => {
        const { output } = l.attention(q, K, V, { score: 'dot', scale: 20 });
        const error = l.sub(output, l.tensor([0, 1, 0, 0, 0], { query: 1, word: 5 }));
        l.backward(l.sum(l.mul(error, error)));
        return [q, K, V].map(({ grad }) => Math.hypot(.../** @type {Float32Array} */ (grad)));
      });
      const [query, keys, values] = lengths.map((length) => length > 1e-6);
      return choice({
        options: [
          ['the query, the keys and the values', 'The gradient of the query and of the keys is 0 here: a small change '
            + 'does not change which key wins.'],
          ['the query and the keys', 'The other way round: the weights do not move, but the values enter the output '
            + 'directly.'],
          ['only the values', `The gradients have the lengths ${lengths.map((length) => fixed(length, 3)).join(', ')} `
            + 'for query, keys and values. The model can change what it returns, but not where it looks.'],
          ['none of them', 'The output is a weighted sum of values, so its gradient for the value with weight 1 is '
            + 'large.'],
        ],
        right: query && keys && values ? 0 : query && keys ? 1 : values ? 2 : 3,
        solution: 'The weights are one-hot and stay one-hot after a small change, so their gradient is 0. The output '
          + 'is the value with weight 1, so that value has a gradient.',
      });
    },
  },
];
