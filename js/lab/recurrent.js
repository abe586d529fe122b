/** The gated recurrent unit (Cho et al. 2014), with PyTorch's equations and names of weights. */
import { badShape, describe } from './axes.js';

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
  return step(lab, lab.linear(x, w.weight_ih, w.bias_ih), h, w.weight_hh, w.bias_hh, null, 0);
}

/** @param {Operations} lab @param {Tensor} input @param {Tensor} h @param {Tensor} weight @param {Tensor} bias
 *  @param {ArrayLike<number> | null} lengths @param {number} t */
function step(lab, input, h, weight, bias, lengths, t) {
  return lab.run('gru', [input, lab.linear(h, weight, bias), h], { integers: [t], ids: lengths }, h.axes);
}

/**
 * A whole sequence, in one direction or both.
 * @param {Operations} lab @param {Tensor} x [batch][time][feature]
 * @param {Weights} w weight_ih_l0, weight_hh_l0, bias_ih_l0, bias_hh_l0, and those with _reverse where bidirectional
 * @param {{ bidirectional?: boolean, lengths?: ArrayLike<number> | null, state?: Tensor | null }} [options]
 *   lengths: of each sequence of the batch; what comes after its end is zeros.  state: [batch][hidden] of the start
 * @returns {{ output: Tensor, state: Tensor }} output [batch][time][hidden], or [2·hidden]: forward, then backward;
 *   state [batch][hidden], or [2·hidden]: of each direction, after the last step that it takes
 */
export function gru(lab, x, w, { bidirectional = false, lengths = null, state = null } = {}) {
  if (x.axes.sizes.length !== 3) {
    throw badShape('gru', `x is [batch][time][feature]; it has ${describe(x.axes)}`);
  }
  const forward = direction(lab, x, w, '', lengths, state);
  if (!bidirectional) return forward;
  const backward = direction(lab, x, w, '_reverse', lengths, state);
  return {
    output: lab.concat([forward.output, backward.output], -1),
    state: lab.concat([forward.state, backward.state], -1),
  };
}

/** @param {Operations} lab @param {Tensor} x @param {Weights} w @param {string} suffix
 *  @param {ArrayLike<number> | null} lengths @param {Tensor | null} state */
function direction(lab, x, w, suffix, lengths, state) {
  const [batch, time] = x.axes.sizes;
  const { names } = x.axes;
  const [weight, bias] = [w[`weight_hh_l0${suffix}`], w[`bias_hh_l0${suffix}`]];
  const inputs = lab.linear(x, w[`weight_ih_l0${suffix}`], w[`bias_ih_l0${suffix}`]);
  const hidden = { sizes: [batch, weight.place.columns], names: names && [names[0], names[2]] };
  let h = state ?? lab.empty(hidden, false);
  /** @type {Tensor[]} */
  const states = new Array(time);
  for (let i = 0; i < time; i++) {
    const t = suffix ? time - 1 - i : i;
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
