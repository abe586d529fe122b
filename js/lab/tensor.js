import { HeedError } from '../errors.js';
import { badShape, describe } from './axes.js';

/** @typedef {import('./core.js').Core} Core */

/** Numbers that a console sees. */
const SHOWN = 8;

/**
 * Numbers with axes, in the engine's memory.  `data` and `grad` are views of that memory as it is now: write through
 * them, but take a copy (`.slice()`) of what is to outlive the next operation.  Of a slice along the last axis, which
 * has gaps in memory, they are copies: `set` writes there.
 */
export class Tensor {
  #core;
  #scope;

  /**
   * @param {Core} core
   * @param {import('./core.js').Place} place
   * @param {import('./axes.js').Axes} axes
   * @param {import('./core.js').Scope} scope in which its memory is valid
   * @param {number | null} [oldest]
   */
  constructor(core, place, axes, scope, oldest = null) {
    this.#core = core;
    this.#scope = scope;
    /** @internal */ this.place = place;
    /** @internal @type {import('./axes.js').Axes} */ this.axes = axes;
    /** Of a parameter, in a state dict. */
    this.name = '';
    /** Whether an optimiser has used the gradient: the next backward begins it anew. @internal */
    this.used = false;
    /** Whether the gradient was looked through for what is no number, since the last backward. @internal */
    this.checked = false;
    /** How many backwards there had been when the oldest operation between a parameter and this tensor ran; Infinity
     *  for what learns itself, null for what depends on nothing that learns. @internal */
    this.oldest = oldest;
  }

  /** Sizes by name, or sizes. @returns {Readonly<Record<string, number>> | readonly number[]} */
  get shape() {
    const { sizes, names } = this.axes;
    return names ? Object.fromEntries(names.map((name, i) => [name, sizes[i]])) : [...sizes];
  }

  /** Row after row, slowest axis first. @returns {Float32Array} */
  get data() {
    this.check();
    return this.#core.numbers(this.place, this.place.data);
  }

  /** Of the loss by each number, after `lab.backward`; null where none is kept. @returns {Float32Array | null} */
  get grad() {
    this.check();
    return this.place.grad ? this.#core.numbers(this.place, this.place.grad) : null;
  }

  /** Writes other numbers in place, into a slice with gaps, too. @param {ArrayLike<number>} numbers as many */
  set(numbers) {
    this.check();
    const { rows, columns } = this.place;
    if (numbers?.length !== rows * columns) {
      throw badShape('set', `${numbers?.length ?? 'no'} numbers do not fill ${describe(this.axes)}, which has ` +
        `${rows * columns}`);
    }
    this.#core.write(this.place, numbers);
  }

  /** The number of a tensor that has but one. */
  item() {
    if (this.place.rows * this.place.columns !== 1) {
      throw badShape('item', `a tensor of ${this.place.rows * this.place.columns} numbers is no number`);
    }
    return this.data[0];
  }

  /** Nested arrays. @returns {any} */
  toArray() {
    return nest(this.data, this.axes.sizes);
  }

  /** Axes and the first numbers, as a console or a template shows them. */
  toString() {
    if (!this.#scope.alive) return `Tensor ${describe(this.axes)} of ${this.#scope.what}, which has ended`;
    const shown = Array.from(this.data.subarray(0, SHOWN), (x) => Number(x.toPrecision(4)));
    return `Tensor ${describe(this.axes)}: ${shown.join(', ')}${this.data.length > SHOWN ? ', …' : ''}`;
  }

  /** What Node's console asks. @internal */
  [Symbol.for('nodejs.util.inspect.custom')]() {
    return this.toString();
  }

  /** @internal @throws {HeedError} 'disposed' */
  check() {
    if (this.#scope.alive) return;
    throw new HeedError('disposed', `This tensor${this.name && ` (‘${this.name}’)`} was made in ${this.#scope.what}, ` +
      'which has ended and given its memory back. Return numbers from there (.item(), .data.slice()), or make the ' +
      'tensor outside.');
  }

  /** @internal @param {Core} core */
  belongsTo(core) {
    return this.#core === core;
  }
}

/** @param {Float32Array} data @param {readonly number[]} sizes @returns {any} */
function nest(data, sizes) {
  if (sizes.length === 0) return data[0];
  if (sizes.length === 1) return Array.from(data);
  const step = data.length / sizes[0];
  return Array.from({ length: sizes[0] }, (_, i) => nest(data.subarray(i * step, (i + 1) * step), sizes.slice(1)));
}
