/** Exercises on pictures. */
import { openModel } from '../../../js/train/models/index.js';
import { number } from '../kit/answers.js';
import { grouped } from '../kit/format.js';

const SIZE = 32;
const CHANNELS = 3;
const PATCH = 4;

/** Patches of a picture: their number, and the numbers in each. @param {import('../../../js/lab/index.js').Lab} l
 *  @param {number} size @param {number} patch @returns {number[]} */
const patchesOf = (l, size, patch) => l.evaluate(() => {
  const shape = { batch: 1, channel: CHANNELS, height: size, width: size };
  return l.patches(l.tensor(new Float32Array(CHANNELS * size * size), shape), patch).axes.sizes.slice(-2);
});

/** @type {import('../kit/answers.js').Exercise[]} */
export default [
  {
    id: 'patches-tokens', kind: 'predict', title: 'How many tokens is a picture?',
    question: 'The model reads pictures of 32 × 32 pixels in patches of 4 × 4. How many tokens does its encoder '
      + 'process, with the class token?',
    hints: ['How many patches fit along one side?', 'The class token stands in front of the patches.'],
    async pose({ l, file }) {
      const { weights } = await openModel(l, await file('shapes'));
      const right = weights.positions.axes.sizes[0]; // one position for each token
      return { ...number({
        label: 'Tokens', right,
        why: '8 · 8 patches and one class token. Each pair of tokens has a weight in every head: the map has 65 × 65 '
          + 'cells.',
        mistakes: [[right - 1, 'Count the class token too.'],
          [SIZE * SIZE, 'These are pixels. A token is a patch of 16 pixels.'],
          [SIZE / PATCH, 'This is one side. The picture has two.'],
          [CHANNELS * (right - 1), 'The three colors of a patch are numbers of one token.']],
        solution: '(32/4)² + 1 = 65.\u2003One position vector for each: the table of positions in the file has 65 '
          + 'rows.',
      }), explore: { label: 'Patch', min: 0, max: 3, step: 1, value: 2, format: (power) => `${2 ** (power + 1)} × `
        + `${2 ** (power + 1)}`,
        say: (power) => {
          const [tokens] = patchesOf(l, SIZE, 2 ** (power + 1));
          return `${tokens} patches and the class token; a map has ${grouped((tokens + 1) ** 2)} cells.`;
        } } };
    },
  },
  {
    id: 'patches-numbers', kind: 'predict', title: 'The numbers in a patch',
    question: 'Each patch of 4 × 4 pixels becomes one vector, before W_E maps it to the width of the model. A pixel '
      + 'has three colors. How many numbers does the vector have?',
    hints: ['Count the pixels of a patch.', 'Each pixel has a red, a green and a blue number.'],
    pose: ({ l }) => number({
      label: 'Numbers in the vector', right: patchesOf(l, SIZE, PATCH)[1],
      why: 'channel · y · x = 3 · 4 · 4. So W_E with this stride is a convolution whose kernel does not overlap.',
      mistakes: [[16, 'These are the pixels. Each has three colors.'], [12, 'This is one row of pixels.'],
        [3072, 'This is the whole picture.'],
        [64, 'This is the number of patches.']],
      solution: 'A patch has 4 · 4 = 16 pixels of 3 numbers: 48.',
    }),
  },
  {
    id: 'patches-order', kind: 'predict', title: 'Which patch has the pixel?',
    question: 'Patches are numbered by rows from 0, with 8 patches in a row. Which patch has the pixel at y = 9, x = '
      + '21 (both from 0)?',
    hints: ['In which row of patches is y = 9, and in which column is x = 21?', 'number = 8 · row + column'],
    pose({ l }) {
      const patchAt = (/** @type {number} */ y, /** @type {number} */ x) => l.evaluate(() => {
        const picture = new Float32Array(SIZE * SIZE);
        picture[y * SIZE + x] = 1;
        const { data } = l.patches(l.tensor(picture, { batch: 1, channel: 1, height: SIZE, width: SIZE }), PATCH);
        return Math.floor(data.indexOf(1) / PATCH ** 2);
      });
      return { ...number({
        label: 'Number of the patch', right: patchAt(9, 21),
        why: 'Row 2, column 5. The pixel below at y = 12 is in patch 29: neighbors in the picture are 8 apart in the '
          + 'sequence. Learned positions must find this out.',
        mistakes: [[patchAt(21, 9), 'You exchanged y and x. Rows count downwards, with y.'],
          [9 * SIZE + 21, 'This is the number of the pixel.'],
          [22, 'Count patches from 0.']],
        solution: '⌊9/4⌋ = 2 and ⌊21/4⌋ = 5. So it is patch 8 · 2 + 5 = 21.',
      }), explore: { label: 'y', min: 0, max: 31, step: 1, value: 9, say: (y) => `The pixel at y = ${y}, x = 21 is in `
        + `patch ${patchAt(y, 21)}.` } };
    },
  },
  {
    id: 'patches-draw', kind: 'predict', title: 'Hard attention learns from draws',
    question: 'Hard attention has two patches with the scores 1.386 and 0. So their weights are 0.8 and 0.2. If patch '
      + '1 is drawn, the loss of the words is 1. If patch 2 is drawn, it is 3. What is the derivative of the expected '
      + 'loss with respect to the score of patch 1?',
    hints: ['The expected loss is 0.8 · 1 + 0.2 · 3.', 'A larger score of patch 1 makes its draw more probable. Does '
      + 'the expected loss grow or fall?', 'The derivative of a softmax weight α₁ by its score is α₁(1 − α₁).'],
    pose({ l }) {
      const scores = l.parameter([Math.log(4), 0], { query: 1, patch: 2 });
      const right = l.step(() => {
        const losses = l.tensor([1, 3], { query: 1, patch: 2 });
        l.backward(l.sum(l.mul(l.softmax(scores), losses)));
        return /** @type {Float32Array} */ (scores.grad)[0];
      });
      return number({
        label: 'Derivative', right, tolerance: 0.005,
        why: 'The estimate from one draw is (L − b) ∇ log α. For patch 1 that is (1 − b) · 0.2, for patch 2 it is '
          + '(3 − b) · (−0.8). Their mean, with the weights 0.8 and 0.2, is −0.32 for every baseline b.',
        mistakes: [[-right, 'More weight on the better patch reduces the loss.'],
          [1.4, 'This is the expected loss itself.'],
          [0, 'The choice has no derivative, but its probability has one.']],
        solution: 'α₁(1 − α₁)(L₁ − L₂) = 0.8 · 0.2 · (1 − 3) = −0.32.',
      });
    },
  },
];
