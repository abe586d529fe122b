/** One prompt, continued by the model before and after its training. */
import { h } from '../../elements/dom.js';
import { firstDifference } from '../edits/comparison.js';
import { describeDifference, showStory } from '../story.js';

/** @typedef {import('../../../js/index.js').Model} Model */
/** Calls a model when it is free. The signal aborts when another call takes the model.
 *  @typedef {<T>(work: (model: Model, signal: AbortSignal) => Promise<T>) => Promise<T>} Borrow */

/** Tokens of a continuation. */
const LENGTH = 40;
/** Always the likeliest token, without a repeat penalty. */
const GREEDY = { temperature: 0, repeatPenalty: 1, maxTokens: LENGTH };
/** Least milliseconds between two updates of a text. */
const UPDATE_MS = 60;

export class Comparison {
  #before = h('p', { class: 'story' });
  #after = h('p', { class: 'story' });
  #difference = h('p', { class: 'note' });
  element = h('div', { class: 'both' }, h('div', {}, h('h3', {}, 'Before'), this.#before),
    h('div', {}, h('h3', {}, 'After'), this.#after), this.#difference);

  /**
   * Continues a prompt with both models, one after the other.
   * @param {string} prompt
   * @param {{ before: Borrow, after: Borrow }} models
   * @returns {Promise<string>} the difference as a sentence
   */
  async write(prompt, { before, after }) {
    this.#difference.textContent = '';
    this.#after.textContent = '';
    const one = await before((model, signal) => continued(model, prompt, this.#before, signal));
    const other = await after((model, signal) => continued(model, prompt, this.#after, signal));
    const at = firstDifference(one.ids, other.ids);
    showStory(this.#before, prompt, one.texts, at);
    showStory(this.#after, prompt, other.texts, at);
    const sentence = describeDifference(at, [one.texts, 'before'], [other.texts, 'after the training']);
    this.#difference.textContent = sentence;
    return sentence;
  }
}

/**
 * @param {Model} model @param {string} prompt @param {HTMLElement} element @param {AbortSignal} signal
 * @returns {Promise<{ ids: number[], texts: string[] }>}
 */
async function continued(model, prompt, element, signal) {
  const ids = [];
  const texts = [];
  let next = 0;
  showStory(element, prompt, []);
  for await (const { id, text } of model.generate(prompt, { ...GREEDY, signal })) {
    ids.push(id);
    texts.push(text);
    if (performance.now() < next) continue;
    next = performance.now() + UPDATE_MS;
    showStory(element, prompt, texts);
  }
  signal.throwIfAborted();
  return { ids, texts };
}
