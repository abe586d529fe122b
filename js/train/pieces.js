/** Long work that can be left between its pieces. */

/**
 * What work finds: at once, or from a generator that yields between two pieces and returns it in the end.
 * @template T
 * @typedef {T | Generator<void, T, void>} InPieces
 */

/** @param {any} work @returns {work is Generator<void, any, void>} */
const isGenerator = (work) => typeof work?.next === 'function' && typeof work[Symbol.iterator] === 'function';

/** @template T @param {() => InPieces<T>} begin @returns {Generator<void, T, void>} */
export function* piecesOf(begin) {
  const work = begin();
  return isGenerator(work) ? yield* work : work;
}

/** All pieces, one after another. @template T @param {InPieces<T>} work @returns {T} */
export function whole(work) {
  const pieces = piecesOf(() => work);
  for (;;) {
    const { done, value } = pieces.next();
    if (done) return /** @type {T} */ (value);
  }
}
