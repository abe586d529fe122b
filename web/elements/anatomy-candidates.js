/** The most probable next tokens with their logits and probabilities. */
import { indicesOfLargest } from '../draw/largest.js';
import { formatNumber, formatPercent } from '../draw/sentence.js';
import { h } from './dom.js';

/** Number of candidates. A vocabulary of up to ALL tokens is shown as a whole. */
const COUNT = 10;
const ALL = 32;

export class AnatomyCandidates {
  element = h('ul', { class: 'candidates', role: 'listbox', 'aria-label': 'Candidates for the next token' });
  #onChoose;

  /** @param {(id: number) => void} onChoose a candidate was pointed at or reached by a key; the list is redrawn */
  constructor(onChoose) {
    this.#onChoose = onChoose;
    this.element.addEventListener('keydown', (event) => this.#pressKey(event));
  }

  /** The candidate in the tab order. */
  get current() {
    return /** @type {HTMLElement | null} */ (this.element.querySelector('[tabindex="0"]'));
  }

  /**
   * @param {Float32Array} logits [vocabulary]
   * @param {number | undefined} selected id
   * @param {(ids: number[]) => string[]} wordsOf
   */
  show(logits, selected, wordsOf) {
    const top = indicesOfLargest(logits, logits.length <= ALL ? logits.length : COUNT);
    const most = logits[top[0]];
    const total = logits.reduce((sum, logit) => sum + Math.exp(logit - most), 0);
    const current = top.find((id) => id === selected) ?? top[0];
    const focused = this.element.matches(':focus-within');
    const words = wordsOf(top);
    this.element.replaceChildren(...top.map((id, at) => {
      const chance = Math.exp(logits[id] - most) / total;
      const bar = h('span');
      bar.style.width = `${100 * chance}%`;
      const item = h('li', { role: 'option', 'aria-selected': id === selected, 'data-id': id,
        tabindex: id === current ? 0 : -1 }, h('span', { class: 'word' }, words[at]),
      h('span', { class: 'number' }, formatNumber(logits[id])), h('span', { class: 'bar' }, bar),
      h('span', { class: 'number' }, formatPercent(chance)));
      for (const type of ['pointerenter', 'click']) item.addEventListener(type, () => this.#onChoose(id));
      return item;
    }));
    if (focused) this.current?.focus();
  }

  /** @param {KeyboardEvent} event */
  #pressKey(event) {
    const items = /** @type {HTMLElement[]} */ ([...this.element.children]);
    const at = items.findIndex((item) => item.tabIndex === 0);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
    if (to === undefined || !items[to]) return;
    event.preventDefault();
    this.#onChoose(Number(items[to].getAttribute('data-id')));
    this.current?.focus();
  }
}
