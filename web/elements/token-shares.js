/** `<heed-token-shares>`: a text whose tokens have the color of their share in a metric. */
import { checkNumbers, checkObject, checkTexts, InputError } from '../draw/check.js';
import { shareColor, sharesSentence, shareSentence, shareShading, sharesToCsv } from '../draw/token-shares.js';
import { ColoredText } from './colored-text.js';

/** @typedef {import('../draw/token-shares.js').ShareData} ShareData */

/** @param {any} given @returns {ShareData} a copy */
function checkShares(given) {
  const { data, axes, value, baselineValue, metric } = checkObject(given, 'data',
    '{ data, axes, value, baselineValue }');
  const position = checkTexts(checkObject(axes, 'data.axes', '{ position }').position, 'data.axes.position');
  if (position.length === 0) throw new InputError('data.axes.position must have at least one token.');
  checkNumbers(data, 'data.data', [['tokens', position.length]]);
  if (!Number.isFinite(value)) throw new InputError('data.value must be a number: the metric.');
  if (!Number.isFinite(baselineValue)) {
    throw new InputError('data.baselineValue must be a number: the metric at the baseline.');
  }
  if (metric !== undefined && typeof metric !== 'string') throw new InputError('data.metric must be a string.');
  return { data: new Float32Array(data), axes: { position }, value, baselineValue, metric };
}

/**
 * `<heed-token-shares>`: a text whose tokens have the color of their share in a metric. Orange shares raise the metric,
 * purple shares lower it.
 *
 *     const shares = await integratedGradients(model, text, { of: { logprob: id } }); // of heed/insight
 *     element.data = { ...shares, metric: 'log-probability of ‘ball’' };
 *
 * Attributes: `name`. Invalid input never throws: the element shows a sentence and fires `heed-error`.
 *
 * @fires heed-token-hover `{ position }` a token is hovered or focused; null at the end
 * @fires heed-token-select `{ position }` a token was clicked, or selected with Enter
 * @fires heed-error `{ input, error }` an input was refused
 * @throws {never} invalid input does not throw: it fires `heed-error`
 */
export class HeedTokenShares extends ColoredText {
  /** @type {ShareData | null} */
  #data = null;

  constructor() {
    super({ label: 'Tokens and their shares', subject: 'shares', fileName: 'token-shares' });
  }

  /**
   * Replaces the text and its shares. The element copies them.
   * @param {ShareData} data
   */
  set data(data) {
    this.accept('data', () => {
      this.#data = checkShares(data);
      this.replaceText();
    });
  }

  /**
   * @protected
   * @returns {import('./colored-text.js').Coloring | null}
   */
  coloring() {
    const shares = this.#data;
    if (!shares) return null;
    const shading = shareShading(shares);
    const { metric = 'metric' } = shares;
    return { tokens: shares.axes.position, shading, name: `share in the ${metric}`,
      colorOf: (palette, at) => shareColor(shares, shading, palette, at),
      describe: (at) => (at === null ? sharesSentence(shares) : shareSentence(shares, at)),
      file: { values: `share in the ${metric}`, csv: () => sharesToCsv(shares),
        json: () => ({ ...shares, data: [...shares.data] }) } };
  }
}
