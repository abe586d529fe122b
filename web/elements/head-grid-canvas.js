/** Draws the thumbnails of all heads on one canvas, some in each frame, with letters and marks of changed heads. */
import { paletteFor } from '../draw/color.js';
import { SIDE } from '../draw/thumbnail.js';
import { h, sized } from './dom.js';

/** @typedef {import('../draw/thumbnail.js').Thumbnail} Thumbnail */

/**
 * The look of a head beside its weights.
 * @typedef {object} Look
 * @property {boolean} leaveFirstOut whether the first token is left out
 * @property {number | undefined} scale factor of the output of a changed head; 0 is a cut head
 * @property {string | undefined} letter of its highest score
 */

/** Milliseconds a frame may spend on thumbnails. The others wait for the next frame. */
const FRAME_MS = 24;
/** Least CSS pixels of a thumbnail with a letter, and of one that needs no enlarged copy. */
const LETTERED = 28;
const READABLE = 40;
/** Least CSS pixels of a thumbnail with a frame. */
export const TINY = 14;
/** Opacity of the thumbnail of a cut head. */
const FADED = 0.3;

/** A factor such as ×0.5 or ×−1. @param {number} scale */
export const factorName = (scale) => `×${scale.toFixed(2).replace(/\.?0+$/, '').replace('-', '−')}`;

export class HeadGridCanvas {
  /** One canvas for all thumbnails, because every canvas costs time in every frame. */
  element = h('canvas', { 'aria-hidden': 'true' });
  /** One head enlarged. */
  lens = h('canvas', { class: 'lens', width: SIDE, height: SIDE, hidden: true, 'aria-hidden': 'true' });
  /** [layers · heads] places of the thumbnails, layer by layer
   *  @type {{ thumbnail: Thumbnail, x: number, y: number, side: number, drawn: boolean }[]} */
  #places = [];
  /** Whether cells above the diagonal are masked. */
  #isCausal = true;
  /** Heads whose thumbnail is outdated. @type {Set<number>} */
  #dirty = new Set();
  #scratch = new OffscreenCanvas(SIDE, SIDE);
  /** A copy of the canvas before its size changed. */
  #oldCanvas = new OffscreenCanvas(1, 1);
  #palette = paletteFor([255, 255, 255]);
  #ink = { text: '', font: '', paper: '' };
  #lookOf;

  /** @param {(at: number) => Look} lookOf a head by its index */
  constructor(lookOf) {
    this.#lookOf = lookOf;
  }

  /** @param {Thumbnail[]} thumbnails [layers · heads] @param {boolean} isCausal */
  show(thumbnails, isCausal) {
    this.#places = thumbnails.map((thumbnail) => ({ thumbnail, x: 0, y: 0, side: 0, drawn: false }));
    this.#isCausal = isCausal;
    this.#dirty.clear();
  }

  /** CSS pixels of a thumbnail. */
  get side() {
    return this.#places[0]?.side ?? 0;
  }

  /** Whether thumbnails have letters. */
  get isLettered() {
    return this.side >= LETTERED;
  }

  /** @param {import('../draw/color.js').Palette} palette @param {{ text: string, font: string, paper: string }} ink */
  color(palette, ink) {
    this.#palette = palette;
    this.#ink = ink;
  }

  /** Places the thumbnails below their cells. Drawn ones are scaled now and redrawn later.
   *  @param {HTMLElement} grid @param {HTMLElement[]} cells */
  measure({ offsetWidth, offsetHeight }, cells) {
    const { width: oldWidth, height: oldHeight } = this.element;
    const scale = oldWidth / parseFloat(this.element.style.width);
    this.#oldCanvas.width = oldWidth;
    this.#oldCanvas.height = oldHeight;
    if (oldWidth && oldHeight) this.#oldCanvas.getContext('2d')?.drawImage(this.element, 0, 0);
    const context = sized(this.element, offsetWidth, offsetHeight);
    context.clearRect(0, 0, offsetWidth, offsetHeight);
    this.#places.forEach((place, at) => {
      const { x, y, side, drawn } = place;
      const { offsetLeft, offsetTop, offsetWidth: width } = cells[at];
      Object.assign(place, { x: offsetLeft, y: offsetTop, side: width });
      if (drawn && side > 0) {
        context.drawImage(this.#oldCanvas, x * scale, y * scale, side * scale, side * scale, place.x, place.y,
          place.side, place.side);
      }
    });
    this.outdate();
    this.lens.hidden = cells.length === 0 || this.side >= READABLE;
  }

  /** All thumbnails are drawn again. */
  outdate() {
    this.#places.forEach((_, at) => this.#dirty.add(at));
  }

  /**
   * Draws outdated thumbnails until the frame is over.
   * @param {(at: number, state: 'drawn' | 'waiting' | '') => void} onState called with each thumbnail that was drawn or
   *   that waits for its first drawing; '' without rows
   * @returns {boolean} whether all are drawn
   */
  draw(onState) {
    const context = this.element.getContext('2d');
    if (!context) return true;
    const end = performance.now() + FRAME_MS;
    context.imageSmoothingEnabled = false;
    for (const at of this.#dirty) {
      this.#drawHead(context, at);
      this.#dirty.delete(at);
      onState(at, this.#places[at].drawn ? 'drawn' : '');
      if (performance.now() > end) break;
    }
    for (const at of this.#dirty) if (!this.#places[at].drawn) onState(at, 'waiting');
    return this.#dirty.size === 0;
  }

  /** @param {CanvasRenderingContext2D} context @param {number} at */
  #drawHead(context, at) {
    const place = this.#places[at];
    const { thumbnail, x, y, side } = place;
    const { scale, letter, leaveFirstOut } = this.#lookOf(at);
    context.clearRect(x, y, side, side);
    if (thumbnail.side) {
      this.#paint(thumbnail, leaveFirstOut);
      context.globalAlpha = scale === 0 ? FADED : 1;
      context.drawImage(this.#scratch, 0, 0, thumbnail.width, thumbnail.side, x, y, side, side);
      context.globalAlpha = 1;
    }
    if (scale === 0) this.#crossOut(context, place);
    else if (scale !== undefined) this.#writeFactor(context, place, scale);
    if (letter) this.#writeLetter(context, place, letter);
    place.drawn = thumbnail.side > 0;
  }

  /** @param {CanvasRenderingContext2D} context @param {{ x: number, y: number, side: number }} place
   *  @param {string} letter */
  #writeLetter(context, { x, y, side }, letter) {
    if (!this.isLettered) return;
    if (!this.#isCausal) { // cells above the diagonal of a causal map are masked, so the letter covers no weight
      context.fillStyle = this.#ink.paper;
      context.fillRect(x + side - 13, y + 1, 12, 13);
    }
    context.font = this.#ink.font;
    context.fillStyle = this.#ink.text;
    context.textAlign = 'right';
    context.textBaseline = 'top';
    context.fillText(letter, x + side - 3, y + 3);
  }

  /** @param {CanvasRenderingContext2D} context @param {{ x: number, y: number, side: number }} place
   *  @param {number} scale */
  #writeFactor(context, { x, y, side }, scale) {
    if (!this.isLettered) return;
    context.font = this.#ink.font;
    context.fillStyle = this.#ink.text;
    context.textAlign = 'left';
    context.textBaseline = 'bottom';
    context.fillText(factorName(scale), x + 3, y + side - 2);
  }

  /** @param {CanvasRenderingContext2D} context @param {{ x: number, y: number, side: number }} place */
  #crossOut(context, { x, y, side }) {
    const near = side / 8;
    const far = side - side / 8;
    context.strokeStyle = this.#ink.text;
    context.lineWidth = side < TINY ? 1 : 1.5;
    context.beginPath();
    context.moveTo(x + near, y + near);
    context.lineTo(x + far, y + far);
    context.moveTo(x + near, y + far);
    context.lineTo(x + far, y + near);
    context.stroke();
  }

  /** Draws a thumbnail into the top left corner of the scratch canvas.
   *  @param {Thumbnail} thumbnail @param {boolean} leaveFirstOut */
  #paint(thumbnail, leaveFirstOut) {
    const pixels = thumbnail.paint(this.#palette, { leaveFirstOut });
    const bytes = new Uint8ClampedArray(/** @type {ArrayBuffer} */ (pixels.buffer));
    this.#scratch.getContext('2d')?.putImageData(new ImageData(bytes, thumbnail.width, thumbnail.side), 0, 0);
  }

  /** Enlarges a head, if its thumbnail is too small to read. @param {number} at */
  enlarge(at) {
    const context = this.lens.hidden ? null : this.lens.getContext('2d');
    if (!context) return;
    context.imageSmoothingEnabled = false;
    context.clearRect(0, 0, SIDE, SIDE);
    const { thumbnail } = this.#places[at];
    if (!thumbnail.side) return;
    this.#paint(thumbnail, this.#lookOf(at).leaveFirstOut);
    context.drawImage(this.#scratch, 0, 0, thumbnail.width, thumbnail.side, 0, 0, SIDE, SIDE);
  }
}
