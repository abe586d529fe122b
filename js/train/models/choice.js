/**
 * The class of each row with the largest score.
 * @param {Float32Array} scores [row][class]
 * @param {number} classes
 * @returns {Int32Array} [row]
 */
export function largest(scores, classes) {
  const best = new Int32Array(scores.length / classes);
  for (let row = 0; row < best.length; row++) {
    for (let c = 1; c < classes; c++) {
      if (scores[row * classes + c] > scores[row * classes + best[row]]) best[row] = c;
    }
  }
  return best;
}
