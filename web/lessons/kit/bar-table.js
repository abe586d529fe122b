/** A table of numbers with a bar beside each number, for probabilities of tokens. */
import { tokenParts } from '../../draw/token.js';
import { h } from '../../elements/dom.js';
import { makeScrollFocusable } from './focusable-scroll.js';
import { fixed } from './format.js';

/**
 * @typedef {object} BarColumn
 * @property {string} name
 * @property {number} [max]  the number of a full bar; default: the largest absolute value of the column
 * @property {(value: number) => string} [format] default: three decimals
 */
/**
 * @typedef {object} BarRow
 * @property {string} token   its text; invisible characters get a mark
 * @property {(number | null)[]} values  one per column; null is a removed token
 * @property {boolean} [marked]  whether the row is emphasized
 */

export class BarTable {
  #axis;
  #head = h('tr');
  #body = h('tbody');
  /** @type {BarColumn[]} */ #columns = [];

  /**
   * @param {HTMLElement} container the table becomes its last child
   * @param {{ caption: string, axis: string }} options axis: the heading of the rows
   */
  constructor(container, { caption, axis }) {
    this.#axis = axis;
    const box = h('div', { class: 'scrolls', role: 'group', 'aria-label': caption }, h('table', { class: 'bars' },
      h('caption', {}, h('span', {}, caption)), h('thead', {}, this.#head), this.#body));
    makeScrollFocusable(box);
    container.append(box);
  }

  /** @param {BarColumn[]} columns @param {BarRow[]} rows */
  update(columns, rows) {
    this.#columns = columns;
    const most = columns.map(({ max }, i) => max ?? Math.max(...rows.map(({ values }) => Math.abs(values[i] ?? 0))));
    this.#head.replaceChildren(h('th', { scope: 'col' }, this.#axis),
      ...columns.map(({ name }) => h('th', { scope: 'col' }, name)));
    this.#body.replaceChildren(...rows.map(({ token, values, marked }) => h('tr', { class: marked ? 'marked' : '' },
      h('th', { scope: 'row' }, ...visible(token)),
      ...values.map((value, i) => this.#cell(value, i, most[i])))));
  }

  /** @param {number | null} value @param {number} column @param {number} most */
  #cell(value, column, most) {
    if (value === null) return h('td', { class: 'removed' }, h('span', {}, 'removed'));
    const { format = (each) => fixed(each, 3) } = this.#columns[column];
    const bar = h('i', { 'aria-hidden': 'true' });
    bar.style.width = `${most > 0 ? 100 * Math.min(1, Math.abs(value) / most) : 0}%`;
    return h('td', { class: value < 0 ? 'negative' : '' }, h('div', {}, bar, h('span', {}, format(value))));
  }
}

/** A token with marks for invisible characters. @param {string} token @returns {(Node | string)[]} */
export const visible = (token) => tokenParts(token).map(({ kind, text }) =>
  (kind === 'text' ? text : h('span', { class: 'mark' }, text)));
