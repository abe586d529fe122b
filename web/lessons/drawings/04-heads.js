/** Multi-head attention (Vaswani et al., figure 2). */

/** @type {import('../kit/drawing-description.js').Description} */
export const HEADS = {
  title: 'Multi-head attention',
  note: 'Each head has its own three matrices, and all heads run at once. The last matrix mixes their outputs.',
  parts: {
    Q: { symbol: 'Q', is: 'the vectors that ask, one in each row', shape: ['query', 'feature'], live: true },
    K: { symbol: 'K', lane: 1, is: 'the vectors that are compared with the queries', shape: ['key', 'feature'] },
    V: { symbol: 'V', lane: 2, is: 'the vectors that are averaged', shape: ['key', 'feature'] },
    W_Q: { symbol: 'W_Q^{(n)}', kind: 'weight', is: 'projects the whole token to the query of head n',
      shape: ['feature', 'dim'] },
    W_K: { symbol: 'W_K^{(n)}', kind: 'weight', lane: 1, is: 'projects the whole token to the key of head n',
      shape: ['feature', 'dim'] },
    W_V: { symbol: 'W_V^{(n)}', kind: 'weight', lane: 2, is: 'projects the whole token to the value of head n',
      shape: ['feature', 'value'] },
    attention: { label: 'Attention', also: ['\\operatorname{Attention}'], lane: 1, is: 'the lookup of one head',
      link: './02-scores.html' },
    head: { symbol: '\\mathrm{head}_n', lane: 1, is: 'the answers to the question of head n; the numbers are of head 1',
      shape: ['query', 'value'], live: true },
    concat: { label: 'Concat', also: ['\\operatorname{Concat}'], lane: 1,
      is: 'the outputs of all heads, side by side' },
    Z: { symbol: 'Z', lane: 1, is: 'the outputs of all heads, which keep the answers apart', shape: ['query',
      'h·value'], live: true },
    W_O: { symbol: 'W_O', kind: 'weight', lane: 1, is: 'combines the answers, and returns to the width of a token',
      shape: ['h·value', 'feature'] },
    out: { label: 'MultiHead', kind: 'data', also: ['\\operatorname{MultiHead}'], lane: 1,
      is: 'the result, as wide as a token',
      shape: ['query', 'feature'] },
  },
  arrows: ['Q → W_Q → attention', 'K → W_K → attention', 'V → W_V → attention',
    'attention → head → concat → Z → W_O → out'],
  groups: [{ label: 'head n of h', parts: ['W_Q', 'W_K', 'W_V', 'attention', 'head'], stack: true }],
};
