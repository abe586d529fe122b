/** A canvas with rows and columns, as tokens and layers: scrolling, pointing, keys, labels, a table, the file menu. */
import { checkCount, checkObject } from '../draw/check.js';
import { colorBar } from '../draw/color-bar.js';
import { cssOf, paletteFor } from '../draw/color.js';
import { makeDivergingPalette } from '../draw/diverging.js';
import { textWidth } from '../draw/figure-layout.js';
import { CELL_HEIGHT, layerLabel, layerLabels, tokenLabels } from '../draw/lens.js';
import { labelsWidth } from '../draw/line-places.js';
import { inkOf } from '../draw/map-export.js';
import { moved, paintMarks } from '../draw/marks.js';
import { tokenLabel, tokenName } from '../draw/token.js';
import { cellAfterKey } from '../draw/view.js';
import { STYLE } from './attention-map-style.js';
import { CanvasWindow, WINDOW_STYLE } from './canvas-window.js';
import { h } from './dom.js';
import { HeedFigure } from './figure.js';
import { Legend } from './legend.js';

/** @typedef {import('../draw/lens.js').TokenLayers} TokenLayers */
/** @typedef {{ position: number, layer: number }} TokenLayerCell indexes into the axes of the data */
/**
 * The words of an element.
 * @typedef {object} GridWords
 * @property {string} name of the picture, for screen readers
 * @property {string} subject of the file menu
 * @property {string} hint shown while no cell is described
 * @property {string} table caption of the table
 * @property {string} file name of files without extension
 */
/** Names of the axes; rows: '' for one row without a name. @typedef {{ rows: string, columns: string }} AxisNames */

/**
 * The cells to draw.
 * @typedef {object} CellsView
 * @property {[from: number, to: number]} positions indexes of tokens
 * @property {[from: number, to: number]} layers indexes of layers
 * @property {number} width of a cell
 * @property {number} fontSize
 * @property {import('../draw/color.js').Palette} palette
 */

const FONT_SIZE = 12;
const ROW = CELL_HEIGHT * FONT_SIZE;
/** Width of a cell: at least, and at most. */
const NARROW = 64;
const WIDE = 132;
/** Width of the token labels and height of the layer labels. */
const LEFT = 104;
const TOP = 24;
/** @type {AxisNames} */
const TOKENS_AND_LAYERS = { rows: 'after', columns: 'layer' };
/** Width of a cell in a saved figure, in characters. */
const FILE_CHARACTERS = 11;
/** Most rows of the table. */
const TABLE_ROWS = 24;

/**
 * Base class of elements with a cell for each token and layer. Subclasses call `show`, and override `shading`,
 * `cellMarks`, `cellSentence`, `cellText`, `cellChanged` and `content`. With other rows and columns, they also override
 * `cellOf` and `indexesOf`.
 * @template {object} [Cell=TokenLayerCell] a cell in the properties and events of the element
 */
export class TokenLayerGrid extends HeedFigure {
  /** @type {TokenLayers | null} */
  #grid = null;
  #words;
  #names = TOKENS_AND_LAYERS;
  /** @type {TokenLayerCell | null} */
  #hovered = null;
  /** @type {TokenLayerCell | null} */
  #selected = null;
  #palette = paletteFor([255, 255, 255]);
  #diverging = this.#palette;
  #colors = { text: '', muted: '', face: '', mono: '' };

  #output = h('output', { 'aria-live': 'polite', class: 'hint' });
  #legend = new Legend();
  /** Between the sentence and the picture. @protected */
  controls = h('div', { class: 'bar', hidden: true });
  #window = new CanvasWindow('tokens and layers', () => this.invalidate());
  #table = h('div', { class: 'scroller', tabindex: 0, role: 'region' });
  #summary = h('summary');
  #details = h('details', {}, this.#summary, this.#table);

  /** @param {GridWords} words */
  constructor(words) {
    super(`${STYLE}${WINDOW_STYLE}.window { cursor: default; }`);
    this.#words = words;
    const table = `${words.subject[0].toUpperCase()}${words.subject.slice(1)} as a table`;
    this.#summary.textContent = table;
    this.#table.setAttribute('aria-label', table);
    this.root.append(h('figure', {},
      h('div', { class: 'top' }, this.#output, this.#legend.element),
      this.controls,
      this.#window.element,
      h('div', { class: 'more' }, this.#details, this.menu({ subject: words.subject, fileName: () => words.file }))));
    const { element } = this.#window;
    element.addEventListener('pointermove', (event) => this.#hover(this.#cellAt(event)));
    element.addEventListener('pointerleave', () => this.#hover(null));
    element.addEventListener('click', (event) => this.#select(this.#cellAt(event)));
    element.addEventListener('keydown', (event) => this.#pressKey(event));
    this.#details.addEventListener('toggle', () => this.invalidate());
  }

  connectedCallback() {
    super.connectedCallback();
    this.#window.connect();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#window.disconnect();
  }

  /** Shows other tokens and layers, or other rows and columns by their names.
   *  @protected @param {TokenLayers} grid position: labels of rows; layer: of columns @param {AxisNames} [names] */
  show(grid, names = TOKENS_AND_LAYERS) {
    const before = this.#grid?.axes;
    this.#grid = grid;
    this.#names = names;
    this.#hovered = null;
    const { layer, position } = grid.axes;
    if (before && (before.layer.length !== layer.length || before.position.length !== position.length)) {
      this.#selected = null;
    }
    const sizes = names === TOKENS_AND_LAYERS ? `${position.length} tokens and ${layer.length} layers`
      : `${names.columns} (${layer.length})${names.rows && ` and ${names.rows} (${position.length})`}`;
    this.#window.element.setAttribute('aria-label', `${this.#words.name} of ${sizes}. Arrow keys move between cells.`);
    this.describe();
    this.invalidate();
  }

  /** The palette of weights, or of signed numbers. @protected @param {import('../draw/raster.js').Shading} shading */
  paletteOf = ({ kind }) => (kind === 'difference' ? this.#diverging : this.#palette);

  /** How numbers become colors. @protected @returns {import('../draw/raster.js').Shading} */
  get shading() {
    return { kind: 'linear', max: 1, leaveFirstOut: false };
  }

  /**
   * The cells of a range as marks, from the top left cell of the whole picture. Subclasses override it.
   * @protected
   * @param {CellsView} view
   * @returns {import('../draw/marks.js').Mark[]}
   */
  cellMarks(view) {
    throw new Error(`no cells of ${view.width}`);
  }

  /** Describes a cell. Subclasses override it. @protected @param {number} layer @param {number} position
   *  @returns {string} */
  cellSentence(layer, position) {
    throw new Error(`no sentence of ${layer} and ${position}`);
  }

  /** The text of a cell in the table. Subclasses override it. @protected @param {number} layer
   *  @param {number} position @returns {string} */
  cellText(layer, position) {
    throw new Error(`no text of ${layer} and ${position}`);
  }

  /** Called when another cell is hovered or selected. Subclasses override it. @protected
   *  @param {TokenLayerCell | null} cell */
  cellChanged(cell) {
    throw new Error(`no event of ${cell?.layer}`);
  }

  /** A cell in the properties of the element. @protected @param {TokenLayerCell} cell @returns {Cell} */
  cellOf(cell) {
    return /** @type {any} */ ({ ...cell });
  }

  /** The indexes of a given cell. @protected @param {Cell} cell @returns {TokenLayerCell}
   *  @throws {import('../draw/check.js').InputError} for a cell that does not exist */
  indexesOf(cell) {
    const { position, layer } = checkObject(cell, 'cell', '{ position: 3, layer: 1 }');
    checkCount(position, 'cell.position', 0, (this.#grid?.axes.position.length ?? 0) - 1);
    checkCount(layer, 'cell.layer', 0, (this.#grid?.axes.layer.length ?? 0) - 1);
    return { position, layer };
  }

  /** The selected cell, or null. */
  get selected() {
    return this.#selected && this.cellOf(this.#selected);
  }

  /**
   * Selects a cell and scrolls to it. Fires no event.
   * @param {Cell | null} cell a place on the axes of the data; null selects no cell
   * @throws {never} invalid input fires `heed-error`
   */
  select(cell) {
    this.accept('cell', () => this.#choose(cell && this.indexesOf(cell)));
  }

  /** @param {TokenLayerCell | null} cell */
  #choose(cell) {
    this.#selected = cell;
    if (cell) {
      const { position, layer } = cell;
      const { width } = this.#sizes;
      this.#window.reveal({ x: LEFT + layer * width, y: TOP + position * ROW, width, height: ROW },
        { left: LEFT, top: TOP });
    }
    this.describe();
    this.invalidate();
  }

  /** The names of the axes, in the corner. */
  get #corner() {
    const { rows, columns } = this.#names;
    return `${rows && `${rows} ↓ `}${columns} →`;
  }

  themeChanged() {
    const { paper, text, muted, face, mono } = this.colors();
    this.#palette = paletteFor(paper);
    this.#diverging = makeDivergingPalette(paper);
    this.#colors = { text, muted, face, mono };
  }

  /** Numbers of layers and tokens, width of a cell. */
  get #sizes() {
    const { layer = [], position = [] } = this.#grid?.axes ?? {};
    const room = (this.#window.element.clientWidth - LEFT) / Math.max(1, layer.length);
    return { layers: layer.length, positions: position.length, width: Math.max(NARROW, Math.min(WIDE, room)) };
  }

  get #cell() {
    return this.#hovered ?? this.#selected;
  }

  redraw() {
    const grid = this.#grid;
    const { layers, positions, width } = this.#sizes;
    this.#window.resize({ width: LEFT + layers * width, height: grid ? TOP + positions * ROW : 0 });
    const view = this.#window.view;
    if (!grid || view.width === 0 || view.height === 0) return;
    const { shading } = this;
    this.#legend.show(shading, this.paletteOf(shading), ROW);
    const context = this.#window.clear();
    const { text, muted, face, mono } = this.#colors;
    const fonts = { fontSize: FONT_SIZE, face, mono };
    const x = LEFT - view.scrollX;
    const y = TOP - view.scrollY;
    /** @type {(scroll: number, room: number, size: number, most: number) => [number, number]} */
    const range = (scroll, room, size, most) =>
      [Math.floor(scroll / size), Math.min(most, Math.ceil((scroll + room) / size))];
    const shown = { positions: range(view.scrollY, view.height - TOP, ROW, positions),
      layers: range(view.scrollX, view.width - LEFT, width, layers) };
    context.translate(x, y);
    paintMarks(context, this.cellMarks({ ...shown, width, fontSize: FONT_SIZE, palette: this.paletteOf(shading) }),
      fonts);
    const cell = this.#cell;
    if (cell) {
      context.strokeStyle = text;
      context.lineWidth = 2;
      context.strokeRect(cell.layer * width - 1, cell.position * ROW - 1, width + 1, ROW + 1);
    }
    context.translate(-x, -y);
    context.fillStyle = cssOf(this.#palette.paper);
    context.fillRect(0, 0, view.width, TOP);
    context.fillRect(0, 0, LEFT, view.height);
    context.save();
    context.beginPath();
    context.rect(0, TOP, LEFT, view.height);
    context.clip();
    context.translate(LEFT, y);
    paintMarks(context, tokenLabels(grid, shown.positions, { fontSize: FONT_SIZE, fill: muted, limit: 11,
      shown: cell?.position }), fonts);
    context.restore();
    context.save();
    context.beginPath();
    context.rect(LEFT, 0, view.width, TOP);
    context.clip();
    context.translate(x, TOP / 2);
    paintMarks(context, layerLabels(grid, { width, fill: muted, shown: cell?.layer }), fonts);
    context.restore();
    paintMarks(context, [{ text: this.#corner, x: LEFT - 6, y: TOP / 2, anchor: 'end', fill: muted }], fonts);
    if (this.#details.open) this.#fillTable(shown.positions[0]);
  }

  /** Describes the current cell. @protected */
  describe() {
    const cell = this.#cell;
    const said = this.#grid && cell ? this.cellSentence(cell.layer, cell.position)
      : this.#grid ? this.#words.hint : '';
    if (this.#output.textContent !== said) this.#output.textContent = said;
    this.#output.classList.toggle('hint', !cell);
  }

  /** @param {number} from first row */
  #fillTable(from) {
    const grid = this.#grid;
    if (!grid) return;
    const { layer, position } = grid.axes;
    const caption = `${this.#words.table}, at most ${TABLE_ROWS} rows from the first visible one. `
      + 'The CSV file has all numbers.';
    this.#table.replaceChildren(h('table', {}, h('caption', {}, caption),
      h('thead', {}, h('tr', {}, h('td', {}, this.#names.rows),
        ...layer.map((each) => h('th', { scope: 'col' }, layerLabel(each))))),
      h('tbody', {}, ...position.slice(from, from + TABLE_ROWS).map((token, i) =>
        h('tr', {}, h('th', { scope: 'row' }, tokenLabel(token, 40)),
          ...layer.map((_, at) => h('td', {}, this.cellText(at, from + i))))))));
  }

  /** The cell under the pointer, or null. @param {MouseEvent} event @returns {TokenLayerCell | null} */
  #cellAt(event) {
    const { layers, positions, width } = this.#sizes;
    const { x, y } = this.#window.pointOf(event);
    const { scrollX, scrollY } = this.#window.view;
    const layer = Math.floor((x - LEFT) / width);
    const position = Math.floor((y - TOP) / ROW);
    const token = y - scrollY >= TOP ? this.#grid?.axes.position[position] : undefined;
    this.#window.element.title = x - scrollX < LEFT && token !== undefined ? tokenName(token) : '';
    const inside = x - scrollX >= LEFT && y - scrollY >= TOP && layer < layers && position < positions;
    return inside ? { position, layer } : null;
  }

  /** @param {TokenLayerCell | null} cell */
  #hover(cell) {
    if (cell?.layer === this.#hovered?.layer && cell?.position === this.#hovered?.position) return;
    this.#hovered = cell;
    this.#emitCell();
  }

  /** @param {TokenLayerCell | null} cell */
  #select(cell) {
    this.#selected = cell;
    this.#emitCell();
  }

  #emitCell() {
    const cell = this.#cell;
    this.describe();
    this.cellChanged(cell && { ...cell });
    this.invalidate();
  }

  /** @param {KeyboardEvent} event */
  #pressKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.#grid) return;
    if (event.key === 'Escape') {
      if (!this.#selected) return;
      event.preventDefault();
      this.#hovered = null;
      this.#select(null);
      return;
    }
    const { layers, positions } = this.#sizes;
    const { width, height, scrollX, scrollY } = this.#window.view;
    const view = { width, height, left: LEFT, top: TOP, cell: ROW, scrollX, scrollY, count: layers,
      queryCount: positions, causal: false };
    const from = this.#selected && { query: this.#selected.position, key: this.#selected.layer };
    const to = cellAfterKey(view, from, event.key);
    if (!to) return;
    event.preventDefault();
    this.#hovered = null;
    this.#choose({ position: to.query, layer: from ? to.key : 0 });
    this.#emitCell();
  }

  /**
   * The picture of a file.
   * @protected
   * @param {string} colors name of the colored quantity
   * @param {import('./figure.js').FileStyle} style
   */
  picture(colors, style) {
    const grid = /** @type {TokenLayers} */ (this.#grid);
    const { options: { fontSize }, palette: given } = style;
    const { layer, position } = grid.axes;
    const palette = this.shading.kind === 'difference' ? makeDivergingPalette(given.paper) : given;
    const left = Math.max(labelsWidth(position, fontSize, Infinity), Math.ceil(textWidth(this.#corner, fontSize))) + 8;
    const width = Math.ceil(0.61 * fontSize * FILE_CHARACTERS) + 6;
    const top = 2 * fontSize;
    const ink = inkOf(given);
    const bottom = top + position.length * CELL_HEIGHT * fontSize + fontSize;
    const bar = colorBar(this.shading, { palette, name: colors, fontSize, ink });
    const marks = [
      { text: this.#corner, x: left - 6, y: fontSize, anchor: /** @type {const} */ ('end'), fill: ink },
      ...moved(layerLabels(grid, { width, fill: ink }), left, fontSize),
      ...moved(tokenLabels(grid, [0, position.length], { fontSize, fill: ink, limit: Infinity }), left, top),
      ...moved(this.cellMarks({ positions: [0, position.length], layers: [0, layer.length], width, fontSize, palette }),
        left, top),
      ...moved(bar.marks, left, bottom),
    ];
    return { marks, width: left + Math.max(layer.length * width, bar.width), height: bottom + bar.height };
  }
}
