/** A soft lookup. */

/** @type {import('../kit/drawing-description.js').Description} */
export const LOOKUP = {
  title: 'A soft lookup',
  note: 'A hard lookup would set one weight to 1 and all others to 0.',
  parts: {
    q: { symbol: '\\mathbf{q}', is: 'the query', shape: ['dim'], live: true },
    k: { symbol: '\\mathbf{k}_j', lane: 1, is: 'the keys, one for each pair', shape: ['key', 'dim'], live: true },
    v: { symbol: '\\mathbf{v}_j', lane: 2, rank: 3, is: 'the values, one for each key', shape: ['key', 'word'],
      live: true },
    dot: { label: 'dot\nproducts', also: ['\\tau'], lane: 1,
      is: 'the query times each key, divided by the temperature' },
    softmax: { label: 'softmax', also: ['\\operatorname{softmax}_j'], lane: 1,
      is: 'makes the scores positive, with a sum of 1' },
    alpha: { symbol: '\\alpha_j', lane: 1, is: 'the weight of each pair', shape: ['key'], live: true },
    average: { label: 'weighted\naverage', lane: 1, is: 'each value times its weight, summed' },
    out: { label: 'Lookup', kind: 'data', also: ['\\operatorname{Lookup}'], lane: 1,
      is: 'the answer: mostly the value of the best key',
      shape: ['word'], live: true },
  },
  arrows: ['q → dot', 'k → dot → softmax → alpha → average → out', 'v → average'],
};
