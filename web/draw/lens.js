/** The picture of a logit lens: tokens down, layers across, and in each cell the likeliest next token. */
import { cssOf, inkOn, LEVELS } from './color.js';
import { csvLines, csvText } from './map-export.js';
import { formatPercent, joined, placeName } from './sentence.js';
import { tokenLabel, tokenName } from './token.js';

/**
 * Candidates of each layer and position, the likeliest first, as `logitLens` of `heed/insight` returns them.
 * @typedef {object} LensData
 * @property {Float32Array} data natural logarithms of the probabilities, [layer][position][rank]
 * @property {{ layer: (string | number)[], position: string[], rank: (string | number)[] }} axes labels: layers (−1
 *   is the embedding), tokens, ranks
 * @property {string[]} texts texts of the candidates, [layer][position][rank]
 * @property {number} [firstPosition] position of the first token, default 0
 */

/** Tokens and layers of a picture. @typedef {{ axes: Pick<LensData['axes'], 'layer' | 'position'> }} TokenLayers */

/** Height of a cell relative to the font size. */
export const CELL_HEIGHT = 1.8;

/** The label of a layer. @param {string | number} layer */
export const layerLabel = (layer) => (Number(layer) === -1 ? 'embed' : String(layer));

/** The index of the likeliest candidate. @param {LensData} lens @param {number} layer @param {number} position */
const firstOf = ({ axes }, layer, position) => (layer * axes.position.length + position) * axes.rank.length;

/**
 * The candidates of a cell, the likeliest first.
 * @param {LensData} lens
 * @param {number} layer index of the layer
 * @param {number} position index of the token
 */
export function candidatesOf(lens, layer, position) {
  const from = firstOf(lens, layer, position);
  return lens.axes.rank.map((_, rank) =>
    ({ text: lens.texts[from + rank], probability: Math.exp(lens.data[from + rank]) }));
}

/**
 * Describes a cell: “After ‘She’ (14), layer 3 predicts ‘was’ 31 %, ‘saw’ 12 % and ‘had’ 8 %”.
 * @param {LensData} lens
 * @param {number} layer index of the layer
 * @param {number} position index of the token
 */
export function lensSentence(lens, layer, position) {
  const { axes, firstPosition = 0 } = lens;
  const label = layerLabel(axes.layer[layer]);
  const from = label === 'embed' ? 'the embedding' : `layer ${label}`;
  const place = placeName({ token: axes.position[position], at: firstPosition + position });
  const parts = candidatesOf(lens, layer, position).map(({ text, probability }) =>
    `${tokenName(text)} ${formatPercent(probability)}`);
  return `After ${place}, ${from} predicts ${joined(parts)}`;
}

/**
 * The cells of a range as marks, from the top left cell of the whole picture.
 * @param {LensData} lens
 * @param {{ positions: [from: number, to: number], layers: [from: number, to: number], width: number, fontSize: number,
 *   palette: import('./color.js').Palette }} view width: of a cell
 * @returns {import('./marks.js').Mark[]}
 */
export function lensCells(lens, { positions, layers, width, fontSize, palette }) {
  const height = CELL_HEIGHT * fontSize;
  const limit = Math.max(2, Math.floor((width - 6) / (0.61 * fontSize)));
  /** @type {import('./marks.js').Mark[]} */
  const marks = [];
  for (let at = positions[0]; at < positions[1]; at++) {
    for (let layer = layers[0]; layer < layers[1]; layer++) {
      const from = firstOf(lens, layer, at);
      const rgb = palette.rgb[Math.round(Math.min(1, Math.exp(lens.data[from])) * (LEVELS - 1))];
      marks.push({ rect: [layer * width, at * height, width - 1, height - 1], fill: cssOf(rgb) },
        { text: tokenLabel(lens.texts[from], limit), x: layer * width + 4, y: (at + 0.5) * height, mono: true,
          bold: lens.texts[from] === lens.axes.position[at + 1], fill: inkOn(rgb) });
    }
  }
  return marks;
}

/**
 * The labels of tokens as marks that end at x = 0, from the first token of the whole picture.
 * @param {TokenLayers} grid
 * @param {[from: number, to: number]} positions
 * @param {{ fontSize: number, fill: string, limit?: number, shown?: number | null }} style shown: token in bold
 * @returns {import('./marks.js').Mark[]}
 */
export const tokenLabels = ({ axes }, [from, to], { fontSize, fill, limit, shown = null }) =>
  axes.position.slice(from, to).map((token, i) => ({ text: tokenLabel(token, limit), x: -6, mono: true, anchor: 'end',
    y: (from + i + 0.5) * CELL_HEIGHT * fontSize, fill, bold: from + i === shown }));

/**
 * The labels of layers as marks around y = 0.
 * @param {TokenLayers} grid
 * @param {{ width: number, fill: string, shown?: number | null }} style width: of a cell; shown: layer in bold
 * @returns {import('./marks.js').Mark[]}
 */
export const layerLabels = ({ axes }, { width, fill, shown = null }) =>
  axes.layer.map((layer, at) => ({ text: layerLabel(layer), x: at * width + 4, y: 0, fill, bold: at === shown }));

/** All candidates as CSV, one per line. @param {LensData} lens */
export function lensToCsv({ data, axes, texts, firstPosition = 0 }) {
  const lines = ['layer,position,token,rank,candidate,logprob'];
  let at = 0;
  for (const layer of axes.layer) {
    for (const [position, token] of axes.position.entries()) {
      for (const rank of axes.rank) {
        lines.push([layer, firstPosition + position, csvText(token), rank, csvText(texts[at]),
          Number(data[at].toPrecision(9))].join(','));
        at++;
      }
    }
  }
  return csvLines(lines);
}
