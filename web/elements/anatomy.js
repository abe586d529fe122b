/** `<heed-anatomy>`: a whole transformer as one figure with the numbers of a run. */
import { valueAt } from '../draw/anatomy-boxes.js';
import { layOutBlock } from '../draw/anatomy-layout.js';
import { makeInks } from '../draw/anatomy-raster.js';
import { WEIGHT_IDS, weightPlace } from '../draw/anatomy-weights.js';
import { checkCount, checkFunction, checkObject, InputError } from '../draw/check.js';
import { tokenLabel } from '../draw/token.js';
import { AnatomyChanges, checkChanges } from './anatomy-changes.js';
import { AnatomyControls } from './anatomy-controls.js';
import { anatomyFile } from './anatomy-file.js';
import { AnatomyFlow } from './anatomy-flow.js';
import { AnatomyInspector } from './anatomy-inspector.js';
import { AnatomyPainter } from './anatomy-painter.js';
import { AnatomyPlayer } from './anatomy-player.js';
import { AnatomyRun, TOKENS_LIMIT } from './anatomy-run.js';
import { AnatomySpine } from './anatomy-spine.js';
import { mainCell, stageSentence, stagesOf } from './anatomy-stages.js';
import { STYLE } from './anatomy-style.js';
import { AnatomySum } from './anatomy-sum.js';
import { AnatomyWeights } from './anatomy-weights.js';
import { AnatomyWords } from './anatomy-words.js';
import { choiceAttribute, numberAttribute, textAttribute } from './attributes.js';
import { h } from './dom.js';
import { HeedFigure } from './figure.js';

/** @typedef {import('../draw/anatomy-boxes.js').Box} Box */
/** @typedef {import('../draw/anatomy-boxes.js').Plane} Plane */
/** @typedef {import('../draw/anatomy-sums.js').Sum} Sum */
/** @typedef {import('./anatomy-changes.js').Change} Change */
/** @typedef {import('./anatomy-numbers.js').Load} Load */
/** @typedef {import('./anatomy-run.js').AnatomyData} AnatomyData */
/** @typedef {import('./anatomy-run.js').Place} Place */
/** @typedef {import('./anatomy-stages.js').Stage} Stage */

/** Width of a saved figure. */
const FILE_WIDTH = 1120;
/** Ids of boxes that some model has. */
const ALL_BOXES = ['embed', 'pos_embed', 'resid_pre', 'ln1', 'q', 'rot_q', 'k', 'rot_k', 'v', 'scores', 'pattern', 'z',
  'attn_out', 'resid_mid', 'ln2', 'pre', 'pre_linear', 'post', 'mlp_out', 'resid_post', 'ln_final', 'logits',
  'probabilities', ...WEIGHT_IDS];

/**
 * `<heed-anatomy>`: a whole transformer, from tokens to probabilities, with the numbers of a run. Boxes open, and every
 * number is written out as the sum that makes it. Weights can be shown as matrices, and changed by hand.
 *
 *     anatomy.load = async (names) => (await model.runWithCache(ids, names)).cache;
 *     anatomy.data = { info: model.info, tokens: await model.tokens(ids) };
 *
 * Attributes: `layer`, `head`, `position`, `box`, `editable`, `lessons` (address of the folder of lessons).
 *
 * @fires heed-anatomy-box `{ layer, head, box }` a box was opened, or closed (null)
 * @fires heed-anatomy-cell `{ cell }` a number is hovered or selected: `{ box, row, column, value }`, or null
 * @fires heed-anatomy-change `{ changes }` weights were changed by hand, or changes were undone
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
    editable: choiceAttribute('editable', 'editable', { true: true, false: false }, false),
    lessons: textAttribute('lessons', ''),
  };

  #controls = new AnatomyControls({
    onHead: (head) => {
      this.head = head;
      this.#emitBox();
    },
    onToken: (position) => this.#walk(position),
  });
  #player = new AnatomyPlayer({ stages: () => this.#stages(), onStage: (stage) => this.#showStage(stage) });
  #spine = new AnatomySpine({
    onBox: (id) => {
      this.#openBox(id);
      this.redraw();
      this.#inspector.element.scrollIntoView({ block: 'nearest' });
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
  #weights = new AnatomyWeights();
  #changes = new AnatomyChanges({
    onChange: () => this.#emitChanges(),
    onOpen: (weight) => this.#openWeight(weight),
  });
  #matrices = h('section', { class: 'block', hidden: true }, h('header', {}, h('p', { class: 'title' }, 'Weights'),
    h('p', { class: 'muted' }, 'Rows are outputs, columns are inputs. Point at a number to see where it is used.')),
  this.#weights.element, this.#changes.element);
  #inspector = new AnatomyInspector({
    onCell: (cell) => {
      this.#choose(cell);
      if (this.#boxOf(this.#open)?.kind === 'vocabulary') this.redraw();
    },
    onChange: () => this.invalidate(),
    onClose: () => this.#close(),
    onEdit: (box, cell, value) => this.#changes.put({ ...weightPlace(box, cell), value }),
  });
  #sum = new AnatomySum(({ box, ...cell }) => {
    this.#openBox(box, cell);
    this.redraw();
    this.#inspector.enter();
  });
  #all = h('div', { class: 'all', hidden: true },
    h('div', { class: 'controls' }, ...this.#controls.parts, ...this.#player.parts),
    this.#spine.element, this.#block, this.#matrices, this.#inspector.element, this.#sum.element);

  /** @type {AnatomyRun | null} */
  #run = null;
  /** @type {Load | null} */
  #load = null;
  #words = new AnatomyWords({
    onAnswer: (take) => this.accept('answer of words', () => {
      take();
      this.invalidate();
    }),
    onError: (error) => this.#refuse('answer of words', error),
  });
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
  #editable = false;
  /** @type {string} */
  #lessons = '';
  #painter = new AnatomyPainter();
  #observer = new ResizeObserver(() => this.invalidate());
  /** Names that the sums of the open block have used in addition to its activations. */
  #used = { layer: 0, names: /** @type {Set<string>} */ (new Set()) };

  constructor() {
    super(STYLE);
    this.#all.append(this.menu({ subject: 'block', fileName: () => `anatomy-block-${this.layer}`, hatched: true }));
    this.root.append(this.#all);
    for (const part of [this.#flow, this.#weights]) {
      part.element.addEventListener('pointermove', (event) => this.#hover(part.placeAt(event, this.#planeById)));
      part.element.addEventListener('pointerleave', () => this.#hover(null));
    }
    this.#flow.element.addEventListener('click', (event) => {
      const { id, token } = this.#flow.clicked(event);
      if (token !== null) this.#walk(token);
      this.#openClicked(event, id ?? null, this.#flow);
    });
    this.#weights.element.addEventListener('click', (event) =>
      this.#openClicked(event, this.#weights.clicked(event), this.#weights));
    this.root.addEventListener('keydown', (event) => this.#pressKey(/** @type {KeyboardEvent} */ (event)));
  }

  connectedCallback() {
    super.connectedCallback();
    this.#observer.observe(this);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#observer.disconnect();
    this.#player.pause();
    this.#run?.numbers.restart(); // stops to load; an element that returns asks again
  }

  // Input

  /** The run: sizes, tokens and known activations. Setting it replaces the figure. @param {AnatomyData} data */
  set data(data) {
    this.accept('data', () => {
      const run = new AnatomyRun(data);
      this.#run?.numbers.restart();
      this.#run = run;
      this.#words.clear();
      this.#changes.restart([], run.info);
      this.#hovered = null;
      this.#cell = null;
      this.#player.restart();
      this.#spine.build(run.info, run.tokens.length);
      this.#flow.reset();
      this.#all.hidden = false;
      this.#controls.fillHeads(run.info);
      this.#controls.showHead(this.head);
      this.#showToken();
      this.invalidate();
    });
  }

  /** Loads visible activations and weights; null if `data` has all of them. @type {Load | null} */
  get load() {
    return this.#load;
  }

  set load(load) {
    this.accept('load', () => {
      this.#load = checkFunction(load, 'load');
      this.#run?.numbers.restart();
      this.invalidate();
    });
    if (this.#load === null) this.accept('answer of load', () => {});
  }

  /** Loads every number again, because the weights have changed. Open boxes and selected numbers stay. */
  renew() {
    this.#run?.numbers.renew();
    this.invalidate();
  }

  /** Gives the texts of tokens of the vocabulary: `(ids) => model.tokens(ids)`.
   *  @type {import('./anatomy-words.js').Words | null} */
  get words() {
    return this.#words.source;
  }

  set words(words) {
    this.accept('words', () => {
      this.#words.source = checkFunction(words, 'words');
      this.#words.clear();
      this.invalidate();
    });
    if (this.#words.source === null) this.accept('answer of words', () => {});
  }

  /** The open block. */
  get layer() {
    return Math.min(this.#layer, Math.max(0, (this.#run?.info.layers ?? 1) - 1));
  }

  set layer(given) {
    this.accept('layer', () => {
      const layer = this.orDefault('layer', given);
      this.#layer = checkCount(layer, 'layer', 0, (this.#run?.info.layers ?? Infinity) - 1);
      this.#cell = null;
      this.invalidate();
    });
  }

  /** The head that is shown. */
  get head() {
    return Math.min(this.#head, Math.max(0, (this.#run?.info.heads ?? 1) - 1));
  }

  set head(given) {
    this.accept('head', () => {
      const head = this.orDefault('head', given);
      this.#head = checkCount(head, 'head', 0, (this.#run?.info.heads ?? Infinity) - 1);
      this.#controls.showHead(this.head);
      this.invalidate();
    });
  }

  /** Position of the token that is walked through. @returns {number} */
  get position() {
    const last = Math.max(0, (this.#run?.tokens.length ?? 0) - 1);
    return Math.min(this.#position ?? last, last);
  }

  /** @param {number | null} given null: the last token */
  set position(given) {
    this.accept('position', () => {
      const position = this.orDefault('position', given);
      const most = this.#run ? this.#run.tokens.length - 1 : TOKENS_LIMIT;
      this.#position = position === null ? null : checkCount(position, 'position', 0, most);
      this.#run?.numbers.forget('logits');
      this.#cell = null;
      this.#showToken();
      this.invalidate();
    });
  }

  /** The open box: 'pattern', 'q', 'logits', a weight such as 'W_Q', or '' without an open box. */
  get box() {
    return this.#open ?? '';
  }

  set box(given) {
    this.accept('box', () => {
      const box = this.orDefault('box', given);
      if (box !== '' && !ALL_BOXES.includes(box)) {
        throw new InputError(`box must be one of ${ALL_BOXES.join(', ')}, or '', got ${String(box)}.`);
      }
      this.#open = box || null;
      this.#cell = null;
      this.invalidate();
    });
  }

  /** Whether the numbers of weights can be typed. The page applies `changes` to its model, and calls `renew()`. */
  get editable() {
    return this.#editable;
  }

  set editable(given) {
    this.accept('editable', () => {
      const editable = this.orDefault('editable', given);
      if (typeof editable !== 'boolean') throw new InputError('editable must be true or false.');
      this.#editable = editable;
      this.invalidate();
    });
  }

  /** The weights that were changed by hand: GGUF name, index in its data, and new number. @returns {Change[]} */
  get changes() {
    return this.#changes.list.map((change) => ({ ...change }));
  }

  /** @param {Change[]} changes */
  set changes(changes) {
    this.accept('changes', () => {
      this.#changes.restart(checkChanges(changes, this.#run?.info ?? null));
      this.invalidate();
    });
  }

  /** Address of the folder of lessons, for links from boxes to their lessons; '' for no links. */
  get lessons() {
    return this.#lessons;
  }

  set lessons(given) {
    this.accept('lessons', () => {
      const lessons = this.orDefault('lessons', given);
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
   * @param {{ row: number, column: number }} cell row: the position, or the row of a weight; column: a feature, a key
   *   or a token's id
   * @throws {never} invalid input fires `heed-error`
   */
  select(cell) {
    this.accept('select', () => {
      const { row, column } = checkObject(cell, 'cell', '{ row, column }');
      const plane = this.#planeById(this.#open);
      if (!plane) throw new InputError('no numbers are shown: open a box first.');
      this.#choose({ row: checkCount(row, 'cell.row', 0, plane.rows - 1),
        column: checkCount(column, 'cell.column', 0, plane.columns - 1) });
    });
  }

  /** The number that is written out, or null while it is loaded. @returns {Sum | null} */
  get sum() {
    const place = this.#place;
    return place && this.#sumAt(place).sum;
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
   * The open block as a picture, or the numbers of the open box. Without an open box: the pattern.
   * @protected
   * @param {import('./figure.js').FileFormat} format
   * @param {import('./figure.js').FileStyle} style
   */
  async file(format, style) {
    const run = this.#run;
    if (!run) throw new InputError('there are no numbers: set data first.');
    const boxes = run.block(this.layer);
    const planes = new Map(boxes.map((box) => {
      const plane = this.#planeOf(box);
      if (!plane) throw new InputError(`the numbers of block ${this.layer} are not loaded yet.`);
      return [box.id, { plane, scale: run.scale(box, plane, this.#shown) }];
    }));
    const box = this.#boxOf(this.#open) ?? this.#boxOf('pattern');
    const plane = box && this.#planeOf(box);
    if (!box || !plane) throw new InputError('the numbers of the open box are not loaded yet.');
    const figure = { layout: layOutBlock(boxes, run.tokens.length, FILE_WIDTH), boxes, tokens: run.tokens,
      title: `Block ${this.layer}, head ${this.head}`, ...this.origin() };
    return anatomyFile(format, { figure, planes, numbers: { box, plane } },
      { ...style, inks: makeInks(style.palette) });
  }

  // State

  themeChanged() {
    this.#painter.themeChanged();
  }

  /** @returns {import('./anatomy-run.js').Shown} */
  get #shown() {
    return { layer: this.layer, head: this.head, position: this.position };
  }

  /** @param {string | null} id @returns {Box | null} */
  #boxOf(id) {
    return this.#run?.box(id, this.#shown) ?? null;
  }

  /** @param {Box} box @returns {Plane | null} */
  #planeOf(box) {
    return this.#run?.plane(box, this.#shown) ?? null;
  }

  /** @param {string | null} id @returns {Plane | null} */
  #planeById = (id) => {
    const box = this.#boxOf(id);
    return box && this.#planeOf(box);
  };

  /** The number that is written out: under the pointer, or selected. @returns {Place | null} */
  get #place() {
    if (this.#hovered) return this.#hovered;
    return this.#open && this.#cell ? { box: this.#open, ...this.#cell } : null;
  }

  /** @param {Place} place @returns {{ sum: Sum | null, missing: string[] }} */
  #sumAt(place) {
    return this.#run?.sum(place, this.#shown, (id) => this.#words.word(id)) ?? { sum: null, missing: [] };
  }

  /** Shows an error. @param {string} input @param {unknown} error */
  #refuse(input, error) {
    this.accept(input, () => {
      throw error;
    });
  }

  // Choosing

  #showToken() {
    this.#controls.showToken(this.position, this.#run?.tokens ?? []);
  }

  /** @param {number} position */
  #walk(position) {
    this.position = position;
    this.#player.repeat();
  }

  /** @param {{ row: number, column: number } | null} cell */
  #choose(cell) {
    if (cell && this.#cell && cell.row === this.#cell.row && cell.column === this.#cell.column) return;
    this.#cell = cell;
    if (cell) this.#inspector.window.reveal(cell);
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
    const plane = place && this.#planeById(place.box);
    this.emit('heed-anatomy-cell', { cell: place && plane
      ? { ...place, value: valueAt(plane, place.row, place.column) } : null });
  }

  #emitBox() {
    this.emit('heed-anatomy-box', { layer: this.layer, head: this.head, box: this.#open });
  }

  #emitChanges() {
    this.emit('heed-anatomy-change', { changes: this.changes });
    this.invalidate();
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
      this.#inspector.window.reveal(cell);
      this.#emitCell();
    }
    this.invalidate();
  }

  /** Opens a weight at a number. @param {import('./anatomy-changes.js').FoundWeight} weight */
  #openWeight({ layer, head, box, row, column }) {
    if (layer !== null) this.layer = layer;
    if (head !== null) this.head = head;
    this.#openBox(box.id, { row, column });
    this.#inspector.enter();
  }

  #close() {
    const id = this.#open ?? '';
    this.#open = this.#cell = null;
    this.#emitBox();
    this.redraw();
    (this.#flow.card(id) ?? this.#weights.card(id) ?? this.#spine.button(id))?.focus();
  }

  /** Opens the box of a card, at the number that was clicked. @param {MouseEvent} event @param {string | null} id
   *  @param {AnatomyFlow | AnatomyWeights} part */
  #openClicked(event, id, part) {
    if (!id) return;
    const place = event.detail ? part.placeAt(event, this.#planeById) : null;
    this.#openBox(id, place && { row: place.row, column: place.column });
    if (event.detail) return;
    this.redraw();
    this.#inspector.enter();
  }

  /** @param {KeyboardEvent} event */
  #pressKey(event) {
    const undo = (event.ctrlKey || event.metaKey) && !event.altKey && /^[zy]$/i.test(event.key);
    if (undo && this.#editable) {
      event.preventDefault();
      this.#changes.step(event.shiftKey || /y/i.test(event.key) ? 1 : -1);
    }
    const inside = this.#inspector.element.contains(/** @type {Node} */ (event.target));
    if (event.key !== 'Escape' || !this.#open || !inside) return;
    event.preventDefault();
    this.#close();
  }

  // The playhead

  /** @returns {Stage[]} */
  #stages() {
    return this.#run ? stagesOf(this.#run.info, this.layer, this.#run.tokens.length) : [];
  }

  /** The playhead moved. @param {Stage} stage */
  #showStage(stage) {
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
    const run = this.#run;
    if (!run) return;
    this.#painter.begin(this.colors(), getComputedStyle(this.#flow.cursor).borderTopColor);
    const boxes = run.block(this.layer);
    if (this.#flow.build(boxes, run.tokens)) return this.invalidate(); // the layout of new boxes takes half a frame
    /** @type {Set<string>} */
    const wanted = new Set();
    const { stage } = this.#player;
    this.#spine.draw({ open: this.#open, layer: this.layer, stage }, (canvas, box, size) => {
      wanted.add(box.name);
      this.#paint(run, canvas, box, size);
    });
    this.#drawBlock(run, boxes, wanted);
    this.#drawWeights(run, wanted);
    this.#drawInspector(run, wanted);
    this.#drawSum(wanted);
    this.#drawStage(run, stage);
    this.#ask(run, wanted);
  }

  /** @param {AnatomyRun} run @param {HTMLCanvasElement} canvas @param {Box} box
   *  @param {{ width: number, height: number }} size */
  #paint(run, canvas, box, size) {
    const shown = this.#shown;
    const done = this.#painter.paint(canvas, this.#planeOf(box), size, (plane) => run.scale(box, plane, shown));
    if (!done) this.invalidate();
  }

  /** Whether a name loads, or loads after this frame. @param {AnatomyRun} run @param {string} name */
  #isBusy(run, name) {
    return this.#load !== null && run.numbers.isWaiting(name);
  }

  /** Loads visible numbers that are missing. @param {AnatomyRun} run @param {Set<string>} wanted */
  #ask(run, wanted) {
    run.numbers.keep(wanted);
    if (!this.#load) return;
    const answer = run.numbers.request(wanted, this.#load, this.position);
    answer?.then(() => {
      if (run === this.#run) this.accept('answer of load', () => this.invalidate());
    }, (error) => {
      if (run !== this.#run) return;
      this.#refuse('answer of load', error);
      this.invalidate();
    });
  }

  /** @param {AnatomyRun} run @param {Box[]} boxes @param {Set<string>} wanted */
  #drawBlock(run, boxes, wanted) {
    this.#blockTitle.textContent = `Block ${this.layer}, head ${this.head}`;
    for (const { name } of boxes) wanted.add(name);
    const byId = new Map(boxes.map((box) => [box.id, box]));
    const boxOf = (/** @type {string} */ id) => /** @type {Box} */ (byId.get(id));
    this.#flow.draw(this.#open, (id) => this.#isBusy(run, boxOf(id).name),
      (canvas, id, size) => this.#paint(run, canvas, boxOf(id), size));
  }

  /** @param {AnatomyRun} run @param {Set<string>} wanted */
  #drawWeights(run, wanted) {
    const boxes = run.weightBoxes(this.#shown);
    this.#matrices.hidden = boxes.length === 0;
    this.#weights.build(boxes);
    for (const { name } of boxes) wanted.add(name);
    this.#weights.draw(this.#open, (id) => this.#isBusy(run, boxes.find((box) => box.id === id)?.name ?? ''),
      (canvas, box, size) => this.#paint(run, canvas, box, size));
    this.#changes.element.hidden = !this.#editable;
    this.#changes.draw();
  }

  /** @param {AnatomyRun} run @param {Set<string>} wanted */
  #drawInspector(run, wanted) {
    const box = this.#boxOf(this.#open);
    if (!box) return this.#inspector.draw(null, this.#painter);
    wanted.add(box.name);
    const plane = this.#planeOf(box);
    if (plane && !this.#cell) this.#cell = mainCell(box, plane, this.position);
    const ofHead = box.kind === 'map' || box.kind === 'head';
    const token = (/** @type {number} */ length) => (/** @type {number} */ at) => tokenLabel(run.tokens[at], length);
    const ids = box.id === 'W_E' || box.id === 'W_U' || box.id === 'b_U';
    const word = (/** @type {number} */ at) => (ids ? this.#words.labels([at])[0] : String(at));
    const href = this.#lessons && new URL(`${box.lesson}.html`,
      new URL(this.#lessons.replace(/\/?$/, '/'), document.baseURI)).href;
    const isChanged = (/** @type {{ row: number, column: number }} */ cell) =>
      this.#changes.at(weightPlace(box, cell)) !== undefined;
    return this.#inspector.draw({ box, plane, cell: this.#cell, href, key: `${this.layer} ${box.id} ${this.head}`,
      title: ofHead ? `${box.title}, head ${this.head}` : box.title,
      scale: plane && run.scale(box, plane, this.#shown),
      rowLabel: box.kind !== 'weight' ? token(11) : box.shape.length === 1 ? () => '' : word,
      columnLabel: box.kind === 'map' ? token(6) : box.id === 'b_U' ? word : String,
      changed: this.#editable && box.kind === 'weight' ? isChanged : null,
      wordsOf: (some) => this.#words.labels(some) }, this.#painter);
  }

  /** @param {Set<string>} wanted */
  #drawSum(wanted) {
    const place = this.#place;
    const { sum, missing } = place ? this.#sumAt(place) : { sum: null, missing: [] };
    // Weights stay while their block is open, because the pointer moves from number to number.
    if (this.#used.layer !== this.layer) this.#used = { layer: this.layer, names: new Set() };
    for (const name of missing) this.#used.names.add(name);
    for (const name of this.#used.names) wanted.add(name);
    const run = this.#run;
    const waiting = missing.length === 0 ? '' : run && missing.every((name) => this.#isBusy(run, name))
      ? 'Loading the numbers of this sum …' : `This sum needs ${missing.join(' and ')}.`;
    this.#sum.element.hidden = place === null;
    this.#sum.show(sum, waiting);
    this.#sum.paint(this.#painter.inks, this.#painter.style);
    const inputs = sum?.inputs ?? [];
    this.#flow.mark(this.position, place, inputs, this.#planeById);
    this.#weights.mark(place, inputs, this.#changes.cells(this.#shown), this.#planeById);
  }

  /** The playhead and its sentence. @param {AnatomyRun} run @param {Stage | null} stage */
  #drawStage({ tokens }, stage) {
    const { position } = this;
    this.#flow.walk(stage?.box ?? null, position);
    const box = this.#boxOf(stage?.box ?? null);
    const plane = box && this.#planeOf(box);
    this.#player.say(stage ? stageSentence(stage, { box, plane, tokens, position }) : '');
  }
}
