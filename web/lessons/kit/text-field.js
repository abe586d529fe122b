/** A field for a text of the reader, with examples beside it. */
import { addButton } from './controls.js';
import { grouped } from './format.js';
import { track } from './redraw.js';

/**
 * Why a text cannot be used.
 * @param {string} text
 * @param {number} longest most characters
 * @param {string} noun what the reader writes: text, sentence
 * @returns {string} a sentence; empty if the text is accepted
 */
export function lengthProblem(text, longest, noun) {
  const characters = [...text].length;
  if (characters === 0) return 'Write at least one character.';
  return characters <= longest ? ''
    : `The ${noun} has ${grouped(characters)} characters; the maximum is ${longest}.`;
}

/**
 * Writes the first example into a field, and calls `show` after each change of the reader.
 * @param {HTMLInputElement} field
 * @param {HTMLElement} buttons gets a button for each other example
 * @param {readonly string[]} examples
 * @param {() => unknown} show may return a promise
 */
export function connectField(field, buttons, [first, ...others], show) {
  field.value = first;
  field.addEventListener('input', () => void track(show()));
  for (const text of others) {
    addButton(buttons, text, () => {
      field.value = text;
      void track(show());
    });
  }
}
