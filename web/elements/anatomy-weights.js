/** The weights of the open block and the shared weights: a card with a raster for each. */
import { nameOf, sizeOf } from '../draw/anatomy-boxes.js';
import { cellsBox, cellUnder } from '../draw/anatomy-layout.js';
import { pointInElement } from '../draw/view.js';
import { h } from './dom.js';
import { moveFocus } from './toolbar.js';

/** @typedef {import('../draw/anatomy-boxes.js').Box} Box */
/** @typedef {import('../draw/anatomy-sums.js').Input} Input */
/** @typedef {import('./anatomy-flow.js').PlaneOf} PlaneOf */

/** Size of a number in a raster, and least and largest side of a raster. */
const CELL = 2.5;
const LEAST = 10;
const MOST = 112;

/** The raster of a weight. @param {Box} box */
function rasterOf({ shape }) {
  const [rows, columns] = shape.length === 1 ? [1, shape[0]] : shape;
  const cell = Math.min(CELL, MOST / Math.max(rows, columns));
  return { x: 0, y: 0, width: Math.max(LEAST, Math.round(cell * columns)),
    height: Math.max(LEAST, Math.round(cell * rows)) };
}

export class AnatomyWeights {
  element = h('div', { class: 'matrices', role: 'toolbar', 'aria-label': 'Weights' });
  /** @type {Map<string, { box: Box, card: HTMLButtonElement, canvas: HTMLCanvasElement, marks: HTMLElement }>} */
  #cards = new Map();
  #built = '';

  constructor() {
    this.element.addEventListener('keydown', (event) => moveFocus(event, this.element));
  }

  /** Makes the cards, if the weights have changed. @param {Box[]} boxes */
  build(boxes) {
    const built = boxes.map(({ name, id, shape }) => `${name} ${id} ${shape}`).join();
    const same = built === this.#built;
    this.#built = built;
    for (const box of boxes) {
      const known = this.#cards.get(box.id);
      if (same && known) known.box = box;
    }
    if (same) return;
    this.#cards = new Map(boxes.map((box, at) => {
      const { width, height } = rasterOf(box);
      const canvas = h('canvas', { 'aria-hidden': 'true' });
      const marks = h('span', { 'aria-hidden': 'true' });
      const raster = h('span', { class: 'raster' }, canvas, marks);
      // A canvas without a size is 300 × 150 pixels until it is painted.
      for (const { style } of [raster, canvas]) Object.assign(style, { width: `${width}px`, height: `${height}px` });
      const card = h('button', { type: 'button', class: 'matrix', tabindex: at ? -1 : 0, 'aria-expanded': false,
        'aria-label': nameOf(box) },
      h('span', { class: 'name' }, box.title), ' ', h('span', { class: 'shape' }, sizeOf(box)), raster);
      return [box.id, { box, card, canvas, marks }];
    }));
    this.element.replaceChildren(...[...this.#cards.values()].map(({ card }) => card));
  }

  /** @param {string} id */
  card(id) {
    return this.#cards.get(id)?.card;
  }

  /** The card that was clicked. @param {MouseEvent} event */
  clicked(event) {
    const target = /** @type {HTMLElement} */ (event.target).closest('.matrix');
    return [...this.#cards].find(([, { card }]) => card === target)?.[0] ?? null;
  }

  /** The number under the pointer. @param {MouseEvent} event @param {PlaneOf} planeOf */
  placeAt(event, planeOf) {
    for (const [id, { box, canvas }] of this.#cards) {
      const raster = rasterOf(box);
      const point = pointInElement(canvas.getBoundingClientRect(), raster, { x: event.clientX, y: event.clientY });
      const plane = planeOf(id);
      const cell = plane && cellUnder(raster, plane, point);
      if (cell) return { box: id, ...cell };
    }
    return null;
  }

  /**
   * @param {string | null} open
   * @param {(id: string) => boolean} isLoading
   * @param {(canvas: HTMLCanvasElement, box: Box, size: { width: number, height: number }) => void} paint
   */
  draw(open, isLoading, paint) {
    for (const [id, { box, card, canvas }] of this.#cards) {
      card.setAttribute('aria-expanded', String(open === id));
      card.setAttribute('aria-busy', String(isLoading(id)));
      paint(canvas, box, rasterOf(box));
    }
  }

  /**
   * Frames a number, its inputs, and the numbers that were changed.
   * @param {{ box: string, row: number, column: number } | null} number
   * @param {Input[]} inputs
   * @param {{ box: string, row: number, column: number }[]} changed
   * @param {PlaneOf} planeOf
   */
  mark(number, inputs, changed, planeOf) {
    const cell = (/** @type {{ box: string, row: number, column: number }} */ { box, row, column }) =>
      (/** @type {Input} */ ({ box, rows: [row, row + 1], columns: [column, column + 1] }));
    const all = [...(number ? [cell(number)] : []), ...inputs].map((input) => ({ kind: 'mark', input }))
      .concat(changed.map((place) => ({ kind: 'changed', input: cell(place) })));
    for (const [id, { box, marks }] of this.#cards) {
      const plane = planeOf(id);
      marks.replaceChildren(...(plane ? all.filter(({ input }) => input.box === id) : []).map(({ kind, input }) => {
        const { x, y, width, height } = cellsBox(rasterOf(box), /** @type {any} */ (plane), input);
        const frame = h('span', { class: kind });
        Object.assign(frame.style, { left: `${x - 1}px`, top: `${y - 1}px`, width: `${Math.max(3, width + 2)}px`,
          height: `${Math.max(3, height + 2)}px` });
        return frame;
      }));
    }
  }
}
