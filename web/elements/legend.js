/** The color bar of a map, with its numbers. */
import { paintLegend } from '../draw/paint.js';
import { legendTicks } from '../draw/scale.js';
import { h, sized } from './dom.js';

const WIDTH = 150;
const HEIGHT = 10;

export class Legend {
  #canvas = h('canvas');
  #ticks = h('div', { class: 'ticks' });
  #note = h('div');
  /** Hidden until the bar is drawn. */
  element = h('div', { class: 'legend', 'aria-hidden': 'true', hidden: true }, this.#canvas, this.#ticks, this.#note);
  /** Identifies the drawn bar, so that it is redrawn only when it changes. */
  #drawn = '';

  /**
   * @param {import('../draw/raster.js').Shading} shading
   * @param {import('../draw/color.js').Palette} palette
   * @param {number} cell side of a cell in CSS pixels
   */
  show({ kind, max }, palette, cell) {
    const cells = (1 / cell).toFixed(1);
    const note = cell < 1 ? `Each pixel is the mean of ${cells} × ${cells} cells` : '';
    if (this.#note.textContent !== note) this.#note.textContent = note;
    const bar = `${kind} ${max} ${palette.paper}`;
    if (bar === this.#drawn) return;
    this.#drawn = bar;
    this.element.hidden = false;
    paintLegend(sized(this.#canvas, WIDTH, HEIGHT), palette, WIDTH, HEIGHT);
    this.#ticks.replaceChildren(...legendTicks(kind, max).map(([text, share]) => {
      const tick = h('span', {}, text);
      tick.style.insetInlineStart = `${100 * share}%`;
      return tick;
    }));
  }
}
