/** `<heed-heat-map>`: numbers with named axes, such as the effects of patches, as rows and columns of colors. */
import { checkCount, checkNumbers, checkObject, InputError } from '../draw/check.js';
import { cellFormat, heatAt, heatSentence, heatShading, heatToCsv, roles } from '../draw/heat-map.js';
import { numberCells } from '../draw/number-cells.js';
import { numberAttribute, textAttribute } from './attributes.js';
import { h } from './dom.js';
import { TokenLayerGrid } from './token-layer-grid.js';

/** @typedef {import('../draw/heat-map.js').HeatMapData} HeatMapData */
/** @typedef {import('../draw/heat-map.js').Place} Place */

const WORDS = { name: 'Heat map', subject: 'heat map', file: 'heat-map', table: 'The shown numbers',
  hint: 'Point at a cell, or use the arrow keys, to see its number.' };

/** @param {any} given @returns {HeatMapData} a copy */
function checkHeatMap(given) {
  const { data, axes, firstPosition = 0 } = checkObject(given, 'data', '{ data, axes } of patchSweep');
  const all = Object.entries(checkObject(axes, 'data.axes', '{ layer: [0, 1], head: [0, 1, 2] }'));
  if (all.length === 0) throw new InputError('data.axes must have at least one axis with its labels.');
  for (const [name, labels] of all) {
    const good = Array.isArray(labels) && labels.length > 0 &&
      labels.every((label) => typeof label === 'string' || Number.isFinite(label));
    if (!good) throw new InputError(`data.axes.${name} must be an Array of labels: strings or numbers.`);
  }
  checkNumbers(data, 'data.data', all.map(([name, labels]) => [name, labels.length]));
  checkCount(firstPosition, 'data.firstPosition');
  return { data: new Float32Array(data), axes: Object.fromEntries(all.map(([name, labels]) => [name, [...labels]])),
    firstPosition };
}

/**
 * `<heed-heat-map>`: a result of `heed/insight` with named axes, in a diverging color scale around 0. Layers are
 * columns; tokens or heads are rows. A choice shows one label of each other axis.
 *
 *     map.data = await patchSweep(model, clean, { corrupted, of });   // of heed/insight
 *
 * Attributes: `label`, `max`, `name`. Invalid input never throws: the element shows a sentence and fires `heed-error`.
 *
 * @extends {TokenLayerGrid<Place>}
 * @fires heed-heat-map-cell `{ cell: { place, value } | null }` a cell was hovered, clicked or reached by key
 * @fires heed-error `{ input, error }` an input was refused
 * @throws {never} invalid input does not throw: it fires `heed-error`
 */
export class HeedHeatMap extends TokenLayerGrid {
  static attributeReaders = { label: textAttribute('label', ''), max: numberAttribute('max', null) };

  /** @type {HeatMapData | null} */
  #map = null;
  #roles = roles({});
  /** The shown index of each axis that is neither rows nor columns. @type {Record<string, number>} */
  #shown = {};
  #label = '';
  /** @type {number | null} */
  #max = null;
  /** @type {import('../draw/raster.js').Shading | null} */
  #shading = null;

  constructor() {
    super(WORDS);
  }

  /**
   * Replaces the numbers. The element copies them.
   * @param {HeatMapData} map
   */
  set data(map) {
    this.accept('data', () => {
      const before = this.#map?.axes;
      this.#map = checkHeatMap(map);
      this.#shading = null;
      const { axes } = this.#map;
      this.#roles = roles(axes);
      const { column, row, others } = this.#roles;
      this.#shown = Object.fromEntries(others.map((axis) =>
        [axis, String(before?.[axis]) === String(axes[axis]) ? this.#shown[axis] ?? 0 : 0]));
      this.#fillControls();
      this.show({ axes: { layer: [...axes[column]], position: row ? axes[row].map(String) : [''] } },
        { rows: row === 'position' ? 'token' : row ?? '', columns: column });
    });
  }

  /** The name of the numbers in sentences and files, such as ‘change of the logit’. Default: ''. */
  get label() {
    return this.#label;
  }

  set label(given) {
    this.accept('label', () => {
      const label = this.orDefault('label', given);
      if (typeof label !== 'string') throw new InputError(`label must be a string, got ${String(label)}.`);
      this.#label = label;
      this.describe();
    });
  }

  /** The number at the end of the color scale; null, the default: the largest size of a number in the data. */
  get max() {
    return this.#max;
  }

  set max(given) {
    this.accept('max', () => {
      const max = this.orDefault('max', given);
      if (max !== null && !(Number.isFinite(max) && max > 0)) {
        throw new InputError(`max must be null or a number above 0, got ${String(max)}.`);
      }
      this.#max = max;
      this.#shading = null;
      this.invalidate();
    });
  }

  /** The shown label of each axis that is neither rows nor columns, such as `{ site: 'attn_out' }`.
   *  @returns {Place} */
  get at() {
    return this.#placeOf(this.#shown);
  }

  set at(place) {
    this.accept('at', () => {
      const given = Object.keys(checkObject(place, 'at', "{ site: 'attn_out' }"));
      const wrong = given.find((axis) => !Object.hasOwn(this.#shown, axis));
      if (wrong !== undefined) throw new InputError(`at.${wrong} is not an axis with a choice.`);
      Object.assign(this.#shown, this.#indexesIn(place, given, 'at'));
      this.#showChoice();
    });
  }

  /** Labels at indexes; on an axis `position` of texts the index. @param {Readonly<Record<string, number>>} indexes */
  #placeOf(indexes) {
    return Object.fromEntries(Object.entries(indexes).map(([axis, index]) => {
      const label = this.#map?.axes[axis][index] ?? index;
      return [axis, axis === 'position' && typeof label === 'string' ? index : label];
    }));
  }

  /** @param {Place} place @param {string[]} axes @param {string} name of the place, for messages */
  #indexesIn(place, axes, name) {
    return Object.fromEntries(axes.map((axis) => {
      const labels = this.#map?.axes[axis] ?? [];
      const given = place[axis];
      const index = typeof given === 'number' && typeof labels[0] === 'string' ? given : labels.indexOf(given);
      if (Number.isInteger(index) && index >= 0 && index < labels.length) return [axis, index];
      throw new InputError(`${name}.${axis} must be one of the ${labels.length} labels of its axis, got ${
        String(given)}.`);
    }));
  }

  /** One choice for each axis that is neither rows nor columns. */
  #fillControls() {
    const choices = Object.keys(this.#shown).map((axis) => {
      const select = h('select', {}, ...(this.#map?.axes[axis] ?? []).map((label) => h('option', {}, String(label))));
      select.addEventListener('change', () => {
        this.#shown[axis] = select.selectedIndex;
        this.#showChoice();
      });
      return h('label', {}, axis, select);
    });
    this.controls.replaceChildren(...choices);
    this.controls.hidden = choices.length === 0;
    this.#showChoice();
  }

  #showChoice() {
    this.controls.querySelectorAll('select').forEach((select, i) => {
      select.selectedIndex = Object.values(this.#shown)[i];
    });
    this.describe();
    this.invalidate();
  }

  /** The index of a cell on each axis. @param {number} column @param {number} row
   *  @returns {Record<string, number>} */
  #indexes(column, row) {
    const { column: columns, row: rows } = this.#roles;
    return { ...this.#shown, [columns]: column, ...(rows && { [rows]: row }) };
  }

  /** @protected @param {import('./token-layer-grid.js').TokenLayerCell} cell @returns {Place} */
  cellOf({ layer, position }) {
    return this.#placeOf(this.#indexes(layer, position));
  }

  /** @protected @param {Place} place @returns {import('./token-layer-grid.js').TokenLayerCell} */
  indexesOf(place) {
    const { column, row, others } = this.#roles;
    checkObject(place, 'cell', '{ layer: 3, head: 5 }');
    const indexes = this.#indexesIn(place, [column, ...(row ? [row] : []), ...others.filter((axis) => axis in place)],
      'cell');
    for (const axis of others) this.#shown[axis] = indexes[axis] ?? this.#shown[axis];
    this.#showChoice();
    return { layer: indexes[column], position: row ? indexes[row] : 0 };
  }

  /** @protected */
  get shading() {
    this.#shading ??= this.#map ? heatShading(this.#map, this.#max) : super.shading;
    return this.#shading;
  }

  /** @protected @param {import('./token-layer-grid.js').CellsView} view */
  cellMarks(view) {
    const map = this.#map;
    const { shading } = this;
    return map ? numberCells((column, row) => heatAt(map, this.#indexes(column, row)), cellFormat(shading.max), shading,
      view) : [];
  }

  /** @protected @param {number} column @param {number} row */
  cellSentence(column, row) {
    return this.#map ? heatSentence(this.#map, this.#indexes(column, row), this.#label) : '';
  }

  /** @protected @param {number} column @param {number} row */
  cellText(column, row) {
    return this.#map ? cellFormat(this.shading.max)(heatAt(this.#map, this.#indexes(column, row))) : '';
  }

  /** @protected @param {import('./token-layer-grid.js').TokenLayerCell | null} cell */
  cellChanged(cell) {
    this.emit('heed-heat-map-cell', { cell: this.#map && cell && { place: this.cellOf(cell),
      value: heatAt(this.#map, this.#indexes(cell.layer, cell.position)) } });
  }

  /**
   * CSV and JSON have all numbers.
   * @protected
   * @returns {import('./figure.js').FigureContent | null}
   */
  content() {
    const map = this.#map;
    const what = this.#label || 'value';
    const { column, row } = this.#roles;
    const of = Object.entries(this.at).map(([axis, label]) => `, ${axis} ${label}`).join('');
    return map && { title: `${what} by ${row ? `${column} and ${row}` : column}${of}`, values: what,
      csv: () => heatToCsv(map), json: () => ({ ...map, data: [...map.data] }),
      picture: (style) => this.picture(what, style) };
  }
}
