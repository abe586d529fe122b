/** The numbers of a picture as a table behind it, for reading aloud and for copying; written when someone looks. */
import { h } from '../../elements/dom.js';
import { reachable } from './focusable-scroll.js';

/** The first of each row says what it is of.
 *  @typedef {{ caption?: string, head: string[], rows: string[][] }} Numbers */

export class Behind {
  #table = h('table', { class: 'numbers' });
  #details;
  /** @type {() => Numbers} */ #numbers = () => ({ head: [], rows: [] });

  /** @param {HTMLElement} place it is put at the end of @param {string} label what the numbers are */
  constructor(place, label) {
    const box = h('div', { class: 'scrolls tall', role: 'group', 'aria-label': label }, this.#table);
    reachable(box);
    this.#details = h('details', {}, h('summary', { 'aria-label': `The numbers: ${label}` }, 'The numbers'),
      box);
    this.#details.addEventListener('toggle', () => this.#write());
    place.append(this.#details);
  }

  /** @param {() => Numbers} numbers asked for when they are looked at */
  show(numbers) {
    this.#numbers = numbers;
    this.#write();
  }

  #write() {
    if (!this.#details.open) return;
    const { caption, head, rows } = this.#numbers();
    this.#table.replaceChildren(
      ...(caption ? [h('caption', {}, h('span', {}, caption))] : []),
      h('thead', {}, h('tr', {}, ...head.map((name) => h('th', { scope: 'col' }, name)))),
      h('tbody', {}, ...rows.map(([name, ...cells]) =>
        h('tr', {}, h('th', { scope: 'row' }, name), ...cells.map((cell) => h('td', {}, cell))))));
  }
}
