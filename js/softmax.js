/** The softmax of a row of logits, in float64. */

/** The largest logit m and Σ exp(x − m), because exp of a large logit overflows.
 *  @param {ArrayLike<number>} logits */
function shifted(logits) {
  let most = -Infinity;
  for (let i = 0; i < logits.length; i++) most = Math.max(most, logits[i]);
  let sum = 0;
  for (let i = 0; i < logits.length; i++) sum += Math.exp(logits[i] - most);
  return { most, sum };
}

/** log Σ exp(x). @param {ArrayLike<number>} logits */
export function logSumExp(logits) {
  const { most, sum } = shifted(logits);
  return most + Math.log(sum);
}

/** @param {ArrayLike<number>} logits @returns {Float64Array} log-probabilities */
export function logSoftmax(logits) {
  const { most, sum } = shifted(logits);
  return Float64Array.from(logits, (x) => x - most - Math.log(sum));
}

/** @param {ArrayLike<number>} logits @returns {Float64Array} probabilities */
export function softmax(logits) {
  const { most, sum } = shifted(logits);
  return Float64Array.from(logits, (x) => Math.exp(x - most) / sum);
}
