/** Pictures on the page: pixels as squares, and the attention to each patch as light. */
import { darkenPatches, pixelsOfPicture } from '../draw/patches.js';
import { h } from '../elements/dom.js';
import { SIZE } from '../../js/train/tasks/shapes.js';

/** Device pixels per pixel of a picture. */
const SCALE = 8;

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
    const small = pixelsOfPicture(picture);
    const image = context.createImageData(SIZE * SCALE, SIZE * SCALE);
    for (let at = 0; at < image.data.length; at += 4) {
      const [x, y] = [(at / 4) % (SIZE * SCALE), Math.floor(at / 4 / (SIZE * SCALE))].map((i) => Math.floor(i / SCALE));
      image.data.set(small.subarray(4 * (y * SIZE + x), 4 * (y * SIZE + x) + 4), at);
    }
    if (weights) darkenPatches(image.data, weights);
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
