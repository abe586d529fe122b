/** Pairs of numbers as hands of dials: each vector as it was, faint, and as it is after it was turned. */
import { h } from '../../elements/dom.js';
import { Behind } from './data-table.js';
import { fixed } from './format.js';
import { svg } from './svg.js';

/** Of a dial, in its own units; the longest hand is as long as the radius. */
const [SIZE, RADIUS] = [120, 52];

/** @typedef {{ before: ArrayLike<number>, after: ArrayLike<number> }} Turned  pair after pair */

export class Dials {
  #names;
  #label;
  #place = h('div', { class: 'dials', role: 'img' });
  #behind;

  /** @param {HTMLElement} place @param {{ label: string, names: string[] }} options names of the vectors */
  constructor(place, { label, names }) {
    this.#names = names;
    this.#label = label;
    const legend = h('p', { class: 'legend' }, ...names.map((name, i) => h('span', { class: `key line-${i}` }, name)),
      h('span', {}, 'faint: before it was turned'));
    place.append(this.#place, legend);
    this.#behind = new Behind(place, label);
  }

  /** @param {Turned[]} vectors */
  show(vectors) {
    const pairs = vectors[0].before.length / 2;
    const lengths = vectors.flatMap(({ before }) => Array.from({ length: pairs }, (_, i) =>
      Math.hypot(before[2 * i], before[2 * i + 1])));
    const unit = RADIUS / (Math.max(...lengths) || 1);
    this.#place.setAttribute('aria-label', `${this.#label}: ${pairs} dials`);
    this.#place.replaceChildren(...Array.from({ length: pairs }, (_, i) => {
      const hand = (/** @type {ArrayLike<number>} */ of, /** @type {string} */ kind) => svg('line', { class: kind,
        x1: 0, y1: 0, x2: (of[2 * i] * unit).toFixed(2), y2: (-of[2 * i + 1] * unit).toFixed(2) });
      return svg('svg', { class: 'dial', viewBox: `${-SIZE / 2} ${-SIZE / 2} ${SIZE} ${SIZE}` },
        svg('circle', { r: RADIUS }),
        ...vectors.map(({ before }, v) => hand(before, `line line-${v} before`)),
        ...vectors.map(({ after }, v) => hand(after, `line line-${v}`)));
    }));
    this.#behind.show(() => ({
      head: ['', ...Array.from({ length: 2 * pairs }, (_, i) => String(i))],
      rows: vectors.flatMap(({ before, after }, v) => [[this.#names[v], before], [`${this.#names[v]}, turned`, after]])
        .map(([name, of]) => [String(name), .../** @type {number[]} */ (Array.from(/** @type {any} */ (of)))
          .map((value) => fixed(value, 3))]),
    }));
  }
}
