/** The stages of a token's walk through a model, and their texts. */
import { blockBoxes, firstBoxes, lastBoxes, valueAt } from '../draw/anatomy-boxes.js';
import { formatPercent } from '../draw/sentence.js';
import { tokenName } from '../draw/token.js';

/** @typedef {import('../draw/anatomy-boxes.js').AnatomyInfo} AnatomyInfo */
/** @typedef {import('../draw/anatomy-boxes.js').Box} Box */
/** @typedef {import('../draw/anatomy-boxes.js').Plane} Plane */
/** A box, or a whole block that is not open. Its layer is −1 outside of blocks.
 *  @typedef {{ box: string | null, layer: number }} Stage */

/**
 * @param {AnatomyInfo} info
 * @param {number} open the open block
 * @param {number} count number of tokens
 * @returns {Stage[]}
 */
export function stagesOf(info, open, count) {
  const of = (/** @type {Box[]} */ boxes, layer = -1) => boxes.map(({ id }) => ({ box: id, layer }));
  return [...of(firstBoxes(info, count)), ...Array.from({ length: info.layers }, (_, layer) =>
    (layer === open ? of(blockBoxes(info, layer, count), layer) : [{ box: null, layer }])).flat(),
  ...of(lastBoxes(info, count))];
}

/**
 * The cell of the largest number in the row of a token, or the first cell of a weight.
 * @param {Box} box
 * @param {Plane} plane
 * @param {number} position
 */
export function mainCell(box, plane, position) {
  if (box.kind === 'weight') return { row: 0, column: 0 };
  const row = box.kind === 'vocabulary' ? 0 : position;
  let column = 0;
  const size = (/** @type {number} */ at) => {
    const value = valueAt(plane, row, at);
    return box.kind === 'vocabulary' || box.kind === 'map' ? value : Math.abs(value);
  };
  for (let at = 1; at < plane.columns; at++) if (size(at) > size(column)) column = at;
  return { row, column };
}

/**
 * The effect of a stage on the walked token.
 * @param {Stage} stage
 * @param {{ box: Box | null, plane: Plane | null, tokens: string[], position: number }} shown box: of the stage;
 *   position: of the walked token
 */
export function stageSentence({ layer }, { box, plane, tokens, position }) {
  const token = tokenName(tokens[position]);
  if (!box) return `block ${layer} adds to the vector of ${token}.`;
  const cell = plane && mainCell(box, plane, position);
  const value = plane && cell ? valueAt(plane, cell.row, cell.column) : 0;
  const most = !cell ? '' : box.id === 'pattern'
    ? ` ${token} gives ${formatPercent(value)} to ${tokenName(tokens[cell.column])}.`
    : box.id === 'scores' ? ` The largest score of ${token} is for ${tokenName(tokens[cell.column])}.` : '';
  return `${box.title.replace(/\.$/, '')}. ${box.what}${most}`;
}
