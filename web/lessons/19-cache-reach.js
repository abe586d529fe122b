/** Information that travels through layers with a window. */

/** @typedef {import('../../js/lab/index.js').Lab} Lab */

/**
 * The share of each token in each position after some layers, each of which averages its window.
 * @param {Lab} l @param {number} tokens @param {number} size  tokens of the window
 * @param {number} layers
 * @returns {Float32Array} [position][token]; each row sums to 1
 */
export function reachOf(l, tokens, size, layers) {
  const X = l.tensor(new Float32Array(tokens), { time: tokens, feature: 1 });
  const visible = Array.from({ length: tokens ** 2 }, (_, i) => Math.floor(i / tokens) - i % tokens)
    .map((distance) => Number(distance >= 0 && distance < size));
  const mask = l.tensor(visible, { query: tokens, key: tokens });
  const { pattern } = l.attention(X, X, X, { mask, maskKind: 'boolean' });
  let reach = pattern;
  for (let layer = 1; layer < layers; layer++) reach = l.matmul(pattern, reach);
  return reach.data.slice();
}
