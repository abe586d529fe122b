/** `<heed-token-loss>`: a text whose tokens have the color of their loss. */
import { checkNumbers, checkObject, checkTexts, InputError } from '../draw/check.js';
import { paletteFor } from '../draw/color.js';
import { colorBar, withColorBar } from '../draw/color-bar.js';
import { makeDivergingPalette } from '../draw/diverging.js';
import { inkOf } from '../draw/map-export.js';
import { lossColor, lossSentence, lossShading, lossToCsv, textSentence } from '../draw/token-loss.js';
import { tokenMarks } from '../draw/token-marks.js';
import { STYLE } from './attention-map-style.js';
import { textAttribute } from './attributes.js';
import { h } from './dom.js';
import { HeedFigure } from './figure.js';
import { Legend } from './legend.js';
import { TOKEN_STYLE, TokenList } from './token-list.js';

/** @typedef {import('../draw/token-loss.js').LossData} LossData */
/** @typedef {import('../draw/token-loss.js').LossQuantity} LossQuantity */

/** @type {[LossQuantity, label: string, colors: string][]} */
const QUANTITIES = [['loss', 'Loss', 'loss in nats'], ['change', 'Change of the loss', 'change of the loss in nats']];
/** Side of a cell of the legend: it never averages. */
const CELL = 1;

/** @param {any} given @returns {LossData} a copy */
function checkLosses(given) {
  const { tokens, logprobs, before } = checkObject(given, 'data', '{ tokens, logprobs }');
  const texts = checkTexts(tokens, 'data.tokens');
  if (texts.length === 0) throw new InputError('data.tokens must have at least one token.');
  for (const [name, numbers] of Object.entries({ logprobs, ...(before && { before }) })) {
    checkNumbers(numbers, `data.${name}`, [['tokens after the first', texts.length - 1]]);
    const at = numbers.findIndex((/** @type {number} */ x) => x > 0);
    if (at >= 0) {
      throw new InputError(`data.${name}[${at}] is ${numbers[at]}; a log-probability is at most 0.`);
    }
  }
  return { tokens: texts, logprobs: new Float32Array(logprobs), ...(before && { before: new Float32Array(before) }) };
}

/**
 * `<heed-token-loss>`: a text whose tokens have the color of their loss, −ln p of the token after the tokens before it.
 * With the log-probabilities of another run, it also shows how the loss changes.
 *
 *     const { ids, logprobs } = await model.score('Once upon a time');
 *     loss.data = { tokens: await model.tokens(ids), logprobs };
 *
 * Attributes: `quantity`, `name`. Invalid input never throws: the element shows a sentence and fires `heed-error`.
 *
 * @fires heed-token-hover `{ position }` a token is hovered or focused; null at the end
 * @fires heed-token-select `{ position }` a token was clicked, or selected with Enter
 * @fires heed-error `{ input, error }` an input was refused
 * @throws {never} invalid input does not throw: it fires `heed-error`
 */
export class HeedTokenLoss extends HeedFigure {
  static attributeReaders = { quantity: textAttribute('quantity', 'loss') };

  /** @type {LossData | null} */
  #data = null;
  /** @type {LossQuantity} */
  #quantity = 'loss';
  /** @type {number | null} */
  #hovered = null;
  #palette = paletteFor([255, 255, 255]);
  #diverging = this.#palette;

  #output = h('output', { 'aria-live': 'polite', class: 'hint' });
  #legend = new Legend();
  #select = h('select', {}, ...QUANTITIES.map(([value, label]) => h('option', { value }, label)));
  #controls = h('div', { class: 'bar', hidden: true }, h('label', {}, 'Show', this.#select));
  #list = new TokenList('Tokens and their losses', {
    onHover: (position) => this.#hover(position),
    onSelect: (position) => this.emit('heed-token-select', { position }),
  });

  constructor() {
    super(`${STYLE}${TOKEN_STYLE}.strip { max-height: var(--heed-map-height, 40rem); }`);
    this.root.append(h('figure', {}, h('div', { class: 'top' }, this.#output, this.#legend.element), this.#controls,
      this.#list.element, h('div', { class: 'more' }, this.menu({ subject: 'losses', fileName: () => 'token-loss' }))));
    this.#select.addEventListener('change', () => { this.quantity = QUANTITIES[this.#select.selectedIndex][0]; });
  }

  /**
   * Replaces the text and its log-probabilities. The element copies them.
   * @param {LossData} data
   */
  set data(data) {
    this.accept('data', () => {
      this.#data = checkLosses(data);
      this.#list.selected = null;
      this.#list.tokens = this.#data.tokens;
      this.#hovered = null;
      this.#controls.hidden = !this.#data.before;
      this.#describe();
      this.invalidate();
    });
  }

  /** The shown number: ‘loss’, or ‘change’ if the data has another run. */
  get quantity() {
    return this.#quantity;
  }

  set quantity(quantity) {
    this.accept('quantity', () => {
      const at = QUANTITIES.findIndex(([value]) => value === quantity);
      if (at < 0) throw new InputError(`quantity must be 'loss' or 'change', got ${String(quantity)}.`);
      this.#quantity = quantity;
      this.#select.selectedIndex = at;
      this.#describe();
      this.invalidate();
    });
  }

  /** The number that the data has: without another run, the loss. */
  get #shown() {
    return this.#data?.before ? this.#quantity : 'loss';
  }

  themeChanged() {
    const { paper } = this.colors();
    this.#palette = paletteFor(paper);
    this.#diverging = makeDivergingPalette(paper);
  }

  redraw() {
    const data = this.#data;
    if (!data) return;
    const shading = lossShading(data, this.#shown);
    const palette = shading.kind === 'difference' ? this.#diverging : this.#palette;
    this.#legend.show(shading, palette, CELL);
    this.#list.paint((at) => lossColor(data, this.#shown, shading, palette, at), { query: this.#hovered ?? undefined });
  }

  /** @param {number | null} position */
  #hover(position) {
    if (position === this.#hovered) return;
    this.#hovered = position;
    this.#describe();
    this.emit('heed-token-hover', { position });
    this.invalidate();
  }

  /** Describes the hovered token, or the text. */
  #describe() {
    const data = this.#data;
    const at = this.#hovered;
    const said = !data ? '' : at === null ? textSentence(data, this.#shown) : lossSentence(data, at);
    if (this.#output.textContent !== said) this.#output.textContent = said;
    this.#output.classList.toggle('hint', at === null);
  }

  /**
   * @protected
   * @returns {import('./figure.js').FigureContent | null}
   */
  content() {
    const data = this.#data;
    return data && { title: textSentence(data, this.#shown), values: 'natural logarithm of the probability',
      csv: () => lossToCsv(data),
      json: () => ({ tokens: data.tokens, logprobs: [...data.logprobs],
        ...(data.before && { before: [...data.before] }) }),
      picture: ({ options: { fontSize }, palette: given }) => {
        const shading = lossShading(data, this.#shown);
        const palette = shading.kind === 'difference' ? makeDivergingPalette(given.paper) : given;
        const ink = inkOf(given);
        const text = tokenMarks(data.tokens, { fontSize, fillOf: () => ink,
          colorOf: (at) => lossColor(data, this.#shown, shading, palette, at) });
        const [, , name] = QUANTITIES.find(([value]) => value === this.#shown) ?? QUANTITIES[0];
        return withColorBar(text, colorBar(shading, { palette, name, fontSize, ink }), fontSize);
      } };
  }
}
