/** The gated recurrent unit (Cho et al. 2014) with PyTorch's equations and names of weights. */
import { HeedError } from '../errors.js';
import { needProbability, needTensors, needWeights } from './arguments.js';
import { axisName, badShape, describe } from './axes.js';

/** @typedef {import('./tensor.js').Tensor} Tensor */
/** @typedef {import('./operations.js').Operations} Operations */
/** @typedef {import('./blocks.js').Weights} Weights */

/**
 * Options of a GRU.
 * @typedef {object} GruOptions
 * @property {boolean} [bidirectional]  whether there is a backward direction, too; default false
 * @property {ArrayLike<number> | null} [lengths]  length of each sequence, [batch]; outputs after the end are zeros;
 *   default the full time axis
 * @property {Tensor | null} [state]    initial state, [batch][layers·directions·hidden]; default zeros
 * @property {number} [dropout]         probability of dropout between layers, active inside `lab.step`; default 0
 */

/**
 * One time step of a GRU.
 * @see {@link import('./index.js').Lab.gruCell}
 * @param {Operations} lab @param {Tensor} x @param {Tensor} h @param {Weights} w
 * @returns {Tensor}
 */
export function gruCell(lab, x, h, w) {
  needTensors('gruCell', { x, h });
  needWeights('gruCell', w, ['weight_ih', 'weight_hh']);
  needGates('gruCell', w, 'weight_ih', 'weight_hh');
  const a = x.axes.sizes;
  const b = h.axes.sizes;
  if (a.length !== 2 || b.length !== 2 || a[0] !== b[0]) {
    throw badShape('gruCell', `expected x [batch][feature] and h [batch][hidden] with one batch size, got ` +
      `${describe(x.axes)} and ${describe(h.axes)}`);
  }
  return cell(lab, lab.linear(x, w.weight_ih, w.bias_ih), h, w.weight_hh, w.bias_hh, null, 0);
}

/** Checks the shapes of the weights of the three gates.
 *  @param {string} operation @param {Weights} w @param {string} ih @param {string} hh */
function needGates(operation, w, ih, hh) {
  needTensors(operation, { [ih]: w[ih], [hh]: w[hh] });
  const { place: inner } = w[ih];
  const { place: outer } = w[hh];
  if (outer.rows === 3 * outer.columns && inner.rows === outer.rows) return;
  throw badShape(operation, `${hh} is ${describe(w[hh].axes)} and ${ih} ${describe(w[ih].axes)}; they must be ` +
    '[3·hidden, hidden] and [3·hidden, feature]');
}

/** One time step, from the projected input.
 *  @param {Operations} lab @param {Tensor} input @param {Tensor} h @param {Tensor} weight @param {Tensor} bias
 *  @param {ArrayLike<number> | null} lengths @param {number} t */
function cell(lab, input, h, weight, bias, lengths, t) {
  return lab.run('gru', [input, lab.linear(h, weight, bias), h], { integers: [t], ids: lengths }, h.axes);
}

/**
 * GRU over a sequence.
 * @see {@link import('./index.js').Lab.gru}
 * @param {Operations} lab @param {Tensor} x @param {Weights} w @param {GruOptions} [options]
 * @returns {{ output: Tensor, state: Tensor }}
 */
export function gru(lab, x, w, { bidirectional = false, lengths = null, state = null, dropout = 0 } = {}) {
  needTensors('gru', { x, ...(state && { state }) });
  needProbability('gru', dropout);
  if (x.axes.sizes.length !== 3) {
    throw badShape('gru', `expected x [batch][time][feature], got ${describe(x.axes)}`);
  }
  if (lengths && lengths.length !== x.axes.sizes[0]) {
    throw badShape('gru', `got ${lengths.length ?? 'no'} lengths for a batch of ${x.axes.sizes[0]}; expected a ` +
      'list with one length per sequence');
  }
  const [, time] = x.axes.sizes;
  for (let i = 0; i < (lengths?.length ?? 0); i++) {
    const length = lengths?.[i];
    if (Number.isInteger(length) && Number(length) >= 0 && Number(length) <= time) continue;
    throw badShape('gru', `length ${length} of sequence ${i} is not in 0 … ${time}, the size of ` +
      axisName(x.axes, 1));
  }
  if (!bidirectional && w?.weight_hh_l0_reverse) {
    throw new HeedError('bad-argument', 'gru: the weights have a backward direction, ‘weight_hh_l0_reverse’. Add ' +
      'bidirectional: true, or leave them out.');
  }
  const directions = bidirectional ? ['', '_reverse'] : [''];
  const layers = Math.max(1, Object.keys(w ?? {}).filter((name) => /^weight_hh_l\d+$/.test(name)).length);
  const parts = Array.from({ length: layers }, (_, layer) => directions.map((suffix) => `l${layer}${suffix}`));
  needWeights('gru', w, parts.flat().flatMap((part) => [`weight_ih_${part}`, `weight_hh_${part}`]));
  for (const part of parts.flat()) needGates('gru', w, `weight_ih_${part}`, `weight_hh_${part}`);
  const first = state && initialStates(lab, x, w.weight_hh_l0, state, parts.flat());
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

/** Splits the initial state by layer and direction. @param {Operations} lab @param {Tensor} x @param {Tensor} weight
 *  @param {Tensor} state @param {string[]} parts @returns {Record<string, Tensor>} */
function initialStates(lab, x, weight, state, parts) {
  const hidden = weight.place.columns;
  const batch = x.axes.sizes[0];
  const { sizes } = state.axes;
  if (sizes.length !== 2 || sizes[0] !== batch || sizes[1] !== hidden * parts.length) {
    throw badShape('gru', `the state is ${describe(state.axes)}; it must be [${batch}, ${hidden * parts.length}], ` +
      `${hidden} for each of ${parts.join(', ')}`);
  }
  if (parts.length === 1) return { [parts[0]]: state };
  return Object.fromEntries(parts.map((part, i) => [part, lab.slice(state, 1, i * hidden, (i + 1) * hidden)]));
}

/** One direction of one layer.
 *  @param {Operations} lab @param {Tensor} x @param {Weights} w @param {string} part such as l0_reverse
 *  @param {ArrayLike<number> | null} lengths @param {Tensor | null} state */
function direction(lab, x, w, part, lengths, state) {
  const [batch, time] = x.axes.sizes;
  const { names } = x.axes;
  const weight = w[`weight_hh_${part}`];
  const bias = w[`bias_hh_${part}`];
  const inputs = lab.linear(x, w[`weight_ih_${part}`], w[`bias_ih_${part}`]);
  const hidden = { sizes: [batch, weight.place.columns], names: names && [names[0], names[2]] };
  let h = state ?? lab.empty(hidden, false);
  /** @type {Tensor[]} */
  const states = new Array(time);
  for (let i = 0; i < time; i++) {
    const t = part.endsWith('_reverse') ? time - 1 - i : i;
    states[t] = h = cell(lab, lab.slice(inputs, 1, t), h, weight, bias, lengths, t);
  }
  const output = lab.stack(states, names?.[1] ?? 'time');
  return { output: lengths ? lab.mul(output, present(lab, lengths, batch, time)) : output, state: h };
}

/** Mask of the positions within each sequence: [batch][time][1], 1 before its end and 0 after.
 *  @param {Operations} lab @param {ArrayLike<number>} lengths @param {number} batch @param {number} time */
function present(lab, lengths, batch, time) {
  const mask = Float32Array.from({ length: batch * time }, (_, i) => Number(i % time < lengths[Math.floor(i / time)]));
  return lab.tensor(mask, [batch, time, 1]);
}
