/** What the lessons of translators share: a model from its file, a date that the reader writes, and where it looked. */
import '../../elements/index.js';
import { HeedError } from '../../../js/errors.js';
import { h } from '../../elements/dom.js';
import { pair } from '../../../js/train/tasks/dates.js';
import { openModel } from '../../../js/train/models/index.js';
import { RemoteTranslator } from '../../../js/train/translator-remote.js';
import { tokenLabel } from '../../draw/token.js';
import { button, slider, turn } from './controls.js';
import { fetchModel } from './fetch-model.js';
import { Matrix } from './matrix-table.js';
import { short } from './format.js';
import { $, say, wait } from './page.js';

/** @typedef {import('../../../js/train/models/translation.js').Translation} Translation */
/** A model whose weights are in the page's lab, for the steps that it opens, and which translates in a Worker.
 *  @typedef {import('../../../js/train/models/index.js').TrainedModel & Pick<RemoteTranslator, 'translate'>} Model */
/** @typedef {import('../../elements/attention-map.js').HeedAttentionMap} AttentionMap */

/**
 * What a reader may write, for a model to translate.
 * @typedef {object} Asked
 * @property {string} label
 * @property {string[]} examples  the first is there at the beginning
 * @property {() => string} [another]  one that the model never saw
 * @property {number} longest     symbols, which is more than any such text needs
 */

/** @type {Asked} */
const DATES = {
  label: 'A date, as people write it',
  examples: ['saturday, july 12th, 2008', 'the 3rd of may 1979', '10/09/2014', '8-dec-1907', '2044 feb 07',
    'thursday, june 21st, 2096'],
  another: () => pair(Math.random, true).source,
  longest: 48,
};

/** @typedef {import('../../elements/attention-map.js').AttentionMapData} MapData */

/** What was read, from what is written, in a model that has one map for it. @param {Translation} translation
 *  @returns {MapData} */
export function across(translation) {
  const { layer, head, ...map } = translation.attention({ layer: 0, head: 0 });
  return map;
}

/** @param {import('../../../js/lab/index.js').Lab} l @param {string} name of a file in models/
 *  @param {(words: string) => void} [tell] how it comes @returns {Promise<Model>} */
export async function openModelOf(l, name, tell = wait) {
  const file = await fetchModel(name, tell);
  tell(`Opening the model ${name}.`);
  const [model, translator] = await Promise.all([openModel(l, file), RemoteTranslator.open(file)]);
  return { ...model, translate: (text, options) => translator.translate(text, options) };
}

/** Until a reader wants to know why the translation does not come. */
const PATIENCE_MS = 200;

/**
 * A field for a date, or for what else a model translates, and examples, in #date; the translation with its probability
 * and what is wrong with a text, in words; the alignment in #map.
 */
export class Dates {
  #input = h('input', { type: 'text', id: 'written', autocomplete: 'off', spellcheck: 'false' });
  #wrong = h('span', { class: 'error', role: 'alert' });
  #busy = h('span', { class: 'waiting', role: 'status' });
  #map = /** @type {AttentionMap} */ ($('map'));
  /** Which of its maps is shown. @type {(translation: Translation) => MapData} */
  #view = across;
  /** @type {Model | null} */ #model = null;
  #label = h('label', { for: 'written' });
  #examples = h('div', { class: 'controls', role: 'group', 'aria-label': 'Examples' });
  /** @type {Asked | null} */ #asked = null;
  /** What was translated last. */
  #shown = '';
  /** @type {Translation | null} */ #translation = null;
  /** Beginnings that are followed at once. */
  #beam = 1;
  /** Translations asked for so far: what comes of an older one is nobody's any more. */
  #asks = 0;
  /** @type {(translation: Translation, text: string) => unknown} */ #change;

  /**
   * @param {(translation: Translation, text: string) => unknown} change called with every new one, and what it is of;
   *   waited for
   * @param {(query: number) => void} point called with the row that the reader points at
   */
  constructor(change, point) {
    this.#change = change;
    this.#input.addEventListener('input', () => void this.translate());
    $('date').append(this.#label, this.#input, this.#examples, h('p', { class: 'told' }, this.#busy, this.#wrong));
    this.#map.addEventListener('heed-map-cell', (event) => {
      const { cell } = /** @type {CustomEvent} */ (event).detail;
      if (cell) point(cell.query);
    });
  }

  /** Another of its maps is shown, by the view that it was given. */
  look() {
    if (this.#translation) this.#map.data = this.#view(this.#translation);
  }

  /** @param {number} beam how many beginnings are followed at once from now on */
  follow(beam) {
    this.#beam = beam;
    void this.translate();
  }

  /** @param {Model} model that translates from now on @param {Asked} [asked] what is to be written for it
   *  @param {(translation: Translation) => MapData} [view] which of its maps is shown, where it has several
   *  @returns {Promise<void>} when what is written there is translated */
  use(model, asked = DATES, view = across) {
    this.#model = model;
    this.#view = view;
    if (asked !== this.#asked) this.#ask(asked);
    return this.translate();
  }

  /** @param {Asked} asked from now on */
  #ask(asked) {
    const { label, examples: [first, ...others], another } = asked;
    this.#asked = asked;
    this.#translation = null; // that of another task
    this.#shown = '';
    this.#label.textContent = label;
    this.#input.value = first;
    this.#examples.replaceChildren();
    for (const text of others) button(this.#examples, text, () => this.#write(text));
    if (another) button(this.#examples, 'one that it never saw', () => this.#write(another()));
  }

  /** @param {string} text */
  #write(text) {
    this.#input.value = text;
    void this.translate();
  }

  /** What is written, by the model there is; where another text is written meanwhile, nothing comes of it. */
  async translate() {
    if (!this.#model || !this.#asked) return;
    const mine = ++this.#asks;
    const { longest } = this.#asked;
    const written = this.#input.value;
    this.#wrong.textContent = '';
    const slow = setTimeout(() => { this.#busy.textContent = `Translating ‘${written}’.`; }, PATIENCE_MS);
    try {
      const symbols = [...written].length;
      if (symbols > longest) {
        throw new HeedError('too-large', `This model reads up to ${longest} symbols; there are ${symbols}.`);
      }
      const read = written.toLowerCase();
      const translation = await this.#model.translate(read, { beam: this.#beam });
      if (mine !== this.#asks) return;
      this.#shown = written;
      this.#translation = translation;
      this.look();
      say({ translation: translation.text, probability: short(Math.exp(translation.logprob), 4) });
      await this.#change(translation, read);
    } catch (error) {
      if (mine !== this.#asks) return;
      const still = this.#shown && ` What is shown is ‘${this.#shown}’.`;
      this.#wrong.textContent = (error instanceof Error ? error.message : String(error)) + still;
      if (!(error instanceof HeedError)) throw error;
    } finally {
      clearTimeout(slow);
      if (mine === this.#asks) this.#busy.textContent = '';
    }
  }
}

/** What was computed to write one symbol: a score and a weight for each that was read.
 *  @typedef {{ scores: ArrayLike<number>, weights: ArrayLike<number> }} Step */

/**
 * Dates with one step of the translation opened: a slider in #controls for the symbol that is written, which follows
 * the row of the map that the reader points at; its scores and weights in #step.
 */
export class DateSteps extends Dates {
  #control;
  #scores;
  #weights;
  #step;
  /** @type {Translation | null} */ #translation = null;
  /** The symbol whose step is opened, from 0. */
  #at = 0;

  /**
   * @param {{ caption: string, row: string, longest: number }} scores what they are called; symbols there are at most
   * @param {(translation: Translation, i: number) => Step} step takes it once more
   */
  constructor({ caption, row, longest }, step) {
    super((translation) => this.#translated(translation), (query) => query !== this.#at && this.#open(query));
    this.#step = step;
    this.#scores = new Matrix($('step'), { caption, axes: ['', 'input'], rows: [row], digits: 1, shade: 'signed',
      tight: true });
    this.#weights = new Matrix($('step'), { caption: 'α, their softmax', axes: ['', 'input'], rows: ['α'], digits: 2,
      shade: 'weight', max: 1, tight: true });
    this.#control = slider($('controls'), { label: 'i, the symbol written', min: 1, max: longest, step: 1,
      value: 1 }, (value) => {
      this.#at = value - 1;
      this.#show();
    });
  }

  /** @param {Translation} translation */
  #translated(translation) {
    this.#translation = translation;
    const last = translation.ids.length - 1;
    this.#control.max = String(last + 1);
    this.#open(Math.min(this.#at, last));
  }

  /** @param {number} at the symbol, from 0 */
  #open(at) {
    this.#at = at;
    turn(this.#control, at + 1);
    this.#show();
  }

  #show() {
    if (!this.#translation) return;
    const { scores, weights } = this.#step(this.#translation, this.#at);
    const columns = this.#translation.source.map((symbol) => tokenLabel(symbol));
    this.#scores.show(scores, { columns });
    this.#weights.show(weights, { columns });
    for (const row of [this.#scores, this.#weights]) row.reveal(largest(weights));
  }
}

/** What of a matrix's row is largest. @param {ArrayLike<number>} row */
export const largest = (row) => Array.from(row).reduce((best, value, at) => (value > row[best] ? at : best), 0);
