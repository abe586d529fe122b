/** Exercises on the head that counts. */
import { histogramByHand, toyGpt } from '../../../js/train/models/toy-gpt.js';
import { number } from '../kit/answers.js';
import { fixed } from '../kit/format.js';

/** @type {import('../kit/answers.js').Exercise[]} */
export default [
  {
    id: 'count-weight', kind: 'predict', title: 'The weight of ⊢',
    question: 'In the model set by hand, a letter occurs 4 times in a sequence of 30 letters. Which weight does each '
      + 'of its copies give to ⊢?',
    hints: ['A letter has the same score with each copy and with ⊢. Other letters get no weight.',
      'How many keys share the weight?'],
    pose({ l }) {
      const weights = histogramByHand(l);
      const share = (/** @type {number} */ n) => l.evaluate(() => {
        const ids = [0, ...new Array(n).fill(1), ...new Array(30 - n).fill(2)];
        return toyGpt(l, weights, ids, { batch: 1, time: ids.length }).pattern.data[ids.length];
      });
      return { ...number({
        label: 'Weight of ⊢', right: share(4), tolerance: 0.005,
        why: 'Five keys share the weight: four copies and ⊢. The other 26 letters get 0, so the length of the '
          + 'sequence does not matter.',
        mistakes: [[0.25, 'A letter attends to its four copies and to ⊢: five keys.'],
          [1 / 31, 'The weight is shared among keys that match, not among all tokens.'],
          [4 / 30, 'This is the frequency of the letter. Other letters get no weight at all.']],
        solution: '1/(n + 1) = 1/5 = 0.2.',
      }), explore: { label: 'Copies of the letter', min: 1, max: 29, step: 1, value: 4,
        say: (n) => `Copies: ${n}. Weight of ⊢: ${fixed(share(n), 4)}.` } };
    },
  },
  {
    id: 'count-average', kind: 'predict', title: 'Can an average count?',
    question: 'Leave out ⊢, and give every letter the value 1. A letter attends to its copies alone. It occurs 4 '
      + 'times. What is the output of the head?',
    hints: ['The weights of a row sum to 1.', 'What is the average of four ones?'],
    pose({ l }) {
      const output = (/** @type {number} */ n) => l.evaluate(() => {
        const ids = [...new Array(n).fill(0), 1, 2, 3];
        const oneHot = ids.flatMap((id) => [0, 1, 2, 3].map((i) => 100 * Number(i === id)));
        const x = l.tensor(oneHot, { token: ids.length, dim: 4 });
        const values = l.tensor(new Array(ids.length).fill(1), { token: ids.length, value: 1 });
        return l.attention(x, x, values).output.data[0];
      });
      return { ...number({
        label: 'Output of the head', right: output(4), tolerance: 0.005,
        why: 'An average of ones is 1, for any number of copies. Softmax attention averages and never adds. ⊢ is '
          + 'needed as a key with another value.',
        mistakes: [[4, 'This would be a sum. The weights of a softmax sum to 1, so the head averages.'],
          [0.25, 'This is the weight of one copy. Four copies have it.'],
          [0.2, 'This is the weight of ⊢, which is left out here.']],
        solution: '4 · (1/4 · 1) = 1. The number of copies cancels out.',
      }), explore: { label: 'Copies of the letter', min: 1, max: 20, step: 1, value: 4,
        say: (n) => `Copies: ${n}. Output: ${fixed(output(n), 3)}.` } };
    },
  },
  {
    id: 'count-by-hand', kind: 'page', title: 'Set the weights of a head that counts', place: 'matrices',
    question: 'Set the queries, keys and values of five tokens so that the head counts letters. The check reads 100 '
      + 'random strings.',
    hints: ['A letter must match its copies, but no other letter: use one-hot vectors.',
      'The key of ⊢ must match the query of every letter.',
      'Only ⊢ has a value that is not 0.'],
    solution: 'Queries: the identity. Keys: the identity, and a row of ones for ⊢. Values: 1 for ⊢ and 0 for each '
      + 'letter.',
  },
];
