/** The picture of a residual stream: tokens down, layers across, and in each cell a norm or a cosine. */
import { layerLabel } from './lens.js';
import { csvLines, csvText } from './map-export.js';
import { numberCells } from './number-cells.js';
import { roundedMax } from './scale.js';
import { formatNumber, placeName } from './sentence.js';

/** @typedef {'stream' | 'attention' | 'attentionCosine' | 'mlp' | 'mlpCosine'} ResidualQuantity */
/**
 * Norms and cosines of each layer and position, as `residualNorms` of `heed/insight` returns them.
 * @typedef {object} ResidualData
 * @property {Float32Array} data [quantity][layer][position]
 * @property {{ quantity: string[], layer: (string | number)[], position: string[] }} axes labels: the names of
 *   QUANTITIES in this order, layers (−1 is the embedding), tokens
 * @property {number} [firstPosition] position of the first token, default 0
 */

/** The quantities with the words of their choice. @type {[ResidualQuantity, string][]} */
export const QUANTITIES = [['stream', 'Norm of the stream'], ['attention', 'Norm that attention adds'],
  ['mlp', 'Norm that the MLP adds'], ['attentionCosine', 'Cosine of attention with the stream'],
  ['mlpCosine', 'Cosine of the MLP with the stream']];

/** True for quantities from −1 to 1. @param {ResidualQuantity} quantity */
export const isSigned = (quantity) => quantity.endsWith('Cosine');

/** One number. @param {ResidualData} residual @param {ResidualQuantity} quantity @param {number} layer index
 *  @param {number} position index */
export function residualAt({ data, axes }, quantity, layer, position) {
  const { length } = axes.position;
  return data[(axes.quantity.indexOf(quantity) * axes.layer.length + layer) * length + position];
}

/** A norm with three digits, or a cosine with two decimals. @param {ResidualQuantity} quantity @param {number} value */
const formatted = (quantity, value) =>
  (isSigned(quantity) ? value.toFixed(2).replace('-', '−') : formatNumber(value));

/**
 * How a quantity becomes colors. The first token of a text often has a norm a hundred times that of others, so the
 * largest other norm ends the scale.
 * @param {ResidualData} residual
 * @param {ResidualQuantity} quantity
 * @returns {import('./raster.js').Shading}
 */
export function residualShading(residual, quantity) {
  if (isSigned(quantity)) return { kind: 'difference', max: 1, leaveFirstOut: false };
  const { layer, position } = residual.axes;
  const first = (residual.firstPosition ?? 0) === 0 && position.length > 1 ? 1 : 0;
  let max = 0;
  for (let i = 0; i < layer.length; i++) {
    for (let at = first; at < position.length; at++) max = Math.max(max, residualAt(residual, quantity, i, at));
  }
  return { kind: 'linear', max: roundedMax(max), leaveFirstOut: first > 0 };
}

/** True for cells without a number: attention and MLP of the embedding.
 *  @param {ResidualData} residual @param {ResidualQuantity} quantity @param {number} layer index */
const isEmpty = ({ axes }, quantity, layer) => quantity !== 'stream' && layerLabel(axes.layer[layer]) === 'embed';

/**
 * The cells of a range as marks, from the top left cell of the whole picture.
 * @param {ResidualData} residual
 * @param {ResidualQuantity} quantity
 * @param {import('./raster.js').Shading} shading
 * @param {Parameters<typeof numberCells>[3]} view
 */
export const residualCells = (residual, quantity, shading, view) => numberCells(
  (layer, at) => (isEmpty(residual, quantity, layer) ? null : residualAt(residual, quantity, layer, at)),
  (value) => formatted(quantity, value), shading, view);

/** The text of a cell. @param {ResidualData} residual @param {ResidualQuantity} quantity @param {number} layer index
 *  @param {number} position index */
export const residualText = (residual, quantity, layer, position) =>
  (isEmpty(residual, quantity, layer) ? '' : formatted(quantity, residualAt(residual, quantity, layer, position)));

/**
 * Describes a cell: “At ‘ball’ (5), layer 3 leaves a stream of norm 12.3: attention adds 2.1 (cosine −0.20), and the
 * MLP 5.4 (cosine 0.30)”.
 * @param {ResidualData} residual
 * @param {number} layer index of the layer
 * @param {number} position index of the token
 */
export function residualSentence(residual, layer, position) {
  const { axes, firstPosition = 0 } = residual;
  const text = (/** @type {ResidualQuantity} */ quantity) =>
    formatted(quantity, residualAt(residual, quantity, layer, position));
  const place = placeName({ token: axes.position[position], at: firstPosition + position });
  if (isEmpty(residual, 'mlp', layer)) return `At ${place}, the embedding has norm ${text('stream')}`;
  return `At ${place}, layer ${axes.layer[layer]} leaves a stream of norm ${text('stream')}: attention adds ${
    text('attention')} (cosine ${text('attentionCosine')}), and the MLP ${text('mlp')} (cosine ${text('mlpCosine')})`;
}

/** All numbers as CSV, one place per line. @param {ResidualData} residual */
export function residualToCsv(residual) {
  const { axes: { layer, position, quantity }, firstPosition = 0 } = residual;
  const lines = [['layer', 'position', 'token', ...quantity].join(',')];
  layer.forEach((label, i) => position.forEach((token, at) => lines.push([label, firstPosition + at, csvText(token),
    ...quantity.map((each) => (isEmpty(residual, /** @type {ResidualQuantity} */ (each), i) ? ''
      : Number(residualAt(residual, /** @type {ResidualQuantity} */ (each), i, at).toPrecision(9))))].join(','))));
  return csvLines(lines);
}
