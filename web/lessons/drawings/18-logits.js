/** The loop that writes a text. */

/** @type {import('../kit/drawing-description.js').Description} */
export const LOOP = {
  title: 'The loop that writes a text',
  note: 'Each turn writes one token. The model runs again for each of them.',
  parts: {
    text: { label: 'text\nso far', name: 'text so far', kind: 'data',
      is: 'the prompt, and all tokens that were written',
      shape: ['token'] },
    model: { label: 'model', is: 'embedding and blocks: one vector for each token', link: './17-tokens.html' },
    logits: { symbol: '\\ell_v', is: 'one number for each token of the vocabulary; the table has the largest',
      shape: ['vocabulary'], live: true },
    temperature: { symbol: '\\tau', kind: 'operation', is: 'the temperature, which divides the logits' },
    softmax: { label: 'softmax', is: 'makes probabilities of the logits' },
    p: { symbol: 'p_v', is: 'the probability of each token to come next', shape: ['vocabulary'], live: true },
    cut: { label: 'top-k,\ntop-p', name: 'top-k and top-p', is: 'remove the tail of improbable tokens' },
    sample: { label: 'sample', is: 'draws one token; greedy search takes the most probable token' },
    token: { label: 'token', kind: 'data', is: 'the next token, which joins the text' },
  },
  arrows: ['text → model → logits → temperature → softmax → p → cut → sample → token', 'token ⟲ text'],
};
