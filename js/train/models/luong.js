/**
 * Global attention of Luong, Pham and Manning (2015, arXiv:1508.04025).  The h_j are states of a unidirectional
 * GRU.  s_i = GRU(y_{i-1}, s_{i-1}); α_i = softmax_j(score(s_i, h_j)); c_i = Σ_j α_ij·h_j; s̃_i = tanh(W_c·[c_i; s_i]);
 * p(y_i) = softmax(W·s̃_i + b).
 *
 * The context is not an input of the state (no input feeding), so all positions of a target attend at once.
 */
import { under } from '../../lab/index.js';
import { perHead } from './bahdanau.js';

/**
 * @typedef {import('../../lab/index.js').Lab} Lab
 * @typedef {import('../../lab/index.js').Tensor} Tensor
 * @typedef {import('../../lab/index.js').Weights} Weights
 * @typedef {import('../tasks/vocabulary.js').Padded} Padded
 * @typedef {import('./rnn-seq2seq.js').RnnConfig} RnnConfig
 * @typedef {import('./rnn-seq2seq.js').Memory} Memory
 * @typedef {import('./rnn-seq2seq.js').Decoded} Decoded
 */

/** Of score(s, h): sᵀ·h; sᵀ·W·h (the paper's ‘general’); v_a·tanh(W_a·[s; h]).
 *  @type {Record<'dot' | 'bilinear' | 'concat', (init: Lab['init'], hidden: number) => Weights>} */
const SCORES = {
  dot: () => ({}),
  bilinear: (init, hidden) => init.linear('attention.W.', hidden, hidden, { bias: false }),
  concat: (init, hidden) => ({
    ...init.linear('attention.W_a.', 2 * hidden, hidden, { bias: false }),
    ...init.linear('attention.v_a.', hidden, 1, { bias: false }),
  }),
};

/** @param {Lab} lab @param {RnnConfig} config @returns {Weights} */
export function weights({ init }, { embedding, hidden, source, target, score }) {
  return {
    ...init.embedding('encoder.embedding.', source.length, embedding),
    ...init.gru('encoder.gru.', embedding, hidden),
    ...init.embedding('decoder.embedding.', target.length, embedding),
    ...init.gru('decoder.gru.', embedding, hidden),
    ...SCORES[/** @type {keyof typeof SCORES} */ (score)](init, hidden),
    ...init.linear('decoder.W_c.', 2 * hidden, hidden, { bias: false }),
    ...init.linear('decoder.output.', hidden, target.length),
  };
}

/** @param {Lab} lab @param {Weights} w @param {RnnConfig} config @param {Padded} source @returns {Memory} */
export function encode(lab, w, { dropout = 0 }, { ids, lengths, shape }) {
  const x = lab.dropout(lab.embedding(w['encoder.embedding.weight'], ids, shape), dropout);
  const { output, state } = lab.gru(x, under(w, 'encoder.gru.'), { lengths });
  const states = perHead(lab, output);
  return { keys: states, values: states, lengths, state };
}

/** @param {Lab} lab @param {Weights} w @param {RnnConfig} config @param {Memory} memory @param {Tensor} state
 *  @param {Padded} input @returns {Decoded} */
export function decode(lab, w, { score, dropout = 0 }, { keys, values, lengths }, state, { ids, shape }) {
  const y = lab.dropout(lab.embedding(w['decoder.embedding.weight'], ids, shape), dropout);
  const { output: s, state: last } = lab.gru(y, under(w, 'decoder.gru.'), { state });
  const { 'attention.W.weight': W, 'attention.W_a.weight': W_a, 'attention.v_a.weight': v_a } = w;
  const options = { score: /** @type {keyof typeof SCORES} */ (score), weights: { W, W_a, v_a }, lengths };
  const attended = lab.attention(perHead(lab, s), keys, values, options);
  const c = lab.reshape(attended.output, s.axes);
  const rows = (/** @type {Tensor} */ x) => lab.reshape(x, [shape.batch, shape.time, keys.axes.sizes[2]]);
  const combined = lab.tanh(lab.linear(lab.concat([c, s], -1), w['decoder.W_c.weight']));
  return {
    logits: lab.linear(lab.dropout(combined, dropout), w['decoder.output.weight'], w['decoder.output.bias']),
    maps: () => ({ pattern: rows(attended.pattern), scores: rows(attended.scores) }),
    state: last,
  };
}
