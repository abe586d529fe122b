/** The open box of an anatomy: its name, its numbers or candidates, and the field that changes a weight. */
import { valueAt } from '../draw/anatomy-boxes.js';
import { weightName } from '../draw/anatomy-weights.js';
import { messageOf, h } from './dom.js';
import { AnatomyCandidates } from './anatomy-candidates.js';
import { AnatomyEditor, parseWeight } from './anatomy-editor.js';
import { AnatomyWindow } from './anatomy-window.js';
import { button } from './export-menu.js';

/** @typedef {import('../draw/anatomy-boxes.js').Box} Box */
/** @typedef {import('../draw/anatomy-boxes.js').Plane} Plane */
/** @typedef {{ row: number, column: number }} Cell */

/**
 * Content of the inspector.
 * @typedef {object} Inspected
 * @property {Box} box
 * @property {Plane | null} plane null while it is loaded
 * @property {Cell | null} cell the selected cell
 * @property {string} title
 * @property {string} href of the lesson that explains the box, or ''
 * @property {string} key identifies the box and its block
 * @property {{ end: number, weights: boolean, causal: boolean } | null} scale
 * @property {(row: number) => string} rowLabel
 * @property {(column: number) => string} columnLabel
 * @property {((cell: Cell) => boolean) | null} changed whether a weight was changed; null if it cannot be
 * @property {(ids: number[]) => string[]} wordsOf labels of candidates
 */

export class AnatomyInspector {
  #title = h('p', { class: 'title' });
  #what = h('p', { class: 'muted' });
  #problem = h('p', { class: 'problem', role: 'alert', hidden: true });
  window;
  candidates;
  #editor = new AnatomyEditor(() => this.window.element.focus());
  #tools;
  element;
  /** @type {Inspected | null} */
  #shown = null;
  #events;

  /**
   * Listeners. `onCell`: a cell was pointed at or reached by a key. `onChange`: the window must be painted. `onEdit`: a
   * number was typed.
   * @param {{ onCell: (cell: Cell | null) => void, onChange: () => void, onClose: () => void,
   *   onEdit: (box: Box, cell: Cell, value: number) => void }} events
   */
  constructor(events) {
    this.#events = events;
    this.window = new AnatomyWindow({ onCell: (cell) => this.#editor.isOpen || events.onCell(cell),
      onChange: events.onChange, onEdit: (cell, typed) => this.#edit(cell, typed) });
    this.candidates = new AnatomyCandidates((id) => events.onCell({ row: 0, column: id }));
    this.#tools = h('span', { class: 'tools' }, button('−', 'Zoom out', () => this.window.zoom(-1)),
      button('+', 'Zoom in', () => this.window.zoom(1)));
    this.element = h('section', { class: 'inspector', 'aria-label': 'Open box', hidden: true }, h('header', {},
      h('div', { class: 'line' }, this.#title, this.#tools, button('×', 'Close the box', events.onClose)),
      this.#what, this.#problem), this.window.element, this.candidates.element);
  }

  /** Moves the focus to the numbers, after the box was opened by a key. */
  enter() {
    const list = this.candidates.current ?? this.element.querySelector('button');
    (this.window.element.hidden ? list : this.window.element)?.focus();
  }

  /**
   * @param {Inspected | null} shown null hides it
   * @param {import('./anatomy-painter.js').AnatomyPainter} painter
   */
  draw(shown, painter) {
    if (shown?.key !== this.#shown?.key) {
      this.#editor.close();
      this.#problem.hidden = true;
    }
    this.#shown = shown;
    this.element.hidden = shown === null;
    if (!shown) return;
    const { box, plane, cell, title, href, key, scale, changed } = shown;
    this.#title.textContent = title;
    this.element.setAttribute('aria-label', title);
    const edit = changed ? ' Select a number and type another one.' : '';
    this.#what.replaceChildren(`${box.what}${edit} `);
    if (href) this.#what.append(h('a', { href }, `Lesson ${Number(box.lesson.slice(0, 2))}`));
    const list = box.kind === 'vocabulary';
    this.window.element.hidden = this.#tools.hidden = list;
    this.candidates.element.hidden = !list;
    if (list) {
      if (plane) this.candidates.show(plane.data, cell?.column, shown.wordsOf);
      else this.candidates.element.replaceChildren();
      return;
    }
    const first = this.window.box !== key || !this.window.content;
    this.window.box = key;
    this.window.show(plane && scale && { plane, scale, wide: box.kind === 'map', rowLabel: shown.rowLabel,
      columnLabel: shown.columnLabel, changed }, cell);
    this.window.element.setAttribute('aria-label', `Numbers of ${title}`);
    if (first && cell) this.window.reveal(cell);
    this.window.paint(painter.inks, painter.style);
  }

  /** Opens the field of a weight. @param {Cell} cell @param {string} typed the first key, or '' */
  #edit(cell, typed) {
    const { box, plane } = this.#shown ?? {};
    if (!box || !plane) return;
    this.#events.onCell(cell);
    this.window.reveal(cell);
    const value = valueAt(plane, cell.row, cell.column);
    this.#editor.open(this.window.inner, this.window.placeOf(cell), { label: weightName(box, cell), value, typed },
      (text) => {
        try {
          this.#events.onEdit(box, cell, parseWeight(text));
          this.#problem.hidden = true;
        } catch (error) {
          this.#problem.hidden = false;
          this.#problem.textContent = messageOf(error);
          throw error;
        }
      });
  }
}
