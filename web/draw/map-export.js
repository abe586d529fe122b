/** Writes a map as SVG, JSON or CSV. */
import { cssOf, parseRgb } from './color.js';
import { layOutFigure, DEFAULT_FIGURE_OPTIONS } from './figure-layout.js';
import { rowLevels } from './raster.js';
import { legendTicks } from './scale.js';
import { tokenLabel } from './token.js';

/**
 * A map to be saved.
 * @typedef {object} MapFigure
 * @property {import('./rows.js').Rows} rows every row of the map
 * @property {string[]} tokens tokens of the columns, and of the rows unless `queryTokens` is given
 * @property {string[]} [queryTokens] tokens of the rows, for cross-attention
 * @property {number} [layer]
 * @property {number} [head]
 * @property {number} [firstQuery] position of the first row, default 0
 * @property {string} title
 * @property {string[]} [caption] provenance as lines under the title
 * @property {object} [provenance] provenance as data
 */

/** Characters that XML 1.0 does not allow, not even escaped. */
const NOT_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
/** @type {Record<string, string>} */
const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escapes untrusted text for XML. @param {string} text */
export const escapeXml = (text) => text.replace(NOT_XML, '\ufffd').replace(/[&<>"']/g, (c) => ENTITIES[c]);

/** The text that `escapeXml` escaped. @param {string} xml */
export const unescapeXml = (xml) => Object.entries(ENTITIES).reduceRight((text, [character, entity]) =>
  text.replaceAll(entity, character), xml);

/** Number of columns of a map. @param {Pick<MapFigure, 'rows' | 'tokens' | 'firstQuery'>} figure */
export const keysOf = ({ rows, tokens, firstQuery = 0 }) => (rows.causal ? firstQuery + rows.size : tokens.length);

/*
 * A file of a long text has half a million numbers. So a writer returns an iterable of text, and each step takes some
 * milliseconds. Every row is looked up in the call, because a map may change before the last step.
 */

/** The text of all steps. @param {Iterable<string>} steps */
const whole = (steps) => [...steps].join('');

/**
 * A map as an SVG document. Each color is one path of runs of equal cells: a map of 1,024 tokens has a few megabytes.
 * @param {MapFigure} figure
 * @param {import('./raster.js').Shading} shading
 * @param {import('./color.js').Palette} palette
 * @param {number} cell side of a cell in CSS pixels
 * @param {import('./figure-layout.js').FigureOptions} [options]
 * @returns {string} an SVG document
 */
export const mapToSvg = (figure, shading, palette, cell, options) =>
  whole(mapSvgSteps(figure, shading, palette, cell, options));

/**
 * The same in steps.
 * @param {MapFigure} figure
 * @param {import('./raster.js').Shading} shading
 * @param {import('./color.js').Palette} palette
 * @param {number} cell
 * @param {import('./figure-layout.js').FigureOptions} [options]
 * @returns {Iterable<string>}
 */
export function mapSvgSteps(figure, shading, palette, cell, options = DEFAULT_FIGURE_OPTIONS) {
  const { rows, tokens, queryTokens = tokens, title, provenance } = figure;
  const all = knownRows(rows);
  const layout = layOutFigure({ queries: queryTokens.slice(0, all.length), keys: tokens.slice(0, keysOf(figure)), cell,
    options, caption: captionOf(figure, options) });
  const { left, top, gap } = layout;
  const middle = (/** @type {number} */ at) => round((at + 0.5) * cell);
  const before = [
    ...(options.hatch && rows.causal ? [
      '<defs><pattern id="masked" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
        + `<path d="M0 0V7" stroke="${inkOf(palette)}" stroke-opacity=".2"/></pattern></defs>`,
      `<path fill="url(#masked)" d="${triangle(all.length, cell, left, top)}"/>`] : []),
    `<g transform="translate(${left} ${top}) scale(${cell})" shape-rendering="crispEdges">`,
  ];
  const after = [
    '</g>',
    `<g fill="${inkOf(palette)}" font-family="ui-monospace, monospace" font-size="${options.fontSize}" `
      + 'dominant-baseline="central">',
    ...layout.down.map(({ at, text }) =>
      `<text x="${left - gap}" y="${top + middle(at)}" text-anchor="end">${escapeXml(text)}</text>`),
    ...layout.across.map(({ at, text }) =>
      `<text transform="translate(${left + middle(at)} ${top - gap}) rotate(-90)">${escapeXml(text)}</text>`),
    '</g>',
    textGroup(palette, options, [
      `<text x="${left - 2 * gap}" y="${round(top - gap - 1.5 * options.fontSize)}" text-anchor="end">attends</text>`,
      `<text x="${left - 2 * gap}" y="${top - gap}" text-anchor="end">from ↓ to →</text>`,
      ...barOf(layout, shading, palette),
    ]),
  ];
  return (function* () {
    const paths = new LevelPaths(palette);
    for (const row of all) {
      paths.add(rowLevels(row, shading, 0, row.weights.length));
      yield '';
    }
    yield svgDocument({ layout, palette, options, title, provenance }, [...before, ...paths.elements(), ...after]);
  })();
}

/** @param {number} length */
export const round = (length) => Number(length.toFixed(2));

/** The text color of a figure. @param {import('./color.js').Palette} palette */
export const inkOf = (palette) => (palette.dark ? '#e8e8ea' : '#1a1a1c');

/** The color of texts that matter less. @param {import('./color.js').Palette} palette */
export const mutedOf = (palette) => (palette.dark ? '#a3a5aa' : '#5f6063');

/** The color of a selection. @param {import('./color.js').Palette} palette */
export const accentOf = (palette) => (palette.dark ? '#e59ad9' : '#8a2a80');

/** The text color as numbers. @param {import('./color.js').Palette} palette */
export const inkRgbOf = (palette) => parseRgb(inkOf(palette));

/**
 * The lines of the caption; empty if the options exclude it.
 * @param {{ title: string, caption?: string[] }} figure
 * @param {import('./figure-layout.js').FigureOptions} options
 */
export const captionOf = ({ title, caption = [] }, options) => (options.caption ? [title, ...caption] : []);

/**
 * An SVG document with title, metadata, background and caption.
 * @param {{ layout: { width: number, height: number, pad: number, lines: { text: string, y: number }[] },
 *   palette: import('./color.js').Palette, title: string,
 *   options: import('./figure-layout.js').FigureOptions, provenance?: object }} figure
 * @param {string[]} parts SVG elements between background and caption
 */
export function svgDocument({ layout, palette, options, title, provenance }, parts) {
  const { width, height, pad, lines } = layout;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<title>${escapeXml(title)}</title>`,
    ...(provenance ? [`<metadata>${escapeXml(JSON.stringify(provenance))}</metadata>`] : []),
    ...(options.transparent ? [] : [`<rect width="100%" height="100%" fill="${cssOf(palette.paper)}"/>`]),
    ...parts,
    textGroup(palette, options,
      lines.map(({ text, y }) => `<text x="${pad}" y="${round(y)}">${escapeXml(text)}</text>`)),
    '</svg>',
    '',
  ].join('\n');
}

/**
 * @param {import('./color.js').Palette} palette
 * @param {import('./figure-layout.js').FigureOptions} options
 * @param {string[]} texts
 */
const textGroup = (palette, options, texts) => [
  `<g fill="${inkOf(palette)}" font-family="system-ui, sans-serif" font-size="${options.fontSize}">`, ...texts, '</g>',
].join('\n');

/** Number of rectangles in the color bar. */
const BAR_STEPS = 50;

/**
 * The color bar with its numbers, as SVG elements.
 * @param {ReturnType<typeof layOutFigure>} layout
 * @param {import('./raster.js').Shading} shading
 * @param {import('./color.js').Palette} palette
 */
function barOf({ bar: { x, y, width, height }, ticks }, { kind, max }, palette) {
  const step = width / BAR_STEPS;
  const parts = Array.from({ length: BAR_STEPS }, (_, i) => {
    const color = palette.rgb[Math.round((i / (BAR_STEPS - 1)) * (palette.rgb.length - 1))];
    return `<rect x="${round(x + i * step)}" y="${round(y)}" width="${step}" height="${height}" `
      + `fill="${cssOf(color)}" shape-rendering="crispEdges"/>`;
  });
  const anchors = (/** @type {number} */ share) => (share === 0 ? 'start' : share === 1 ? 'end' : 'middle');
  return [
    ...parts,
    `<rect x="${x}" y="${round(y)}" width="${width}" height="${height}" fill="none" stroke="${inkOf(palette)}" `
      + 'stroke-opacity=".4"/>',
    ...legendTicks(kind, max).map(([text, share]) =>
      `<text x="${round(x + share * width)}" y="${round(ticks)}" text-anchor="${anchors(share)}">${
        escapeXml(text)}</text>`),
  ];
}

/**
 * A path around the masked cells above the diagonal.
 * @param {number} count
 * @param {number} cell
 * @param {number} left
 * @param {number} top
 */
function triangle(count, cell, left, top) {
  let path = `M${left + cell} ${top}`;
  for (let i = 1; i < count; i++) path += `v${cell}h${cell}`;
  return `${path}V${top}Z`;
}

/**
 * The palette levels of every row.
 * @param {import('./rows.js').Rows} rows
 * @param {import('./raster.js').Shading} shading
 */
export const mapLevels = (rows, shading) =>
  knownRows(rows).map((row) => rowLevels(row, shading, 0, row.weights.length));

/**
 * Every row of a map.
 * @param {import('./rows.js').Rows} rows
 * @param {number} [firstQuery]
 * @throws {RangeError} if one is missing
 */
const knownRows = (rows, firstQuery = 0) => Array.from({ length: rows.size }, (_, i) => {
  const row = rows.get(firstQuery + i);
  if (!row) throw new RangeError(`Row ${firstQuery + i} of the map is not loaded.`);
  return row;
});

/** Cells as SVG paths in units of cells, one path for each color. */
class LevelPaths {
  #palette;
  /** @type {string[][]} */
  #paths;
  #rows = 0;

  /** @param {import('./color.js').Palette} palette */
  constructor(palette) {
    this.#palette = palette;
    this.#paths = palette.rgb.map(() => []);
  }

  /** Adds the next row. @param {Int16Array} levels  -1 for cells that are not drawn */
  add(levels) {
    const query = this.#rows++;
    for (let key = 0, end; key < levels.length; key = end) {
      for (end = key + 1; end < levels.length && levels[end] === levels[key];) end++;
      if (levels[key] >= 0) this.#paths[levels[key]].push(`M${key} ${query}h${end - key}v1h${key - end}z`);
    }
  }

  /** @returns {string[]} */
  elements() {
    return this.#paths.flatMap((runs, level) =>
      (runs.length ? [`<path fill="${cssOf(this.#palette.rgb[level])}" d="${runs.join('')}"/>`] : []));
  }
}

/**
 * Cells as SVG paths in units of cells, one path for each color.
 * @param {Int16Array[]} rows levels of each row; -1 for cells that are not drawn
 * @param {import('./color.js').Palette} palette
 */
export function levelPaths(rows, palette) {
  const paths = new LevelPaths(palette);
  for (const levels of rows) paths.add(levels);
  return paths.elements();
}

/** Describes the numbers in JSON files. */
const DIFFERENCES = 'difference of two shares of the query’s attention, −1 to 1';
const VALUES = 'share of the query’s attention, 0 to 1: softmax weights, each row sums to 1';

/**
 * A whole map as JSON, with the field names of an AttentionMap. Masked cells are left out: row i ends at key i.
 * The numbers are weights, independent of the color scale. `display` names that scale.
 * @param {MapFigure} figure
 * @param {import('./raster.js').Shading} [shading] color scale on the screen
 */
export const mapToJson = (figure, shading) => whole(mapJsonSteps(figure, shading));

/**
 * The same in steps.
 * @param {MapFigure} figure
 * @param {import('./raster.js').Shading} [shading]
 * @returns {Iterable<string>}
 */
export function mapJsonSteps({ rows, tokens, queryTokens, layer, head, title, provenance, firstQuery = 0 }, shading) {
  const all = knownRows(rows, firstQuery);
  const display = shading && { scale: shading.kind, max: shading.kind === 'row-max' ? 'of each row' : shading.max,
    firstTokenLeftOut: shading.leaveFirstOut };
  const keys = keysOf({ rows, tokens, firstQuery });
  const values = shading?.kind === 'difference' ? DIFFERENCES : VALUES;
  const fields = JSON.stringify({ title, kind: 'pattern', values, axes: ['query', 'key'], layer, head,
    queries: rows.size, keys, firstQuery, tokens: tokens.slice(0, keys), queryTokens, display, provenance });
  return (function* () {
    yield `${fields.slice(0, -1)},"data":[`;
    for (const [i, { weights }] of all.entries()) {
      yield `${i ? ',' : ''}[${Array.from(weights, (weight) => Number(weight.toPrecision(9))).join(',')}]`;
    }
    yield ']}\n';
  })();
}

/**
 * Several maps as one JSON object, in steps.
 * @param {object} fields of the object, besides `maps`
 * @param {MapFigure[]} figures
 * @returns {Iterable<string>}
 */
export function mapsJsonSteps(fields, figures) {
  const maps = figures.map((figure) => mapJsonSteps(figure));
  return (function* () {
    yield `${JSON.stringify(fields).slice(0, -1)},"maps":[`;
    for (const [i, steps] of maps.entries()) {
      if (i) yield ',';
      yield* steps;
    }
    yield ']}\n';
  })();
}

/**
 * Maps as CSV, one line per weight, without masked cells.
 * @param {...CsvFigure} figures
 */
export const mapToCsv = (...figures) => whole(mapCsvSteps(...figures));

/** @typedef {Pick<MapFigure, 'rows' | 'tokens' | 'queryTokens' | 'layer' | 'head' | 'firstQuery'>} CsvFigure */

/**
 * The same in steps.
 * @param {...CsvFigure} figures
 * @returns {Iterable<string>}
 */
export function mapCsvSteps(...figures) {
  const maps = figures.map((figure) => ({ ...figure, all: knownRows(figure.rows, figure.firstQuery) }));
  return (function* () {
    yield csvLines(['layer,head,query,query_token,key,key_token,weight']);
    for (const { all, tokens, queryTokens = tokens, layer, head, firstQuery = 0 } of maps) {
      const keys = tokens.map(csvText);
      for (const [i, { weights }] of all.entries()) {
        const query = firstQuery + i;
        const start = `${layer ?? ''},${head ?? ''},${query},${csvText(queryTokens[query])}`;
        if (weights.length === 0) continue;
        yield csvLines(Array.from(weights, (weight, key) =>
          `${start},${key},${keys[key]},${Number(weight.toPrecision(9))}`));
      }
    }
  })();
}

/** Lines of a CSV file (RFC 4180). @param {string[]} lines */
export const csvLines = (lines) => `${lines.join('\r\n')}\r\n`;

/** Quotes a text for CSV (RFC 4180). @param {string} text */
export const csvText = (text) => `"${text.replaceAll('"', '""')}"`;

/**
 * Part of a map as a table of strings. Tokens are its first row and column.
 * @param {{ rows: import('./rows.js').Rows, tokens: string[], queryTokens?: string[] }} map
 * @param {{ queries: [from: number, to: number], keys: [from: number, to: number] }} range
 * @param {(weight: number) => string} format
 * @returns {string[][]} [1 + queries][1 + keys]; masked cells are empty strings
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
