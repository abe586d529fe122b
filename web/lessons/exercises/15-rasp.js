/** Exercises on RASP: the numbers and programs run in the interpreter, and as compiled transformers. */
import { HeedError, lab } from '../../../js/lab/index.js';
import { rasp } from '../../../js/lab/rasp/index.js';
import { EXERCISES } from '../15-rasp-exercises.js';
import { code } from '../kit/answers.js';

/** Random strings of one check. */
const STRINGS = 30;
const VOCABULARY = 'abc';
const LENGTH = 6;

/**
 * Compiles a program, and compares the transformer with the answers on random strings.
 * @param {string} source @param {(tokens: string[]) => (string | number)[]} answer @param {() => number} random
 * @returns {Promise<import('../kit/answers.js').Verdict>}
 */
async function checkProgram(source, answer, random) {
  const l = await lab(); // for the weights of this program alone
  try {
    const model = rasp(source).compile({ vocabulary: [...VOCABULARY], length: LENGTH }).open(l);
    for (let n = 0; n < STRINGS; n++) {
      const input = Array.from({ length: 2 + Math.floor(random() * (LENGTH - 1)) }, () =>
        VOCABULARY[Math.floor(random() * VOCABULARY.length)]);
      const { output } = model.run(input);
      const wanted = answer(input);
      const wrong = wanted.findIndex((value, i) => (typeof value === 'number'
        ? !(Math.abs(Number(output[i]) - value) < 1e-6) : output[i] !== value));
      if (wrong >= 0) {
        return { correct: false, why: `For ${input.join('')} the transformer writes ${output.join(' ')}. It should `
          + `write ${wanted.join(' ')}.` };
      }
    }
    return { correct: true, why: `The compiled transformer is right on ${STRINGS} random strings.` };
  } catch (error) {
    if (!(error instanceof HeedError)) throw error;
    return { correct: false, why: error.message };
  } finally {
    l.dispose();
  }
}

/** The exercises of the workbench. @type {import('../kit/answers.js').Exercise[]} */
const WORKBENCH = Object.entries(EXERCISES).map(([name, { title, goal, hint, solution }]) => ({
  id: `rasp-${name}`, kind: 'page', title: title.replace(/^Exercise \d:/, 'A program:'), place: 'tasks', hints: [hint],
  question: `${goal} Choose “${title}” in the list of tasks above.`,
  solution: `\`${solution.trim().replaceAll('\n', '`\u2003`')}\``,
}));

/** @type {import('../kit/answers.js').Exercise[]} */
export default [
  ...WORKBENCH,
  {
    id: 'rasp-comparison', kind: 'code', title: 'The number of a position',
    question: 'This program must write 0 1 2 3 … : at each position the number of positions before it. `select` '
      + 'compares its first argument, of the key, with its second, of the query. Which comparison is right?',
    hints: ['Each position must select the keys with a smaller index.',
      'The key stands on the left side of the comparison. A position does not count itself.'],
    pose({ random }) {
      return code({
        parts: ['selector_width(select(indices, indices, ', { label: 'comparison', options: ['<', '<=', '>', '==',
          '!='] }, '));'],
        run([operator]) {
          return checkProgram(`selector_width(select(indices, indices, `
            + `${operator}));`, (tokens) => tokens.map((_, i) => i), random);
        },
        right: ['<'],
        wrong: [{ answer: ['<='], why: 'It should write 0 1' }, { answer: ['>'], why: 'It should write 0 1' },
          { answer: ['=='], why: 'It should write 0 1' }],
        solution: '`selector_width(select(indices, indices, <));` With <= each position counts itself too: 1 2 3 …',
      });
    },
  },
  {
    id: 'rasp-last', kind: 'code', title: 'One line: the last token everywhere',
    question: 'Write one line of RASP that writes the last token at every position: abc becomes ccc. The page '
      + 'compiles it to a transformer and checks random strings.',
    hints: ['`aggregate(select(keys, queries, ==), tokens)` copies a token. Which key must every position select?',
      'The index of the last token is `length - 1`.'],
    pose({ random }) {
      return {
        form: { type: 'text', label: 'Your line' },
        check: (/** @type {string} */ line) => checkProgram(/;\s*$/.test(line) ? line : `${line};`,
          (tokens) => tokens.map(() => tokens[tokens.length - 1]), random),
        right: 'aggregate(select(indices, length - 1, ==), tokens);',
        wrong: [{ answer: 'aggregate(select(indices, 0, ==), tokens);', why: 'It should write' }, { answer: 'tokens',
          why: 'It should write' },
          { answer: 'select(indices, ', why: 'ine 1' }],
        solution: '`aggregate(select(indices, length - 1, ==), tokens);` Every query is length − 1, so every position '
          + 'selects the last one.',
      };
    },
  },
];
