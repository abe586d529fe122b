// The maps of `heed attention` as files: SVG and PNG pictures, and CSV.
import { deflateSync } from 'node:zlib';
import { paletteFor } from '../../web/draw/color.js';
import { mapToCsv, mapToSvg } from '../../web/draw/map-export.js';
import { gridToSvg } from '../../web/draw/grid-export.js';
import { chunk, pngWithText } from '../../web/draw/png.js';
import { provenanceData, provenanceLines } from '../../web/draw/provenance.js';
import { rowLevels, shadingOf } from '../../web/draw/raster.js';
import { Rows } from '../../web/draw/rows.js';

/** @typedef {'svg' | 'png' | 'csv'} Format */
/**
 * Maps of one prompt.
 * @typedef {object} Maps
 * @property {{ layer: number, head: number, data: Float32Array }[]} heads  each data [query][key]
 * @property {number} layers  number of layers in the picture; 1 for a single head
 * @property {number} queries
 * @property {number} keys
 * @property {string[]} tokens  one per key
 * @property {string[]} [queryTokens]  one per query, of cross-attention
 * @property {boolean} causal  whether a query attends to no later key
 * @property {string} title
 * @property {import('../../web/draw/provenance.js').Provenance} provenance
 */

/** Light background, because files are printed. @type {[number, number, number]} */
const PAPER = [255, 255, 255];
/** Size of a cell in pixels: in an SVG, and the largest in a PNG. */
const SVG_CELL = 14;
const PNG_CELL = 16;
/** Largest side of a PNG, and gap between heads, in pixels. */
const PNG_SIDE = 4096;
const PNG_GAP = 4;

/** @param {Maps} maps */
function platesOf({ heads, queries, keys, tokens, queryTokens, causal, title, provenance }) {
  const data = provenanceData(provenance, new Date());
  return heads.map((head) => {
    const rows = new Rows({ causal });
    rows.add({ data: head.data, queries, keys, firstQuery: 0 });
    const caption = provenanceLines(data);
    return { rows, tokens, ...(queryTokens && { queryTokens }), layer: head.layer, head: head.head, title, caption,
      provenance: data };
  });
}

/** @param {ReturnType<typeof platesOf>[number]} plate @param {import('../../web/draw/raster.js').Shading} shading */
const levelsOf = ({ rows }, shading) => Array.from({ length: rows.size }, (_, query) => {
  const row = /** @type {import('../../web/draw/rows.js').Row} */ (rows.get(query));
  return rowLevels(row, shading, 0, row.weights.length);
});

/**
 * @param {Format} format
 * @param {Maps} maps
 * @returns {string | Uint8Array}
 * @throws {RangeError} if a picture would be too large
 */
export function attentionFile(format, maps) {
  const plates = platesOf(maps);
  if (format === 'csv') {
    const [heading] = mapToCsv(plates[0]).split('\r\n');
    const lines = plates.flatMap((plate) => mapToCsv(plate).split('\r\n').slice(1, -1));
    return `${[heading, ...lines].join('\r\n')}\r\n`;
  }
  const palette = paletteFor(PAPER);
  const shadings = plates.map(({ rows }) => shadingOf(rows, { kind: 'linear', leaveFirstOut: false }));
  const levels = plates.map((plate, i) => levelsOf(plate, shadings[i]));
  if (format === 'png') return picture(maps, levels, palette, plates[0].provenance);
  if (plates.length === 1) return mapToSvg(plates[0], shadings[0], palette, SVG_CELL);
  const { title, caption, provenance } = plates[0];
  const thumbnails = plates.map(({ layer, head }, i) => ({ levels: levels[i], label: `layer ${layer}, head ${head}` }));
  const heads = maps.heads.length / maps.layers;
  return gridToSvg({ layers: maps.layers, heads, thumbnails, title, caption, provenance }, palette);
}

/**
 * The cells without labels: one row per layer, one column per head.
 * @param {Maps} maps @param {Int16Array[][]} levels of each head and row
 * @param {import('../../web/draw/color.js').Palette} palette @param {object} provenance
 */
function picture({ heads, layers, queries, keys, title }, levels, palette, provenance) {
  const across = heads.length / layers;
  const cell = Math.min(PNG_CELL, Math.floor((PNG_SIDE / across - PNG_GAP) / keys),
    Math.floor((PNG_SIDE / layers - PNG_GAP) / queries));
  if (cell < 1) throw new RangeError(`${heads.length} maps of ${keys} tokens do not fit in one picture. Choose csv.`);
  const width = across * (keys * cell + PNG_GAP);
  const height = layers * (queries * cell + PNG_GAP);
  const pixels = new Uint8Array(3 * width * height).fill(255);
  levels.forEach((rows, at) => {
    const left = at % across * (keys * cell + PNG_GAP);
    const top = Math.floor(at / across) * (queries * cell + PNG_GAP);
    rows.forEach((row, query) => row.forEach((level, key) => {
      if (level < 0) return;
      for (let y = 0; y < cell; y++) {
        const from = 3 * ((top + query * cell + y) * width + left + key * cell);
        for (let x = 0; x < cell; x++) pixels.set(palette.rgb[level], from + 3 * x);
      }
    }));
  });
  return pngWithText(png(pixels, width, height), { Title: title, Comment: JSON.stringify(provenance) });
}

/** A PNG of 8-bit RGB, unfiltered (PNG specification, third edition).
 *  @param {Uint8Array} pixels [height][width][3] @param {number} width @param {number} height */
function png(pixels, width, height) {
  const header = new DataView(new ArrayBuffer(13));
  header.setUint32(0, width);
  header.setUint32(4, height);
  header.setUint16(8, 0x0802); // 8 bits a sample, color type 2
  const line = 3 * width;
  const lines = new Uint8Array(height * (line + 1)); // each begins with the number of its filter: 0, none
  for (let y = 0; y < height; y++) lines.set(pixels.subarray(line * y, line * (y + 1)), y * (line + 1) + 1);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', new Uint8Array(header.buffer)),
    chunk('IDAT', deflateSync(lines)),
    chunk('IEND', new Uint8Array(0)),
  ]);
}
