/** Pictures on the page: pixels as squares, and the attention to each patch as light. */
import { h } from '../elements/dom.js';
import { SIZE } from '../../js/train/tasks/shapes.js';

/** Device pixels per pixel of a picture. */
const SCALE = 8;
/** Share of its light that a patch without attention keeps. */
const DARK = 0.12;

/** A picture that can be drawn again. The label tells screen readers what it shows. */
export class PictureCanvas {
  #canvas = h('canvas', { class: 'pixels', width: SIZE * SCALE, height: SIZE * SCALE, role: 'img' });

  /** @param {HTMLElement} container the picture becomes its last child */
  constructor(container) {
    container.append(this.#canvas);
  }

  get element() {
    return this.#canvas;
  }

  /**
   * @param {Float32Array} picture [channel][y][x], 0 to 1
   * @param {string} label
   * @param {ArrayLike<number> | null} [weights] of the patches, row by row: the largest stays light, the others darken
   */
  show(picture, label, weights = null) {
    const context = /** @type {CanvasRenderingContext2D} */ (this.#canvas.getContext('2d'));
    const side = weights ? Math.sqrt(weights.length) : 1;
    const most = weights ? Math.max(...Array.from(weights)) : 1;
    const image = context.createImageData(SIZE * SCALE, SIZE * SCALE);
    for (let y = 0; y < SIZE * SCALE; y++) {
      for (let x = 0; x < SIZE * SCALE; x++) {
        const pixel = Math.floor(y / SCALE) * SIZE + Math.floor(x / SCALE);
        const patch = Math.floor(y * side / (SIZE * SCALE)) * side + Math.floor(x * side / (SIZE * SCALE));
        const light = weights ? DARK + (1 - DARK) * weights[patch] / most : 1;
        const at = (y * SIZE * SCALE + x) * 4;
        for (let channel = 0; channel < 3; channel++) {
          image.data[at + channel] = 255 * light * picture[channel * SIZE * SIZE + pixel];
        }
        image.data[at + 3] = 255;
      }
    }
    context.putImageData(image, 0, 0);
    this.#canvas.setAttribute('aria-label', label);
  }
}

/** Pictures side by side, each with a text below it. */
export class PictureRow {
  #list;
  /** @type {{ canvas: PictureCanvas, text: HTMLElement }[]} */
  #entries = [];

  /** @param {HTMLElement} container @param {string} label of the list */
  constructor(container, label) {
    this.#list = h('ul', { class: 'pictures', 'aria-label': label });
    container.append(this.#list);
  }

  /** @param {{ picture: Float32Array, text: string, label: string, weights: ArrayLike<number> }[]} entries */
  show(entries) {
    while (this.#entries.length > entries.length) {
      this.#entries.pop();
      this.#list.lastElementChild?.remove();
    }
    while (this.#entries.length < entries.length) {
      const item = h('li');
      const canvas = new PictureCanvas(item);
      const text = h('span');
      item.append(text);
      this.#list.append(item);
      this.#entries.push({ canvas, text });
    }
    entries.forEach(({ picture, text, label, weights }, i) => {
      this.#entries[i].canvas.show(picture, label, weights);
      this.#entries[i].text.textContent = text;
    });
  }
}
