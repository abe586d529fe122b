/** Exercises on the reason for attention. */
import { openModel } from '../../../js/train/models/index.js';
import { resolvePronoun } from '../../../js/train/models/pronoun-encoder.js';
import { choice, number } from '../kit/answers.js';
import { fixed } from '../kit/format.js';

/** @type {import('../kit/answers.js').Exercise[]} */
export default [
  {
    id: 'why-average', kind: 'cell', title: 'A weighted average', varied: true,
    question: 'Three words have vectors of two numbers. “it” gives them the weights below. Compute the missing number '
      + 'of their average z.',
    hints: ['Multiply each vector by its weight.', 'Add the three products, number by number.'],
    pose({ l, random }) {
      const first = 5 + Math.floor(random() * 3);
      const weights = [first / 10, (9 - first) / 10, 0.1];
      const vectors = Array.from({ length: 6 }, (_, i) => Math.floor(random() * 9) - 3 + 3 * Number(i % 2));
      const at = Math.floor(random() * 2);
      const z = l.evaluate(() => [...l.matmul(l.tensor(weights, [1, 3]), l.tensor(vectors, [3, 2])).data]);
      const column = [0, 1, 2].map((row) => vectors[2 * row + at]);
      const sum = column.reduce((a, b) => a + b);
      return { ...number({
        label: `number ${at + 1} of z`, right: z[at], tolerance: 0.005,
        why: 'Each word adds its vector, as much as its weight says.',
        mistakes: [[sum / 3, 'This is the plain mean. Each vector counts as much as its weight.'],
          [column[0], 'This is the vector with the largest weight alone. The others are added too.'],
          [sum, 'This is the sum without weights.']],
        solution: `${column.map((value, i) => `${weights[i]} · ${value < 0 ? `(${value})` : value}`).join(' + ')} = `
          + `${fixed(z[at], 2)}.`
          .replaceAll('-', '−'),
      }), given: [{ caption: 'Vectors of the words', axes: ['word', ''], rows: ['cat', 'fish', 'hungry'],
        data: vectors, digits: 0 },
        { caption: 'Weights of “it”', axes: ['', 'word'], rows: ['α'], columns: ['cat', 'fish', 'hungry'],
        data: weights, digits: 1 },
        { caption: 'Average', axes: ['', ''], rows: ['z'], columns: ['1', '2'], data: z, digits: 2,
          blank: [0, at] }] };
    },
  },
  {
    id: 'why-later-words', kind: 'choice', title: 'Only earlier words',
    question: 'Let each word read only earlier words and itself, as in a model that writes text. In “The cat ate the '
      + 'fish because it was hungry” the last word becomes “delicious”. How does the probability change that “it” is '
      + 'the fish?',
    hints: ['Where does the last word stand, before or after “it”?',
      'Which numbers enter the vector of “it” in this model?'],
    async pose({ l, file }) {
      const model = await openModel(l, await file('it'));
      const of = (/** @type {string} */ last, /** @type {boolean} */ causal) => resolvePronoun(l, model,
        `The cat ate the fish because it was `
          + `${last}`, { causal }).nouns.find(({ noun }) => noun === 'fish')?.probability ?? 0;
      const [a, b] = ['hungry', 'delicious'].map((last) => of(last, true));
      const both = ['hungry', 'delicious'].map((last) => fixed(of(last, false), 3));
      return choice({
        options: [
          ['It rises, because a fish can be delicious.', 'This needs the last word, which “it” cannot read here.'],
          ['It falls.', 'Nothing that “it” reads has changed.'],
          ['It does not change at all.', `It is ${fixed(a, 3)} in both sentences, bit for bit. A model that reads in `
            + `both directions has `
            + `${both.join(' and ')}.`],
        ],
        right: a === b ? 2 : a < b ? 0 : 1,
        solution: '“it” reads the words up to itself, and these are the same in both sentences. The same numbers give '
          + 'the same answer.',
      });
    },
  },
  {
    id: 'why-cut-noun', kind: 'choice', title: 'Cut the line to the noun',
    question: 'In “The animal did not cross the street because it was too tired” the model answers “animal”. Now “it” '
      + 'must not read the word “animal”, in any head. What does the model answer?',
    hints: ['The line to “tired” remains. What kind of noun can be tired?',
      'The model knows many animals. Can it tell which one the sentence has?'],
    async pose({ l, file }) {
      const model = await openModel(l, await file('it'));
      const text = 'The animal did not cross the street because it was too tired';
      const { at } = resolvePronoun(l, model, text);
      const { nouns: [{ noun, probability }] } = resolvePronoun(l, model, text,
        { cut: (from, to) => from === at && to === 1 });
      return choice({
        options: [
          ['animal', 'The word “animal” is out of sight, so the model cannot copy it.'],
          ['street', 'A street is not tired, and the line to “tired” remains.'],
          ['another animal, which is not in the sentence', `It answers “${noun}”, with probability `
            + `${fixed(probability, 2)}. From “tired” it knows `
            + `the kind of noun. The line from word ${at + 1} to “animal” told it which one.`],
        ],
        right: noun === 'animal' ? 0 : noun === 'street' ? 1 : 2,
        solution: 'Two lines carry two facts: “tired” gives the kind, and the noun gives the word. Without the '
          + 'second, the model guesses a noun of the right kind.',
      });
    },
  },
];
