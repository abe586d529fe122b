/** Seeded random numbers for weights and data. */

/** Uniform in [0, 1): SplitMix32. @param {number} seed @returns {() => number} */
export function randomFrom(seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let z = state;
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return ((z ^ (z >>> 15)) >>> 0) / 2 ** 32;
  };
}

/** n numbers in (-bound, bound). @param {() => number} random @param {number} n @param {number} bound */
export const uniform = (random, n, bound) => Float32Array.from({ length: n }, () => (2 * random() - 1) * bound);

/** n numbers of the normal distribution (Box and Muller 1958). @param {() => number} random @param {number} n
 *  @param {number} [deviation] @param {number} [mean] */
export const normal = (random, n, deviation = 1, mean = 0) => Float32Array.from({ length: n }, () =>
  mean + deviation * Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()));
