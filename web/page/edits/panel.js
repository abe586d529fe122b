/** The list of changes on the page: one chip for each, with its switch, its factor and its button to remove it. */
import { h } from '../../elements/dom.js';
import { describeScale, formatScale, nameOf, SCALES, targetOf } from './change.js';

/** @typedef {import('./change.js').Change} Change */
/**
 * The effects of the controls. `at` is the index of a change.
 * @typedef {object} PanelActions
 * @property {(at: number, change: Partial<Change>, done: boolean) => void} edit done: false while a slider moves
 * @property {(at: number) => void} remove
 * @property {() => void} clear
 * @property {(direction: -1 | 1) => void} step undo or redo
 * @property {(on: boolean) => void} apply all changes or none
 * @property {() => void} write both texts
 * @property {() => void} cancel
 */
/** @typedef {{ element: HTMLElement, update: (change: Change, at: number, words: string) => void }} Chip */

/** Milliseconds after which a run is announced as busy. */
const BUSY_MS = 200;

export class EditPanel {
  #actions;
  #status;
  #list = h('ul', { class: 'changes', 'aria-label': 'Changes' });
  #undo = h('button', { type: 'button', 'aria-label': 'Undo the last change', title: 'Undo the last change (Ctrl+Z)',
    'aria-keyshortcuts': 'Control+Z' }, '↶');
  #redo = h('button', { type: 'button', 'aria-label': 'Redo the change', title: 'Redo the change (Ctrl+Shift+Z)',
    'aria-keyshortcuts': 'Control+Shift+Z' }, '↷');
  #clear = h('button', { type: 'button' }, 'Remove all');
  #write = h('button', { type: 'button' }, 'Continue the text both ways');
  #all = h('input', { type: 'checkbox', checked: true });
  #busy = h('span', { class: 'status', role: 'status' });
  #cancel = h('button', { type: 'button' }, 'Cancel');
  #working = h('div', { class: 'buttons', hidden: true }, this.#busy, this.#cancel);
  #tools;
  /** @type {Map<string, Chip>} */
  #chips = new Map();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /**
   * @param {HTMLElement} status the live region of the panel
   * @param {PanelActions} actions
   */
  constructor(status, actions) {
    this.#status = status;
    this.#actions = actions;
    this.#tools = h('div', { class: 'buttons', role: 'group', 'aria-label': 'All changes' }, this.#undo, this.#redo,
      h('label', { class: 'check' }, this.#all, 'Apply the changes'), this.#clear, this.#write);
    const enabled = (/** @type {HTMLElement} */ button, /** @type {() => void} */ act) =>
      button.addEventListener('click', () => button.getAttribute('aria-disabled') !== 'true' && act());
    enabled(this.#undo, () => actions.step(-1));
    enabled(this.#redo, () => actions.step(1));
    enabled(this.#clear, actions.clear);
    enabled(this.#write, actions.write);
    this.#all.addEventListener('change', () => actions.apply(this.#all.checked));
    this.#cancel.addEventListener('click', actions.cancel);
    status.before(this.#list);
    status.after(this.#working, this.#tools);
  }

  /**
   * Shows the changes. Chips that stay keep their focus.
   * @param {readonly Change[]} changes
   * @param {(change: Change) => string} describe
   * @param {{ canUndo: boolean, canRedo: boolean, applied: boolean, canWrite: boolean }} state canWrite: decoders only
   */
  show(changes, describe, { canUndo, canRedo, applied, canWrite }) {
    this.#write.hidden = !canWrite;
    const before = this.#chips;
    this.#chips = new Map(changes.map((change) => {
      const target = targetOf(change);
      return [target, before.get(target) ?? this.#chipOf(change)];
    }));
    const chips = [...this.#chips.values()];
    chips.forEach((chip, at) => chip.update(changes[at], at, describe(changes[at])));
    if (chips.length !== this.#list.children.length || chips.some(({ element }, at) =>
      element !== this.#list.children[at])) this.#list.replaceChildren(...chips.map(({ element }) => element));
    this.#list.hidden = chips.length === 0;
    this.#list.classList.toggle('off', !applied);
    this.#all.checked = applied;
    const disable = (/** @type {HTMLElement} */ button, /** @type {boolean} */ disabled) =>
      button.setAttribute('aria-disabled', String(disabled));
    disable(this.#undo, !canUndo);
    disable(this.#redo, !canRedo);
    disable(this.#clear, chips.length === 0);
    disable(this.#write, !changes.some(({ on }) => on));
  }

  /** Reports the result of a change. @param {string} sentence */
  say(sentence) {
    this.#status.textContent = sentence;
  }

  /** Says what the model does, unless it is done soon. @param {string} words empty: nothing */
  busy(words) {
    clearTimeout(this.#timer);
    if (words === '' || !this.#working.hidden) this.#showBusy(words);
    else this.#timer = setTimeout(() => this.#showBusy(words), BUSY_MS);
  }

  /** @param {string} words */
  #showBusy(words) {
    const hadFocus = this.#working.contains(document.activeElement);
    this.#busy.textContent = words;
    this.#working.hidden = words === '';
    if (words === '' && hadFocus) this.#write.focus();
  }

  /** @param {Change} change @returns {Chip} */
  #chipOf(change) {
    let at = 0;
    const actions = this.#actions;
    const box = h('input', { type: 'checkbox' });
    const words = h('span');
    const remove = h('button', { type: 'button', class: 'remove' }, '✕');
    box.addEventListener('change', () => actions.edit(at, { on: box.checked }, true));
    remove.addEventListener('click', () => {
      actions.remove(at);
      const next = /** @type {HTMLElement | undefined} */ (this.#list.children[at] ?? this.#list.children[at - 1]);
      (next?.querySelector('button') ?? this.#undo).focus();
    });
    const more = change.kind === 'cells' ? renormalizeBox((renormalize) => actions.edit(at, { renormalize }, true))
      : scaleSlider(nameOf(change), (scale, done) => actions.edit(at, { scale }, done));
    return {
      element: h('li', {}, h('label', { class: 'check' }, box, words), ...more.elements, remove),
      update: (now, index, text) => {
        at = index;
        box.checked = now.on;
        words.textContent = text;
        remove.title = `Remove: ${words.textContent}`;
        remove.setAttribute('aria-label', remove.title);
        more.update(now);
      },
    };
  }
}

/** @param {(renormalize: boolean) => void} change */
function renormalizeBox(change) {
  const box = h('input', { type: 'checkbox' });
  box.addEventListener('change', () => change(box.checked));
  const label = h('label', { class: 'check' }, box, 'The rest still sums to 1');
  label.title = 'On: the row is computed without these cells. Off: their weight is removed after the softmax.';
  return { elements: [label],
    update: (/** @type {Change} */ now) => { box.checked = now.kind !== 'cells' || now.renormalize; } };
}

/** @param {string} name @param {(scale: number, done: boolean) => void} change */
function scaleSlider(name, change) {
  const [min, max] = SCALES;
  const slider = h('input', { type: 'range', min, max, step: 0.1, 'aria-label': `Factor: ${name}` });
  const output = h('span', { class: 'factor', 'aria-hidden': 'true' });
  slider.addEventListener('input', () => change(slider.valueAsNumber, false));
  slider.addEventListener('change', () => change(slider.valueAsNumber, true));
  const title = 'Reverse: times −1';
  const reverse = h('button', { type: 'button', 'aria-label': `Reverse: ${name}`, title }, 'Reverse');
  reverse.addEventListener('click', () => change(-1, true));
  return {
    elements: [h('span', { class: 'scale' }, slider, output, reverse)],
    update: (/** @type {Change} */ now) => {
      if (now.kind === 'cells') return;
      slider.value = String(now.scale);
      slider.setAttribute('aria-valuetext', `${formatScale(now.scale)}, ${describeScale(now.scale)}`);
      output.textContent = `×${formatScale(now.scale)}`;
    },
  };
}
