/**
 * Attention of Luong, Pham and Manning (2015, arXiv:1508.04025).  The h_j are states of a unidirectional GRU.
 * s_i = GRU(y_{i-1}, s_{i-1}); α_i = softmax_j(score(s_i, h_j)); c_i = Σ_j α_ij·h_j; s̃_i = tanh(W_c·[c_i; s_i]);
 * p(y_i) = softmax(W·s̃_i + b).
 *
 * With input feeding s_i = GRU([y_{i-1}; s̃_{i-1}], s_{i-1}), so positions of a target wait for each other. Without it
 * all of them attend at once.  Local attention sees only the h_j with |j - p_i| ≤ D.  Local-m has p_i = i.  Local-p has
 * p_i = S·σ(v_p·tanh(W_p·s_i)), where S is the number of source symbols.  It multiplies α_ij by exp(-(j - p_i)² / 2σ²)
 * with σ = D/2.
 */
import { HeedError } from '../../errors.js';
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
 * @typedef {import('./rnn-seq2seq.js').DecodeOptions} DecodeOptions
 */

/** Of score(s, h): sᵀ·h; sᵀ·W·h (the paper's ‘general’); v_a·tanh(W_a·[s; h]); the location score (W_a·s)_j, which
 *  does not depend on h_j.
 *  @type {Record<'dot' | 'bilinear' | 'concat' | 'location', (init: Lab['init'], config: RnnConfig) => Weights>} */
const SCORES = {
  dot: () => ({}),
  bilinear: (init, { hidden }) => init.linear('attention.W.', hidden, hidden, { bias: false }),
  concat: (init, { hidden }) => ({
    ...init.linear('attention.W_a.', 2 * hidden, hidden, { bias: false }),
    ...init.linear('attention.v_a.', hidden, 1, { bias: false }),
  }),
  location: (init, { hidden, longestSource = 1 }) =>
    init.linear('attention.W_a.', hidden, longestSource, { bias: false }),
};

/** @param {Lab} lab @param {RnnConfig} config @returns {Weights} */
export function weights({ init }, config) {
  const { embedding, hidden, source, target, score, inputFeeding, scope } = config;
  return {
    ...init.embedding('encoder.embedding.', source.length, embedding),
    ...init.gru('encoder.gru.', embedding, hidden),
    ...init.embedding('decoder.embedding.', target.length, embedding),
    ...(inputFeeding ? init.gruCell('decoder.gru.', embedding + hidden, hidden)
      : init.gru('decoder.gru.', embedding, hidden)),
    ...SCORES[/** @type {keyof typeof SCORES} */ (score)](init, config),
    ...(scope === 'local-p' && {
      ...init.linear('attention.W_p.', hidden, hidden, { bias: false }),
      ...init.linear('attention.v_p.', hidden, 1, { bias: false }),
    }),
    ...init.linear('decoder.W_c.', 2 * hidden, hidden, { bias: false }),
    ...init.linear('decoder.output.', hidden, target.length),
  };
}

/** @param {Lab} lab @param {Weights} w @param {RnnConfig} config @param {Padded} source @returns {Memory} */
export function encode(lab, w, config, { ids, lengths, shape }) {
  const { dropout = 0, hidden, inputFeeding } = config;
  const x = lab.dropout(lab.embedding(w['encoder.embedding.weight'], ids, shape), dropout);
  const { output, state } = lab.gru(x, under(w, 'encoder.gru.'), { lengths });
  const values = perHead(lab, output);
  const first = () => lab.tensor(new Float32Array(shape.batch * hidden), [shape.batch, hidden]);
  return {
    keys: keysOf(lab, w, config, output, shape) ?? values,
    values,
    lengths,
    state: inputFeeding ? lab.concat([state, first()], 1) : state,
  };
}

/** Keys whose dot product with a query is the score, if they are not the h_j: W·h_j, computed once, or positions.
 *  @param {Lab} lab @param {Weights} w @param {RnnConfig} config @param {Tensor} h @param {Padded['shape']} shape */
function keysOf(lab, w, config, h, shape) {
  if (config.score === 'bilinear') return perHead(lab, lab.linear(h, w['attention.W.weight']));
  return config.score === 'location' ? positions(lab, config, shape) : null;
}

/** Positions as keys: the dot product of W_a·s with key j is (W_a·s)_j.
 *  @param {Lab} lab @param {RnnConfig} config @param {Padded['shape']} shape */
function positions(lab, { longestSource = 1 }, { batch, time }) {
  if (time > longestSource) {
    throw new HeedError('too-large', `The location score has weights for ${longestSource} source symbols; there are ` +
      `${time}.`);
  }
  const data = new Float32Array(batch * time * longestSource);
  for (let i = 0; i < batch * time; i++) data[i * longestSource + (i % time)] = 1;
  return lab.tensor(data, [batch, 1, time, longestSource]);
}

/** The state is s, with input feeding [s; s̃].
 *  @param {Lab} lab @param {Weights} w @param {RnnConfig} config @param {Memory} memory @param {Tensor} state
 *  @param {Padded} input @param {DecodeOptions} [options] @returns {Decoded} */
export function decode(lab, w, config, memory, state, { ids, shape: { batch, time } }, { past = 0, edit } = {}) {
  const { hidden, inputFeeding, dropout = 0 } = config;
  const y = lab.dropout(lab.embedding(w['decoder.embedding.weight'], ids, { batch, time }), dropout);
  const gru = under(w, 'decoder.gru.');
  /** @type {ReturnType<typeof attend>[]} */
  const steps = [];
  let last = state;
  if (inputFeeding) {
    for (let i = 0; i < time; i++) {
      const [before, fed] = [0, 1].map((part) => lab.slice(last, 1, part * hidden, (part + 1) * hidden));
      const s = lab.gruCell(lab.concat([lab.slice(y, 1, i), fed], 1), before, gru);
      const step = attend(lab, w, config, memory, lab.reshape(s, [batch, 1, hidden]), { past: past + i, edit });
      last = lab.concat([s, lab.reshape(step.combined, [batch, hidden])], 1);
      steps.push(step);
    }
  } else {
    const { output, state: after } = lab.gru(y, gru, { state });
    last = after;
    steps.push(attend(lab, w, config, memory, output, { past, edit }));
  }
  const all = (/** @type {'combined' | 'pattern' | 'scores' | 'centers'} */ part) =>
    lab.concat(steps.map((step) => /** @type {Tensor} */ (step[part])), 1);
  return {
    logits: lab.linear(lab.dropout(all('combined'), dropout), w['decoder.output.weight'], w['decoder.output.bias']),
    maps: () => ({ pattern: all('pattern'), scores: all('scores') }),
    state: last,
    ...(steps[0].centers && { centers: () => lab.reshape(all('centers'), [batch, time]) }),
  };
}

/** Attention of states s_i, where `past` others came before.
 *  @param {Lab} lab @param {Weights} w @param {RnnConfig} config @param {Memory} memory
 *  @param {Tensor} s [batch][time][hidden] @param {DecodeOptions & { past: number }} options */
function attend(lab, w, config, { keys, values, lengths }, s, { past, edit }) {
  const { score, scope = 'global' } = config;
  const [batch, time] = s.axes.sizes;
  const { 'attention.W_a.weight': W_a, 'attention.v_a.weight': v_a } = w;
  const scoring = score === 'concat' ? { score, weights: { W_a, v_a } } : { score: /** @type {const} */ ('dot') };
  const queries = score === 'location' ? lab.linear(s, W_a) : s;
  const local = scope === 'global' ? null : windowOf(lab, w, config, lengths, s, keys.axes.sizes[2], past);
  const edits = [local?.weigh, edit && ((/** @type {Tensor} */ pattern) =>
    edit(pattern, { of: 'decoder.cross_attn', layer: 0, first: past }))].filter((each) => each !== undefined);
  const attended = lab.attention(perHead(lab, queries), keys, values, { ...scoring, lengths,
    ...(local && { mask: local.mask }),
    ...(edits.length > 0 && { edit: (pattern) => edits.reduce((x, change) => change(x), pattern) }) });
  const c = lab.reshape(attended.output, s.axes);
  const rows = (/** @type {Tensor} */ x) => lab.reshape(x, [batch, time, keys.axes.sizes[2]]);
  return {
    combined: lab.tanh(lab.linear(lab.concat([c, s], -1), w['decoder.W_c.weight'])),
    pattern: rows(attended.pattern),
    scores: rows(attended.scores),
    centers: local?.centers,
  };
}

/** The windows of local attention: their centers p_i, counted from 1, and a mask of the symbols outside. Local-p also
 *  has a function that multiplies a pattern by the Gaussian.
 *  @param {Lab} lab @param {Weights} w @param {RnnConfig} config @param {ArrayLike<number>} lengths
 *  @param {Tensor} s [batch][time][hidden] @param {number} keys @param {number} past
 *  @returns {{ centers: Tensor, mask: Tensor, weigh?: (pattern: Tensor) => Tensor }} */
function windowOf(lab, w, { scope, window: reach = 1 }, lengths, s, keys, past) {
  const [batch, time] = s.axes.sizes;
  const predicted = scope === 'local-p';
  const centers = predicted ? predictedCenters(lab, w, lengths, s)
    : lab.tensor(Float32Array.from({ length: batch * time }, (_, i) => past + (i % time) + 1), [batch, time, 1]);
  const inside = Float32Array.from({ length: batch * time * keys }, (_, i) =>
    Number(Math.abs((i % keys) + 1 - centers.data[Math.floor(i / keys)]) <= reach));
  const mask = lab.tensor(inside.map((seen) => (seen ? 0 : -Infinity)), [batch, 1, time, keys]);
  if (!predicted) return { centers, mask };
  const each = lab.tensor(Float32Array.from({ length: keys }, (_, j) => j + 1), [1, 1, keys]);
  const distance = lab.sub(each, centers);
  const exponent = lab.scale(lab.mul(distance, distance), -2 / reach ** 2); // 1 / 2σ² with σ = D/2
  const gaussian = exponential(lab, lab.mul(exponent, lab.tensor(inside, [batch, time, keys])));
  return { centers, mask, weigh: (pattern) => lab.mul(pattern, lab.reshape(gaussian, pattern.axes)) };
}

/** S·σ(v_p·tanh(W_p·s)). @param {Lab} lab @param {Weights} w @param {ArrayLike<number>} lengths @param {Tensor} s */
function predictedCenters(lab, w, lengths, s) {
  const hidden = lab.tanh(lab.linear(s, w['attention.W_p.weight']));
  const share = lab.sigmoid(lab.linear(hidden, w['attention.v_p.weight']));
  return lab.mul(share, lab.tensor(Float32Array.from(lengths), [lengths.length, 1, 1]));
}

/** Terms of the series of e^x, the last first. */
const SERIES = [1 / 120, 1 / 24, 1 / 6, 1 / 2, 1, 1];

/** e^x for -2 ≤ x ≤ 0 as (e^(x/16))^16, because the lab has no exponential; relative error below 10⁻⁶.
 *  @param {Lab} lab @param {Tensor} x */
function exponential(lab, x) {
  const small = lab.scale(x, 1 / 16);
  let y = lab.scale(small, SERIES[0], SERIES[1]);
  for (const term of SERIES.slice(2)) y = lab.scale(lab.mul(y, small), 1, term);
  for (let power = 1; power < 16; power *= 2) y = lab.mul(y, y);
  return y;
}
