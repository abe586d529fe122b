/** Multi-head latent attention (DeepSeek-V2, figure 3), without positions. */

/** @type {import('../kit/drawing-description.js').Description} */
export const LATENT_ATTENTION = {
  title: 'Attention with compressed keys and values',
  note: 'The cache keeps C. A head computes its keys from it, or multiplies its queries by the transposed matrix.',
  parts: {
    X: { symbol: 'X', is: 'the vectors of the tokens', shape: ['token', 'feature'], lane: 1 },
    W_C: { symbol: 'W_C', kind: 'weight', lane: 1, is: 'makes the vectors short; all heads share it',
      shape: ['feature', 'latent'] },
    C: { symbol: 'C', lane: 1, also: ['\\mathbf{c}_j'], is: 'one short vector for each token, which the cache keeps',
      shape: ['token', 'latent'], live: true },
    W_K: { symbol: 'W_K^{(n)}', kind: 'weight', lane: 1, is: 'computes the keys of head n',
      shape: ['latent', 'dim'] },
    K: { symbol: 'K^{(n)}', lane: 1, also: ['\\mathbf{k}_j^{(n)}'], is: 'the keys of head n', shape: ['token', 'dim'] },
    W_V: { symbol: 'W_V^{(n)}', kind: 'weight', lane: 2, is: 'computes the values of head n',
      shape: ['latent', 'value'] },
    V: { symbol: 'V^{(n)}', lane: 2, is: 'the values of head n', shape: ['token', 'value'] },
    q: { symbol: '\\mathbf{q}_i^{(n)}', rank: 4, is: 'a query of head n; the numbers are of head 1', shape: ['dim'],
      live: true },
    attention: { label: 'Attention', lane: 1, is: 'the lookup of head n', link: './02-scores.html' },
    head: { label: 'head n', kind: 'data', lane: 1, is: 'the answers of head n; the numbers are of head 1',
      shape: ['token', 'value'], live: true },
  },
  arrows: ['X → W_C → C → W_K → K → attention → head', 'C → W_V → V → attention', 'q → attention'],
  groups: [{ label: 'head n of h', parts: ['W_K', 'K', 'W_V', 'V', 'q', 'attention', 'head'], stack: true }],
};
