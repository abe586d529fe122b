/** Sequences of a batch: some of them for others to use, and the maps of one. */

/**
 * @typedef {import('../../lab/index.js').Lab} Lab
 * @typedef {import('../../lab/index.js').Tensor} Tensor
 *
 * @typedef {object} Maps  of one layer: [head][query][key]
 * @property {Float32Array} data
 * @property {number} heads
 * @property {number} queries
 * @property {number} keys
 */

/**
 * Elements of the first axis by number, each as often as it is asked for.
 * @param {Lab} lab @param {Tensor} x [batch]…[feature] @param {number[]} chosen
 * @returns {Tensor} [chosen]…[feature]
 */
export function choose(lab, x, chosen) {
  const [batch, ...rest] = x.axes.sizes;
  if (chosen.length === batch && chosen.every((element, i) => element === i)) return x;
  const each = x.place.rows / batch;
  const rows = chosen.flatMap((element) => Array.from({ length: each }, (_, i) => element * each + i));
  return lab.gather(x, rows, [chosen.length, ...rest.slice(0, -1)]);
}

/**
 * The maps of one sequence, without what pads it.
 * @param {Tensor} pattern [batch][head][query][key], or of one head [batch][query][key]
 * @param {number} element of the batch @param {number} queries @param {number} keys that it has
 * @returns {Maps}
 */
export function mapsOf({ data: all, axes: { sizes } }, element, queries, keys) {
  const [height, width] = sizes.slice(-2);
  const heads = sizes.length === 4 ? sizes[1] : 1;
  const data = new Float32Array(heads * queries * keys);
  for (let row = 0; row < heads * queries; row++) {
    const head = Math.floor(row / queries);
    const at = ((element * heads + head) * height + (row % queries)) * width;
    data.set(all.subarray(at, at + keys), row * keys);
  }
  return { data, heads, queries, keys };
}
