/** The numbers of an open box: a window that scrolls and zooms, and draws only visible cells. */
import { valueAt } from '../draw/anatomy-boxes.js';
import { paintPixels, pixelsOf } from '../draw/anatomy-raster.js';
import { inkOn } from '../draw/color.js';
import { formatNumber } from '../draw/sentence.js';
import { labelStep, pointInElement } from '../draw/view.js';
import { h, sized } from './dom.js';

/** @typedef {import('../draw/anatomy-boxes.js').Plane} Plane */
/** @typedef {{ row: number, column: number }} Cell */
/** Colors and fonts. @typedef {{ text: string, muted: string, face: string, mono: string, paper: string,
 *   accent: string, hatch: string }} Style */

/** Sizes of a cell. The largest has room for a number. */
const SIZES = [[1, 1], [2, 2], [4, 4], [8, 8], [13, 13], [24, 15], [48, 18]];
const NUMBERED = 48;
const LEFT = 78;
const TOP = 18;
/** How keys move the cell: [rows, columns]. @type {Record<string, [number, number]>} */
const MOVES = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], PageUp: [-10, 0],
  PageDown: [10, 0], Home: [0, -Infinity], End: [0, Infinity] };

/**
 * The numbers in the window.
 * @typedef {object} Content
 * @property {Plane} plane
 * @property {(row: number) => string} rowLabel
 * @property {(column: number) => string} columnLabel
 * @property {boolean} wide true if labels of columns are words
 * @property {{ end: number, weights: boolean, causal: boolean }} scale
 * @property {((cell: Cell) => boolean) | null} changed whether a number was changed by hand; null if the
 *   numbers cannot be changed
 */

/** Distance of two lines over masked cells. */
const HATCH = 7;

/** Hatches the visible part of a map. @param {CanvasRenderingContext2D} context
 *  @param {{ left: number, right: number, bottom: number }} map @param {string} color */
function paintHatch(context, { left, right, bottom }, color) {
  const reach = bottom - TOP;
  const end = Math.min(right, context.canvas.width);
  context.save();
  context.beginPath();
  context.rect(left, TOP, right - left, reach);
  context.clip(); // the lines are diagonal
  context.beginPath();
  for (let x = left - left % HATCH; x < end + reach; x += HATCH) {
    context.moveTo(x, TOP);
    context.lineTo(x - reach, bottom);
  }
  context.strokeStyle = color;
  context.lineWidth = 1;
  context.stroke();
  context.restore();
}

/** A number of at most six characters, for a cell. @param {number} value */
function shortNumber(value) {
  const size = Math.abs(value);
  if (!Number.isFinite(value) || value === 0) return formatNumber(value);
  return value.toFixed(size < 10 ? 2 : size < 100 ? 1 : 0).replace('-', '−');
}

/** The text with which a key opens the field of a number, or null. @param {string} key */
function typedBy(key) {
  if (key === 'Enter' || key === 'F2') return '';
  if (key === 'Delete' || key === 'Backspace') return '0';
  return /^[-−+.,\d]$/.test(key) ? key : null;
}

/** Marks a changed number in its upper right corner. @param {CanvasRenderingContext2D} context @param {number} right
 *  @param {number} top @param {number} side */
function paintCorner(context, right, top, side) {
  context.beginPath();
  context.moveTo(right - side, top);
  context.lineTo(right, top);
  context.lineTo(right, top + side);
  context.fill();
}

/** @param {number} value @param {number} most */
const within = (value, most) => Math.max(0, Math.min(most - 1, value));

export class AnatomyWindow {
  #canvas = h('canvas', { 'aria-hidden': 'true' });
  #extent = h('div', {}, h('div', { class: 'layer' }, this.#canvas));
  element = h('div', { class: 'window', tabindex: 0, role: 'application', 'aria-roledescription': 'table of numbers' },
    this.#extent);
  /** @type {Content | null} */
  #content = null;
  #zoom = SIZES.length - 1;
  /** @type {Cell | null} */
  #cell = null;

  /**
   * Listeners. `onCell`: a cell was hovered or reached by a key. `onChange`: the window must be painted. `onEdit`: the
   * first key of a new number was typed.
   * @param {{ onCell: (cell: Cell | null) => void, onChange: () => void,
   *   onEdit: (cell: Cell, typed: string) => void }} events
   */
  constructor({ onCell, onChange, onEdit }) {
    this.element.addEventListener('scroll', onChange, { passive: true });
    this.element.addEventListener('pointermove', (event) => {
      const cell = this.#cellAt(event);
      if (cell) onCell(cell);
    });
    this.element.addEventListener('click', (event) => {
      const cell = this.#cellAt(event);
      if (cell && this.#content?.changed) onEdit(cell, '');
    });
    this.element.addEventListener('keydown', (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || !this.#content) return;
      const move = MOVES[event.key];
      const typed = this.#content.changed ? typedBy(event.key) : null;
      if (typed !== null) onEdit(this.#cell ?? { row: 0, column: 0 }, typed);
      else if (event.key === '+' || event.key === '-') this.zoom(event.key === '+' ? 1 : -1);
      else if (move) onCell(this.#cell = this.#moved(move)); // the next key may precede the next frame
      else return;
      event.preventDefault();
    });
    this.#onChange = onChange;
  }

  #onChange;

  /** Identifies the box that is shown. */
  box = '';

  get content() {
    return this.#content;
  }

  /** The content, in whose coordinates `placeOf` is. */
  get inner() {
    return this.#extent;
  }

  /** The rectangle of a cell. @param {Cell} cell */
  placeOf({ row, column }) {
    const [width, height] = SIZES[this.#zoom];
    return { x: LEFT + column * width, y: TOP + row * height, width, height };
  }

  /** @param {Content | null} content @param {Cell | null} cell the framed cell */
  show(content, cell) {
    this.#content = content;
    this.#cell = cell;
  }

  /** @param {[number, number]} move @returns {Cell} */
  #moved([down, across]) {
    const { rows, columns } = /** @type {Content} */ (this.#content).plane;
    const from = this.#cell ?? { row: 0, column: 0 };
    return { row: within(from.row + down, rows), column: within(from.column + across, columns) };
  }

  /** @param {-1 | 1} direction */
  zoom(direction) {
    this.#zoom = within(this.#zoom + direction, SIZES.length);
    if (this.#cell) this.reveal(this.#cell);
    this.#onChange();
  }

  /** Scrolls until a cell is visible. @param {Cell} cell */
  reveal({ row, column }) {
    this.#layOut();
    const [width, height] = SIZES[this.#zoom];
    const { clientWidth, clientHeight, scrollLeft, scrollTop } = this.element;
    const nearest = (/** @type {number} */ scroll, /** @type {number} */ room, /** @type {number} */ from,
      /** @type {number} */ size) => Math.max(Math.min(scroll, from), from + size - room);
    this.element.scrollTo(nearest(scrollLeft, clientWidth - LEFT, column * width, width),
      nearest(scrollTop, clientHeight - TOP, row * height, height));
  }

  /** @param {MouseEvent} event @returns {Cell | null} */
  #cellAt(event) {
    if (!this.#content) return null;
    const { offsetWidth, offsetHeight, clientLeft, clientTop, scrollLeft, scrollTop } = this.element;
    const at = pointInElement(this.element.getBoundingClientRect(), { width: offsetWidth, height: offsetHeight },
      { x: event.clientX, y: event.clientY });
    const x = at.x - clientLeft - LEFT;
    const y = at.y - clientTop - TOP;
    const [width, height] = SIZES[this.#zoom];
    const row = Math.floor((y + scrollTop) / height);
    const column = Math.floor((x + scrollLeft) / width);
    const { rows, columns } = this.#content.plane;
    return x >= 0 && y >= 0 && row < rows && column < columns ? { row, column } : null;
  }

  #layOut() {
    const { rows, columns } = this.#content?.plane ?? { rows: 0, columns: 0 };
    const [width, height] = SIZES[this.#zoom];
    this.#extent.style.width = `${LEFT + columns * width}px`;
    this.#extent.style.height = `${TOP + rows * height}px`;
  }

  /**
   * @param {import('../draw/anatomy-raster.js').Inks} inks
   * @param {Style} style
   */
  paint(inks, style) {
    this.#layOut();
    const { clientWidth, clientHeight, scrollLeft, scrollTop } = this.element;
    const context = sized(this.#canvas, clientWidth, clientHeight);
    context.fillStyle = style.paper;
    context.fillRect(0, 0, clientWidth, clientHeight);
    if (!this.#content) return;
    if (clientWidth <= LEFT || clientHeight <= TOP) return; // the element is hidden
    const { plane, rowLabel, columnLabel, wide, scale, changed } = this.#content;
    const [width, height] = SIZES[this.#zoom];
    /** @type {(scroll: number, room: number, size: number, most: number) => [number, number]} */
    const seen = (scroll, room, size, most) => [Math.min(most, Math.floor(scroll / size)),
      Math.min(most, Math.ceil((scroll + room) / size))];
    const rows = seen(scrollTop, clientHeight - TOP, height, plane.rows);
    const columns = seen(scrollLeft, clientWidth - LEFT, width, plane.columns);
    const x = (/** @type {number} */ column) => LEFT + column * width - scrollLeft;
    const y = (/** @type {number} */ row) => TOP + row * height - scrollTop;
    const size = { width: columns[1] - columns[0], height: rows[1] - rows[0] };
    context.save();
    context.beginPath();
    context.rect(LEFT, TOP, clientWidth - LEFT, clientHeight - TOP);
    context.clip();
    if (scale.causal) {
      paintHatch(context, { left: x(0), right: x(plane.columns), bottom: y(plane.rows) }, style.hatch);
    }
    const pixels = pixelsOf(plane, { rows, columns }, size, scale, inks);
    paintPixels(context, pixels, size, { x: x(columns[0]), y: y(rows[0]), width: size.width * width,
      height: size.height * height });
    if (width >= NUMBERED) this.#paintNumbers(context, { rows, columns, x, y, width, height, pixels, style });
    if (changed) {
      context.fillStyle = style.accent;
      const side = Math.min(7, width, height);
      for (let row = rows[0]; row < rows[1]; row++) {
        for (let column = columns[0]; column < columns[1]; column++) {
          if (changed({ row, column })) paintCorner(context, x(column + 1), y(row), side);
        }
      }
    }
    if (this.#cell) {
      context.strokeStyle = style.accent;
      context.lineWidth = 2;
      context.strokeRect(x(this.#cell.column) + 1, y(this.#cell.row) + 1, width - 2, height - 2);
    }
    context.restore();
    this.#paintLabels(context, { rows, columns, x, y, width, height, rowLabel, columnLabel, wide, style });
  }

  /** @param {CanvasRenderingContext2D} context @param {any} scene */
  #paintNumbers(context, { rows, columns, x, y, width, height, pixels, style }) {
    const { plane, scale } = /** @type {Content} */ (this.#content);
    context.font = `11px ${style.face}`;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    const bytes = new Uint8Array(pixels.buffer);
    for (let row = rows[0]; row < rows[1]; row++) {
      for (let column = columns[0]; column < columns[1]; column++) {
        if (scale.causal && column > row) continue;
        const value = valueAt(plane, row, column);
        const at = 4 * ((row - rows[0]) * (columns[1] - columns[0]) + column - columns[0]);
        context.fillStyle = bytes[at + 3] ? inkOn([bytes[at], bytes[at + 1], bytes[at + 2]]) : style.muted;
        context.fillText(shortNumber(value), x(column) + width / 2, y(row) + height / 2);
      }
    }
  }

  /** @param {CanvasRenderingContext2D} context @param {any} scene */
  #paintLabels(context, { rows, columns, x, y, width, height, rowLabel, columnLabel, wide, style }) {
    const cell = this.#cell;
    context.font = `11px ${style.mono}`;
    context.textBaseline = 'middle';
    context.textAlign = 'right';
    const down = labelStep(height, 12);
    for (let row = rows[0]; row < rows[1]; row++) {
      if ((row % down && row !== cell?.row) || y(row) + height / 2 < TOP) continue;
      context.fillStyle = row === cell?.row ? style.accent : style.muted;
      context.fillText(rowLabel(row), LEFT - 6, y(row) + height / 2);
    }
    context.textAlign = 'center';
    const across = labelStep(width, wide ? 44 : 30);
    for (let column = columns[0]; column < columns[1]; column++) {
      if ((column % across && column !== cell?.column) || x(column) + width / 2 < LEFT) continue;
      context.fillStyle = column === cell?.column ? style.accent : style.muted;
      context.fillText(columnLabel(column), x(column) + width / 2, TOP / 2);
    }
  }
}
