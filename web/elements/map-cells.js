/** The cells of a map that a reader points at, selects or drags over, by pointer and by keys. */
import { tokenName } from '../draw/token.js';
import { cellAfterKey } from '../draw/view.js';
import { MapContent } from './map-content.js';
import { cellsBetween, MapRange } from './map-range.js';

/** @typedef {import('../draw/view.js').Cell} Cell */
/** @typedef {import('./map-range.js').CellRange} CellRange */

/**
 * Listeners.
 * @typedef {object} CellEvents
 * @property {() => void} onPoint another cell is under the pointer, or none
 * @property {(cell: Cell | null) => void} onSelect a key moves the crosshair to a cell; the listener calls `select`
 * @property {() => void} onRange the user has changed the range
 * @property {() => void} onClear the range is empty now
 * @property {(cells: CellRange) => void} onCut cells were dragged over, or cut by a key
 * @property {(direction: -1 | 1) => void} onZoom a key was pressed for smaller or larger cells
 */

export class MapCells {
  /** The cell under the pointer. @type {Cell | null} */
  #hovered = null;
  /** The cell that was clicked, selected or reached with the arrow keys. @type {Cell | null} */
  #selected = null;
  /** The cells that are selected with Shift, or dragged over. */
  #range = new MapRange();
  /** Where the pointer was pressed; null if it is not. @type {Cell | null} */
  #pressed = null;
  /** True from the start of a drag until the click that ends it. */
  #dragged = false;
  #editable = false;
  #content = MapContent.empty();
  #window;
  #events;

  /** @param {import('./map-window.js').MapWindow} window @param {CellEvents} events */
  constructor(window, events) {
    this.#window = window;
    this.#events = events;
    const { element } = window;
    element.addEventListener('pointerdown', (event) => this.#press(event));
    element.addEventListener('pointermove', (event) => this.#point(event));
    element.addEventListener('pointerup', () => this.#release());
    element.addEventListener('pointercancel', () => this.clearRange());
    element.addEventListener('pointerleave', () => this.#hover(null));
    element.addEventListener('click', (event) => {
      if (!this.#dragged) this.#point(event, true);
      this.#dragged = false;
    });
    element.addEventListener('keydown', (event) => this.#pressKey(event));
  }

  /** Takes another content. The selection stays when another run of the same text is shown.
   *  @param {MapContent} content */
  show(content) {
    this.#content = content;
    this.#hovered = null;
    if (this.#selected && !content.has(this.#selected)) this.#selected = null;
    const { range } = this;
    if (range && !content.has({ query: range.queries[1] - 1, key: range.keys[1] - 1 })) this.clearRange();
  }

  /** Drops the cells outside of the truncated content. */
  truncate() {
    this.#hovered = null;
    if (this.#selected && !this.#content.has(this.#selected)) this.#selected = null;
    this.clearRange();
  }

  /** Drops the cell under the pointer, because the map has moved. */
  forgetPointer() {
    this.#hovered = null;
  }

  /** The cell of the crosshair: under the pointer, or selected. */
  get current() {
    return this.#hovered ?? this.#selected;
  }

  /** The cells that are selected with Shift or dragged over, or null. */
  get range() {
    return this.#range.cells;
  }

  /** The range, or the selected cell as a range, or null. */
  get selection() {
    return this.range ?? (this.#selected && cellsBetween(this.#selected, this.#selected));
  }

  /** Whether cells can be selected as a range, and cut. */
  get editable() {
    return this.#editable;
  }

  set editable(editable) {
    this.#editable = editable;
    this.clearRange();
  }

  /**
   * Moves the crosshair to a cell and scrolls it into view.
   * @param {Cell | null} cell null removes the crosshair
   * @throws {import('../draw/check.js').InputError} for a cell outside the map
   */
  select(cell) {
    this.#selected = cell && this.#content.checkCell(cell);
    if (this.#selected) this.#window.scrollTo(this.#selected);
  }

  clearRange() {
    this.#pressed = null;
    this.#range.clear();
    this.#events.onClear();
  }

  // Pointer

  /** @param {MouseEvent} event @param {boolean} [select] */
  #point(event, select = false) {
    const { cell, label } = this.#window.hit(event);
    this.#window.element.title = label ? `${label.at}: ${tokenName(label.token)}` : '';
    if (select && cell) this.#selected = cell;
    if (select) this.clearRange();
    if (cell && this.#pressed && event.buttons & 1) this.#drag(event, this.#pressed, cell);
    else this.#hover(cell);
  }

  /** @param {Cell | null} cell */
  #hover(cell) {
    if (cell?.query === this.#hovered?.query && cell?.key === this.#hovered?.key) return;
    this.#hovered = cell;
    this.#events.onPoint();
  }

  /** @param {PointerEvent} event */
  #press(event) {
    this.#dragged = false;
    const scrolls = event.pointerType === 'touch';
    this.#pressed = this.#editable && event.button === 0 && !scrolls ? this.#window.hit(event).cell : null;
  }

  /** @param {MouseEvent} event @param {Cell} from @param {Cell} to */
  #drag(event, from, to) {
    if (!this.#dragged && from.query === to.query && from.key === to.key) return;
    if (!this.#dragged) {
      this.#range.clear();
      this.#window.element.setPointerCapture(/** @type {PointerEvent} */ (event).pointerId);
    }
    this.#dragged = true;
    this.#extend(from, to);
  }

  #release() {
    this.#pressed = null;
    if (this.#dragged) this.#cut();
  }

  // Keys

  /** @param {KeyboardEvent} event */
  #pressKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || this.#content.tokens.length === 0) return;
    if (this.#use(event.key, event.shiftKey)) event.preventDefault();
  }

  /** @param {string} key @param {boolean} shift @returns {boolean} whether the map uses the key */
  #use(key, shift) {
    if (key === '+' || key === '-') this.#events.onZoom(key === '+' ? 1 : -1);
    else if (this.#editable && ['x', 'X', 'Delete'].includes(key)) this.#cut();
    else if (key === 'Escape' && this.range) this.#cancel();
    else if (this.#editable && shift && this.#selected && key.startsWith('Arrow')) this.#grow(this.#selected, key);
    else if (key === 'Escape') return this.#selected !== null && this.#move(null);
    else return this.#move(cellAfterKey(this.#window.view, this.#selected, key));
    return true;
  }

  /** Moves the crosshair. @param {Cell | null | undefined} to undefined: the key moves nothing */
  #move(to) {
    if (to === undefined) return false;
    this.#hovered = null;
    this.#range.clear();
    this.#events.onSelect(to);
    return true;
  }

  /** Moves the end of the range. @param {Cell} from selected cell @param {string} key an arrow */
  #grow(from, key) {
    const to = cellAfterKey(this.#window.view, this.#range.end ?? from, key);
    if (!to) return;
    this.#extend(from, to);
    this.#window.scrollTo(to);
  }

  // The range

  /** @param {Cell} from @param {Cell} to */
  #extend(from, to) {
    this.#hovered = null;
    this.#range.extend(from, to);
    this.#events.onRange();
  }

  /** Ends the range, also while it is dragged. */
  #cancel() {
    this.#dragged = false;
    this.clearRange();
    this.#events.onRange();
  }

  #cut() {
    const cells = this.selection;
    this.clearRange();
    if (cells) this.#events.onCut(cells);
  }
}
