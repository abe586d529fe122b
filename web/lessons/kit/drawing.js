/** A drawing of an architecture, bound to the formulas of its page: a box and its symbol light up together. */
import { h } from '../../elements/dom.js';
import { onColorScheme } from './cell-colors.js';
import { arrowsOf, symbolsOf } from './drawing-description.js';
import { layOut } from './drawing-layout.js';
import { picture } from './drawing-picture.js';
import { fixed } from './format.js';
import { MatrixTable } from './matrix-table.js';
import { symbolPieces } from './symbol-text.js';

/** @typedef {import('./drawing-description.js').Description} Description */
/** @typedef {import('./drawing-description.js').Part} Part */
/** @typedef {import('./drawing-layout.js').Layout} Layout */
/** @typedef {import('./drawing-picture.js').Numbers} Numbers */

const MATHML = 'http://www.w3.org/1998/Math/MathML';
/** Milliseconds for each step of the walk: time to read a phrase. */
const STEP_MS = 1800;
/** Widths of the words beside a drawing; lessons.css has the gap and the least width. */
const WORDS = { gap: 32, least: 272, most: 352 };
/** Least distance of the numbers from the right edge of the page. */
const EDGE = 16;
/** A larger matrix is shown as a thumbnail only. */
const TABLE_CELLS = 256;
/** @type {Record<string, [x: number, y: number]>} */
const MOVES = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const HINT = 'Point at a box, or at a symbol in a formula. Arrow keys move from box to box.';

/** The elements of formulas that are bound to boxes; tools/build/formulas.js marks them. */
const symbolElements = () => [...document.querySelectorAll('math [data-symbol]')];
/** @param {Element} element */
const symbolOf = (element) => element.getAttribute('data-symbol') ?? '';
/** @param {Part} part */
const shapeOf = ({ shape }) => (shape ? `, [${shape.join(' × ')}]` : '');
/** An attribute of the target of an event, or of the nearest element around it. @param {Event} event
 *  @param {string} name */
const attributeAt = ({ target }, name) =>
  (target instanceof Element ? target.closest(`[${name}]`)?.getAttribute(name) ?? null : null);

/** @param {Numbers} numbers */
const isLong = ({ data }) => data.length > TABLE_CELLS;

/** @param {Numbers} numbers */
function summaryOf({ data, rows, columns }) {
  const [high, wide] = [rows, columns].map((each) => (typeof each === 'number' ? each : each.length));
  const [least, most] = [Math.min, Math.max].map((extreme) =>
    fixed(Array.from(data).reduce((found, value) => extreme(found, value)), 2));
  return `${high} × ${wide} numbers, from ${least} to ${most}. `;
}

export class Drawing {
  #figure;
  /** @type {Description} */ #description;
  #body = h('div', { class: 'drawing-body' });
  #canvas = h('div', { 'class': 'drawing', 'role': 'application', 'aria-roledescription': 'drawing', 'tabindex': '0' });
  #said = h('output', { class: 'said' });
  #more = h('p', { class: 'more' });
  #words = h('div', { class: 'drawing-words' }, h('p', {}, this.#said), this.#more);
  #note = h('p', { class: 'note' });
  #list = h('ul');
  #folded = h('details', {}, h('summary', {}, 'The drawing as a list'), this.#list);
  #table;
  /** Lies over the page, so that nothing below moves. */
  #tableBox = h('div', { class: 'drawing-numbers', hidden: true });
  #play = h('button', { type: 'button' });
  #still = matchMedia('(prefers-reduced-motion: reduce)');
  /** @type {Layout | null} */ #layout = null;
  /** @type {Map<string, Numbers>} */ #numbers = new Map();
  #isOutOfSight = false;
  /** The case that the space of the words is measured for: their width, the drawing, and its large matrices. */
  #measured = '';
  /** Boxes that are lit. @type {string[]} */ #lit = [];
  /** Boxes that stay lit when the pointer leaves. @type {string[]} */ #pinned = [];
  #step = -1;
  #timer = 0;

  /**
   * Draws a description into an empty figure.
   * @param {HTMLElement} figure
   * @param {Description} description
   */
  constructor(figure, description) {
    this.#figure = figure;
    this.#description = description;
    const live = Object.values(description.parts).some((part) => part.live);
    this.#table = live
      ? new MatrixTable(this.#tableBox, { caption: 'Numbers', axes: ['', ''], digits: 2, compact: true })
      : null;
    figure.classList.add('bound');
    this.#body.append(this.#canvas, h('div', { class: 'drawing-detail' },
      h('div', {}, this.#note, h('div', { class: 'controls' }, this.#play)), this.#words, this.#tableBox));
    figure.append(this.#body, this.#folded);
    this.#folded.addEventListener('toggle', () => this.#fillList());
    this.#listen();
    this.describe(description);
  }

  /**
   * Draws another description in place of this one, without numbers.
   * @param {Description} description
   */
  describe(description) {
    this.#pin([]);
    this.#explain(false);
    this.#description = description;
    this.#numbers.clear();
    this.#step = -1;
    const { title, note, parts } = description;
    this.#figure.setAttribute('aria-label', title);
    this.#canvas.setAttribute('aria-label', `${title}: ${Object.keys(parts).length} boxes. ${HINT}`);
    this.#folded.firstElementChild?.setAttribute('aria-label', `The drawing as a list: ${title}`);
    this.#note.replaceChildren(h('strong', {}, `${title}. `), note);
    this.#nameButton();
    this.#fillList();
    this.#explain(this.#isOutOfSight);
    this.#tell();
    this.#layout = null;
    this.#draw();
  }

  /**
   * Shows numbers in live boxes.
   * @param {Record<string, Numbers>} numbers by the name of the box
   * @throws {Error} if a box is not live
   */
  show(numbers) {
    const before = this.#long;
    for (const [id, each] of Object.entries(numbers)) {
      if (!this.#description.parts[id]?.live) throw new Error(`${this.#description.title}: ${id} is not a live box.`);
      // A copy, because views of the lab's memory end when it grows.
      this.#numbers.set(id, { ...each, data: Float32Array.from(each.data) });
    }
    this.#paint();
    if (this.#long !== before) this.#reserve();
    this.#tell();
  }

  #listen() {
    /** Boxes of the symbol under the pointer. @param {Event} event */
    const boundTo = (event) => {
      const symbol = attributeAt(event, 'data-symbol');
      return Object.entries(this.#description.parts).flatMap(([id, part]) =>
        (symbol && symbolsOf(part).includes(symbol) ? [id] : []));
    };
    this.#canvas.addEventListener('pointerover', (event) => {
      const id = attributeAt(event, 'data-part');
      this.#light(id ? [id] : this.#pinned);
    });
    this.#canvas.addEventListener('pointerleave', () => this.#light(this.#pinned));
    this.#canvas.addEventListener('click', (event) => {
      const id = attributeAt(event, 'data-part');
      this.#pin(id ? [id] : []);
    });
    this.#canvas.addEventListener('focus', () => {
      if (this.#lit.length === 0 && this.#canvas.matches(':focus-visible')) this.#pin([this.#ids[0]]);
    });
    this.#canvas.addEventListener('keydown', (event) => this.#move(event));
    document.addEventListener('pointerover', (event) => {
      if (this.#canvas.contains(/** @type {Node} */ (event.target))) return;
      const bound = boundTo(event);
      this.#light(bound.length > 0 ? bound : this.#pinned);
    });
    document.addEventListener('click', (event) => { // a finger does not hover
      const bound = boundTo(event);
      const outside = !this.#figure.contains(/** @type {Node} */ (event.target));
      if (bound.length > 0) this.#pin(bound);
      else if (outside && this.#timer === 0) this.#pin([]); // uncovers the page below the numbers
    });
    this.#play.addEventListener('click', () => this.#walk());
    /** @type {Map<Element, number>} */
    const widths = new Map();
    const resized = new ResizeObserver((entries) => { // also for each change of the page's height
      const other = entries.filter(({ target, contentRect: { width } }) => widths.get(target) !== width);
      for (const { target, contentRect: { width } } of other) widths.set(target, width);
      if (other.length > 0) this.#draw();
    });
    resized.observe(this.#body);
    // The frame is as wide as its contents and does not grow with the page.
    if (this.#figure.parentElement) resized.observe(this.#figure.parentElement);
    onColorScheme(() => this.#paint());
    // A symbol explains itself while the drawing is out of sight.
    new IntersectionObserver((entries) => {
      this.#isOutOfSight = !entries[entries.length - 1].isIntersecting;
      this.#explain(this.#isOutOfSight);
    }).observe(this.#canvas);
  }

  get #ids() {
    return Object.keys(this.#description.parts);
  }

  /** Names of the boxes with large matrices, whose explanations are longer. */
  get #long() {
    return [...this.#numbers].filter(([, numbers]) => isLong(numbers)).map(([id]) => id).join();
  }

  /** @param {boolean} wanted whether symbols have a tooltip */
  #explain(wanted) {
    for (const element of symbolElements()) {
      const part = Object.values(this.#description.parts).find((each) => symbolsOf(each).includes(symbolOf(element)));
      if (part && wanted) element.setAttribute('data-explanation', part.is + shapeOf(part));
      else if (part) element.removeAttribute('data-explanation');
    }
  }

  /** @param {KeyboardEvent} event */
  #move(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape') this.#pin([]);
    const ends = { Home: this.#ids[0], End: this.#ids[this.#ids.length - 1] };
    const target = MOVES[event.key] ? this.#neighbor(...MOVES[event.key])
      : ends[/** @type {keyof typeof ends} */ (event.key)];
    if (!target) return;
    event.preventDefault();
    this.#pin([target]);
    this.#reveal();
  }

  /** The nearest box in a direction. @param {number} dx @param {number} dy */
  #neighbor(dx, dy) {
    const boxes = this.#layout?.parts ?? [];
    const from = boxes.find(({ id }) => id === this.#lit[0]) ?? boxes[0];
    const left = from.x + from.width / 2;
    const top = from.y + from.height / 2;
    const near = boxes.map(({ id, x, y, width, height }) => {
      const across = x + width / 2 - left;
      const down = y + height / 2 - top;
      const far = across * dx + down * dy;
      return { id, far, cost: far + 2 * Math.abs(across * dy + down * dx) };
    }).filter(({ far }) => far > 1).sort((a, b) => a.cost - b.cost);
    return near[0]?.id;
  }

  /** Scrolls the lit box into the window of a wide drawing. */
  #reveal() {
    const box = this.#layout?.parts.find(({ id }) => id === this.#lit[0]);
    const { scrollLeft, clientWidth } = this.#canvas;
    if (box && (box.x < scrollLeft || box.x + box.width > scrollLeft + clientWidth)) {
      this.#canvas.scrollLeft = box.x - clientWidth / 2;
    }
  }

  /** Keeps boxes lit. @param {string[]} ids */
  #pin(ids) {
    this.#stop();
    this.#pinned = ids;
    this.#tableBox.classList.toggle('pinned', ids.length > 0); // else the pointer reaches the page below the numbers
    this.#light(ids);
  }

  /** Lights boxes, the arrows into them, and their symbols in the formulas. @param {string[]} ids */
  #light(ids) {
    if (String(ids) === String(this.#lit)) return;
    const before = this.#symbolsOf(this.#lit);
    this.#lit = ids;
    const now = this.#symbolsOf(ids);
    for (const element of symbolElements()) {
      const symbol = symbolOf(element);
      if (before.has(symbol) || now.has(symbol)) element.classList.toggle('lit', now.has(symbol));
    }
    this.#paintLit();
    this.#tell();
  }

  /** @param {string[]} ids */
  #symbolsOf(ids) {
    return new Set(ids.flatMap((id) => symbolsOf(this.#description.parts[id])));
  }

  #paintLit() {
    this.#canvas.classList.toggle('some', this.#lit.length > 0);
    for (const name of ['data-part', 'data-to']) {
      for (const each of this.#canvas.querySelectorAll(`[${name}]`)) {
        each.classList.toggle('lit', this.#lit.includes(each.getAttribute(name) ?? ''));
      }
    }
  }

  /** Describes the lit box beside the drawing, with its numbers. */
  #tell() {
    const id = this.#lit[0];
    const { said, more } = this.#explanationOf(id);
    this.#said.replaceChildren(...said);
    this.#more.replaceChildren(...more);
    this.#showNumbers(this.#numbers.get(id));
  }

  /** @param {string | undefined} id undefined: no box is lit */
  #explanationOf(id) {
    if (id === undefined) return { said: [HINT], more: [] };
    const { parts } = this.#description;
    const part = parts[id];
    const from = arrowsOf(this.#description).filter(({ to }) => to === id).map((each) => each.from);
    const inputs = from.filter((each, i) => from.findIndex((other) => parts[other].is === parts[each].is) === i)
      .flatMap((each, i) => [i > 0 ? ', ' : ' Input: ', this.#name(each)]);
    const numbers = this.#numbers.get(id);
    return {
      said: [this.#name(id), `: ${part.is}${shapeOf(part)}.`, ...inputs, inputs.length > 0 ? '.' : ''],
      more: [...numbers && isLong(numbers) ? [summaryOf(numbers)] : [],
        ...part.link ? [h('a', { href: part.link }, 'Where it is explained')] : []],
    };
  }

  /** Shows the table of a small matrix. @param {Numbers} [numbers] */
  #showNumbers(numbers) {
    this.#tableBox.hidden = !numbers || isLong(numbers);
    if (!numbers || isLong(numbers)) return;
    const [rows, columns] = [numbers.rows, numbers.columns].map((each) =>
      (typeof each === 'number' ? Array.from({ length: each }, (_, i) => String(i + 1)) : each));
    this.#table?.update(numbers.data, { rows, columns });
    const { left } = this.#tableBox.getBoundingClientRect();
    this.#tableBox.style.maxWidth = `${document.documentElement.clientWidth - left - EDGE}px`;
  }

  /** Reserves the height of the longest explanation, so that the page below does not move. */
  #reserve() {
    const { clientWidth } = this.#words;
    const key = [clientWidth, this.#description.title, this.#long].join();
    if (clientWidth === 0 || key === this.#measured) return;
    this.#measured = key;
    const texts = [undefined, ...this.#ids].map((id) => {
      const { said, more } = this.#explanationOf(id);
      return h('div', {}, h('p', {}, h('output', {}, ...said)), h('p', { class: 'more' }, ...more));
    });
    const measure = h('div', { class: 'drawing-measure' }, ...texts);
    this.#words.append(measure);
    const heights = texts.map((each) => each.getBoundingClientRect().height);
    this.#words.style.minHeight = `${Math.ceil(Math.max(...heights))}px`;
    measure.remove();
  }

  /** The name of a box: its symbol as in the formulas, or its words. @param {string} id @returns {Node | string} */
  #name(id) {
    const { symbol, name, label, kind } = this.#description.parts[id];
    if (!symbol) return name ?? label?.replaceAll('-\n', '-').replaceAll('\n', ' ') ?? (kind === 'sum' ? '+' : '…');
    const element = symbolElements().find((each) => symbolOf(each) === symbol);
    if (!element) return symbolPieces(symbol).map(({ text }) => text).join('');
    const copy = /** @type {Element} */ (element.cloneNode(true));
    for (const attribute of ['data-symbol', 'data-explanation', 'class']) copy.removeAttribute(attribute);
    const math = document.createElementNS(MATHML, 'math');
    math.append(copy);
    return math;
  }

  /** Boxes and arrows as a list. */
  #fillList() {
    if (!this.#folded.open) return;
    const links = arrowsOf(this.#description);
    this.#list.replaceChildren(...Object.entries(this.#description.parts).map(([id, part]) => h('li', {},
      this.#name(id), `: ${part.is}${shapeOf(part)}`,
      ...links.filter(({ from }) => from === id).flatMap(({ to }, i) => [i > 0 ? ', ' : ' → ', this.#name(to)]))));
  }

  /** Lights one step after the other. With reduced motion each press is one step. */
  #walk() {
    if (this.#timer) {
      this.#stop();
      return;
    }
    const steps = this.#steps();
    const next = () => {
      this.#step = (this.#step + 1) % steps.length;
      this.#pinned = steps[this.#step];
      this.#light(this.#pinned);
      this.#reveal();
      if (this.#still.matches || this.#step === steps.length - 1) this.#stop();
      else this.#timer = Number(setTimeout(next, STEP_MS));
    };
    next();
    this.#nameButton();
  }

  /** Steps of the walk: a box each. Neighbors with one description are one step. */
  #steps() {
    /** @type {string[][]} */ const steps = [];
    for (const [id, { is }] of Object.entries(this.#description.parts)) {
      const last = steps[steps.length - 1];
      if (last && this.#description.parts[last[0]].is === is) last.push(id);
      else steps.push([id]);
    }
    return steps;
  }

  #stop() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#nameButton();
  }

  #nameButton() {
    const name = this.#timer ? '❚❚ Pause' : this.#still.matches ? 'Next step' : '▶ Walk through';
    this.#play.textContent = name;
    this.#play.setAttribute('aria-label', `${name}: ${this.#description.title}`); // a lesson may have several drawings
  }

  /** Draws the first layout that fits into the page, in a frame as wide as the drawing and its words. */
  #draw() {
    const { style, classList } = this.#figure;
    style.maxWidth = '';
    classList.remove('wide');
    if (this.#body.clientWidth === 0) return;
    const [across, down] = /** @type {const} */ (['across', 'down']).map((flow) => layOut(this.#description, flow));
    classList.toggle('wide', across.width > this.#body.clientWidth);
    const room = this.#body.clientWidth;
    const layout = [across, down].find(({ width }) => width <= room) ?? layOut(this.#description, 'compact');
    const frame = this.#figure.offsetWidth - room;
    const beside = layout.width + WORDS.gap + WORDS.least <= room;
    style.maxWidth = `${layout.width + (beside ? WORDS.gap + WORDS.most : 0) + frame}px`;
    this.#reserve();
    if (this.#layout?.width === layout.width && this.#layout.height === layout.height) return;
    this.#layout = layout;
    this.#paint();
  }

  /** Paints the layout with the present numbers and colors. Without a layout, the drawing is laid out first. */
  #paint() {
    if (!this.#layout) {
      this.#draw();
      return;
    }
    this.#canvas.replaceChildren(picture(this.#layout, this.#numbers));
    this.#paintLit();
  }
}
