/** `<heed-logit-lens>`: the next tokens that each layer would predict. */
import { checkCount, checkNumbers, checkObject, checkTexts, InputError } from '../draw/check.js';
import { cssOf, makePalette } from '../draw/color.js';
import { labelsWidth } from '../draw/lines.js';
import { candidatesOf, CELL_HEIGHT, layerLabel, layerLabels, lensCells, lensSentence, lensToCsv, tokenLabels } from
  '../draw/lens.js';
import { inkOf } from '../draw/map-export.js';
import { paintMarks } from '../draw/marks.js';
import { formatPercent } from '../draw/sentence.js';
import { tokenLabel, tokenName } from '../draw/token.js';
import { cellAfterKey } from '../draw/view.js';
import { STYLE } from './attention-map-style.js';
import { CanvasWindow, WINDOW_STYLE } from './canvas-window.js';
import { h } from './dom.js';
import { ExportMenu } from './export-menu.js';
import { HeedFigure } from './figure.js';
import { Legend } from './legend.js';
import { markFile } from './mark-file.js';

/** @typedef {import('../draw/lens.js').LensData} LensData */
/** @typedef {{ position: number, layer: number }} LensCell indexes into the axes of the data */

/** @type {('png' | 'svg' | 'csv' | 'json')[]} */
const FORMATS = ['png', 'svg', 'csv', 'json'];
const HINT = 'Point at a cell, or use the arrow keys, to see the likeliest tokens.';
const FONT_SIZE = 12;
const ROW = CELL_HEIGHT * FONT_SIZE;
/** Width of a cell: at least, and at most. */
const [NARROW, WIDE] = [64, 132];
/** Width of the token labels and height of the layer labels. */
const [LEFT, TOP] = [104, 24];
/** Width of a cell in a saved figure, in characters. */
const FILE_CHARACTERS = 11;
/** Most rows of the table. */
const TABLE_ROWS = 24;
/** Most candidates: 120 MB of numbers and texts. */
const CANDIDATES_LIMIT = 4e6;

/** Probability 0 to 1 on a linear scale. */
const SHADING = /** @type {const} */ ({ kind: 'linear', max: 1, leaveFirstOut: false });

/**
 * @param {any} lens
 * @returns {LensData} a copy
 */
function checkLens(lens) {
  const { data, axes, texts, firstPosition = 0 } = checkObject(lens, 'data', '{ data, axes, texts } of logitLens');
  const { layer, position, rank } = checkObject(axes, 'data.axes', '{ layer, position, rank }');
  for (const [name, labels] of Object.entries({ layer, rank })) {
    if (!Array.isArray(labels) || labels.length === 0) throw new InputError(`data.axes.${name} must list its labels.`);
  }
  const tokens = checkTexts(position, 'data.axes.position');
  const count = layer.length * tokens.length * rank.length;
  if (count > CANDIDATES_LIMIT) throw new InputError(`data has ${count} candidates; at most ${CANDIDATES_LIMIT} fit.`);
  checkNumbers(data, 'data.data', [['layers', layer.length], ['positions', tokens.length], ['ranks', rank.length]]);
  if (!Array.isArray(texts) || texts.length !== count || texts.some((text) => typeof text !== 'string')) {
    throw new InputError(`data.texts must be an Array of ${count} strings, one for each number.`);
  }
  checkCount(firstPosition, 'data.firstPosition');
  return { data: new Float32Array(data), axes: { layer: layer.slice(), position: tokens, rank: rank.slice() },
    texts: texts.slice(), firstPosition };
}

/**
 * `<heed-logit-lens>`: the next tokens that each layer would predict. Tokens are rows, layers are columns. A cell has
 * the likeliest token in the color of its probability; bold tokens follow in the text.
 *
 *     lens.data = await logitLens(model, 'Once upon a time');   // of heed/insight
 *
 * Attribute: `name`. Invalid input never throws: the element shows a sentence and fires `heed-error`.
 *
 * @fires heed-lens-cell `{ cell: { position, layer } | null }` a cell was hovered, clicked or reached by key
 * @fires heed-error `{ input, error }` an input was refused
 * @throws {never} invalid input does not throw: it fires `heed-error`
 */
export class HeedLogitLens extends HeedFigure {
  /** @type {LensData | null} */
  #lens = null;
  /** @type {LensCell | null} */
  #hovered = null;
  /** @type {LensCell | null} */
  #selected = null;
  #palette = makePalette([255, 255, 255]);
  #colors = { text: '', muted: '', face: '', mono: '' };

  #output = h('output', { 'aria-live': 'polite', class: 'hint' });
  #legend = new Legend();
  #window = new CanvasWindow('logit lens', () => this.invalidate());
  #table = h('div', { class: 'scroller', tabindex: 0, role: 'region', 'aria-label': 'Lens as a table' });
  #details = h('details', {}, h('summary', {}, 'Lens as a table'), this.#table);

  constructor() {
    super(`${STYLE}${WINDOW_STYLE}.window { cursor: default; }`);
    const menu = new ExportMenu({ subject: 'lens', formats: FORMATS, hatched: false, fileName: () => 'logit-lens',
      make: (format, options) => this.export(format, options) });
    this.root.append(h('figure', {},
      h('div', { class: 'top' }, this.#output, this.#legend.element),
      this.#window.element,
      h('div', { class: 'more' }, this.#details, menu.element)));
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

  /**
   * Replaces the lens. The element copies it.
   * @param {LensData} lens
   */
  set data(lens) {
    this.accept('data', () => {
      const checked = checkLens(lens);
      const before = this.#lens?.axes;
      this.#lens = checked;
      this.#hovered = null;
      const { layer, position } = checked.axes;
      if (before && (before.layer.length !== layer.length || before.position.length !== position.length)) {
        this.#selected = null;
      }
      this.#window.element.setAttribute('aria-label', `Logit lens of ${position.length} tokens and ${
        layer.length} layers. Arrow keys move between cells.`);
      this.#speak();
      this.invalidate();
    });
  }

  /** The selected cell, or null. */
  get selected() {
    return this.#selected && { ...this.#selected };
  }

  /**
   * Selects a cell and scrolls to it. Fires no event.
   * @param {LensCell | null} cell indexes into the axes of the data; null selects no cell
   * @throws {never} invalid input fires `heed-error`
   */
  select(cell) {
    this.accept('cell', () => {
      if (cell !== null) {
        const { position, layer } = checkObject(cell, 'cell', '{ position: 3, layer: 1 }');
        checkCount(position, 'cell.position', 0, (this.#lens?.axes.position.length ?? 0) - 1);
        checkCount(layer, 'cell.layer', 0, (this.#lens?.axes.layer.length ?? 0) - 1);
        this.#selected = { position, layer };
        const { width } = this.#sizes;
        this.#window.reveal({ x: LEFT + layer * width, y: TOP + position * ROW, width, height: ROW },
          { left: LEFT, top: TOP });
      } else {
        this.#selected = null;
      }
      this.#speak();
      this.invalidate();
    });
  }

  themeChanged() {
    const { paper, text, muted, face, mono } = this.colors();
    this.#palette = makePalette(paper);
    this.#colors = { text, muted, face, mono };
  }

  /** Numbers of layers and tokens, width of a cell. */
  get #sizes() {
    const { layer = [], position = [] } = this.#lens?.axes ?? {};
    const room = (this.#window.element.clientWidth - LEFT) / Math.max(1, layer.length);
    return { layers: layer.length, positions: position.length, width: Math.max(NARROW, Math.min(WIDE, room)) };
  }

  get #cell() {
    return this.#hovered ?? this.#selected;
  }

  redraw() {
    const lens = this.#lens;
    const { layers, positions, width } = this.#sizes;
    this.#window.resize({ width: LEFT + layers * width, height: lens ? TOP + positions * ROW : 0 });
    const view = this.#window.view;
    if (!lens || view.width === 0 || view.height === 0) return;
    this.#legend.show(SHADING, this.#palette, ROW);
    const context = this.#window.clear();
    const { text, muted, face, mono } = this.#colors;
    const fonts = { fontSize: FONT_SIZE, face, mono };
    const [x, y] = [LEFT - view.scrollX, TOP - view.scrollY];
    /** @type {(scroll: number, room: number, size: number, most: number) => [number, number]} */
    const range = (scroll, room, size, most) =>
      [Math.floor(scroll / size), Math.min(most, Math.ceil((scroll + room) / size))];
    const shown = { positions: range(view.scrollY, view.height - TOP, ROW, positions),
      layers: range(view.scrollX, view.width - LEFT, width, layers) };
    context.translate(x, y);
    paintMarks(context, lensCells(lens, { ...shown, width, fontSize: FONT_SIZE, palette: this.#palette }), fonts);
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
    paintMarks(context, tokenLabels(lens, shown.positions, { fontSize: FONT_SIZE, fill: muted, limit: 11,
      shown: cell?.position }), fonts);
    context.restore();
    context.save();
    context.beginPath();
    context.rect(LEFT, 0, view.width, TOP);
    context.clip();
    context.translate(x, TOP / 2);
    paintMarks(context, layerLabels(lens, { width, fill: muted, shown: cell?.layer }), fonts);
    context.restore();
    paintMarks(context, [{ text: 'after ↓ layer →', x: LEFT - 6, y: TOP / 2, anchor: 'end', fill: muted }], fonts);
    if (this.#details.open) this.#fillTable(shown.positions[0]);
  }

  /** Describes the current cell. */
  #speak() {
    const cell = this.#cell;
    const said = this.#lens && cell ? lensSentence(this.#lens, cell.layer, cell.position) : this.#lens ? HINT : '';
    if (this.#output.textContent !== said) this.#output.textContent = said;
    this.#output.classList.toggle('hint', !cell);
  }

  /** @param {number} from first row */
  #fillTable(from) {
    const lens = this.#lens;
    if (!lens) return;
    const { layer, position } = lens.axes;
    const caption = `Likeliest next token by layer, at most ${TABLE_ROWS} rows from the first visible one. `
      + 'The CSV file has all candidates.';
    this.#table.replaceChildren(h('table', {}, h('caption', {}, caption),
      h('thead', {}, h('tr', {}, h('td', {}, 'after'),
        ...layer.map((each) => h('th', { scope: 'col' }, layerLabel(each))))),
      h('tbody', {}, ...position.slice(from, from + TABLE_ROWS).map((token, i) =>
        h('tr', {}, h('th', { scope: 'row' }, tokenLabel(token, 40)), ...layer.map((_, at) => {
          const [{ text, probability }] = candidatesOf(lens, at, from + i);
          return h('td', {}, `${tokenLabel(text, 40)} ${formatPercent(probability)}`);
        }))))));
  }

  /** The cell under the pointer, or null. @param {MouseEvent} event @returns {LensCell | null} */
  #cellAt(event) {
    const { layers, positions, width } = this.#sizes;
    const { x, y } = this.#window.pointOf(event);
    const { scrollX, scrollY } = this.#window.view;
    const [layer, position] = [Math.floor((x - LEFT) / width), Math.floor((y - TOP) / ROW)];
    const token = y - scrollY >= TOP ? this.#lens?.axes.position[position] : undefined;
    this.#window.element.title = x - scrollX < LEFT && token !== undefined ? tokenName(token) : '';
    const inside = x - scrollX >= LEFT && y - scrollY >= TOP && layer < layers && position < positions;
    return inside ? { position, layer } : null;
  }

  /** @param {LensCell | null} cell */
  #hover(cell) {
    if (cell?.layer === this.#hovered?.layer && cell?.position === this.#hovered?.position) return;
    this.#hovered = cell;
    this.#emitCell();
  }

  /** @param {LensCell | null} cell */
  #select(cell) {
    this.#selected = cell;
    this.#emitCell();
  }

  #emitCell() {
    const cell = this.#cell;
    this.#speak();
    this.emit('heed-lens-cell', { cell: cell && { ...cell } });
    this.invalidate();
  }

  /** @param {KeyboardEvent} event */
  #pressKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.#lens) return;
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
    this.select({ position: to.query, layer: from ? to.key : 0 });
    this.#emitCell();
  }

  /**
   * The whole lens as a file. CSV and JSON have all candidates.
   * @param {'png' | 'svg' | 'csv' | 'json'} format of the file
   * @param {import('./figure.js').ExportOptions} [options] how a picture looks
   * @returns {Promise<Blob>} the file
   * @throws {RangeError} (rejects) if the picture is too large for the format
   * @throws {TypeError} (rejects) for an unknown format or invalid options, or if there is no data
   */
  async export(format, options = {}) {
    const style = this.fileStyle(format, FORMATS, options);
    const lens = this.#lens;
    if (!lens) throw new InputError('there is no data to save.');
    const { provenance, caption } = this.origin();
    const title = `${this.getAttribute('name') ?? 'model'}: likeliest next token by layer (logit lens)`;
    if (format === 'csv') return new Blob([lensToCsv(lens)], { type: 'text/csv' });
    if (format === 'json') {
      const json = { title, values: 'natural logarithm of the probability', provenance, ...lens, data: [...lens.data] };
      return new Blob([`${JSON.stringify(json)}\n`], { type: 'application/json' });
    }
    const { options: { fontSize }, palette } = style;
    const { layer, position } = lens.axes;
    const left = labelsWidth(position, fontSize, Infinity) + 8;
    const [width, top] = [Math.ceil(0.61 * fontSize * FILE_CHARACTERS) + 6, 2 * fontSize];
    const ink = inkOf(palette);
    const all = /** @type {const} */ ({ positions: [0, position.length], layers: [0, layer.length] });
    const marks = [
      ...moved(layerLabels(lens, { width, fill: ink }), left, fontSize),
      ...moved(tokenLabels(lens, [0, position.length], { fontSize, fill: ink, limit: Infinity }), left, top),
      ...moved(lensCells(lens, { positions: [...all.positions], layers: [...all.layers], width, fontSize, palette }),
        left, top),
    ];
    return markFile(format, { width: left + layer.length * width, marks, title, caption, provenance,
      height: top + position.length * CELL_HEIGHT * fontSize }, style);
  }
}

/**
 * Marks at another place.
 * @param {import('../draw/marks.js').Mark[]} marks rectangles and texts
 * @param {number} x
 * @param {number} y
 */
const moved = (marks, x, y) => marks.map((mark) => {
  if ('text' in mark) return { ...mark, x: mark.x + x, y: mark.y + y };
  if ('rect' in mark) return { ...mark, rect: /** @type {[number, number, number, number]} */ (
    [mark.rect[0] + x, mark.rect[1] + y, mark.rect[2], mark.rect[3]]) };
  return mark;
});
