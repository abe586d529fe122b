/** From a text to vectors. */

/** @type {import('../kit/drawing-description.js').Description} */
export const EMBEDDING = {
  title: 'From a text to vectors',
  note: 'A product with a one-hot vector selects a row of the matrix, so programs look the row up.',
  parts: {
    text: { label: 'text', kind: 'data', is: 'the characters that a person writes' },
    tokenizer: { label: 'tokenizer', is: 'splits the text into tokens of the vocabulary, without any weight' },
    ids: { label: 'ids', kind: 'data', is: 'the number of each token in the vocabulary', shape: ['token'] },
    o: { symbol: '\\mathbf{o}', is: 'the one-hot vector of a token', shape: ['vocabulary'] },
    W_E: { symbol: 'W_E', kind: 'weight', is: 'the embedding matrix: one row for each token', shape: ['vocabulary',
      'feature'] },
    x: { symbol: '\\mathbf{x}', is: 'the vector of the token', shape: ['feature'], live: true },
    blocks: { label: 'blocks', is: 'the blocks of the model', link: './06-block.html' },
  },
  arrows: ['text → tokenizer → ids → o → W_E → x → blocks'],
};
