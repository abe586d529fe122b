/** The exercises at the end of a lesson. Each is folded, and computes its numbers when it is opened. */
import { HeedError } from '../../../js/errors.js';
import { lab, randomFrom } from '../../../js/lab/index.js';
import { h, messageOf } from '../../elements/dom.js';
import { EXERCISES } from '../exercises/catalog.js';
import { KINDS } from './answers.js';
import { addButton, addSlider } from './controls.js';
import { answerForm, tableOf, withCode } from './exercise-form.js';
import { fetchModel } from './fetch-model.js';
import { onProgress, readProgress, record, solvedOf } from './progress.js';
import { readFragment } from './state.js';

/** @typedef {import('./answers.js').Exercise} Exercise */
/** @typedef {import('./answers.js').Posed} Posed */

/** Seed of the first numbers; a class sees the same ones. */
const FIRST_SEED = 1;

/** One lab for all exercises of the page. @type {Promise<import('../../../js/lab/index.js').Lab> | null} */
let shared = null;

/**
 * Computes the numbers of an exercise.
 * @param {Exercise} exercise not of the kind 'page'
 * @param {number} [seed]
 * @param {(message: string) => void} [onProgress] told which model is fetched
 * @returns {Promise<Posed>}
 * @throws {HeedError} 'unavailable' if a model of the exercise is missing
 */
export async function pose(exercise, seed = FIRST_SEED, onProgress = () => {}) {
  shared ??= lab({ seed: FIRST_SEED });
  if (!exercise.pose) throw new Error(`The exercise ‘${exercise.id}’ has no numbers.`);
  return exercise.pose({ l: await shared, random: randomFrom(seed), file: (name) => fetchModel(name, onProgress) });
}

/** One exercise: its question, an answer to fill in, a verdict, hints, and a solution after a try. */
class Card {
  #exercise;
  #seed = FIRST_SEED;
  #hints = 0;
  #state = h('span', { class: 'exercise-state' });
  #body = h('div', { class: 'exercise-body' });
  #verdict = h('p', { class: 'verdict', role: 'status' });
  #lists = h('div', { 'aria-live': 'polite' });
  #work = h('div', { class: 'exercise-work' });

  /** @param {Exercise} exercise @param {number} number of the exercise, from 1 */
  constructor(exercise, number) {
    this.#exercise = exercise;
    const { id, kind, title } = exercise;
    this.element = h('details', { class: 'exercise', id },
      h('summary', {}, h('span', {}, h('span', { class: 'exercise-title' }, `${number}. `, ...withCode(title)), ' ',
        h('span', { class: 'exercise-kind' }, KINDS[kind])), ' ', this.#state),
      this.#body);
    this.element.addEventListener('toggle', () => this.element.open && this.#fill());
    onProgress(() => {
      const state = readProgress().get(id);
      this.#state.textContent = state === 'solved' ? '✓ solved' : state === 'tried' ? 'tried' : '';
    });
  }

  /** Writes the question, and computes the numbers. */
  #fill() {
    if (this.#body.childElementCount > 0) return;
    const { question, place = '' } = this.#exercise;
    this.#body.append(...question.split('\n').map((part) => h('p', {}, ...withCode(part))));
    if (this.#exercise.kind === 'page') {
      this.#body.append(h('p', {}, h('a', { href: `#${place}` }, 'Do it in the figure above'), '.'));
      return;
    }
    this.#body.append(this.#work);
    void this.#pose();
  }

  /** @param {boolean} [again] whether the button “Other numbers”, which is replaced, had the focus */
  async #pose(again = false) {
    const { id, varied, hints } = this.#exercise;
    this.#work.replaceChildren(this.#verdict);
    this.#verdict.textContent = 'Computing.';
    this.#verdict.className = 'verdict';
    /** @type {Posed} */ let posed;
    try {
      posed = await pose(this.#exercise, this.#seed, (message) => { this.#verdict.textContent = message; });
    } catch (error) {
      if (!(error instanceof HeedError)) throw error;
      this.#verdict.textContent = `The exercise cannot be computed. ${messageOf(error)}`;
      return;
    }
    this.#hints = 0;
    this.#verdict.textContent = '';
    this.#lists.replaceChildren();
    const { form, element } = answerForm(posed, async (answer, complaint) => {
      if (complaint) this.#judge(null, complaint);
      else this.#judge(await posed.check(answer), '', unlock);
    });
    const unlock = () => {
      solve.disabled = false;
      unlockSlider();
    };
    const buttons = h('div', { class: 'controls' }, h('button', { type: 'submit', form, class: 'primary' }, 'Check'));
    if (hints.length > 0) this.#addHints(buttons);
    const solve = addButton(buttons, 'Show the solution', () => {
      const text = h('p', { class: 'solution', tabindex: -1 }, h('strong', {}, 'Solution. '),
        ...withCode(posed.solution));
      this.#lists.append(text);
      text.focus(); // the button that had it is hidden now
      solve.hidden = true;
    });
    solve.disabled = !readProgress().has(id);
    const other = varied && addButton(buttons, 'Other numbers', () => {
      this.#seed++;
      void this.#pose(true);
    });
    const box = h('div', { class: 'explore locked' });
    const unlockSlider = posed.explore ? addExplore(box, posed.explore) : () => {};
    this.#work.replaceChildren(...(posed.given ?? []).map((given) => tableOf(given, form)), element, buttons,
      this.#verdict, ...(posed.explore ? [box] : []), this.#lists);
    if (again && other && document.activeElement === document.body) other.focus();
  }

  /** @param {HTMLElement} buttons */
  #addHints(buttons) {
    const { hints } = this.#exercise;
    const list = h('ol', { class: 'hints' });
    const name = () => (hints.length === 1 ? 'Hint' : `Hint ${this.#hints + 1} of ${hints.length}`);
    const button = addButton(buttons, name(), () => {
      if (this.#hints === hints.length) return;
      if (!list.isConnected) this.#lists.prepend(list);
      list.append(h('li', {}, ...withCode(hints[this.#hints++])));
      if (this.#hints < hints.length) button.textContent = name();
      else {
        button.textContent = 'No more hints';
        button.setAttribute('aria-disabled', 'true'); // a disabled button would lose the focus
      }
    });
  }

  /**
   * Shows the verdict. A complaint, such as an empty field, is not a try.
   * @param {import('./answers.js').Verdict | null} verdict @param {string} complaint @param {() => void} [unlock]
   */
  #judge(verdict, complaint, unlock) {
    this.#verdict.className = `verdict ${verdict ? (verdict.correct ? 'right' : 'wrong') : ''}`;
    if (!verdict) {
      this.#verdict.textContent = complaint;
      return;
    }
    const kept = record(this.#exercise.id, verdict.correct);
    this.#verdict.replaceChildren(h('strong', {}, verdict.correct ? 'Right. ' : 'Not yet. '), ...withCode(verdict.why),
      kept ? '' : ' This browser does not keep your progress.');
    unlock?.();
  }
}

/** A slider that is locked until the first try. @param {HTMLElement} box
 *  @param {import('./answers.js').Explore} explore @returns {() => void} unlocks it */
function addExplore(box, { say, ...slider }) {
  const text = h('p', { 'aria-live': 'polite' }, 'Locked until your first try.');
  const controls = h('div', { class: 'controls' });
  const show = (/** @type {number} */ value) => { text.textContent = say(value); };
  const input = addSlider(controls, slider, show);
  input.disabled = true;
  box.append(controls, text);
  return () => {
    if (!input.disabled) return;
    input.disabled = false;
    box.classList.remove('locked');
    show(input.valueAsNumber);
  };
}

/**
 * Adds the section with the exercises of a lesson, before its sources.
 * @param {string} lesson name of the page
 * @returns {Promise<() => void>} opens the exercise of the address; to be called when the figures are drawn
 */
export async function addExercises(lesson) {
  if (!Object.hasOwn(EXERCISES, lesson)) return () => {};
  const { default: exercises } = await EXERCISES[lesson].load();
  const cards = exercises.map((exercise, i) => new Card(exercise, i + 1));
  const solved = h('span', {});
  onProgress(() => { solved.textContent = solvedOf(lesson); });
  const section = h('section', { class: 'exercises', 'aria-labelledby': 'exercises' },
    h('h2', { id: 'exercises' }, 'Exercises'),
    h('p', {}, 'The kernels compute the answers. Guess before you calculate, and calculate before you '
      + 'look. ', solved, '. ',
      h('a', { href: './exercises.html' }, 'All exercises, and your progress as a file'), '.'),
    ...cards.map(({ element }) => element));
  if (document.documentElement.classList.contains('embedded')) {
    for (const link of section.querySelectorAll('a')) link.target = '_blank';
  }
  const main = document.getElementById('lesson');
  main?.insertBefore(section, main.querySelector(':scope > .sources'));
  const openAddressed = () => {
    const { place } = readFragment(location.hash);
    const card = cards.find(({ element }) => element.id === place);
    if (!card) return;
    card.element.open = true;
    card.element.scrollIntoView();
    card.element.querySelector('summary')?.focus({ preventScroll: true });
  };
  addEventListener('hashchange', openAddressed);
  return openAddressed;
}
