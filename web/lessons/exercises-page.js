/** All exercises with hints and solutions, and the progress of the reader as a file. */
import { HeedError } from '../../js/errors.js';
import { download, h, messageOf } from '../elements/dom.js';
import { EXERCISES } from './exercises/catalog.js';
import { KINDS } from './kit/answers.js';
import { addButton } from './kit/controls.js';
import { withCode } from './kit/exercise-form.js';
import { pose } from './kit/exercise.js';
import { element, lesson, showValues } from './kit/page.js';
import { exportProgress, importProgress, onProgress, readProgress, solvedOf } from './kit/progress.js';
import { LESSONS, titleOf } from './list.js';

/** @typedef {import('./kit/answers.js').Exercise} Exercise */

/** A solution, whose numbers are computed when the reader asks for it. @param {Exercise} exercise */
function solutionOf(exercise) {
  const text = h('p', { 'aria-live': 'polite' });
  const box = h('details', {}, h('summary', { 'aria-label': `Solution of “${exercise.title}”` }, 'Solution'), text);
  box.addEventListener('toggle', async () => {
    if (!box.open || text.textContent) return;
    text.textContent = 'Computing.';
    try {
      const { solution } = exercise.pose
        ? await pose(exercise, undefined, (message) => { text.textContent = message; }) : exercise;
      text.replaceChildren(...withCode(solution ?? ''));
    } catch (error) {
      if (!(error instanceof HeedError)) throw error;
      text.textContent = messageOf(error);
    }
  });
  return box;
}

/** @param {string} name of a lesson @param {Exercise} exercise */
function entryOf(name, exercise) {
  const { id, title, kind, question, hints } = exercise;
  const state = h('span', { class: 'exercise-state' });
  onProgress(() => { state.textContent = readProgress().get(id) === 'solved' ? '✓ solved' : ''; });
  return h('li', { id },
    h('p', { class: 'exercise-head' },
      h('a', { class: 'exercise-title', href: `./${name}.html#${id}` }, ...withCode(title)), ' ',
      h('span', { class: 'exercise-kind' }, KINDS[kind]), ' ', state),
    ...question.split('\n').map((part) => h('p', {}, ...withCode(part))),
    h('details', {}, h('summary', { 'aria-label': `Hints for “${title}”` }, 'Hints'), h('ol', {}, ...hints.map((hint) =>
      h('li', {}, ...withCode(hint))))),
    solutionOf(exercise));
}

lesson(async () => {
  const listed = LESSONS.filter(({ name }) => Object.hasOwn(EXERCISES, name));
  const loaded = await Promise.all(listed.map(async (each) =>
    ({ ...each, exercises: (await EXERCISES[each.name].load()).default })));
  for (const { name, title, exercises } of loaded) {
    const solved = h('p', { class: 'exercise-kind' });
    onProgress(() => { solved.textContent = solvedOf(name); });
    element('all').append(h('section', { class: 'exercise-list' },
      h('h2', {}, h('a', { href: `./${name}.html` }, titleOf({ name, title }))), solved,
      h('ol', {}, ...exercises.map((exercise) => entryOf(name, exercise)))));
  }

  const total = loaded.reduce((sum, { exercises }) => sum + exercises.length, 0);
  onProgress(() => {
    const solved = [...readProgress().values()].filter((state) => state === 'solved').length;
    showValues({ solved: `${solved} of ${total} exercises are solved.` });
  });
  addButton(element('files'), 'Save the progress', () =>
    download(new Blob([exportProgress()], { type: 'application/json' }), 'heed-exercises.json'));
  const chosen = h('input', { type: 'file', accept: '.json,application/json' });
  element('files').append(h('label', { class: 'control' }, h('span', {}, 'Add progress from a file'), chosen));
  chosen.addEventListener('change', async () => {
    const [file] = chosen.files ?? [];
    if (!file) return;
    element('told').textContent = '';
    element('refused').textContent = '';
    try {
      const { read, unknown, kept } = importProgress(await file.text());
      element('told').textContent = `${read} exercises were read from ${file.name}.${
        unknown > 0 ? ` ${unknown} are unknown here and were left out.` : ''}${
        kept ? '' : ' This browser does not keep them.'}`;
    } catch (error) {
      if (!(error instanceof HeedError)) throw error;
      element('refused').textContent = `${file.name}: ${error.message}`;
    }
    chosen.value = ''; // the same file may be chosen again
  });
});
