/** `<heed-neurons>`: neurons that write toward a token, with their inputs and outputs. */
import { checkCount, checkNumbers, checkObject, checkTexts, InputError } from '../draw/check.js';
import { cssOf, inkOn } from '../draw/color.js';
import { largestOf } from '../draw/contributions.js';
import { makeDiverging } from '../draw/diverging.js';
import { inkOf } from '../draw/map-export.js';
import { activationsOf, largestActivation, neuronMarks, neuronName, neuronParts, neuronSentence, neuronsToCsv,
  strongestTokens, wordsSentence } from '../draw/neurons.js';
import { formatNumber } from '../draw/sentence.js';
import { tokenLabel } from '../draw/token.js';
import { STYLE } from './attention-map-style.js';
import { choiceAttribute } from './attributes.js';
import { h } from './dom.js';
import { HeedFigure } from './figure.js';
import { PART_STYLE, partCells } from './part-row.js';

/** @typedef {import('../draw/neurons.js').NeuronData} NeuronData */

/** Words that a frame colors. */
const WORDS_A_FRAME = 200;
/** Width of the bars in a saved figure. */
const FILE_BARS = 300;

const CSS = `${STYLE}${PART_STYLE}
  button.part[aria-pressed=true] { background: var(--surface); box-shadow: inset 3px 0 var(--accent); }
  .cut .name, .cut .number { text-decoration: line-through; color: var(--muted); }
  .written { margin: 0; }
  .words {
    margin: 0; padding: 4px 8px; max-height: 16rem; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere;
    border: 1px solid var(--line); border-radius: 4px; line-height: 1.7;
  }
  .words span { padding-block: 2px; border-radius: 2px; }
  .words .after { outline: 2px solid var(--accent); outline-offset: -1px; }
  @media (forced-colors: active) { .words span { forced-color-adjust: none; } }
`;

/** @param {any} given @returns {NeuronData} a copy */
function checkNeurons(given) {
  const { layer, data, axes, activations, tokens, raised, lowered, token, after, cut = [] } =
    checkObject(given, 'data', '{ layer, data, axes, activations, tokens }');
  const { neuron } = checkObject(axes, 'data.axes', '{ neuron }');
  checkCount(layer, 'data.layer');
  if (!Array.isArray(neuron) || neuron.length === 0) throw new InputError('data.axes.neuron must list neurons.');
  for (const each of [neuron, cut]) {
    if (!Array.isArray(each)) throw new InputError('data.cut must be an Array of numbers of neurons.');
    each.forEach((number) => checkCount(number, 'the number of a neuron'));
  }
  const texts = checkTexts(tokens, 'data.tokens');
  checkNumbers(data, 'data.data', [['neurons', neuron.length]]);
  checkNumbers(activations, 'data.activations', [['neurons', neuron.length], ['tokens', texts.length]]);
  if (token !== undefined && typeof token !== 'string') throw new InputError('data.token must be a string.');
  if (after !== undefined && (typeof after?.token !== 'string' || !Number.isInteger(after.at))) {
    throw new InputError('data.after must be { token, at }: a text and its position.');
  }
  const words = (/** @type {unknown} */ list, /** @type {string} */ name) => {
    const checked = list === undefined ? [] : checkTexts(list, name);
    if (checked.length % neuron.length === 0) return checked;
    throw new InputError(`${name} must have as many words for each of ${neuron.length} neurons.`);
  };
  return { layer, data: new Float32Array(data), axes: { neuron: [...neuron] },
    activations: new Float32Array(activations), tokens: texts, token, after: after && { ...after }, cut: [...cut],
    raised: words(raised, 'data.raised'), lowered: words(lowered, 'data.lowered') };
}

/**
 * `<heed-neurons>`: neurons of a layer that write toward a token. The selected neuron shows its activations as colors
 * of the words, and the tokens whose logits it raises and lowers.
 *
 *     neurons.data = { layer, data, axes: { neuron }, activations, tokens, token: ' Lily' };
 *
 * Attributes: `editable`, `name`. Invalid input never throws: the element shows a sentence and fires `heed-error`.
 *
 * @fires heed-neuron `{ layer, neuron }` a neuron was selected
 * @fires heed-neuron-cut `{ layer, neuron }` the button that cuts or restores a neuron was pressed
 * @fires heed-error `{ input, error }` an input was refused
 * @throws {never} invalid input does not throw: it fires `heed-error`
 */
export class HeedNeurons extends HeedFigure {
  static attributeReaders = {
    editable: choiceAttribute('editable', 'editable', { true: true, false: false }, false),
  };

  /** @type {NeuronData | null} */
  #data = null;
  /** Index of the selected neuron. */
  #selected = 0;
  #editable = false;
  #color = makeDiverging([255, 255, 255]);
  /** The frame that colors the next words. */
  #frame = 0;

  #output = h('output', { 'aria-live': 'polite' });
  #list = h('ul', { 'aria-label': 'Neurons' });
  #written = h('p', { class: 'written' });
  #words = h('p', { class: 'words', tabindex: 0, role: 'region', 'aria-label': 'The text, colored by activation' });
  #cut = h('button', { type: 'button' });
  #table = h('div', { class: 'scroller', tabindex: 0, role: 'region', 'aria-label': 'Activations as a table' });

  constructor() {
    super(CSS);
    this.root.append(h('figure', {},
      h('div', { class: 'parts' }, this.#list),
      h('div', { class: 'top' }, this.#output, this.#cut),
      this.#written, this.#words,
      h('div', { class: 'more' },
        h('details', {}, h('summary', {}, 'Activations as a table'), this.#table),
        this.menu({ subject: 'neurons', fileName: () => 'neurons' }))));
    this.#cut.addEventListener('click', () => {
      const data = /** @type {NeuronData} */ (this.#data);
      this.emit('heed-neuron-cut', { layer: data.layer, neuron: data.axes.neuron[this.#selected] });
    });
  }

  /**
   * Replaces the neurons. The element copies them. A selected neuron stays selected if it is among them.
   * @param {NeuronData} data
   */
  set data(data) {
    this.accept('data', () => {
      const before = this.selected;
      this.#data = checkNeurons(data);
      const { layer, axes } = this.#data;
      this.#selected = Math.max(0, before?.layer === layer ? axes.neuron.indexOf(before.neuron) : 0);
      this.invalidate();
    });
  }

  /** The selected neuron, or null without data. */
  get selected() {
    return this.#data && { layer: this.#data.layer, neuron: this.#data.axes.neuron[this.#selected] };
  }

  /**
   * Selects a neuron of the list. Fires no event.
   * @param {number} neuron its number
   * @throws {never} invalid input fires `heed-error`
   */
  select(neuron) {
    this.accept('neuron', () => {
      const at = this.#data?.axes.neuron.indexOf(neuron) ?? -1;
      if (at < 0) throw new InputError(`neuron ${String(neuron)} is not in the list.`);
      this.#selected = at;
      this.invalidate();
    });
  }

  /** Whether a button offers to cut the selected neuron. */
  get editable() {
    return this.#editable;
  }

  set editable(editable) {
    this.#editable = Boolean(editable);
    this.invalidate();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    cancelAnimationFrame(this.#frame);
  }

  themeChanged() {
    this.#color = makeDiverging(this.colors().paper);
  }

  redraw() {
    const data = this.#data;
    this.#cut.hidden = !data || !this.#editable;
    if (!data) return;
    const at = this.#selected;
    const focused = [...this.#list.querySelectorAll('button')].indexOf(
      /** @type {HTMLButtonElement} */ (this.root.activeElement));
    const parts = neuronParts(data);
    const most = largestOf(parts);
    this.#list.replaceChildren(...parts.map((part, i) => {
      const isCut = data.cut?.includes(data.axes.neuron[i]);
      const row = h('button', { type: 'button', class: isCut ? 'part cut' : 'part', 'aria-pressed': String(i === at) },
        ...partCells(isCut ? { ...part, name: `${part.name}, cut` } : part, most, this.#color));
      row.addEventListener('click', () => {
        this.#selected = i;
        this.emit('heed-neuron', { layer: data.layer, neuron: data.axes.neuron[i] });
        this.invalidate();
      });
      return h('li', {}, row);
    }));
    if (focused >= 0) this.#list.querySelectorAll('button')[focused]?.focus();
    const said = neuronSentence(data, at);
    if (this.#output.textContent !== said) this.#output.textContent = said;
    this.#written.textContent = wordsSentence(data, at);
    const name = neuronName(data, at).toLowerCase();
    this.#cut.textContent = `${data.cut?.includes(data.axes.neuron[at]) ? 'Restore' : 'Cut'} ${name}`;
    this.#colorWords(data);
    this.#fillTable(data);
  }

  /** Colors the words by the activations of the selected neuron, a part of a long text in each frame.
   *  @param {NeuronData} data */
  #colorWords(data) {
    const { tokens } = data;
    const activations = activationsOf(data, this.#selected);
    const most = largestActivation(activations);
    while (this.#words.children.length > tokens.length) this.#words.lastChild?.remove();
    /** @param {number} from */
    const color = (from) => {
      const end = Math.min(tokens.length, from + WORDS_A_FRAME);
      for (let at = from; at < end; at++) {
        const word = /** @type {HTMLElement} */ (this.#words.children[at] ?? this.#words.appendChild(h('span')));
        const rgb = this.#color(activations[at] / most);
        const text = tokens[at].replace(/\n/g, '⏎\n');
        if (word.textContent !== text) word.textContent = text;
        word.title = `${at}: ${formatNumber(activations[at])}`;
        word.classList.toggle('after', at === data.after?.at);
        word.style.background = cssOf(rgb);
        word.style.color = inkOn(rgb);
      }
      this.#frame = end < tokens.length ? requestAnimationFrame(() => color(end)) : 0;
    };
    cancelAnimationFrame(this.#frame);
    color(0);
  }

  /** @param {NeuronData} data */
  #fillTable(data) {
    const rows = strongestTokens(data, this.#selected).map(({ at, activation }) => h('tr', {},
      h('th', { scope: 'row' }, tokenLabel(data.tokens[at], 40)), h('td', {}, String(at)),
      h('td', {}, formatNumber(activation))));
    this.#table.replaceChildren(h('table', {},
      h('caption', {}, 'Tokens with the largest activations. The CSV file has all of them.'),
      h('thead', {}, h('tr', {},
        ...['token', 'position', 'activation'].map((text) => h('th', { scope: 'col' }, text)))),
      h('tbody', {}, ...rows)));
  }

  /**
   * Pictures have the bars, and the colored words of the selected neuron.
   * @protected
   * @returns {import('./figure.js').FigureContent | null}
   */
  content() {
    const data = this.#data;
    return data && { title: neuronSentence(data, this.#selected), csv: () => neuronsToCsv(data),
      json: () => ({ ...data, data: [...data.data], activations: [...data.activations] }),
      picture: ({ options: { fontSize }, palette }) => neuronMarks(data, this.#selected, { fontSize, bars: FILE_BARS,
        ink: inkOf(palette), color: makeDiverging(palette.paper) }) };
  }
}
