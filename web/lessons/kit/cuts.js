/** Cuts: the reader sets weights of a map to 0, and the model answers again beside its first answer. */
import { h } from '../../elements/dom.js';
import { addButton, addCheckbox } from './controls.js';
import { trimmed } from './format.js';
import { track } from './redraw.js';
import { addState } from './state.js';

/** @typedef {import('../../../js/train/models/cuts.js').Cut} Cut */
/** @typedef {import('../../../js/train/models/attended.js').Place} Place */
/** @typedef {import('../../elements/attention-map.js').HeedAttentionMap} AttentionMap */
/** @typedef {{ queries: [from: number, to: number], keys: [from: number, to: number] }} Range */
/** @typedef {{ of: Place, layer: number, head: number }} At  the head that a map shows */
/** @typedef {() => { queries: number, keys: number } | null | undefined} Size  rows and columns of a map, if it has */
/** @typedef {{ cuts: Cut[], renormalize: boolean }} Options */

/** The parts of a cut in an address, in their order; a part without a value is a dash. */
const PARTS = /** @type {const} */ (['of', 'layer', 'head', 'query', 'key']);
const WRITTEN = /^[a-z._]+(\.(\d{1,3}|-)){4}$/;
/** More cuts are refused in an address. */
const MOST = 500;

/** @param {Cut} cut */
const written = (cut) => PARTS.map((part) => cut[part] ?? '-').join('.');

/** @param {string} text @returns {Cut} */
function readCut(text) {
  const parts = text.split('.');
  const numbers = parts.splice(-4).map((part) => (part === '-' ? undefined : Number(part)));
  return Object.fromEntries([['of', parts.join('.')], ...numbers.map((number, i) => [PARTS[i + 1], number])]
    .filter(([, value]) => value !== undefined));
}

/** @param {Cut} a @param {Cut} b */
const same = (a, b) => written(a) === written(b);

/** @param {Range['queries']} queries @param {Range['keys']} keys @returns {Range} */
const range = (queries, keys) => ({ queries, keys });

/** The cuts of a lesson, in one map or several. */
export class Cuts {
  /** @type {Cut[]} */ #cuts = [];
  #renormalize = false;
  /** @type {{ map: AttentionMap, at: () => At, size: Size, marks: () => Range[] }[]} */ #views = [];
  #answer;
  /** The row of controls. */
  controls = h('div', { class: 'controls' });

  /**
   * @param {HTMLElement} container the controls become its last children
   * @param {(options: Options) => unknown} answer  lets the model answer with these cuts; may return a promise
   */
  constructor(container, answer) {
    this.#answer = answer;
    container.append(this.controls);
    const undo = addButton(this.controls, 'Undo all cuts', () => this.#set([]));
    addState(undo, { name: 'cuts', read: () => this.#read(), write: (text) => this.#write(text) });
    addCheckbox(this.controls, 'Scale the rest of a row to its sum', false, (checked) => {
      this.#renormalize = checked;
      this.changed();
    });
  }

  /**
   * Lets the reader cut cells of a map.
   * @param {AttentionMap} map
   * @param {HTMLElement} controls  the buttons become its first children
   * @param {() => At} at  the head that the map shows
   * @param {Size} size
   * @param {{ heads?: boolean, attention?: string, marks?: () => Range[] }} [options]  heads: whether whole heads can
   *   be cut, too; default false. attention: its name in the buttons, if the lesson has several maps. marks: other
   *   ranges with a frame.
   */
  addMap(map, controls, at, size, { heads = false, attention, marks = () => [] } = {}) {
    this.#views.push({ map, at, size, marks });
    map.editable = true;
    const cut = (/** @type {Range | null} */ cells) => cells && this.#toggle(cellsOf(at(), cells));
    map.addEventListener('heed-map-cut', (event) => cut(/** @type {CustomEvent<Range>} */ (event).detail));
    const buttons = h('div', { class: 'controls' });
    const part = attention ? ` of ${attention}` : '';
    addButton(buttons, `Cut the selected cell${part}`, () => cut(map.selection));
    if (heads) addButton(buttons, `Cut this head${part}`, () => this.#toggle([at()]));
    controls.prepend(...buttons.children);
  }

  /** Forgets the cuts, because another model is shown. */
  clear() {
    this.#cuts = [];
  }

  get options() {
    return { cuts: this.#cuts, renormalize: this.#renormalize };
  }

  /** The number of cuts, as the beginning of a sentence. */
  get summary() {
    const cells = this.#cuts.filter(({ key }) => key !== undefined).length;
    const heads = this.#cuts.length - cells;
    const count = (/** @type {number} */ n, /** @type {string} */ noun) =>
      (n === 0 ? [] : [`${n} ${noun}${n > 1 ? 's' : ''}`]);
    return `With ${[...count(cells, 'cell'), ...count(heads, 'head')].join(' and ')} cut`;
  }

  /** Marks the cuts in the maps. Call it when a map shows another head or text. */
  mark() {
    for (const { map, at, size, marks } of this.#views) {
      const { queries, keys } = size() ?? { queries: 0, keys: 0 };
      if (queries === 0) continue;
      const { of, layer, head } = at();
      const here = this.#cuts.filter((cut) => cut.of === of && cut.layer === layer && cut.head === head);
      map.marked = [...marks(), ...here.flatMap(({ query, key }) => {
        if (query === undefined || key === undefined) return [range([0, queries], [0, keys])];
        return query < queries && key < keys ? [range([query, query + 1], [key, key + 1])] : [];
      })];
    }
  }

  /** Lets the model answer again. Call it after a new text. */
  changed() {
    this.mark();
    return track(Promise.resolve(this.#answer(this.options)));
  }

  /** Cuts these, or restores them if all of them are cut. @param {Cut[]} asked */
  #toggle(asked) {
    const isCut = (/** @type {Cut} */ cut) => this.#cuts.some((each) => same(each, cut));
    this.#set(asked.every(isCut) ? this.#cuts.filter((each) => !asked.some((cut) => same(each, cut)))
      : [...this.#cuts, ...asked.filter((cut) => !isCut(cut))]);
  }

  /** @param {Cut[]} cuts */
  #set(cuts) {
    this.#cuts = cuts;
    void this.changed();
  }

  #read() {
    return this.#cuts.map(written).join(',');
  }

  /** @param {string} text */
  #write(text) {
    const parts = text === '' ? [] : text.split(',');
    if (parts.length > MOST || !parts.every((part) => WRITTEN.test(part))) return false;
    this.#set(parts.map(readCut));
    return true;
  }
}

/** @param {At} at @param {Range} range @returns {Cut[]} */
function cellsOf(at, { queries: [first, afterQuery], keys: [left, afterKey] }) {
  const cells = [];
  for (let query = first; query < afterQuery; query++) {
    for (let key = left; key < afterKey; key++) cells.push({ ...at, query, key });
  }
  return cells;
}

/**
 * Cuts of a translation: the text that the model writes with them, and the map of it.
 */
export class TranslationCuts extends Cuts {
  #field;

  /**
   * @param {HTMLElement} container gets the controls, the translation with cuts and its map
   * @param {import('./translation.js').TranslationField} field  whose translation is cut
   * @param {() => At} at  the head whose map is shown
   */
  constructor(container, field, at) {
    const told = h('p', { role: 'status' }, NOTHING);
    const map = /** @type {AttentionMap} */ (h('heed-attention-map', { compact: '', max: '1', name: 'with-cuts',
      hidden: true }));
    let runs = 0;
    super(container, async (options) => {
      const mine = ++runs;
      const { translation } = field;
      const again = options.cuts.length > 0 && translation ? await field.again(options) : null;
      if (mine !== runs) return;
      map.hidden = !again;
      if (!again || !translation) {
        told.textContent = NOTHING;
        return;
      }
      map.data = again.attention(at());
      const length = Math.max(translation.target.length, again.target.length);
      const differ = Array.from({ length }, (_, i) => Number(translation.target[i] !== again.target[i]))
        .reduce((sum, other) => sum + other, 0);
      told.textContent = `${this.summary}: → ${again.text}, with probability ${trimmed(Math.exp(again.logprob), 4)}. ${
        differ} of ${length} symbols differ. The map below has the cuts.`;
    });
    container.append(told, map);
    this.#field = field;
    field.onTranslation(() => this.changed());
  }

  /**
   * Lets the reader cut cells of a map of the translation.
   * @param {AttentionMap} map
   * @param {() => At} at  the head that the map shows
   * @param {{ controls?: HTMLElement } & Parameters<Cuts['addMap']>[4]} [options]  controls: where the buttons are;
   *   default the row of controls
   */
  addMapOf(map, at, { controls = this.controls, ...options } = {}) {
    this.addMap(map, controls, at, () => this.#field.translation?.attention(at()), options);
  }
}

const NOTHING = 'No weight is cut.';
