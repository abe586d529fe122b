/** Exercises on masks. */
import { normal } from '../../../js/lab/index.js';
import { code, number } from '../kit/answers.js';
import { fixed } from '../kit/format.js';

/** @type {import('../kit/answers.js').Exercise[]} */
export default [
  {
    id: 'mask-zero', kind: 'predict', title: 'A score of 0 is no mask',
    question: 'The scores are 1, 1 and 3, and key 3 must be hidden. A bug sets its score to 0 instead of −∞. Which '
      + 'weight does the hidden key get?',
    hints: ['exp(0) is 1, not 0.', 'The other two exponentials are e = 2.718 each.'],
    pose({ l }) {
      const weightOf = (/** @type {number} */ score) =>
        l.evaluate(() => l.softmax(l.tensor([1, 1, score], [1, 3])).data[2]);
      const right = weightOf(0);
      return { ...number({
        label: 'Weight of the hidden key', right, tolerance: 0.01,
        why: `exp(0) / (e + e + exp(0)) is ${fixed(right, 3)}. The key is not hidden.`,
        mistakes: [[0, 'Only a score of −∞ gives a weight of 0. exp(0) is 1.'],
          [1 / 3, 'The other two scores are 1, not 0, so the weights are not equal.'],
          [weightOf(3), 'This is the weight without any mask.']],
        solution: `The weight is 1 / (2.718 + 2.718 + 1) = ${fixed(right, 3)}. A mask must be −∞, or a number so low `
          + 'that its exponential is 0 in 32-bit numbers.',
      }), explore: { label: 'Score of key 3', min: -20, max: 3, step: 1, value: 0,
        say: (score) => `With the score ${fixed(score, 0)} key 3 gets ${fixed(weightOf(score), 9)}.` } };
    },
  },
  {
    id: 'mask-count', kind: 'predict', title: 'Cells that a causal mask leaves',
    question: 'A causal mask covers a map of 6 queries and 6 keys. Query i sees the keys 1 … i. How many cells are '
      + 'visible?',
    hints: ['The first row has one visible cell, the last row has six.', 'Add 1 + 2 + … + 6.'],
    pose({ l }) {
      const visible = (/** @type {number} */ time) => l.evaluate(() => {
        const x = l.tensor(new Float32Array(time), { time, feature: 1 });
        return l.attention(x, x, x, { causal: true }).scores.data.filter((score) => score !== -Infinity).length;
      });
      return { ...number({
        label: 'Visible cells', right: visible(6),
        why: 'T(T + 1)/2 cells are visible: the lower half with the diagonal.',
        mistakes: [[15, 'You left out the diagonal. A token sees itself, so that the first row has a key at all.'],
          [36, 'These are all cells. Future keys are masked.'],
          [18, 'Half of all cells: but the diagonal is visible as a whole.']],
        solution: '1 + 2 + 3 + 4 + 5 + 6 = 21. For T tokens it is T(T + 1)/2.',
      }), explore: { label: 'Tokens', min: 1, max: 32, step: 1, value: 6,
        say: (time) => `Tokens: ${time}. Visible cells: ${visible(time)} of ${time ** 2}.` } };
    },
  },
  {
    id: 'mask-first-row', kind: 'cell', title: 'The first row of a causal map', varied: true,
    question: 'These are the scores of three tokens. The map is causal. Fill in the weight that the first token gives '
      + 'to itself.',
    hints: ['Which keys does the first query see?', 'The weights of a row sum to 1.'],
    pose({ l, random }) {
      const E = Array.from({ length: 9 }, () => Math.round(8 * random()) / 2 - 2);
      const [causal, plain] = [true, false].map((masked) => l.evaluate(() => {
        const hidden = E.map((_, i) => (masked && i % 3 > Math.floor(i / 3) ? -Infinity : 0));
        const M = l.tensor(hidden, { query: 3, key: 3 });
        return [...l.softmax(l.add(l.tensor(E, { query: 3, key: 3 }), M)).data];
      }));
      return { ...number({
        label: 'the first weight', right: causal[0], tolerance: 0.005,
        why: 'The first query sees one key, so this key gets all the weight, whatever its score is.',
        mistakes: [[plain[0], 'This is the softmax without the mask. The keys 2 and 3 are in the future of token 1.'],
          [E[0], 'This is the score. The softmax of a single score does not depend on it.'],
          [0, 'A token sees itself: the diagonal is not masked.']],
        solution: 'The softmax of (e, −∞, −∞) is (1, 0, 0) for every e.',
      }), given: [{ caption: 'Scores', axes: ['query', 'key'], data: E, rows: ['1', '2', '3'], digits: 1 },
        { caption: 'Causal weights', axes: ['query', 'key'], data: causal, rows: ['1', '2', '3'], blank: [0, 0] }] };
    },
  },
  {
    id: 'mask-code', kind: 'code', title: 'Two masks in one call',
    question: 'A sentence of 4 tokens is padded to 6. A decoder must read it: no token sees the future, and no token '
      + 'sees the padding. Complete the options.',
    hints: ['One option hides the future, the other one hides the padding.',
      '`lengths` has the number of keys that are no padding.'],
    pose({ l, random }) {
      const x = normal(random, 6 * 4);
      return code({
        parts: ['l.attention(X, X, X, { causal: ', { label: 'causal', options: ['true', 'false'] }, ', lengths: [',
          { label: 'length', options: ['2', '4', '6'] }, '] })'],
        run([causal, length]) {
          const pattern = l.evaluate(() => {
            const X = l.tensor(x, { time: 6, feature: 4 });
            return l.attention(X, X, X, { causal: causal === 'true', lengths: [Number(length)] }).pattern.data.slice();
          });
          const at = (/** @type {number} */ query, /** @type {number} */ key) => pattern[6 * (query - 1) + key - 1];
          const wrong = at(2, 3) > 0 ? `Token 2 gives ${fixed(at(2, 3), 2)} to token 3, which is in its future.`
            : at(6, 5) > 0 ? `Token 6 gives ${fixed(at(6, 5), 2)} to key 5, which is padding.`
              : at(4, 3) === 0 ? 'Token 4 cannot see token 3, which is a word of the sentence.' : '';
          return { correct: !wrong, why: wrong || 'No weight lies above the diagonal, and the columns 5 and 6 are 0.' };
        },
        right: ['true', '4'],
        wrong: [{ answer: ['false', '4'], why: 'in its future' }, { answer: ['true', '6'], why: 'which is padding' },
          { answer: ['true', '2'], why: 'cannot see token 3' }],
        solution: '`{ causal: true, lengths: [4] }`. The rows of padded queries are computed too, but nobody reads '
          + 'them.',
      });
    },
  },
];
