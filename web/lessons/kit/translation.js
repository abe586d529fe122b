/** Figures of the lessons on translation: an input field, the translation, its attention map, and one decoder step. */
import '../../elements/define/attention-map.js';
import { HeedError } from '../../../js/errors.js';
import { openModel } from '../../../js/train/models/index.js';
import { pair } from '../../../js/train/tasks/dates.js';
import { RemoteTranslator } from '../../../js/train/translator-remote.js';
import { tokenLabel } from '../../draw/token.js';
import { h } from '../../elements/dom.js';
import { addButton, addSlider, setSlider } from './controls.js';
import { fetchModel } from './fetch-model.js';
import { trimmed } from './format.js';
import { MatrixTable } from './matrix-table.js';
import { argmax } from './numbers.js';
import { showProgress, showValues } from './page.js';
import { track } from './redraw.js';

/** @typedef {import('../../../js/train/models/translation.js').Translation} Translation */
/** The weights are in the lab of the page, for single steps; whole texts are translated in a Worker.
 *  @typedef {import('../../../js/train/models/index.js').TrainedModel & Pick<RemoteTranslator, 'translate'>} Model */
/** @typedef {import('../../elements/attention-map.js').HeedAttentionMap} AttentionMap */
/** @typedef {import('../../elements/attention-map.js').AttentionMapData} MapData */

/**
 * The texts that a model translates.
 * @typedef {object} Input
 * @property {string} label
 * @property {string[]} examples  the first is translated at once, the others are buttons
 * @property {() => string} [unseen]  a text that was not in the training data
 * @property {number} longest     symbols of the longest text that is accepted
 */

/** @type {Input} */
const DATES = {
  label: 'A date, as people write it',
  examples: ['saturday, july 12th, 2008', 'the 3rd of may 1979', '10/09/2014', '8-dec-1907', '2044 feb 07',
    'thursday, june 21st, 2096'],
  unseen: () => pair(Math.random, true).source,
  longest: 48,
};

/** The only head of a recurrent model. @returns {import('./cuts.js').At} */
export const ONLY_HEAD = () => ({ of: 'decoder.cross_attn', layer: 0, head: 0 });

/**
 * The only cross-attention map of a recurrent model.
 * @param {Translation} translation
 * @returns {MapData}
 */
export function crossAttention(translation) {
  const { layer, head, ...map } = translation.attention({ layer: 0, head: 0 });
  return map;
}

/**
 * Loads a translation model and starts its Worker.
 * @param {import('../../../js/lab/index.js').Lab} l
 * @param {string} name of a file in models/, without .safetensors
 * @param {(message: string) => void} [onProgress] called with a sentence for the reader
 * @returns {Promise<Model>}
 * @throws {HeedError} 'unavailable' if the file cannot be loaded
 */
export async function openTranslator(l, name, onProgress = showProgress) {
  const file = await fetchModel(name, onProgress);
  onProgress(`Opening the model ${name}.`);
  const [model, translator] = await Promise.all([openModel(l, file), RemoteTranslator.open(file)]);
  return { ...model, translate: (text, options) => translator.translate(text, options) };
}

/** A translation that takes longer shows that it is running. */
const BUSY_DELAY_MS = 200;

/**
 * An input field with examples, its translation, and the attention map of the translation. It fills
 * `<output data-value="translation">` and `<output data-value="probability">`, which the page must have.
 */
export class TranslationField {
  #input = h('input', { type: 'text', id: 'written', name: 'text', autocomplete: 'off',
    spellcheck: 'false' });
  #error = h('span', { class: 'error', role: 'alert' });
  #busy = h('span', { class: 'waiting', role: 'status' });
  #map;
  /** Chooses the map to show. @type {(translation: Translation) => MapData} */
  #view = crossAttention;
  /** @type {Model | null} */ #model = null;
  #label = h('label', { for: 'written' });
  #examples = h('div', { class: 'controls', role: 'group', 'aria-label': 'Examples' });
  /** @type {Input | null} */ #asked = null;
  /** The text whose translation is on screen. */
  #shown = '';
  /** @type {Translation | null} */ #translation = null;
  /** Partial translations that the search continues at once. */
  #beam = 1;
  /** Called with each new translation, after the first listener. @type {(() => unknown)[]} */
  #listeners = [];
  /** Number of translations requested; the results of older requests are ignored. */
  #requests = 0;
  #onTranslate;

  /**
   * @param {HTMLElement} container the field, the examples and the errors become its last children
   * @param {AttentionMap} map shows the attention of the translation
   * @param {object} events
   * @param {(translation: Translation, text: string) => unknown} events.onTranslate called with each new translation
   *   and its lower-case input; may return a promise
   * @param {(query: number) => void} [events.onRow] called with the map row under the pointer or the cursor
   */
  constructor(container, map, { onTranslate, onRow }) {
    this.#map = map;
    this.#onTranslate = onTranslate;
    this.#input.addEventListener('input', () => track(this.translate()));
    container.append(this.#label, this.#input, this.#examples,
      h('p', { class: 'told' }, this.#busy, this.#error));
    map.addEventListener('heed-map-cell', (event) => {
      const { cell } = /** @type {CustomEvent} */ (event).detail;
      if (cell) onRow?.(cell.query);
    });
  }

  /** @param {() => unknown} listener called after each new translation; may return a promise */
  onTranslation(listener) {
    this.#listeners.push(listener);
  }

  /** The translation on screen. @returns {Translation | null} */
  get translation() {
    return this.#translation;
  }

  /**
   * Translates the text on screen with other options. A newer text supersedes it.
   * @param {import('../../../js/train/models/index.js').TranslateOptions} options
   * @returns {Promise<Translation | null>} null if a newer text came first
   */
  async again(options) {
    try {
      return await this.#model?.translate(this.#shown.toLowerCase(), { beam: this.#beam, ...options }) ?? null;
    } catch (error) {
      if (error instanceof HeedError && error.code === 'superseded') return null;
      throw error;
    }
  }

  /** Shows the map again, after the view that setModel() was given has changed. */
  redrawMap() {
    if (this.#translation) this.#map.data = this.#view(this.#translation);
  }

  /** @param {number} beam width of the beam search; 1 is greedy @returns {Promise<void>} when the text is translated */
  setBeam(beam) {
    this.#beam = beam;
    return this.translate();
  }

  /**
   * @param {Model} model translates from now on
   * @param {Input} [input] the texts that it translates; default dates
   * @param {(translation: Translation) => MapData} [view] chooses the map to show; default: the only map
   * @returns {Promise<void>} when the text in the field is translated
   */
  setModel(model, input = DATES, view = crossAttention) {
    this.#model = model;
    this.#view = view;
    if (input !== this.#asked) this.#setInput(input);
    return this.translate();
  }

  /** @param {Input} asked */
  #setInput(asked) {
    const { label, examples: [first, ...others], unseen } = asked;
    this.#asked = asked;
    this.#translation = null; // it belongs to another task
    this.#shown = '';
    this.#label.textContent = label;
    this.#input.value = first;
    this.#examples.replaceChildren();
    for (const text of others) addButton(this.#examples, text, () => this.#write(text));
    if (unseen) addButton(this.#examples, 'an unseen date', () => this.#write(unseen()));
  }

  /** @param {string} text */
  #write(text) {
    this.#input.value = text;
    track(this.translate());
  }

  /** Translates the text in the field. A newer request replaces this one. */
  async translate() {
    if (!this.#model || !this.#asked) return;
    const mine = ++this.#requests;
    const { longest } = this.#asked;
    const text = this.#input.value;
    this.#error.textContent = '';
    const slow = setTimeout(() => { this.#busy.textContent = `Translating ‘${text}’.`; }, BUSY_DELAY_MS);
    try {
      const symbols = [...text].length;
      if (symbols > longest) {
        throw new HeedError('too-large', `This model reads up to ${longest} symbols; there are ${symbols}.`);
      }
      const read = text.toLowerCase();
      const translation = await this.#model.translate(read, { beam: this.#beam });
      if (mine !== this.#requests) return;
      this.#shown = text;
      this.#translation = translation;
      this.redrawMap();
      showValues({ translation: translation.text, probability: trimmed(Math.exp(translation.logprob), 4) });
      await this.#onTranslate(translation, read);
      for (const listener of this.#listeners) await listener();
    } catch (error) {
      if (mine !== this.#requests) return;
      const shown = this.#shown && ` The figure still shows ‘${this.#shown}’.`;
      this.#error.textContent = (error instanceof Error ? error.message : String(error)) + shown;
      if (!(error instanceof HeedError)) throw error;
    } finally {
      clearTimeout(slow);
      if (mine === this.#requests) this.#busy.textContent = '';
    }
  }
}

/** The attention of one decoder step: a score and a weight for each input symbol.
 *  @typedef {{ scores: ArrayLike<number>, weights: ArrayLike<number> }} Step */

/**
 * A TranslationField and one step of its decoder. A slider chooses the written symbol; tables show the scores and the
 * weights of its step. The slider follows the row of the map that the reader points at.
 */
export class TranslationSteps extends TranslationField {
  #slider;
  #scores;
  #weights;
  #step;
  /** @type {Translation | null} */ #steps = null;
  /** Index of the written symbol. */
  #index = 0;

  /**
   * @param {object} places
   * @param {HTMLElement} places.field     the field, the examples and the errors become its last children
   * @param {AttentionMap} places.map      shows the attention of the translation
   * @param {HTMLElement} places.controls  the slider becomes its last child
   * @param {HTMLElement} places.step      the tables become its last children
   * @param {{ caption: string, row: string, longest: number }} scores caption and row label of the table of scores;
   *   longest: symbols of the longest output
   * @param {(translation: Translation, i: number) => Step} step computes the attention of written symbol i
   */
  constructor(places, { caption, row, longest }, step) {
    super(places.field, places.map, {
      onTranslate: (translation) => this.#translated(translation),
      onRow: (query) => query !== this.#index && this.#open(query),
    });
    this.#step = step;
    this.#scores = new MatrixTable(places.step, { caption, axes: ['', 'input'], rows: [row], digits: 1, shade: 'signed',
      compact: true });
    this.#weights = new MatrixTable(places.step, { caption: 'α, their softmax', axes: ['', 'input'], rows: ['α'],
      digits: 2, shade: 'weight', max: 1, compact: true });
    this.#slider = addSlider(places.controls, { label: 'i, the symbol written', min: 1, max: longest, step: 1,
      value: 1 }, (value) => {
      this.#index = value - 1;
      this.#update();
    });
  }

  /** @param {Translation} translation */
  #translated(translation) {
    this.#steps = translation;
    const last = translation.ids.length - 1;
    this.#slider.max = String(last + 1);
    this.#open(Math.min(this.#index, last));
  }

  /** @param {number} index of the written symbol */
  #open(index) {
    this.#index = index;
    setSlider(this.#slider, index + 1);
    this.#update();
  }

  #update() {
    if (!this.#steps) return;
    const { scores, weights } = this.#step(this.#steps, this.#index);
    const columns = this.#steps.source.map((symbol) => tokenLabel(symbol));
    this.#scores.update(scores, { columns });
    this.#weights.update(weights, { columns });
    for (const row of [this.#scores, this.#weights]) row.scrollToColumn(argmax(weights));
  }
}

