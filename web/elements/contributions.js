/** `<heed-contributions>`: the parts of a logit, by layer and by head. */
import { checkNumbers, checkObject, checkTexts, InputError } from '../draw/check.js';
import { cssOf } from '../draw/color.js';
import { contributionMarks, contributionSentence, contributionsToCsv, headsOf, largestOf, partsOf, sorted }
  from '../draw/contributions.js';
import { makeDiverging } from '../draw/diverging.js';
import { textWidth } from '../draw/figure-layout.js';
import { inkOf } from '../draw/map-export.js';
import { STYLE } from './attention-map-style.js';
import { textAttribute } from './attributes.js';
import { h } from './dom.js';
import { HeedFigure } from './figure.js';
import { PART_STYLE, partCells } from './part-row.js';

/** @typedef {import('../draw/contributions.js').ContributionData} ContributionData */
/** @typedef {import('../draw/contributions.js').Part} Part */
/** @typedef {'model' | 'size'} ContributionOrder */

/** @type {[ContributionOrder, string][]} */
const ORDERS = [['model', 'Order of the model'], ['size', 'Largest first']];
/** Width of the bars in a saved figure. */
const FILE_BARS = 300;

const CSS = `${STYLE}${PART_STYLE}
  .controls, .controls label { display: inline-flex; gap: 5px; align-items: center; }
  .controls { font-size: var(--small); color: var(--muted); }
  .part .name::before { content: ''; display: inline-block; width: 1.1em; color: var(--accent); }
  .part[aria-expanded=false] .name::before { content: '▸'; }
  .part[aria-expanded=true] .name::before { content: '▾'; }
  ul ul .name { padding-inline-start: 1.1em; color: var(--muted); }
`;

/** @param {any} given @returns {ContributionData} a copy */
function checkContributions(given) {
  const { data, axes, value, softcap = 0, heads, token, after } = checkObject(given, 'data',
    '{ data, axes, value } by layer');
  const component = checkTexts(checkObject(axes, 'data.axes', '{ component }').component, 'data.axes.component');
  checkNumbers(data, 'data.data', [['components', component.length]]);
  if (!Number.isFinite(value)) throw new InputError('data.value must be a number: the logit.');
  if (!(softcap >= 0)) throw new InputError('data.softcap must be a number from 0.');
  if (token !== undefined && typeof token !== 'string') throw new InputError('data.token must be a string.');
  if (after !== undefined && (typeof after?.token !== 'string' || !Number.isInteger(after.at))) {
    throw new InputError('data.after must be { token, at }: a text and its position.');
  }
  return { data: new Float32Array(data), axes: { component }, value, softcap, token, after: after && { ...after },
    heads: heads && checkHeads(heads) };
}

/** @param {any} heads */
function checkHeads(heads) {
  const { data, axes } = checkObject(heads, 'data.heads', '{ data, axes } by head');
  const { layer, head } = checkObject(axes, 'data.heads.axes', '{ layer, head }');
  if (!Array.isArray(layer) || !Array.isArray(head)) {
    throw new InputError('data.heads.axes must have the Arrays layer and head.');
  }
  checkNumbers(data, 'data.heads.data', [['layers', layer.length], ['heads', head.length]]);
  return { data: new Float32Array(data), axes: { layer: [...layer], head: [...head] } };
}

/**
 * `<heed-contributions>`: the parts that the components of a model write to a logit. Bars to the right raise the logit.
 * The row of an attention opens the parts of its heads.
 *
 *     const parts = await directLogitAttribution(model, text);          // of heed/insight
 *     const heads = await directLogitAttribution(model, text, { by: 'head' });
 *     contributions.data = { ...parts, heads, token: ' Lily' };
 *
 * Attributes: `order`, `name`. Invalid input never throws: the element shows a sentence and fires `heed-error`.
 *
 * @fires heed-head `{ layer, head }` a head was clicked
 * @fires heed-error `{ input, error }` an input was refused
 * @throws {never} invalid input does not throw: it fires `heed-error`
 */
export class HeedContributions extends HeedFigure {
  static attributeReaders = { order: textAttribute('order', 'model') };

  /** @type {ContributionData | null} */
  #data = null;
  /** @type {ContributionOrder} */
  #order = 'model';
  /** Layers whose heads are shown. @type {Set<number>} */
  #open = new Set();
  #color = makeDiverging([255, 255, 255]);

  #output = h('output', { 'aria-live': 'polite' });
  #list = h('ul', { 'aria-label': 'Parts of the logit' });
  #select = h('select', {}, ...ORDERS.map(([value, label]) => h('option', { value }, label)));

  constructor() {
    super(CSS);
    this.root.append(h('figure', {}, h('div', { class: 'top' }, this.#output), h('div', { class: 'parts' }, this.#list),
      h('div', { class: 'controls' }, h('label', {}, 'Order', this.#select)),
      h('div', { class: 'more' }, this.menu({ subject: 'parts', fileName: () => 'contributions' }))));
    this.#select.addEventListener('change', () => { this.order = ORDERS[this.#select.selectedIndex][0]; });
  }

  /**
   * Replaces the parts. The element copies them.
   * @param {ContributionData} data
   */
  set data(data) {
    this.accept('data', () => {
      this.#data = checkContributions(data);
      const said = contributionSentence(this.#data);
      if (this.#output.textContent !== said) this.#output.textContent = said;
      this.invalidate();
    });
  }

  /** The order of the rows: ‘model’ or ‘size’ (the largest part first). */
  get order() {
    return this.#order;
  }

  set order(given) {
    this.accept('order', () => {
      const order = this.orDefault('order', given);
      const at = ORDERS.findIndex(([value]) => value === order);
      if (at < 0) throw new InputError(`order must be 'model' or 'size', got ${String(order)}.`);
      this.#order = order;
      this.#select.selectedIndex = at;
      this.invalidate();
    });
  }

  themeChanged() {
    this.#color = makeDiverging(this.colors().paper);
  }

  redraw() {
    const data = this.#data;
    if (!data) return;
    const focused = [...this.#list.querySelectorAll('button')].indexOf(
      /** @type {HTMLButtonElement} */ (this.root.activeElement));
    const parts = this.#inOrder(partsOf(data));
    const most = largestOf([...parts, ...(data.heads?.axes.layer ?? []).flatMap((layer) => headsOf(data, layer))]);
    this.#list.replaceChildren(...parts.map((part) => this.#item(part, headsOf(data, part.layer), most)));
    if (focused >= 0) this.#list.querySelectorAll('button')[focused]?.focus();
  }

  /** @param {Part[]} parts */
  #inOrder = (parts) => (this.#order === 'size' ? sorted(parts) : parts);

  /** A row, and the rows of its heads. @param {Part} part @param {Part[]} heads @param {number} most */
  #item(part, heads, most) {
    if (heads.length === 0) return h('li', {}, h('div', { class: 'part' }, ...this.#cells(part, most)));
    const layer = Number(part.layer);
    const open = this.#open.has(layer);
    const row = h('button', { type: 'button', class: 'part', 'aria-expanded': String(open) },
      ...this.#cells(part, most));
    row.addEventListener('click', () => {
      if (!this.#open.delete(layer)) this.#open.add(layer);
      this.invalidate();
    });
    if (!open) return h('li', {}, row);
    const below = this.#inOrder(heads).map((each) => {
      const head = h('button', { type: 'button', class: 'part', title: 'Open this head' }, ...this.#cells(each, most));
      head.addEventListener('click', () => this.emit('heed-head', { layer, head: Number(each.head) }));
      return h('li', {}, head);
    });
    return h('li', {}, row, h('ul', { 'aria-label': `Heads of layer ${layer}` }, ...below));
  }

  /** @param {Part} part @param {number} most */
  #cells = (part, most) => partCells(part, most, this.#color);

  /**
   * Pictures have the rows that are shown, in their order.
   * @protected
   * @returns {import('./figure.js').FigureContent | null}
   */
  content() {
    const data = this.#data;
    return data && { title: contributionSentence(data), csv: () => contributionsToCsv(data),
      json: () => ({ ...data, data: [...data.data],
        heads: data.heads && { ...data.heads, data: [...data.heads.data] } }),
      picture: ({ options: { fontSize }, palette }) => {
        const parts = this.#inOrder(partsOf(data)).flatMap((part) => [part,
          ...(part.layer !== null && this.#open.has(part.layer) ? this.#inOrder(headsOf(data, part.layer)) : [])]);
        const labels = Math.max(...parts.map(({ name }) => textWidth(name, fontSize)));
        const color = makeDiverging(palette.paper);
        return contributionMarks(parts, { fontSize, labels, bars: FILE_BARS, ink: inkOf(palette),
          color: (share) => cssOf(color(share)) });
      } };
  }
}
