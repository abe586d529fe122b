/** One or two shapes that the reader chooses and moves, by pointer or by sliders. */
import { LABELS, LARGEST, REACH, SIZE, SMALLEST, describe, draw } from '../../js/train/tasks/shapes.js';
import { addSelect, addSlider, setSlider } from './kit/controls.js';
import { h } from '../elements/dom.js';
import { PictureCanvas } from './16-pictures-draw.js';

/** @typedef {import('../../js/train/tasks/shapes.js').Shape} Shape */

const NONE = 'none';

export class Scene {
  /** @type {(Shape & { shown: boolean })[]} */
  #shapes = [
    { color: 'red', shape: 'circle', x: 11, y: 9, size: 6, shown: true },
    { color: 'blue', shape: 'square', x: 21, y: 24, size: 3.6, shown: true },
  ];
  #canvas;
  #onChange;
  /** @type {{ size: HTMLInputElement, x: HTMLInputElement, y: HTMLInputElement }[]} */
  #sliders = [];

  /**
   * @param {HTMLElement} container for the picture @param {HTMLElement} controls
   * @param {() => void} onChange called after each change
   */
  constructor(container, controls, onChange) {
    this.#onChange = onChange;
    this.#canvas = new PictureCanvas(container);
    this.#shapes.forEach((_, i) => this.#addControls(controls, i));
    this.#canvas.element.addEventListener('pointerdown', (event) => this.#drag(event));
    this.#show();
  }

  /** The visible shapes. @returns {Shape[]} */
  get shapes() {
    return this.#shapes.filter(({ shown }) => shown);
  }

  get picture() {
    return draw(this.shapes);
  }

  /** @param {HTMLElement} controls @param {number} i */
  #addControls(controls, i) {
    const shape = this.#shapes[i];
    const row = h('div', { class: 'controls', role: 'group', 'aria-label': `Shape ${i + 1}` });
    const mine = `${shape.color} ${shape.shape}`;
    const others = [...LABELS.filter((label) => label !== mine), ...(i > 0 ? [NONE] : [])];
    addSelect(row, `Shape ${i + 1}`, Object.fromEntries([mine, ...others].map((label) => [label, label])), (label) => {
      shape.shown = label !== NONE;
      if (shape.shown) [shape.color, shape.shape] = label.split(' ');
      this.#changed();
    });
    const slider = (/** @type {'size' | 'x' | 'y'} */ name, /** @type {number} */ min, /** @type {number} */ max) =>
      addSlider(row, { label: `${name} ${i + 1}`, min, max, step: 0.2, value: shape[name],
        format: (value) => value.toFixed(1) }, (value) => {
        shape[name] = value;
        this.#changed();
      });
    this.#sliders[i] = { size: slider('size', SMALLEST, LARGEST), x: slider('x', 0, SIZE), y: slider('y', 0, SIZE) };
    controls.append(row);
  }

  /** Moves the shape below the pointer. @param {PointerEvent} event */
  #drag(event) {
    const canvas = this.#canvas.element;
    const at = (/** @type {PointerEvent} */ { clientX, clientY }) => {
      const { left, top, width, height } = canvas.getBoundingClientRect();
      return { x: (clientX - left) * SIZE / width, y: (clientY - top) * SIZE / height };
    };
    const from = at(event);
    const distance = (/** @type {Shape} */ { x, y, size }) => Math.hypot(x - from.x, y - from.y) / size;
    const [shape] = this.#shapes.filter(({ shown }) => shown).sort((a, b) => distance(a) - distance(b));
    if (!shape || distance(shape) > REACH) return;
    const off = { x: shape.x - from.x, y: shape.y - from.y };
    const within = (/** @type {number} */ value) => Math.min(SIZE, Math.max(0, Math.round(value * 5) / 5));
    canvas.setPointerCapture(event.pointerId);
    const ending = new AbortController();
    canvas.addEventListener('pointermove', (moved) => {
      const { x, y } = at(moved);
      shape.x = within(x + off.x);
      shape.y = within(y + off.y);
      const { x: sliderX, y: sliderY } = this.#sliders[this.#shapes.indexOf(shape)];
      setSlider(sliderX, shape.x);
      setSlider(sliderY, shape.y);
      this.#changed();
    }, { signal: ending.signal });
    for (const type of ['pointerup', 'pointercancel']) {
      canvas.addEventListener(type, () => ending.abort(), { signal: ending.signal });
    }
  }

  #changed() {
    this.#show();
    this.#onChange();
  }

  #show() {
    this.#canvas.show(this.picture, `The picture: ${describe(this.shapes)}`);
  }
}
