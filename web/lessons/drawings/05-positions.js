/** Positions that are added to tokens, and positions that rotate queries and keys. */

/** @type {import('../kit/drawing-description.js').Description} */
export const TWO_WAYS = {
  title: 'Two ways to give a token its position',
  note: 'Added positions enter once, before the first block. Rotations are in every head of every block.',
  parts: {
    token: { label: 'token', kind: 'data', is: 'the vector of a token, without its position', shape: ['feature'] },
    sum: { kind: 'sum', is: 'the position is added to the token' },
    p: { symbol: '\\mathbf{p}_t', lane: 1, rank: 0,
      is: 'the vector of position t: sines and cosines, or learned numbers',
      shape: ['feature'], live: true },
    blocks: { label: 'blocks', is: 'the blocks of the model, which do not know the order', link: './06-block.html' },
    q: { symbol: '\\mathbf{q}', lane: 2, rank: 0, is: 'a query', shape: ['dim'], live: true },
    k: { symbol: '\\mathbf{k}', lane: 3, rank: 0, is: 'a key', shape: ['dim'], live: true },
    turnQ: { symbol: 'R_{t+\\Delta}', kind: 'operation', lane: 2, rank: 1,
      is: 'rotates each pair of the query by angles that grow with its position', live: true },
    turnK: { symbol: 'R_t', kind: 'operation', lane: 3, rank: 1,
      is: 'rotates each pair of the key by its own position', live: true },
    dot: { label: 'dot\nproduct', lane: 2.5, rank: 2, is: 'the score, which depends on the distance Δ only',
      live: true },
  },
  arrows: ['token → sum → blocks', 'p → sum', 'q → turnQ → dot', 'k → turnK → dot'],
  groups: [{ label: 'added', parts: ['token', 'p', 'sum', 'blocks'] },
    { label: 'rotary', parts: ['q', 'k', 'turnQ', 'turnK', 'dot'] }],
};
