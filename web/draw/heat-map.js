/** A result with named axes as a heat map: two axes are rows and columns, and of each other axis one label is shown. */
import { layerLabel } from './lens.js';
import { csvLines, csvText } from './map-export.js';
import { differenceShading } from './scale.js';
import { formatNumber, placeName } from './sentence.js';

/** @typedef {string | number} Label */
/**
 * Numbers with named axes, as the analyses of `heed/insight` return them.
 * @typedef {object} HeatMapData
 * @property {Float32Array} data row-major: the last axis is fastest
 * @property {Readonly<Record<string, readonly Label[]>>} axes labels of each axis by its name, slowest first
 * @property {number} [firstPosition] position of the first label of the axis `position`, default 0
 */
/** One label of some axes: the label itself, or the index on an axis of texts, as in `at` of `heed/insight`.
 *  @typedef {Record<string, Label>} Place */

/**
 * The axes of the picture. Layers are columns and tokens are rows, as in the logit lens; else the last two axes are.
 * @param {HeatMapData['axes']} axes
 * @returns {{ column: string, row: string | null, others: string[] }} names; row: null if there is one axis
 */
export function roles(axes) {
  const names = Object.keys(axes);
  const column = names.includes('layer') ? 'layer' : names[names.length - 1];
  const left = names.filter((name) => name !== column);
  const row = left.includes('position') ? 'position' : left[left.length - 1] ?? null;
  return { column, row, others: left.filter((name) => name !== row) };
}

/** @param {HeatMapData} map @param {Readonly<Record<string, number>>} indexes one for each axis */
export const heatAt = ({ data, axes }, indexes) =>
  data[Object.entries(axes).reduce((at, [name, labels]) => at * labels.length + indexes[name], 0)];

/** @param {HeatMapData} map @param {number | null} max end of the scale; null: the largest size of a number
 *  @returns {import('./raster.js').Shading} */
export const heatShading = ({ data }, max) => ({ ...differenceShading(data), ...(max !== null && { max }) });

/** The format of all cells: as many decimals as give the end of the scale three digits.
 *  @param {number} max @returns {(value: number) => string} */
export function cellFormat(max) {
  const decimals = Math.max(0, 2 - Math.floor(Math.log10(max)));
  if (decimals > 6) return formatNumber;
  return (value) => {
    const text = value.toFixed(decimals);
    return Number(text) === 0 ? '0' : text.replace('-', '−');
  };
}

/** The name of a label in a sentence: ‘ball’ (5), layer 3, the embedding.
 *  @param {HeatMapData} map @param {string} axis @param {number} index */
function labelName({ axes, firstPosition = 0 }, axis, index) {
  const label = axes[axis][index];
  if (axis === 'position' && typeof label === 'string') return placeName({ token: label, at: firstPosition + index });
  return axis === 'layer' && layerLabel(label) === 'embed' ? 'the embedding' : `${axis} ${label}`;
}

/**
 * Describes a cell: “Layer 3, head 5: −0.42”, or “Logit at site attn_out, layer 3, ‘ball’ (5): 0.8”.
 * @param {HeatMapData} map
 * @param {Readonly<Record<string, number>>} indexes one for each axis
 * @param {string} label of the numbers, or ''
 */
export function heatSentence(map, indexes, label) {
  const place = Object.keys(map.axes).map((axis) => labelName(map, axis, indexes[axis])).join(', ');
  const said = `${label ? `${label} at ${place}` : place}: ${formatNumber(heatAt(map, indexes))}`;
  return said[0].toUpperCase() + said.slice(1);
}

/** All numbers as CSV, one per line. @param {HeatMapData} map */
export function heatToCsv({ data, axes, firstPosition = 0 }) {
  const all = Object.entries(axes);
  const isTokens = (/** @type {string} */ name, /** @type {readonly Label[]} */ labels) =>
    name === 'position' && typeof labels[0] === 'string';
  /** @type {string[][]} */
  let places = [[]];
  for (const [name, labels] of all) {
    const texts = labels.map((label) => (typeof label === 'string' ? csvText(label) : String(label)));
    const fields = texts.map((text, i) => (isTokens(name, labels) ? [String(firstPosition + i), text] : [text]));
    places = places.flatMap((place) => fields.map((more) => [...place, ...more]));
  }
  const head = all.flatMap(([name, labels]) => (isTokens(name, labels) ? [name, 'token'] : [name]));
  return csvLines([[...head, 'value'].join(','),
    ...places.map((place, i) => [...place, Number(data[i].toPrecision(9))].join(','))]);
}
