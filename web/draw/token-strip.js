/** The tokens of a text, and what one token attends to: title, colors, the picture of a file, and CSV. */
import { colorBar, withColorBar } from './color-bar.js';
import { accentOf, csvLines, csvText, inkOf, mutedOf } from './map-export.js';
import { frameOf } from './marks.js';
import { levelOf } from './scale.js';
import { attendsSentence, placeName } from './sentence.js';
import { tokenMarks } from './token-marks.js';

/**
 * The attention of one token.
 * @typedef {object} Highlight
 * @property {number} query position of the token; beyond the text: a token of another text
 * @property {number | null} key position of a token to frame
 * @property {Float32Array} weights [keys]
 */
/**
 * @typedef {object} StripData
 * @property {readonly string[]} tokens texts of all tokens [tokens]
 * @property {number} promptLength number of tokens in the prompt
 * @property {number | null} selected position of the underlined token
 * @property {Highlight | null} highlight
 */

/** Weights below this share of the largest one are not highlighted: they would only tint the text. */
const MIN_HIGHLIGHT = 0.02;

/** The largest weight. @param {Highlight} highlight */
const largest = ({ weights }) => weights.reduce((a, b) => Math.max(a, b), 0);

/**
 * The backgrounds of a highlighted text.
 * @param {Highlight | null} highlight
 * @param {import('./color.js').Palette} palette
 * @returns {(at: number) => import('./color.js').Rgb | null} by position
 */
export function highlightColors(highlight, palette) {
  if (!highlight) return () => null;
  const { weights } = highlight;
  const max = largest(highlight);
  return (at) => (weights[at] > MIN_HIGHLIGHT * max ? palette.rgb[levelOf('linear', weights[at], max)] : null);
}

/**
 * Describes the picture: “tokens of the text”, “attention of ‘sat’ (2)”.
 * @param {StripData} strip
 */
export function stripTitle({ tokens, highlight }) {
  if (!highlight?.weights.length) return 'tokens of the text';
  const { query, key, weights } = highlight;
  if (query >= tokens.length) return 'attention to the tokens of the text';
  const place = { token: tokens[query], at: query };
  return key === null || !(key < weights.length) ? `attention of ${placeName(place)}`
    : attendsSentence({ query: place, key: { token: tokens[key], at: key }, weight: weights[key] });
}

/**
 * The text as colored tokens. Tokens of the prompt are muted, as on the screen.
 * @param {StripData} strip
 * @param {{ fontSize: number, palette: import('./color.js').Palette }} look
 * @returns {{ marks: import('./marks.js').Mark[], width: number, height: number }}
 */
export function stripMarks({ tokens, promptLength, selected, highlight }, { fontSize, palette }) {
  const ink = inkOf(palette);
  const muted = mutedOf(palette);
  const accent = accentOf(palette);
  const text = tokenMarks(tokens, { fontSize, fillOf: (at) => (at < promptLength ? muted : ink),
    colorOf: highlightColors(highlight, palette),
    over: (at, [x, y, width, height]) => [
      ...(at === highlight?.query ? [{ line: frameOf([x, y, width, height]), stroke: accent, width: 2 }] : []),
      ...(at === highlight?.key ? [{ line: frameOf([x, y, width, height]), stroke: ink, width: 2 }] : []),
      ...(at === selected ? [{ line: [x, y + height, x + width, y + height], stroke: accent, width: 2 }] : []),
    ] });
  if (!highlight?.weights.length) return text;
  const shading = { kind: /** @type {const} */ ('linear'), max: largest(highlight), leaveFirstOut: false };
  return withColorBar(text, colorBar(shading, { palette, name: 'attention weight', fontSize, ink }), fontSize);
}

/** The tokens as CSV, with their weights if the text is highlighted. @param {StripData} strip */
export function stripToCsv({ tokens, promptLength, highlight }) {
  const { weights = new Float32Array() } = highlight ?? {};
  const lines = [`position,token,prompt${weights.length ? ',weight' : ''}`];
  tokens.forEach((token, at) => {
    const weight = at < weights.length ? Number(weights[at].toPrecision(9)) : '';
    lines.push(`${at},${csvText(token)},${Number(at < promptLength)}${weights.length ? `,${weight}` : ''}`);
  });
  return csvLines(lines);
}
