/** Exercises on tokens and embeddings. */
import { openModelFile } from '../../../js/files/model-file.js';
import { choice, number } from '../kit/answers.js';
import { fixed, grouped } from '../kit/format.js';

const MODEL = new URL('../../../models/stories.gguf', import.meta.url);

/** @type {import('../kit/answers.js').Exercise[]} */
export default [
  {
    id: 'tokens-space', kind: 'choice', title: 'The same word twice',
    question: 'The stories model reads “Lily loves Lily”. Both times the word “Lily” is one token. Do both have the '
      + 'same id, and the same row of the embedding matrix?',
    hints: ['Most tokens contain the space before the word.', 'Does a space stand before the first “Lily”?'],
    async pose() {
      const file = await openModelFile(MODEL);
      await file.close();
      const ids = /** @type {import('../../../js/text/tokenizer.js').Tokenizer} */ (file.tokenizer)
        .encode('Lily loves Lily', { special: false });
      const first = ids[0];
      const last = ids[ids.length - 1];
      return choice({
        options: [
          ['yes, because it is the same word', `The ids are ${first} and ${last}. The tokenizer knows no words: the `
            + `second token begins with a `
            + 'space.'],
          ['no: two ids and two rows', `The ids are ${first} and ${last}. The model must learn from its data that `
            + `both rows mean Lily.`],
          ['the same id, but another row, because the position differs',
          'A row depends on the id alone. The position enters later.'],
        ],
        right: first === last ? 0 : 1,
        solution: 'The first token is “Lily”, the second one is “ Lily” with a space. They are two entries of the '
          + 'vocabulary.',
      });
    },
  },
  {
    id: 'tokens-quadratic', kind: 'predict', title: 'The price of short tokens',
    question: 'A text has 1,024 bytes, or 256 tokens of a vocabulary of pieces. How many times as many cells does '
      + 'an attention map over its bytes have?',
    hints: ['A map has one row and one column for each token.', 'Both the rows and the columns become more.'],
    pose({ l }) {
      const cells = (/** @type {number} */ time) => l.evaluate(() => {
        const x = l.tensor(new Float32Array(time), { time, feature: 1 });
        return l.attention(x, x, x).pattern.data.length;
      });
      const ratio = (/** @type {number} */ bytes) => cells(64 * bytes) / cells(64); // of the same text, in pieces
      return { ...number({
        label: 'Times as many cells', right: ratio(4),
        why: 'Four times as many rows, and four times as many columns. The matrices of weights only work four times '
          + 'as often.',
        mistakes: [[4, 'The rows become four times as many, and the columns too.'],
          [1024 ** 2, 'This is the number of cells. Divide it by 256².'], [8, 'Multiply: 4 · 4, not 4 + 4.']],
        solution: '1,024² / 256² = 4² = 16.',
      }), explore: { label: 'Bytes for each piece', min: 1, max: 8, step: 1, value: 4,
        say: (bytes) => `Bytes for each piece: ${bytes}. Cells of the map over bytes: ${grouped(ratio(bytes))} times `
          + `as many.` } };
    },
  },
  {
    id: 'tokens-gradient', kind: 'predict', title: 'Which rows learn',
    question: 'A model has a vocabulary of 50 tokens and an embedding matrix that is not tied. One training text is '
      + '“the cat saw the dog and the dog saw the cow”, where each word is a token. How many rows of the matrix get a '
      + 'gradient from it?',
    hints: ['A lookup reads only the rows of the tokens that occur.', 'How many different words does the text have?'],
    pose({ l }) {
      const words = 'the cat saw the dog and the dog saw the cow'.split(' ');
      const known = [...new Set(words)];
      const table = l.init.normal('rows', [50, 4]);
      const learning = l.step(() => {
        const x = l.embedding(table, words.map((word) => known.indexOf(word)));
        l.backward(l.sum(l.mul(x, x)));
        const grad = /** @type {Float32Array} */ (table.grad);
        return Array.from({ length: 50 }, (_, row) => row).filter((row) =>
          grad.subarray(4 * row, 4 * row + 4).some((value) => value !== 0)).length;
      });
      return number({
        label: 'Rows with a gradient', right: learning,
        why: 'Only the rows of the, cat, saw, dog, and, cow. So a rare token learns slowly: its row changes only when '
          + 'it occurs.',
        mistakes: [[50, 'The product with a one-hot vector leaves out all other rows. (With tied weights they would '
          + 'get a gradient from the logits.)'],
          [words.length, 'Equal tokens share one row, whose gradients add up.'],
          [7, 'Count the different words again.']],
        solution: 'Six different words: the, cat, saw, dog, and, cow.',
      });
    },
  },
  {
    id: 'tokens-lookup', kind: 'cell', title: 'A product that selects', varied: true,
    question: 'The one-hot vector of a token is multiplied with the embedding matrix. Fill in the missing number of '
      + 'the result.',
    hints: ['Each row of the matrix is multiplied by the number at its place in the one-hot vector.',
      'All products but one are 0.'],
    pose({ l, random }) {
      const rows = ['cat', 'dog', 'saw', 'the'];
      const W = Array.from({ length: 12 }, (_, i) => Math.round(20 * random() - 10) / 2 + i / 10);
      const id = Math.floor(random() * 4);
      const at = Math.floor(random() * 3);
      const oneHot = rows.map((_, i) => Number(i === id));
      const x = l.evaluate(() => [...l.matmul(l.tensor(oneHot, [1, 4]), l.tensor(W, [4, 3])).data]);
      return { ...number({
        label: `feature ${at + 1}`, right: x[at], tolerance: 0.01,
        why: `The product is the row of “${rows[id]}”. So an embedding is a linear layer, and a lookup is the fast `
          + `way to compute it.`,
        mistakes: [[W[at] + W[3 + at] + W[6 + at] + W[9 + at], 'This is the sum of all rows. Three of them are '
          + 'multiplied by 0.'],
          [1, 'The 1 selects; the result has the numbers of the row.']],
        solution: `The 1 stands at “${rows[id]}”, so x is this row, and its feature ${at + 1} is ${fixed(x[at], 1)}.`,
      }), given: [{ caption: 'One-hot vector', axes: ['', 'token'], rows: ['o'], columns: rows,
        data: oneHot, digits: 0 },
        { caption: 'W_E', axes: ['token', 'feature'], rows, data: W, digits: 1 },
        { caption: 'x = o W_E', axes: ['', 'feature'], rows: ['x'], columns: [String(at + 1)], data: [x[at]],
        blank: [0, 0] }] };
    },
  },
];
