/** One of several models, each fetched when it is first chosen; one that does not come is named, and the last stays. */
import { h } from '../../elements/dom.js';
import { button, choice } from './controls.js';
import { wait } from './page.js';

/**
 * @template M
 * @param {HTMLElement} place @param {string} label @param {Record<string, string>} names by value
 * @param {(value: string, tell: (words: string) => void) => Promise<M>} open
 * @param {(model: M, value: string) => unknown} use waited for
 * @returns {Promise<void>} when the first is in use; rejected where that does not come
 */
export async function modelChoice(place, label, names, open, use) {
  /** @type {Record<string, Promise<M>>} */ const opened = {};
  const coming = h('span', { role: 'status' });
  const missing = h('p', { class: 'error', role: 'alert' });
  let used = false;

  /** @param {string} words */
  function tell(words) {
    if (used) coming.textContent = words;
    else wait(words);
  }

  /** @param {string} value @param {{ first?: boolean }} [options] without the first there is no lesson */
  async function choose(value, { first = false } = {}) {
    missing.textContent = '';
    opened[value] ??= open(value, tell);
    try {
      const model = await opened[value];
      if (select.value !== value) return; // another was chosen meanwhile, whose words are shown
      used = true;
      coming.textContent = '';
      await use(model, value);
    } catch (error) {
      delete opened[value];
      coming.textContent = '';
      if (first) throw error;
      missing.textContent = `${error instanceof Error ? error.message : String(error)} `;
      button(missing, 'Try again', () => {
        select.focus(); // the button goes
        void choose(select.value);
      });
    }
  }

  const select = choice(place, label, names, (value) => void choose(value));
  place.append(coming, missing);
  await choose(select.value, { first: true });
}
