/** A map as a file: SVG and JSON are text, made here; PNG is the same painting on a larger canvas. */
import { cssOf } from './colour.js';
import { rowLevels } from './raster.js';
import { tokenLabel } from './token.js';
import { labelStep } from './view.js';

/**
 * What a file of a map says.
 * @typedef {object} Plate
 * @property {import('./rows.js').Rows} rows every row of the map
 * @property {string[]} tokens
 * @property {string[]} [queryTokens] of the rows, where they are those of another text
 * @property {number} [layer]
 * @property {number} [head]
 * @property {string} title a line under the map
 */

/** XML 1.0 cannot hold other control characters, however they are escaped. */
const NOT_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
/** @type {Record<string, string>} */
const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** @param {string} text a stranger's */
export const escapeXml = (text) => text.replace(NOT_XML, '\ufffd').replace(/[&<>"']/g, (c) => ENTITIES[c]);

const LEFT = 94;
const TOP = 86;
const CAPTION = 28;

/**
 * The size of a picture of a whole map.
 * @param {number} queries rows @param {number} keys columns
 * @param {number} cell
 */
export const plateSize = (queries, keys, cell) =>
  ({ left: LEFT, top: TOP, width: LEFT + keys * cell + 8, height: TOP + queries * cell + CAPTION });

/** Columns of a whole map. @param {Pick<Plate, 'rows' | 'tokens'>} plate */
export const keysOf = ({ rows, tokens }) => (rows.causal ? rows.size : tokens.length);

/**
 * One path a colour, in runs of equal cells: a map of 1,024 tokens stays a file of a few megabytes.
 * @param {Plate} plate
 * @param {import('./raster.js').Shading} shading
 * @param {import('./colour.js').Palette} palette
 * @param {number} cell
 * @returns {string} an SVG document
 */
export function mapToSvg({ rows, tokens, queryTokens = tokens, title }, shading, palette, cell) {
  const keys = keysOf({ rows, tokens });
  const { width, height } = plateSize(rows.size, keys, cell);
  const text = palette.dark ? '#e8e8ea' : '#1a1a1c';
  /** @type {string[]} */
  const labels = [];
  const step = labelStep(cell, 12);
  const labelOf = (/** @type {string[]} */ of, /** @type {number} */ at) =>
    escapeXml(step > 1 ? String(at) : tokenLabel(of[at]));
  for (let at = 0; at < rows.size; at += step) {
    const y = TOP + (at + 0.5) * cell;
    labels.push(`<text x="${LEFT - 6}" y="${y}" text-anchor="end">${labelOf(queryTokens, at)}</text>`);
  }
  for (let at = 0; at < keys; at += step) {
    const x = LEFT + (at + 0.5) * cell;
    labels.push(`<text transform="translate(${x} ${TOP - 6}) rotate(-90)">${labelOf(tokens, at)}</text>`);
  }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<title>${escapeXml(title)}</title>`,
    `<defs><pattern id="masked" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">`,
    `<path d="M0 0V7" stroke="${text}" stroke-opacity=".2"/></pattern></defs>`,
    `<rect width="100%" height="100%" fill="${cssOf(palette.paper)}"/>`,
    ...(rows.causal ? [`<path fill="url(#masked)" d="${triangle(rows.size, cell)}"/>`] : []),
    `<g transform="translate(${LEFT} ${TOP}) scale(${cell})" shape-rendering="crispEdges">`,
    ...cellPaths(rows, shading, palette),
    '</g>',
    `<g fill="${text}" font-family="ui-monospace, monospace" font-size="12" dominant-baseline="central">`,
    ...labels,
    '</g>',
    `<g fill="${text}" font-family="system-ui, sans-serif" font-size="12">`,
    `<text x="${LEFT - 6}" y="${TOP - 24}" text-anchor="end">attends</text>`,
    `<text x="${LEFT - 6}" y="${TOP - 8}" text-anchor="end">from ↓ to →</text>`,
    `<text x="${LEFT}" y="${height - 8}">${escapeXml(title)}</text>`,
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

/**
 * The cells above the diagonal, as stairs.
 * @param {number} count
 * @param {number} cell
 */
function triangle(count, cell) {
  let path = `M${LEFT + cell} ${TOP}`;
  for (let i = 1; i < count; i++) path += `v${cell}h${cell}`;
  return `${path}V${TOP}Z`;
}

/**
 * @param {import('./rows.js').Rows} rows
 * @param {import('./raster.js').Shading} shading
 * @param {import('./colour.js').Palette} palette
 */
function cellPaths(rows, shading, palette) {
  /** @type {string[][]} */
  const paths = palette.rgb.map(() => []);
  for (let query = 0; query < rows.size; query++) {
    const row = rows.get(query);
    if (!row) throw new RangeError(`row ${query} of the map is not known`);
    const levels = rowLevels(row, shading, 0, row.weights.length);
    for (let key = 0, end; key < levels.length; key = end) {
      for (end = key + 1; end < levels.length && levels[end] === levels[key];) end++;
      if (levels[key] >= 0) paths[levels[key]].push(`M${key} ${query}h${end - key}v1h${key - end}z`);
    }
  }
  return paths.flatMap((runs, level) =>
    (runs.length ? [`<path fill="${cssOf(palette.rgb[level])}" d="${runs.join('')}"/>`] : []));
}

/**
 * The whole map as text, with the names of an AttentionMap. Rows end at their own token: what is masked is not there.
 * @param {Plate} plate
 */
export function mapToJson({ rows, tokens, queryTokens, layer, head, title }) {
  const queries = rows.size;
  const data = Array.from({ length: queries }, (_, query) => {
    const row = rows.get(query);
    if (!row) throw new RangeError(`row ${query} of the map is not known`);
    return Array.from(row.weights, (weight) => Number(weight.toPrecision(9)));
  });
  return `${JSON.stringify({ title, kind: 'pattern', axes: ['query', 'key'], layer, head, queries,
    keys: keysOf({ rows, tokens }), firstQuery: 0, tokens: tokens.slice(0, keysOf({ rows, tokens })), queryTokens,
    data })}\n`;
}

/**
 * Part of a map as a table of text, its first line and column the tokens.
 * @param {{ rows: import('./rows.js').Rows, tokens: string[], queryTokens?: string[] }} map
 * @param {{ queries: [from: number, to: number], keys: [from: number, to: number] }} range
 * @param {(weight: number) => string} format
 * @returns {string[][]} [1 + queries][1 + keys]; '' where a key is masked
 */
export function mapToTable({ rows, tokens, queryTokens = tokens }, { queries, keys }, format) {
  const heading = ['', ...tokens.slice(keys[0], keys[1]).map((token) => tokenLabel(token, 40))];
  const lines = [heading];
  for (let query = queries[0]; query < queries[1]; query++) {
    const weights = rows.get(query)?.weights ?? new Float32Array(0);
    const cells = Array.from({ length: keys[1] - keys[0] }, (_, i) =>
      (keys[0] + i < weights.length ? format(weights[keys[0] + i]) : ''));
    lines.push([tokenLabel(queryTokens[query], 40), ...cells]);
  }
  return lines;
}
