import { paintLegend } from '../draw/paint.js';
import { legendTicks } from '../draw/scale.js';
import { h, sized } from './dom.js';

const WIDTH = 150;
const HEIGHT = 10;

/** The colors of a scale, and what its ends mean. */
export class Legend {
  #canvas = h('canvas');
  #ticks = h('div', { class: 'ticks' });
  #note = h('div');
  element = h('div', { class: 'legend', 'aria-hidden': 'true' }, this.#canvas, this.#ticks, this.#note);
  /** What is shown, so that the same is not drawn again in every frame. */
  #shown = '';

  /**
   * @param {import('../draw/raster.js').Shading} shading
   * @param {import('../draw/color.js').Palette} palette
   * @param {number} cell CSS pixels of a cell
   */
  show({ kind, max }, palette, cell) {
    const cells = (1 / cell).toFixed(1);
    const note = cell < 1 ? `a pixel: mean of ${cells} × ${cells} cells` : '';
    if (this.#note.textContent !== note) this.#note.textContent = note;
    const wanted = `${kind} ${max} ${palette.paper}`;
    if (wanted === this.#shown) return;
    this.#shown = wanted;
    paintLegend(sized(this.#canvas, WIDTH, HEIGHT), palette, WIDTH, HEIGHT);
    this.#ticks.replaceChildren(...legendTicks(kind, max).map(([text, share]) => {
      const tick = h('span', {}, text);
      tick.style.insetInlineStart = `${100 * share}%`;
      return tick;
    }));
  }
}
