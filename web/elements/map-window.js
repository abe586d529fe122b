/** The scrolling window of an attention map: cell size and zoom, scroll position, canvases, and the places of cells. */
import { LABEL, paintCrosshair, paintMap, paintOutlines } from '../draw/paint.js';
import { boxInWindow, cellAt, CELL_SIZES, exactCellSize, fittingCellSize, GAPPED_CELL, labelAt, nextCellSize,
  pointInElement, scrollToCell, scrollToEnd } from '../draw/view.js';
import { h, sized } from './dom.js';
import { MapContent } from './map-content.js';

/** @typedef {import('../draw/view.js').Cell} Cell */
/** @typedef {import('../draw/view.js').View} View */

/** The smallest cell whose token can be written beside it. Larger maps scroll, unless the zoom is ‘fit’. */
const READABLE_CELL = CELL_SIZES.find((cell) => cell >= LABEL) ?? GAPPED_CELL;
/** The same in a compact map, whose labels are as small as its cells. */
const SMALL_CELL = 9;
/** Width of the row labels. */
const LEFT = 94;
/** Width of a character of a label. */
const CHARACTER = 7.2;
/** Width of the window's border. */
const BORDER = 1;
/** A compact map that is narrower gives short row labels less room than the words in the corner need. */
const NARROW = 460;
/** Least height of the column labels, so that the words in the corner fit. */
const CORNER = 44;
/** Height of a column label. @param {number} characters */
const labelHeight = (characters) => Math.max(CORNER, 14 + Math.ceil(CHARACTER * characters));

/** The cell of a compact map, which does not grow. It fills the window.
 *  @param {Parameters<typeof exactCellSize>[0]} room */
function compactCell(room) {
  const cell = exactCellSize(room);
  return cell >= READABLE_CELL ? Math.floor(cell) : Math.max(SMALL_CELL, cell);
}

export class MapWindow {
  #mapCanvas = h('canvas', { 'aria-hidden': 'true' });
  #crossCanvas = h('canvas', { 'aria-hidden': 'true' });
  #layers = h('div', { class: 'layers' }, this.#mapCanvas, this.#crossCanvas);
  /** Has the size of the whole map, so that the window scrolls. */
  #extent = h('div', {}, this.#layers);
  element = h('div', { class: 'window', tabindex: 0, role: 'application', 'aria-roledescription': 'attention map' },
    this.#extent);

  #content = MapContent.empty();
  /** A cell size, ‘fit’ for the whole map, or ‘auto’ for the whole map as long as its tokens are readable.
   *  @type {number | 'auto' | 'fit'} */
  #zoom = 'auto';
  #cell = READABLE_CELL;
  /** True while the last row is visible: it then stays visible when the text grows or the window changes. */
  #atEnd = true;
  /** True once the text has grown row by row. A map that was set as a whole keeps its scroll position. */
  #growing = false;
  /** True if the next layout scrolls to the last row. */
  #follows = false;
  /** Inner size of the window at the last layout. */
  #size = { width: 0, height: 0 };
  #observer;

  /** @param {() => void} onChange called when the window was resized or scrolled */
  constructor(onChange) {
    this.#observer = new ResizeObserver(() => {
      const { clientWidth, clientHeight } = this.element;
      if (clientWidth === this.#size.width && clientHeight === this.#size.height) return;
      this.#follows ||= this.#growing;
      onChange();
    });
    this.element.addEventListener('scroll', () => {
      const { scrollTop, scrollHeight, clientHeight } = this.element;
      this.#atEnd = scrollHeight - scrollTop - clientHeight < 2 * this.#cell;
      onChange();
    }, { passive: true });
  }

  connect() {
    this.#observer.observe(this.element);
  }

  disconnect() {
    this.#observer.disconnect();
  }

  /** @param {MapContent} content */
  show(content) {
    this.#content = content;
    this.#growing = false;
  }

  /** Whether the window is as high as its rows, up to `--heed-map-height`. */
  get compact() {
    return this.element.classList.contains('compact');
  }

  set compact(compact) {
    this.element.classList.toggle('compact', compact);
  }

  /** Width of the row labels. */
  get #left() {
    if (!this.compact || this.element.clientWidth >= NARROW) return LEFT;
    return Math.min(LEFT, 16 + Math.ceil(CHARACTER * this.#content.longestRowLabel));
  }

  /** Follows rows that were added at the end. */
  grow() {
    this.#growing = this.#follows = true;
  }

  /** Side of a cell in CSS pixels. */
  get cell() {
    return this.#cell;
  }

  /** Font size of the labels. */
  get labelSize() {
    return this.compact ? Math.min(LABEL, Math.max(SMALL_CELL, this.#cell)) : LABEL;
  }

  /** The current geometry. @returns {View} */
  get view() {
    const { clientWidth: width, clientHeight: height, scrollLeft: scrollX, scrollTop: scrollY } = this.element;
    const { tokens, queryTokens, rows: { causal }, longestLabel } = this.#content;
    return { width, height, left: this.#left, top: labelHeight(longestLabel), cell: this.#cell, scrollX, scrollY,
      count: tokens.length, queryCount: queryTokens?.length, causal };
  }

  /** Sizes the map for its zoom, and follows the end of a growing text. @returns {View} */
  layOut() {
    const view = this.#layOutMap();
    const follows = this.#follows && this.#atEnd;
    this.#follows = false;
    if (!follows) return view;
    const { x, y } = scrollToEnd(view);
    this.element.scrollTo(x, y);
    return this.view;
  }

  /** Sizes the map, twice if the new size shows or hides a scrollbar. */
  #layOutMap() {
    const { width, height } = this.#resizeExtent();
    const { view } = this;
    if (view.width === width && view.height === height) return view;
    this.#resizeExtent();
    return this.view;
  }

  /** @returns {{ width: number, height: number }} inner size of the window before */
  #resizeExtent() {
    const { clientWidth, clientHeight } = this.element;
    this.#size = { width: clientWidth, height: clientHeight };
    const keys = this.#content.tokens.length;
    const queries = this.#content.rowTokens.length;
    const top = labelHeight(this.#content.longestLabel);
    const left = this.#left;
    const height = this.compact ? parseFloat(getComputedStyle(this.element).maxHeight) - 2 * BORDER : clientHeight;
    const room = { width: clientWidth - left, height: height - top, keys, queries };
    if (this.#zoom === 'auto' && this.compact) this.#cell = compactCell(room);
    else if (this.#zoom === 'auto') this.#cell = Math.max(READABLE_CELL, fittingCellSize(room));
    else if (this.#zoom === 'fit') this.#cell = exactCellSize(room);
    else this.#cell = this.#zoom;
    this.#extent.style.width = `max(100%, ${Math.floor(left + this.#cell * keys)}px)`;
    const rows = `${Math.floor(top + this.#cell * queries)}px`;
    this.#extent.style.height = this.compact ? rows : `max(100%, ${rows})`;
    return this.#size;
  }

  /** Shows the whole map. */
  zoomToFit() {
    this.#zoomTo('fit');
  }

  /** Takes the next smaller or larger cell size. @param {-1 | 1} direction */
  zoomBy(direction) {
    this.#zoomTo(nextCellSize(this.#cell, direction));
  }

  /** Keeps the top left cell in place. @param {number | 'fit'} zoom */
  #zoomTo(zoom) {
    const { scrollTop, scrollLeft } = this.element;
    const before = this.#cell;
    this.#zoom = zoom;
    this.#layOutMap();
    const ratio = this.#cell / before;
    this.element.scrollTo(scrollLeft * ratio, scrollTop * ratio);
  }

  /** Scrolls until a cell is visible. @param {Cell} cell */
  scrollTo(cell) {
    const { x, y } = scrollToCell(this.#layOutMap(), cell);
    this.element.scrollTo(x, y);
  }

  /**
   * The cell or label under the pointer.
   * @param {MouseEvent} event
   * @returns {{ cell: Cell | null, label: { at: number, token: string } | null }}
   */
  hit(event) {
    const { view } = this;
    const pointer = { x: event.clientX, y: event.clientY };
    const { x, y } = pointInElement(this.#layers.getBoundingClientRect(), this.#layersSize, pointer);
    const at = labelAt(view, x, y);
    const tokens = x < view.left ? this.#content.rowTokens : this.#content.tokens;
    return { cell: cellAt(view, x, y), label: at === null ? null : { at, token: tokens[at] } };
  }

  /** The box of a cell in the browser's window. @param {Cell} cell */
  boxOf({ query, key }) {
    const { left, top, cell, scrollX, scrollY } = this.view;
    const part = { x: left + key * cell - scrollX, y: top + query * cell - scrollY, width: cell, height: cell };
    const { x, y, width, height } = boxInWindow(this.#layers.getBoundingClientRect(), this.#layersSize, part);
    return new DOMRect(x, y, width, height);
  }

  /** Size of the layers before any transform of the page scales them. */
  get #layersSize() {
    return { width: this.#layers.offsetWidth, height: this.#layers.offsetHeight };
  }

  /** @param {import('../draw/paint.js').Scene} scene */
  paint(scene) {
    const { width, height } = scene.view;
    this.#layers.style.width = `${width}px`;
    this.#layers.style.height = `${height}px`;
    paintMap(sized(this.#mapCanvas, width, height), scene);
  }

  /**
   * @param {import('../draw/paint.js').Scene} scene
   * @param {Cell | null} cell null hides the crosshair
   * @param {import('../draw/paint.js').Outline[]} outlines
   */
  paintCross(scene, cell, outlines) {
    // Browsers composite a painted canvas again, even if it is empty.
    this.#crossCanvas.hidden = !cell && outlines.length === 0;
    if (this.#crossCanvas.hidden) return;
    const { width, height } = scene.view;
    const context = sized(this.#crossCanvas, width, height);
    context.clearRect(0, 0, width, height);
    paintOutlines(context, scene, outlines);
    if (cell) paintCrosshair(context, scene, cell);
  }
}
