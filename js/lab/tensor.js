/** A tensor is a handle to numbers in a lab's memory, and refuses use after its scope has ended. */
import { HeedError } from '../errors.js';
import { badShape, describe } from './axes.js';

/** @typedef {import('./core.js').Core} Core */

/** Numbers that toString() shows. */
const SHOWN = 8;

/**
 * An array of float32 numbers with sizes and optional names of axes, in the memory of a lab.
 *
 * `data` and `grad` are views of that memory: write through them, and copy them with `.slice()` to keep the numbers
 * beyond the next operation. A slice along the last axis has gaps in memory. Its `data` and `grad` are copies; write
 * with `set`.
 */
export class Tensor {
  #core;
  #scope;

  /**
   * @param {Core} core
   * @param {import('./core.js').Place} place
   * @param {import('./axes.js').Axes} axes
   * @param {import('./core.js').Scope} scope  scope in which the memory is valid
   * @param {number | null} [oldest]
   * @internal
   */
  constructor(core, place, axes, scope, oldest = null) {
    this.#core = core;
    this.#scope = scope;
    /** @internal */ this.place = place;
    /** @internal @type {import('./axes.js').Axes} */ this.axes = axes;
    /** Name of a parameter, for messages. */
    this.name = '';
    /** Whether an optimizer has consumed the gradient. The next backward then clears it first. @internal */
    this.used = false;
    /** Whether the gradient was checked for NaN and infinity since the last backward. @internal */
    this.checked = false;
    /** Number of backward calls before the oldest operation between a parameter and this tensor. Infinity for a
     *  trainable tensor, null for a tensor that depends on none. @internal */
    this.oldest = oldest;
  }

  /**
   * Sizes of the axes, slowest first: an object by name, or an array if the axes have no names.
   * @returns {Readonly<Record<string, number>> | readonly number[]}
   */
  get shape() {
    const { sizes, names } = this.axes;
    return names ? Object.fromEntries(names.map((name, i) => [name, sizes[i]])) : [...sizes];
  }

  /**
   * The numbers in row-major order, as a view of the lab's memory.  The view ends when this memory grows: keep a copy,
   * `tensor.data.slice()`, beyond the next call of the lab.
   * @returns {Float32Array}
   * @throws {HeedError} 'disposed' if the step that made the tensor has ended
   */
  get data() {
    this.check();
    return this.#core.numbers(this.place, this.place.data);
  }

  /**
   * Gradient of the loss with respect to each number, after `lab.backward`; null if the tensor has no gradient.
   * @returns {Float32Array | null} row-major, the shape of `data`
   * @throws {HeedError} 'disposed' if the step that made the tensor has ended
   */
  get grad() {
    this.check();
    return this.place.grad ? this.#core.numbers(this.place, this.place.grad) : null;
  }

  /**
   * Overwrites the numbers in place. It also works for slices with gaps in memory.
   * @param {ArrayLike<number>} numbers  new elements, as many as the tensor has, in row-major order
   * @throws {HeedError} 'bad-shape' for another count; 'disposed'
   */
  set(numbers) {
    this.check();
    const { rows, columns } = this.place;
    if (numbers?.length !== rows * columns) {
      throw badShape('set', `${numbers?.length ?? 'no'} numbers do not fill ${describe(this.axes)}, which has ` +
        `${rows * columns}`);
    }
    this.#core.write(this.place, numbers);
  }

  /**
   * The number of a tensor that has exactly one, such as a loss.
   * @returns {number} its value
   * @throws {HeedError} 'bad-shape' if there are more; 'disposed'
   */
  item() {
    if (this.place.rows * this.place.columns !== 1) {
      throw badShape('item', `expected a tensor with one number, got ${this.place.rows * this.place.columns}`);
    }
    return this.data[0];
  }

  /**
   * The numbers as nested arrays, one level per axis.
   * @returns {any} a number for a tensor without axes
   * @throws {HeedError} 'disposed'
   */
  toArray() {
    return nest(this.data, this.axes.sizes);
  }

  /**
   * Axes and first numbers, for consoles and templates.
   * @returns {string} such as `Tensor [time 2]: 1, 0.3333`
   */
  toString() {
    if (!this.#scope.alive) return `Tensor ${describe(this.axes)} of ${this.#scope.what}, which has ended`;
    const shown = Array.from(this.data.subarray(0, SHOWN), (x) => Number(x.toPrecision(4)));
    return `Tensor ${describe(this.axes)}: ${shown.join(', ')}${this.data.length > SHOWN ? ', …' : ''}`;
  }

  /** Text for Node's console. @internal */
  [Symbol.for('nodejs.util.inspect.custom')]() {
    return this.toString();
  }

  /** @internal @throws {HeedError} 'disposed' if the scope of the tensor has ended */
  check() {
    if (this.#scope.alive) return;
    throw new HeedError('disposed', `This tensor${this.name && ` (‘${this.name}’)`} was made in ${this.#scope.what}, ` +
      'which has ended and freed its memory. Return numbers from it (.item(), .data.slice()), or make the tensor ' +
      'outside.');
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
  const stride = data.length / sizes[0];
  return Array.from({ length: sizes[0] }, (_, i) => nest(data.subarray(i * stride, (i + 1) * stride), sizes.slice(1)));
}
