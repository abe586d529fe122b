/** Keeps the grid, the map and the lights of the strip in step with what the model has read. */
import { meanOverHeads } from '../draw/rows.js';
import { describeHead } from './head-description.js';

/** Weights of all heads asked for at once: 4 MB, so that a long prompt neither fills memory nor holds up a frame. */
const BLOCK_NUMBERS = 1 << 20;

/** Rows from which the most telling head can be told: at a first look, and with some certainty. */
const TELLING_ROWS = [8, 32];

/** @typedef {import('../../js/index.js').Model} Model */
/** @typedef {Awaited<ReturnType<Model['attentionRows']>>} Rows */

/**
 * @typedef {object} Views
 * @property {import('../elements/index.js').HeedHeadGrid} grid
 * @property {import('../elements/index.js').HeedAttentionMap} map
 * @property {import('../elements/index.js').HeedTokenStrip} strip
 * @property {HTMLElement} look the line that says what to look at
 */

export class MapController {
  /** @type {Model} */
  #model;
  #views;
  #quiet;
  /** @type {string[]} */
  #tokens = [];
  /** The head that was asked for; without one the most telling head opens as soon as it can be told. */
  #chosen;
  #head = { layer: 0, head: 0 };
  /** Grows with every cut: rows asked for before it are not taken. */
  #generation = 0;
  /** @type {'head' | 'mean'} */
  #lit = 'head';
  /** @type {Map<number, Float32Array>} */
  #means = new Map();
  /** Grows with every token hovered: an answer that comes late lights nothing. */
  #hover = 0;
  /** Rows that came with the text, by their first query. @type {Map<number, Rows>} */
  #come = new Map();
  /** Tokens whose rows are wanted: the text may be ahead of what is shown of it. */
  #end = 0;
  /** @type {Promise<void> | null} */
  #following = null;
  /** Looks taken. */
  #told = 0;

  /**
   * @param {Model} model
   * @param {Views} views
   * @param {{ layer: number, head: number } | null} chosen the head to open first
   * @param {() => Promise<unknown>} quiet when the session holds the whole text: for a moment it may not
   */
  constructor(model, views, chosen, quiet) {
    this.#model = model;
    this.#views = views;
    const { layers, heads } = model.info;
    this.#chosen = chosen && chosen.layer < layers && chosen.head < heads ? chosen : null;
    views.grid.shape = { layers, heads };
    views.map.setAttribute('name', model.info.name);
    views.map.source = async (from, to) => {
      await quiet();
      return model.attention({ ...this.#head, queries: [from, to] });
    };
    this.#quiet = quiet;
    this.#open(this.#chosen ?? { layer: 0, head: 0 });
  }

  /** @returns {{ layer: number, head: number } | null} the head that someone chose */
  get chosen() {
    return this.#chosen;
  }

  /** @param {{ layer: number, head: number }} head */
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

  /** Says what the open head does, as far as it can be told by now. */
  describe() {
    const { layer, head } = this.#head;
    const { text, lesson } = describeHead(layer, head, this.#views.grid.habits.of(layer, head));
    const why = this.#chosen || !lesson ? '' : 'Opened because its habit is the easiest to see. ';
    this.#views.look.textContent = `${why}${text} `;
    if (!lesson) return;
    const link = document.createElement('a');
    link.href = `./lessons/${lesson.name}.html`;
    link.textContent = lesson.title;
    this.#views.look.append(link);
  }

  /**
   * The text is another from a position on.
   * @param {string[]} tokens the whole text
   * @param {number} kept tokens from its start that are as before
   */
  cut(tokens, kept) {
    const { grid, map, strip } = this.#views;
    this.#generation++;
    this.#means.clear();
    this.#come.clear();
    this.#tokens = tokens;
    map.truncate(Math.min(kept, map.length));
    grid.truncate(kept);
    strip.light(null);
  }

  /**
   * Takes the rows of every token that the model has read since.  Those that did not come with the text are asked for:
   * the rows of a prompt.
   * @param {Rows[]} [come] in order; without them all that the model has read is asked for
   */
  async follow(come = []) {
    const last = come.at(-1);
    this.#end = last ? last.firstQuery + last.queries : this.#model.position;
    for (const rows of come) if (rows.firstQuery >= this.#views.grid.length) this.#come.set(rows.firstQuery, rows);
    this.#takeCome();
    await this.#following;
    this.#following ??= this.#ask().finally(() => {
      this.#following = null;
    });
    await this.#following;
  }

  async #ask() {
    const { grid } = this.#views;
    const { layers, heads } = this.#model.info;
    const generation = this.#generation;
    while (grid.length < this.#end) {
      const from = grid.length;
      const next = Math.min(this.#end, ...this.#come.keys());
      const most = Math.max(1, Math.floor(BLOCK_NUMBERS / (layers * heads * next)));
      const position = Math.min(next, from + most);
      const answer = this.#model.attentionRows({ queries: [from, position], position });
      const rows = await this.#wanted(generation, answer);
      if (!rows) return;
      this.#take([rows]);
      if (grid.length === from) return; // the grid refused the rows, and says why
      this.#takeCome();
    }
  }

  /** Takes the rows that came with the text, as far as those before them are there. */
  #takeCome() {
    const rows = [];
    let next = this.#views.grid.length;
    for (let one; (one = this.#come.get(next)); next += one.queries) {
      rows.push(one);
      this.#come.delete(next);
    }
    if (rows.length) this.#take(rows);
  }

  /** @param {Rows[]} blocks that follow what there is */
  #take(blocks) {
    const { grid, map } = this.#views;
    for (const rows of blocks) {
      const { firstQuery, queries } = rows;
      grid.extend(rows, this.#tokens.slice(firstQuery, firstQuery + queries));
      const { layer, head } = this.#head;
      const at = (layer * rows.heads + head) * rows.queries * rows.keys;
      const data = rows.data.subarray(at, at + rows.queries * rows.keys);
      map.extend(this.#tokens.slice(map.length, rows.firstQuery + rows.queries), { ...rows, data });
      this.#openTelling();
    }
  }

  /** Opens the most telling head, when there is enough to tell and if nobody has chosen another. */
  #openTelling() {
    if (this.#chosen || !(this.#views.grid.length >= TELLING_ROWS[this.#told])) return;
    this.#told++;
    const { layer, head } = this.#views.grid.habits.strongestPreviousTokenHead() ?? this.#head;
    if (layer !== this.#head.layer || head !== this.#head.head) this.#open({ layer, head });
  }

  /**
   * An answer of the model, or null if the text or the model is another by then: nobody wants it, nor why it failed.
   * @template T
   * @param {number} generation
   * @param {Promise<T>} answer
   * @returns {Promise<T | null>}
   */
  async #wanted(generation, answer) {
    try {
      const result = await answer;
      return generation === this.#generation ? result : null;
    } catch (error) {
      if (generation !== this.#generation) return null;
      throw error;
    }
  }

  /** Another model takes the views over. */
  close() {
    this.#generation++;
    this.#hover++;
  }

  /** @param {'head' | 'mean'} lit what lights the strip */
  set lit(lit) {
    this.#lit = lit;
  }

  /**
   * Lights in the strip what a token attends to.
   * @param {number | null} position
   */
  async light(position) {
    const { map, strip } = this.#views;
    const turn = ++this.#hover;
    if (position === null || position >= map.length) {
      strip.light(null);
      return;
    }
    const known = this.#lit === 'head' ? map.row(position) : this.#means.get(position);
    const weights = known ?? await this.#wanted(this.#generation, this.#weights(position));
    if (turn === this.#hover) strip.light(position, weights);
  }

  /**
   * @param {number} position
   * @returns {Promise<Float32Array>} [key]
   */
  async #weights(position) {
    /** @type {[number, number]} */
    const queries = [position, position + 1];
    await this.#quiet();
    if (this.#lit === 'head') return (await this.#model.attention({ ...this.#head, queries })).data;
    const mean = meanOverHeads(await this.#model.attentionRows({ queries }));
    this.#means.set(position, mean);
    return mean;
  }

  /**
   * Lights the row of a cell of the map.
   * @param {{ query: number, key: number } | null} cell
   */
  lightCell(cell) {
    const { map, strip } = this.#views;
    this.#hover++;
    if (cell) strip.light(cell.query, map.row(cell.query), cell.key);
    else strip.light(null);
  }

  /**
   * Moves the map's crosshair to what a token attends to most.
   * @param {number} position
   */
  select(position) {
    const { map } = this.#views;
    const row = map.row(position);
    if (position < map.length) map.select({ query: position, key: row ? row.indexOf(Math.max(...row)) : position });
  }
}
