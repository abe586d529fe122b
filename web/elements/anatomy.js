/** `<heed-anatomy>`: a whole transformer as one figure with the numbers of a run. */
import { blockBoxes, checkInfo, firstBoxes, kvHeadOf, lastBoxes, planeOf, valueAt } from '../draw/anatomy-boxes.js';
import { layOutBlock } from '../draw/anatomy-layout.js';
import { endOf, makeInks, paintPixels, pixelsOf } from '../draw/anatomy-raster.js';
import { Missing, sumOf } from '../draw/anatomy-sums.js';
import { checkCount, checkObject, checkTexts, InputError } from '../draw/check.js';
import { makePalette } from '../draw/color.js';
import { formatPercent } from '../draw/sentence.js';
import { tokenLabel, tokenName } from '../draw/token.js';
import { AnatomyCandidates } from './anatomy-candidates.js';
import { anatomyFile } from './anatomy-file.js';
import { AnatomyFlow } from './anatomy-flow.js';
import { AnatomyNumbers, checkActivation } from './anatomy-numbers.js';
import { AnatomyPlayer } from './anatomy-player.js';
import { AnatomySpine } from './anatomy-spine.js';
import { STYLE } from './anatomy-style.js';
import { AnatomySum } from './anatomy-sum.js';
import { AnatomyWindow } from './anatomy-window.js';
import { numberAttribute, textAttribute } from './attributes.js';
import { h, sized } from './dom.js';
import { button, ExportMenu } from './export-menu.js';
import { HeedFigure } from './figure.js';

/** @typedef {import('../draw/anatomy-boxes.js').AnatomyInfo} AnatomyInfo */
/** @typedef {import('../draw/anatomy-boxes.js').Activation} Activation */
/** @typedef {import('../draw/anatomy-boxes.js').Box} Box */
/** @typedef {import('../draw/anatomy-boxes.js').Plane} Plane */
/** @typedef {import('../draw/anatomy-sums.js').Sum} Sum */
/** @typedef {import('./anatomy-numbers.js').Load} Load */
/** A number of a box: its row and column in the raster.
 *  @typedef {{ box: string, row: number, column: number }} Place */

/**
 * A run of a model.
 * @typedef {object} AnatomyData
 * @property {AnatomyInfo} info sizes of the model, such as `model.info`
 * @property {string[]} tokens of the run
 * @property {Record<string, Activation>} [activations] that are known, such as the cache of `model.runWithCache`
 */

/** Most tokens of a run. */
const TOKENS_LIMIT = 4096;
/** Milliseconds that a frame may spend on rasters. The others wait for the next frame. */
const FRAME_MS = 24;
/** Width of a saved figure. */
const FILE_WIDTH = 1120;
/** @type {import('./anatomy-file.js').AnatomyFormat[]} */
const FORMATS = ['png', 'svg', 'csv'];

/**
 * `<heed-anatomy>`: a whole transformer, from tokens to probabilities, with the numbers of a run. Boxes open, and every
 * number is written out as the sum that makes it.
 *
 *     anatomy.load = async (names) => (await model.runWithCache(ids, names)).cache;
 *     anatomy.data = { info: model.info, tokens: await model.tokens(ids) };
 *
 * Attributes: `layer`, `head`, `position`, `box`, `lessons` (address of the folder of lessons).
 *
 * @fires heed-anatomy-box `{ layer, head, box }` a box was opened, or closed (null)
 * @fires heed-anatomy-cell `{ cell }` a number is hovered or selected: `{ box, row, column, value }`, or null
 * @fires heed-anatomy-stage `{ layer, box, position }` the playhead moved
 * @fires heed-error `{ input, error }` an input was refused
 * @throws {never} invalid input does not throw: it fires `heed-error`
 */
export class HeedAnatomy extends HeedFigure {
  static attributeReaders = {
    layer: numberAttribute('layer', 0),
    head: numberAttribute('head', 0),
    position: numberAttribute('position', null),
    box: textAttribute('box', ''),
    lessons: textAttribute('lessons', ''),
  };

  #headSelect = h('select');
  #tokenSelect = h('select');
  #stageSaid = h('span', { class: 'stage', role: 'status' });
  #spine = new AnatomySpine({
    onBox: (id) => {
      this.#openBox(id);
      this.redraw();
      this.#inspector.scrollIntoView({ block: 'nearest' });
    },
    onLayer: (layer) => {
      this.layer = layer;
      this.#emitBox();
    },
  });
  #blockTitle = h('p', { class: 'title' });
  #flow = new AnatomyFlow();
  #block = h('section', { class: 'block' }, h('header', {}, this.#blockTitle, h('p', { class: 'muted' },
    'Each row is a token. Point at a number to see how it is computed.')), this.#flow.element);
  #openTitle = h('p', { class: 'title' });
  #openWhat = h('p', { class: 'muted' });
  #window = new AnatomyWindow({ onCell: (cell) => this.#choose(cell), onChange: () => this.invalidate() });
  #candidates = new AnatomyCandidates((id) => {
    this.#choose({ row: 0, column: id });
    this.redraw();
  });
  #sum = new AnatomySum();
  #tools = h('span', { class: 'tools' }, button('−', 'Zoom out', () => this.#window.zoom(-1)),
    button('+', 'Zoom in', () => this.#window.zoom(1)));
  #inspector = h('section', { class: 'inspector', 'aria-label': 'Open box' }, h('header', {},
    h('div', { class: 'line' }, this.#openTitle, this.#tools, button('×', 'Close the box', () => this.#close())),
    this.#openWhat), this.#window.element, this.#candidates.element);
  #player = new AnatomyPlayer((direction) => this.#step(direction));
  #all = h('div', { class: 'all', hidden: true }, h('div', { class: 'controls' },
    h('label', {}, 'Head', this.#headSelect), h('label', {}, 'Token', this.#tokenSelect), this.#player.element,
    this.#stageSaid), this.#spine.element, this.#block, this.#inspector, this.#sum.element);

  /** @type {AnatomyInfo | null} */
  #info = null;
  /** @type {string[]} */
  #tokens = [];
  #numbers = new AnatomyNumbers(/** @type {any} */ ({}), 0, new Map());
  /** @type {Load | null} */
  #load = null;
  /** @type {((ids: number[]) => Promise<string[]> | string[]) | null} */
  #words = null;
  /** Texts of tokens of the vocabulary. @type {Map<number, string | null>} */
  #texts = new Map();
  #layer = 0;
  #head = 0;
  /** Position of the token that is walked through; null for the last. @type {number | null} */
  #position = null;
  /** The open box. @type {string | null} */
  #open = null;
  /** The selected number of the open box. @type {{ row: number, column: number } | null} */
  #cell = null;
  /** The number under the pointer. @type {Place | null} */
  #hovered = null;
  /** Index of the playhead's stage, or null. @type {number | null} */
  #stage = null;
  /** @type {string} */
  #lessons = '';
  /** Ends of color scales, by name and head. @type {Map<string, number>} */
  #ends = new Map();
  /** The numbers and the theme of each painted canvas.
   *  @type {WeakMap<HTMLCanvasElement, { state: string, data: Float32Array | undefined }>} */
  #painted = new WeakMap();
  #inks = makeInks(makePalette([255, 255, 255]));
  /** Counts changes of the theme. */
  #theme = 0;
  /** Time until which a frame may paint. */
  #frameEnd = 0;
  #style = { text: '', muted: '', face: '', mono: '', paper: '', accent: '', hatch: '' };
  #observer = new ResizeObserver(() => this.invalidate());

  constructor() {
    super(STYLE);
    const menu = new ExportMenu({ subject: 'block', formats: FORMATS, fileName: () => `anatomy-block-${this.layer}`,
      make: (format, options) => this.export(format, options) });
    this.#all.append(menu.element);
    this.root.append(this.#all);
    this.#inspector.hidden = true;
    this.#headSelect.addEventListener('change', () => {
      this.head = this.#headSelect.selectedIndex;
      this.#emitBox();
    });
    this.#tokenSelect.addEventListener('change', () => this.#walk(this.#tokenSelect.selectedIndex));
    const { element: flow } = this.#flow;
    flow.addEventListener('pointermove', (event) => this.#hover(this.#flow.placeAt(event, this.#planeById)));
    flow.addEventListener('pointerleave', () => this.#hover(null));
    flow.addEventListener('click', (event) => this.#clickFlow(event));
    this.root.addEventListener('keydown', (given) => {
      const event = /** @type {KeyboardEvent} */ (given);
      const inside = this.#inspector.contains(/** @type {Node} */ (event.target));
      if (event.key !== 'Escape' || !this.#open || !inside) return;
      event.preventDefault();
      this.#close();
    });
  }

  connectedCallback() {
    super.connectedCallback();
    this.#observer.observe(this);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#observer.disconnect();
    this.#player.pause();
  }

  // Input

  /** The run: sizes, tokens and known activations. Setting it replaces the figure. @param {AnatomyData} data */
  set data(data) {
    this.accept('data', () => {
      const { info: sizes, tokens: texts, activations = {} } = checkObject(data, 'data', '{ info, tokens }');
      const info = checkInfo(sizes, 'data.info');
      const tokens = checkTexts(texts, 'data.tokens');
      if (!tokens.length) throw new InputError('data.tokens must have at least one token.');
      if (tokens.length > TOKENS_LIMIT) {
        throw new InputError(`data.tokens has ${tokens.length} tokens; the figure shows at most ${TOKENS_LIMIT}.`);
      }
      checkObject(activations, 'data.activations', '{ [name]: { data, shape } }');
      const given = new Map(Object.entries(activations).map(([name, activation]) =>
        [name, checkActivation(info, tokens.length, name, activation, 'data.activations')]));
      this.#numbers.restart();
      this.#numbers = new AnatomyNumbers(info, tokens.length, given);
      this.#info = info;
      this.#tokens = tokens;
      this.#texts.clear();
      this.#ends.clear();
      this.#hovered = null;
      this.#cell = null;
      this.#stage = null;
      this.#player.pause();
      this.#spine.build(info, tokens.length);
      this.#flow.reset();
      this.#all.hidden = false;
      this.#fillSelects();
      this.invalidate();
    });
  }

  /** Loads the activations and weights that are seen; null if `data` has them all. @type {Load | null} */
  get load() {
    return this.#load;
  }

  set load(load) {
    this.accept('load', () => {
      this.#load = checkFunction(load, 'load');
      this.#numbers.restart();
      this.invalidate();
    });
    if (load === null) this.accept('answer of load', () => {});
  }

  /** Gives the texts of tokens of the vocabulary: `(ids) => model.tokens(ids)`.
   *  @type {((ids: number[]) => Promise<string[]> | string[]) | null} */
  get words() {
    return this.#words;
  }

  set words(words) {
    this.accept('words', () => {
      this.#words = checkFunction(words, 'words');
      this.#texts.clear();
      this.invalidate();
    });
    if (words === null) this.accept('answer of words', () => {});
  }

  /** The open block. */
  get layer() {
    return Math.min(this.#layer, Math.max(0, (this.#info?.layers ?? 1) - 1));
  }

  set layer(layer) {
    this.accept('layer', () => {
      this.#layer = checkCount(layer, 'layer', 0, (this.#info?.layers ?? Infinity) - 1);
      this.#cell = null;
      this.invalidate();
    });
  }

  /** The head that is shown. */
  get head() {
    return Math.min(this.#head, Math.max(0, (this.#info?.heads ?? 1) - 1));
  }

  set head(head) {
    this.accept('head', () => {
      this.#head = checkCount(head, 'head', 0, (this.#info?.heads ?? Infinity) - 1);
      this.#headSelect.selectedIndex = this.head;
      this.invalidate();
    });
  }

  /** Position of the token that is walked through. @returns {number} */
  get position() {
    const last = Math.max(0, this.#tokens.length - 1);
    return Math.min(this.#position ?? last, last);
  }

  /** @param {number | null} position null: the last token */
  set position(position) {
    this.accept('position', () => {
      const most = this.#tokens.length ? this.#tokens.length - 1 : TOKENS_LIMIT;
      this.#position = position === null ? null : checkCount(position, 'position', 0, most);
      this.#numbers.forget('logits');
      this.#cell = null;
      this.#tokenSelect.selectedIndex = this.position;
      this.invalidate();
    });
  }

  /** The open box: 'pattern', 'q', 'logits', …, or '' without an open box. */
  get box() {
    return this.#open ?? '';
  }

  set box(box) {
    this.accept('box', () => {
      if (box !== '' && !ALL_BOXES.includes(box)) {
        throw new InputError(`box must be one of ${ALL_BOXES.join(', ')}, or '', got ${String(box)}.`);
      }
      this.#open = box || null;
      this.#cell = null;
      this.invalidate();
    });
  }

  /** Address of the folder of lessons, with which boxes link to the lesson that explains them; '' for no links. */
  get lessons() {
    return this.#lessons;
  }

  set lessons(lessons) {
    this.accept('lessons', () => {
      if (typeof lessons !== 'string') throw new InputError('lessons must be a string.');
      if (lessons !== '' && !/^(https?|file):$/.test(new URL(lessons, document.baseURI).protocol)) {
        throw new InputError('lessons must be an address of https:, http: or file:.');
      }
      this.#lessons = lessons;
      this.invalidate();
    });
  }

  /**
   * Selects a number of the open box, and writes it out.
   * @param {{ row: number, column: number }} cell row: the position; column: a feature, a key or a token's id
   * @throws {never} invalid input fires `heed-error`
   */
  select(cell) {
    this.accept('select', () => {
      const { row, column } = checkObject(cell, 'cell', '{ row, column }');
      const box = this.#boxOf(this.#open);
      const plane = box && this.#planeOf(box);
      if (!plane) throw new InputError('no numbers are shown: open a box first.');
      this.#choose({ row: checkCount(row, 'cell.row', 0, plane.rows - 1),
        column: checkCount(column, 'cell.column', 0, plane.columns - 1) });
    });
  }

  /** The number that is written out, or null while it is loaded. @returns {Sum | null} */
  get sum() {
    const place = this.#place;
    return place && this.#sumOf(place).sum;
  }

  /** Walks the token through the stages. */
  play() {
    this.#player.play();
  }

  /** Stops the walk at its stage. */
  pause() {
    this.#player.pause();
  }

  /**
   * Writes the open block as a picture, or the numbers of the open box as CSV. Without an open box: the pattern.
   * @param {import('./anatomy-file.js').AnatomyFormat} format 'png', 'svg' or 'csv'
   * @param {import('./figure.js').ExportOptions} [options] how a picture looks
   * @returns {Promise<Blob>} the file
   * @throws {InputError} (rejects) for an unknown format, invalid options, or while numbers are missing
   */
  async export(format, options = {}) {
    const style = this.fileStyle(format, FORMATS, options);
    const boxes = this.#info ? blockBoxes(this.#info, this.layer, this.#tokens.length) : [];
    const planes = new Map(boxes.map((box) => {
      const plane = this.#planeOf(box);
      if (!plane) throw new InputError(`the numbers of block ${this.layer} are not loaded yet.`);
      return [box.id, { plane, scale: this.#scaleOf(box, plane) }];
    }));
    const box = this.#boxOf(this.#open) ?? this.#boxOf('pattern');
    const plane = box && this.#planeOf(box);
    if (!box || !plane) throw new InputError('there are no numbers: set data first.');
    const figure = { layout: layOutBlock(boxes, this.#tokens.length, FILE_WIDTH), boxes, tokens: this.#tokens,
      title: `Block ${this.layer}, head ${this.head}`, ...this.origin() };
    return anatomyFile(format, { figure, planes, numbers: { box, plane } },
      { ...style, inks: makeInks(style.palette) });
  }

  // State

  themeChanged() {
    this.#theme++;
  }

  /** @returns {Box[]} every box of the spine and of the open block */
  #boxes() {
    if (!this.#info) return [];
    const count = this.#tokens.length;
    return [...firstBoxes(this.#info, count), ...blockBoxes(this.#info, this.layer, count),
      ...lastBoxes(this.#info, count)];
  }

  /** @param {string | null} id */
  #boxOf(id) {
    return this.#boxes().find((box) => box.id === id) ?? null;
  }

  /** @param {Box} box @returns {Plane | null} */
  #planeOf(box) {
    const activation = this.#numbers.get(box.name);
    return activation ? planeOf(box, activation, this.head, /** @type {AnatomyInfo} */ (this.#info)) : null;
  }

  /** @param {string | null} id @returns {Plane | null} */
  #planeById = (id) => {
    const box = this.#boxOf(id);
    return box && this.#planeOf(box);
  };

  /** @param {Box} box @param {Plane} plane */
  #scaleOf({ id, kind }, plane) {
    const weights = id === 'pattern';
    const key = `${this.layer} ${id} ${kind === 'map' || kind === 'head' ? this.head : ''}`;
    const end = this.#ends.get(key) ?? endOf(plane, weights);
    this.#ends.set(key, end);
    return { end, weights, causal: kind === 'map' };
  }

  /** The number that is written out: under the pointer, or selected. @returns {Place | null} */
  get #place() {
    if (this.#hovered) return this.#hovered;
    return this.#open && this.#cell ? { box: this.#open, ...this.#cell } : null;
  }

  /** @param {Place} place @returns {{ sum: Sum | null, missing: string[] }} */
  #sumOf({ box: id, row, column }) {
    const boxes = this.#boxes();
    const box = boxes.find((each) => each.id === id);
    if (!box || !this.#info) return { sum: null, missing: [] };
    try {
      const run = { info: this.#info, boxes, tokens: this.#tokens, layer: this.layer, head: this.head,
        position: this.position, word: (/** @type {number} */ token) => this.#texts.get(token) ?? `token ${token}`,
        get: (/** @type {string} */ name) => this.#numbers.get(name) };
      return { sum: sumOf(run, box, { row, column }), missing: [] };
    } catch (error) {
      if (error instanceof Missing) return { sum: null, missing: error.names };
      throw error;
    }
  }

  // Choosing

  #fillSelects() {
    const { heads, kvHeads } = /** @type {AnatomyInfo} */ (this.#info);
    this.#headSelect.replaceChildren(...Array.from({ length: heads }, (_, head) => h('option', {},
      kvHeads < heads ? `${head} (keys of ${kvHeadOf(/** @type {any} */ (this.#info), head)})` : String(head))));
    this.#headSelect.selectedIndex = this.head;
    this.#tokenSelect.replaceChildren(...this.#tokens.map((token, at) =>
      h('option', {}, `${at} ${tokenLabel(token, 20)}`)));
    this.#tokenSelect.selectedIndex = this.position;
  }

  /** @param {number} position */
  #walk(position) {
    this.position = position;
    if (this.#stage !== null) this.#showStage();
  }

  /** @param {{ row: number, column: number } | null} cell */
  #choose(cell) {
    if (cell && this.#cell && cell.row === this.#cell.row && cell.column === this.#cell.column) return;
    this.#cell = cell;
    if (cell) this.#window.reveal(cell);
    this.#emitCell();
    this.invalidate();
  }

  /** @param {Place | null} place */
  #hover(place) {
    const same = JSON.stringify(place) === JSON.stringify(this.#hovered);
    if (same) return;
    this.#hovered = place;
    this.#emitCell();
    this.invalidate();
  }

  #emitCell() {
    const place = this.#place;
    const box = place && this.#boxOf(place.box);
    const plane = box && this.#planeOf(box);
    this.emit('heed-anatomy-cell', { cell: place && plane
      ? { ...place, value: valueAt(plane, place.row, place.column) } : null });
  }

  #emitBox() {
    this.emit('heed-anatomy-box', { layer: this.layer, head: this.head, box: this.#open });
  }

  /** @param {string} id @param {{ row: number, column: number } | null} [cell] */
  #openBox(id, cell = null) {
    const before = this.#open;
    this.#open = id;
    this.#hovered = null;
    this.#cell = cell;
    if (before !== id) this.#emitBox();
    if (cell) {
      this.redraw();
      this.#window.reveal(cell);
      this.#emitCell();
    }
    this.invalidate();
  }

  #close() {
    const id = this.#open;
    this.#open = this.#cell = null;
    this.#emitBox();
    this.redraw();
    (this.#flow.card(id ?? '') ?? this.#spine.button(id ?? ''))?.focus();
  }

  /** @param {MouseEvent} event */
  #clickFlow(event) {
    const { id, token } = this.#flow.clicked(event);
    if (token !== null) this.#walk(token);
    if (!id) return;
    const place = event.detail ? this.#flow.placeAt(event, this.#planeById) : null;
    this.#openBox(id, place && { row: place.row, column: place.column });
    if (!event.detail) this.#enterInspector();
  }

  /** Moves the focus into the open box, after it was opened by a key. */
  #enterInspector() {
    this.redraw();
    const list = this.#candidates.current ?? this.#inspector.querySelector('button');
    (this.#window.element.hidden ? list : this.#window.element)?.focus();
  }

  // The playhead

  /** The stages of the walk: a box, or a whole block that is not open.
   *  @returns {{ box: string | null, layer: number }[]} */
  #stages() {
    if (!this.#info) return [];
    const of = (/** @type {Box[]} */ boxes, layer = -1) => boxes.map(({ id }) => ({ box: id, layer }));
    const count = this.#tokens.length;
    return [...of(firstBoxes(this.#info, count)), ...Array.from({ length: this.#info.layers }, (_, layer) =>
      (layer === this.layer ? of(blockBoxes(/** @type {AnatomyInfo} */ (this.#info), layer, count), layer)
        : [{ box: null, layer }])).flat(), ...of(lastBoxes(this.#info, count))];
  }

  /** @param {-1 | 1} direction @returns {boolean} false at the end */
  #step(direction) {
    const last = this.#stages().length - 1;
    const next = this.#stage === null ? (direction > 0 ? 0 : last) : this.#stage + direction;
    if (next < 0 || next > last) return false;
    this.#stage = next;
    this.#showStage();
    return next < last;
  }

  #showStage() {
    const stages = this.#stages();
    const stage = stages[Math.min(this.#stage ?? 0, stages.length - 1)];
    if (!stage) return;
    if (stage.box) {
      this.#open = stage.box;
      this.#cell = null;
    }
    this.#hovered = null;
    this.emit('heed-anatomy-stage', { ...stage, position: this.position });
    this.invalidate();
  }

  // Drawing

  redraw() {
    if (!this.#info) return;
    this.#frameEnd = performance.now() + FRAME_MS;
    const { paper, text, muted, face, mono, hatch } = this.colors();
    if (this.#style.paper !== `rgb(${paper.join(', ')})`) this.#inks = makeInks(makePalette(paper));
    this.#style = { text, muted, face, mono, hatch, paper: `rgb(${paper.join(', ')})`,
      accent: getComputedStyle(this.#flow.cursor).borderTopColor };
    /** @type {Set<string>} */
    const wanted = new Set();
    const stage = this.#stage === null ? null : this.#stages()[this.#stage] ?? null;
    this.#spine.draw({ open: this.#open, layer: this.layer, stage }, (canvas, box, size) => {
      wanted.add(box.name);
      this.#paintCanvas(canvas, box, size);
    });
    this.#drawBlock(wanted);
    this.#drawInspector(wanted);
    this.#drawSum(wanted);
    this.#drawStage(stage);
    this.#ask(wanted);
  }

  /** @param {Set<string>} wanted */
  #ask(wanted) {
    this.#numbers.keep(wanted);
    if (!this.#load) return;
    const numbers = this.#numbers;
    const answer = numbers.request(wanted, this.#load, this.position);
    if (answer) this.invalidate(); // the boxes are busy now
    answer?.then(() => {
      if (numbers === this.#numbers) this.accept('answer of load', () => this.invalidate());
    }, (error) => {
      if (numbers === this.#numbers) this.#refuse('answer of load', error);
    });
  }

  /** @param {Set<string>} wanted */
  #drawBlock(wanted) {
    const boxes = blockBoxes(/** @type {AnatomyInfo} */ (this.#info), this.layer, this.#tokens.length);
    this.#blockTitle.textContent = `Block ${this.layer}, head ${this.head}`;
    this.#flow.build(boxes, this.#tokens);
    for (const { name } of boxes) wanted.add(name);
    const byId = new Map(boxes.map((box) => [box.id, box]));
    const boxOf = (/** @type {string} */ id) => /** @type {Box} */ (byId.get(id));
    this.#flow.draw(this.#open, (id) => this.#numbers.isLoading(boxOf(id).name),
      (canvas, id, size) => this.#paintCanvas(canvas, boxOf(id), size));
  }

  /** Paints a box, unless its canvas shows it already. After FRAME_MS the next frame paints the rest.
   *  @param {HTMLCanvasElement} canvas @param {Box} box @param {{ width: number, height: number }} size */
  #paintCanvas(canvas, box, { width, height }) {
    const plane = this.#planeOf(box);
    const state = `${plane?.offset} ${width} ${height} ${this.#theme}`;
    const before = this.#painted.get(canvas);
    if (before && before.state === state && before.data === plane?.data) return;
    if (performance.now() > this.#frameEnd) {
      this.invalidate();
      return;
    }
    this.#painted.set(canvas, { state, data: plane?.data });
    const context = sized(canvas, width, height);
    context.clearRect(0, 0, width, height);
    if (!plane) return;
    const density = globalThis.devicePixelRatio || 1;
    const size = { width: Math.min(plane.columns, Math.round(width * density)),
      height: Math.min(plane.rows, Math.round(height * density)) };
    const pixels = pixelsOf(plane, { rows: [0, plane.rows], columns: [0, plane.columns] }, size,
      this.#scaleOf(box, plane), this.#inks);
    paintPixels(context, pixels, size, { x: 0, y: 0, width, height });
  }

  /** @param {Set<string>} wanted */
  #drawInspector(wanted) {
    const box = this.#boxOf(this.#open);
    this.#inspector.hidden = box === null;
    if (!box) return;
    wanted.add(box.name);
    const title = box.kind === 'map' || box.kind === 'head' ? `${box.title}, head ${this.head}` : box.title;
    this.#openTitle.textContent = title;
    this.#inspector.setAttribute('aria-label', title);
    this.#openWhat.replaceChildren(`${box.what} `);
    if (this.#lessons) {
      const href = new URL(`${box.lesson}.html`, new URL(this.#lessons.replace(/\/?$/, '/'), document.baseURI)).href;
      this.#openWhat.append(h('a', { href }, `Lesson ${Number(box.lesson.slice(0, 2))}`));
    }
    const plane = this.#planeOf(box);
    const list = box.kind === 'vocabulary';
    this.#window.element.hidden = this.#tools.hidden = list;
    this.#candidates.element.hidden = !list;
    if (plane && !this.#cell) this.#cell = this.#mainCell(box, plane);
    if (list) {
      this.#drawCandidates(plane);
      return;
    }
    const here = this.#cell;
    const first = this.#window.content?.plane.data !== plane?.data || this.#window.box !== `${this.layer} ${box.id}`;
    this.#window.box = `${this.layer} ${box.id}`;
    this.#window.show(plane && { plane, tokens: this.#tokens, map: box.kind === 'map',
      scale: this.#scaleOf(box, plane) }, here);
    this.#window.element.setAttribute('aria-label', `Numbers of ${title}`);
    if (first && here) this.#window.reveal(here);
    this.#window.paint(this.#inks, this.#style);
  }

  /** The largest number in the row of the walked token. @param {Box} box @param {Plane} plane */
  #mainCell(box, plane) {
    const row = box.kind === 'vocabulary' ? 0 : this.position;
    let column = 0;
    const size = (/** @type {number} */ at) => {
      const value = valueAt(plane, row, at);
      return box.kind === 'vocabulary' || box.kind === 'map' ? value : Math.abs(value);
    };
    for (let at = 1; at < plane.columns; at++) if (size(at) > size(column)) column = at;
    return { row, column };
  }

  /** @param {Plane | null} plane of the logits */
  #drawCandidates(plane) {
    if (!plane) this.#candidates.element.replaceChildren();
    else this.#candidates.show(plane.data, this.#cell?.column, (ids) => this.#wordsOf(ids));
  }

  /** The texts of tokens, or their ids until they are loaded. @param {number[]} ids */
  #wordsOf(ids) {
    this.#askWords(ids);
    return ids.map((id) => tokenLabel(this.#texts.get(id) || `token ${id}`, 20));
  }

  /** @param {number[]} ids */
  #askWords(ids) {
    const unknown = ids.filter((id) => !this.#texts.has(id));
    if (!this.#words || !unknown.length) return;
    for (const id of unknown) this.#texts.set(id, null);
    const words = this.#words;
    void (async () => {
      const texts = await words(unknown);
      if (words !== this.#words) return;
      this.accept('answer of words', () => {
        const checked = checkTexts(texts, 'the answer of words');
        if (checked.length !== unknown.length) {
          throw new InputError(`words returned ${checked.length} texts for ${unknown.length} ids.`);
        }
        unknown.forEach((id, at) => this.#texts.set(id, checked[at]));
        this.invalidate();
      });
    })().catch((error) => this.#refuse('answer of words', error));
  }

  /** Shows an error. @param {string} input @param {unknown} error */
  #refuse(input, error) {
    this.accept(input, () => {
      throw error;
    });
  }

  /** @param {Set<string>} wanted */
  #drawSum(wanted) {
    const place = this.#place;
    const { sum, missing } = place ? this.#sumOf(place) : { sum: null, missing: [] };
    // Weights stay while their block is open, because the pointer moves from number to number.
    for (const name of this.#used(missing)) wanted.add(name);
    const waiting = missing.length === 0 ? '' : this.#load
      ? 'Loading the numbers of this sum …' : `This sum needs ${missing.join(' and ')}.`;
    this.#sum.element.hidden = place === null;
    this.#sum.show(sum, waiting);
    this.#sum.paint(this.#inks, this.#style);
    this.#flow.mark(this.position, place, sum?.inputs ?? [], this.#planeById);
  }

  /** Names that the sums of the open block have used beside its activations.
   *  @param {string[]} missing */
  #used(missing) {
    if (this.#usedIn !== this.layer) this.#usedNames.clear();
    this.#usedIn = this.layer;
    for (const name of missing) this.#usedNames.add(name);
    return this.#usedNames;
  }

  #usedIn = 0;
  /** @type {Set<string>} */
  #usedNames = new Set();

  /** The playhead and its sentence. @param {{ box: string | null, layer: number } | null} stage */
  #drawStage(stage) {
    this.#flow.walk(stage?.box ?? null, this.position);
    const said = stage ? this.#stageSentence(stage) : '';
    if (this.#stageSaid.textContent !== said) this.#stageSaid.textContent = said;
  }

  /** @param {{ box: string | null, layer: number }} stage */
  #stageSentence({ box: id, layer }) {
    const at = `${(this.#stage ?? 0) + 1} of ${this.#stages().length}: `;
    const token = tokenName(this.#tokens[this.position]);
    const box = this.#boxOf(id);
    if (!box) return `${at}block ${layer} adds to the vector of ${token}.`;
    const plane = this.#planeOf(box);
    const cell = plane && this.#mainCell(box, plane);
    const value = plane && cell ? valueAt(plane, cell.row, cell.column) : 0;
    const most = !cell ? '' : id === 'pattern'
      ? ` ${token} gives ${formatPercent(value)} to ${tokenName(this.#tokens[cell.column])}.`
      : id === 'scores' ? ` The largest score of ${token} is for ${tokenName(this.#tokens[cell.column])}.` : '';
    return `${at}${box.title}. ${box.what}${most}`;
  }
}

/** @param {any} value @param {string} name */
function checkFunction(value, name) {
  if (value !== null && typeof value !== 'function') throw new InputError(`${name} must be a function or null.`);
  return value;
}

/** Ids of boxes that some model has. */
const ALL_BOXES = ['embed', 'pos_embed', 'resid_pre', 'ln1', 'q', 'rot_q', 'k', 'rot_k', 'v', 'scores', 'pattern', 'z',
  'attn_out', 'resid_mid', 'ln2', 'pre', 'pre_linear', 'post', 'mlp_out', 'resid_post', 'ln_final', 'logits',
  'probabilities'];
