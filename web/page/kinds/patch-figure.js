/** A picture with the attention of one of its patches, or of a token before them, as light. */
import { darkenPatches } from '../../draw/patches.js';
import { formatPercent } from '../../draw/sentence.js';
import { h } from '../../elements/dom.js';

/** @typedef {import('../../../js/index.js').Model['info']} Info */

/** Pixels of the canvas's side, about: a multiple of the patches. */
const SIDE = 448;
/** How the arrow keys move, in rows and columns of patches. @type {Record<string, [down: number, right: number]>} */
const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

export class PatchFigure {
  #format;
  #onPatch;
  #side;
  /** The picture as the model reads it. */
  #picture;
  #canvas;
  #output = h('output', { class: 'note', 'aria-live': 'polite' });
  element;
  /** The token whose attention is shown while no patch is pointed at: 0 is the class token. */
  pinned = 0;

  /**
   * @param {NonNullable<Info['picture']>} format
   * @param {(token: number | null) => void} onPatch a token is pointed at; null: none
   */
  constructor(format, onPatch) {
    this.#format = format;
    this.#onPatch = onPatch;
    this.#side = format.columns * Math.ceil(SIDE / format.columns);
    const size = { width: this.#side, height: this.#side };
    this.#picture = h('canvas', size);
    this.#canvas = h('canvas', { ...size, role: 'img', 'aria-label': 'The picture' });
    const stage = h('div', { class: 'stage', tabindex: 0, role: 'group',
      'aria-label': 'Patches of the picture. Arrow keys move between them and the tokens before the first one. Escape '
        + 'shows the class token.' },
    this.#canvas);
    this.element = h('div', { class: 'patches' }, stage, this.#output);
    stage.addEventListener('pointermove', (event) => onPatch(this.#tokenAt(event)));
    stage.addEventListener('pointerleave', () => onPatch(null));
    stage.addEventListener('click', (event) => this.pin(this.#tokenAt(event)));
    stage.addEventListener('keydown', (event) => this.#pressKey(event));
  }

  /** Keeps showing a token. @param {number} token */
  pin(token) {
    this.pinned = token;
    this.#onPatch(token);
  }

  /** @param {MouseEvent} event */
  #tokenAt({ clientX, clientY }) {
    const { left, top, width, height } = this.#canvas.getBoundingClientRect();
    const { columns, leading } = this.#format;
    const place = (/** @type {number} */ share) => Math.min(columns - 1, Math.max(0, Math.floor(share * columns)));
    return leading + place((clientY - top) / height) * columns + place((clientX - left) / width);
  }

  /** @param {KeyboardEvent} event */
  #pressKey(event) {
    const { columns, leading } = this.#format;
    if (event.key === 'Escape') {
      this.pin(0);
      return;
    }
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    const [down, right] = step;
    const patch = this.pinned - leading;
    if (patch < 0 || (patch === 0 && right < 0)) { // the tokens before the patches are in a row before the first patch
      this.pin(Math.max(0, this.pinned + down + right));
      return;
    }
    const row = Math.floor(patch / columns) + down;
    const column = patch % columns + right;
    if (row >= 0 && row < columns && column >= 0 && column < columns) this.pin(leading + row * columns + column);
  }

  /**
   * Shows a picture as the model reads it.
   * @param {CanvasImageSource & { width: number, height: number }} picture
   * @param {string} name
   */
  show(picture, name) {
    const { side, resize, crop } = this.#format;
    const context = /** @type {CanvasRenderingContext2D} */ (this.#picture.getContext('2d'));
    const unit = this.#side / side;
    const shorter = Math.min(picture.width, picture.height);
    const [height, width] = Array.isArray(resize) ? resize
      : [picture.height, picture.width].map((length) => (resize === null ? length : length * resize / shorter));
    const whole = !crop && Array.isArray(resize);
    const [w, h] = whole ? [side, side] : [width, height];
    context.fillRect(0, 0, this.#side, this.#side);
    context.imageSmoothingEnabled = shorter * 2 > side;
    context.drawImage(picture, unit * (side - w) / 2, unit * (side - h) / 2, unit * w, unit * h);
    this.#canvas.setAttribute('aria-label', `The picture: ${name}`);
    this.light(null);
  }

  /**
   * Shows the attention of a token.
   * @param {number | null} token null shows the picture alone
   * @param {ArrayLike<number> | null} [weights] [tokens] of its row
   * @param {number | null} [key] token to frame
   */
  light(token, weights = null, key = null) {
    const context = /** @type {CanvasRenderingContext2D} */ (this.#canvas.getContext('2d'));
    context.drawImage(this.#picture, 0, 0);
    if (token === null || !weights) {
      this.#output.textContent = '';
      return;
    }
    const { leading } = this.#format;
    const row = Array.from(weights);
    const patches = row.slice(leading);
    const image = context.getImageData(0, 0, this.#side, this.#side);
    darkenPatches(image.data, patches);
    context.putImageData(image, 0, 0);
    if (token >= leading) this.#frame(context, token, 3);
    if (key !== null && key >= leading) this.#frame(context, key, 1.5);
    const best = patches.indexOf(Math.max(...patches));
    const others = row.slice(0, leading).map((weight, at) =>
      `${formatPercent(weight)} to ${this.#nameOf(at).toLowerCase()}`);
    this.#output.textContent = `${this.#nameOf(token)} attends most to ${this.#nameOf(best + leading).toLowerCase()
    } (${formatPercent(patches[best])}), and ${others.join(' and ')}.`;
  }

  /** @param {number} token */
  #nameOf(token) {
    const { columns, leading } = this.#format;
    if (token < leading) return token ? 'The distillation token' : 'The class token';
    return `Patch ${Math.floor((token - leading) / columns)},${(token - leading) % columns}`;
  }

  /** @param {CanvasRenderingContext2D} context @param {number} token @param {number} width of the line */
  #frame(context, token, width) {
    const { columns, leading } = this.#format;
    const cell = this.#side / columns;
    const patch = token - leading;
    const x = cell * (patch % columns);
    const y = cell * Math.floor(patch / columns);
    for (const [color, line] of /** @type {const} */ ([['#000', 2 * width], ['#fff', width]])) {
      context.strokeStyle = color;
      context.lineWidth = line;
      context.strokeRect(x + width, y + width, cell - 2 * width, cell - 2 * width);
    }
  }
}
