/**
 * The encoder–decoder without attention (Cho et al. 2014, arXiv:1406.1078), with the sizes and the encoder of
 * bahdanau.js.  One vector c = [→h_T; ←h_1] holds all of the source; s_i = GRU([y_{i-1}; c], s_{i-1});
 * p(y_i) = softmax(W·[s_i; c; y_{i-1}] + b).
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
    ...init.linear('decoder.bridge.', 2 * hidden, hidden),
    ...init.embedding('decoder.embedding.', target.length, embedding),
    ...init.gru('decoder.gru.', embedding + 2 * hidden, hidden),
    ...init.linear('decoder.output.', hidden + 2 * hidden + embedding, target.length),
  };
}

/** The memory is a single vector, stored as keys and values of one time step.
 *  @param {Lab} lab @param {Weights} w @param {RnnConfig} config @param {Padded} source @returns {Memory} */
export function encode(lab, w, { hidden, dropout = 0 }, { ids, lengths, shape }) {
  const x = lab.dropout(lab.embedding(w['encoder.embedding.weight'], ids, shape), dropout);
  const { state: c } = lab.gru(x, under(w, 'encoder.gru.'), { bidirectional: true, lengths });
  const only = lab.reshape(c, [shape.batch, 1, 1, 2 * hidden]);
  return {
    keys: only,
    values: only,
    lengths: new Int32Array(shape.batch).fill(1),
    state: lab.tanh(lab.linear(c, w['decoder.bridge.weight'], w['decoder.bridge.bias'])),
  };
}

/** @param {Lab} lab @param {Weights} w @param {RnnConfig} config @param {Memory} memory @param {Tensor} state
 *  @param {Padded} input @returns {Decoded} */
export function decode(lab, w, { hidden, dropout = 0 }, { values }, state, { ids, shape }) {
  const { batch, time } = shape;
  const y = lab.dropout(lab.embedding(w['decoder.embedding.weight'], ids, shape), dropout);
  const rows = Int32Array.from({ length: batch * time }, (_, i) => Math.floor(i / time));
  const c = lab.gather(lab.reshape(values, [batch, 2 * hidden]), rows, shape);
  const { output: s, state: last } = lab.gru(lab.concat([y, c], -1), under(w, 'decoder.gru.'), { state });
  const features = lab.dropout(lab.concat([s, c, y], -1), dropout);
  return {
    logits: lab.linear(features, w['decoder.output.weight'], w['decoder.output.bias']),
    maps: null,
    state: last,
  };
}
