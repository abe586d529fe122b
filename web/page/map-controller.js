/** Updates the grid, the map and the highlights of the strip with the attention of the model. */
import { meanOverHeads } from '../draw/rows.js';
import { describeHead } from './head-description.js';

/** Most weights requested at once: 4 MB, so that a long prompt neither fills the memory nor delays a frame. */
const BLOCK_WEIGHTS = 1 << 20;

/** Most missing weights that are still requested after an abort: one or two seconds. */
const LAST_WEIGHTS = 1 << 24;

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

/**
 * End and progress of the requests for the rows of a long text.
 * @typedef {object} Watch
 * @property {AbortSignal} [signal] ends the requests, unless few rows are missing
 * @property {(rows: number, all: number) => void} [onProgress] called before each request
 */

/**
 * The maps of a model or of one of its parts.
 * @typedef {object} MapForm
 * @property {import('../draw/head-stats.js').MapKind} kind
 * @property {'encoder' | 'decoder' | 'cross'} [of] part of an encoder–decoder
 * @property {number} [layers] of the part; default: of the model
 * @property {() => string[]} [keys] texts of the keys, of maps to another text
 * @property {() => string[]} [rows] texts of the rows, of maps of a source; default: the text
 * @property {(query: number | null, weights?: Float32Array | null, key?: number | null) => void} [light] highlights
 *   tokens; default: in the strip of the text
 */

/** Maps of a decoder. @type {MapForm} */
const CAUSAL = { kind: 'causal' };

export class MapController {
  /** @type {Model} */
  #model;
  #views;
  #idle;
  /** @type {MapForm} */
  #form;
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
  /** @type {Watch} */
  #watch = {};
  /** How often the page has chosen a head. */
  #openings = 0;

  /**
   * @param {Model} model
   * @param {Views} views
   * @param {{ layer: number, head: number } | null} chosen the head to open; null to open one with a clear pattern
   * @param {() => Promise<unknown>} idle resolves when the model holds the whole text
   * @param {MapForm} [form] default: maps of a decoder
   */
  constructor(model, views, chosen, idle, form = CAUSAL) {
    this.#model = model;
    this.#views = views;
    this.#form = form;
    const { heads } = model.info;
    this.#chosen = chosen && chosen.layer < this.#layers && chosen.head < heads ? chosen : null;
    views.map.setAttribute('name', model.info.name);
    views.map.source = async (from, to) => {
      await idle();
      return model.attention({ ...this.#head, ...this.#part, queries: [from, to] });
    };
    this.#idle = idle;
    this.#show(this.#chosen ?? { layer: 0, head: 0 });
  }

  get #layers() {
    return this.#form.layers ?? this.#model.info.layers;
  }

  /** The part of a request for maps. */
  get #part() {
    return this.#form.of && { of: this.#form.of };
  }

  /** Shows the empty maps of the form. @param {{ layer: number, head: number }} head to open */
  #show(head) {
    const { grid, map } = this.#views;
    grid.shape = { layers: this.#layers, heads: this.#model.info.heads, kind: this.#form.kind };
    map.truncate(0);
    this.#open(head);
  }

  /**
   * Shows the maps of another part of the model.
   * @param {MapForm} form
   * @param {string[]} tokens of the rows
   */
  async change(form, tokens) {
    this.#form = form;
    this.cut(tokens, 0);
    const { layer, head } = this.#head;
    this.#show({ layer: Math.min(layer, this.#layers - 1), head });
    const generation = this.#generation;
    await this.#idle(); // an analysis may hold another text in the model
    if (generation !== this.#generation) return;
    await this.follow();
    this.describe();
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
    if (layer >= this.#layers || head >= this.#model.info.heads) return;
    this.#chosen = { layer, head };
    this.#open({ layer, head });
  }

  /** @param {{ layer: number, head: number }} head */
  #open(head) {
    this.#head = head;
    this.#views.grid.selected = head;
    this.#clearMap();
    this.describe();
  }

  /** Shows the open map without rows. The map requests visible rows. */
  #clearMap() {
    const { grid, map } = this.#views;
    const { kind } = this.#form;
    const rows = { causal: map.length, cross: grid.length, bidirectional: grid.length && Infinity }[kind];
    this.#fillMap({ data: new Float32Array(0), queries: 0, keys: 0, firstQuery: 0 }, rows);
  }

  /** @param {import('../draw/rows.js').RowBlock} block rows of the open head @param {number} end of the known rows */
  #fillMap(block, end) {
    const { kind, keys } = this.#form;
    const rowTokens = this.#tokens.slice(0, end);
    this.#views.map.data = { ...block, ...this.#head, causal: kind === 'causal',
      ...(keys ? { tokens: keys(), queryTokens: rowTokens } : { tokens: rowTokens }) };
  }

  /** Describes the open head. */
  describe() {
    const { layer, head } = this.#head;
    if (this.#form.kind === 'cross') {
      this.#views.headLine.textContent =
        `Layer ${layer}, head ${head}. A dark column is a token that many rows attend to.`;
      return;
    }
    const { text, lesson } = describeHead(layer, head, this.#views.grid.stats.of(layer, head),
      this.#form.kind === 'causal');
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
    const { grid, map } = this.#views;
    this.#generation++;
    this.#means.clear();
    this.#arrived.clear();
    this.#tokens = this.#form.rows?.() ?? tokens;
    const stays = this.#form.kind === 'bidirectional' ? 0 : kept; // each row of an encoder covers the whole text
    map.truncate(Math.min(stays, map.length));
    grid.truncate(stays);
    this.#light(null);
  }

  /** @param {number | null} query @param {Float32Array | null} [weights] @param {number | null} [key] */
  #light(query, weights, key) {
    const { light = this.#views.strip.light.bind(this.#views.strip) } = this.#form;
    light(query, weights, key);
  }

  /**
   * Shows the rows of all tokens that the model has read. Rows that did not arrive with their tokens are requested, for
   * example the rows of a prompt.
   * @param {Rows[]} [arrived] in order; default: none, and all rows up to the model's position are shown
   * @param {Watch} [watch]
   */
  async follow(arrived = [], watch = {}) {
    this.#watch = watch;
    const last = arrived.at(-1);
    this.#end = last ? last.firstQuery + last.queries : this.#rows;
    for (const rows of arrived) {
      if (rows.firstQuery >= this.#views.grid.length) this.#arrived.set(rows.firstQuery, rows);
    }
    this.#takeArrived();
    const generation = this.#generation;
    await this.#following;
    if (generation !== this.#generation) return; // #end is of another text
    this.#following ??= this.#ask().finally(() => {
      this.#following = null;
    });
    await this.#following;
  }

  /** Shows the maps of the model again, because it has run the same text with other edits. */
  async refresh() {
    const generation = ++this.#generation;
    // The new rows arrive before the old rows are removed, so that the map is never empty.
    const rows = await this.#unlessStale(generation, this.#askRows(0, this.#rows));
    if (!rows) return;
    this.#means.clear();
    this.#arrived.clear();
    this.#clearMap();
    this.#views.grid.truncate(0);
    this.#light(null);
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
    const { kind } = this.#form;
    // The rows of a causal block have as many keys as the last of them.
    const rows = kind === 'causal' ? (Math.sqrt(from ** 2 + 4 * BLOCK_WEIGHTS / this.#weightsOf(1)) - from) / 2
      : BLOCK_WEIGHTS / this.#weightsOf(to);
    const position = Math.min(to, from + Math.max(1, Math.floor(rows)));
    return this.#model.attentionRows({ ...this.#part, queries: [from, position],
      ...(kind !== 'bidirectional' && { position }) });
  }

  /** Weights of one row of all heads. @param {number} length of the text */
  #weightsOf(length) {
    const { keys } = this.#form;
    return this.#layers * this.#model.info.heads * (keys ? keys().length : length);
  }

  /** Whether an abort has left out rows. */
  get isPartial() {
    return this.#views.grid.length < this.#rows;
  }

  /** Number of rows of the maps: 0 until the model has read a token of the text, also for the maps of a source. */
  get #rows() {
    const { position } = this.#model;
    return position && (this.#form.rows?.().length ?? position);
  }

  async #ask() {
    const { grid, map } = this.#views;
    const generation = this.#generation;
    while (grid.length < this.#end) {
      const from = grid.length;
      const { signal, onProgress } = this.#watch;
      const isLong = (this.#end - from) * this.#weightsOf(this.#end) > LAST_WEIGHTS;
      // Meanwhile the map requests its visible rows itself.
      if (isLong && onProgress && map.queryCount < this.#end) map.extend(this.#tokens.slice(map.queryCount, this.#end));
      if (isLong && signal?.aborted) return;
      onProgress?.(from, this.#end);
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
      const block = { data, queries, keys: rows.keys, firstQuery };
      const { kind } = this.#form;
      const end = kind === 'bidirectional' ? Infinity : firstQuery + queries;
      if (kind !== 'causal' && map.queryCount === 0) this.#fillMap(block, end);
      else if (map.queryCount <= end) map.extend(this.#tokens.slice(map.queryCount, end), block);
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

  /** Drops all pending answers, because the model reads another text, or another model uses the views. */
  drop() {
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
   * @param {{ ofSource?: boolean }} [options] ofSource: the token is one of the source; default false
   */
  async highlightToken(position, { ofSource = false } = {}) {
    const { map } = this.#views;
    const hover = ++this.#hovers;
    if (position === null || ofSource !== Boolean(this.#form.rows) || position >= map.queryCount) {
      this.#light(null);
      return;
    }
    const known = this.#highlight === 'head' ? map.row(position) : this.#means.get(position);
    const weights = known ?? await this.#unlessStale(this.#generation, this.#weights(position));
    if (hover === this.#hovers) this.#light(position, weights);
  }

  /**
   * @param {number} position
   * @returns {Promise<Float32Array>} [key]
   */
  async #weights(position) {
    /** @type {[number, number]} */
    const queries = [position, position + 1];
    await this.#idle();
    const rows = { ...this.#part, queries };
    if (this.#highlight === 'head') return (await this.#model.attention({ ...this.#head, ...rows })).data;
    const mean = meanOverHeads(await this.#model.attentionRows(rows));
    this.#means.set(position, mean);
    return mean;
  }

  /**
   * Highlights in the strip the row of a cell of the map.
   * @param {{ query: number, key: number } | null} cell
   */
  highlightCell(cell) {
    this.#hovers++;
    if (cell) this.#light(cell.query, this.#views.map.row(cell.query), cell.key);
    else this.#light(null);
  }

  /**
   * Moves the map's crosshair to the key that a token attends to most.
   * @param {number} position
   * @param {{ ofSource?: boolean }} [options] ofSource: the token is one of the source; default false
   */
  selectRow(position, { ofSource = false } = {}) {
    const { map } = this.#views;
    if (ofSource !== Boolean(this.#form.rows)) return;
    const row = map.row(position);
    if (position < map.queryCount) map.select({ query: position, key: row ? row.indexOf(Math.max(...row)) : position });
  }
}
