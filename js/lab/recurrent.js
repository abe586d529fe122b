/** The gated recurrent unit (Cho et al. 2014), with PyTorch's equations and names of weights. */
import { needProbability, needTensors, needWeights } from './arguments.js';
import { axisName, badShape, describe } from './axes.js';

/** @typedef {import('./tensor.js').Tensor} Tensor */
/** @typedef {import('./operations.js').Operations} Operations */
/** @typedef {import('./blocks.js').Weights} Weights */

/**
 * One step: r = σ(W_ir·x + W_hr·h), z = σ(W_iz·x + W_hz·h), n = tanh(W_in·x + r·(W_hn·h)), h' = (1 - z)·n + z·h, with
 * biases.
 * @param {Operations} lab @param {Tensor} x [batch][feature] @param {Tensor} h [batch][hidden]
 * @param {Weights} w weight_ih [3·hidden][feature], weight_hh [3·hidden][hidden], bias_ih, bias_hh: gates r, z, n
 * @returns {Tensor} h' [batch][hidden]
 */
export function gruCell(lab, x, h, w) {
  needTensors('gruCell', { x, h });
  needWeights('gruCell', w, ['weight_ih', 'weight_hh']);
  needGates('gruCell', w, 'weight_ih', 'weight_hh');
  const [a, b] = [x.axes.sizes, h.axes.sizes];
  if (a.length !== 2 || b.length !== 2 || a[0] !== b[0]) {
    throw badShape('gruCell', `x is [batch][feature] and h [batch][hidden] of one batch; they are ` +
      `${describe(x.axes)} and ${describe(h.axes)}`);
  }
  return step(lab, lab.linear(x, w.weight_ih, w.bias_ih), h, w.weight_hh, w.bias_hh, null, 0);
}

/** Three gates of one width. @param {string} operation @param {Weights} w @param {string} ih @param {string} hh */
function needGates(operation, w, ih, hh) {
  needTensors(operation, { [ih]: w[ih], [hh]: w[hh] });
  const [{ place: inner }, { place: outer }] = [w[ih], w[hh]];
  if (outer.rows === 3 * outer.columns && inner.rows === outer.rows) return;
  throw badShape(operation, `${hh} is ${describe(w[hh].axes)} and ${ih} ${describe(w[ih].axes)}; they must be ` +
    '[3·hidden, hidden] and [3·hidden, feature]');
}

/** @param {Operations} lab @param {Tensor} input @param {Tensor} h @param {Tensor} weight @param {Tensor} bias
 *  @param {ArrayLike<number> | null} lengths @param {number} t */
function step(lab, input, h, weight, bias, lengths, t) {
  return lab.run('gru', [input, lab.linear(h, weight, bias), h], { integers: [t], ids: lengths }, h.axes);
}

/**
 * Whole sequences, in one direction or both, through as many layers as there are weights of: each reads what the one
 * before it has written.
 * @param {Operations} lab @param {Tensor} x [batch][time][feature]
 * @param {Weights} w weight_ih_l0, weight_hh_l0, bias_ih_l0, bias_hh_l0, those with _reverse where bidirectional, and
 *   those of _l1 … where there are more layers (nn.GRU)
 * @param {object} [options]
 * @param {boolean} [options.bidirectional]
 * @param {ArrayLike<number> | null} [options.lengths]  of each sequence of the batch; what comes after its end is zeros
 * @param {Tensor | null} [options.state]  [batch][layers·directions·hidden] to begin with; zeros unless given
 * @param {number} [options.dropout]  of what one layer hands to the next, while learning
 * @returns {{ output: Tensor, state: Tensor }} output [batch][time][hidden], or [2·hidden]: forward, then backward, of
 *   the last layer; state [batch][layers·directions·hidden]: of each layer and direction after the last step that it
 *   takes, layer after layer, as h_n of nn.GRU is
 */
export function gru(lab, x, w, { bidirectional = false, lengths = null, state = null, dropout = 0 } = {}) {
  needTensors('gru', { x, ...(state && { state }) });
  needProbability('gru', dropout);
  if (x.axes.sizes.length !== 3) {
    throw badShape('gru', `x is [batch][time][feature]; it has ${describe(x.axes)}`);
  }
  if (lengths && lengths.length !== x.axes.sizes[0]) {
    throw badShape('gru', `there are ${lengths.length ?? 'no'} lengths for a batch of ${x.axes.sizes[0]}; it takes a ` +
      'list, one for each sequence');
  }
  const [, time] = x.axes.sizes;
  for (let i = 0; i < (lengths?.length ?? 0); i++) {
    const length = lengths?.[i];
    if (Number.isInteger(length) && Number(length) >= 0 && Number(length) <= time) continue;
    throw badShape('gru', `length ${length} of sequence ${i} is none of 0 … ${time}, which ${axisName(x.axes, 1)} has`);
  }
  const directions = bidirectional ? ['', '_reverse'] : [''];
  const layers = Math.max(1, Object.keys(w ?? {}).filter((name) => /^weight_hh_l\d+$/.test(name)).length);
  const parts = Array.from({ length: layers }, (_, layer) => directions.map((suffix) => `l${layer}${suffix}`));
  needWeights('gru', w, parts.flat().flatMap((part) => [`weight_ih_${part}`, `weight_hh_${part}`]));
  for (const part of parts.flat()) needGates('gru', w, `weight_ih_${part}`, `weight_hh_${part}`);
  const first = state && beginnings(lab, x, w.weight_hh_l0, state, parts.flat());
  /** @type {Tensor[]} */
  const last = [];
  let output = x;
  for (const [layer, names] of parts.entries()) {
    const input = layer > 0 ? lab.dropout(output, dropout) : output;
    const both = names.map((part) => direction(lab, input, w, part, lengths, first && first[part]));
    output = bidirectional ? lab.concat(both.map((one) => one.output), -1) : both[0].output;
    last.push(...both.map((one) => one.state));
  }
  return { output, state: last.length > 1 ? lab.concat(last, -1) : last[0] };
}

/** The state of each layer and direction. @param {Operations} lab @param {Tensor} x @param {Tensor} weight
 *  @param {Tensor} state @param {string[]} parts @returns {Record<string, Tensor>} */
function beginnings(lab, x, weight, state, parts) {
  const [hidden, batch] = [weight.place.columns, x.axes.sizes[0]];
  const { sizes } = state.axes;
  if (sizes.length !== 2 || sizes[0] !== batch || sizes[1] !== hidden * parts.length) {
    throw badShape('gru', `the state is ${describe(state.axes)}; it must be [${batch}, ${hidden * parts.length}], ` +
      `${hidden} for each of ${parts.join(', ')}`);
  }
  if (parts.length === 1) return { [parts[0]]: state };
  return Object.fromEntries(parts.map((part, i) => [part, lab.slice(state, 1, i * hidden, (i + 1) * hidden)]));
}

/** @param {Operations} lab @param {Tensor} x @param {Weights} w @param {string} part such as l0_reverse
 *  @param {ArrayLike<number> | null} lengths @param {Tensor | null} state */
function direction(lab, x, w, part, lengths, state) {
  const [batch, time] = x.axes.sizes;
  const { names } = x.axes;
  const [weight, bias] = [w[`weight_hh_${part}`], w[`bias_hh_${part}`]];
  const inputs = lab.linear(x, w[`weight_ih_${part}`], w[`bias_ih_${part}`]);
  const hidden = { sizes: [batch, weight.place.columns], names: names && [names[0], names[2]] };
  let h = state ?? lab.empty(hidden, false);
  /** @type {Tensor[]} */
  const states = new Array(time);
  for (let i = 0; i < time; i++) {
    const t = part.endsWith('_reverse') ? time - 1 - i : i;
    states[t] = h = step(lab, lab.slice(inputs, 1, t), h, weight, bias, lengths, t);
  }
  const output = lab.stack(states, names?.[1] ?? 'time');
  return { output: lengths ? lab.mul(output, present(lab, lengths, batch, time)) : output, state: h };
}

/** 1 where a sequence has not ended: [batch][time][1].
 *  @param {Operations} lab @param {ArrayLike<number>} lengths @param {number} batch @param {number} time */
function present(lab, lengths, batch, time) {
  const mask = Float32Array.from({ length: batch * time }, (_, i) => Number(i % time < lengths[Math.floor(i / time)]));
  return lab.tensor(mask, [batch, time, 1]);
}
