/** The model of Bahdanau et al. (figure 1), at the step that writes symbol i. */

/** @typedef {import('../kit/drawing-description.js').Part} Part */

/** @type {Record<string, Part>} */
const states = Object.fromEntries(['1', '2', 'T̄'].map((j, lane) => [`h${lane}`, { symbol: '\\mathbf{h}_j', lane,
  rank: 1,
  also: ['\\overrightarrow{\\mathbf{h}}_j', '\\overleftarrow{\\mathbf{h}}_j'], shape: ['state'],
  is: 'a state of the encoder: a symbol together with its neighbors' }]));

/** @type {import('../kit/drawing-description.js').Description} */
export const MODEL = {
  title: 'The step that writes symbol i',
  note: 'The query is the state before the step. The context enters twice: the new state, and the prediction.',
  parts: {
    ...Object.fromEntries(['x₁', 'x₂', 'x…'].map((label, lane) => [`x${lane}`,
      { label, lane, kind: 'data', is: 'a symbol of the input' }])),
    ...states,
    before: { symbol: '\\mathbf{s}_{i-1}', lane: 4, rank: 0, is: 'the state of the decoder before this step: the query',
      shape: ['state'] },
    e: { symbol: 'e_{ij}', also: ['W_q', 'W_k', '\\mathbf{w}'], lane: 3, rank: 2, live: true, shape: ['key'],
      is: 'the scores: a small network compares the query with each state' },
    alpha: { symbol: '\\alpha_{ij}', lane: 3, rank: 3, live: true, shape: ['key'],
      is: 'the weights: the softmax of the scores, which sum to 1' },
    average: { kind: 'sum', name: 'weighted sum', lane: 1, rank: 4, is: 'each state times its weight, summed' },
    c: { symbol: '\\mathbf{c}_i', lane: 1, rank: 5, is: 'the context: the weighted average of the states',
      shape: ['state'] },
    last: { symbol: 'y_{i-1}', lane: 3, rank: 5, is: 'the symbol written before' },
    s: { symbol: '\\mathbf{s}_i', lane: 4, rank: 6,
      is: 'the new state, from the last state, the last symbol and the context',
      shape: ['state'] },
    y: { symbol: 'y_i', lane: 4, rank: 7, is: 'the next symbol, from a softmax' },
  },
  arrows: ['x0 → h0', 'x1 → h1', 'x2 → h2', 'h0 ⇄ h1 ⇄ h2', 'h0 → e', 'h1 → e', 'h2 → e', 'before → e',
    'e → alpha → average',
    'h0 → average', 'h1 → average', 'h2 → average', 'average → c', 'c → s', 'last → s', 'before → s', 's → y', 'c → y',
    'last → y'],
  groups: [{ label: 'encoder', parts: ['x0', 'x1', 'x2', ...Object.keys(states)] },
    { label: 'decoder', parts: ['before', 's', 'y'] }],
};
