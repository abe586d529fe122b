/** Trains a small transformer in this page and shows its attention at each step. */
import '../elements/define/training.js';
import { HeedError } from '../../js/errors.js';
import { lab } from '../../js/lab/index.js';
import { largest } from '../../js/train/models/choice.js';
import { openModel } from '../../js/train/models/index.js';
import { letterGpt } from '../../js/train/models/letter-gpt.js';
import { LENGTH, TASKS, TOKENS, question } from '../../js/train/tasks/letters.js';
import { formatPercent } from '../draw/sentence.js';
import { addSelect } from './kit/controls.js';
import { grouped } from './kit/format.js';
import { element, lesson, showValues } from './kit/page.js';
import { connectTraining } from './kit/training.js';

/** @typedef {import('../../js/lab/index.js').Lab} Lab */

/** The tasks, and the pattern to look for in the trained head.
 *  @type {Record<string, { name: string, look: string }>} */
const CHOICES = {
  reverse: {
    name: 'reverse: gbkd… → …dkbg',
    look: 'a line against the diagonal: each next letter is one position earlier',
  },
  copy: {
    name: 'copy: gbkd… → gbkd…',
    look: 'a line along the diagonal, eight positions back',
  },
  sort: {
    name: 'sort: gbkd… → bdgk…',
    look: 'rows that attend to a letter instead of a position: the next letter of the alphabet, at any position',
  },
};
/** The letters of the input. */
const LETTERS = TOKENS.slice(0, -1);

/** @param {HTMLInputElement} field @throws {HeedError} 'bad-argument' if it holds no seed */
function seedOf(field) {
  if (field.value !== '' && field.validity.valid) return field.valueAsNumber;
  throw new HeedError('bad-argument', `The seed must be a whole number from 0 to ${grouped(Number(field.max))}.`);
}

lesson(async () => {
  const show = () => {
    const letters = [...'gbkdaibe'].map((letter) => TOKENS.indexOf(letter));
    showValues({
      answer: TASKS[task.value](letters).map((id) => TOKENS[id]).join(' '),
      look: CHOICES[task.value].look,
    });
  };
  const task = addSelect(element('controls'), 'Task',
    Object.fromEntries(Object.entries(CHOICES).map(([key, each]) => [key, each.name])), show);
  const seed = /** @type {HTMLInputElement} */ (element('seed'));
  element('controls').append(/** @type {HTMLElement} */ (seed.parentElement));
  const input = /** @type {HTMLInputElement} */ (element('letters'));

  /** The model of the last training, in a separate lab.
   *  @type {{ l: Lab, weights: import('../../js/lab/index.js').Weights, config: any } | null} */
  let model = null;

  /** @param {Uint8Array} file */
  async function useModel(file) {
    const l = await lab();
    const { weights, config } = await openModel(l, file);
    model?.l.dispose();
    model = { l, weights, config };
    input.disabled = false;
    answer();
  }

  /** Writes letter by letter; each is the most probable letter after the letters before it. */
  function answer() {
    const letters = [...input.value.toLowerCase()];
    if (!model) return;
    if (letters.length !== LENGTH || !letters.every((letter) => LETTERS.includes(letter))) {
      element('written').textContent = `Write ${LENGTH} letters from ${LETTERS[0]} to ${LETTERS.at(-1)}.`;
      return;
    }
    const { l, weights, config } = model;
    const ids = question(letters.map((letter) => TOKENS.indexOf(letter)));
    while (ids.length < LENGTH + 1 + LENGTH) {
      const next = l.evaluate(() => {
        const { logits } = letterGpt(l, weights, config, ids, { batch: 1, time: ids.length });
        return largest(logits.data, TOKENS.length)[ids.length - 1];
      });
      ids.push(next);
    }
    element('written').textContent = `The model writes ${ids.slice(LENGTH + 1).map((id) => TOKENS[id]).join(' ')}.`;
  }
  input.addEventListener('input', answer);

  connectTraining(/** @type {import('../elements/index.js').HeedTraining} */ (element('training')),
    () => ({ name: task.value, seed: seedOf(seed) }),
    ({ step, figures, file }) => {
      void useModel(file);
      return `After ${step} steps ${formatPercent(figures.exact)} of 512 unseen sequences are entirely correct.`;
    });
  show();
});
