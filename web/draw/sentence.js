/** Formats weights, and describes cells of a map in a sentence. */
import { tokenName } from './token.js';

/**
 * A weight with two decimals, or three below 0.01.
 * @param {number} weight 0 to 1, or a difference
 * @returns {string}
 */
export function formatWeight(weight) {
  if (weight < 0) return `\u2212${formatWeight(-weight)}`;
  if (weight === 0) return '0';
  if (weight < 0.001) return '< 0.001';
  return weight.toFixed(weight < 0.01 ? 3 : 2);
}

/**
 * A number with three significant digits and a real minus sign: 12.3, −0.0456, 3.2e−7.
 * @param {number} value
 * @param {number} [digits]  significant digits of numbers from 0.0001 to 1,000
 */
export function formatNumber(value, digits = 3) {
  if (!Number.isFinite(value)) return value === -Infinity ? '−∞' : value === Infinity ? '∞' : 'not a number';
  const size = Math.abs(value);
  const text = size > 0 && size < 1e-4 ? value.toExponential(1)
    : size >= 1000 ? value.toFixed(0) : String(Number(value.toPrecision(digits)));
  return text.replaceAll('-', '−');
}

/** @typedef {{ token: string, at: number }} Place the text of a token and its position */

/** ‘mat’ (5): the position distinguishes tokens of the same text. @param {Place} place */
export const placeName = ({ token, at }) => `${tokenName(token)} (${at})`;

/**
 * Describes a cell: “‘mat’ (5) gives 42 % of its attention to ‘cat’ (1), layer 3, head 2”.
 * @param {{ query: Place, key: Place, weight: number, layer?: number, head?: number }} cell
 */
export function attendsSentence({ query, key, weight, layer, head }) {
  const share = weight > 0 && weight < 0.001 ? 'less than 0.1\u00a0%' : formatPercent(weight);
  const where = layer === undefined ? '' : `, layer ${layer}, head ${head}`;
  return `${capital(placeName(query))} gives ${share} of its attention to ${placeName(key)}${where}`;
}

/** Joins parts as in a sentence: “a, b and c”. @param {string[]} parts */
export const joined = (parts) => [parts.slice(0, -1).join(', '), ...parts.slice(-1)].filter(Boolean).join(' and ');

/**
 * Describes the strongest lines of a token: “‘She’ (15) gives 42 % of its attention to ‘Lily’ (13) and 9 % to ‘a’ (8)”.
 * @param {{ side: 'query' | 'key', place: Place, partners: { place: Place, weight: number, name?: string }[] }} token
 *   name: of the head, if there are several
 */
export function linesSentence({ side, place, partners }) {
  const name = capital(placeName(place));
  if (partners.length === 0) return `${name} has no line`;
  const parts = partners.map(({ place: other, weight, name: head }, i) =>
    [formatPercent(weight), i === 0 && side === 'query' ? 'of its attention' : '', side === 'query' ? 'to' : 'from',
      placeName(other), head ? `(head ${head})` : ''].filter(Boolean).join(' '));
  return `${name} ${side === 'query' ? 'gives' : 'gets'} ${joined(parts)}`;
}

/**
 * Describes a cell of differences: “The attention of ‘She’ (15) to ‘Lily’ (13) differs by +12 percentage points”.
 * @param {{ query: Place, key: Place, weight: number, layer?: number, head?: number }} cell
 */
export function differenceSentence({ query, key, weight, layer, head }) {
  const points = `${weight < 0 ? '\u2212' : '+'}${(100 * Math.abs(weight)).toFixed(Math.abs(weight) < 0.1 ? 1 : 0)}`;
  const where = layer === undefined ? '' : `, layer ${layer}, head ${head}`;
  return `The attention of ${placeName(query)} to ${placeName(key)} differs by ${points} percentage points${where}`;
}

/**
 * Describes a masked cell.
 * @param {{ query: Place, key: Place }} cell
 */
export const maskedSentence = ({ query, key }) =>
  `${capital(placeName(query))} cannot see ${placeName(key)}, which comes later`;

/** Capitalizes names such as ‘a newline’ at the start of a sentence. @param {string} name of a token */
export const capital = (name) => name.replace(/^a/, 'A');

/**
 * A share as a percentage.
 * @param {number} share 0 to 1
 */
export function formatPercent(share) {
  const percent = 100 * share;
  if (percent > 0 && percent < 0.1) return '<\u00a00.1\u00a0%';
  return `${percent.toFixed(percent < 10 && percent > 0 ? 1 : 0)}\u00a0%`;
}
