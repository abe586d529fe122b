/** The classifier: words, an encoder, one learned query. */

/** @typedef {import('../kit/drawing-description.js').Part} Part */

/** @type {import('../kit/drawing-description.js').Description} */
export const CLASSIFIER = {
  title: 'A classifier with one learned query',
  note: 'Only the words come from the data. The query is a weight, like the matrix at the end.',
  parts: {
    ...Object.fromEntries(['word 1', 'word 2', 'word …'].map((label, lane) => [`word${lane}`,
      { label, lane, kind: 'data', is: 'a word of the sentence' }])),
    encoder: { label: 'encoder\nblocks', name: 'encoder blocks', lane: 1, is: 'mix the words with each other',
      link: './06-block.html' },
    ...Object.fromEntries([0, 1, 2].map((lane) => [`x${lane}`, /** @type {Part} */ ({ symbol: '\\mathbf{x}_j', lane,
      rank: 2,
      is: 'a word together with its neighbors: a key and a value', shape: ['feature'] })])),
    theta: { symbol: '\\boldsymbol{\\theta}', kind: 'weight', lane: 3, rank: 2, is: 'the query, a learned parameter',
      shape: ['feature'] },
    alpha: { symbol: '\\alpha_j', lane: 3, rank: 3, is: 'the weights: one for each word', shape: ['word'], live: true },
    average: { kind: 'sum', name: 'weighted sum', lane: 1, rank: 4, is: 'each word times its weight, summed' },
    z: { symbol: '\\mathbf{z}', lane: 1, is: 'one vector for the whole sentence', shape: ['feature'] },
    W: { symbol: 'W', also: ['\\mathbf{b}'], kind: 'weight', lane: 1, is: 'a linear layer: one score for each label',
      shape: ['feature', 'label'] },
    p: { symbol: '\\mathbf{p}', lane: 1, is: 'the probabilities of complaint and praise, after a softmax',
      shape: ['label'], live: true },
  },
  arrows: ['word0 → encoder', 'word1 → encoder', 'word2 → encoder', 'encoder → x0', 'encoder → x1', 'encoder → x2',
    'x0 → alpha',
    'x1 → alpha', 'x2 → alpha', 'theta → alpha → average', 'x0 → average', 'x1 → average', 'x2 → average',
      'average → z → W → p'],
};
