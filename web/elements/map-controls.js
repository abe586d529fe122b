/** The controls of a map: its color scale, its first column, and its zoom. */
import { SCALES } from '../draw/scale.js';
import { h } from './dom.js';
import { button } from './export-menu.js';

/** @typedef {import('../draw/scale.js').WeightScale} WeightScale */

export class MapControls {
  #scale = h('select', {}, ...SCALES.map((kind) => h('option', { value: kind }, kind)));
  #scaleLabel = h('label', {}, 'Scale', this.#scale);
  #firstOut = h('input', { type: 'checkbox' });
  #firstOutLabel = h('label', {}, this.#firstOut, 'Leave out the first token');
  element;

  /** @param {{ onScale: (scale: WeightScale) => void, onFirstOut: (leave: boolean) => void,
   *   onZoom: (step: -1 | 1 | 'fit') => void }} events */
  constructor({ onScale, onFirstOut, onZoom }) {
    this.#scale.addEventListener('change', () => onScale(/** @type {WeightScale} */ (this.#scale.value)));
    this.#firstOut.addEventListener('change', () => onFirstOut(this.#firstOut.checked));
    this.#firstOutLabel.title = 'Hides the first column and fits the color scale to the rest. Weights are not '
      + 'renormalized.';
    this.element = h('div', { class: 'bar' },
      this.#scaleLabel, this.#firstOutLabel,
      h('span', { role: 'group', 'aria-label': 'Zoom' },
        button('−', 'Smaller cells', () => onZoom(-1)),
        button('+', 'Larger cells', () => onZoom(1)),
        button('Fit', 'Fit the whole map', () => onZoom('fit'))));
  }

  /** @param {WeightScale} scale */
  set scale(scale) {
    this.#scale.value = scale;
  }

  /** Whether the map has a scale to choose. @param {boolean} has */
  set hasScale(has) {
    this.#scaleLabel.hidden = !has;
  }

  /** @param {boolean} leave */
  set firstOut(leave) {
    this.#firstOut.checked = leave;
  }

  /** Whether the first column can be left out. @param {boolean} has */
  set hasFirst(has) {
    this.#firstOutLabel.hidden = !has;
  }
}
