/** `<heed-attention-map>`: the attention of one head, with controls, a table and files. */
import { checkFunction, InputError } from '../draw/check.js';
import { paletteFor } from '../draw/color.js';
import { makeDivergingPalette } from '../draw/diverging.js';
import { shadingOf } from '../draw/raster.js';
import { SCALES } from '../draw/scale.js';
import { visible } from '../draw/view.js';
import { STYLE } from './attention-map-style.js';
import { choiceAttribute, numberAttribute, textAttribute } from './attributes.js';
import { h, messageOf } from './dom.js';
import { HeedFigure } from './figure.js';
import { Legend } from './legend.js';
import { MapCells } from './map-cells.js';
import { MapContent } from './map-content.js';
import { MapControls } from './map-controls.js';
import { checkSavable, mapFile } from './map-file.js';
import { checkRanges } from './map-range.js';
import { tableOf } from './map-table.js';
import { MapWindow } from './map-window.js';
import { RowLoader } from './row-loader.js';

/** @typedef {import('./map-content.js').AttentionMapData} AttentionMapData */
/** @typedef {import('../draw/view.js').Cell} Cell */
/** @typedef {import('./map-range.js').CellRange} CellRange */

const HINT = 'Point at a cell, or use the arrow keys.';
const EDIT_HINT = ' Drag over cells to silence them.';

/**
 * `<heed-attention-map>`: the attention weights of one head. Rows are queries, columns are keys.
 *
 *     map.data = await model.attention({ layer: 3, head: 2 });
 *
 * For a long text, set `source`: a function `(from, to)` that resolves to the rows [from, to). The map calls it for the
 * rows that it shows, and `data` may hold only some rows or none.
 *
 * Attributes: `scale`, `leave-first-out`, `max`, `layer`, `head`, `difference`, `editable`, `compact`, `name`. Invalid
 * input never throws: the element shows a sentence and fires `heed-error`.
 *
 * @fires heed-map-cell `{ cell: { query, key, weight } | null }` a cell was hovered, clicked or reached by key
 * @fires heed-map-cut `{ queries, keys }` if editable: cells were dragged over, or X or Delete was pressed on selected
 *   cells
 * @fires heed-map-options `{ scale, leaveFirstOut }` a control changed an option
 * @fires heed-error `{ input, error }` an input was refused
 * @throws {never} invalid input does not throw: it fires `heed-error`
 * @extends {HeedFigure<import('./map-file.js').Format>}
 */
export class HeedAttentionMap extends HeedFigure {
  static formats = ['png', 'svg', 'tex', 'tikz', 'html', 'csv', 'json'];
  static attributeReaders = {
    scale: textAttribute('scale', 'linear'),
    'leave-first-out': choiceAttribute('leave-first-out', 'leaveFirstOut', { true: true, false: false }, false),
    max: numberAttribute('max', null),
    difference: choiceAttribute('difference', 'difference', { true: true, false: false }, false),
    layer: numberAttribute('layer', null),
    head: numberAttribute('head', null),
    editable: choiceAttribute('editable', 'editable', { true: true, false: false }, false),
    compact: choiceAttribute('compact', 'compact', { true: true, false: false }, false),
  };

  #content = MapContent.empty();
  #loader = new RowLoader();
  /** @type {import('../draw/scale.js').WeightScale} */
  #scale = 'linear';
  #leaveFirstOut = false;
  #difference = false;
  /** @type {number | null} */
  #max = null;
  /** Layer and head to name if the data does not.
   *  @type {{ layer: number | null, head: number | null }} */
  #where = { layer: null, head: null };
  /** Ranges with an outline. @type {CellRange[]} */
  #marked = [];
  #dirty = true;
  #palette = paletteFor([255, 255, 255]);
  /** @type {Omit<import('../draw/paint.js').Ink, 'font' | 'mono'> | null} */
  #ink = null;
  #fonts = { face: '', mono: '' };

  #window = new MapWindow(() => {
    this.#cells.forgetPointer();
    this.#changed();
  });
  #cells = new MapCells(this.#window, {
    onPoint: () => this.#emitCell(),
    onSelect: (cell) => {
      this.select(cell);
      this.#emitCell();
    },
    onRange: () => {
      this.#speak();
      this.invalidate();
    },
    onClear: () => this.invalidate(),
    onCut: (cells) => this.#cut(cells),
    onZoom: (direction) => this.#zoom(direction),
  });
  #controls = new MapControls({
    onScale: (scale) => {
      this.scale = scale;
      this.#emitOptions();
    },
    onFirstOut: (leave) => {
      this.leaveFirstOut = leave;
      this.#emitOptions();
    },
    onZoom: (step) => this.#zoom(step),
  });
  #output = h('output', { 'aria-live': 'polite', class: 'hint' });
  #legend = new Legend();
  #tools = h('div', { class: 'tools' });
  #folded = h('details', { class: 'folded' }, h('summary', {}, 'Options'));
  #table = h('div', { class: 'scroller', tabindex: 0, role: 'region', 'aria-label': 'Weights as a table' });
  #details = h('details', {}, h('summary', {}, 'Weights as a table'), this.#table);

  constructor() {
    super(STYLE);
    const menu = this.menu({
      subject: 'map', hatched: true,
      fileName: () => {
        const { layer, head } = this.#named;
        const kind = this.#difference ? 'attention-difference' : 'attention';
        return layer === undefined ? kind : `${kind}-layer-${layer}-head-${head}`;
      },
    });
    this.root.append(h('figure', {},
      h('div', { class: 'top' }, this.#output, this.#legend.element),
      this.#window.element,
      this.#tools));
    this.#tools.append(this.#controls.element, h('div', { class: 'more' }, this.#details, menu));
    this.#details.addEventListener('toggle', () => this.#fillTable());
  }

  connectedCallback() {
    super.connectedCallback();
    this.#window.connect();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#window.disconnect();
  }

  // Input

  /**
   * Replaces the map. The element copies the input.
   * @param {AttentionMapData} map
   */
  set data(map) {
    this.accept('data', () => {
      this.#content = new MapContent(map);
      // Attention sinks are first tokens of the same text.
      this.#controls.hasFirst = !map.queryTokens;
      this.#window.show(this.#content);
      this.#cells.show(this.#content);
      this.#changed();
      this.#speak();
    });
  }

  /**
   * Loads rows of a long map: `(from, to)` resolves to the rows [from, to) as `{ data, queries, keys, firstQuery }`.
   * @type {import('./row-loader.js').RowSource | null}
   */
  get source() {
    return this.#loader.source;
  }

  set source(source) {
    this.accept('source', () => {
      this.#loader.source = checkFunction(source, 'source');
      this.#changed();
    });
  }

  /**
   * Adds tokens at the end of both axes, or of the rows if `queryTokens` names them.
   * @param {string[]} tokens their texts
   * @param {import('../draw/rows.js').RowBlock} [rows] their rows, if they are known
   */
  extend(tokens, rows) {
    this.accept('data', () => {
      this.#content.extend(tokens, rows);
      this.#window.grow();
      this.#changed();
      this.#speak();
    });
  }

  /**
   * Keeps only the first tokens and their rows; with `queryTokens`, the first rows.
   * @param {number} length number of tokens that stay
   */
  truncate(length) {
    this.accept('data', () => {
      this.#content.truncate(length);
      this.#cells.truncate();
      this.#changed();
      this.#speak();
    });
  }

  /** Number of tokens on the key axis. */
  get length() {
    return this.#content.tokens.length;
  }

  /** Number of tokens on the query axis. */
  get queryCount() {
    return this.#content.rowTokens.length;
  }

  /** The color scale: ‘linear’, ‘log’ (from 0.0001) or ‘row-max’ (each row relative to its largest weight). */
  get scale() {
    return this.#scale;
  }

  set scale(given) {
    this.accept('scale', () => {
      const scale = this.orDefault('scale', given);
      if (!SCALES.includes(scale)) {
        throw new InputError(`scale must be one of ${SCALES.join(', ')}, got ${String(scale)}.`);
      }
      this.#scale = scale;
      this.#controls.scale = scale;
      this.#changed();
    });
  }

  /** The weight at the end of the color scale, to compare maps. Null, the default, takes the largest weight. */
  get max() {
    return this.#max;
  }

  set max(given) {
    this.accept('max', () => {
      const max = this.orDefault('max', given);
      if (max !== null && !(max > 0 && max < Infinity)) {
        throw new InputError(`max must be null or a number above 0, got ${String(max)}.`);
      }
      this.#max = max;
      this.#changed();
    });
  }

  /** Whether the weights are differences of two maps: colors then diverge from zero, and `scale` is not used. */
  get difference() {
    return this.#difference;
  }

  set difference(difference) {
    this.#difference = Boolean(difference);
    this.#controls.hasScale = !this.#difference;
    if (this.isConnected) this.themeChanged();
    this.#changed();
    this.#speak();
  }

  /** The scale of the colors. */
  get #shades() {
    const kind = /** @type {import('../draw/scale.js').ScaleKind} */ (this.#difference ? 'difference' : this.#scale);
    return { kind, leaveFirstOut: this.#leaveFirstOut, max: this.#max };
  }

  /** Hides the first column, where many heads put most of their weight, and fits the color scale to the rest. */
  get leaveFirstOut() {
    return this.#leaveFirstOut;
  }

  set leaveFirstOut(leave) {
    this.accept('leaveFirstOut', () => {
      this.#leaveFirstOut = Boolean(leave);
      this.#controls.firstOut = this.#leaveFirstOut;
      this.#changed();
    });
  }

  /** The layer to name in sentences and files if `data` does not name one. */
  get layer() {
    return this.#named.layer ?? null;
  }

  set layer(layer) {
    this.#nameHead('layer', this.orDefault('layer', layer));
  }

  /** The head to name in sentences and files if `data` does not name one. */
  get head() {
    return this.#named.head ?? null;
  }

  set head(head) {
    this.#nameHead('head', this.orDefault('head', head));
  }

  /** @param {'layer' | 'head'} part @param {number | null} index */
  #nameHead(part, index) {
    this.accept(part, () => {
      if (index !== null && !(Number.isSafeInteger(index) && index >= 0)) {
        throw new InputError(`${part} must be null or a whole number of at least 0, got ${String(index)}.`);
      }
      this.#where[part] = index;
      this.#changed();
      this.#speak();
    });
  }

  /** Layer and head of the map; both are undefined unless both are known. */
  get #named() {
    if (this.#content.layer !== undefined) return { layer: this.#content.layer, head: this.#content.head };
    const { layer, head } = this.#where;
    return layer === null || head === null ? {} : { layer, head };
  }

  /**
   * The weights of one query.
   * @param {number} query position of the query
   * @returns {Float32Array | null} [keys], without masked keys; null if the row is not loaded
   */
  row(query) {
    return this.#content.rows.get(query)?.weights ?? null;
  }

  /**
   * The box of a cell.
   * @param {Cell} cell positions of query and key
   * @returns {DOMRect} the box in the browser's window, in CSS pixels
   */
  boxOf(cell) {
    return this.#window.boxOf(cell);
  }

  /**
   * Moves the crosshair to a cell and scrolls it into view. Fires no event.
   * @param {Cell | null} cell null removes the crosshair
   */
  select(cell) {
    this.accept('cell', () => {
      this.#cells.select(cell);
      this.#speak();
      this.invalidate();
    });
  }

  /** Whether cells can be cut: dragging and the keys X and Delete fire `heed-map-cut`. */
  get editable() {
    return this.#cells.editable;
  }

  set editable(editable) {
    this.#cells.editable = Boolean(editable);
    this.#updateName();
    this.#speak();
  }

  /** Whether the map is small, as in a text: as high as its rows, as wide as fits, with folded controls. */
  get compact() {
    return this.#window.compact;
  }

  set compact(compact) {
    if (this.#window.compact === Boolean(compact)) return;
    this.#window.compact = Boolean(compact);
    if (compact) {
      this.#tools.replaceWith(this.#folded);
      this.#folded.append(this.#tools);
    } else {
      this.#folded.replaceWith(this.#tools);
    }
    this.#changed();
  }

  /** The cells that are selected with Shift and the arrow keys, or the cell of the crosshair, or null. */
  get selection() {
    return this.#cells.selection;
  }

  /** Ranges of cells that get an outline, such as silenced cells. */
  get marked() {
    return this.#marked;
  }

  set marked(ranges) {
    this.accept('marked', () => {
      this.#marked = checkRanges(ranges);
      this.invalidate();
    });
  }

  // Drawing

  themeChanged() {
    const { paper, unknown, text, muted, hatch, face, mono } = this.colors();
    this.#palette = (this.#difference ? makeDivergingPalette : paletteFor)(paper);
    this.#ink = { text, muted, hatch, unknown };
    this.#fonts = { face, mono };
    this.#dirty = true;
  }

  redraw() {
    if (!this.#ink) return;
    const view = this.#window.layOut();
    this.#sayMore(view);
    if (view.width <= view.left || view.height <= view.top) return;
    const { rows, tokens, queryTokens } = this.#content;
    const shading = shadingOf(rows, this.#shades);
    const { labelSize } = this.#window;
    const { face, mono } = this.#fonts;
    const ink = { ...this.#ink, font: `${labelSize}px ${face}`, mono: `${labelSize}px ${mono}` };
    const scene = { view, rows, tokens, queryTokens, shading, palette: this.#palette, ink, labelSize };
    if (this.#dirty) {
      this.#dirty = false;
      this.#window.paint(scene);
      this.#legend.show(shading, this.#palette, view.cell);
      this.#fillTable();
      void this.#loadRows(visible(view).queries);
    }
    const { current, range } = this.#cells;
    this.#window.paintCross(scene, current,
      [...this.#marked.map((each) => ({ ...each, dashed: false })), ...(range ? [{ ...range, dashed: true }] : [])]);
  }

  #changed() {
    this.#updateName();
    this.#dirty = true;
    this.invalidate();
  }

  /** @param {[from: number, to: number]} range of visible rows */
  async #loadRows(range) {
    const content = this.#content;
    if (this.#loader.source) content.rows.prune(...range); // dropped rows can be requested again
    if (!this.#loader.wants(content, range)) return;
    try {
      await this.#loader.load(content, range);
    } catch (error) {
      if (content === this.#content) {
        this.#say(`The map could not be loaded: ${messageOf(error)}`);
        return;
      }
    }
    this.#changed();
    this.#speak();
  }

  // Controls, pointer and keys

  #emitOptions() {
    this.emit('heed-map-options', { scale: this.#scale, leaveFirstOut: this.#leaveFirstOut });
  }

  /** @param {-1 | 1 | 'fit'} step */
  #zoom(step) {
    if (step === 'fit') this.#window.zoomToFit();
    else this.#window.zoomBy(step);
    this.#changed();
  }

  /** Fires `heed-map-cut` for cells, unless all of them are masked. @param {CellRange} cells */
  #cut(cells) {
    if (this.#content.countSeen(cells) === 0) this.#say('These cells are masked already');
    else this.emit('heed-map-cut', cells);
  }

  #emitCell() {
    const cell = this.#cells.current;
    this.#speak();
    this.emit('heed-map-cell', { cell: cell && { ...cell, weight: this.#content.weightAt(cell) } });
    this.invalidate();
  }

  // Words

  /** Names the map for screen readers. */
  #updateName() {
    const map = this.#content.summary(this.#named);
    const keys = this.editable ? ' Shift and arrow keys select cells, X silences them.' : '';
    const name = `A${map.slice(1)}. Arrow keys move between cells.${keys}`;
    const { element } = this.#window;
    if (element.getAttribute('aria-label') === name) return;
    element.setAttribute('aria-label', name);
    this.#folded.firstElementChild?.setAttribute('aria-label', `Options of the ${map}`);
  }

  /** Describes the current cell or range in the live region. */
  #speak() {
    const { range, current: cell } = this.#cells;
    if (range) {
      this.#say(this.#content.rangeSentence(range));
      return;
    }
    if (!cell) {
      this.#say(this.length > 0 ? HINT + (this.editable ? EDIT_HINT : '') : '', true);
      return;
    }
    const sentence = this.#content.sentence(cell, this.#named, this.#difference);
    if (sentence !== null) this.#say(sentence);
  }

  /** Adds the number of columns outside of the window to the hint. @param {import('../draw/view.js').View} view */
  #sayMore(view) {
    if (!this.compact || !this.#output.classList.contains('hint') || this.length === 0) return;
    const { keys } = visible(view);
    const hidden = this.length - (keys[1] - keys[0]);
    this.#say(HINT + (hidden > 0 ? ` Scroll for ${hidden} more ${hidden === 1 ? 'column' : 'columns'}.` : ''), true);
  }

  /** @param {string} sentence @param {boolean} [hint] */
  #say(sentence, hint = false) {
    if (this.#output.textContent !== sentence) this.#output.textContent = sentence;
    this.#output.classList.toggle('hint', hint);
  }

  // Table and files

  #fillTable() {
    if (!this.#details.open) return;
    this.#table.replaceChildren(tableOf({ ...this.#content, ...this.#named }, visible(this.#window.view)));
  }

  /**
   * The whole map. Weights in JSON and CSV are unscaled.
   * @protected
   * @param {Exclude<import('./map-file.js').Format, 'html'>} format
   * @param {import('./figure.js').FileStyle} style
   */
  async file(format, style) {
    const { tokens, queryTokens, rowTokens } = this.#content;
    checkSavable(Math.max(rowTokens.length, tokens.length));
    const { layer, head } = this.#named;
    const where = layer === undefined ? '' : `, layer ${layer}, head ${head}`;
    const palette = this.#difference ? makeDivergingPalette(style.palette.paper) : style.palette;
    const scale = this.#difference ? 'difference' : `${this.#scale} scale`;
    const shown = format === 'json' || format === 'csv' ? ''
      : `, ${scale}${this.#leaveFirstOut ? ', first token left out' : ''}`;
    const title = `${this.getAttribute('name') ?? 'attention'}${where}${shown}`;
    // Copies, because the map may change while its rows load.
    const figure = { tokens: [...tokens], queryTokens: queryTokens && [...queryTokens], layer, head, title,
      ...this.origin() };
    const shades = this.#shades;
    const rows = await this.#content.allRows(this.source);
    return mapFile(format, { rows, ...figure }, { ...style, shading: shadingOf(rows, shades), palette });
  }
}
