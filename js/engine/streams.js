/** Times the first tokens, to choose how products of one row read weights. */

/** @typedef {import('./wasm.js').Engine} Engine */

/** Steps that are timed, half of them with each way to read weights. */
const STEPS = 16;

/**
 * Chooses how the engine reads the weights of one row (heed_set_streams).  The first steps use both ways in turns, and
 * the way of the fastest step remains.  Where a clock is too coarse to tell them, many streams remain.  Both ways give
 * the same bits.
 * @param {Engine} engine
 */
export function chooseStreams(engine) {
  let timed = '';
  let steps = 0;
  /** Times of few and of many streams, in milliseconds. @type {number[]} */
  let fastest;
  function set(/** @type {number} */ many) {
    engine.ask('heed_set_streams', many);
    engine.manyStreams = many > 0;
  }

  /**
   * Runs a step of one token.  Another call than before starts the comparison again, because its steps take another
   * time.
   * @template T @param {string} call  name of the step @param {() => T} step @returns {T}
   */
  return function run(call, step) {
    if (steps === STEPS) return step();
    if (call !== timed) {
      timed = call;
      steps = 0;
      fastest = [Infinity, Infinity];
    }
    const many = [1, 0, 0, 1][steps % 4]; // so both ways have the same mean position
    set(many);
    const start = performance.now();
    const result = step();
    fastest[many] = Math.min(fastest[many], performance.now() - start);
    if (++steps === STEPS) set(fastest[1] > fastest[0] ? 0 : 1);
    return result;
  };
}
