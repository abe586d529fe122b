/** Fits the page to a kind of model: hides what the kind does not have, replaces words, offers another text. */
import { view } from '../view.js';

/**
 * Changes of the page.
 * @typedef {object} Changes
 * @property {(HTMLElement | string)[]} hide elements or selectors
 * @property {[target: string, ...content: (Node | string)[]][]} words selectors of elements, with their new content
 * @property {string} prompt replaces the prompt that the page opens with, unless the user has changed it
 */

/**
 * @param {Changes} changes
 * @returns {() => void} takes the changes back
 */
export function arrange({ hide, words, prompt }) {
  const find = (/** @type {HTMLElement | string} */ target) => {
    const element = typeof target === 'string' ? document.querySelector(target) : target;
    return /** @type {HTMLElement} */ (element);
  };
  const hidden = hide.map(find).filter((element) => !element.hidden);
  // A hidden field must not stop the form.
  const fields = hidden.flatMap((element) => [...element.querySelectorAll('input')])
    .filter(({ disabled }) => !disabled);
  const replaced = words.map(([target]) => /** @type {const} */ ([find(target), [...find(target).childNodes]]));
  for (const element of hidden) element.hidden = true;
  for (const field of fields) field.disabled = true;
  for (const [target, ...content] of words) find(target).replaceChildren(...content);
  if (view.prompt.value === view.prompt.defaultValue) view.prompt.value = prompt;
  return () => {
    for (const element of hidden) element.hidden = false;
    for (const field of fields) field.disabled = false;
    for (const [element, content] of replaced) element.replaceChildren(...content);
    if (view.prompt.value === prompt) view.prompt.value = view.prompt.defaultValue;
  };
}
