/** What the lessons of translators share: a model from its file, a date that the reader writes, and where it looked. */
import '../../elements/index.js';
import { h } from '../../elements/base.js';
import { pair } from '../../../js/train/tasks/dates.js';
import { openTranslator } from '../../../js/train/models/index.js';
import { button } from './controls.js';
import { short } from './numbers.js';
import { $, say } from './page.js';

/** @typedef {import('../../../js/train/models/rnn-seq2seq.js').Translation} Translation */
/** @typedef {import('../../../js/train/models/index.js').TrainedModel &
 *   import('../../../js/train/models/index.js').Translator} Model */
/** @typedef {import('../../elements/attention-map.js').HeedAttentionMap} AttentionMap */

const FIRST = 'saturday, july 12th, 2008';
const EXAMPLES = ['the 3rd of may 1979', '10/09/2014', '8-dec-1907', '2044 feb 07', 'thursday, june 21st, 2096'];
/** Symbols that the field takes, which is more than any date needs. */
const LONGEST = 48;

/** @param {import('../../../js/lab/index.js').Lab} l @param {string} name of a file in models/
 *  @returns {Promise<Model>} */
export async function openModelOf(l, name) {
  const response = await fetch(new URL(`../models/${name}.safetensors`, location.href));
  if (!response.ok) {
    throw new Error(`The model ${name} is not here (${response.status}). It comes with the page when ` +
      `models/${name}.safetensors is there: heed train ${name} makes it.`);
  }
  return openTranslator(l, new Uint8Array(await response.arrayBuffer()));
}

/**
 * A field for a date and examples, in #date; the translation with its probability and what is wrong with a date, in the
 * text; the alignment in #map.
 */
export class Dates {
  #input = h('input', { type: 'text', id: 'written', maxlength: LONGEST, autocomplete: 'off', spellcheck: 'false' });
  #wrong = h('p', { class: 'error', role: 'alert' });
  #map = /** @type {AttentionMap} */ ($('map'));
  /** Which of its maps are shown, where a model has several. @type {{ layer: number, head: number } | null} */
  #place = null;
  /** @type {Model | null} */ #model = null;
  /** @type {(translation: Translation) => void} */ #change;

  /**
   * @param {(translation: Translation) => void} change called with every new one
   * @param {(query: number) => void} point called with the row that the reader points at
   */
  constructor(change, point) {
    this.#change = change;
    this.#input.value = FIRST;
    this.#input.addEventListener('input', () => this.translate());
    const examples = h('div', { class: 'controls', role: 'group', 'aria-label': 'Examples' });
    for (const text of EXAMPLES) button(examples, text, () => this.#write(text));
    button(examples, 'one that it never saw', () => this.#write(pair(Math.random, true).source));
    $('date').append(h('label', { for: 'written' }, 'A date, as people write it'), this.#input, examples, this.#wrong);
    this.#map.addEventListener('heed-map-cell', (event) => {
      const { cell } = /** @type {CustomEvent} */ (event).detail;
      if (cell) point(cell.query);
    });
  }

  /** @param {number} layer @param {number} head whose map is shown from now on */
  look(layer, head) {
    this.#place = { layer, head };
    this.translate();
  }

  /** @param {Model} model that translates from now on */
  use(model) {
    this.#model = model;
    this.translate();
  }

  /** @param {string} text */
  #write(text) {
    this.#input.value = text;
    this.translate();
  }

  translate() {
    if (!this.#model) return;
    this.#wrong.textContent = '';
    try {
      const translation = this.#model.translate(this.#input.value.toLowerCase());
      const { source, target, text, logprob, pattern } = translation;
      const { layer, head } = this.#place ?? { layer: 0, head: 0 };
      const { data, queries, keys } = pattern[layer];
      this.#map.data = { data: data.subarray(head * queries * keys, (head + 1) * queries * keys), queries, keys,
        firstQuery: 0, tokens: source, queryTokens: target, ...this.#place };
      say({ translation: text, probability: short(Math.exp(logprob), 4) });
      this.#change(translation);
    } catch (error) {
      this.#wrong.textContent = error instanceof Error ? error.message : String(error);
    }
  }
}

/** What of a matrix's row is largest. @param {ArrayLike<number>} row */
export const largest = (row) => Array.from(row).reduce((best, value, at) => (value > row[best] ? at : best), 0);
