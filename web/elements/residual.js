/** `<heed-residual>`: the norm of the residual stream by layer and token, and the addition of each layer. */
import { checkCount, checkNumbers, checkObject, checkTexts, InputError } from '../draw/check.js';
import { QUANTITIES, residualCells, residualSentence, residualShading, residualText, residualToCsv } from
  '../draw/residual.js';
import { textAttribute } from './attributes.js';
import { h } from './dom.js';
import { TokenLayerGrid } from './token-layer-grid.js';

/** @typedef {import('../draw/residual.js').ResidualData} ResidualData */
/** @typedef {import('../draw/residual.js').ResidualQuantity} ResidualQuantity */

const NAMES = QUANTITIES.map(([name]) => name);
const WORDS = { name: 'Residual stream', subject: 'residual stream', file: 'residual-stream',
  table: 'The shown numbers by layer', hint: 'Point at a cell, or use the arrow keys, to see what a layer adds.' };

/** @param {any} given @returns {ResidualData} a copy */
function checkResidual(given) {
  const { data, axes, firstPosition = 0 } = checkObject(given, 'data', '{ data, axes } of residualNorms');
  const { quantity, layer, position } = checkObject(axes, 'data.axes', '{ quantity, layer, position }');
  const quantities = checkTexts(quantity, 'data.axes.quantity');
  if (quantities.length !== NAMES.length || NAMES.some((name) => !quantities.includes(name))) {
    throw new InputError(`data.axes.quantity must be the names ${NAMES.join(', ')}.`);
  }
  if (!Array.isArray(layer) || layer.length === 0) throw new InputError('data.axes.layer must list its labels.');
  const tokens = checkTexts(position, 'data.axes.position');
  checkNumbers(data, 'data.data',
    [['quantities', quantities.length], ['layers', layer.length], ['positions', tokens.length]]);
  checkCount(firstPosition, 'data.firstPosition');
  return { data: new Float32Array(data), axes: { quantity: quantities, layer: [...layer], position: tokens },
    firstPosition };
}

/**
 * `<heed-residual>`: sizes of the residual stream and its additions. Tokens are rows, layers are columns. A cell has
 * the norm of the residual stream, or the norm or cosine of the vector that attention or the MLP adds.
 *
 *     residual.data = await residualNorms(model, 'Once upon a time');   // of heed/insight
 *
 * Attributes: `quantity`, `name`. Invalid input never throws: the element shows a sentence and fires `heed-error`.
 *
 * @fires heed-residual-cell `{ cell: { position, layer } | null }` a cell was hovered, clicked or reached by key
 * @fires heed-error `{ input, error }` an input was refused
 * @throws {never} invalid input does not throw: it fires `heed-error`
 */
export class HeedResidual extends TokenLayerGrid {
  static attributeReaders = { quantity: textAttribute('quantity', 'stream') };

  /** @type {ResidualData | null} */
  #residual = null;
  /** @type {ResidualQuantity} */
  #quantity = 'stream';
  /** @type {import('../draw/raster.js').Shading | null} */
  #shading = null;
  #select = h('select', {}, ...QUANTITIES.map(([value, label]) => h('option', { value }, label)));

  constructor() {
    super(WORDS);
    this.controls.hidden = false;
    this.controls.append(h('label', {}, 'Show', this.#select));
    this.#select.addEventListener('change', () => { this.quantity = QUANTITIES[this.#select.selectedIndex][0]; });
  }

  /**
   * Replaces the numbers. The element copies them.
   * @param {ResidualData} residual
   */
  set data(residual) {
    this.accept('data', () => {
      this.#residual = checkResidual(residual);
      this.#shading = null;
      this.show(this.#residual);
    });
  }

  /** The shown number: ‘stream’, ‘attention’, ‘attentionCosine’, ‘mlp’ or ‘mlpCosine’. */
  get quantity() {
    return this.#quantity;
  }

  set quantity(given) {
    this.accept('quantity', () => {
      const quantity = this.orDefault('quantity', given);
      const at = NAMES.indexOf(quantity);
      if (at < 0) throw new InputError(`quantity must be one of ${NAMES.join(', ')}, got ${String(quantity)}.`);
      this.#quantity = quantity;
      this.#select.selectedIndex = at;
      this.#shading = null;
      this.invalidate();
    });
  }

  /** @protected */
  get shading() {
    this.#shading ??= this.#residual ? residualShading(this.#residual, this.#quantity) : super.shading;
    return this.#shading;
  }

  /** @protected @param {import('./token-layer-grid.js').CellsView} view */
  cellMarks(view) {
    return this.#residual ? residualCells(this.#residual, this.#quantity, this.shading, view) : [];
  }

  /** @protected @param {number} layer @param {number} position */
  cellSentence(layer, position) {
    return this.#residual ? residualSentence(this.#residual, layer, position) : '';
  }

  /** @protected @param {number} layer @param {number} position */
  cellText(layer, position) {
    return this.#residual ? residualText(this.#residual, this.#quantity, layer, position) : '';
  }

  /** @protected @param {import('./token-layer-grid.js').TokenLayerCell | null} cell */
  cellChanged(cell) {
    this.emit('heed-residual-cell', { cell });
  }

  /**
   * CSV and JSON have all quantities.
   * @protected
   * @returns {import('./figure.js').FigureContent | null}
   */
  content() {
    const residual = this.#residual;
    const [, what] = QUANTITIES[NAMES.indexOf(this.#quantity)];
    const colors = what.toLowerCase().replace('mlp', 'MLP');
    return residual && { title: `${colors} by layer`, csv: () => residualToCsv(residual),
      json: () => ({ ...residual, data: [...residual.data] }), picture: (style) => this.picture(colors, style) };
  }
}
