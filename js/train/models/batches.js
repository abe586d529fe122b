/** Selected sequences of a batch. */

/**
 * @typedef {import('../../lab/index.js').Lab} Lab
 * @typedef {import('../../lab/index.js').Tensor} Tensor
 */

/**
 * Elements of the first axis by index; an index may repeat.
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
