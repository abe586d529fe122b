/**
 * Controls of a figure. Sliders and selects call back at most once per frame. The address of the lesson carries their
 * values. A control is named there by its `name`, or after its label. With `autocomplete: 'off'` the browser does not
 * restore a value by itself when the reader goes back. It would not call back then.
 */
import { h } from '../../elements/dom.js';
import { oncePerFrame, track } from './redraw.js';
import { addState, nameOf } from './state.js';

let sliders = 0;
/** Functions that update the text beside each slider. @type {WeakMap<HTMLInputElement, () => void>} */
const labels = new WeakMap();

/**
 * Adds a slider with its value beside it.
 * @param {HTMLElement} container the slider becomes its last child
 * @param {{ label: string, min: number, max: number, step: number, value: number, format?: (value: number) => string }}
 *   options format: the value as text; default String
 * @param {(value: number) => unknown} onChange called with each new value; may return a promise
 * @returns {HTMLInputElement}
 */
export function addSlider(container, { label, min, max, step, value, format = String }, onChange) {
  const id = `slider-${++sliders}`;
  const input = h('input', { type: 'range', id, min, max, step, value, autocomplete: 'off' });
  const text = h('output', { for: id, 'aria-live': 'off' }, format(value)); // the slider announces its value itself
  const update = () => {
    text.textContent = format(input.valueAsNumber);
    input.setAttribute('aria-valuetext', text.textContent);
  };
  update();
  labels.set(input, update);
  const changed = oncePerFrame(onChange);
  input.addEventListener('input', () => {
    update();
    changed(input.valueAsNumber);
  });
  container.append(h('div', { class: 'control' }, h('label', { for: id }, label), input, text));
  return input;
}

/**
 * Moves a slider without calling its onChange.
 * @param {HTMLInputElement} slider from addSlider()
 * @param {number} value
 */
export function setSlider(slider, value) {
  slider.value = String(value);
  labels.get(slider)?.();
}

/**
 * Adds a drop-down list.
 * @param {HTMLElement} container the list becomes its last child
 * @param {string} label
 * @param {Record<string, string>} options texts by value; the first is selected
 * @param {(value: string) => unknown} onChange called with each new value; may return a promise
 * @returns {HTMLSelectElement}
 */
export function addSelect(container, label, options, onChange) {
  const select = h('select', { autocomplete: 'off' }, ...Object.entries(options).map(([value, text]) =>
    h('option', { value }, text)));
  const changed = oncePerFrame(onChange);
  select.addEventListener('change', () => changed(select.value));
  container.append(h('label', { class: 'control' }, h('span', {}, label), select));
  return select;
}

/**
 * Adds a button.
 * @param {HTMLElement} container the button becomes its last child
 * @param {string} label
 * @param {() => void} onPress
 * @returns {HTMLButtonElement}
 */
export function addButton(container, label, onPress) {
  const button = h('button', { type: 'button' }, label);
  button.addEventListener('click', onPress);
  container.append(button);
  return button;
}

/**
 * Adds a button that draws other random numbers. The address has the number of presses, so a link shows the same
 * numbers.
 * @param {HTMLElement} container the button becomes its last child
 * @param {string} label
 * @param {(presses: number) => void} draw  always draws the same numbers for the same number of presses
 * @returns {HTMLButtonElement}
 */
export function addDraws(container, label, draw) {
  let presses = 0;
  const set = (/** @type {number} */ number) => {
    presses = number;
    draw(presses);
  };
  const button = addButton(container, label, () => set(presses + 1));
  addState(button, { name: nameOf(label), read: () => String(presses), write(text) {
    const accepted = /^\d{1,4}$/.test(text);
    if (accepted) set(Number(text));
    return accepted;
  } });
  return button;
}

/**
 * Adds a checkbox.
 * @param {HTMLElement} container the checkbox becomes its last child
 * @param {string} label
 * @param {boolean} checked at first
 * @param {(checked: boolean) => unknown} onChange may return a promise
 * @returns {HTMLInputElement}
 */
export function addCheckbox(container, label, checked, onChange) {
  const input = h('input', { type: 'checkbox', checked, autocomplete: 'off' });
  input.addEventListener('change', () => track(onChange(input.checked)));
  container.append(h('label', { class: 'control' }, input, h('span', {}, label)));
  return input;
}
