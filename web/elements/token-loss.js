/** `<heed-token-loss>`: a text whose tokens have the color of their loss. */
import { checkNumbers, checkObject, checkTexts, InputError } from '../draw/check.js';
import { lossColor, lossSentence, lossShading, lossToCsv, textSentence } from '../draw/token-loss.js';
import { textAttribute } from './attributes.js';
import { ColoredText } from './colored-text.js';
import { h } from './dom.js';

/** @typedef {import('../draw/token-loss.js').LossData} LossData */
/** @typedef {import('../draw/token-loss.js').LossQuantity} LossQuantity */

/** @type {[LossQuantity, label: string, colors: string][]} */
const QUANTITIES = [['loss', 'Loss', 'loss in nats'], ['change', 'Change of the loss', 'change of the loss in nats']];

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
export class HeedTokenLoss extends ColoredText {
  static attributeReaders = { quantity: textAttribute('quantity', 'loss') };

  /** @type {LossData | null} */
  #data = null;
  /** @type {LossQuantity} */
  #quantity = 'loss';

  #select = h('select', {}, ...QUANTITIES.map(([value, label]) => h('option', { value }, label)));
  #controls = h('div', { class: 'bar', hidden: true }, h('label', {}, 'Show', this.#select));

  constructor() {
    super({ label: 'Tokens and their losses', subject: 'losses', fileName: 'token-loss' });
    this.addControls(this.#controls);
    this.#select.addEventListener('change', () => { this.quantity = QUANTITIES[this.#select.selectedIndex][0]; });
  }

  /**
   * Replaces the text and its log-probabilities. The element copies them.
   * @param {LossData} data
   */
  set data(data) {
    this.accept('data', () => {
      this.#data = checkLosses(data);
      this.#controls.hidden = !this.#data.before;
      this.replaceText();
    });
  }

  /** The shown number: ‘loss’, or ‘change’ if the data has another run. */
  get quantity() {
    return this.#quantity;
  }

  set quantity(given) {
    this.accept('quantity', () => {
      const quantity = this.orDefault('quantity', given);
      const at = QUANTITIES.findIndex(([value]) => value === quantity);
      if (at < 0) throw new InputError(`quantity must be 'loss' or 'change', got ${String(quantity)}.`);
      this.#quantity = quantity;
      this.#select.selectedIndex = at;
      this.recolor();
    });
  }

  /**
   * @protected
   * @returns {import('./colored-text.js').Coloring | null}
   */
  coloring() {
    const data = this.#data;
    if (!data) return null;
    const shown = data.before ? this.#quantity : 'loss'; // without another run, there is no change
    const shading = lossShading(data, shown);
    const [, , name] = QUANTITIES.find(([value]) => value === shown) ?? QUANTITIES[0];
    return { tokens: data.tokens, shading, name,
      colorOf: (palette, at) => lossColor(data, shown, shading, palette, at),
      describe: (at) => (at === null ? textSentence(data, shown) : lossSentence(data, at)),
      file: { values: 'natural logarithm of the probability', csv: () => lossToCsv(data),
        json: () => ({ tokens: data.tokens, logprobs: [...data.logprobs],
          ...(data.before && { before: [...data.before] }) }) } };
  }
}
