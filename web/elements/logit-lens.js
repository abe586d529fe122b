/** `<heed-logit-lens>`: the next tokens that each layer would predict. */
import { checkCount, checkNumbers, checkObject, checkTexts, InputError } from '../draw/check.js';
import { candidatesOf, lensCells, lensSentence, lensToCsv } from '../draw/lens.js';
import { formatPercent } from '../draw/sentence.js';
import { tokenLabel } from '../draw/token.js';
import { TokenLayerGrid } from './token-layer-grid.js';

/** @typedef {import('../draw/lens.js').LensData} LensData */

/** Most candidates: 120 MB of numbers and texts. */
const CANDIDATES_LIMIT = 4e6;
const WORDS = { name: 'Logit lens', subject: 'lens', file: 'logit-lens', table: 'Likeliest next token by layer',
  hint: 'Point at a cell, or use the arrow keys, to see the likeliest tokens.' };

/**
 * @param {any} lens
 * @returns {LensData} a copy
 */
function checkLens(lens) {
  const { data, axes, texts, firstPosition = 0 } = checkObject(lens, 'data', '{ data, axes, texts } of logitLens');
  const { layer, position, rank } = checkObject(axes, 'data.axes', '{ layer, position, rank }');
  for (const [name, labels] of Object.entries({ layer, rank })) {
    if (!Array.isArray(labels) || labels.length === 0) throw new InputError(`data.axes.${name} must list its labels.`);
  }
  const tokens = checkTexts(position, 'data.axes.position');
  const count = layer.length * tokens.length * rank.length;
  if (count > CANDIDATES_LIMIT) throw new InputError(`data has ${count} candidates; at most ${CANDIDATES_LIMIT} fit.`);
  checkNumbers(data, 'data.data', [['layers', layer.length], ['positions', tokens.length], ['ranks', rank.length]]);
  if (!Array.isArray(texts) || texts.length !== count || texts.some((text) => typeof text !== 'string')) {
    throw new InputError(`data.texts must be an Array of ${count} strings, one for each number.`);
  }
  checkCount(firstPosition, 'data.firstPosition');
  return { data: new Float32Array(data), axes: { layer: layer.slice(), position: tokens, rank: rank.slice() },
    texts: texts.slice(), firstPosition };
}

/**
 * `<heed-logit-lens>`: the next tokens that each layer would predict. Tokens are rows, layers are columns. A cell has
 * the likeliest token in the color of its probability; bold tokens follow in the text.
 *
 *     lens.data = await logitLens(model, 'Once upon a time');   // of heed/insight
 *
 * Attribute: `name`. Invalid input never throws: the element shows a sentence and fires `heed-error`.
 *
 * @fires heed-lens-cell `{ cell: { position, layer } | null }` a cell was hovered, clicked or reached by key
 * @fires heed-error `{ input, error }` an input was refused
 * @throws {never} invalid input does not throw: it fires `heed-error`
 */
export class HeedLogitLens extends TokenLayerGrid {
  /** @type {LensData | null} */
  #lens = null;

  constructor() {
    super(WORDS);
  }

  /**
   * Replaces the lens. The element copies it.
   * @param {LensData} lens
   */
  set data(lens) {
    this.accept('data', () => {
      this.#lens = checkLens(lens);
      this.show(this.#lens);
    });
  }

  /** @protected @param {import('./token-layer-grid.js').CellsView} view */
  cellMarks(view) {
    return this.#lens ? lensCells(this.#lens, view) : [];
  }

  /** @protected @param {number} layer @param {number} position */
  cellSentence(layer, position) {
    return this.#lens ? lensSentence(this.#lens, layer, position) : '';
  }

  /** @protected @param {number} layer @param {number} position */
  cellText(layer, position) {
    if (!this.#lens) return '';
    const [{ text, probability }] = candidatesOf(this.#lens, layer, position);
    return `${tokenLabel(text, 40)} ${formatPercent(probability)}`;
  }

  /** @protected @param {import('./token-layer-grid.js').TokenLayerCell | null} cell */
  cellChanged(cell) {
    this.emit('heed-lens-cell', { cell });
  }

  /**
   * CSV and JSON have all candidates.
   * @protected
   * @returns {import('./figure.js').FigureContent | null}
   */
  content() {
    const lens = this.#lens;
    return lens && { title: 'likeliest next token by layer (logit lens)',
      values: 'natural logarithm of the probability', csv: () => lensToCsv(lens),
      json: () => ({ ...lens, data: [...lens.data] }),
      picture: (style) => this.picture('probability of the token', style) };
  }
}
