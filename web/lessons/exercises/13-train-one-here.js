/** Exercises on training. */
import { letterGpt } from '../../../js/train/models/letter-gpt.js';
import { openModel } from '../../../js/train/models/index.js';
import { example, TASKS, TOKENS } from '../../../js/train/tasks/letters.js';
import { choice, number } from '../kit/answers.js';
import { fixed } from '../kit/format.js';

/** Letters of the examples: hedgehog. */
const LETTERS = [...'hedgehog'].map((letter) => TOKENS.indexOf(letter));

/** The trained model that reverses, and its map.
 *  @param {Pick<import('../kit/answers.js').Context, 'l' | 'file'>} context */
async function open({ l, file }) {
  const { weights, config } = await openModel(l, await file('reverse'));
  const { ids } = example(LETTERS, TASKS.reverse(LETTERS));
  const map = () => l.evaluate(() =>
    letterGpt(l, weights, config, ids, { batch: 1, time: ids.length }).patterns[0].data.slice());
  return { weights, config, ids, map };
}

/** @type {import('../kit/answers.js').Exercise[]} */
export default [
  {
    id: 'train-first-loss', kind: 'predict', title: 'The loss before the training',
    question: 'The model knows 17 tokens: 16 letters and the arrow. Before the training it gives each about the same '
      + 'probability. What is the loss, in nats?',
    hints: ['The loss of one symbol is −ln p of the correct token.',
      'What is p if 17 tokens share the probability equally?'],
    pose({ l }) {
      const loss = (/** @type {number} */ tokens) => l.evaluate(() =>
        l.crossEntropy(l.tensor(new Float32Array(8 * tokens), [8, tokens]), new Array(8).fill(tokens - 1)).item());
      return { ...number({
        label: 'Loss in nats', right: loss(17), tolerance: 0.05,
        why: 'ln 17 = 2.83. If a training starts much higher, something is wrong: the model is sure of wrong tokens.',
        mistakes: [[1 / 17, 'This is the probability. The loss is −ln of it.'],
          [Math.log2(17), 'This is in bits. Nats use the natural logarithm.'],
          [8 * loss(17), 'The loss is the mean over the eight symbols, not the sum.'],
          [0, 'A loss of 0 needs probability 1 for the correct token.']],
        solution: '−ln(1/17) = ln 17 = 2.83.',
      }), explore: { label: 'Tokens', min: 2, max: 100, step: 1, value: 17,
        say: (tokens) => `With ${tokens} tokens the loss of equal probabilities is ${fixed(loss(tokens), 3)}.` } };
    },
  },
  {
    id: 'train-where', kind: 'predict', title: 'What the head must attend to',
    question: 'The trained model reverses 8 letters: after h e d g e h o g → it writes g o h e g d e h. It has just '
      + 'written the first two, g and o, and predicts the third, h. How many positions back does the head attend '
      + 'from the o?',
    hints: ['Number the positions: letters 1 to 8, the arrow 9, the written g 10, the written o 11.',
      'The third letter of the answer is letter 6 of the input.'],
    async pose({ l, file }) {
      const { ids, map } = await open({ l, file });
      const pattern = map();
      const back = (/** @type {number} */ symbol) => {
        const query = LETTERS.length + symbol - 1; // the position that predicts this symbol of the answer
        const row = pattern.subarray(query * ids.length, (query + 1) * ids.length);
        return query - row.indexOf(Math.max(...row));
      };
      return { ...number({
        label: 'Positions back', right: back(3),
        why: 'Position 11 attends to position 6. With every written letter the distance grows by 2, so the map has a '
          + 'diagonal that runs the other way.',
        mistakes: [[4, 'Count again from position 11, where the o stands.'],
          [3, 'The answer runs backwards, so the distance is not the same for each symbol.'],
          [6, 'This is the position of the letter. How far is it from position 11?'],
          [1, 'This is the position before. The head needs the letter of the input.']],
        solution: 'The o stands at position 8 + 1 + 2 = 11. The third letter from the end stands at position 6. 11 − '
          + '6 = 5.',
      }), explore: { label: 'Predicted letter', min: 1, max: 8, step: 1, value: 3,
        say: (symbol) => `To predict letter ${symbol} of the answer, the head attends ${back(symbol)} back.` } };
    },
  },
  {
    id: 'train-one-mistake', kind: 'predict', title: 'Sure, and wrong once',
    question: 'The model gives the correct letter probability 1 at seven of the eight symbols. At one symbol the '
      + 'correct letter gets 0.01. What is the loss?',
    hints: ['−ln 1 = 0, and −ln 0.01 = 4.61.', 'The loss is the mean over eight symbols.'],
    pose({ l }) {
      const loss = (/** @type {number} */ p) => l.evaluate(() => {
        const logits = Array.from({ length: 8 }, (_, i) => (i === 0 ? [Math.log(p), Math.log(1 - p)] : [0, -100]))
          .flat();
        return l.crossEntropy(l.tensor(logits, [8, 2]), new Array(8).fill(0)).item();
      });
      return { ...number({
        label: 'Loss in nats', right: loss(0.01), tolerance: 0.01,
        why: 'One symbol gives the whole loss. A lower loss can therefore mean fewer mistakes, or less certainty in '
          + 'the same mistakes.',
        mistakes: [[-Math.log(0.01), 'This is the loss of the wrong symbol. Divide by eight symbols.'],
          [0.12375, 'This is the mean of 1 − p. The loss is −ln p.'],
          [-Math.log((7 + 0.01) / 8), 'The loss is the mean of the logarithms, not the logarithm of the mean.']],
        solution: '(7 · 0 + 4.605)/8 = 0.576.',
      }), explore: { label: 'p of the correct letter, as a power of ten', min: -6, max: -0.5, step: 0.5, value: -2,
        say: (power) => `With p = ${fixed(10 ** power, 6)} the loss is ${fixed(loss(10 ** power), 3)}.` } };
    },
  },
  {
    id: 'train-which-weights', kind: 'choice', title: 'Which weights cannot move the map?',
    question: 'The trained model has one layer. Change one number of W_Q, W_K, W_V or W_O. Which of the four matrices '
      + 'cannot change the attention map?',
    hints: ['The map is softmax(QKᵀ/√d).', 'What comes after the map is too late to change it. Is there a second '
      + 'layer?'],
    async pose({ l, file }) {
      const { weights, config, map } = await open({ l, file });
      const before = map();
      const { width } = config;
      const { 'blocks.0.self_attn.in_proj_weight': inputs, 'blocks.0.self_attn.out_proj.weight': output } = weights;
      const moves = [0, 1, 2, 3].map((which) => {
        const { data } = which < 3 ? inputs : output;
        const at = which < 3 ? which * width * width : 0;
        const old = data[at];
        data[at] = old + 1;
        const changed = map().some((value, i) => value !== before[i]);
        data[at] = old;
        return changed;
      });
      return choice({
        options: [
          ['only W_V', 'W_V cannot, but there is another one: W_O also works after the map.'],
          ['W_V and W_O', 'Both work on what was read: the map is computed before. In a model with two layers they '
            + 'change the map of the second.'],
          ['W_K and W_V', 'Keys make the scores: every number of W_K can change the map.'],
          ['none: every weight can', 'Trace the path: the map depends on the tokens, W_Q and W_K alone.'],
        ],
        right: moves[2] ? 3 : moves[3] ? 0 : moves[1] ? 1 : 2,
        solution: 'The map needs Q and K. Values and W_O come after it, and there is no second layer whose map they '
          + 'could reach.',
      });
    },
  },
];
