/** A weighted average of vectors. */

/** @typedef {import('../kit/drawing-description.js').Part} Part */

const words = ['1', '2', 'n'];

/** @type {import('../kit/drawing-description.js').Description} */
export const AVERAGE = {
  title: 'A weighted average',
  note: 'The numbers are the word vectors of the model and the weights of the head with the strongest line of the '
    + 'figure above. The model also multiplies the vectors by matrices (lesson 4).',
  parts: {
    ...Object.fromEntries(words.map((j, lane) => [`v${j}`, /** @type {Part} */ ({ symbol: `\\mathbf{v}_${j}`, lane,
      also: lane === 0 ? ['\\mathbf{v}_j'] : [], is: 'the vector of a word of the sentence', shape: ['feature'],
      live: true })])),
    ...Object.fromEntries(words.map((j, lane) => [`a${j}`, /** @type {Part} */ ({ symbol: `\\alpha_${j}`, lane,
      kind: 'operation', also: lane === 0 ? ['\\alpha_j'] : [],
      is: 'the weight of a word: a positive number that multiplies its vector', live: true })])),
    sum: { kind: 'sum', lane: 1, is: 'the products are added; the weights sum to 1' },
    z: { symbol: '\\mathbf{z}', lane: 1, is: 'what “it” takes from all words: an average of their vectors',
      shape: ['feature'], live: true },
  },
  arrows: ['v1 → a1 → sum', 'v2 → a2 → sum', 'vn → an → sum', 'sum → z'],
};
