/** `<heed-attention-map>`: the attention of one head, with controls, a table and files. */
import { InputError } from '../draw/check.js';
import { paletteFor } from '../draw/color.js';
import { makeDivergingPalette } from '../draw/diverging.js';
import { shadingOf } from '../draw/raster.js';
import { SCALES } from '../draw/scale.js';
import { tokenName } from '../draw/token.js';
import { cellAfterKey, visible } from '../draw/view.js';
import { STYLE } from './attention-map-style.js';
import { choiceAttribute, numberAttribute, textAttribute } from './attributes.js';
import { h, messageOf } from './dom.js';
import { button } from './export-menu.js';
import { HeedFigure } from './figure.js';
import { Legend } from './legend.js';
import { MapContent } from './map-content.js';
import { checkSavable, mapFile } from './map-file.js';
import { cellsBetween, checkRanges, countSeen, MapRange } from './map-range.js';
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
  /** The cell under the pointer. @type {Cell | null} */
  #hovered = null;
  /** The cell that was clicked, selected or reached with the arrow keys. @type {Cell | null} */
  #selected = null;
  #editable = false;
  /** The cells that are selected with Shift, or dragged over. */
  #range = new MapRange();
  /** Where the pointer was pressed; null if it is not. @type {Cell | null} */
  #pressed = null;
  /** True from the start of a drag until the click that ends it. */
  #dragged = false;
  /** Ranges with an outline. @type {CellRange[]} */
  #marked = [];
  #dirty = true;
  #palette = paletteFor([255, 255, 255]);
  /** @type {Omit<import('../draw/paint.js').Ink, 'font' | 'mono'> | null} */
  #ink = null;
  #fonts = { face: '', mono: '' };

  #window = new MapWindow(() => {
    this.#hovered = null;
    this.#changed();
  });
  #output = h('output', { 'aria-live': 'polite', class: 'hint' });
  #legend = new Legend();
  #scaleSelect = h('select', {}, ...SCALES.map((kind) => h('option', { value: kind }, kind)));
  #scaleLabel = h('label', {}, 'Scale', this.#scaleSelect);
  #firstOutBox = h('input', { type: 'checkbox' });
  #firstOutLabel = h('label', {}, this.#firstOutBox, 'Leave out the first token');
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
    this.#tools.append(this.#makeControls(), h('div', { class: 'more' }, this.#details, menu));
    const { element } = this.#window;
    element.addEventListener('pointerdown', (event) => this.#press(event));
    element.addEventListener('pointermove', (event) => this.#point(event));
    element.addEventListener('pointerup', () => this.#release());
    element.addEventListener('pointercancel', () => this.#clearRange());
    element.addEventListener('pointerleave', () => this.#hover(null));
    element.addEventListener('click', (event) => {
      if (!this.#dragged) this.#point(event, true);
      this.#dragged = false;
    });
    element.addEventListener('keydown', (event) => this.#pressKey(event));
    this.#details.addEventListener('toggle', () => this.#fillTable());
  }

  #makeControls() {
    this.#scaleSelect.addEventListener('change', () => {
      this.scale = /** @type {import('../draw/scale.js').WeightScale} */ (this.#scaleSelect.value);
      this.#emitOptions();
    });
    this.#firstOutBox.addEventListener('change', () => {
      this.leaveFirstOut = this.#firstOutBox.checked;
      this.#emitOptions();
    });
    this.#firstOutLabel.title = 'Hides the first column and fits the color scale to the rest. Weights are not '
      + 'renormalized.';
    return h('div', { class: 'bar' },
      this.#scaleLabel, this.#firstOutLabel,
      h('span', { role: 'group', 'aria-label': 'Zoom' },
        button('−', 'Smaller cells', () => this.#zoom(() => this.#window.zoomBy(-1))),
        button('+', 'Larger cells', () => this.#zoom(() => this.#window.zoomBy(1))),
        button('Fit', 'Fit the whole map', () => this.#zoom(() => this.#window.zoomToFit()))));
  }

  connectedCallback() {
    super.connectedCallback();
    this.#window.connect();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#window.disconnect();
  }

  /**
   * Replaces the map. The element copies the input.
   * @param {AttentionMapData} map
   */
  set data(map) {
    this.accept('data', () => {
      this.#content = new MapContent(map);
      // Attention sinks are first tokens of the same text.
      this.#firstOutLabel.hidden = Boolean(map.queryTokens);
      this.#window.show(this.#content);
      this.#hovered = null;
      if (this.#selected && !this.#content.has(this.#selected)) this.#selected = null;
      const cells = this.#range.cells;
      // The selection stays when another run of the same text is shown.
      if (cells && !this.#content.has({ query: cells.queries[1] - 1, key: cells.keys[1] - 1 })) this.#clearRange();
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
    this.#loader.source = source;
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
      this.#hovered = null;
      if (this.#selected && this.#selected.query >= length) this.#selected = null;
      this.#clearRange();
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

  /** The weight at the end of the color scale, to compare maps. Null, the default, takes the largest weight. */
  get max() {
    return this.#max;
  }

  set max(max) {
    this.accept('max', () => {
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
    this.#scaleLabel.hidden = this.#difference;
    if (this.isConnected) this.themeChanged();
    this.#changed();
    this.#speak();
  }

  /** The scale that is drawn. @returns {import('../draw/scale.js').ScaleKind} */
  get #kind() {
    return this.#difference ? 'difference' : this.#scale;
  }

  /** Hides the first column, where many heads put most of their weight, and fits the color scale to the rest. */
  get leaveFirstOut() {
    return this.#leaveFirstOut;
  }

  set leaveFirstOut(leave) {
    this.accept('leaveFirstOut', () => {
      this.#leaveFirstOut = Boolean(leave);
      this.#firstOutBox.checked = this.#leaveFirstOut;
      this.#changed();
    });
  }

  /** The layer to name in sentences and files if `data` does not name one. */
  get layer() {
    return this.#named.layer ?? null;
  }

  set layer(layer) {
    this.#nameHead('layer', layer);
  }

  /** The head to name in sentences and files if `data` does not name one. */
  get head() {
    return this.#named.head ?? null;
  }

  set head(head) {
    this.#nameHead('head', head);
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
      this.#selected = cell && this.#content.checkCell(cell);
      if (this.#selected) this.#window.scrollTo(this.#selected);
      this.#speak();
      this.invalidate();
    });
  }

  /** Whether cells can be cut: dragging and the keys X and Delete fire `heed-map-cut`. */
  get editable() {
    return this.#editable;
  }

  set editable(editable) {
    this.#editable = Boolean(editable);
    this.#clearRange();
    this.#updateName();
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
    return this.#range.cells ?? (this.#selected && cellsBetween(this.#selected, this.#selected));
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
    const shading = shadingOf(rows, { kind: this.#kind, leaveFirstOut: this.#leaveFirstOut, max: this.#max });
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
    const range = this.#range.cells;
    this.#window.paintCross(scene, this.#hovered ?? this.#selected,
      [...this.#marked.map((each) => ({ ...each, dashed: false })), ...(range ? [{ ...range, dashed: true }] : [])]);
  }

  #changed() {
    this.#updateName();
    this.#dirty = true;
    this.invalidate();
  }

  /** Names the map for screen readers. */
  #updateName() {
    const { layer, head } = this.#named;
    const { tokens, queryTokens } = this.#content;
    const where = layer === undefined ? '' : ` layer ${layer}, head ${head},`;
    const size = `${queryTokens ? `${queryTokens.length} by ` : ''}${tokens.length}`;
    const keys = this.#editable ? ' Shift and arrow keys select cells, X silences them.' : '';
    const map = `attention map of${where} ${size} tokens`;
    const name = `A${map.slice(1)}. Arrow keys move between cells.${keys}`;
    const { element } = this.#window;
    if (element.getAttribute('aria-label') === name) return;
    element.setAttribute('aria-label', name);
    this.#folded.firstElementChild?.setAttribute('aria-label', `Options of the ${map}`);
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

  #emitOptions() {
    this.emit('heed-map-options', { scale: this.#scale, leaveFirstOut: this.#leaveFirstOut });
  }

  /** @param {() => void} change */
  #zoom(change) {
    change();
    this.#changed();
  }

  /** @param {MouseEvent} event @param {boolean} [select] */
  #point(event, select = false) {
    const { cell, label } = this.#window.hit(event);
    this.#window.element.title = label ? `${label.at}: ${tokenName(label.token)}` : '';
    if (select && cell) this.#selected = cell;
    if (select) this.#clearRange();
    if (cell && this.#pressed && event.buttons & 1) this.#drag(event, this.#pressed, cell);
    else this.#hover(cell);
  }

  /** @param {PointerEvent} event */
  #press(event) {
    this.#dragged = false;
    const scrolls = event.pointerType === 'touch';
    this.#pressed = this.#editable && event.button === 0 && !scrolls ? this.#window.hit(event).cell : null;
  }

  /** @param {MouseEvent} event @param {Cell} from @param {Cell} to */
  #drag(event, from, to) {
    if (!this.#dragged && from.query === to.query && from.key === to.key) return;
    if (!this.#dragged) {
      this.#range.clear();
      this.#window.element.setPointerCapture(/** @type {PointerEvent} */ (event).pointerId);
    }
    this.#dragged = true;
    this.#hovered = null;
    this.#range.extend(from, to);
    this.#say(this.#rangeSentence());
    this.invalidate();
  }

  #release() {
    this.#pressed = null;
    if (this.#dragged) this.#cut();
  }

  /** Fires `heed-map-cut` for the selected cells, unless all of them are masked. */
  #cut() {
    const cells = this.selection;
    const isMasked = cells && this.#countSeen(cells) === 0;
    this.#clearRange();
    if (!cells) return;
    if (isMasked) this.#say('These cells are masked already');
    else this.emit('heed-map-cut', cells);
  }

  /** @param {CellRange} cells */
  #countSeen(cells) {
    return countSeen(cells, (query) => this.#content.rows.seen(query, this.length));
  }

  #rangeSentence() {
    const cells = this.#range.cells;
    if (!cells) return '';
    const span = (/** @type {[number, number]} */ [from, to], /** @type {string[]} */ tokens) =>
      [from, to - 1].slice(0, to - from).map((at) => `${tokenName(tokens[at])} (${at})`).join(' to ');
    const count = this.#countSeen(cells);
    return `From ${span(cells.queries, this.#content.rowTokens)} to ${span(cells.keys, this.#content.tokens)}: ${
      count} ${count === 1 ? 'cell' : 'cells'}`;
  }

  #clearRange() {
    this.#pressed = null;
    this.#range.clear();
    this.invalidate();
  }

  /** @param {Cell | null} cell */
  #hover(cell) {
    if (cell?.query === this.#hovered?.query && cell?.key === this.#hovered?.key) return;
    this.#hovered = cell;
    this.#emitCell();
  }

  #emitCell() {
    const cell = this.#hovered ?? this.#selected;
    this.#speak();
    this.emit('heed-map-cell', { cell: cell && { ...cell, weight: this.#content.weightAt(cell) } });
    this.invalidate();
  }

  /** Describes the current cell in the live region. */
  #speak() {
    if (this.#range.end) {
      this.#say(this.#rangeSentence());
      return;
    }
    const cell = this.#hovered ?? this.#selected;
    if (!cell) {
      this.#say(this.length > 0 ? HINT + (this.#editable ? EDIT_HINT : '') : '', true);
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

  /** @param {KeyboardEvent} event */
  #pressKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || this.length === 0) return;
    if (event.key === '+' || event.key === '-') {
      event.preventDefault();
      this.#zoom(() => this.#window.zoomBy(event.key === '+' ? 1 : -1));
      return;
    }
    if (this.#editable && ['x', 'X', 'Delete'].includes(event.key)) {
      event.preventDefault();
      this.#cut();
      return;
    }
    if (event.key === 'Escape' && this.#range.end) {
      event.preventDefault();
      this.#dragged = false;
      this.#clearRange();
      this.#speak();
      return;
    }
    if (this.#editable && event.shiftKey && this.#selected && event.key.startsWith('Arrow')) {
      event.preventDefault();
      this.#extendRange(this.#selected, event.key);
      return;
    }
    if (event.key === 'Escape' && !this.#selected) return;
    const to = event.key === 'Escape' ? null : cellAfterKey(this.#window.view, this.#selected, event.key);
    if (to === undefined) return;
    event.preventDefault();
    this.#hovered = null;
    this.#range.clear();
    this.select(to);
    this.#emitCell();
  }

  /** @param {Cell} from @param {string} key an arrow */
  #extendRange(from, key) {
    const to = cellAfterKey(this.#window.view, this.#range.end ?? from, key);
    if (!to) return;
    this.#hovered = null;
    this.#range.extend(from, to);
    this.#window.scrollTo(to);
    this.#say(this.#rangeSentence());
    this.invalidate();
  }

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
    const rows = await this.#content.allRows(this.source);
    const { layer, head } = this.#named;
    const where = layer === undefined ? '' : `, layer ${layer}, head ${head}`;
    const shading = shadingOf(rows, { kind: this.#kind, leaveFirstOut: this.#leaveFirstOut, max: this.#max });
    const palette = this.#difference ? makeDivergingPalette(style.palette.paper) : style.palette;
    const scale = this.#difference ? 'difference' : `${this.#scale} scale`;
    const shown = format === 'json' || format === 'csv' ? ''
      : `, ${scale}${this.#leaveFirstOut ? ', first token left out' : ''}`;
    const title = `${this.getAttribute('name') ?? 'attention'}${where}${shown}`;
    const figure = { rows, tokens, queryTokens, layer, head, title, ...this.origin() };
    return mapFile(format, figure, { ...style, shading, palette });
  }
}
