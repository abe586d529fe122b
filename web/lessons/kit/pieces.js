/** A text as separate pieces, each with its number below it. */
import { h } from '../../elements/dom.js';
import { visible } from './bar-table.js';

export class Pieces {
  #list;

  /** @param {HTMLElement} container the list becomes its last child @param {string} label for screen readers */
  constructor(container, label) {
    this.#list = h('ol', { class: 'pieces', 'aria-label': label });
    container.append(this.#list);
  }

  /** @param {{ text: string, below?: string | number, marked?: boolean }[]} pieces */
  update(pieces) {
    this.#list.replaceChildren(...pieces.map(({ text, below, marked }) => h('li', { class: marked ? 'marked' : '' },
      h('span', {}, ...visible(text)), ...(below === undefined ? [] : [h('small', {}, String(below))]))));
  }
}
