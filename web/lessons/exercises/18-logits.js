/** Exercises on the way from logits to text. */
import { number } from '../kit/answers.js';
import { fixed } from '../kit/format.js';

/** @typedef {import('../../../js/lab/index.js').Lab} Lab */

/** @param {Lab} l @param {number[]} logits @returns {number[]} */
const softmax = (l, logits) => l.evaluate(() => [...l.softmax(l.tensor(logits, [1, logits.length])).data]);

/** The probabilities after top-p, of a descending list. @param {number[]} p @param {number} topP */
function nucleus(p, topP) {
  let kept = 0;
  let sum = 0;
  while (kept < p.length && sum < topP) sum += p[kept++];
  return p.slice(0, kept).map((each) => each / sum);
}

/** @type {import('../kit/answers.js').Exercise[]} */
export default [
  {
    id: 'logits-shift', kind: 'cell', title: 'Larger logits', varied: true,
    question: 'Three tokens have the logits and probabilities below. Now 4 is added to each of the three logits. Fill '
      + 'in the new probability of “cat”.',
    hints: ['exp(ℓ + 4) = exp(ℓ) · exp(4).', 'The factor exp(4) stands above and below the fraction line of the '
      + 'softmax.'],
    pose({ l, random }) {
      const logits = [1, 0, 0].map((first) => first + Math.round(4 * random()) / 2);
      const [before, after] = [0, 4].map((more) => softmax(l, logits.map((logit) => logit + more)));
      const columns = ['cat', 'dog', 'cow'];
      return { ...number({
        label: 'p(cat)', right: after[0], tolerance: 0.005,
        why: 'Only differences of logits matter. So a single logit has no meaning, and the average logit may be any '
          + 'number.',
        mistakes: [[1, 'All three logits grow, so none gains on the others.'],
          [before[0] + 4, 'A probability is never above 1.'],
          [softmax(l, [logits[0] + 4, logits[1], logits[2]])[0], 'Here only the logit of “cat” grew. All three did.'],
          [1 / 3, 'The logits still differ from each other.']],
        solution: `The factor exp(4) cancels out, so the probability stays ${fixed(before[0], 3)}.`,
      }), given: [{ caption: 'Before', axes: ['', 'token'], rows: ['logit', 'p'], columns,
        data: [...logits, ...before] },
        { caption: 'After', axes: ['', 'token'], rows: ['p'], columns: ['cat'], data: [after[0]], blank: [0, 0] }] };
    },
  },
  {
    id: 'logits-top-p', kind: 'cell', title: 'What top-p leaves',
    question: 'Five tokens have the probabilities below. Top-p with p = 0.8 keeps the smallest set that reaches 0.8. '
      + 'Fill in the probability of the first token afterwards.',
    hints: ['Add from the left until the sum is at least 0.8. How many tokens is that?',
      'Afterwards the kept probabilities must sum to 1 again.'],
    pose({ l }) {
      const logits = [0.5, 0.2, 0.15, 0.1, 0.05].map(Math.log);
      const p = softmax(l, logits);
      const kept = nucleus(p, 0.8);
      return { ...number({
        label: 'the first probability', right: kept[0], tolerance: 0.005,
        why: `${kept.length} tokens are kept. They have 0.85 together, and 0.5/0.85 = ${fixed(kept[0], 3)}.`,
        mistakes: [[p[0], 'The removed probability is shared: divide by the sum of what is kept.'],
          [p[0] / 0.8, 'The kept tokens have 0.85, not exactly 0.8. Divide by their sum.'],
          [p[0] / 0.7, 'Two tokens reach only 0.7. The set must reach 0.8.'],
          [p[0] / 0.95, 'The third token already reaches 0.85, so the fourth is removed.']],
        solution: '0.5 + 0.2 = 0.7 is too little; with 0.15 it is 0.85. Then 0.5/0.85 = 0.588.',
      }), given: [{ caption: 'Probabilities', axes: ['', 'token'], rows: ['p'], data: p, digits: 2 },
        { caption: 'After top-p', axes: ['', 'token'], rows: ['p'], columns: ['1'], data: [kept[0]], blank: [0, 0] }],
      explore: { label: 'p', min: 0.1, max: 1, step: 0.05, value: 0.8, format: (value) => fixed(value, 2),
        say: (topP) => `With p = ${fixed(topP, 2)} the tokens left are: `
          + `${nucleus(p, topP).map((each) => fixed(each, 2)).join(', ')}.` } };
    },
  },
  {
    id: 'logits-perplexity', kind: 'predict', title: 'A die with how many sides?',
    question: 'The four tokens of a sentence had the probabilities 1/2, 1/8, 1/2 and 1/8. What is the perplexity?',
    hints: ['The loss of a token is −ln p. Take the mean of the four losses.',
      'The perplexity is exp(mean loss). ln 2 and ln 8 = 3 ln 2 are convenient.'],
    pose({ l }) {
      const perplexity = (/** @type {number[]} */ chances) => Math.exp(l.evaluate(() => {
        const logits = chances.flatMap((p) => [Math.log(p), Math.log(1 - p)]);
        return l.crossEntropy(l.tensor(logits, [chances.length, 2]), chances.map(() => 0)).item();
      }));
      return { ...number({
        label: 'Perplexity', right: perplexity([1 / 2, 1 / 8, 1 / 2, 1 / 8]), tolerance: 0.02,
        why: 'The mean loss is 2 ln 2, and its exponential is 4. On average the model was as unsure as with a die of '
          + 'four sides.',
        mistakes: [[5, 'This is the mean of 2, 8, 2 and 8. The mean is taken of the logarithms.'],
          [3.2, 'This is 1 divided by the mean probability. The mean is taken of the logarithms.'],
          [2 * Math.LN2, 'This is the mean loss in nats. The perplexity is its exponential.'],
          [256, 'This is 1 divided by the probability of the whole sentence. Take its fourth root.']],
        solution: '(ln 2 + ln 8 + ln 2 + ln 8)/4 = 2 ln 2 = ln 4. So the perplexity is 4: the geometric mean of 2, 8, '
          + '2 and 8.',
      }), explore: { label: 'p of the last token, as 1/2 to a power', min: 1, max: 10, step: 1, value: 3,
        say: (power) => `With p = 1/${2 ** power} for the last token the perplexity is ${
          fixed(perplexity([1 / 2, 1 / 8, 1 / 2, 2 ** -power]), 2)}.` } };
    },
  },
];
