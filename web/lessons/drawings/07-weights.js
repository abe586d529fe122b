/** Where the weights of a language model are. */

/** @type {import('../kit/drawing-description.js').Description} */
export const WEIGHTS = {
  title: 'Where the weights are',
  note: 'Round boxes have weights. On wide screens the color of a square shows its share of the model that is '
    + 'chosen below. Residual connections have none; norms and biases have few, and are left out.',
  parts: {
    ids: { label: 'ids', kind: 'data', is: 'the numbers of the tokens', lane: 1, shape: ['token'],
      link: './17-tokens.html' },
    embedding: { label: 'embed-\nding', name: 'embedding', kind: 'weight', live: true, lane: 1,
      is: 'a vector of d numbers for each token of the vocabulary: a large share of a small model' },
    W_Q: { symbol: 'W_Q', kind: 'weight', live: true,
      is: 'd × d weights for the queries, whatever the number of heads' },
    W_K: { symbol: 'W_K', kind: 'weight', live: true, lane: 1,
      is: 'd × d weights for the keys, fewer if heads share keys' },
    W_V: { symbol: 'W_V', kind: 'weight', live: true, lane: 2,
      is: 'd × d weights for the values, fewer if heads share values' },
    attention: { label: 'softmax\nattention', name: 'softmax attention', lane: 1, link: './02-scores.html',
      is: 'compares queries with keys and averages values, without any weight' },
    W_O: { symbol: 'W_O', kind: 'weight', live: true, lane: 1, is: 'd × d weights from the heads back to tokens' },
    network: { label: 'feed-\nforward', name: 'feed-forward network', kind: 'weight', live: true, lane: 1,
      is: 'd × 4d and 4d × d weights, twice as many as attention has' },
    head: { label: 'head', kind: 'weight', live: true, lane: 1,
      is: 'd weights for each token of the vocabulary; in many models the embedding itself' },
    logits: { label: 'logits', kind: 'data', is: 'a number for each possible next token', lane: 1,
      shape: ['token', 'vocabulary'], link: './18-logits.html' },
  },
  arrows: [
    'ids → embedding → W_K → attention → W_O → network → head → logits',
    'embedding → W_Q → attention', 'embedding → W_V → attention',
  ],
  groups: [{ label: 'each layer', parts: ['W_Q', 'W_K', 'W_V', 'attention', 'W_O', 'network'], stack: true }],
};
