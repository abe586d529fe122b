/** The run that an anatomy shows: its boxes, its known numbers, their color scales, and sums. */
import { blockBoxes, checkInfo, firstBoxes, lastBoxes, planeOf, weightShape } from '../draw/anatomy-boxes.js';
import { endOf } from '../draw/anatomy-raster.js';
import { Missing, sumOf } from '../draw/anatomy-sums.js';
import { weightBoxes } from '../draw/anatomy-weights.js';
import { checkCount, checkObject, checkTexts, InputError } from '../draw/check.js';
import { AnatomyNumbers, checkActivation } from './anatomy-numbers.js';

/** @typedef {import('../draw/anatomy-boxes.js').AnatomyInfo} AnatomyInfo */
/** @typedef {import('../draw/anatomy-boxes.js').Activation} Activation */
/** @typedef {import('../draw/anatomy-boxes.js').Box} Box */
/** @typedef {import('../draw/anatomy-boxes.js').Plane} Plane */
/** @typedef {import('../draw/anatomy-sums.js').Sum} Sum */
/** A number of a box: its row and column in the raster.
 *  @typedef {{ box: string, row: number, column: number }} Place */
/** The shown part of the run. @typedef {{ layer: number, head: number, position: number }} Shown */

/**
 * A run of a model.
 * @typedef {object} AnatomyData
 * @property {import('../draw/anatomy-boxes.js').AnatomySizes} info sizes of the model, such as `model.info`
 * @property {string[]} tokens tokens of the run
 * @property {ArrayLike<number>} [ids] ids of the tokens
 * @property {string[]} [weights] GGUF names of the weights that are shown as matrices
 * @property {Record<string, Activation>} [activations] known activations, such as the cache of `model.runWithCache`
 */

/** Most tokens of a run. */
export const TOKENS_LIMIT = 4096;
/** Most numbers of a weight that is shown as a matrix: 32 MB. */
const WEIGHT_LIMIT = 1 << 23;

export class AnatomyRun {
  /** Ends of color scales, by name and head. @type {Map<string, number>} */
  #ends = new Map();

  /**
   * @param {AnatomyData} data
   * @throws {InputError}
   */
  constructor(data) {
    const { info: sizes, tokens, ids = null, weights = [], activations = {} } = checkObject(data, 'data',
      '{ info, tokens }');
    /** @type {AnatomyInfo} */
    this.info = checkInfo(sizes, 'data.info');
    /** @type {string[]} */
    this.tokens = checkTexts(tokens, 'data.tokens');
    const { length: count } = this.tokens;
    if (!count) throw new InputError('data.tokens must have at least one token.');
    if (count > TOKENS_LIMIT) {
      throw new InputError(`data.tokens has ${count} tokens; the figure shows at most ${TOKENS_LIMIT}.`);
    }
    /** @type {number[] | null} */
    this.ids = ids && this.#checkIds(ids);
    /** @type {string[]} */
    this.weights = checkTexts(weights, 'data.weights').map((name) => this.#checkWeight(name));
    checkObject(activations, 'data.activations', '{ [name]: { data, shape } }');
    const given = new Map(Object.entries(activations).map(([name, activation]) =>
      [name, checkActivation(this.info, count, name, activation, 'data.activations')]));
    this.numbers = new AnatomyNumbers(this.info, count, given);
  }

  /** @param {ArrayLike<number>} ids */
  #checkIds(ids) {
    const { length: count } = this.tokens;
    if (ids.length !== count) throw new InputError(`data.ids must have ${count} ids, got ${String(ids.length)}.`);
    return Array.from(ids, (id, at) => checkCount(id, `data.ids[${at}]`, 0, this.info.vocabulary - 1));
  }

  /** @param {string} name */
  #checkWeight(name) {
    const shape = weightShape(this.info, name);
    if (!shape) throw new InputError(`data.weights: this model has no weight ${name}.`);
    if (shape.reduce((product, size) => product * size, 1) <= WEIGHT_LIMIT) return name;
    throw new InputError(`data.weights: ${name} has ${shape.join(' × ')} numbers; a shown matrix has at most ${
      WEIGHT_LIMIT}.`);
  }

  /** The boxes of a block. @param {number} layer */
  block(layer) {
    return blockBoxes(this.info, layer, this.tokens.length);
  }

  /** The boxes of the weights of a block, and of the shared weights. @param {Shown} shown */
  weightBoxes({ layer, head }) {
    return this.weights.length ? weightBoxes(this.info, this.weights, layer, head) : [];
  }

  /** Every box of the figure. @param {Shown} shown @returns {Box[]} */
  boxes(shown) {
    const { length: count } = this.tokens;
    return [...firstBoxes(this.info, count), ...this.block(shown.layer), ...lastBoxes(this.info, count),
      ...this.weightBoxes(shown)];
  }

  /** @param {string | null} id @param {Shown} shown */
  box(id, shown) {
    return id === null ? null : this.boxes(shown).find((box) => box.id === id) ?? null;
  }

  /** @param {Box} box @param {Shown} shown @returns {Plane | null} null while it is not loaded */
  plane(box, { head }) {
    const activation = this.numbers.get(box.name);
    return activation ? planeOf(box, activation, head, this.info) : null;
  }

  /** @param {Box} box @param {Plane} plane @param {Shown} shown */
  scale({ id, kind }, plane, { layer, head }) {
    const weights = id === 'pattern';
    const key = `${layer} ${id} ${kind === 'map' || kind === 'head' || kind === 'weight' ? head : ''}`;
    const end = this.#ends.get(key) ?? endOf(plane, weights);
    this.#ends.set(key, end);
    return { end, weights, causal: kind === 'map' };
  }

  /**
   * Writes a number out.
   * @param {Place} place
   * @param {Shown} shown
   * @param {(id: number) => string} word the text of a token of the vocabulary
   * @returns {{ sum: Sum | null, missing: string[] }} missing: names of numbers that must be loaded first
   */
  sum({ box: id, row, column }, shown, word) {
    const boxes = this.boxes(shown);
    const box = boxes.find((each) => each.id === id);
    if (!box) return { sum: null, missing: [] };
    try {
      const { info, tokens, ids, numbers } = this;
      const run = { info, boxes, tokens, ids, ...shown, word, get: (/** @type {string} */ name) => numbers.get(name) };
      return { sum: sumOf(run, box, { row, column }), missing: [] };
    } catch (error) {
      if (error instanceof Missing) return { sum: null, missing: error.names };
      throw error;
    }
  }
}
