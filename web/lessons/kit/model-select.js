/** A drop-down list of models. Each model is loaded when it is first chosen. */
import { h } from '../../elements/dom.js';
import { addButton, addSelect } from './controls.js';
import { showProgress } from './page.js';

/**
 * Adds the list, and opens its first model. If a later model fails to load, the reader sees the reason
 * and can try again. The model before stays in use.
 * @template M
 * @param {HTMLElement} container the list becomes its last child
 * @param {string} label
 * @param {Record<string, string>} options names of the models by value
 * @param {(value: string, onProgress: (message: string) => void) => Promise<M>} open loads a model
 * @param {(model: M, value: string) => unknown} onOpen called with each chosen model; may return a promise
 * @returns {Promise<void>} when the first model is in use
 * @throws the error of `open` for the first model
 */
export async function addModelSelect(container, label, options, open, onOpen) {
  /** @type {Record<string, Promise<M>>} */ const opened = {};
  const status = h('span', { role: 'status' });
  const failure = h('p', { class: 'error', role: 'alert' });
  let used = false;

  /** @param {string} message */
  function onProgress(message) {
    if (used) status.textContent = message;
    else showProgress(message);
  }

  /** @param {string} value @param {{ first?: boolean }} [options] the lesson cannot run without its first model */
  async function choose(value, { first = false } = {}) {
    failure.textContent = '';
    opened[value] ??= open(value, onProgress);
    try {
      const model = await opened[value];
      if (select.value !== value) return; // the reader chose another model meanwhile
      used = true;
      status.textContent = '';
      await onOpen(model, value);
    } catch (error) {
      delete opened[value];
      status.textContent = '';
      if (first) throw error;
      failure.textContent = `${error instanceof Error ? error.message : String(error)} `;
      addButton(failure, 'Try again', () => {
        select.focus(); // this button disappears
        void choose(select.value);
      });
    }
  }

  const select = addSelect(container, label, options, (value) => choose(value));
  container.append(status, failure);
  await choose(select.value, { first: true });
}
