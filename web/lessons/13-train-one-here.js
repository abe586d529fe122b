/** Trains a small transformer in this page and shows its attention at each step. */
import '../elements/define/training.js';
import { HeedError } from '../../js/errors.js';
import { largest } from '../../js/train/models/choice.js';
import { letterGpt } from '../../js/train/models/letter-gpt.js';
import { RemoteTraining } from '../../js/train/remote.js';
import { LENGTH, TASKS, TOKENS, question } from '../../js/train/tasks/letters.js';
import { formatPercent } from '../draw/sentence.js';
import { h } from '../elements/dom.js';
import { ModelNumbers } from './13-train-one-here-numbers.js';
import { STEP } from './drawings/13-train-one-here.js';
import { addSelect } from './kit/controls.js';
import { Drawing } from './kit/drawing.js';
import { fetchModel } from './kit/fetch-model.js';
import { grouped } from './kit/format.js';
import { element, lesson, showValues } from './kit/page.js';
import { connectTraining } from './kit/training.js';
import { exactness } from './13-train-one-here-exactness.js';

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
/** Numbers of layers and of heads to choose from, as texts by value. The width of 32 is a multiple of each. */
const [LAYERS, HEADS] = [[1, 2, 3], [1, 2, 4]].map((counts) =>
  Object.fromEntries(counts.map((count) => [count, `${count}`])));
/** The letters of the input. */
const LETTERS = TOKENS.slice(0, -1);

/** The ids of the letters in the field, or null if they are not eight letters. @param {HTMLInputElement} field */
function lettersOf({ value }) {
  const letters = [...value.toLowerCase()];
  return letters.length === LENGTH && letters.every((letter) => LETTERS.includes(letter))
    ? letters.map((letter) => TOKENS.indexOf(letter)) : null;
}

/** @param {HTMLInputElement} field @throws {HeedError} 'bad-argument' if it holds no seed */
function seedOf(field) {
  if (field.value !== '' && field.validity.valid) return field.valueAsNumber;
  throw new HeedError('bad-argument', `The seed must be a whole number from 0 to ${grouped(Number(field.max))}.`);
}

lesson(async () => {
  const drawing = new Drawing(element('drawing'), STEP);
  const show = () => {
    const letters = [...'gbkdaibe'].map((letter) => TOKENS.indexOf(letter));
    showValues({
      answer: TASKS[task.value](letters).map((id) => TOKENS[id]).join(' '),
      look: CHOICES[task.value].look,
    });
  };
  const task = addSelect(element('controls'), 'Task',
    Object.fromEntries(Object.entries(CHOICES).map(([key, each]) => [key, each.name])), () => {
      show();
      return showShipped().catch(({ message }) => { element('written').textContent = message; });
    });
  const layers = addSelect(element('controls'), 'Layers', LAYERS, () => {});
  const heads = addSelect(element('controls'), 'Heads', HEADS, () => {});
  /** Choices of the last training. */
  let running = { seed: 1, task: task.value, layers: layers.value, heads: heads.value };
  const seed = /** @type {HTMLInputElement} */ (element('seed'));
  element('controls').append(/** @type {HTMLElement} */ (seed.parentElement));
  const input = /** @type {HTMLInputElement} */ (element('letters'));

  const numbers = new ModelNumbers(answer, drawing);
  /** Weights at the steps of the last training. @type {{ step: number, file?: Uint8Array }[]} */
  let frames = [];
  /** Identifies the training whose model is shown; null for the shipped model. @type {object | null} */
  let opened = null;

  /** Shows the model of the last training after a step. @param {number} step */
  async function look(step) {
    const { file } = frames.findLast((frame) => frame.step <= step) ?? {};
    if (!file) return;
    if (opened === frames) await numbers.rewind(file);
    else await numbers.open(file, running.task);
    opened = frames;
    showValues({ model: `your model after step ${Math.min(step, frames.at(-1)?.step ?? 0)}` });
  }

  /** The model that heed ships is shown until the reader has trained one. */
  async function showShipped() {
    if (frames.length) return;
    const chosen = task.value;
    const file = await fetchModel(chosen);
    if (frames.length || chosen !== task.value) return;
    await numbers.open(file, chosen);
    showValues({ model: 'the model that heed ships' });
  }

  /** Writes letter by letter; each is the most probable letter after the letters before it. */
  function answer() {
    const letters = lettersOf(input);
    if (!letters || !numbers.model) return;
    const { l, weights, config } = numbers.model;
    const ids = question(letters);
    while (ids.length < LENGTH + 1 + LENGTH) {
      const next = l.evaluate(() => {
        const { logits } = letterGpt(l, weights, config, ids, { batch: 1, time: ids.length });
        return largest(logits.data, TOKENS.length)[ids.length - 1];
      });
      ids.push(next);
    }
    element('written').textContent = `The model writes ${ids.slice(LENGTH + 1).map((id) => TOKENS[id]).join(' ')}.`;
  }
  input.addEventListener('input', () => {
    const letters = lettersOf(input);
    if (letters) numbers.read(letters);
    else element('written').textContent = `Write ${LENGTH} letters from ${LETTERS[0]} to ${LETTERS.at(-1)}.`;
  });

  const training = /** @type {import('../elements/index.js').HeedTraining} */ (element('training'));
  training.addEventListener('heed-training-step', ({ detail: { step } }) => void look(step));
  training.addEventListener('heed-training-cancel', () => void look(Infinity));
  connectTraining(training,
    (options) => {
      running = { seed: seedOf(seed), task: task.value, layers: layers.value, heads: heads.value };
      const size = { layers: Number(layers.value), heads: Number(heads.value) };
      return RemoteTraining.start(task.value, { ...options, seed: running.seed, size });
    },
    async ({ step, figures, file }, signal) => {
      void look(step);
      const { distinct, repeated, weights } = await exactness(file, running.task, signal);
      document.getElementById('untrained')?.remove();
      element('trained').append(h('tr', {}, h('th', { scope: 'row' }, running.task), ...[running.layers, running.heads,
        `${running.seed}`, grouped(weights), formatPercent(distinct), formatPercent(repeated)]
        .map((text) => h('td', {}, text))));
      return `After ${step} steps ${formatPercent(figures.exact)} of 512 unseen sequences are entirely correct.`;
    },
    (frame) => {
      if (frame.step === 0) frames = [];
      frames.push(frame);
    });
  show();
  numbers.read(/** @type {number[]} */ (lettersOf(input)));
  await showShipped();
});
