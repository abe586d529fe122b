/** Formats weights, and describes cells of a map in a sentence. */
import { tokenName } from './token.js';

/**
 * A weight with two decimals, or three below 0.01.
 * @param {number} weight 0 to 1
 */
export function formatWeight(weight) {
  if (weight === 0) return '0';
  if (weight < 0.001) return '< 0.001';
  return weight.toFixed(weight < 0.01 ? 3 : 2);
}

/** @typedef {{ token: string, at: number }} Place the text of a token and its position */

/** ‘mat’ (5): the position distinguishes tokens of the same text. @param {Place} place */
const placeName = ({ token, at }) => `${tokenName(token)} (${at})`;

/**
 * Describes a cell: “‘mat’ (5) gives 42 % of its attention to ‘cat’ (1), layer 3, head 2”.
 * @param {{ query: Place, key: Place, weight: number, layer?: number, head?: number }} cell
 */
export function attendsSentence({ query, key, weight, layer, head }) {
  const share = weight > 0 && weight < 0.001 ? 'less than 0.1\u00a0%' : formatPercent(weight);
  const where = layer === undefined ? '' : `, layer ${layer}, head ${head}`;
  return `${capital(placeName(query))} gives ${share} of its attention to ${placeName(key)}${where}`;
}

/**
 * Describes a masked cell.
 * @param {{ query: Place, key: Place }} cell
 */
export const maskedSentence = ({ query, key }) =>
  `${capital(placeName(query))} cannot see ${placeName(key)}, which comes later`;

/** Capitalizes names such as ‘a newline’ at the start of a sentence. @param {string} name of a token */
const capital = (name) => name.replace(/^a/, 'A');

/**
 * A share as a percentage.
 * @param {number} share 0 to 1
 */
export function formatPercent(share) {
  const percent = 100 * share;
  if (percent > 0 && percent < 0.1) return '<\u00a00.1\u00a0%';
  return `${percent.toFixed(percent < 10 && percent > 0 ? 1 : 0)}\u00a0%`;
}
