/** Weights that were changed by hand: their list, undo and redo, and the bar that shows them. */
import { findWeight, weightName } from '../draw/anatomy-weights.js';
import { checkCount, checkObject, InputError } from '../draw/check.js';
import { formatNumber } from '../draw/sentence.js';
import { h } from './dom.js';
import { button } from './export-menu.js';

/** @typedef {import('../draw/anatomy-weights.js').WeightPlace} WeightPlace */
/** @typedef {import('../draw/anatomy-boxes.js').AnatomyInfo} AnatomyInfo */
/** @typedef {NonNullable<ReturnType<typeof findWeight>>} FoundWeight */
/** A weight with its new number. @typedef {WeightPlace & { value: number }} Change */

/** Largest number of changes, and of changes with a button. */
const LIMIT = 10_000;
const LISTED = 24;

/**
 * Validates and copies changes.
 * @param {any} changes
 * @param {AnatomyInfo | null} info null if the model is not known yet
 * @returns {Change[]}
 * @throws {InputError}
 */
export function checkChanges(changes, info) {
  if (!Array.isArray(changes) || changes.length > LIMIT) {
    throw new InputError(`changes must be an Array of at most ${LIMIT} changes.`);
  }
  return changes.map((change, at) => {
    const { weight, index, value } = checkObject(change, `changes[${at}]`, '{ weight, index, value }');
    if (typeof weight !== 'string') throw new InputError(`changes[${at}].weight must be a GGUF name.`);
    checkCount(index, `changes[${at}].index`);
    if (info && !findWeight(info, { weight, index })) {
      throw new InputError(`changes[${at}]: this model has no number ${index} of ${weight}.`);
    }
    if (!Number.isFinite(value)) throw new InputError(`changes[${at}].value must be a finite number.`);
    return { weight, index, value };
  });
}

/** @param {WeightPlace} a @param {WeightPlace} b */
const same = (a, b) => a.weight === b.weight && a.index === b.index;

export class AnatomyChanges {
  #undo = button('↶', 'Undo', () => this.step(-1));
  #redo = button('↷', 'Redo', () => this.step(1));
  #reset = button('Reset', 'Reset: undo all changes', () => this.#add([]));
  #chips = h('ul');
  element = h('div', { class: 'changes', role: 'group', 'aria-label': 'Changed weights' },
    this.#undo, this.#redo, this.#reset, this.#chips);
  /** @type {Change[][]} */
  #history = [[]];
  #at = 0;
  /** Sizes of the model; null if it is not known yet. @type {AnatomyInfo | null} */
  #info = null;
  #events;

  /** @param {{ onChange: () => void, onOpen: (weight: FoundWeight) => void }} events onChange: the list has changed;
   *   onOpen: a change was chosen in the bar */
  constructor(events) {
    this.#events = events;
  }

  /** @returns {Change[]} */
  get list() {
    return this.#history[this.#at];
  }

  /** Replaces the list, without undo. @param {Change[]} list @param {AnatomyInfo | null} [info] of another model */
  restart(list, info = this.#info) {
    this.#history = [list];
    this.#at = 0;
    this.#info = info;
  }

  /** @param {WeightPlace} place */
  #find(place) {
    return this.#info && findWeight(this.#info, place);
  }

  /** @param {WeightPlace} place */
  #nameOf(place) {
    const found = this.#find(place);
    return found ? `${found.layer === null ? '' : `block ${found.layer}, `}${weightName(found.box, found)}`
      : place.weight;
  }

  /** The changed numbers of a block and head, and of the shared weights. @param {{ layer: number, head: number }} shown
   *  @returns {{ box: string, row: number, column: number }[]} */
  cells({ layer, head }) {
    return this.list.flatMap((change) => {
      const found = this.#find(change);
      if (!found || (found.layer ?? layer) !== layer || (found.head ?? head) !== head) return [];
      return [{ box: found.box.id, row: found.row, column: found.column }];
    });
  }

  /** The new number of a weight. @param {WeightPlace} place */
  at(place) {
    return this.list.find((change) => same(change, place))?.value;
  }

  /** @param {Change} change */
  put(change) {
    this.#add([...this.list.filter((each) => !same(each, change)), change]);
  }

  /** Undoes or redoes. @param {-1 | 1} direction */
  step(direction) {
    const to = this.#at + direction;
    if (!this.#history[to]) return;
    this.#at = to;
    this.#events.onChange();
  }

  /** @param {Change[]} list */
  #add(list) {
    if (!list.length && !this.list.length) return;
    this.#history = [...this.#history.slice(0, this.#at + 1), list];
    this.#at++;
    this.#events.onChange();
  }

  /** @param {Change} change */
  #open(change) {
    const found = this.#find(change);
    if (found) this.#events.onOpen(found);
  }

  draw() {
    const { list } = this;
    this.#undo.setAttribute('aria-disabled', String(this.#at === 0));
    this.#redo.setAttribute('aria-disabled', String(this.#at === this.#history.length - 1));
    this.#reset.setAttribute('aria-disabled', String(list.length === 0));
    const chips = list.slice(-LISTED).map((change) => {
      const name = this.#nameOf(change);
      const said = `${name} = ${formatNumber(change.value)}`;
      return h('li', {}, button(said, `${said}: show the weight`, () => this.#open(change)),
        button('×', `Undo the change of ${name}`, () => this.#add(list.filter((each) => each !== change))));
    });
    const more = list.length - chips.length;
    if (more) chips.unshift(h('li', {}, `${more} more`));
    const focused = [...this.#chips.querySelectorAll('button')].findIndex((each) => each.matches(':focus'));
    this.#chips.replaceChildren(...(list.length ? chips : [h('li', { class: 'muted' }, 'No weight is changed.')]));
    if (focused >= 0) (this.#chips.querySelectorAll('button')[focused] ?? this.#undo).focus();
  }
}
