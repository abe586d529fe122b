/** A small transformer learns in this page, and its heads can be watched as they form. */
import '../elements/index.js';
import { HeedError } from '../../js/errors.js';
import { lab } from '../../js/lab/index.js';
import { largest } from '../../js/train/models/choice.js';
import { openModel } from '../../js/train/models/index.js';
import { letterGpt } from '../../js/train/models/letter-gpt.js';
import { LENGTH, TASKS, TOKENS, question } from '../../js/train/tasks/letters.js';
import { formatPercent } from '../draw/sentence.js';
import { choice } from './kit/controls.js';
import { grouped } from './kit/format.js';
import { $, lesson, say } from './kit/page.js';
import { trainHere } from './kit/training.js';

/** @typedef {import('../../js/lab/index.js').Lab} Lab */

/** What there is to be learned, and what to look for. @type {Record<string, { name: string, look: string }>} */
const CHOICES = {
  reverse: {
    name: 'reverse: gbkd… → …dkbg',
    look: 'a line against the diagonal: every next letter is found one place farther back',
  },
  copy: {
    name: 'copy: gbkd… → gbkd…',
    look: 'a line along the diagonal, eight places back',
  },
  sort: {
    name: 'sort: gbkd… → bdgk…',
    look: 'rows that look at letters instead of places: at the next one of the alphabet, wherever it stands',
  },
};
/** What a reader may ask. */
const LETTERS = TOKENS.slice(0, -1);

/** @param {HTMLInputElement} field @throws {HeedError} 'bad-argument' where there is none in it */
function seedOf(field) {
  if (field.value !== '' && field.validity.valid) return field.valueAsNumber;
  throw new HeedError('bad-argument', `The seed is a whole number from 0 to ${grouped(Number(field.max))}.`);
}

lesson(async () => {
  const show = () => {
    const letters = [...'gbkdaibe'].map((letter) => TOKENS.indexOf(letter));
    say({
      answer: TASKS[task.value](letters).map((id) => TOKENS[id]).join(' '),
      look: CHOICES[task.value].look,
    });
  };
  const task = choice($('controls'), 'Task',
    Object.fromEntries(Object.entries(CHOICES).map(([key, each]) => [key, each.name])), show);
  const seed = /** @type {HTMLInputElement} */ ($('seed'));
  $('controls').append(/** @type {HTMLElement} */ (seed.parentElement));
  const input = /** @type {HTMLInputElement} */ ($('letters'));

  /** What was trained last, in a lab of its own.
   *  @type {{ l: Lab, weights: import('../../js/lab/index.js').Weights, config: any } | null} */
  let model = null;

  /** @param {Uint8Array} file */
  async function keep(file) {
    const l = await lab();
    const { weights, config } = await openModel(l, file);
    model?.l.dispose();
    model = { l, weights, config };
    input.disabled = false;
    ask();
  }

  /** Writes letter after letter, each the likeliest after all before it. */
  function ask() {
    const asked = [...input.value.toLowerCase()];
    if (!model) return;
    if (asked.length !== LENGTH || !asked.every((letter) => LETTERS.includes(letter))) {
      $('written').textContent = `It knows ${LENGTH} letters from ${LETTERS[0]} to ${LETTERS.at(-1)}.`;
      return;
    }
    const { l, weights, config } = model;
    const ids = question(asked.map((letter) => TOKENS.indexOf(letter)));
    while (ids.length < LENGTH + 1 + LENGTH) {
      const next = l.evaluate(() => {
        const { logits } = letterGpt(l, weights, config, ids, { batch: 1, time: ids.length });
        return largest(logits.data, TOKENS.length)[ids.length - 1];
      });
      ids.push(next);
    }
    $('written').textContent = `It writes ${ids.slice(LENGTH + 1).map((id) => TOKENS[id]).join(' ')}.`;
  }
  input.addEventListener('input', ask);

  trainHere(/** @type {import('../elements/index.js').HeedTraining} */ ($('training')),
    () => ({ name: task.value, seed: seedOf(seed) }),
    ({ step, figures, file }) => {
      void keep(file);
      return `After ${step} steps ${formatPercent(figures.exact)} of 512 unseen sequences are right in every letter.`;
    });
  show();
});
