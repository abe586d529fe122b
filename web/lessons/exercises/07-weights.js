/** Exercises on counting weights. */
import { countWeights } from '../../../js/model/count.js';
import { number } from '../kit/answers.js';
import { fixed, grouped, percent } from '../kit/format.js';

/** Devlin et al. 2018, table of model sizes. */
const BERT_BASE = { layers: 12, heads: 12, dModel: 768, vocabulary: 30522, learnedPositions: 512 };
const GPT2 = { layers: 12, heads: 12, dModel: 768, vocabulary: 50257, learnedPositions: 1024 };
/** Touvron et al. 2023: Llama 2 70B, one layer. */
const LLAMA = { layers: 1, heads: 64, kvHeads: 8, dModel: 8192, vocabulary: 32000 };

/** @type {import('../kit/answers.js').Exercise[]} */
export default [
  {
    id: 'weights-bert', kind: 'predict', title: 'The attention of BERT base',
    question: 'BERT base has 12 layers, 12 heads and d = 768. How many million weights do W_Q, W_K, W_V and W_O have '
      + 'together, in all layers, without biases?',
    hints: ['Each of the four matrices is d × d, whatever the number of heads is.', '4 · 12 · 768²'],
    pose() {
      const count = (/** @type {number} */ heads) => countWeights({ ...BERT_BASE, heads }).attention;
      const right = count(12) / 1e6;
      return { ...number({
        label: 'Millions of weights', right, tolerance: 0.1,
        why: `4 · 12 · 768² = ${grouped(count(12))}.`,
        mistakes: [[right / 4, 'This is one matrix in all layers. Attention has four: W_Q, W_K, W_V and W_O.'],
          [right / 12, 'This is one layer. BERT base has 12.'],
          [12 * right, 'The heads share the width d. Their number does not change the number of weights.'],
          [2 * right, 'This is the feed-forward network, which has 8d² weights in each layer.'],
          [0.75 * right, 'This is W_Q, W_K and W_V. W_O belongs to attention too.']],
        solution: `Each matrix has 768² = 589,824 weights. Four of them in 12 layers have ${grouped(count(12))}, or `
          + `${fixed(right, 1)} `
          + 'million.',
      }), explore: { label: 'Heads', min: 0, max: 2, step: 1, value: 2, format: (i) => String([1, 4, 12][i]),
        say: (i) => `Heads: ${[1, 4, 12][i]}. Weights of attention: ${grouped(count([1, 4, 12][i]))}.` } };
    },
  },
  {
    id: 'weights-grouped', kind: 'predict', title: 'Fewer heads for keys and values',
    question: 'One layer of Llama 2 70B has 64 query heads, but only 8 heads for keys and values. How many weights '
      + 'does its attention have, as a multiple of d²? With 64 heads for all it would be 4.',
    hints: ['W_Q and W_O keep their size of d².', 'W_K maps d features to 8 of the 64 widths: d²/8.'],
    pose() {
      const share = (/** @type {number} */ kvHeads) =>
        countWeights({ ...LLAMA, kvHeads }).attention / LLAMA.dModel ** 2;
      return { ...number({
        label: 'Weights divided by d²', right: share(8), tolerance: 0.01,
        why: '1 + 1 for W_Q and W_O, and 1/8 + 1/8 for W_K and W_V. The cache of keys and values is 8 times smaller '
          + 'too.',
        mistakes: [[4, 'W_K and W_V are narrower: they have 8 heads instead of 64.'],
          [0.5, 'Only W_K and W_V are divided by 8. W_Q and W_O keep their size.'],
          [3.25, 'Only one of the two was divided: both W_K and W_V have 8 heads.'],
          [1.25, 'Count W_O too. It has one row for each feature of all 64 query heads.']],
        solution: 'W_Q: d². W_O: d². W_K and W_V: d · d/8 each. Together 2.25 d².',
      }), explore: { label: 'Heads of keys and '
        + 'values', min: 0, max: 6, step: 1, value: 6, format: (power) => String(2 ** power),
        say: (power) => `With ${2 ** power} of 64 it is ${fixed(share(2 ** power), 3)} d².` } };
    },
  },
  {
    id: 'weights-gated', kind: 'predict', title: 'The width of a gated network',
    question: 'The plain feed-forward network has two matrices and is 4d wide inside. A gated one (SwiGLU) has three '
      + 'matrices. How wide must it be to have as many weights? Give the width divided by d.',
    hints: ['Two matrices of d × 4d have 8d² weights.', 'Three matrices of d × F have 3dF weights.'],
    pose() {
      const count = (/** @type {boolean} */ gated, /** @type {number} */ width) =>
        countWeights({ ...GPT2, layers: 1, gated, dFeedForward: width, biases: 'none' }).parts
        .filter(({ kind }) => kind === 'feed-forward')
        .reduce((sum, { weights }) => sum + weights, 0);
      const d = GPT2.dModel;
      const right = count(false, 4 * d) / count(true, 1) / d;
      return number({
        label: 'Width divided by d', right, tolerance: 0.02,
        why: '8d² / 3d = 8d/3. This is the reason for odd widths such as 11,008 in Llama 7B with d = 4,096.',
        mistakes: [[4, 'At the width 4d, three matrices have 12d² weights.'],
          [2, 'Half of the width gives 6d² weights with three matrices, not 8d².'],
          [3, 'Three matrices of width 3d have 9d² weights.']],
        solution: 'Set 3dF = 8d². So F = 8d/3 = 2.67 d.',
      });
    },
  },
  {
    id: 'weights-embedding', kind: 'predict', title: 'Where the weights of a small model are',
    question: 'GPT-2 small has 124 million weights, a vocabulary of 50,257 tokens and d = 768. Which percentage of '
      + 'its weights is in the table of token embeddings?',
    hints: ['The table has one row of 768 numbers for each token.', '50,257 · 768 is about 38.6 million.'],
    pose() {
      const share = (/** @type {number} */ layers) => {
        const { parts, total } = countWeights({ ...GPT2, layers });
        return (parts.find(({ name }) => name === 'token embedding')?.weights ?? 0) / total;
      };
      return { ...number({
        label: 'Percent of all weights', right: 100 * share(12), tolerance: 1,
        why: `${percent(share(12), 1)}. In a small model the vocabulary is expensive; in GPT-3 it is below 1 %.`,
        mistakes: [[38.6, 'These are the millions of weights. Divide by 124 million.'],
          [0.31, 'This is the fraction. Multiply by 100 for a percentage.']],
        solution: '50,257 · 768 = 38,597,376 of 124,439,808 weights: 31 %.',
      }), explore: { label: 'Layers', min: 1, max: 96, step: 1, value: 12,
        say: (layers) => `Layers: ${layers}. Share of the table: ${percent(share(layers), 1)}.` } };
    },
  },
];
