/** A scrolling window over a large picture. Only the visible part is a canvas. */
import { pointInElement } from '../draw/view.js';
import { h, sized } from './dom.js';

/** Style of the window, below the style of a figure. */
export const WINDOW_STYLE = `
  .window {
    contain: content; position: relative; overflow: auto; width: 100%; height: auto;
    max-height: var(--heed-map-height, min(100vw, 40rem));
    border: 1px solid var(--line); border-radius: 4px; overscroll-behavior-inline: contain;
  }
  .layers { position: sticky; inset-block-start: 0; inset-inline-start: 0; overflow: hidden; }
  .layers canvas { position: static; display: block; }
`;

export class CanvasWindow {
  #canvas = h('canvas', { width: 0, height: 0, 'aria-hidden': 'true' });
  #layers = h('div', { class: 'layers' }, this.#canvas);
  /** Has the size of the whole picture, so that the window scrolls. */
  #extent = h('div', {}, this.#layers);
  element;
  #observer;

  /**
   * @param {string} role description for screen readers
   * @param {() => void} onChange called when the window was resized or scrolled
   */
  constructor(role, onChange) {
    this.element = h('div', { class: 'window', tabindex: 0, role: 'application', 'aria-roledescription': role },
      this.#extent);
    this.#observer = new ResizeObserver(onChange);
    this.element.addEventListener('scroll', onChange, { passive: true });
  }

  connect() {
    this.#observer.observe(this.element);
  }

  disconnect() {
    this.#observer.disconnect();
  }

  /** Sets the size of the whole picture. Its default width is that of the window.
   *  @param {{ width?: number, height: number }} size */
  resize({ width, height }) {
    this.#extent.style.width = width === undefined ? '' : `max(100%, ${Math.ceil(width)}px)`;
    this.#extent.style.height = `${Math.ceil(height)}px`;
  }

  /** The visible part of the picture. */
  get view() {
    const { clientWidth: width, clientHeight: height, scrollLeft: scrollX, scrollTop: scrollY } = this.element;
    return { width, height, scrollX, scrollY };
  }

  /** The canvas of the visible part, cleared; its unit is the CSS pixel, and its origin the corner of the window. */
  clear() {
    const { width, height } = this.view;
    const context = sized(this.#canvas, width, height);
    context.clearRect(0, 0, width, height);
    return context;
  }

  /** A pointer's place in the whole picture. @param {MouseEvent} event */
  pointOf({ clientX: x, clientY: y }) {
    const size = { width: this.#canvas.offsetWidth, height: this.#canvas.offsetHeight };
    const point = pointInElement(this.#canvas.getBoundingClientRect(), size, { x, y });
    const { scrollX, scrollY } = this.view;
    return { x: point.x + scrollX, y: point.y + scrollY };
  }

  /**
   * Scrolls until a box of the picture is visible below and right of fixed headings.
   * @param {{ x: number, y: number, width: number, height: number }} box
   * @param {{ left?: number, top?: number }} [headings]
   */
  reveal({ x, y, width, height }, { left = 0, top = 0 } = {}) {
    const view = this.view;
    const nearest = (/** @type {number} */ scroll, /** @type {number} */ from, /** @type {number} */ size,
      /** @type {number} */ room, /** @type {number} */ head) =>
      Math.max(Math.min(scroll, from - head), from + size - room);
    this.element.scrollTo(nearest(view.scrollX, x, width, view.width, left),
      nearest(view.scrollY, y, height, view.height, top));
  }
}
