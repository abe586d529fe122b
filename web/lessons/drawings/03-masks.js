/** The place of the mask: between the scores and the softmax. */

/** @type {import('../kit/drawing-description.js').Description} */
export const MASKED = {
  title: 'The place of the mask',
  note: 'After the softmax it would be too late: the hidden keys would have changed the sum of the row.',
  parts: {
    Q: { symbol: 'Q', is: 'the queries', shape: ['query', 'dim'] },
    K: { symbol: 'K', lane: 1, is: 'the keys', shape: ['key', 'dim'] },
    V: { symbol: 'V', lane: 2, is: 'the values', shape: ['key', 'value'] },
    scores: { label: 'dot products\n÷ √dₖ', lane: 1, is: 'each query times each key, scaled: the scores',
      link: './02-scores.html' },
    M: { symbol: 'M', rank: 2, is: 'the mask: −∞ for hidden keys, 0 for visible ones', shape: ['query', 'key'],
      live: true },
    sum: { kind: 'sum', lane: 1, is: 'a hidden score becomes −∞, a visible one stays' },
    softmax: { label: 'softmax', also: ['\\operatorname{softmax}'], lane: 1,
      is: 'makes each row positive with a sum of 1' },
    A: { symbol: 'A', lane: 1, is: 'the weights: exactly 0 where a key is hidden', shape: ['query', 'key'],
      live: true },
    average: { label: 'weighted\naverage', lane: 1, is: 'the visible values, averaged by their weights' },
    out: { label: 'Attention', kind: 'data', also: ['\\operatorname{Attention}'], lane: 1,
      is: 'the output, one row for each query',
      shape: ['query', 'value'] },
  },
  arrows: ['Q → scores', 'K → scores → sum → softmax → A → average → out', 'M → sum', 'V → average'],
};
