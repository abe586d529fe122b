import { checkBlock, checkCount, checkObject, checkTexts, InputError } from '../draw/check.js';
import { makePalette } from '../draw/color.js';
import { LABEL, paintCrosshair, paintMap } from '../draw/paint.js';
import { shadingOf } from '../draw/raster.js';
import { Rows } from '../draw/rows.js';
import { SCALES } from '../draw/scale.js';
import { attendsSentence, maskedSentence } from '../draw/sentence.js';
import { tokenLabel, tokenName } from '../draw/token.js';
import { boxInWindow, cellAfterKey, cellAt, CELL_SIZES, exactCellSize, fittingCellSize, GAPPED_CELL, labelAt,
  nextCellSize, pointInElement, scrollToCell, scrollToEnd, visible } from '../draw/view.js';
import { STYLE } from './attention-map-style.js';
import { h, messageOf, sized } from './dom.js';
import { button, ExportMenu } from './export-menu.js';
import { HeedFigure } from './figure.js';
import { Legend } from './legend.js';
import { checkSavable, mapFile } from './map-file.js';
import { tableOf } from './map-table.js';

/** The largest cell that fits, but none smaller than one whose tokens can be named: then the map scrolls. */
const READABLE_CELL = CELL_SIZES.find((cell) => cell >= LABEL) ?? GAPPED_CELL;
const LEFT = 94;
/** Room above the map for the words at its corner. */
const CORNER = 44;
/** Room above the map for a label of so many characters. @param {number} characters */
const roomAbove = (characters) => Math.max(CORNER, 14 + Math.ceil(7.2 * characters));
/** @type {import('./map-file.js').Format[]} */
const FORMATS = ['png', 'svg', 'csv', 'json'];
const HINT = 'Point at a cell, or walk with the arrow keys.';

/**
 * @typedef {object} AttentionMapData
 * @property {Float32Array | Float64Array} data [query][key], rows sum to 1
 * @property {number} queries rows in data
 * @property {number} keys columns in data
 * @property {number} firstQuery position of the first row
 * @property {string[]} tokens of the whole text, as they are; of the columns
 * @property {string[]} [queryTokens] of the rows, where they are those of another text (cross-attention)
 * @property {number} [layer] of the sentences; a model of one map has neither
 * @property {number} [head]
 * @property {boolean} [causal] whether tokens see only what came before; default: where rows and columns are one text
 */

/**
 * `<heed-attention-map>`: one head's map, rows the queries, columns the keys.
 *
 *     map.data = await model.attention({ layer: 3, head: 2 });
 *
 * For long texts `map.source = (from, to) => rows` gives rows when they are scrolled to; `data` may then hold a few or
 * none. `map.provenance = { model, prompt, seed }` goes into every file.
 *
 * Tells `heed-map-cell` with { cell: { query, key, weight } | null }, and `heed-map-options` with
 * { scale, leaveFirstOut }.
 */
export class HeedAttentionMap extends HeedFigure {
  #rows = new Rows();
  /** @type {string[]} */
  #tokens = [];
  /** Of the rows, where they are those of another text. @type {string[] | undefined} */
  #queryTokens;
  /** @type {number | undefined} */
  #layer;
  /** @type {number | undefined} */
  #head;
  /** @type {((from: number, to: number) => Promise<import('../draw/rows.js').RowBlock>) | null} */
  source = null;
  /** Another map since: answers of the source to older questions are dropped. */
  #generation = 0;
  #asking = false;

  /** @type {import('../draw/scale.js').ScaleKind} */
  #scale = 'linear';
  #leaveFirstOut = false;
  /** @type {number | null} */
  #max = null;
  /** The cell's side that was chosen; 'fit' for the whole map, 'auto' for the whole map while its tokens can be named.
   *  @type {number | 'auto' | 'fit'} */
  #zoom = 'auto';
  #cell = READABLE_CELL;
  /** Room for the keys' labels. */
  #top = CORNER;
  /** The cell under the pointer. @type {import('../draw/view.js').Cell | null} */
  #hovered = null;
  /** The cell that was clicked, or chosen with the arrow keys. @type {import('../draw/view.js').Cell | null} */
  #chosen = null;
  #mapDirty = true;
  /** Whether the last row is in the window, so that it stays there as the text grows or the window changes. */
  #atEnd = true;
  /** Whether the text has grown row by row; a map that was given whole stays where it is. */
  #growing = false;
  #follows = false;

  #palette = makePalette([255, 255, 255]);
  /** @type {import('../draw/paint.js').Ink | null} */
  #ink = null;

  #mapCanvas = h('canvas', { 'aria-hidden': 'true' });
  #crossCanvas = h('canvas', { 'aria-hidden': 'true' });
  #layers = h('div', { class: 'layers' }, this.#mapCanvas, this.#crossCanvas);
  #extent = h('div', {}, this.#layers);
  #window = h('div', { class: 'window', tabindex: 0, role: 'application', 'aria-roledescription': 'attention map' },
    this.#extent);
  #output = h('output', { 'aria-live': 'polite', class: 'hint' });
  #legend = new Legend();
  #scaleSelect = h('select', {}, ...SCALES.map((kind) => h('option', { value: kind }, kind)));
  #firstOutBox = h('input', { type: 'checkbox' });
  #table = h('div', { class: 'scroller', tabindex: 0, role: 'region', 'aria-label': 'The map as a table' });
  #details = h('details', {}, h('summary', {}, 'The numbers as a table'), this.#table);
  /** The window that the last drawing was made for. */
  #fitted = { width: 0, height: 0 };
  #observer = new ResizeObserver(() => {
    const { clientWidth, clientHeight } = this.#window;
    if (clientWidth === this.#fitted.width && clientHeight === this.#fitted.height) return;
    this.#follows ||= this.#growing;
    this.#changed();
  });

  constructor() {
    super(STYLE);
    const firstOut = h('label', {}, this.#firstOutBox, 'leave out the first token');
    firstOut.title = 'Hides the first column and scales the colors to the rest. Weights are not renormalised.';
    const bar = h('div', { class: 'bar' },
      h('label', {}, 'scale', this.#scaleSelect), firstOut,
      h('span', { role: 'group', 'aria-label': 'zoom' },
        button('−', 'Smaller cells', () => this.#zoomTo(nextCellSize(this.#cell, -1))),
        button('+', 'Larger cells', () => this.#zoomTo(nextCellSize(this.#cell, 1))),
        button('fit', 'fit the whole map', () => this.#zoomTo('fit'))));
    const menu = new ExportMenu({
      subject: 'map', formats: FORMATS, make: (format, wishes) => this.export(format, wishes),
      fileName: () => (this.#layer === undefined ? 'attention' : `attention-layer-${this.#layer}-head-${this.#head}`),
    });
    const top = h('div', { class: 'top' }, this.#output, this.#legend.element);
    const more = h('div', { class: 'more' }, this.#details, menu.element);
    this.root.append(h('figure', {}, top, this.#window, bar, more));
    this.#scaleSelect.addEventListener('change', () => {
      this.scale = /** @type {import('../draw/scale.js').ScaleKind} */ (this.#scaleSelect.value);
      this.#tellOptions();
    });
    this.#firstOutBox.addEventListener('change', () => {
      this.leaveFirstOut = this.#firstOutBox.checked;
      this.#tellOptions();
    });
    this.#window.addEventListener('scroll', () => {
      const { scrollTop, scrollHeight, clientHeight } = this.#window;
      this.#atEnd = scrollHeight - scrollTop - clientHeight < 2 * this.#cell;
      this.#hovered = null;
      this.#changed();
    }, { passive: true });
    this.#window.addEventListener('pointermove', (event) => this.#point(event));
    this.#window.addEventListener('pointerleave', () => this.#hover(null));
    this.#window.addEventListener('click', (event) => this.#point(event, true));
    this.#window.addEventListener('keydown', (event) => this.#walk(event));
    this.#details.addEventListener('toggle', () => this.#fillTable());
  }

  connectedCallback() {
    super.connectedCallback();
    this.#observer.observe(this.#window);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#observer.disconnect();
  }

  /** @param {AttentionMapData} map which replaces the one there was */
  set data(map) {
    this.accept('data', () => {
      const { causal, block, tokens, queryTokens, layer, head } = checkMap(map);
      this.#generation++;
      this.#rows = new Rows({ causal });
      this.#rows.add(block);
      this.#tokens = tokens;
      this.#queryTokens = queryTokens;
      this.#layer = layer;
      this.#head = head;
      this.#top = CORNER;
      this.#makeRoom(tokens);
      this.#hovered = null;
      this.#growing = false;
      if (this.#chosen && !this.#holds(this.#chosen)) this.#chosen = null;
      this.#changed();
      this.#speak();
    });
  }

  /** @param {import('../draw/view.js').Cell} cell */
  #holds({ query, key }) {
    return query < (this.#queryTokens ?? this.#tokens).length && key < this.#tokens.length;
  }

  /** Tells screen readers what the map is of. */
  #rename() {
    const where = this.#layer === undefined ? '' : ` layer ${this.#layer}, head ${this.#head},`;
    const size = `${this.#queryTokens ? `${this.#queryTokens.length} by ` : ''}${this.#tokens.length}`;
    const name = `Attention map of${where} ${size} tokens. Arrow keys walk over its cells.`;
    if (this.#window.getAttribute('aria-label') !== name) this.#window.setAttribute('aria-label', name);
  }

  /**
   * The text has grown.
   * @param {string[]} tokens that follow
   * @param {import('../draw/rows.js').RowBlock} [rows] theirs, where they are at hand
   */
  extend(tokens, rows) {
    this.accept('data', () => {
      const texts = checkTexts(tokens, 'tokens');
      const block = rows && checkBlock(rows, 'rows', this.#rows);
      for (const text of texts) this.#tokens.push(text);
      this.#makeRoom(texts);
      if (block) this.#rows.add(block);
      this.#growing = this.#follows = true;
      this.#changed();
      this.#speak();
    });
  }

  /**
   * The text was cut back.
   * @param {number} length tokens that stay
   */
  truncate(length) {
    this.accept('data', () => {
      checkCount(length, 'length');
      this.#generation++;
      this.#tokens.length = Math.min(this.#tokens.length, length);
      this.#rows.truncate(length);
      this.#hovered = null;
      if (this.#chosen && this.#chosen.query >= length) this.#chosen = null;
      this.#changed();
      this.#speak();
    });
  }

  /** Tokens on the axes. */
  get length() {
    return this.#tokens.length;
  }

  get scale() {
    return this.#scale;
  }

  set scale(scale) {
    this.accept('scale', () => {
      if (!SCALES.includes(scale)) {
        throw new InputError(`scale must be one of ${SCALES.join(', ')}, got ${String(scale)}.`);
      }
      this.#scale = scale;
      this.#scaleSelect.value = scale;
      this.#changed();
    });
  }

  /** The weight of the last color, so that maps beside each other can be compared; null, which is the default, for the
   *  largest weight of the map. */
  get max() {
    return this.#max;
  }

  set max(max) {
    this.#max = max;
    this.#changed();
  }

  /** @param {Rows} rows */
  #shadingOf(rows) {
    return shadingOf(rows, { kind: this.#scale, leaveFirstOut: this.#leaveFirstOut, max: this.#max });
  }

  get leaveFirstOut() {
    return this.#leaveFirstOut;
  }

  /** Hides the first column, where many heads put most of their weight, and makes the scale for what is left. */
  set leaveFirstOut(leave) {
    this.#leaveFirstOut = Boolean(leave);
    this.#firstOutBox.checked = this.#leaveFirstOut;
    this.#changed();
  }

  /**
   * The known weights of one token, [key], or null.
   * @param {number} query
   */
  row(query) {
    return this.#rows.get(query)?.weights ?? null;
  }

  /**
   * Where a cell is in the browser's window, to point at it.
   * @param {import('../draw/view.js').Cell} cell
   * @returns {DOMRect}
   */
  boxOf({ query, key }) {
    const { left, top, cell, scrollX, scrollY } = this.#view();
    const part = { x: left + key * cell - scrollX, y: top + query * cell - scrollY, width: cell, height: cell };
    const { x, y, width, height } = boxInWindow(this.#layers.getBoundingClientRect(), this.#layersSize(), part);
    return new DOMRect(x, y, width, height);
  }

  /** The size of the layers before a transform of the page scales them. */
  #layersSize() {
    return { width: this.#layers.offsetWidth, height: this.#layers.offsetHeight };
  }

  /**
   * Moves the crosshair and scrolls it into view; tells nobody.
   * @param {import('../draw/view.js').Cell | null} cell
   */
  select(cell) {
    this.accept('cell', () => {
      this.#chosen = cell && this.#checkCell(cell);
      if (this.#chosen) {
        const { x, y } = scrollToCell(this.#layOut(), this.#chosen);
        this.#window.scrollTo(x, y);
      }
      this.#speak();
      this.invalidate();
    });
  }

  /** @param {import('../draw/view.js').Cell} cell */
  #checkCell(cell) {
    const { query, key } = checkObject(cell, 'cell', '{ query, key }');
    checkCount(query, 'cell.query', 0, (this.#queryTokens ?? this.#tokens).length - 1);
    checkCount(key, 'cell.key', 0, this.#tokens.length - 1);
    return { query, key };
  }

  themeChanged() {
    const { paper, unknown, text, muted, hatch, face, mono } = this.colors();
    this.#palette = makePalette(paper);
    this.#ink = { text, muted, hatch, unknown, font: `12px ${face}`, mono: `12px ${mono}` };
    this.#mapDirty = true;
  }

  redraw() {
    if (!this.#ink) return;
    let view = this.#layOut();
    if (this.#follows && this.#atEnd) {
      const { x, y } = scrollToEnd(view);
      this.#window.scrollTo(x, y);
      view = this.#view();
    }
    this.#follows = false;
    if (view.width <= view.left || view.height <= view.top) return;
    const scene = this.#scene(view, this.#rows, this.#ink);
    if (this.#mapDirty) {
      this.#mapDirty = false;
      this.#layers.style.width = `${view.width}px`;
      this.#layers.style.height = `${view.height}px`;
      paintMap(sized(this.#mapCanvas, view.width, view.height), scene);
      this.#legend.show(scene.shading, this.#palette, view.cell);
      if (this.#details.open) this.#fillTable();
      void this.#ask(view);
    }
    const at = this.#hovered ?? this.#chosen;
    // A browser composes a canvas anew that was painted, even with nothing.
    this.#crossCanvas.hidden = !at;
    if (!at) return;
    const cross = sized(this.#crossCanvas, view.width, view.height);
    cross.clearRect(0, 0, view.width, view.height);
    paintCrosshair(cross, scene, at);
  }

  /**
   * @param {import('../draw/view.js').View} view
   * @param {Rows} rows
   * @param {import('../draw/paint.js').Ink} ink
   * @returns {import('../draw/paint.js').Scene}
   */
  #scene(view, rows, ink) {
    const shading = this.#shadingOf(rows);
    return { view, rows, tokens: this.#tokens, queryTokens: this.#queryTokens, shading, palette: this.#palette, ink };
  }

  /** The longest label says how high the axis is. @param {string[]} tokens on it */
  #makeRoom(tokens) {
    for (const token of tokens) this.#top = Math.max(this.#top, roomAbove(Array.from(tokenLabel(token)).length));
  }

  #changed() {
    this.#rename();
    this.#mapDirty = true;
    this.invalidate();
  }

  /** @returns {import('../draw/view.js').View} */
  #view() {
    const { clientWidth: width, clientHeight: height, scrollLeft: scrollX, scrollTop: scrollY } = this.#window;
    const { causal } = this.#rows;
    return { width, height, left: LEFT, top: this.#top, cell: this.#cell, scrollX, scrollY, count: this.#tokens.length,
      queryCount: this.#queryTokens?.length, causal };
  }

  /** Gives the map its size, so that the window can scroll over it: again where that makes a scrollbar come or go. */
  #layOut() {
    const { width, height } = this.#fit();
    const view = this.#view();
    if (view.width === width && view.height === height) return view;
    this.#fit();
    return this.#view();
  }

  /** @returns {{ width: number, height: number }} of the window before */
  #fit() {
    const { clientWidth, clientHeight } = this.#window;
    this.#fitted = { width: clientWidth, height: clientHeight };
    const keys = this.#tokens.length;
    const queries = this.#queryTokens?.length ?? keys;
    const room = { width: clientWidth - LEFT, height: clientHeight - this.#top, keys, queries };
    const { auto, fit } = { auto: Math.max(READABLE_CELL, fittingCellSize(room)), fit: exactCellSize(room) };
    this.#cell = { auto, fit }[this.#zoom] ?? Number(this.#zoom);
    this.#extent.style.width = `max(100%, ${Math.floor(LEFT + this.#cell * keys)}px)`;
    this.#extent.style.height = `max(100%, ${Math.floor(this.#top + this.#cell * queries)}px)`;
    return this.#fitted;
  }

  /** @param {number | 'fit'} zoom */
  #zoomTo(zoom) {
    const { scrollTop, scrollLeft } = this.#window;
    const before = this.#cell;
    this.#zoom = zoom;
    this.#layOut();
    const ratio = this.#cell / before;
    this.#window.scrollTo(scrollLeft * ratio, scrollTop * ratio);
    this.#changed();
  }

  /**
   * Asks the source for the rows in the window that are not known, and as many again on either side.
   * @param {import('../draw/view.js').View} view
   */
  async #ask(view) {
    const { queries: [from, to] } = visible(view);
    if (!this.source || this.#asking || !this.#rows.missing(from, to)) return;
    const margin = to - from;
    const range = this.#rows.missing(Math.max(0, from - margin), Math.min(view.count, to + margin));
    if (!range) return;
    const generation = this.#generation;
    this.#asking = true;
    try {
      const block = checkBlock(await this.source(...range), 'rows', this.#rows);
      const { firstQuery, queries } = block;
      if (firstQuery > range[0] || firstQuery + queries <= range[0]) {
        throw new InputError(`its source was asked for rows from ${range[0]} to ${range[1] - 1} and gave ${
          queries === 0 ? 'none' : `rows from ${firstQuery} to ${firstQuery + queries - 1}`}.`);
      }
      if (generation === this.#generation) {
        this.#rows.add(block);
        this.#rows.prune(from, to);
      }
    } catch (error) {
      if (generation === this.#generation) {
        this.#say(`The map could not be read: ${messageOf(error)}`);
        return;
      }
    } finally {
      this.#asking = false;
    }
    this.#changed();
    this.#speak();
  }

  #tellOptions() {
    this.emit('heed-map-options', { scale: this.#scale, leaveFirstOut: this.#leaveFirstOut });
  }

  /**
   * @param {MouseEvent} event
   * @param {boolean} [choose]
   */
  #point(event, choose = false) {
    const view = this.#view();
    const at = { x: event.clientX, y: event.clientY };
    const { x, y } = pointInElement(this.#layers.getBoundingClientRect(), this.#layersSize(), at);
    const label = labelAt(view, x, y);
    const named = x < view.left ? this.#queryTokens ?? this.#tokens : this.#tokens;
    this.#window.title = label === null ? '' : `${label}: ${tokenName(named[label])}`;
    const cell = cellAt(view, x, y);
    if (choose && cell) this.#chosen = cell;
    this.#hover(cell);
  }

  /** @param {import('../draw/view.js').Cell | null} cell */
  #hover(cell) {
    if (cell?.query === this.#hovered?.query && cell?.key === this.#hovered?.key) return;
    this.#hovered = cell;
    this.#tellCell();
  }

  #tellCell() {
    const cell = this.#hovered ?? this.#chosen;
    this.#speak();
    this.emit('heed-map-cell', { cell: cell && { ...cell, weight: this.#weightAt(cell) } });
    this.invalidate();
  }

  /**
   * The weight of a cell: 0 where it is masked, null where its row has not come yet.
   * @param {import('../draw/view.js').Cell} cell
   */
  #weightAt({ query, key }) {
    const row = this.#rows.get(query);
    return row ? row.weights[key] ?? 0 : null;
  }

  /** Says the cell in words. */
  #speak() {
    const cell = this.#hovered ?? this.#chosen;
    if (!cell) {
      this.#say(this.#tokens.length > 0 ? HINT : '', true);
      return;
    }
    const query = { token: (this.#queryTokens ?? this.#tokens)[cell.query], at: cell.query };
    const key = { token: this.#tokens[cell.key], at: cell.key };
    const weight = this.#weightAt(cell);
    if (cell.key >= this.#rows.seen(cell.query, this.#tokens.length)) this.#say(maskedSentence({ query, key }));
    else if (weight !== null) this.#say(attendsSentence({ query, key, weight, layer: this.#layer, head: this.#head }));
  }

  /**
   * @param {string} sentence
   * @param {boolean} [hint]
   */
  #say(sentence, hint = false) {
    if (this.#output.textContent !== sentence) this.#output.textContent = sentence;
    this.#output.classList.toggle('hint', hint);
  }

  /** @param {KeyboardEvent} event */
  #walk(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || this.#tokens.length === 0) return;
    if (event.key === '+' || event.key === '-') {
      event.preventDefault();
      this.#zoomTo(nextCellSize(this.#cell, event.key === '+' ? 1 : -1));
      return;
    }
    if (event.key === 'Escape' && !this.#chosen) return;
    const to = event.key === 'Escape' ? null : cellAfterKey(this.#view(), this.#chosen, event.key);
    if (to === undefined) return;
    event.preventDefault();
    this.#hovered = null;
    this.select(to);
    this.#tellCell();
  }

  #fillTable() {
    if (!this.#details.open) return;
    const map = { rows: this.#rows, tokens: this.#tokens, queryTokens: this.#queryTokens, layer: this.#layer,
      head: this.#head };
    this.#table.replaceChildren(tableOf(map, visible(this.#view())));
  }

  /**
   * The whole map as a file.
   * @param {import('./map-file.js').Format} format
   * @param {import('./figure.js').ExportOptions} [wishes] how pictures look
   * @returns {Promise<Blob>}
   * @throws {RangeError | TypeError} for a map that is too large for the format, or wishes that no file can have
   */
  async export(format, wishes = {}) {
    const style = this.fileStyle(format, FORMATS, wishes);
    const queryTokens = this.#queryTokens;
    const count = queryTokens?.length ?? this.#tokens.length;
    checkSavable(Math.max(count, this.#tokens.length));
    const rows = new Rows({ causal: this.#rows.causal });
    for (let query = 0; query < count; query++) {
      const weights = this.row(query);
      if (weights) rows.add({ data: weights, queries: 1, keys: weights.length, firstQuery: query });
    }
    const range = rows.missing(0, count);
    if (range && this.source) rows.add(checkBlock(await this.source(...range), 'rows', rows));
    const [layer, head] = [this.#layer, this.#head];
    const where = layer === undefined ? '' : `, layer ${layer}, head ${head}`;
    const shading = shadingOf(rows, { kind: this.#scale, leaveFirstOut: this.#leaveFirstOut });
    const shown = format === 'json' || format === 'csv' ? ''
      : `, ${this.#scale} scale${this.#leaveFirstOut ? ', first token left out' : ''}`;
    const title = `${this.getAttribute('name') ?? 'attention'}${where}${shown}`;
    const plate = { rows, tokens: this.#tokens, queryTokens, layer, head, title, ...this.origin() };
    return mapFile(format, plate, { shading, ...style });
  }
}

/**
 * @param {AttentionMapData} map
 */
function checkMap(map) {
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
  const rows = (queryTokens ?? tokens).length;
  if (firstQuery + queries > rows) {
    throw new InputError(`data has rows up to query ${firstQuery + queries - 1}, and only ${rows} tokens for them.`);
  }
  if (!causal && queries > 0 && keys !== tokens.length) {
    throw new InputError(`data has ${keys} keys and ${tokens.length} tokens; each column needs its token.`);
  }
  return { causal, block, tokens, queryTokens, layer, head };
}
