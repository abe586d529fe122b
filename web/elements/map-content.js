/** The content of an attention map: tokens of both axes, loaded rows, and sentences about cells. */
import { checkBlock, checkCount, checkObject, checkTexts, InputError } from '../draw/check.js';
import { Rows } from '../draw/rows.js';
import { attendsSentence, differenceSentence, maskedSentence } from '../draw/sentence.js';
import { tokenLabel, tokenName } from '../draw/token.js';
import { countSeen } from './map-range.js';

/** @typedef {import('../draw/view.js').Cell} Cell */
/** @typedef {import('./map-range.js').CellRange} CellRange */

/** Characters of the longest label. @param {string[]} tokens */
const longestOf = (tokens) => tokens.reduce((most, token) => Math.max(most, Array.from(tokenLabel(token)).length), 0);

/**
 * @typedef {object} AttentionMapData
 * @property {Float32Array | Float64Array} data [queries][keys] attention weights, row by row; each row sums to 1
 * @property {number} queries number of rows in `data`
 * @property {number} keys number of columns in `data`
 * @property {number} firstQuery position of the first row
 * @property {string[]} tokens the texts of all columns, and of all rows unless `queryTokens` is given
 * @property {string[]} [queryTokens] the texts of all rows, for cross-attention
 * @property {number} [layer] index of the layer, for sentences and file names
 * @property {number} [head] index of the head
 * @property {boolean} [causal] true if a query attends only to itself and earlier tokens; default true without
 *   `queryTokens`
 */

export class MapContent {
  /** Grows when rows are dropped, so that rows requested before are not added. */
  version = 0;
  /** Characters of the longest label of the columns so far. */
  longestLabel = 0;
  /** Characters of the longest label of the rows so far. */
  longestRowLabel = 0;

  /**
   * @param {AttentionMapData} map
   * @throws {InputError} if sizes or types do not match
   */
  constructor(map) {
    checkObject(map, 'data', '{ data, queries, keys, firstQuery, tokens }');
    const tokens = checkTexts(map.tokens, 'data.tokens');
    const queryTokens = map.queryTokens && checkTexts(map.queryTokens, 'data.queryTokens');
    const { layer, head } = map;
    if (layer !== undefined || head !== undefined) {
      checkCount(layer, 'data.layer');
      checkCount(head, 'data.head');
    }
    const causal = Boolean(map.causal ?? !queryTokens);
    const block = checkBlock(map, 'data', { causal });
    const { queries, keys, firstQuery } = block;
    const rowCount = (queryTokens ?? tokens).length;
    if (firstQuery + queries > rowCount) {
      throw new InputError(
        `data has rows up to query ${firstQuery + queries - 1}, but there are only ${rowCount} query tokens.`);
    }
    if (!causal && queries > 0 && keys !== tokens.length) {
      throw new InputError(`data has ${keys} keys but ${tokens.length} tokens; each column needs a token.`);
    }
    this.tokens = tokens;
    this.queryTokens = queryTokens;
    this.layer = layer;
    this.head = head;
    this.rows = new Rows({ causal });
    this.rows.add(block);
    this.#measureLabels(tokens);
    if (queryTokens) this.longestRowLabel = longestOf(queryTokens);
  }

  static empty() {
    return new MapContent({ data: new Float32Array(0), queries: 0, keys: 0, firstQuery: 0, tokens: [] });
  }

  /** The texts of the rows. */
  get rowTokens() {
    return this.queryTokens ?? this.tokens;
  }

  /**
   * Adds tokens to both axes, or to the rows if these have their own tokens, and their rows if they are known.
   * @param {string[]} tokens
   * @param {import('../draw/rows.js').RowBlock} [rows]
   * @throws {InputError}
   */
  extend(tokens, rows) {
    const texts = checkTexts(tokens, 'tokens');
    const block = rows && checkBlock(rows, 'rows', this.rows);
    for (const text of texts) this.rowTokens.push(text);
    if (this.queryTokens) this.longestRowLabel = Math.max(this.longestRowLabel, longestOf(texts));
    else this.#measureLabels(texts);
    if (block) this.rows.add(block);
  }

  /**
   * Keeps only the first tokens, of the rows if these have their own.
   * @param {number} length
   * @throws {InputError}
   */
  truncate(length) {
    checkCount(length, 'length');
    this.version++;
    this.rowTokens.length = Math.min(this.rowTokens.length, length);
    this.rows.truncate(length);
  }

  /** @param {string[]} tokens */
  #measureLabels(tokens) {
    this.longestLabel = Math.max(this.longestLabel, longestOf(tokens));
    if (!this.queryTokens) this.longestRowLabel = this.longestLabel;
  }

  /** @param {Cell} cell */
  has({ query, key }) {
    return query < this.rowTokens.length && key < this.tokens.length;
  }

  /**
   * @param {Cell} cell
   * @returns {Cell} a copy
   * @throws {InputError} for a cell outside the map
   */
  checkCell(cell) {
    const { query, key } = checkObject(cell, 'cell', '{ query, key }');
    checkCount(query, 'cell.query', 0, this.rowTokens.length - 1);
    checkCount(key, 'cell.key', 0, this.tokens.length - 1);
    return { query, key };
  }

  /**
   * The weight of a cell: 0 if it is masked, null if its row is not loaded.
   * @param {Cell} cell
   */
  weightAt({ query, key }) {
    const row = this.rows.get(query);
    return row ? row.weights[key] ?? 0 : null;
  }

  /**
   * A sentence about a cell; null if its row is not loaded.
   * @param {Cell} cell
   * @param {{ layer?: number, head?: number }} where
   * @param {boolean} [difference] the weights are differences
   */
  sentence(cell, { layer, head }, difference = false) {
    const query = { token: this.rowTokens[cell.query], at: cell.query };
    const key = { token: this.tokens[cell.key], at: cell.key };
    if (cell.key >= this.rows.seen(cell.query, this.tokens.length)) return maskedSentence({ query, key });
    const weight = this.weightAt(cell);
    if (weight === null) return null;
    return (difference ? differenceSentence : attendsSentence)({ query, key, weight, layer, head });
  }

  /** The number of cells of a range that are not masked. @param {CellRange} cells */
  countSeen(cells) {
    return countSeen(cells, (query) => this.rows.seen(query, this.tokens.length));
  }

  /** A sentence about a range of cells. @param {CellRange} cells */
  rangeSentence(cells) {
    const span = (/** @type {[number, number]} */ [from, to], /** @type {string[]} */ tokens) =>
      [from, to - 1].slice(0, to - from).map((at) => `${tokenName(tokens[at])} (${at})`).join(' to ');
    const count = this.countSeen(cells);
    return `From ${span(cells.queries, this.rowTokens)} to ${span(cells.keys, this.tokens)}: ${
      count} ${count === 1 ? 'cell' : 'cells'}`;
  }

  /** The map in a few words. @param {{ layer?: number, head?: number }} where */
  summary({ layer, head }) {
    const { tokens, queryTokens } = this;
    const where = layer === undefined ? '' : ` layer ${layer}, head ${head},`;
    const size = `${queryTokens ? `${queryTokens.length} by ` : ''}${tokens.length}`;
    return `attention map of${where} ${size} tokens`;
  }

  /**
   * All rows. Missing rows are requested from the source.
   * @param {import('./row-loader.js').RowSource | null} source of the rows that are not loaded
   * @returns {Promise<Rows>}
   */
  async allRows(source) {
    const count = this.rowTokens.length;
    const all = new Rows({ causal: this.rows.causal });
    for (let query = 0; query < count; query++) {
      const weights = this.rows.get(query)?.weights;
      if (weights) all.add({ data: weights, queries: 1, keys: weights.length, firstQuery: query });
    }
    const range = all.missing(0, count);
    if (range && source) all.add(checkBlock(await source(...range), 'rows', all));
    return all;
  }
}
