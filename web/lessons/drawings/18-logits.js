/** The loop that writes a text, for both orders of temperature and cuts. */

/** @typedef {import('../kit/drawing-description.js').Part} Part */

/** @type {Record<string, Part>} */
const BEFORE = {
  text: { label: 'text\nso far', name: 'text so far', kind: 'data', is: 'the prompt, and all tokens that were written',
    shape: ['token'] },
  model: { label: 'model', is: 'embedding and blocks: one vector for each token', link: './17-tokens.html' },
  logits: { symbol: '\\ell_v', is: 'one number for each token of the vocabulary; the table has the largest',
    shape: ['vocabulary'], live: true },
};
/** @type {Record<string, Part>} */
const STAGES = {
  cut: { label: 'top-k,\ntop-p', name: 'top-k and top-p', is: 'remove the tail of improbable tokens' },
  temperature: { symbol: '\\tau', kind: 'operation', is: 'the temperature, which divides the logits' },
  softmax: { label: 'softmax', is: 'makes probabilities of the logits' },
  p: { symbol: 'p_v', is: 'the probability of each token to come next', shape: ['vocabulary'], live: true },
};
/** @type {Record<string, Part>} */
const AFTER = {
  sample: { label: 'sample', is: 'draws one token; greedy search takes the most probable token' },
  token: { label: 'token', kind: 'data', is: 'the next token, which joins the text' },
};

/** @param {string} note @param {string[]} stages in their order
 *  @returns {import('../kit/drawing-description.js').Description} */
const loopOf = (note, stages) => ({
  title: 'The loop that writes a text',
  note: `Each turn writes one token. The model runs again for each of them. ${note}`,
  parts: { ...BEFORE, ...Object.fromEntries(stages.map((name) => [name, STAGES[name]])), ...AFTER },
  arrows: [`text → model → logits → ${stages.join(' → ')} → sample → token`, 'token ⟲ text'],
});

/** First the order of llama.cpp, then the order of transformers. */
export const LOOPS = [
  loopOf('The cuts come before the temperature.', ['cut', 'temperature', 'softmax', 'p']),
  loopOf('The temperature comes before the cuts.', ['temperature', 'softmax', 'p', 'cut']),
];
