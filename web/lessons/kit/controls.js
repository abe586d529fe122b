/** What a reader turns: sliders that say their value, choices, buttons. Sliders and choices answer once a frame. */
import { h } from '../../elements/dom.js';
import { onceAFrame } from './redraw.js';

let made = 0;
/** Says the value of each slider. @type {WeakMap<HTMLInputElement, () => void>} */
const tellers = new WeakMap();

/**
 * @param {HTMLElement} place
 * @param {{ label: string, min: number, max: number, step: number, value: number, words?: (value: number) => string }}
 *   options words: how the value is said
 * @param {(value: number) => void} change
 * @returns {HTMLInputElement}
 */
export function slider(place, { label, min, max, step, value, words = String }, change) {
  const id = `slider-${++made}`;
  const input = h('input', { type: 'range', id, min, max, step, value });
  const said = h('output', { for: id, 'aria-live': 'off' }, words(value)); // the slider itself is read by it
  const tell = () => {
    said.textContent = words(input.valueAsNumber);
    input.setAttribute('aria-valuetext', said.textContent);
  };
  tell();
  tellers.set(input, tell);
  const changed = onceAFrame(change);
  input.addEventListener('input', () => {
    tell();
    changed(input.valueAsNumber);
  });
  place.append(h('div', { class: 'control' }, h('label', { for: id }, label), input, said));
  return input;
}

/** Turns a slider for the reader, who is told where it stands; nothing else follows.
 *  @param {HTMLInputElement} slider @param {number} value */
export function turn(slider, value) {
  slider.value = String(value);
  tellers.get(slider)?.();
}

/**
 * @param {HTMLElement} place @param {string} label @param {Record<string, string>} names by value
 * @param {(value: string) => void} change @returns {HTMLSelectElement}
 */
export function choice(place, label, names, change) {
  const select = h('select', {}, ...Object.entries(names).map(([value, name]) => h('option', { value }, name)));
  const changed = onceAFrame(change);
  select.addEventListener('change', () => changed(select.value));
  place.append(h('label', { class: 'control' }, h('span', {}, label), select));
  return select;
}

/** @param {HTMLElement} place @param {string} label @param {() => void} press @returns {HTMLButtonElement} */
export function button(place, label, press) {
  const element = h('button', { type: 'button' }, label);
  element.addEventListener('click', press);
  place.append(element);
  return element;
}

/** @param {HTMLElement} place @param {string} label @param {boolean} checked @param {(checked: boolean) => void} change
 *  @returns {HTMLInputElement} */
export function check(place, label, checked, change) {
  const input = h('input', { type: 'checkbox', checked });
  input.addEventListener('change', () => change(input.checked));
  place.append(h('label', { class: 'control' }, input, h('span', {}, label)));
  return input;
}
