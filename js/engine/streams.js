/** @typedef {import('./wasm.js').Engine} Engine */

/** Steps that are timed, half of them with each way to read weights. */
const STEPS = 16;

/**
 * Chooses how the engine reads the weights of one row (heed_set_streams).  The first steps use both ways in turns, and
 * the way of the fastest step remains.  Both give the same bits.
 */
export class Streams {
  #engine;
  #steps = 0;
  #fastest = [Infinity, Infinity]; // of few and of many streams, in milliseconds

  /** @param {Engine} engine */
  constructor(engine) {
    this.#engine = engine;
  }

  /** Runs a step of one token.  @template T @param {() => T} step @returns {T} */
  run(step) {
    if (this.#steps === STEPS) return step();
    const many = this.#steps % 2;
    this.#set(many);
    const start = performance.now();
    const result = step();
    this.#fastest[many] = Math.min(this.#fastest[many], performance.now() - start);
    if (++this.#steps === STEPS) this.#set(Number(this.#fastest[1] <= this.#fastest[0]));
    return result;
  }

  /** @param {number} many */
  #set(many) {
    this.#engine.ask('heed_set_streams', many);
  }
}
