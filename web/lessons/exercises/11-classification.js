/** Exercises on the learned query. */
import { encode, textBatch } from '../../../js/train/models/classifier.js';
import { openModel } from '../../../js/train/models/index.js';
import { wordsOf } from '../../../js/train/models/words.js';
import { choice, number } from '../kit/answers.js';
import { fixed } from '../kit/format.js';

const SENTENCES = ['The food was terrible.', 'A charming little hotel.', 'The film is not funny.',
  'The actors are wonderful.'];

/** @typedef {import('../kit/answers.js').Context} Context */

/**
 * The classifier, and what it reads in a sentence.
 * @param {Context} context
 */
async function open({ l, file }) {
  const { weights: w, config } = await openModel(l, await file('sentiment'));
  /** @param {string} text @param {number} [sharpness] factor of the query
   *  @param {(from: string, to: string) => boolean} [isCut] */
  return (text, sharpness = 1, isCut = () => false) => l.evaluate(() => {
    const words = wordsOf(text).filter((word) => /\p{L}/u.test(word));
    const edges = words.flatMap((from) => words.map((to) => isCut(from, to)));
    const mask = l.tensor(edges.map((cut) => (cut ? -Infinity : 0)), { query: words.length, key: words.length });
    const x = l.slice(encode(l, w, config, textBatch([words], config), { mask }).x, 'batch', 0);
    const { output, pattern } = l.attention(l.scale(w.query, sharpness), x, x);
    const p = l.softmax(l.linear(output, w['head.weight'], w['head.bias'])).data.slice();
    const logits = l.linear(x, w['head.weight']).data;
    return { words, praise: p[1], alpha: [...pattern.data],
      effects: words.map((_, i) => logits[2 * i + 1] - logits[2 * i]) };
  });
}

/** @type {import('../kit/answers.js').Exercise[]} */
export default [
  {
    id: 'query-contribution', kind: 'cell', title: 'What one word contributes', varied: true,
    question: 'The table has the weight α of each word, and the effect of its vector: its logit of praise minus its '
      + 'logit of complaint. Fill in the contribution of the missing word to the logits of the sentence.',
    hints: ['The pooled vector is z = Σ α x, and the logits are linear in z.',
      'A word counts only as much as the query attends to it.'],
    async pose(context) {
      const read = await open(context);
      const { words, alpha, effects } = read(SENTENCES[Math.floor(context.random() * SENTENCES.length)]);
      const parts = alpha.map((weight, i) => weight * effects[i]);
      const sizes = parts.map(Math.abs);
      const at = sizes.indexOf(Math.max(...sizes));
      return { ...number({
        label: `the contribution of “${words[at]}”`, right: parts[at], tolerance: 0.02,
        why: 'α · effect. A word with a strong effect and a small α says little, and so does a word with a large α '
          + 'and no effect.',
        mistakes: [[effects[at], 'This is the effect before the query weights it.'],
          [alpha[at], 'This is the weight. Multiply it by the effect.'],
          [-parts[at], 'The size is right, but the sign is not: praise minus complaint.'],
          [parts.reduce((a, b) => a + b), 'This is the sum over all words.']],
        solution: `${fixed(alpha[at], 3)} · ${fixed(effects[at], 3)} = ${fixed(parts[at], 3)}.`,
      }), given: [{ caption: 'One sentence', axes: ['word', ''], rows: words, columns: ['α', 'effect', 'contribution'],
        data: words.flatMap((_, i) => [alpha[i], effects[i], parts[i]]), blank: [at, 2] }] };
    },
  },
  {
    id: 'query-zero', kind: 'predict', title: 'A query that asks nothing',
    question: 'Replace the learned query by zeros: θ = 0. The sentence “The actors are wonderful” has 4 words. Which '
      + 'weight does “wonderful” get?',
    hints: ['Every score is a product with 0.', 'What is the softmax of four equal scores?'],
    async pose(context) {
      const read = await open(context);
      const weight = (/** @type {number} */ sharpness) => /** @type {number} */ (read('The actors are '
        + 'wonderful', sharpness).alpha.at(-1));
      const learned = weight(1);
      return { ...number({
        label: 'Weight of “wonderful”', right: weight(0), tolerance: 0.005,
        why: 'All scores are 0, so all weights are 1/4: attention with θ = 0 is the plain mean of the vectors.',
        mistakes: [[0, 'The score is 0, but the weight is a softmax: exp(0) = 1 for every word.'],
          [1, 'Nothing prefers this word when all scores are equal.'],
          [learned, 'This is the weight with the learned query.']],
        solution: 'softmax(0, 0, 0, 0) = (1/4, 1/4, 1/4, 1/4).',
      }), explore: { label: 'Factor of the learned '
        + 'query', min: 0, max: 2, step: 0.1, value: 1, format: (value) => fixed(value, 1),
        say: (sharpness) => `With ${fixed(sharpness, 1)} θ “wonderful” gets ${fixed(weight(sharpness), 3)}.` } };
    },
  },
  {
    id: 'query-cut', kind: 'choice', title: 'Is the thick line the reason?',
    question: 'The model calls “The film is not funny” a complaint, and “funny” attends to “not”. The edge from '
      + '“funny” to “not” is cut in all heads, and the model runs again. What happens to the answer?',
    hints: ['Through how many other words can “not” act?', 'A map shows what a head attends to. Only the new run can '
      + 'tell what the answer depends on.'],
    async pose(context) {
      const read = await open(context);
      const whole = read('The film is not funny').praise;
      const cut = read('The film is not funny', 1, (from, to) => from === 'funny' && to === 'not').praise;
      return choice({
        options: [
          ['It becomes praise, because “funny” stands alone now.',
          'The other words still carry the negation, and the query hardly attends to the adjective.'],
          ['It stays a complaint.', `p(praise) goes from ${fixed(whole, 3)} to ${fixed(cut, 3)}. The explanation that `
            + `the map suggests is not the reason.`],
          ['It becomes undecided, near 0.5.', 'No single edge carries the answer here.'],
        ],
        right: cut > 0.65 ? 0 : cut < 0.35 ? 1 : 2,
        solution: 'The query reads “not”, whose vector has mixed with the adjective. The cut edge goes the other way. '
          + 'So the answer hardly moves.',
      });
    },
  },
];
