/** The head that counts. */

/** @type {import('../kit/drawing-description.js').Description} */
export const COUNTER = {
  title: 'The head that counts',
  note: 'A weight of 1/(n + 1) becomes the number n. No position and no mask is needed.',
  parts: {
    x: { symbol: '\\mathbf{x}_j', lane: 1, is: 'a letter, one-hot', shape: ['token'], live: true },
    q: { symbol: '\\mathbf{q}_i', lane: 0, rank: 1, is: 'the query of a letter: 100 at its own place', shape: ['dim'] },
    k: { symbol: '\\mathbf{k}_j', lane: 1, rank: 1, is: 'the key of a letter; the key of ⊢ matches every letter',
      shape: ['dim'] },
    v: { symbol: 'v_j', lane: 2, rank: 1, is: 'the value: 1 for ⊢, and 0 for letters' },
    softmax: { label: 'softmax', also: ['\\operatorname{softmax}_j'], lane: 0.5, rank: 2,
      is: 'shares the weight equally between ⊢ and the copies of the letter' },
    sum: { kind: 'sum', name: 'weighted sum', lane: 1, rank: 3, is: 'each value times its weight, summed' },
    z: { symbol: 'z_i', lane: 1, rank: 4, is: 'the weight of ⊢, which is 1/(n + 1)', live: true },
    network: { label: 'FFN', also: ['\\operatorname{FFN}'], lane: 1, rank: 5,
      is: 'thirty ReLU units, which compute 1/z − 1' },
    n: { symbol: 'n', kind: 'data', lane: 1, rank: 6, is: 'how often the letter occurs', live: true },
  },
  arrows: ['x → q → softmax', 'x → k → softmax', 'x → v → sum', 'softmax → sum → z → network → n'],
};
