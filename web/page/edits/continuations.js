/** Two texts from the same prompt and seed: without and with the changes. */
import { h } from '../../elements/dom.js';
import { pluralize } from '../format.js';
import { describeDifference, showStory } from '../story.js';
import { fieldOf, samplerSettings } from '../view.js';
import { editsOf } from './change.js';
import { firstDifference } from './comparison.js';

/** @typedef {import('./change.js').Change} Change */
/** @typedef {import('../generation.js').Generation} Generation */
/** @typedef {{ ids: number[], texts: string[], complete: boolean }} Written one text for each id */

/** Least milliseconds between two updates of a text. */
const UPDATE_MS = 60;

export class Continuations {
  #texts = { without: h('p', { class: 'story' }), with: h('p', { class: 'story' }) };
  #difference = h('p', { class: 'note' });
  #section;
  /** Prompt and settings of the text without changes. */
  #key = '';
  /** @type {Written} */
  #without = { ids: [], texts: [], complete: false };

  /** @param {HTMLElement} section is hidden until both texts are requested */
  constructor(section) {
    this.#section = section;
    section.append(h('div', {}, h('h3', {}, 'Without the changes'), this.#texts.without),
      h('div', {}, h('h3', {}, 'With the changes'), this.#texts.with), this.#difference);
  }

  /** True once both texts were requested. */
  get open() {
    return !this.#section.hidden;
  }

  /** Removes the texts, because the page has another text. */
  close() {
    this.#section.hidden = true;
    this.#key = '';
  }

  /**
   * Writes both texts. The text without changes is written once for each prompt and settings.
   * @param {Generation} generation
   * @param {readonly Change[]} changes
   * @param {{ signal: AbortSignal, onProgress: (words: string) => void }} options
   * @returns {Promise<string>} the difference as a sentence
   */
  write(generation, changes, { signal, onProgress }) {
    const promptIds = generation.ids.slice(0, generation.promptLength);
    const prompt = generation.tokens.slice(0, generation.promptLength).filter((token) => !isSpecial(token)).join('');
    const settings = { ...samplerSettings(), maxTokens: fieldOf('length').valueAsNumber };
    const key = JSON.stringify([promptIds, settings]);
    const known = key === this.#key && this.#without.complete;
    this.#key = key;
    this.#section.hidden = false;
    this.#difference.textContent = '';
    return generation.borrow(async (model, either) => {
      /** @param {'without' | 'with'} which @param {import('../generation.js').Edit[]} edits */
      const run = async (which, edits) => {
        /** @type {Written} */
        const written = { ids: [], texts: [], complete: false };
        let next = 0;
        showStory(this.#texts[which], prompt, written.texts);
        for await (const { id, text } of model.generate(promptIds, { ...settings, edits, signal: either })) {
          written.ids.push(id);
          written.texts.push(text);
          if (performance.now() < next) continue;
          next = performance.now() + UPDATE_MS;
          showStory(this.#texts[which], prompt, written.texts);
          const count = pluralize(written.ids.length, 'token');
          onProgress(`Writing ${which} the changes: ${count} of ${settings.maxTokens}`);
        }
        either.throwIfAborted();
        written.complete = true;
        return written;
      };
      if (!known) this.#without = await run('without', []);
      const edited = await run('with', editsOf(changes, model.info.contextLength));
      const at = firstDifference(this.#without.ids, edited.ids);
      showStory(this.#texts.without, prompt, this.#without.texts, at);
      showStory(this.#texts.with, prompt, edited.texts, at);
      const sentence = describeDifference(at, [this.#without.texts, 'without'], [edited.texts, 'with the changes']);
      this.#difference.textContent = sentence;
      return sentence;
    }, { signal });
  }
}

/** True for tokens such as <|endoftext|>, which are not part of the text. @param {string} token */
const isSpecial = (token) => /^<.+>$/s.test(token);
