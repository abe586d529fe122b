/** Exercises on positions. */
import { normal } from '../../../js/lab/index.js';
import { choice, number } from '../kit/answers.js';
import { fixed } from '../kit/format.js';
import { largestDifference } from '../kit/numbers.js';

/** @typedef {import('../../../js/lab/index.js').Lab} Lab */

/** Length of one encoded position. @param {Lab} l @param {number} position @param {number} d */
const lengthOf = (l, position, d) => l.evaluate(() => Math.hypot(...l.sinusoidal(1, d, position).data));

/** @type {import('../kit/answers.js').Exercise[]} */
export default [
  {
    id: 'positions-length', kind: 'predict', title: 'How long is a position?',
    question: 'Sinusoidal positions have d = 128 features. How long is the vector of position 1000? (Its length is '
      + 'the root of the sum of squares.)',
    hints: ['The features come in pairs: sin φ and cos φ of the same angle.',
      'sin² φ + cos² φ = 1 for every angle. How many pairs are there?'],
    pose({ l }) {
      const right = lengthOf(l, 1000, 128);
      return { ...number({
        label: 'Length of position 1000', right, tolerance: 0.05,
        why: 'Each of the 64 pairs adds 1 to the square, whatever the position is. So all positions have length '
          + '√(d/2).',
        mistakes: [[64, 'This is the square of the length.'],
          [11.31, 'This is √128. A pair of features adds 1, not 2.'],
          [1000, 'The position is an angle of the pairs. It does not change their length.'],
          [1, 'One pair has length 1. There are 64 of them.']],
        solution: 'There are 64 pairs, and each has sin² + cos² = 1. The length is √64 = 8.',
      }), explore: { label: 'Position', min: 0, max: 5000, step: 50, value: 1000,
        say: (position) => `Position ${position} has length ${fixed(lengthOf(l, position, 128), 4)}.` } };
    },
  },
  {
    id: 'positions-order', kind: 'choice', title: 'Who bites whom',
    question: 'A block of attention without positions and without a mask reads “dog bites man” and “man bites dog”. '
      + 'Compare the output of “dog” in both sentences.',
    hints: ['Which keys and values does “dog” see in each sentence?',
      'A softmax and a sum do not depend on the order of their terms.'],
    pose({ l }) {
      const table = l.init.normal('words', [3, 8]);
      const w = l.init.encoderBlock('', 8, 16);
      const outputs = (/** @type {boolean} */ placed) => [[0, 1, 2], [2, 1, 0]].map((ids) => l.evaluate(() => {
        const x = l.embedding(table, ids);
        const { output } = l.encoderBlock(placed ? l.add(x, l.sinusoidal(3, 8)) : x, w, { heads: 2 });
        return output.data.slice(8 * ids.indexOf(0), 8 * ids.indexOf(0) + 8);
      }));
      const [plain, placed] = [false, true].map((each) => {
        const [first, second] = outputs(each);
        return largestDifference(first, second);
      });
      return choice({
        options: [
          ['They differ, because “dog” stands in another place.',
          'No part of the block sees the place. It sees a set of three words.'],
          ['They are the same, up to rounding.', `They differ by `
            + `${plain < 1e-6 ? 'at most a rounding error' : fixed(plain, 3)}. With `
            + `positions added they differ by ${fixed(placed, 2)}.`],
          ['They differ, because “dog” sees other words.', '“dog” sees the same three words in both sentences, only '
            + 'in another order.'],
        ],
        right: plain < 1e-5 ? 1 : 0,
        solution: 'In both sentences “dog” has the same query, and the same three keys and values. Its output is the '
          + 'same sum in another order.',
      });
    },
  },
  {
    id: 'positions-rotary', kind: 'cell', title: 'Far along in the text', varied: true,
    question: 'The same query and key are rotated by RoPE at several pairs of positions. Fill in the missing score, '
      + 'without a calculation.',
    hints: ['Look at the difference of the two positions in each row.',
      'A score with RoPE depends on the distance only.'],
    pose({ l, random }) {
      const distance = 2 + Math.floor(random() * 6);
      const from = 3 + Math.floor(random() * 8);
      const far = 100 * (1 + Math.floor(random() * 9));
      const [q, k] = [0, 1].map(() => normal(random, 8));
      const score = (/** @type {number} */ query, /** @type {number} */ key) => l.evaluate(() => {
        const [a, b] = [[q, query], [k, key]].map(([x, first]) =>
          l.rope(l.tensor(/** @type {Float32Array} */ (x), { time: 1, feature: 8 }), { first: Number(first) }));
        return l.sum(l.mul(a, b)).item();
      });
      const pairs = [[from, from], [from + distance, from], [from + distance + 1, from], [far + distance, far]];
      const scores = pairs.map(([a, b]) => score(a, b));
      return { ...number({
        label: 'the score of the last row', right: scores[3], tolerance: 0.01,
        why: `Both rows have the distance ${distance}, so they have the same score, up to rounding.`,
        mistakes: [[scores[0], 'This is the score at distance 0.'], [scores[2], `This is the score at distance `
          + `${distance + 1}.`],
          [0, 'RoPE does not fade with the position. Rotations keep the length of both vectors.']],
        solution: `The query is ${distance} positions after the key, as in the second row. Both vectors turned `
          + `further by the same `
          + 'angles, which does not change their product.',
      }), given: [{ caption: 'Scores with RoPE', axes: ['query at, key at', ''], columns: ['q · k'],
        data: scores, digits: 3,
        rows: pairs.map(([a, b]) => `${a}, ${b}`), blank: [3, 0] }] };
    },
  },
  {
    id: 'positions-wave', kind: 'predict', title: 'The fastest wave',
    question: 'The first pair of features is (sin t, cos t). After how many positions does it return to its first '
      + 'angle? The answer need not be a whole number.',
    hints: ['The frequency of the first pair is ω₀ = 1: each position adds an angle of 1 radian.',
      'A whole turn has 2π radians.'],
    pose({ l }) {
      // The angle between positions 0 and 1 gives the frequency.
      const wave = (/** @type {number} */ pair) => l.evaluate(() => {
        const [sine, cosine] = l.sinusoidal(1, 128, 1).data.subarray(2 * pair);
        return 2 * Math.PI / Math.atan2(sine, cosine);
      });
      return { ...number({
        label: 'Positions of one turn', right: wave(0), tolerance: 0.1,
        why: 'One turn is 2π = 6.28 positions. So the first pair alone cannot tell position 2 from a position near '
          + '8.3; slower pairs can.',
        mistakes: [[10000, 'This is the base of the frequencies. The last pairs turn so slowly, the first one has '
          + 'frequency 1.'],
          [1, 'This is the angle of one step, in radians.'],
          [Math.PI, 'This is half a turn: there the sine is 0 again, but the cosine is −1.'],
          [360, 'The angles are radians, not degrees.']],
        solution: 'The angle grows by 1 radian for each position. A turn of 2π radians takes 2π = 6.28 positions.',
      }), explore: { label: 'Pair of features', min: 0, max: 63, step: 1, value: 0,
        say: (pair) => `Pair ${pair} of 64 turns once in ${fixed(wave(pair), pair < 20 ? 1 : 0)} positions.` } };
    },
  },
];
