/** Pairs of numbers as hands of dials: faint before a rotation, strong after it. */
import { h } from '../../elements/dom.js';
import { DataTable } from './data-table.js';
import { fixed } from './format.js';
import { svg } from './svg.js';

/** Size of a dial in SVG units. The longest hand is as long as the radius. */
const SIZE = 120;
const RADIUS = 52;

/** A vector before and after a rotation, pair after pair.
 *  @typedef {{ before: ArrayLike<number>, after: ArrayLike<number> }} Rotation */

export class Dials {
  #names;
  #label;
  #picture = h('div', { class: 'dials', role: 'img' });
  #table;

  /**
   * @param {HTMLElement} container the dials become its last children
   * @param {{ label: string, names: string[] }} options label: for screen readers; names: one per vector
   */
  constructor(container, { label, names }) {
    this.#names = names;
    this.#label = label;
    const legend = h('p', { class: 'legend' }, ...names.map((name, i) => h('span', { class: `key line-${i}` }, name)),
      h('span', {}, 'faint: before the rotation'));
    container.append(this.#picture, legend);
    this.#table = new DataTable(container, label);
  }

  /** @param {Rotation[]} vectors one per name, all of the same even length */
  update(vectors) {
    const pairs = vectors[0].before.length / 2;
    const lengths = vectors.flatMap(({ before }) => Array.from({ length: pairs }, (_, i) =>
      Math.hypot(before[2 * i], before[2 * i + 1])));
    const unit = RADIUS / (Math.max(...lengths) || 1);
    this.#picture.setAttribute('aria-label', `${this.#label}: ${pairs} dials`);
    this.#picture.replaceChildren(...Array.from({ length: pairs }, (_, i) => {
      const hand = (/** @type {ArrayLike<number>} */ vector, /** @type {string} */ kind) => svg('line', { class: kind,
        x1: 0, y1: 0, x2: (vector[2 * i] * unit).toFixed(2), y2: (-vector[2 * i + 1] * unit).toFixed(2) });
      return svg('svg', { class: 'dial', viewBox: `${-SIZE / 2} ${-SIZE / 2} ${SIZE} ${SIZE}` },
        svg('circle', { r: RADIUS }),
        ...vectors.map(({ before }, v) => hand(before, `line line-${v} before`)),
        ...vectors.map(({ after }, v) => hand(after, `line line-${v}`)));
    }));
    // The table reads its numbers later, when views of the lab's memory may have ended.
    const kept = vectors.map(({ before, after }) => [Array.from(before), Array.from(after)]);
    this.#table.update(() => ({
      head: ['', ...Array.from({ length: 2 * pairs }, (_, i) => String(i))],
      rows: kept.flatMap(([before, after], v) => [
        [this.#names[v], ...before.map((value) => fixed(value, 3))],
        [`${this.#names[v]}, rotated`, ...after.map((value) => fixed(value, 3))],
      ]),
    }));
  }
}
