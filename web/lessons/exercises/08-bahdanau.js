/** Exercises on Bahdanau’s attention. */
import { decode, encode } from '../../../js/train/models/bahdanau.js';
import { openTranslator } from '../../../js/train/models/index.js';
import { BEGIN, padded } from '../../../js/train/tasks/vocabulary.js';
import { choice, number } from '../kit/answers.js';
import { fixed } from '../kit/format.js';

const DATE = 'the 3rd of may 1979';
/** Step whose attention is repeated, from 0. */
const STEP = 5;

/** @type {import('../kit/answers.js').Exercise[]} */
export default [
  {
    id: 'bahdanau-query', kind: 'choice', title: 'Whose state is the query?',
    question: 'The decoder is about to write symbol i. Which vector does Bahdanau’s attention use as the query? The '
      + 'page tries each of them in the trained model and compares the weights with the ones that the model used.',
    hints: ['The context cᵢ is needed to compute the new state sᵢ.', 'So which state of the decoder exists already?'],
    async pose({ l, file }) {
      const { weights, config, translate } = await openTranslator(l, await file('dates-bahdanau'));
      const translation = translate(DATE);
      const { source, ids } = translation;
      const { data: row } = translation.attention({ layer: 0, head: 0, queries: [STEP, STEP + 1] });
      const read = padded([source.map((symbol) => config.source.indexOf(symbol))]);
      /** How far the weights of a state are from the model’s, by the number of symbols before the state. */
      const off = (/** @type {number} */ written) => l.evaluate(() => {
        const memory = encode(l, weights, config, read);
        const { state } = written === 0 ? memory
          : decode(l, weights, config, memory, memory.state, padded([[BEGIN, ...ids].slice(0, written)]));
        const network = { W_q: weights['attention.W_q.weight'], W_k: null, w_a: weights['attention.w_a.weight'] };
        const { pattern } = l.attention(l.reshape(state, [1, 1, 1, config.hidden]), memory.keys, memory.values,
          { score: 'additive', weights: network });
        return Math.max(...row.map((weight, j) => Math.abs(weight - pattern.data[j])));
      });
      const offs = [0, STEP, STEP + 1].map(off);
      const width = 2 * config.hidden;
      return choice({
        options: [
          ['s₀, the first state of the decoder, for every symbol', `Its weights differ by ${fixed(offs[0], 2)}. The `
            + `decoder would attend to the same place `
            + 'for every symbol.'],
          ['sᵢ₋₁, the state before this symbol', 'Its weights equal those of the model. The context is computed '
            + 'first, then the new state sᵢ.'],
          ['sᵢ, the state after this symbol', `Its weights differ by ${fixed(offs[2], 2)}. This is the query of Luong `
            + `(lesson 9). Here sᵢ needs the context, so it `
            + 'does not exist yet.'],
          ['hᵢ, the state of the encoder at position i', `Encoder states are keys, and they have ${width} numbers; `
            + `W_q takes ${config.hidden}. Position i of the `
            + 'input has nothing to do with symbol i of the output.'],
        ],
        right: offs.indexOf(Math.min(...offs)),
        solution: 'The order of one step is: query sᵢ₋₁, weights, context cᵢ, new state sᵢ, symbol yᵢ.',
      });
    },
  },
  {
    id: 'bahdanau-context', kind: 'predict', title: 'The width of a context',
    question: 'The GRU of the encoder has 64 numbers in each direction. It reads 19 symbols, and the decoder writes '
      + '10. How many numbers does one context vector have?',
    hints: ['A context is a weighted average of encoder states.',
      'An encoder state joins the forward and the backward state.'],
    async pose({ l, file }) {
      const { weights, config, translate } = await openTranslator(l, await file('dates-bahdanau'));
      const { source, target } = translate(DATE);
      const read = padded([source.map((symbol) => config.source.indexOf(symbol))]);
      const width = l.evaluate(() => encode(l, weights, config, read).values.axes.sizes[3]);
      return number({
        label: 'Numbers in one context', right: width,
        why: 'An average has the width of what is averaged: h = [→h; ←h] has 2 · 64 numbers. The length of the text '
          + 'does not matter.',
        mistakes: [[config.hidden, 'The encoder reads in both directions, and both states are joined.'],
          [source.length, 'This is the number of weights in a row, one for each symbol that is read. They average the '
            + 'states.'],
          [source.length * width, 'The states are averaged, not put one after the other.'],
          [target.length, 'This is the number of contexts, one for each symbol that is written.']],
        solution: 'c = Σ αⱼ hⱼ is as wide as hⱼ = [→hⱼ; ←hⱼ], which has 64 + 64 = 128 numbers.',
      });
    },
  },
  {
    id: 'bahdanau-bound', kind: 'predict', title: 'How large can an additive score be?',
    question: 'The additive score is e = w · tanh(W_q s + W_k h). Let w = (1, −2, 0.5). The sum inside the tanh may '
      + 'be any vector. Which value can the score come near to, but never exceed?',
    hints: ['tanh lies between −1 and 1.', 'Choose the sign of each tanh so that its product with w is positive.'],
    pose({ l }) {
      const w = [1, -2, 0.5];
      const score = (/** @type {number} */ factor) => l.evaluate(() => {
        const one = (/** @type {number[]} */ data) => l.tensor(data, { query: 1, dim: 3 });
        const eye = () => l.tensor([1, 0, 0, 0, 1, 0, 0, 0, 1], [3, 3]);
        const k = l.tensor(w.map((each) => factor * Math.sign(each)), { key: 1, dim: 3 });
        const weights = { W_q: eye(), W_k: eye(), w_a: l.tensor(w, { hidden: 3 }) };
        return l.attention(one([0, 0, 0]), k, k, { score: 'additive', weights }).scores.item();
      });
      return { ...number({
        label: 'Upper bound of the score', right: score(40), tolerance: 0.01,
        why: 'The bound is |w₁| + |w₂| + |w₃|. A dot product has no such bound, so only dot products need the factor '
          + '1/√d.',
        mistakes: [[-0.5, 'This is the sum of w. A tanh of −1 turns the negative entry into +2.'],
          [1.5, 'The entry −2 helps too: its tanh can be near −1.'],
          [2, 'All three terms add up.'], [Math.hypot(1, 2, 0.5), 'This is the length of w. Each tanh can be near ±1 '
            + 'on its own.']],
        solution: 'The best tanh values are (1, −1, 1). So the score stays below 1 + 2 + 0.5 = 3.5.',
      }), explore: { label: 'Size of the sum inside', min: 0, max: 6, step: 0.25, value: 1,
        say: (factor) => `With ±${factor} inside each tanh the score is ${fixed(score(factor), 3)}.` } };
    },
  },
];
