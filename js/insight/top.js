/**
 * Writes the largest logits of a row, largest first, as natural logarithms of probabilities.
 * @param {Float32Array} logits  [vocabulary]
 * @param {number} top  how many
 * @param {{ data: Float32Array, candidates: Int32Array }} to  receives log-probabilities and ids
 * @param {number} at  place of the first
 */
export function topOf(logits, top, { data, candidates }, at) {
  let count = 0;
  let largest = -Infinity;
  for (let id = 0; id < logits.length; id++) {
    const x = logits[id];
    if (x > largest) largest = x;
    if (count === top && !(x > data[at + top - 1])) continue;
    // Insertion into the sorted candidates: most logits are smaller than all of them, so this is rare.
    let place = count < top ? count++ : top - 1;
    for (; place > 0 && x > data[at + place - 1]; place--) {
      data[at + place] = data[at + place - 1];
      candidates[at + place] = candidates[at + place - 1];
    }
    data[at + place] = x;
    candidates[at + place] = id;
  }
  let sum = 0;
  for (let id = 0; id < logits.length; id++) sum += Math.exp(logits[id] - largest);
  const normalizer = largest + Math.log(sum);
  for (let i = at; i < at + top; i++) data[i] -= normalizer;
}
