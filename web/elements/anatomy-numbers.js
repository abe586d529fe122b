/** The numbers of a run: given or loaded on demand, and checked. */
import { blockBoxes, firstBoxes, lastBoxes, weightShape } from '../draw/anatomy-boxes.js';
import { checkObject, InputError } from '../draw/check.js';
import { Slices } from './slices.js';

/** @typedef {import('../draw/anatomy-boxes.js').AnatomyInfo} AnatomyInfo */
/** @typedef {import('../draw/anatomy-boxes.js').Activation} Activation */

/**
 * Loads activations by their names in TransformerLens, weights by their GGUF names, and the `logits` after a position.
 * A weight that the model does not have is null.
 * @callback Load
 * @param {string[]} names
 * @param {{ position: number, signal: AbortSignal }} options
 * @returns {Promise<Record<string, Activation | null>> | Record<string, Activation | null>}
 */

/**
 * The expected shape of an activation or weight.
 * @param {AnatomyInfo} info
 * @param {number} tokens
 * @param {string} name
 * @returns {number[] | null} null for an unknown name
 */
function shapeOf(info, tokens, name) {
  const [, block] = /^blocks\.(\d+)\./.exec(name) ?? [];
  if (Number(block) >= info.layers) return null;
  const boxes = block === undefined ? [...firstBoxes(info, tokens), ...lastBoxes(info, tokens)]
    : blockBoxes(info, Number(block), tokens);
  return boxes.find((box) => box.name === name)?.shape ?? weightShape(info, name);
}

/**
 * Validates and copies an activation or weight.
 * @param {AnatomyInfo} info
 * @param {number} tokens
 * @param {string} name
 * @param {any} given
 * @param {string} label of the input, for errors
 * @returns {Activation}
 * @throws {InputError}
 */
export function checkActivation(info, tokens, name, given, label) {
  const shape = shapeOf(info, tokens, name);
  if (!shape) throw new InputError(`${label}: this model has no activation and no weight ${name}.`);
  const { data } = checkObject(given, `${label}['${name}']`, '{ data, shape }');
  const count = shape.reduce((product, size) => product * size, 1);
  if (Object.prototype.toString.call(data) !== '[object Float32Array]') {
    throw new InputError(`${label}['${name}'].data must be a Float32Array.`);
  }
  if (data.length !== count) {
    throw new InputError(`${label}['${name}'].data must have ${shape.join(' × ')} = ${count} numbers, got ${
      data.length}.`);
  }
  for (let at = 0; at < data.length; at++) {
    if (Number.isNaN(data[at])) throw new InputError(`${label}['${name}'].data[${at}] is not a number.`);
  }
  return { data: data.slice(), shape };
}

export class AnatomyNumbers {
  /** @type {Map<string, Activation | null>} */
  #known = new Map();
  /** Requested names, until they are answered, and the request of each. @type {Map<string, object>} */
  #asked = new Map();
  /** Requested names that could not be loaded. @type {Set<string>} */
  #failed = new Set();
  /** Known names whose numbers have changed in the model. They are shown until the new ones are loaded.
   *  @type {Set<string>} */
  #stale = new Set();
  #aborter = new AbortController();

  /**
   * @param {AnatomyInfo} info
   * @param {number} tokens
   * @param {Map<string, Activation | null>} given
   */
  constructor(info, tokens, given) {
    this.info = info;
    this.tokens = tokens;
    this.#known = given;
  }

  /** @param {string} name @returns {Activation | null | undefined} undefined while it is not loaded */
  get(name) {
    return this.#known.get(name);
  }

  /** True until a name is answered or has failed. @param {string} name */
  isWaiting(name) {
    return !this.#failed.has(name) && (this.#asked.has(name) || this.#stale.has(name) || !this.#known.has(name));
  }

  /** Drops the numbers of a name, because they have changed. @param {string} name */
  forget(name) {
    this.#known.delete(name);
    this.#stale.delete(name);
    this.#asked.delete(name);
    this.#failed.delete(name);
  }

  /** Keeps only activations and weights with these names. @param {Set<string>} names */
  keep(names) {
    for (const name of this.#known.keys()) if (!names.has(name)) this.forget(name);
  }

  /** Loads every number again. */
  renew() {
    this.restart();
    this.#stale = new Set(this.#known.keys());
  }

  /**
   * Loads the names that are neither known nor requested.
   * @param {Iterable<string>} names
   * @param {Load} load
   * @param {number} position
   * @returns {Promise<void> | null} null if there is nothing to load
   */
  request(names, load, position) {
    const wanted = [...new Set(names)].filter((name) =>
      (!this.#known.has(name) || this.#stale.has(name)) && !this.#asked.has(name));
    if (!wanted.length) return null;
    const request = { names: wanted, position, signal: this.#aborter.signal };
    for (const name of wanted) this.#asked.set(name, request);
    return this.#take(request, load).catch((error) => {
      if (request.signal.aborted) return; // the answer is not needed any more
      for (const name of wanted) if (this.#asked.get(name) === request) this.#failed.add(name);
      throw error;
    });
  }

  /** @param {{ names: string[], position: number, signal: AbortSignal }} request @param {Load} load */
  async #take(request, load) {
    const { names, position, signal } = request;
    const answer = await load(names, { position, signal });
    if (signal.aborted) return;
    checkObject(answer, 'the answer of load', '{ [name]: { data, shape } }');
    const slices = new Slices();
    for (const name of names) {
      if (slices.isOver) {
        await slices.next();
        if (signal.aborted) return;
      }
      if (this.#asked.get(name) !== request) continue; // dropped in the meantime, and perhaps requested again
      const weight = weightShape(this.info, name) !== null;
      const given = answer[name];
      if (given === undefined || (given === null && !weight)) throw new InputError(`load returned no ${name}.`);
      this.#known.set(name, given && checkActivation(this.info, this.tokens, name, given, 'the answer of load'));
      this.#asked.delete(name);
      this.#stale.delete(name);
    }
  }

  /** Drops pending answers, and the list of names that could not be loaded. */
  restart() {
    this.#aborter.abort();
    this.#aborter = new AbortController();
    this.#asked.clear();
    this.#failed.clear();
  }
}
