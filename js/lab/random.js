/** Seeded random numbers for weights and data. */

/**
 * Makes a generator of uniform random numbers in [0, 1), by SplitMix32.
 * @param {number} seed  32-bit integer
 * @returns {() => number} a function that draws the next number
 */
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

/**
 * Uniform random numbers in (-bound, bound).
 * @param {() => number} random  generator, such as that of `randomFrom`
 * @param {number} n      count
 * @param {number} bound  largest absolute value
 * @returns {Float32Array} n numbers
 */
export const uniform = (random, n, bound) => Float32Array.from({ length: n }, () => (2 * random() - 1) * bound);

/**
 * Random numbers of the normal distribution.
 * @param {() => number} random  generator, such as that of `randomFrom`
 * @param {number} n  count
 * @param {number} [deviation]  standard deviation; default 1
 * @param {number} [mean]       mean; default 0
 * @returns {Float32Array} n numbers
 * @see Box and Muller 1958
 */
export const normal = (random, n, deviation = 1, mean = 0) => Float32Array.from({ length: n }, () =>
  mean + deviation * Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()));
