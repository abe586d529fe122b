/** The open block: a card with a raster for each box, the lines between them, and frames around numbers. */
import { nameOf, sizeOf } from '../draw/anatomy-boxes.js';
import { arrowhead, cellsBox, cellUnder, layOutBlock } from '../draw/anatomy-layout.js';
import { tokenLabel, tokenName } from '../draw/token.js';
import { labelStep, pointInElement } from '../draw/view.js';
import { h } from './dom.js';
import { moveFocus } from './toolbar.js';

/** @typedef {import('../draw/anatomy-boxes.js').Box} Box */
/** @typedef {import('../draw/anatomy-boxes.js').Plane} Plane */
/** @typedef {import('../draw/anatomy-sums.js').Input} Input */
/** @typedef {(id: string) => Plane | null} PlaneOf the shown plane of a box, null while it is not loaded */

const SVG = 'http://www.w3.org/2000/svg';
/** Least side of a frame, so that one cell of a large raster is visible. */
const LEAST_MARK = 4;
/** Font size of token labels, and room around them. */
const LABEL = 12;
const LABEL_GAP = 8;

export class AnatomyFlow {
  #links = document.createElementNS(SVG, 'svg');
  #marks = h('div', { 'aria-hidden': 'true' });
  cursor = h('div', { class: 'cursor', hidden: true });
  element = h('div', { class: 'flow', role: 'toolbar', 'aria-label': 'Boxes of the block' });
  /** @type {Map<string, HTMLButtonElement>} */
  #cards = new Map();
  #layout = layOutBlock([], 0, 0);
  /** @type {string[]} */
  #tokens = [];
  /** Identifies the block, text and size of the cards. */
  #built = '';

  constructor() {
    this.#links.setAttribute('aria-hidden', 'true');
    this.element.addEventListener('keydown', (event) => moveFocus(event, this.element));
  }

  /** Forces the next `build`. */
  reset() {
    this.#built = '';
  }

  /**
   * Lays out the boxes for the width of the element, if something changed.
   * @param {Box[]} boxes
   * @param {string[]} tokens
   * @returns {boolean} whether the boxes are new
   */
  build(boxes, tokens) {
    const width = this.element.clientWidth;
    const built = `${boxes[0].name} ${width}`;
    if (!width || built === this.#built) return false;
    const isNew = this.#built === '';
    this.#built = built;
    this.#tokens = tokens;
    const layout = this.#layout = layOutBlock(boxes, tokens.length, width);
    this.element.style.height = `${layout.height}px`;
    this.#links.replaceChildren(...layout.links.flatMap(({ from, to, path, tip }) =>
      [['link', path], ['tip', arrowhead(tip)]].map(([kind, d]) => {
        const element = document.createElementNS(SVG, 'path');
        for (const [name, value] of Object.entries({ class: kind, d, 'data-from': from, 'data-to': to })) {
          element.setAttribute(name, value);
        }
        return element;
      })));
    const before = [...this.#cards].find(([, card]) => card.tabIndex === 0)?.[0] ?? boxes[0].id;
    const focused = this.#cards.get(before)?.matches(':focus');
    this.#cards = new Map(layout.placed.map(({ id, card, raster }) => {
      const box = /** @type {Box} */ (boxes.find((each) => each.id === id));
      const canvas = h('canvas', { 'aria-hidden': 'true' });
      const element = h('button', { type: 'button', class: `card ${box.kind}`, tabindex: id === before ? 0 : -1,
        'aria-expanded': false, 'aria-label': nameOf(box), 'aria-busy': 'true' },
      h('span', { class: 'name' }, box.title), ' ', h('span', { class: 'shape' }, sizeOf(box)), canvas);
      place(element, card);
      Object.assign(canvas.style, { width: `${raster.width}px`, height: `${raster.height}px` });
      return [id, element];
    }));
    const step = labelStep(layout.row, LABEL);
    const labels = layout.bands.flatMap((band) => tokens.flatMap((_, at) =>
      (at % step ? [] : [this.#label(band, at, 'token')])));
    this.element.replaceChildren(this.#links, ...labels, ...this.#cards.values(), this.#marks, this.cursor);
    if (focused) this.#cards.get(before)?.focus();
    return isNew;
  }

  /** The label of a token in a band. @param {{ y: number }} band @param {number} at @param {string} kind */
  #label({ y }, at, kind) {
    const { labels, row } = this.#layout;
    const label = h('span', { class: kind, 'data-at': at, title: tokenName(this.#tokens[at]) },
      h('span', {}, tokenLabel(this.#tokens[at], 11)));
    Object.assign(label.style, { top: `${y + (at + 0.5) * row}px`, width: `${labels - LABEL_GAP}px` });
    return label;
  }

  /** @param {string} id */
  card(id) {
    return this.#cards.get(id);
  }

  /** The box and the token that were clicked. @param {MouseEvent} event */
  clicked(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    const card = target.closest('.card');
    const token = target.closest('.token')?.getAttribute('data-at');
    return { id: [...this.#cards].find(([, each]) => each === card)?.[0], token: token ? Number(token) : null };
  }

  /** The number under the pointer. @param {MouseEvent} event @param {PlaneOf} planeOf */
  placeAt(event, planeOf) {
    const { offsetWidth: width, offsetHeight: height } = this.element;
    const point = pointInElement(this.element.getBoundingClientRect(), { width, height },
      { x: event.clientX, y: event.clientY });
    for (const { id, raster } of this.#layout.placed) {
      const plane = planeOf(id);
      const cell = plane && cellUnder(raster, plane, point);
      if (cell) return { box: id, ...cell };
    }
    return null;
  }

  /**
   * Marks the open box and the boxes that are loading, and paints every raster.
   * @param {string | null} open
   * @param {(id: string) => boolean} isLoading
   * @param {(canvas: HTMLCanvasElement, id: string, size: { width: number, height: number }) => void} paint
   */
  draw(open, isLoading, paint) {
    for (const { id, raster } of this.#layout.placed) {
      const card = /** @type {HTMLButtonElement} */ (this.#cards.get(id));
      card.setAttribute('aria-expanded', String(open === id));
      card.setAttribute('aria-busy', String(isLoading(id)));
      paint(/** @type {HTMLCanvasElement} */ (card.querySelector('canvas')), id, raster);
    }
  }

  /**
   * Frames the row of the walked token, a number and its inputs.
   * @param {number} position
   * @param {{ box: string, row: number, column: number } | null} number
   * @param {Input[]} inputs
   * @param {PlaneOf} planeOf
   */
  mark(position, number, inputs, planeOf) {
    const { bands, labels, row, placed } = this.#layout;
    const tracks = bands.flatMap((band) => [
      frame('track', { x: labels - 6, y: band.y + position * row, width: band.width - labels + 6, height: row }),
      this.#label(band, position, 'token here'),
    ]);
    const own = number && { box: number.box, rows: [number.row, number.row + 1],
      columns: [number.column, number.column + 1] };
    const cells = /** @type {Input[]} */ ([...(own ? [own] : []), ...inputs]);
    const frames = cells.flatMap(({ box, rows, columns }) => {
      const raster = placed.find(({ id }) => id === box)?.raster;
      const plane = planeOf(box);
      return raster && plane ? [frame('mark', cellsBox(raster, plane, { rows, columns }))] : [];
    });
    this.#marks.replaceChildren(...tracks, ...frames);
    const lit = new Set(inputs.map(({ box }) => box));
    for (const path of this.#links.children) {
      const from = path.getAttribute('data-from') ?? '';
      const to = path.getAttribute('data-to');
      path.classList.toggle('lit', to === number?.box && lit.has(from));
    }
  }

  /** Moves the playhead to a box and row, or hides it. @param {string | null} box @param {number} position */
  walk(box, position) {
    for (const [id, card] of this.#cards) card.classList.toggle('now', id === box);
    const raster = this.#layout.placed.find(({ id }) => id === box)?.raster;
    this.cursor.hidden = !raster;
    if (!raster) return;
    const { row } = this.#layout;
    place(this.cursor, { x: raster.x - 3, y: raster.y + position * row - 3, width: raster.width + 6,
      height: Math.max(row, LEAST_MARK) + 6 });
  }
}

/** @param {HTMLElement} element @param {import('../draw/anatomy-layout.js').Rectangle} rectangle */
function place(element, { x, y, width, height }) {
  Object.assign(element.style, { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` });
}

/** A frame of at least LEAST_MARK. @param {string} kind @param {import('../draw/anatomy-layout.js').Rectangle} cells */
function frame(kind, { x, y, width, height }) {
  const element = h('div', { class: kind });
  const wide = Math.max(LEAST_MARK, width);
  const high = Math.max(LEAST_MARK, height);
  place(element, { x: x - (wide - width) / 2, y: y - (high - height) / 2, width: wide, height: high });
  return element;
}
