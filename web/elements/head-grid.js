import { checkCount, checkHead, checkNumbers, checkShape, checkTexts, InputError } from '../draw/check.js';
import { makePalette } from '../draw/color.js';
import { HEAD_TYPES, HeadStats, describeScores, isSink, notableTypes } from '../draw/head-stats.js';
import { formatPercent } from '../draw/sentence.js';
import { SIDE, Thumbnail } from '../draw/thumbnail.js';
import { labelStep } from '../draw/view.js';
import { h, sized } from './dom.js';
import { ExportMenu } from './export-menu.js';
import { HeedFigure } from './figure.js';
import { gridFile } from './grid-file.js';
import { STYLE } from './head-grid-style.js';

/** Time that one frame may spend on thumbnails; the others wait for the next frame. */
const FRAME_MS = 24;
/** Least time from one drawing to the next while rows come, in milliseconds: a row changes little of a thumbnail. */
const GROWING_MS = 250;
/** CSS pixels of a thumbnail from which its letter can be read, and below which one head is shown enlarged. */
const [LETTERED, READABLE] = [28, 40];
/** CSS pixels below which frames between thumbnails would be all that is seen. */
const TINY = 14;
/** CSS pixels between two numbers of an axis. */
const NUMBER = 16;

/** @type {import('./grid-file.js').GridFormat[]} */
const FORMATS = ['png', 'svg', 'csv'];

/** @typedef {boolean | 'auto'} LeaveFirstOut ‘auto’: where most of a head's attention rests on the first token */

/** @type {[value: LeaveFirstOut, words: string][]} */
const LEAVE_FIRST_OUT = [['auto', 'left out where it gets most'], [false, 'shown'], [true, 'left out']];

/**
 * `<heed-head-grid>`: a thumbnail of every head of every layer, layers down, heads across.
 *
 *     grid.shape = { layers, heads };
 *     grid.extend(rows, tokens);   // { data: Float32Array [layer][head][query][key], layers, heads, queries, keys }
 *
 * Tells `heed-head` with { layer, head } when one is chosen, by pointer, arrow keys or Enter, and `heed-grid-options`
 * with { leaveFirstOut }.
 */
export class HeedHeadGrid extends HeedFigure {
  #grid = h('div', { class: 'grid', role: 'grid', 'aria-label': 'Every head. Layers down, heads across.' });
  // One canvas for all thumbnails: a browser pays for each canvas in each frame.
  #canvas = h('canvas', { 'aria-hidden': 'true' });
  /** The head that is pointed at or chosen, in words. */
  #said = h('p', { class: 'said' });
  /** The same head, large, where thumbnails are too small to be read. */
  #lens = h('canvas', { class: 'lens', width: SIDE, height: SIDE, 'aria-hidden': 'true' });
  #key = h('p', { class: 'key' });
  #firstSelect = h('select', {}, ...LEAVE_FIRST_OUT.map(([, words]) => h('option', {}, words)));
  /** [layer · heads + head]
   *  @type {{ cell: HTMLElement, thumbnail: Thumbnail, x: number, y: number, side: number, drawn: boolean }[]} */
  #heads = [];
  /** Numbers of the columns and of the rows. @type {{ columns: HTMLElement[], rows: HTMLElement[] }} */
  #numbers = { columns: [], rows: [] };
  #scratch = new OffscreenCanvas(SIDE, SIDE);
  #observer = new ResizeObserver(() => this.#measure());
  #shape = { layers: 0, heads: 0 };
  #habits = new HeadStats(this.#shape);
  #selected = { layer: 0, head: 0 };
  /** The head under the pointer. @type {number | null} */
  #pointed = null;
  /** @type {LeaveFirstOut} */
  #leaveFirstOut = 'auto';
  /** Heads whose thumbnail is out of date. @type {Set<number>} */
  #dirty = new Set();
  /** No drawing of rows that came begins before this time. */
  #next = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** What was on the canvas before its size changed. */
  #old = new OffscreenCanvas(1, 1);
  #palette = makePalette([255, 255, 255]);
  #ink = { text: '', font: '' };

  constructor() {
    super(STYLE);
    const first = h('label', {}, 'first token', this.#firstSelect);
    first.title = 'Many heads rest on the first token, and its column would outshine all others.';
    const menu = new ExportMenu({ subject: 'grid', formats: FORMATS, hatched: false, fileName: () => 'attention-heads',
      make: (format, wishes) => this.export(format, wishes) });
    this.root.append(h('div', { class: 'stage' }, this.#grid, this.#canvas), this.#said, this.#lens, this.#key,
      h('div', { class: 'foot' }, first), menu.element);
    this.#grid.addEventListener('click', (event) => this.#choose(this.#indexOf(event)));
    this.#grid.addEventListener('keydown', (event) => this.#walk(event));
    this.#grid.addEventListener('pointerover', (event) => {
      const at = this.#indexOf(event);
      this.#point(at < 0 ? null : at);
    });
    this.#grid.addEventListener('pointerleave', () => this.#point(null));
    this.#firstSelect.addEventListener('change', () => {
      const [leave] = LEAVE_FIRST_OUT[this.#firstSelect.selectedIndex];
      this.leaveFirstOut = leave;
      this.emit('heed-grid-options', { leaveFirstOut: Boolean(leave) });
    });
  }

  get shape() {
    return { ...this.#shape };
  }

  /** Starts anew with empty thumbnails. */
  set shape(shape) {
    this.accept('shape', () => {
      const { layers, heads } = checkShape(shape, 'shape');
      this.#shape = { layers, heads };
      this.#selected = { layer: 0, head: 0 };
      this.#habits = new HeadStats(this.#shape);
      this.#pointed = null;
      this.#dirty.clear();
      this.#heads = Array.from({ length: layers * heads }, () => {
        const cell = h('div', { role: 'gridcell', tabindex: -1, 'aria-selected': 'false' });
        return { cell, thumbnail: new Thumbnail(), x: 0, y: 0, side: 0, drawn: false };
      });
      this.#build();
      if (this.#heads.length) this.selected = { layer: 0, head: 0 };
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

  /**
   * Finds where each thumbnail lies on the canvas. Thumbnails that were drawn are scaled at once and drawn anew later.
   */
  #measure() {
    const { width: oldWidth, height: oldHeight } = this.#canvas;
    const scale = oldWidth / parseFloat(this.#canvas.style.width);
    this.#old.width = oldWidth;
    this.#old.height = oldHeight;
    if (oldWidth && oldHeight) this.#old.getContext('2d')?.drawImage(this.#canvas, 0, 0);
    const { offsetWidth, offsetHeight } = this.#grid;
    const context = sized(this.#canvas, offsetWidth, offsetHeight);
    context.clearRect(0, 0, offsetWidth, offsetHeight);
    this.#heads.forEach((head, at) => {
      const { x, y, side, drawn, cell } = head;
      Object.assign(head, { x: cell.offsetLeft, y: cell.offsetTop, side: cell.offsetWidth });
      if (drawn && side > 0) {
        context.drawImage(this.#old, x * scale, y * scale, side * scale, side * scale, head.x, head.y, head.side,
          head.side);
      }
      this.#dirty.add(at);
    });
    const { side = 0 } = this.#heads[0] ?? {};
    this.#grid.classList.toggle('tiny', side < TINY);
    this.#lens.hidden = this.#heads.length === 0 || side >= READABLE;
    for (const numbers of Object.values(this.#numbers)) {
      const step = labelStep(Math.max(1, side), NUMBER);
      numbers.forEach((number, at) => { number.textContent = at % step === 0 ? String(at) : ''; });
    }
    this.invalidate();
  }

  /** The head that is marked; setting it tells nobody. */
  get selected() {
    return { ...this.#selected };
  }

  set selected(selected) {
    this.accept('selected', () => {
      const { layer, head } = checkHead(selected, 'selected', this.#shape);
      const before = this.#heads[this.#selected.layer * this.#shape.heads + this.#selected.head];
      const now = this.#heads[layer * this.#shape.heads + head];
      before.cell.setAttribute('aria-selected', 'false');
      before.cell.tabIndex = -1;
      now.cell.setAttribute('aria-selected', 'true');
      now.cell.tabIndex = 0;
      this.#selected = { layer, head };
      this.invalidate();
    });
  }

  get leaveFirstOut() {
    return this.#leaveFirstOut;
  }

  /** Whether thumbnails leave the first token out: always, never, or where most of a head's attention rests on it. */
  set leaveFirstOut(leave) {
    this.accept('leaveFirstOut', () => {
      const at = LEAVE_FIRST_OUT.findIndex(([value]) => value === leave);
      if (at < 0) throw new InputError(`leaveFirstOut must be true, false or 'auto', got ${String(leave)}.`);
      this.#leaveFirstOut = leave;
      this.#firstSelect.selectedIndex = at;
      this.#redrawAll();
    });
  }

  /** Rows taken so far. */
  get length() {
    return this.#heads[0]?.thumbnail.length ?? 0;
  }

  /** What each head does on this text. */
  get habits() {
    return this.#habits;
  }

  /**
   * The next tokens' rows of every head.
   * @param {{ data: Float32Array | Float64Array, layers: number, heads: number, queries: number, keys: number,
   *   firstQuery?: number }} rows data [layer][head][query][key], the first query being the next one
   * @param {string[]} [tokens] of the queries, by which heads that look at repeats are told
   */
  extend(rows, tokens) {
    this.accept('rows', () => {
      const { data, queries, keys } = this.#checkRows(rows);
      const texts = tokens && checkTexts(tokens, 'tokens');
      if (texts && texts.length !== queries) {
        throw new InputError(`tokens must name the ${queries} queries of the rows, got ${texts.length}.`);
      }
      this.#habits.add({ data, queries, keys, firstQuery: this.length }, texts);
      this.#heads.forEach(({ thumbnail }, at) => {
        for (let query = 0; query < queries; query++) {
          thumbnail.append(data.subarray((at * queries + query) * keys, (at * queries + query + 1) * keys));
        }
      });
      this.#timer ??= setTimeout(() => this.#redrawAll(), Math.max(0, this.#next - performance.now()));
    });
  }

  /** @param {any} rows */
  #checkRows(rows) {
    const { layers, heads } = checkShape(rows, 'rows');
    const { layers: down, heads: across } = this.#shape;
    if (layers !== down || heads !== across) {
      throw new InputError(`rows has ${layers} × ${heads} heads and the grid ${down} × ${across}. Set shape first.`);
    }
    const { data, queries, keys, firstQuery = this.length } = rows;
    checkCount(queries, 'rows.queries');
    checkCount(keys, 'rows.keys', this.length + queries);
    if (firstQuery !== this.length) {
      throw new InputError(`rows.firstQuery must be ${this.length}, the next row of the grid, got ${firstQuery}.`);
    }
    checkNumbers(data, 'rows.data', [['layers', layers], ['heads', heads], ['queries', queries], ['keys', keys]]);
    return { data, queries, keys };
  }

  /**
   * Forgets rows from `length` on.
   * @param {number} length
   * @returns {number} the row to append next, at most `length`
   */
  truncate(length) {
    this.accept('rows', () => {
      checkCount(length, 'length');
      for (const { thumbnail } of this.#heads) thumbnail.truncate(length);
      this.#habits.truncate(this.length);
      this.#redrawAll();
    });
    return this.length;
  }

  themeChanged() {
    if (this.isConnected) {
      const { paper, text, face } = this.colors();
      this.#palette = makePalette(paper);
      this.#ink = { text, font: `600 10px ${face}` };
    }
    this.#redrawAll();
  }

  #redrawAll() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#next = performance.now() + GROWING_MS;
    this.#heads.forEach((_, at) => this.#dirty.add(at));
    this.invalidate();
  }

  /** @param {number} at */
  #habitOf(at) {
    const { heads } = this.#shape;
    return this.#habits.of(Math.floor(at / heads), at % heads);
  }

  /** Whether a head's thumbnail leaves the first token out. @param {number} at */
  #leavesFirstOut(at) {
    return this.#leaveFirstOut === 'auto' ? isSink(this.#habitOf(at)) : this.#leaveFirstOut;
  }

  redraw() {
    const context = this.#canvas.getContext('2d');
    if (!context) return;
    const end = performance.now() + FRAME_MS;
    context.imageSmoothingEnabled = false;
    for (const at of this.#dirty) {
      this.#draw(context, at);
      this.#dirty.delete(at);
      if (performance.now() > end) break;
    }
    for (const at of this.#dirty) {
      const { drawn, cell } = this.#heads[at];
      if (!drawn && cell.className !== 'waiting') cell.className = 'waiting';
    }
    if (this.#dirty.size) this.invalidate();
    else this.#explainLetters();
    this.#drawLens();
  }

  /** Says what the letters in the thumbnails stand for, as far as they are there. */
  #explainLetters() {
    const { side = 0 } = this.#heads[0] ?? {};
    const letters = new Set(this.#heads.flatMap((_, at) => notableTypes(this.#habitOf(at)).slice(0, 1)));
    const used = side < LETTERED ? [] : HEAD_TYPES.filter((habit) => letters.has(habit));
    const key = used.length ? `Looks at: ${used.map(([, letter, words]) => `${letter} ${words}`).join(' · ')}` : '';
    this.#key.hidden = key === '';
    if (this.#key.textContent !== key) this.#key.textContent = key;
  }

  /** @param {CanvasRenderingContext2D} context @param {number} at */
  #draw(context, at) {
    const head = this.#heads[at];
    const { cell, thumbnail, x, y, side } = head;
    context.clearRect(x, y, side, side);
    if (thumbnail.side) {
      this.#paint(at);
      context.drawImage(this.#scratch, 0, 0, thumbnail.side, thumbnail.side, x, y, side, side);
    }
    const [habit] = notableTypes(this.#habitOf(at));
    if (habit && side >= LETTERED) {
      // Above the diagonal nothing is drawn: the letter covers no weight.
      context.font = this.#ink.font;
      context.fillStyle = this.#ink.text;
      context.textAlign = 'right';
      context.textBaseline = 'top';
      context.fillText(habit[1], x + side - 3, y + 3);
    }
    head.drawn = thumbnail.side > 0;
    cell.className = head.drawn ? 'drawn' : '';
    this.#name(at);
  }

  /** Puts a thumbnail into the corner of the scratch canvas. @param {number} at */
  #paint(at) {
    const { thumbnail } = this.#heads[at];
    const pixels = thumbnail.paint(this.#palette, { leaveFirstOut: this.#leavesFirstOut(at) });
    const bytes = new Uint8ClampedArray(/** @type {ArrayBuffer} */ (pixels.buffer));
    this.#scratch.getContext('2d')?.putImageData(new ImageData(bytes, thumbnail.side, thumbnail.side), 0, 0);
  }

  /** Says and shows the head that is pointed at, else the one that is chosen. */
  #drawLens() {
    const { layer, head } = this.#selected;
    const at = this.#pointed ?? layer * this.#shape.heads + head;
    const shown = this.#heads[at];
    if (!shown) return;
    const [name, habits] = this.#words(at);
    const said = habits ? `: ${habits}` : '';
    if (this.#said.textContent !== name + said) this.#said.replaceChildren(h('strong', {}, name), said);
    if (this.#lens.hidden) return;
    const context = this.#lens.getContext('2d');
    if (!context) return;
    context.imageSmoothingEnabled = false;
    context.clearRect(0, 0, SIDE, SIDE);
    const { side } = shown.thumbnail;
    if (!side) return;
    this.#paint(at);
    context.drawImage(this.#scratch, 0, 0, side, side, 0, 0, SIDE, SIDE);
  }

  /** Name and habits of a head. @param {number} at @returns {[name: string, habits: string]} */
  #words(at) {
    const { heads } = this.#shape;
    const habit = this.#habitOf(at);
    const said = describeScores(habit);
    const out = this.#leavesFirstOut(at);
    const first = out && habit ? `the first token, with ${formatPercent(habit.first)}, is left out here` : '';
    const looks = said && `looks at ${said}`;
    return [`Layer ${Math.floor(at / heads)}, head ${at % heads}`, [looks, first].filter(Boolean).join('; ')];
  }

  /** Tells screen readers and tooltips what a head does. @param {number} at */
  #name(at) {
    const { cell } = this.#heads[at];
    const label = this.#words(at).filter(Boolean).join(': ');
    if (cell.title === label) return;
    cell.title = label;
    cell.setAttribute('aria-label', label);
  }

  /** @param {Event} event */
  #indexOf(event) {
    const cell = /** @type {Element} */ (event.target).closest('[role=gridcell]');
    return this.#heads.findIndex((head) => head.cell === cell);
  }

  /** @param {number | null} at */
  #point(at) {
    this.#pointed = at;
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
  #walk(event) {
    const { layers, heads } = this.#shape;
    let { layer, head } = this.#selected;
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
   * Every head's thumbnail as a picture, or what each head does as CSV.
   * @param {import('./grid-file.js').GridFormat} format
   * @param {import('./figure.js').ExportOptions} [wishes] how pictures look
   * @returns {Promise<Blob>}
   * @throws {RangeError | TypeError} for a grid that is too large for the format, or wishes that no file can have
   */
  async export(format, wishes = {}) {
    const style = this.fileStyle(format, FORMATS, wishes);
    const thumbnails = this.#heads.map(({ thumbnail }, at) => ({
      levels: thumbnail.levels({ leaveFirstOut: this.#leavesFirstOut(at) }),
      label: this.#words(at).filter(Boolean).join(': '),
    }));
    const { layers, heads } = this.#shape;
    const { length } = this;
    const name = this.getAttribute('name') ?? 'attention';
    const title = `${name}: ${layers} layers down, ${heads} heads across, ${length} tokens, `
      + 'each head on a linear scale to its own largest weight';
    const out = thumbnails.filter((_, at) => this.#leavesFirstOut(at)).length;
    const left = out ? `; first token left out in ${out === layers * heads ? 'every head' : `${out} heads`}` : '';
    const plate = { layers, heads, thumbnails, title: title + left, ...this.origin() };
    return gridFile(format, plate, { ...style, habits: this.#habits });
  }
}
