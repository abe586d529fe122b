/** `<heed-head-grid>`: a thumbnail of every head. */
import { checkCount, checkHead, checkNumbers, checkShape, checkTexts, InputError } from '../draw/check.js';
import { cssOf, paletteFor } from '../draw/color.js';
import { HEAD_TYPES, HeadStats, MAP_KINDS, describeScores, isSink, notableTypes } from '../draw/head-stats.js';
import { formatPercent } from '../draw/sentence.js';
import { Thumbnail } from '../draw/thumbnail.js';
import { labelStep } from '../draw/view.js';
import { choiceAttribute, numberAttribute } from './attributes.js';
import { h } from './dom.js';
import { HeedFigure } from './figure.js';
import { gridFile } from './grid-file.js';
import { factorName, HeadGridCanvas, TINY } from './head-grid-canvas.js';
import { STYLE } from './head-grid-style.js';

const GRID_NAME = 'All heads. Rows are layers, columns are heads.';
/** Least milliseconds between two drawings while rows arrive: one row changes little in a thumbnail. */
const GROWING_MS = 250;
/** Least CSS pixels between two numbers of an axis. */
const NUMBER = 16;

/** @typedef {import('../draw/head-stats.js').MapKind} MapKind */
/** @typedef {boolean | 'auto'} LeaveFirstOut ‘auto’: in heads that give most of their attention to the first token */

/** @type {[value: LeaveFirstOut, label: string][]} */
const LEAVE_FIRST_OUT = [['auto', 'Hidden where it dominates'], [false, 'Shown'], [true, 'Hidden']];

/**
 * `<heed-head-grid>`: a thumbnail of the attention of every head. Layers are rows, heads are columns.
 *
 *     grid.shape = { layers, heads };
 *     grid.extend(rows, tokens);   // { data [layers][heads][queries][keys], layers, heads, queries, keys }
 *
 * Attributes: `leave-first-out` (`true`, `false` or `auto`), `layer` and `head` (the selection), `editable`, `name`.
 *
 * @fires heed-head `{ layer, head }` a head was selected by pointer, arrow keys or Enter
 * @fires heed-head-cut `{ layer, head }` if editable: X or Delete on a head; with Shift, head is null: the whole layer
 * @fires heed-head-menu `{ layer, head, x, y }` if editable: the context menu of a head, or a click on the number of a
 *   layer (head is null). Call preventDefault() to replace the browser's menu
 * @fires heed-grid-options `{ leaveFirstOut }` the control changed the option
 * @fires heed-error `{ input, error }` an input was refused
 * @throws {never} invalid input does not throw: it fires `heed-error`
 */
export class HeedHeadGrid extends HeedFigure {
  static attributeReaders = {
    'leave-first-out':
      choiceAttribute('leave-first-out', 'leaveFirstOut', { auto: 'auto', true: true, false: false }, 'auto'),
    layer: numberAttribute('layer', 0),
    head: numberAttribute('head', 0),
    editable: choiceAttribute('editable', 'editable', { true: true, false: false }, false),
  };

  #grid = h('div', { class: 'grid', role: 'grid', 'aria-label': GRID_NAME });
  #canvas = new HeadGridCanvas((at) => ({ leaveFirstOut: this.#leavesFirstOut(at), scale: this.#scales.get(at),
    letter: notableTypes(this.#scoresOf(at))[0]?.[1] }));
  /** Describes the hovered or selected head. */
  #description = h('p', { class: 'said' });
  /** Explains the letters in the thumbnails. */
  #letterKey = h('p', { class: 'key' });
  #firstSelect = h('select', {}, ...LEAVE_FIRST_OUT.map(([, label]) => h('option', {}, label)));
  /** [layers · heads] layer by layer @type {{ cell: HTMLElement, thumbnail: Thumbnail }[]} */
  #heads = [];
  /** Numbers of the columns and of the rows. @type {{ columns: HTMLElement[], rows: HTMLElement[] }} */
  #numbers = { columns: [], rows: [] };
  #observer = new ResizeObserver(() => this.#measure());
  #shape = { layers: 0, heads: 0, kind: /** @type {MapKind} */ ('causal') };
  #stats = new HeadStats(this.#shape);
  #selected = { layer: 0, head: 0 };
  /** Values of `layer` and `head` that were set, possibly before `shape`. */
  #initial = { layer: 0, head: 0 };
  /** The head under the pointer. @type {number | null} */
  #hovered = null;
  /** @type {LeaveFirstOut} */
  #leaveFirstOut = 'auto';
  #editable = false;
  /** Factors of the outputs of changed heads, by index. @type {Map<number, number>} */
  #scales = new Map();
  /** Earliest time of the next drawing of new rows. */
  #nextDrawing = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  constructor() {
    super(STYLE);
    const first = h('label', {}, 'First token', this.#firstSelect);
    first.title = 'Many heads give the first token most of their attention. Its column hides the other weights.';
    this.root.append(h('div', { class: 'stage' }, this.#grid, this.#canvas.element), this.#description,
      this.#canvas.lens, this.#letterKey,
      h('div', { class: 'foot' }, first), this.menu({ subject: 'grid', fileName: () => 'attention-heads' }));
    this.#grid.addEventListener('click', (event) => this.#choose(this.#indexOf(event)));
    this.#grid.addEventListener('click', (event) => this.#openLayerMenu(event));
    this.#grid.addEventListener('contextmenu', (event) => this.#openMenu(event));
    this.#grid.addEventListener('keydown', (event) => this.#pressKey(event));
    this.#grid.addEventListener('pointerover', (event) => {
      const at = this.#indexOf(event);
      this.#hover(at < 0 ? null : at);
    });
    this.#grid.addEventListener('pointerleave', () => this.#hover(null));
    this.#firstSelect.addEventListener('change', () => {
      const [leave] = LEAVE_FIRST_OUT[this.#firstSelect.selectedIndex];
      this.leaveFirstOut = leave;
      this.emit('heed-grid-options', { leaveFirstOut: Boolean(leave) });
    });
  }

  /** Number of layers and of heads in each, and the kind of the maps: ‘causal’ (default), ‘bidirectional’ or ‘cross’.
   *  Setting it clears all thumbnails.
   *  @returns {{ layers: number, heads: number, kind?: MapKind }} */
  get shape() {
    return { ...this.#shape };
  }

  set shape(shape) {
    this.accept('shape', () => {
      const { layers, heads } = checkShape(shape, 'shape');
      const { kind = 'causal' } = shape;
      if (!MAP_KINDS.includes(kind)) {
        throw new InputError(`shape.kind must be one of ${MAP_KINDS.join(', ')}, got ${String(kind)}.`);
      }
      this.#shape = { layers, heads, kind };
      this.#selected = { layer: 0, head: 0 };
      this.#stats = new HeadStats(this.#shape);
      this.#hovered = null;
      this.#scales.clear();
      this.#heads = Array.from({ length: layers * heads }, () => {
        const cell = h('div', { role: 'gridcell', tabindex: -1, 'aria-selected': 'false' });
        this.#describeKeys(cell);
        return { cell, thumbnail: new Thumbnail({ causal: kind === 'causal' }) };
      });
      this.#canvas.show(this.#heads.map(({ thumbnail }) => thumbnail), kind === 'causal');
      this.#build();
      if (this.#heads.length) {
        this.#mark({ layer: 0, head: 0 });
        this.#selectByAttributes();
      }
      this.#heads.forEach((_, at) => this.#name(at));
      this.#measure();
    });
  }

  #build() {
    const { layers, heads } = this.#shape;
    this.#grid.style.gridTemplateColumns = `auto repeat(${heads}, minmax(0, 1fr))`;
    this.#grid.style.setProperty('--heads', String(heads));
    this.#grid.style.setProperty('--gap', `${heads > 24 ? 1 : heads > 12 ? 2 : 3}px`);
    const numbered = (/** @type {string} */ role, /** @type {string} */ axis, /** @type {number} */ count) =>
      Array.from({ length: count }, (_, at) => h('span', { role, 'aria-label': `${axis} ${at}` }));
    const columns = numbered('columnheader', 'head', heads);
    const rows = numbered('rowheader', 'layer', layers);
    this.#numbers = { columns, rows };
    const corner = h('span', { role: 'columnheader' }, h('span', { class: 'spoken' }, 'layer'));
    this.#grid.replaceChildren(h('div', { role: 'row' }, corner, ...columns), ...rows.map((number, layer) => {
      const cells = this.#heads.slice(layer * heads, (layer + 1) * heads).map(({ cell }) => cell);
      return h('div', { role: 'row' }, number, ...cells);
    }));
  }

  connectedCallback() {
    super.connectedCallback();
    this.#observer.observe(this.#grid);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#observer.disconnect();
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Places the numbers, which take room, and then the thumbnails. */
  #measure() {
    const cells = this.#heads.map(({ cell }) => cell);
    const step = labelStep(Math.max(1, cells[0]?.offsetWidth ?? 0), NUMBER);
    for (const numbers of Object.values(this.#numbers)) {
      numbers.forEach((number, at) => { number.textContent = at % step === 0 ? String(at) : ''; });
    }
    this.#canvas.measure(this.#grid, cells);
    this.#grid.classList.toggle('tiny', this.#canvas.side < TINY);
    this.invalidate();
  }

  /** The selected head. Setting it fires no event. */
  get selected() {
    return { ...this.#selected };
  }

  set selected(selected) {
    this.accept('selected', () => {
      this.#mark(checkHead(selected, 'selected', this.#shape));
    });
  }

  /** @param {{ layer: number, head: number }} selected */
  #mark({ layer, head }) {
    const before = this.#heads[this.#selected.layer * this.#shape.heads + this.#selected.head];
    const now = this.#heads[layer * this.#shape.heads + head];
    before.cell.setAttribute('aria-selected', 'false');
    before.cell.tabIndex = -1;
    now.cell.setAttribute('aria-selected', 'true');
    now.cell.tabIndex = 0;
    this.#selected = { layer, head };
    this.invalidate();
  }

  /** The layer of the selected head. Before `shape` is set, the layer to select then. */
  get layer() {
    return this.#heads.length ? this.#selected.layer : this.#initial.layer;
  }

  set layer(layer) {
    this.#initial = { layer: this.orDefault('layer', layer), head: this.head };
    this.#selectByAttributes();
  }

  /** The selected head within its layer. Before `shape` is set, the head to select then. */
  get head() {
    return this.#heads.length ? this.#selected.head : this.#initial.head;
  }

  set head(head) {
    this.#initial = { layer: this.layer, head: this.orDefault('head', head) };
    this.#selectByAttributes();
  }

  #selectByAttributes() {
    if (this.#heads.length) this.selected = { ...this.#initial };
  }

  /** Whether thumbnails leave out the first token: true, false, or ‘auto’ (heads that give it at least half of their
   *  attention). */
  get leaveFirstOut() {
    return this.#leaveFirstOut;
  }

  set leaveFirstOut(given) {
    this.accept('leaveFirstOut', () => {
      const leave = this.orDefault('leaveFirstOut', given);
      const at = LEAVE_FIRST_OUT.findIndex(([value]) => value === leave);
      if (at < 0) throw new InputError(`leaveFirstOut must be true, false or 'auto', got ${String(leave)}.`);
      this.#leaveFirstOut = leave;
      this.#firstSelect.selectedIndex = at;
      this.#redrawAll();
    });
  }

  /** Whether heads can be cut: the keys X and Delete and the context menu fire events, as layer numbers do. */
  get editable() {
    return this.#editable;
  }

  set editable(editable) {
    this.#editable = Boolean(editable);
    this.#grid.classList.toggle('editable', this.#editable);
    this.#grid.setAttribute('aria-label', `${GRID_NAME}${this.#editable ? ' X cuts the selected head.' : ''}`);
    for (const { cell } of this.#heads) this.#describeKeys(cell);
  }

  /** @param {HTMLElement} cell */
  #describeKeys(cell) {
    if (this.#editable) cell.setAttribute('aria-keyshortcuts', 'X Delete');
    else cell.removeAttribute('aria-keyshortcuts');
  }

  /** Heads whose output is multiplied by `scale` in the run that the grid shows; 0 is a cut head. */
  get changes() {
    const { heads } = this.#shape;
    return [...this.#scales].map(([at, scale]) => ({ layer: Math.floor(at / heads), head: at % heads, scale }));
  }

  set changes(changes) {
    this.accept('changes', () => {
      if (!Array.isArray(changes)) throw new InputError('changes must be an Array of { layer, head, scale }.');
      this.#scales = new Map(changes.map((change, at) => {
        const { layer, head } = checkHead(change, `changes[${at}]`, this.#shape);
        const { scale } = change;
        if (!Number.isFinite(scale)) throw new InputError(`changes[${at}].scale must be a finite number.`);
        return [layer * this.#shape.heads + head, scale];
      }));
      this.#redrawAll();
    });
  }

  /** Number of rows so far. */
  get length() {
    return this.#heads[0]?.thumbnail.length ?? 0;
  }

  /** Scores of each head on this text: `stats.of(layer, head)`. */
  get stats() {
    return this.#stats;
  }

  /**
   * Adds the rows of the next tokens, for every head.
   * @param {{ data: Float32Array | Float64Array, layers: number, heads: number, queries: number, keys: number,
   *   firstQuery?: number }} rows data [layers][heads][queries][keys]; the first query follows the last row so far
   * @param {string[]} [tokens] [queries] their texts, needed for the duplicate-token and induction scores
   * @throws {never} invalid input fires `heed-error`
   */
  extend(rows, tokens) {
    this.accept('rows', () => {
      const { data, queries, keys } = this.#checkRows(rows);
      const texts = tokens && checkTexts(tokens, 'tokens');
      if (texts && texts.length !== queries) {
        throw new InputError(`tokens must have one text for each of the ${queries} queries, got ${texts.length}.`);
      }
      this.#stats.add({ data, queries, keys, firstQuery: this.length }, texts);
      this.#heads.forEach(({ thumbnail }, at) => {
        for (let query = 0; query < queries; query++) {
          thumbnail.append(data.subarray((at * queries + query) * keys, (at * queries + query + 1) * keys));
        }
      });
      this.#timer ??= setTimeout(() => this.#redrawAll(), Math.max(0, this.#nextDrawing - performance.now()));
    });
  }

  /** @param {any} rows */
  #checkRows(rows) {
    const { layers, heads } = checkShape(rows, 'rows');
    const { layers: down, heads: across } = this.#shape;
    if (layers !== down || heads !== across) {
      throw new InputError(
        `rows has ${layers} × ${heads} heads, but the grid has ${down} × ${across}. Set shape first.`);
    }
    const { data, queries, keys, firstQuery = this.length } = rows;
    checkCount(queries, 'rows.queries');
    checkCount(keys, 'rows.keys', this.#shape.kind === 'causal' ? this.length + queries : 1);
    if (firstQuery !== this.length) {
      throw new InputError(`rows.firstQuery must be ${this.length}, the next row of the grid, got ${firstQuery}.`);
    }
    checkNumbers(data, 'rows.data', [['layers', layers], ['heads', heads], ['queries', queries], ['keys', keys]]);
    return { data, queries, keys };
  }

  /**
   * Drops the rows from position `length` on.
   * @param {number} length number of rows that stay
   * @returns {number} the position of the next row to add: at most `length`, less if a pixel of the thumbnails covers
   *   rows on both sides of it
   */
  truncate(length) {
    this.accept('rows', () => {
      checkCount(length, 'length');
      for (const { thumbnail } of this.#heads) thumbnail.truncate(length);
      this.#stats.truncate(this.length);
      this.#redrawAll();
    });
    return this.length;
  }

  themeChanged() {
    if (this.isConnected) {
      const { paper, text, face } = this.colors();
      this.#canvas.color(paletteFor(paper), { text, font: `600 10px ${face}`, paper: cssOf(paper) });
    }
    this.#redrawAll();
  }

  #redrawAll() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#nextDrawing = performance.now() + GROWING_MS;
    this.#canvas.outdate();
    this.invalidate();
  }

  /** @param {number} at */
  #scoresOf(at) {
    const { heads } = this.#shape;
    return this.#stats.of(Math.floor(at / heads), at % heads);
  }

  /** Whether a head's thumbnail leaves the first token out. @param {number} at */
  #leavesFirstOut(at) {
    return this.#leaveFirstOut === 'auto' ? isSink(this.#scoresOf(at)) : this.#leaveFirstOut;
  }

  redraw() {
    const done = this.#canvas.draw((at, state) => {
      const { cell } = this.#heads[at];
      if (cell.className !== state) cell.className = state;
      if (state !== 'waiting') this.#name(at);
    });
    if (done) this.#explainLetters();
    else this.invalidate();
    this.#describeShown();
  }

  /** Explains the letters that appear in thumbnails. */
  #explainLetters() {
    const letters = new Set(this.#heads.flatMap((_, at) => notableTypes(this.#scoresOf(at)).slice(0, 1)));
    const used = !this.#canvas.isLettered ? [] : HEAD_TYPES.filter((type) => letters.has(type));
    const key = used.length ? `Attends to: ${used.map(([, letter, name]) => `${letter} ${name}`).join(' · ')}` : '';
    this.#letterKey.hidden = key === '';
    if (this.#letterKey.textContent !== key) this.#letterKey.textContent = key;
  }

  /** Describes and enlarges the hovered head, or else the selected one. */
  #describeShown() {
    const { layer, head } = this.#selected;
    const at = this.#hovered ?? layer * this.#shape.heads + head;
    if (!this.#heads[at]) return;
    const [name, scores] = this.#describe(at);
    const rest = scores ? `: ${scores}` : '';
    if (this.#description.textContent !== name + rest) this.#description.replaceChildren(h('strong', {}, name), rest);
    this.#canvas.enlarge(at);
  }

  /** Name and highest scores of a head. @param {number} at @returns {[name: string, scores: string]} */
  #describe(at) {
    const { heads } = this.#shape;
    const scores = this.#scoresOf(at);
    const targets = describeScores(scores);
    const hidden = scores && this.#leavesFirstOut(at)
      ? `the first token (${formatPercent(scores.first)}) is hidden` : '';
    const attends = targets && `attends to ${targets}`;
    const scale = this.#scales.get(at);
    const change = scale === undefined ? '' : scale === 0 ? ' (cut)' : ` (${factorName(scale)})`;
    const name = `Layer ${Math.floor(at / heads)}, head ${at % heads}${change}`;
    return [name, [attends, hidden].filter(Boolean).join('; ')];
  }

  /** Sets the tooltip and the accessible name of a head. @param {number} at */
  #name(at) {
    const { cell } = this.#heads[at];
    const label = this.#describe(at).filter(Boolean).join(': ');
    if (cell.title === label) return;
    cell.title = label;
    cell.setAttribute('aria-label', label);
  }

  /** @param {Event} event */
  #indexOf(event) {
    const cell = /** @type {Element} */ (event.target).closest('[role=gridcell]');
    return this.#heads.findIndex((head) => head.cell === cell);
  }

  /** @param {MouseEvent} event */
  #openMenu(event) {
    const at = this.#indexOf(event);
    if (!this.#editable || at < 0) return;
    const { heads } = this.#shape;
    const { left, bottom } = this.#heads[at].cell.getBoundingClientRect();
    // A menu that a key opened has no point.
    const [x, y] = event.clientX || event.clientY ? [event.clientX, event.clientY] : [left, bottom];
    const unhandled = this.emit('heed-head-menu', { layer: Math.floor(at / heads), head: at % heads, x, y }, true);
    if (!unhandled) event.preventDefault();
  }

  /** @param {MouseEvent} event */
  #openLayerMenu(event) {
    const layer = this.#numbers.rows.findIndex((number) => event.composedPath().includes(number));
    if (!this.#editable || layer < 0) return;
    this.emit('heed-head-menu', { layer, head: null, x: event.clientX, y: event.clientY }, true);
  }

  /** @param {number | null} at */
  #hover(at) {
    this.#hovered = at;
    this.invalidate();
  }

  /** @param {number} at */
  #choose(at) {
    if (at < 0) return;
    const { heads } = this.#shape;
    this.selected = { layer: Math.floor(at / heads), head: at % heads };
    this.emit('heed-head', this.selected);
  }

  /** @param {KeyboardEvent} event */
  #pressKey(event) {
    const { layers, heads } = this.#shape;
    let { layer, head } = this.#selected;
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
    if (this.#editable && plain && ['x', 'X', 'Delete'].includes(event.key)) {
      event.preventDefault();
      this.emit('heed-head-cut', { layer, head: event.shiftKey ? null : head });
      return;
    }
    switch (event.key) {
      case 'ArrowLeft': head--; break;
      case 'ArrowRight': head++; break;
      case 'ArrowUp': layer--; break;
      case 'ArrowDown': layer++; break;
      case 'Home': head = 0; break;
      case 'End': head = heads - 1; break;
      case 'Enter': case ' ': break;
      default: return;
    }
    event.preventDefault();
    if (layer < 0 || layer >= layers || head < 0 || head >= heads) return;
    this.#choose(layer * heads + head);
    this.#heads[layer * heads + head].cell.focus();
  }

  /**
   * All thumbnails as a picture, or the scores of all heads.
   * @protected
   * @param {import('./figure.js').FileFormat} format
   * @param {import('./figure.js').FileStyle} style
   */
  async file(format, style) {
    const thumbnails = this.#heads.map(({ thumbnail }, at) => ({
      levels: thumbnail.levels({ leaveFirstOut: this.#leavesFirstOut(at) }),
      label: this.#describe(at).filter(Boolean).join(': '),
    }));
    const { layers, heads } = this.#shape;
    const { length } = this;
    const name = this.getAttribute('name') ?? 'attention';
    const title = `${name}: rows are ${layers} layers, columns are ${heads} heads, ${length} tokens, `
      + 'each head on a linear scale up to its largest weight';
    const out = thumbnails.filter((_, at) => this.#leavesFirstOut(at)).length;
    const left = out ? `; first token left out in ${out === layers * heads ? 'every head' : `${out} heads`}` : '';
    const figure = { layers, heads, thumbnails, title: title + left, ...this.origin() };
    return gridFile(format, figure, { ...style, stats: this.#stats });
  }
}
