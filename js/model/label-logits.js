/**
 * The logits of the labels at the first token, or their mean over heads that read one token each.
 * @param {Float32Array} logits  [ids][outputs] of a classifier
 * @param {Pick<import('./info.js').ModelInfo, 'outputs' | 'labelHeads'>} info
 * @returns {Float32Array}
 */
export function labelLogits(logits, { outputs, labelHeads }) {
  const count = outputs / labelHeads;
  return Float32Array.from({ length: count }, (_, label) => {
    let sum = 0;
    for (let head = 0; head < labelHeads; head++) sum += logits[head * (outputs + count) + label];
    return sum / labelHeads;
  });
}
