import { makePalette } from '../draw/colour.js';
import { SIDE, Thumbnail } from '../draw/thumbnail.js';
import { h, HeedElement, sized } from './base.js';

/** Time that one frame may spend on thumbnails; the others wait for the next frame. */
const FRAME_MS = 12;

const CSS = `
  .grid { display: grid; gap: 3px; align-items: center; max-width: 100%; }
  [role=row] { display: contents; }
  [role=columnheader], [role=rowheader] {
    font: var(--small)/1 var(--mono); color: var(--muted); text-align: center; font-variant-numeric: tabular-nums;
  }
  [role=rowheader] { padding-inline-end: 3px; text-align: end; }
  [role=gridcell] {
    aspect-ratio: 1; min-width: 0; cursor: pointer; border-radius: 2px;
    box-shadow: 0 0 0 1px var(--line);
  }
  .waiting { background: var(--surface); }
  .drawn { background: repeating-linear-gradient(-45deg, transparent 0 3px, var(--hatch) 3px 4px); }
  [role=gridcell]:hover { box-shadow: 0 0 0 1px var(--muted); }
  [role=gridcell][aria-selected=true] { box-shadow: 0 0 0 2px var(--accent); }
  [role=gridcell]:focus-visible { outline-offset: 3px; }
  @media (forced-colors: active) {
    [role=gridcell] { outline: 1px solid GrayText; forced-color-adjust: none; }
    [role=gridcell]:hover { outline: 1px solid CanvasText; }
    [role=gridcell][aria-selected=true] { outline: 3px solid Highlight; }
    [role=gridcell]:focus-visible { outline: 3px dashed Highlight; }
  }
  .spoken { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .stage { position: relative; }
  canvas { position: absolute; inset: 0; pointer-events: none; }
`;

/**
 * `<heed-head-grid>`: a thumbnail of every head of every layer, layers down, heads across.
 *
 *     grid.shape = { layers, heads };
 *     grid.extend(rows);              // { data: Float32Array [layer][head][query][key], layers, heads, queries, keys }
 *
 * Tells `heed-head` with { layer, head } when one is chosen, by pointer, arrow keys or Enter.
 */
export class HeedHeadGrid extends HeedElement {
  #grid = h('div', { class: 'grid', role: 'grid', 'aria-label': 'Every head. Layers down, heads across.' });
  // One canvas for all thumbnails: a browser pays for each canvas in each frame.
  #canvas = h('canvas', { 'aria-hidden': 'true' });
  /** [layer · heads + head]
   *  @type {{ cell: HTMLElement, thumbnail: Thumbnail, x: number, y: number, side: number, drawn: boolean }[]} */
  #heads = [];
  #scratch = new OffscreenCanvas(SIDE, SIDE);
  #observer = new ResizeObserver(() => this.#measure());
  #shape = { layers: 0, heads: 0 };
  #selected = { layer: 0, head: 0 };
  #leaveFirstOut = false;
  /** Heads whose thumbnail is out of date. @type {Set<number>} */
  #dirty = new Set();
  /** What was on the canvas before its size changed. */
  #old = new OffscreenCanvas(1, 1);
  #palette = makePalette([255, 255, 255]);

  constructor() {
    super(CSS);
    this.root.append(h('div', { class: 'stage' }, this.#grid, this.#canvas));
    this.#grid.addEventListener('click', (event) => this.#choose(this.#indexOf(event)));
    this.#grid.addEventListener('keydown', (event) => this.#walk(event));
  }

  get shape() {
    return { ...this.#shape };
  }

  /** Starts anew with empty thumbnails. */
  set shape({ layers, heads }) {
    this.#shape = { layers, heads };
    this.#selected = { layer: 0, head: 0 };
    this.#dirty.clear();
    this.#heads = Array.from({ length: layers * heads }, (_, at) => {
      const label = `Layer ${Math.floor(at / heads)}, head ${at % heads}`;
      const cell = h('div', { role: 'gridcell', tabindex: -1, 'aria-selected': 'false', 'aria-label': label });
      cell.title = label;
      return { cell, thumbnail: new Thumbnail(), x: 0, y: 0, side: 0, drawn: false };
    });
    this.#grid.style.gridTemplateColumns = `auto repeat(${heads}, minmax(0, 1fr))`;
    const numbers = Array.from({ length: heads }, (_, head) =>
      h('span', { role: 'columnheader', 'aria-label': `head ${head}` }, String(head)));
    const corner = h('span', { role: 'columnheader' }, h('span', { class: 'spoken' }, 'layer'));
    this.#grid.replaceChildren(h('div', { role: 'row' }, corner, ...numbers));
    for (let layer = 0; layer < layers; layer++) {
      const cells = this.#heads.slice(layer * heads, (layer + 1) * heads).map((head) => head.cell);
      const number = h('span', { role: 'rowheader', 'aria-label': `layer ${layer}` }, String(layer));
      this.#grid.append(h('div', { role: 'row' }, number, ...cells));
    }
    if (this.#heads.length) this.selected = { layer: 0, head: 0 };
    this.#measure();
  }

  connectedCallback() {
    super.connectedCallback();
    this.#observer.observe(this.#grid);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#observer.disconnect();
  }

  /**
   * Finds where each thumbnail lies on the canvas. Thumbnails that were drawn are scaled at once and drawn anew later.
   */
  #measure() {
    const { width: oldWidth, height: oldHeight } = this.#canvas;
    const scale = oldWidth / parseFloat(this.#canvas.style.width);
    this.#old.width = oldWidth;
    this.#old.height = oldHeight;
    if (oldWidth && oldHeight) this.#old.getContext('2d')?.drawImage(this.#canvas, 0, 0);
    const context = sized(this.#canvas, this.#grid.offsetWidth, this.#grid.offsetHeight);
    context.clearRect(0, 0, this.#grid.offsetWidth, this.#grid.offsetHeight);
    this.#heads.forEach((head, at) => {
      const { x, y, side, drawn } = head;
      const { offsetLeft, offsetTop, offsetWidth } = head.cell;
      Object.assign(head, { x: offsetLeft, y: offsetTop, side: offsetWidth });
      if (drawn && side > 0) {
        context.drawImage(this.#old, x * scale, y * scale, side * scale, side * scale, head.x, head.y, head.side,
          head.side);
      }
      this.#dirty.add(at);
    });
    this.invalidate();
  }

  /** The head that is marked; setting it tells nobody. */
  get selected() {
    return { ...this.#selected };
  }

  set selected({ layer, head }) {
    const before = this.#heads[this.#selected.layer * this.#shape.heads + this.#selected.head];
    const now = this.#heads[layer * this.#shape.heads + head];
    if (!now) throw new RangeError(`there is no layer ${layer}, head ${head}`);
    before.cell.setAttribute('aria-selected', 'false');
    before.cell.tabIndex = -1;
    now.cell.setAttribute('aria-selected', 'true');
    now.cell.tabIndex = 0;
    this.#selected = { layer, head };
  }

  get leaveFirstOut() {
    return this.#leaveFirstOut;
  }

  /** Whether thumbnails leave the first token out, as the map may. */
  set leaveFirstOut(leave) {
    this.#leaveFirstOut = leave;
    this.themeChanged();
    this.invalidate();
  }

  /** Rows taken so far. */
  get length() {
    return this.#heads[0]?.thumbnail.length ?? 0;
  }

  /**
   * The next tokens' rows of every head.
   * @param {{ data: Float32Array, layers: number, heads: number, queries: number, keys: number }} rows
   *   data [layer][head][query][key], the first query being the next one
   */
  extend({ data, layers, heads, queries, keys }) {
    if (layers !== this.#shape.layers || heads !== this.#shape.heads) {
      const { layers: rows, heads: columns } = this.#shape;
      throw new RangeError(`rows of ${layers} × ${heads} heads for a grid of ${rows} × ${columns}`);
    }
    this.#heads.forEach(({ thumbnail }, at) => {
      for (let query = 0; query < queries; query++) {
        thumbnail.append(data.subarray((at * queries + query) * keys, (at * queries + query + 1) * keys));
      }
      this.#dirty.add(at);
    });
    this.invalidate();
  }

  /**
   * Forgets rows from `length` on.
   * @param {number} length
   * @returns {number} the row to append next, at most `length`
   */
  truncate(length) {
    let next = length;
    this.#heads.forEach(({ thumbnail }, at) => {
      next = thumbnail.truncate(length);
      this.#dirty.add(at);
    });
    this.invalidate();
    return next;
  }

  themeChanged() {
    if (this.isConnected) this.#palette = makePalette(this.colours().paper);
    this.#heads.forEach((_, at) => this.#dirty.add(at));
  }

  redraw() {
    const context = this.#canvas.getContext('2d');
    const scratch = this.#scratch.getContext('2d');
    if (!context || !scratch) return;
    const end = performance.now() + FRAME_MS;
    context.imageSmoothingEnabled = false;
    for (const at of this.#dirty) {
      const head = this.#heads[at];
      const { cell, thumbnail, x, y, side } = head;
      context.clearRect(x, y, side, side);
      if (thumbnail.side) {
        const pixels = thumbnail.paint(this.#palette, { leaveFirstOut: this.#leaveFirstOut });
        const bytes = new Uint8ClampedArray(/** @type {ArrayBuffer} */ (pixels.buffer));
        scratch.putImageData(new ImageData(bytes, thumbnail.side, thumbnail.side), 0, 0);
        context.drawImage(this.#scratch, 0, 0, thumbnail.side, thumbnail.side, x, y, side, side);
      }
      head.drawn = thumbnail.side > 0;
      cell.className = head.drawn ? 'drawn' : '';
      this.#dirty.delete(at);
      if (performance.now() > end) break;
    }
    for (const at of this.#dirty) if (!this.#heads[at].drawn) this.#heads[at].cell.className = 'waiting';
    if (this.#dirty.size) this.invalidate();
  }

  /** @param {Event} event */
  #indexOf(event) {
    return this.#heads.findIndex(({ cell }) => event.composedPath().includes(cell));
  }

  /** @param {number} at */
  #choose(at) {
    if (at < 0) return;
    const { heads } = this.#shape;
    this.selected = { layer: Math.floor(at / heads), head: at % heads };
    this.tell('heed-head', this.selected);
  }

  /** @param {KeyboardEvent} event */
  #walk(event) {
    const { layers, heads } = this.#shape;
    let { layer, head } = this.#selected;
    switch (event.key) {
      case 'ArrowLeft': head--; break;
      case 'ArrowRight': head++; break;
      case 'ArrowUp': layer--; break;
      case 'ArrowDown': layer++; break;
      case 'Home': head = 0; break;
      case 'End': head = heads - 1; break;
      case 'Enter': case ' ': break;
      default: return;
    }
    event.preventDefault();
    if (layer < 0 || layer >= layers || head < 0 || head >= heads) return;
    this.#choose(layer * heads + head);
    this.#heads[layer * heads + head].cell.focus();
  }
}
