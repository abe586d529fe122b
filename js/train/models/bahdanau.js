/**
 * The encoder–decoder that learns to align (Bahdanau, Cho and Bengio 2015, arXiv:1409.0473).  h_j = [→h_j; ←h_j] of a
 * bidirectional GRU; s_i = GRU([y_{i-1}; c_i], s_{i-1}), where c_i = Σ_j α_ij·h_j and
 * α_i = softmax_j(w_a·tanh(W_q·s_{i-1} + W_k·h_j)); p(y_i) = softmax(W·[s_i; c_i; y_{i-1}] + b), which stands for the
 * paper's deep output.
 */
import { under } from '../../lab/index.js';

/**
 * @typedef {import('../../lab/index.js').Lab} Lab
 * @typedef {import('../../lab/index.js').Tensor} Tensor
 * @typedef {import('../../lab/index.js').Weights} Weights
 * @typedef {import('../tasks/vocabulary.js').Padded} Padded
 * @typedef {import('./rnn-seq2seq.js').RnnConfig} RnnConfig
 * @typedef {import('./rnn-seq2seq.js').Memory} Memory
 * @typedef {import('./rnn-seq2seq.js').Decoded} Decoded
 */

/** @param {Lab} lab @param {RnnConfig} config @returns {Weights} */
export function weights({ init }, { embedding, hidden, source, target }) {
  return {
    ...init.embedding('encoder.embedding.', source.length, embedding),
    ...init.gru('encoder.gru.', embedding, hidden, { bidirectional: true }),
    ...init.linear('decoder.bridge.', hidden, hidden),
    ...init.embedding('decoder.embedding.', target.length, embedding),
    ...init.linear('attention.W_q.', hidden, hidden, { bias: false }),
    ...init.linear('attention.W_k.', 2 * hidden, hidden, { bias: false }),
    ...init.linear('attention.w_a.', hidden, 1, { bias: false }),
    ...init.gruCell('decoder.gru.', embedding + 2 * hidden, hidden),
    ...init.linear('decoder.output.', hidden + 2 * hidden + embedding, target.length),
  };
}

/** @param {Lab} lab @param {Weights} w @param {RnnConfig} config @param {Padded} source @returns {Memory} */
export function encode(lab, w, { hidden, dropout = 0 }, { ids, lengths, shape }) {
  const x = lab.dropout(lab.embedding(w['encoder.embedding.weight'], ids, shape), dropout);
  const { output: values, state } = lab.gru(x, under(w, 'encoder.gru.'), { bidirectional: true, lengths });
  const first = lab.slice(state, 1, hidden, 2 * hidden); // ←h_1, which has read all of the source
  return {
    keys: perHead(lab, lab.linear(values, w['attention.W_k.weight'])),
    values: perHead(lab, values),
    lengths,
    state: lab.tanh(lab.linear(first, w['decoder.bridge.weight'], w['decoder.bridge.bias'])),
  };
}

/** @param {Lab} lab @param {Weights} w @param {Pick<RnnConfig, 'hidden' | 'dropout'>} config @param {Memory} memory
 *  @param {Tensor} state @param {Padded} input @param {import('./rnn-seq2seq.js').DecodeOptions} [options]
 *  @returns {Decoded & { maps: NonNullable<Decoded['maps']> }} */
export function decode(lab, w, { hidden, dropout = 0 }, { keys, values, lengths }, state, { ids, shape },
  { past = 0, edit } = {}) {
  const { batch, time } = shape;
  const inputs = lab.dropout(lab.embedding(w['decoder.embedding.weight'], ids, shape), dropout);
  const alignment = { W_q: w['attention.W_q.weight'], W_k: null, w_a: w['attention.w_a.weight'] };
  const gru = under(w, 'decoder.gru.');
  const [outputs, patterns, scored] = [[], [], []].map((list) => /** @type {Tensor[]} */ (list));
  let s = state;
  for (let i = 0; i < time; i++) {
    const y = lab.slice(inputs, 1, i);
    const query = lab.reshape(s, [batch, 1, 1, hidden]);
    const aligned = lab.attention(query, keys, values, { score: 'additive', weights: alignment, lengths,
      ...(edit && { edit: (pattern) => edit(pattern, { of: 'decoder.cross_attn', layer: 0, first: past + i }) }) });
    const c = lab.reshape(aligned.output, [batch, values.place.columns]);
    s = lab.gruCell(lab.concat([y, c], 1), s, gru);
    outputs.push(lab.concat([s, c, y], 1));
    patterns.push(aligned.pattern);
    scored.push(aligned.scores);
  }
  const features = lab.dropout(lab.stack(outputs), dropout);
  return {
    logits: lab.linear(features, w['decoder.output.weight'], w['decoder.output.bias']),
    maps: () => ({ pattern: rowsOf(lab, patterns), scores: rowsOf(lab, scored) }),
    state: s,
  };
}

/** Rows of one query each as [batch][time][key]. @param {Lab} lab @param {Tensor[]} rows [batch][1][1][key] */
const rowsOf = (lab, rows) => lab.stack(rows.map((row) => lab.reshape(row, [row.axes.sizes[0], row.place.columns])));

/** [batch][time][feature] as attention of one head takes it. @param {Lab} lab @param {Tensor} x */
export function perHead(lab, x) {
  const [batch, time, feature] = x.axes.sizes;
  return lab.reshape(x, [batch, 1, time, feature]);
}
