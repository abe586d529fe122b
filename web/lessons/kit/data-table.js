/** The numbers of a figure as a table in a closed `<details>`, for screen readers and for copying. */
import { h } from '../../elements/dom.js';
import { makeScrollFocusable } from './focusable-scroll.js';

/** The first cell of each row is its heading.
 *  @typedef {{ caption?: string, head: string[], rows: string[][] }} Numbers */

export class DataTable {
  #table = h('table', { class: 'numbers' });
  #details;
  /** @type {() => Numbers} */ #numbers = () => ({ head: [], rows: [] });

  /**
   * @param {HTMLElement} container the table becomes its last child
   * @param {string} label the name of the figure, for screen readers
   */
  constructor(container, label) {
    const box = h('div', { class: 'scrolls tall', role: 'group', 'aria-label': label }, this.#table);
    makeScrollFocusable(box);
    this.#details = h('details', { class: 'numbers-fold' },
      h('summary', { 'aria-label': `The numbers: ${label}` }, 'The numbers'), box);
    this.#details.addEventListener('toggle', () => this.#write());
    container.append(this.#details);
  }

  /** @param {() => Numbers} numbers called only while the table is open */
  update(numbers) {
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
