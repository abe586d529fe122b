/** Exercises on heads. */
import { normal, randomFrom } from '../../../js/lab/index.js';
import { choice, matrix, number } from '../kit/answers.js';
import { fixed, grouped } from '../kit/format.js';

const WORDS = ['cat', 'dog', 'cow', 'saw'];
const TOKENS = 4;
/** Factor of the scores: the softmax of a matching key is almost 1. */
const SHARP = 40;
/** Random sentences of one check. */
const SENTENCES = 20;

const identity = (/** @type {number} */ n) => Array.from({ length: n * n }, (_, i) => Number(i % (n + 1) === 0));

/** @type {import('../kit/answers.js').Exercise[]} */
export default [
  {
    id: 'heads-previous', kind: 'matrix', title: 'A head for the token before',
    question: 'Each token starts with a one-hot vector of its position, 1 to 4. The key of a token is this vector. '
      + 'Set the matrix that maps a position to a query, so that tokens 2 to 4 attend to the token before. The page '
      + `multiplies the scores by ${SHARP}. The values are the words, and the check reads random sentences.`,
    hints: ['Row 2 is the query of token 2. The key of token 1 is (1, 0, 0, 0). Which query has the product 1 with '
      + 'this key and 0 with the others?', 'Each row has one 1, one column to the left of the diagonal.',
        'Token 1 has no token before, so its row is free.'],
    pose({ l, random }) {
      const shifted = (/** @type {number} */ by) => Array.from({ length: TOKENS ** 2 }, (_, i) =>
        Number(i % TOKENS === Math.floor(i / TOKENS) + by));
      const labels = Array.from({ length: TOKENS }, (_, i) => String(i + 1));
      return matrix({
        tables: [{ caption: 'Query of each position', axes: ['position', 'dim'], rows: labels, columns: labels,
          data: new Float32Array(TOKENS ** 2) }],
        run(W) {
          for (let n = 0; n < SENTENCES; n++) {
            const ids = labels.map(() => Math.floor(random() * WORDS.length));
            const { pattern, output } = l.evaluate(() => {
              const positions = l.tensor(identity(TOKENS), { token: TOKENS, dim: TOKENS });
              const values = l.tensor(ids.flatMap((id) => WORDS.map((_, word) => Number(word === id))),
                { token: TOKENS, word: WORDS.length });
              const Q = l.matmul(positions, l.tensor(W, { dim: TOKENS, to: TOKENS }));
              const head = l.attention(l.reshape(Q, { query: TOKENS, dim: TOKENS }), positions, values,
                { score: 'dot', scale: SHARP });
              return { pattern: head.pattern.data.slice(), output: head.output.data.slice() };
            });
            const at = ids.findIndex((_, t) => t > 0 && output[t * WORDS.length + ids[t - 1]] < 0.99);
            if (at < 0) continue;
            const row = pattern.subarray(at * TOKENS, (at + 1) * TOKENS);
            const most = row.indexOf(Math.max(...row));
            const where = Math.max(...row) - Math.min(...row) < 1e-6 ? 'all tokens equally'
              : `token ${most + 1} most, with ${fixed(row[most], 2)}`;
            return { correct: false, why: `In “${ids.map((id) => WORDS[id]).join(' ')}” token ${at + 1} attends to `
              + `${where}. It should attend to token ${at}.` };
          }
          return { correct: true, why: `The head copies the word before in ${SENTENCES} random sentences.` };
        },
        right: [shifted(-1)],
        wrong: [{ answer: [shifted(0)], why: 'attends to token' }, { answer: [shifted(1)],
          why: 'It should attend to token 1' },
          { answer: [new Array(TOKENS ** 2).fill(0)], why: 'all tokens equally' }],
        solution: 'Put a 1 one column to the left of the diagonal: row 2 is (1, 0, 0, 0), row 3 is (0, 1, 0, 0), row '
          + '4 is (0, 0, 1, 0). The query of position t then equals the key of position t − 1. The words play no part.',
      });
    },
  },
  {
    id: 'heads-count', kind: 'predict', title: 'Do more heads need more weights?',
    question: 'Tokens have d = 16 features. Standard attention with 2 heads has 1,024 weights in W_Q, W_K, W_V and '
      + 'W_O together. How many does it have with 4 heads?',
    hints: ['A head projects to d/h features.', 'Four heads of width 4 are together as wide as two heads of width 8.'],
    pose({ l }) {
      const w = l.init.multiHead('', 16);
      const x = normal(randomFrom(4), 48);
      const run = (/** @type {number} */ heads) => l.evaluate(() => {
        const X = l.tensor(x, { time: 3, feature: 16 });
        const { pattern } = l.multiHead(X, X, X, w, { heads });
        return { weights: w.in_proj_weight.data.length + w['out_proj.weight'].data.length,
          maps: pattern.axes.sizes[0] };
      });
      return { ...number({
        label: 'Weights with 4 heads', right: run(4).weights,
        why: 'The heads share the width d, so the number of heads does not change the number of weights.',
        mistakes: [[2048, 'This would be right if each head were as wide as before. With more heads each is narrower: '
          + 'd/h.'],
          [512, 'The heads are half as wide, but there are twice as many.'],
          [4096, 'Four heads of the full width would have 4 · 4 · 16² weights. Standard heads have width d/h.']],
        solution: 'Each head has 4 · 16 · 16/h weights, and there are h heads: 4 · 16² = 1,024 for every h.',
      }), explore: { label: 'Heads (power of '
        + 'two)', min: 0, max: 4, step: 1, value: 1, format: (power) => String(2 ** power),
        say: (power) => `Weights: ${grouped(run(2 ** power).weights)}. Maps: ${run(2 ** power).maps}. Width of a `
          + `head: ${16 / 2 ** power}.` } };
    },
  },
  {
    id: 'heads-output', kind: 'predict', title: 'What W_O is needed for',
    question: 'Two heads write 4 features each. Their outputs are concatenated to 8 features. Let W_O be the '
      + 'identity, and change the values of head 2. How many of the 8 output features of a token change?',
    hints: ['Concatenation puts the output of head 2 behind the output of head 1.',
      'The identity does not mix features.'],
    pose({ l }) {
      const random = randomFrom(7);
      const [x, projections, mixing] = [24, 192, 64].map((n) => normal(random, n));
      const changed = (/** @type {ArrayLike<number>} */ W_O) => {
        const [before, after] = [0, 1].map((more) => l.evaluate(() => {
          const weights = projections.map((value, i) => (i >= (16 + 4) * 8 ? value + more : value)); // values of head 2
          const X = l.tensor(x, { time: 3, feature: 8 });
          const w = { in_proj_weight: l.tensor(weights, [24, 8]), 'out_proj.weight': l.tensor(W_O, [8, 8]) };
          return l.multiHead(X, X, X, w, { heads: 2 }).output.data.slice(0, 8);
        }));
        return before.filter((value, i) => value !== after[i]).length;
      };
      return number({
        label: 'Changed features', right: changed(identity(8)),
        why: `Only the half of head 2 changes. With a random W_O ${changed(mixing)} of 8 features change: W_O lets `
          + `every feature depend on `
          + 'every head.',
        mistakes: [[8, 'This needs a W_O that mixes features. The identity keeps the halves apart.'],
          [0, 'The output of a head is a weighted sum of its values, so it changes.'],
          [2, 'A head has 4 value features here.']],
        solution: 'Head 2 writes the last 4 features, and the identity leaves them there. So without W_O no feature '
          + 'could use both heads.',
      });
    },
  },
  {
    id: 'heads-swap', kind: 'choice', title: 'Heads in another order',
    question: 'Head 1 and head 2 exchange their matrices W_Q, W_K and W_V. W_O stays as it is, a random matrix. What '
      + 'happens to the output?',
    hints: ['The concatenated vector has the same numbers in another order.',
      'Which rows of W_O multiply the output of head 1?'],
    pose({ l }) {
      const random = randomFrom(3);
      const [x, projections, mixing] = [24, 192, 64].map((n) => normal(random, n));
      const swapped = (/** @type {ArrayLike<number>} */ list, /** @type {(at: number) => number} */ from) =>
        Float32Array.from(list, (_, i) => list[from(i)]);
      const run = (/** @type {ArrayLike<number>} */ inputs, /** @type {ArrayLike<number>} */ out) => l.evaluate(() => {
        const X = l.tensor(x, { time: 3, feature: 8 });
        const w = { in_proj_weight: l.tensor(inputs, [24, 8]), 'out_proj.weight': l.tensor(out, [8, 8]) };
        return l.multiHead(X, X, X, w, { heads: 2 }).output.data.slice();
      });
      const other = swapped(projections, (i) => 8 * (Math.floor(i / 8) ^ 4) + i % 8); // stored [out × in]: rows
      const alike = (/** @type {Float32Array} */ a, /** @type {Float32Array} */ b) =>
        a.every((v, i) => Math.abs(v - b[i]) < 1e-5);
      const before = run(projections, mixing);
      const same = alike(before, run(other, mixing));
      const both = alike(before, run(other, swapped(mixing, (i) => i ^ 4))); // stored [out × in]: columns
      return choice({
        options: [
          ['It stays the same, because heads are a set.', 'Heads have an order: W_O has separate rows for each of '
            + 'them.'],
          ['It changes. It stays the same only if the rows of W_O are exchanged too.',
            'The output of each head is multiplied by its rows of W_O. Exchanged together, nothing changes but '
              + 'rounding.'],
          ['It changes, and no change of W_O repairs it.', 'Exchange the rows of W_O in the same way. Then each '
            + 'head is read as before.'],
        ],
        right: same ? 0 : both ? 1 : 2,
        solution: 'Z has the outputs of both heads in another order. Row by row, Z W_O multiplies head 1 with one '
          + 'half of W_O and head 2 with the other half. So both must be exchanged together.',
      });
    },
  },
];
