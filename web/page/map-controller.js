/** Updates the grid, the map and the highlights of the strip with the attention of the model. */
import { meanOverHeads } from '../draw/rows.js';
import { describeHead } from './head-description.js';

/** Most weights requested at once: 4 MB, so that a long prompt neither fills the memory nor delays a frame. */
const BLOCK_WEIGHTS = 1 << 20;

/** Numbers of rows at which the head with the clearest pattern opens: early, and again with more certainty. */
const OPENING_ROWS = [8, 32];

/** @typedef {import('../../js/index.js').Model} Model */
/** @typedef {Awaited<ReturnType<Model['attentionRows']>>} Rows */

/**
 * @typedef {object} Views
 * @property {import('../elements/index.js').HeedHeadGrid} grid
 * @property {import('../elements/index.js').HeedAttentionMap} map
 * @property {import('../elements/index.js').HeedTokenStrip} strip
 * @property {HTMLElement} headLine the line that describes the open head
 */

export class MapController {
  /** @type {Model} */
  #model;
  #views;
  #idle;
  /** @type {string[]} */
  #tokens = [];
  /** The head that the user or the address chose; null if the page chooses one. */
  #chosen;
  /** The open head. */
  #head = { layer: 0, head: 0 };
  /** Grows with every cut, so that rows requested before are dropped. */
  #generation = 0;
  /** @type {'head' | 'mean'} */
  #highlight = 'head';
  /** Attention averaged over all heads, by query. @type {Map<number, Float32Array>} */
  #means = new Map();
  /** Increases with every hovered token, so that late answers are ignored. */
  #hovers = 0;
  /** Rows that arrived with tokens and are not shown yet, by their first query. @type {Map<number, Rows>} */
  #arrived = new Map();
  /** Number of rows to show. */
  #end = 0;
  /** @type {Promise<void> | null} */
  #following = null;
  /** How often the page has chosen a head. */
  #openings = 0;

  /**
   * @param {Model} model
   * @param {Views} views
   * @param {{ layer: number, head: number } | null} chosen the head to open; null to open one with a clear pattern
   * @param {() => Promise<unknown>} idle resolves when the model holds the whole text
   */
  constructor(model, views, chosen, idle) {
    this.#model = model;
    this.#views = views;
    const { layers, heads } = model.info;
    this.#chosen = chosen && chosen.layer < layers && chosen.head < heads ? chosen : null;
    views.grid.shape = { layers, heads };
    views.map.setAttribute('name', model.info.name);
    views.map.source = async (from, to) => {
      await idle();
      return model.attention({ ...this.#head, queries: [from, to] });
    };
    this.#idle = idle;
    this.#open(this.#chosen ?? { layer: 0, head: 0 });
  }

  /** The head that the user or the address chose, or null. */
  get chosen() {
    return this.#chosen;
  }

  /** The open head. */
  get head() {
    return this.#head;
  }

  /** Opens a head. @param {{ layer: number, head: number }} head */
  choose({ layer, head }) {
    const { layers, heads } = this.#model.info;
    if (layer >= layers || head >= heads) return;
    this.#chosen = { layer, head };
    this.#open({ layer, head });
  }

  /** @param {{ layer: number, head: number }} head */
  #open(head) {
    const { grid, map } = this.#views;
    this.#head = head;
    grid.selected = head;
    const tokens = this.#tokens.slice(0, map.length);
    map.data = { data: new Float32Array(0), queries: 0, keys: 0, firstQuery: 0, tokens, ...head };
    this.describe();
  }

  /** Describes the open head. */
  describe() {
    const { layer, head } = this.#head;
    const { text, lesson } = describeHead(layer, head, this.#views.grid.stats.of(layer, head));
    const why = this.#chosen || !lesson ? '' : 'Opened because its pattern is easy to see. ';
    this.#views.headLine.textContent = `${why}${text} `;
    if (!lesson) return;
    const link = document.createElement('a');
    link.href = `./lessons/${lesson.name}.html`;
    link.textContent = lesson.title;
    this.#views.headLine.append(link);
  }

  /**
   * Drops the rows from a position on, because the text has changed there.
   * @param {string[]} tokens the whole text
   * @param {number} kept number of unchanged tokens at the start
   */
  cut(tokens, kept) {
    const { grid, map, strip } = this.#views;
    this.#generation++;
    this.#means.clear();
    this.#arrived.clear();
    this.#tokens = tokens;
    map.truncate(Math.min(kept, map.length));
    grid.truncate(kept);
    strip.light(null);
  }

  /**
   * Shows the rows of all tokens that the model has read. Rows that did not arrive with their tokens are requested, for
   * example the rows of a prompt.
   * @param {Rows[]} [arrived] in order; default: none, and all rows up to the model's position are shown
   */
  async follow(arrived = []) {
    const last = arrived.at(-1);
    this.#end = last ? last.firstQuery + last.queries : this.#model.position;
    for (const rows of arrived) {
      if (rows.firstQuery >= this.#views.grid.length) this.#arrived.set(rows.firstQuery, rows);
    }
    this.#takeArrived();
    await this.#following;
    this.#following ??= this.#ask().finally(() => {
      this.#following = null;
    });
    await this.#following;
  }

  /** Shows the maps of the model again, because it has run the same text with other edits. */
  async refresh() {
    const generation = ++this.#generation;
    // The new rows arrive before the old rows are removed, so that the map is never empty.
    const rows = await this.#unlessStale(generation, this.#askRows(0, this.#model.position));
    if (!rows) return;
    const { grid, map, strip } = this.#views;
    this.#means.clear();
    this.#arrived.clear();
    grid.truncate(0);
    map.data = { data: new Float32Array(0), queries: 0, keys: 0, firstQuery: 0,
      tokens: this.#tokens.slice(0, map.length), ...this.#head };
    strip.light(null);
    await this.follow([rows]);
    await this.follow();
    this.describe();
  }

  /**
   * The first rows of a range, as many as one request may return.
   * @param {number} from
   * @param {number} to
   */
  #askRows(from, to) {
    const { layers, heads } = this.#model.info;
    const position = Math.min(to, from + Math.max(1, Math.floor(BLOCK_WEIGHTS / (layers * heads * to))));
    return this.#model.attentionRows({ queries: [from, position], position });
  }

  async #ask() {
    const { grid } = this.#views;
    const generation = this.#generation;
    while (grid.length < this.#end) {
      const from = grid.length;
      const next = Math.min(this.#end, ...this.#arrived.keys());
      const rows = await this.#unlessStale(generation, this.#askRows(from, next));
      if (!rows) return;
      this.#take([rows]);
      if (grid.length === from) return; // the grid refused the rows and shows why
      this.#takeArrived();
    }
  }

  /** Shows the rows that arrived, up to the first gap. */
  #takeArrived() {
    const rows = [];
    let next = this.#views.grid.length;
    for (let one; (one = this.#arrived.get(next)); next += one.queries) {
      rows.push(one);
      this.#arrived.delete(next);
    }
    if (rows.length) this.#take(rows);
  }

  /** Adds rows to the grid and the map. @param {Rows[]} blocks that follow the last row */
  #take(blocks) {
    const { grid, map } = this.#views;
    for (const rows of blocks) {
      const { firstQuery, queries } = rows;
      grid.extend(rows, this.#tokens.slice(firstQuery, firstQuery + queries));
      const { layer, head } = this.#head;
      const at = (layer * rows.heads + head) * rows.queries * rows.keys;
      const data = rows.data.subarray(at, at + rows.queries * rows.keys);
      map.extend(this.#tokens.slice(map.length, rows.firstQuery + rows.queries), { ...rows, data });
      this.#openClearest();
    }
  }

  /** Opens the head with the clearest pattern, unless the user chose one. */
  #openClearest() {
    if (this.#chosen || !(this.#views.grid.length >= OPENING_ROWS[this.#openings])) return;
    this.#openings++;
    const { layer, head } = this.#views.grid.stats.strongestPreviousTokenHead() ?? this.#head;
    if (layer !== this.#head.layer || head !== this.#head.head) this.#open({ layer, head });
  }

  /**
   * Waits for the model. The answer or the error is dropped if the text or the model has changed in the meantime.
   * @template T
   * @param {number} generation
   * @param {Promise<T>} answer
   * @returns {Promise<T | null>} null if it was dropped
   */
  async #unlessStale(generation, answer) {
    try {
      const result = await answer;
      return generation === this.#generation ? result : null;
    } catch (error) {
      if (generation !== this.#generation) return null;
      throw error;
    }
  }

  /** Drops all pending answers, because another model uses the views. */
  close() {
    this.#generation++;
    this.#hovers++;
  }

  /** The attention that the strip highlights: of the open head, or averaged over all heads.
   *  @param {'head' | 'mean'} kind */
  set highlight(kind) {
    this.#highlight = kind;
  }

  /**
   * Highlights in the strip the tokens that a token attends to.
   * @param {number | null} position null removes the highlight
   */
  async highlightToken(position) {
    const { map, strip } = this.#views;
    const hover = ++this.#hovers;
    if (position === null || position >= map.length) {
      strip.light(null);
      return;
    }
    const known = this.#highlight === 'head' ? map.row(position) : this.#means.get(position);
    const weights = known ?? await this.#unlessStale(this.#generation, this.#weights(position));
    if (hover === this.#hovers) strip.light(position, weights);
  }

  /**
   * @param {number} position
   * @returns {Promise<Float32Array>} [key]
   */
  async #weights(position) {
    /** @type {[number, number]} */
    const queries = [position, position + 1];
    await this.#idle();
    if (this.#highlight === 'head') return (await this.#model.attention({ ...this.#head, queries })).data;
    const mean = meanOverHeads(await this.#model.attentionRows({ queries }));
    this.#means.set(position, mean);
    return mean;
  }

  /**
   * Highlights in the strip the row of a cell of the map.
   * @param {{ query: number, key: number } | null} cell
   */
  highlightCell(cell) {
    const { map, strip } = this.#views;
    this.#hovers++;
    if (cell) strip.light(cell.query, map.row(cell.query), cell.key);
    else strip.light(null);
  }

  /**
   * Moves the map's crosshair to the key that a token attends to most.
   * @param {number} position
   */
  selectRow(position) {
    const { map } = this.#views;
    const row = map.row(position);
    if (position < map.length) map.select({ query: position, key: row ? row.indexOf(Math.max(...row)) : position });
  }
}
