/** The model of Luong et al. (figure 2), at the step that writes symbol i. */

/** @typedef {import('../kit/drawing-description.js').Part} Part */

/** @type {Record<string, Part>} */
const states = Object.fromEntries([0, 1, 2].map((lane) => [`h${lane}`, { symbol: '\\mathbf{h}_j', lane, rank: 1,
  shape: ['state'], is: 'a state of the encoder, which reads forward only: a key and a value' }]));

/** @type {import('../kit/drawing-description.js').Description} */
export const MODEL = {
  title: 'The step that writes symbol i',
  note: 'Compare lesson 8: the state is updated first, without a context, and the new state is the query.',
  parts: {
    ...Object.fromEntries(['x₁', 'x₂', 'x…'].map((label, lane) => [`x${lane}`,
      { label, lane, kind: 'data', is: 'a symbol of the input' }])),
    ...states,
    before: { symbol: '\\mathbf{s}_{i-1}', lane: 4, rank: 0, is: 'the state of the decoder before this step',
      shape: ['state'] },
    last: { symbol: 'y_{i-1}', lane: 3, rank: 0, is: 'the symbol written before' },
    s: { symbol: '\\mathbf{s}_i', lane: 4, rank: 1, is: 'the new state: the query', shape: ['state'] },
    score: { label: 'score', also: ['\\operatorname{score}'], lane: 3, rank: 2,
      is: 'compares the new state with each state of the encoder', link: './02-scores.html' },
    alpha: { symbol: '\\alpha_{ij}', lane: 3, rank: 3, live: true, shape: ['key'],
      is: 'the weights: the softmax of the scores' },
    average: { kind: 'sum', name: 'weighted sum', lane: 1, rank: 4, is: 'each state times its weight, summed' },
    c: { symbol: '\\mathbf{c}_i', lane: 1, rank: 5, is: 'the context: the weighted average of the states',
      shape: ['state'] },
    combine: { label: 'tanh', also: ['W_c'], lane: 4, rank: 6,
      is: 'the context and the state side by side, times a matrix' },
    combined: { symbol: '\\tilde{\\mathbf{s}}_i', lane: 4, rank: 7, is: 'the attention vector', shape: ['state'] },
    y: { symbol: 'y_i', lane: 4, rank: 8, is: 'the next symbol, from a softmax of the attention vector' },
  },
  arrows: ['x0 → h0', 'x1 → h1', 'x2 → h2', 'h0 ⇢ h1 ⇢ h2', 'before → s', 'last → s', 'h0 → score', 'h1 → score',
    'h2 → score',
    's → score', 'score → alpha → average', 'h0 → average', 'h1 → average', 'h2 → average', 'average → c → combine',
    's → combine', 'combine → combined → y'],
  groups: [{ label: 'encoder', parts: ['x0', 'x1', 'x2', ...Object.keys(states)] },
    { label: 'decoder', parts: ['before', 's', 'combine', 'combined', 'y'] }],
};
