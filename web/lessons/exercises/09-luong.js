/** Exercises on Luong’s attention. */
import { HeedError } from '../../../js/errors.js';
import { countParameters, normal, randomFrom, under } from '../../../js/lab/index.js';
import { openModel } from '../../../js/train/models/index.js';
import { choice, matrix, number } from '../kit/answers.js';
import { fixed, grouped } from '../kit/format.js';

const ENGLISH = ['the', 'red', 'house'];
const SPANISH = ['la', 'casa', 'roja'];
/** Index of the Spanish word of each English word. */
const PAIRED = [0, 2, 1];
/** Factor of the scores in the exercise with a matrix. */
const SHARP = 20;

/** @type {import('../kit/answers.js').Exercise[]} */
export default [
  {
    id: 'luong-order', kind: 'choice', title: 'The order of one step',
    question: 'Luong’s decoder (without input feeding) reads the symbol before with a GRU, and attends. You change '
      + 'the weights of the attention, for one symbol. All written symbols are given, as in training. Which later '
      + 'vectors can change?',
    hints: ['sᵢ = f(sᵢ₋₁, yᵢ₋₁). Does a context enter?',
      'In training yᵢ₋₁ is given. What else could carry a context to step i + 1?'],
    pose({ l }) {
      const random = randomFrom(8);
      const width = 6;
      const time = 4;
      const read = 5;
      const y = normal(random, time * width);
      const h = normal(random, read * width);
      const gru = l.init.gru('', width, width);
      // The context of step 1 is replaced; states and contexts of all steps are compared.
      const [before, after] = [1, -1].map((sharpness) => l.evaluate(() => {
        const s = l.gru(l.tensor(y, { batch: 1, time, feature: width }), gru).output;
        const H = l.tensor(h, { key: read, feature: width });
        const rows = Array.from({ length: time }, (_, i) => {
          const query = l.reshape(l.slice(s, 'time', i, i + 1), { query: 1, feature: width });
          return l.attention(query, H, H, { score: 'dot', scale: i === 0 ? sharpness : 1 }).output.data.slice();
        });
        return { states: s.data.slice(), contexts: rows };
      }));
      const states = before.states.some((value, i) => value !== after.states[i]);
      const later = before.contexts.slice(1).some((row, i) =>
        row.some((value, j) => value !== after.contexts[i + 1][j]));
      return choice({
        options: [
          ['all later states and contexts', 'In Bahdanau’s decoder this is so: there the context enters the next '
            + 'state.'],
          ['the later contexts, but not the states', 'A later context depends on its query s and on the encoder '
            + 'states. Neither has changed.'],
          ['none: only the prediction of this symbol', 'The context enters the attention vector and the prediction, '
            + 'but no state. Input feeding was invented to repair this.'],
        ],
        right: states ? 0 : later ? 1 : 2,
        solution: 'In sᵢ = f(sᵢ₋₁, yᵢ₋₁) there is no context. So the decoder does not know where it has looked '
          + 'before.',
      });
    },
  },
  {
    id: 'luong-widths', kind: 'choice', title: 'States of two widths',
    question: 'A decoder with states of 6 numbers attends to an encoder with states of 4 numbers. Which of '
      + 'the scores dot, general and concat can be computed?',
    hints: ['A dot product needs two vectors of the same width.',
      'Which shape must W have in sᵀ W h? And in W [s; h]?'],
    pose({ l }) {
      const random = randomFrom(1);
      const [s, h, W, W_a, v_a] = [6, 12, 24, 50, 5].map((n) => normal(random, n));
      const works = (/** @type {'dot' | 'bilinear' | 'concat'} */ score) => l.evaluate(() => {
        try {
          const keys = l.tensor(h, { key: 3, dim: 4 });
          l.attention(l.tensor(s, { query: 1, dim: 6 }), keys, keys, { score, weights: score === 'bilinear'
            ? { W: l.tensor(W, [6, 4]) } : { W_a: l.tensor(W_a, [5, 10]), v_a: l.tensor(v_a, [5]) } });
          return true;
        } catch (error) {
          if (!(error instanceof HeedError)) throw error;
          return false;
        }
      });
      const [dot, general, concat] = /** @type {const} */ (['dot', 'bilinear', 'concat']).map(works);
      return choice({
        options: [
          ['all three', 'The dot product of 6 numbers with 4 numbers does not exist.'],
          ['general and concat', 'The lab computes both. In general, W is 6 × 4; in concat, W takes 6 + 4 numbers. '
            + 'Both also translate between two languages of features.'],
          ['only concat', 'The matrix of the general score need not be square: it can be 6 × 4.'],
          ['only general', 'Concat puts both vectors one after the other, so it takes any widths.'],
        ],
        right: dot ? 0 : general && concat ? 1 : concat ? 2 : 3,
        solution: 'dot: no. general: sᵀ W h with W of 6 × 4. concat: W [s; h] with W of n × 10.',
      });
    },
  },
  {
    id: 'luong-alignment', kind: 'matrix', title: 'Set the general score',
    question: 'English words are one-hot queries (the, red, house), Spanish words are one-hot keys (la, casa, roja). '
      + 'Set W of the general score qᵀ W k so that each English word attends to its translation. The page multiplies '
      + 'scores by 20, and shuffles the sentences.',
    hints: ['The score of English word a and Spanish word b is the number in row a, column b of W.',
      'Spanish puts the adjective behind the noun, but W does not see places. It sees words.'],
    pose({ l, random }) {
      const eye = (/** @type {number} */ row) => [0, 1, 2].map((i) => Number(i === row));
      return matrix({
        tables: [{ caption: 'W', axes: ['query', 'key'], rows: ENGLISH, columns: SPANISH, data: new Float32Array(9) }],
        run(W) {
          for (let n = 0; n < 10; n++) {
            const order = [0, 1, 2].map((i) => ({ i, at: random() })).sort((a, b) => a.at - b.at).map(({ i }) => i);
            const pattern = l.evaluate(() => {
              const q = l.tensor([0, 1, 2].flatMap(eye), { query: 3, dim: 3 });
              const k = l.tensor(order.flatMap(eye), { key: 3, dim: 3 });
              const weights = { W: l.tensor(W, [3, 3]) };
              return l.attention(q, k, k, { score: 'bilinear', weights, scale: SHARP }).pattern.data.slice();
            });
            const at = PAIRED.findIndex((key, query) => !(pattern[3 * query + order.indexOf(key)] > 0.99));
            if (at >= 0) {
              const row = pattern.subarray(3 * at, 3 * at + 3);
              return { correct: false, why: `“${ENGLISH[at]}” gives ${fixed(row[order.indexOf(PAIRED[at])], 2)} to `
                + `“${SPANISH[PAIRED[at]]}”. Which number of W is `
                + 'the score of this pair?' };
            }
          }
          return { correct: true, why: 'Each word finds its translation, in any order. A dot product could not do it: '
            + '“red” and “casa” have the same one-hot vector.' };
        },
        right: [[1, 0, 0, 0, 0, 1, 0, 1, 0]],
        wrong: [{ answer: [[1, 0, 0, 0, 1, 0, 0, 0, 1]], why: '“red” gives' },
          { answer: [new Array(9).fill(0)], why: '“the” gives 0.33' }],
        solution: 'Row “the” is (1, 0, 0), row “red” is (0, 0, 1) and row “house” is (0, 1, 0). W is a dictionary.',
      });
    },
  },
  {
    id: 'luong-weights', kind: 'predict', title: 'What the general score costs',
    question: 'In the trained model with the general score, states have 96 numbers. How many weights does the score '
      + 'itself have?',
    hints: ['The score is sᵀ W h.', 'W has a row for each number of s, and a column for each number of h.'],
    async pose({ l, file }) {
      const { weights } = await openModel(l, await file('dates-luong-general'));
      const own = countParameters(under(weights, 'attention.'));
      const width = Math.sqrt(own);
      return number({
        label: 'Weights of the score', right: own,
        why: `W is ${width} × ${width}: ${grouped(own)} weights. The dot score has none.`,
        mistakes: [[2 * width, 'W multiplies each number of s with each number of h.'],
          [width, 'This would be a weight for each feature: a diagonal W.'],
          [2 * own, 'There is one matrix. Two matrices would be two projections, as in W_Q and W_K.'],
          [2 * own + width, 'This is the concat score: W takes [s; h], and a vector follows.']],
        solution: `W is square here: ${width} · ${width} = ${grouped(own)}.`,
      });
    },
  },
];
