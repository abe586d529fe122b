/** Long computations that can pause and be abandoned between parts. */

/**
 * A result, or a generator that yields between parts of the computation and returns the result.
 * @template T
 * @typedef {T | Generator<void, T, void>} Resumable
 */

/** @param {any} work @returns {work is Generator<void, any, void>} */
const isGenerator = (work) => typeof work?.next === 'function' && typeof work[Symbol.iterator] === 'function';

/** The computation as a generator. @template T @param {() => Resumable<T>} begin @returns {Generator<void, T, void>} */
export function* partsOf(begin) {
  const work = begin();
  return isGenerator(work) ? yield* work : work;
}

/** Runs the computation to its end. @template T @param {Resumable<T>} work @returns {T} */
export function runToEnd(work) {
  const parts = partsOf(() => work);
  for (;;) {
    const { done, value } = parts.next();
    if (done) return /** @type {T} */ (value);
  }
}
