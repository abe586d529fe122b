/** The loss of a training, step by step, as a line. Points are the losses of validations. */
import { lossCurve } from '../../draw/loss-curve.js';
import { h } from '../../elements/dom.js';
import { drawLossCurve, svg } from '../../elements/loss-picture.js';
import { describeFigure } from './words.js';

const HEIGHT = 150;
const LEFT = 44;
const BOTTOM = 24;

export class LossFigure {
  /** @type {number[]} */
  #losses = [];
  /** @type {{ step: number, loss: number }[]} */
  #validated = [];
  #steps = 1;
  #isAsked = false;
  #picture = svg('svg', { role: 'img' });
  #caption = h('figcaption', { class: 'note' });
  element = h('figure', { class: 'losses', hidden: true }, this.#picture, this.#caption);

  constructor() {
    new ResizeObserver(() => this.#request()).observe(this.element);
  }

  /**
   * Clears the figure.
   * @param {number} steps
   * @param {import('./words.js').TuningBegan['tokens']} tokens
   */
  begin(steps, tokens) {
    this.#losses = [];
    this.#validated = [];
    this.#steps = steps;
    this.#caption.textContent = describeFigure(tokens);
    this.element.hidden = false;
    this.#request();
  }

  /** Adds a step. @param {import('./words.js').Progress} progress */
  add({ step, loss, figures }) {
    this.#losses.push(loss);
    if (figures) this.#validated.push({ step, loss: figures.heldOut });
    this.#request();
  }

  /** Draws at most once per frame. */
  #request() {
    if (this.#isAsked) return;
    this.#isAsked = true;
    requestAnimationFrame(() => {
      this.#isAsked = false;
      this.#draw();
    });
  }

  #draw() {
    const width = this.element.clientWidth;
    if (width <= 2 * LEFT) return;
    const box = { width, height: HEIGHT, left: LEFT, bottom: BOTTOM };
    drawLossCurve(this.#picture, lossCurve(this.#losses, this.#steps, box, { linear: true, points: this.#validated }),
      box);
    const first = this.#losses[0];
    const last = this.#losses.at(-1);
    this.#picture.setAttribute('aria-label', last === undefined ? 'Loss by step: no step yet'
      : `Loss by step: ${first.toFixed(2)} at step 1, ${last.toFixed(2)} at step ${this.#losses.length}`);
  }
}
