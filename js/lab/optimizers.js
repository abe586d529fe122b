/** Optimizers, gradient clipping and learning-rate schedules. */
import { HeedError } from '../errors.js';
import { needOptions } from '../options.js';
import { kindOf, needInRange, needNumbers, needTensors } from './arguments.js';
import { product } from './axes.js';

/** @typedef {import('./tensor.js').Tensor} Tensor */
/** @typedef {import('./operations.js').Operations} Operations */
/** @typedef {import('./blocks.js').Weights} Weights */

/**
 * Options of AdamW.
 * @typedef {object} AdamWOptions
 * @property {number} [rate]             learning rate; default 1e-3
 * @property {readonly [number, number]} [betas]  decay of the first and second moment, each from 0 to less than 1;
 *   default [0.9, 0.999]
 * @property {number} [eps]              addend of the denominator; default 1e-8
 * @property {number} [weightDecay]      decoupled weight decay; default 0.01
 * @property {(parameter: Tensor) => boolean} [decays]  whether a parameter decays; default all
 */

/**
 * Options of SGD.
 * @typedef {object} SGDOptions
 * @property {number} [rate]         learning rate; default 1e-2
 * @property {number} [momentum]     decay of the momentum buffer; default 0, which keeps no buffer
 * @property {number} [weightDecay]  L2 penalty, added to the gradient; default 0
 */

/** @param {Weights | Tensor[]} parameters @returns {[string, Tensor][]} */
const named = (parameters) =>
  (Array.isArray(parameters) ? parameters.map((p, i) => [p.name || String(i), p]) : Object.entries(parameters));

/** Base of the optimizers: parameters, their state, and the learning rate. */
class Optimizer {
  /** Number of steps taken. A resumed training sets it. */
  steps = 0;

  /**
   * @param {Operations} lab
   * @param {Weights | Tensor[]} parameters
   * @param {string[]} kept  names of the state tensors of each parameter
   * @param {number} rate
   * @internal
   */
  constructor(lab, parameters, kept, rate) {
    if (lab.inStep) {
      throw new HeedError('bad-argument', 'Make the optimizer before the first step: a step frees the tensors that ' +
        'it makes.');
    }
    if (!parameters || named(parameters).length === 0) {
      throw new HeedError('bad-argument', 'An optimizer needs trainable parameters, such as the weights of lab.init.');
    }
    needInRange('an optimizer', { rate }, { least: 0 });
    this.lab = lab;
    /** Learning rate. Set it before a step to follow a schedule. */
    this.rate = rate;
    this.parameters = named(parameters).map(([name, parameter]) => {
      needTensors('an optimizer', { [`‘${name}’`]: parameter });
      if (!parameter.belongsTo(lab)) {
        throw new HeedError('bad-argument', `‘${name}’ belongs to another lab; that lab must make the optimizer.`);
      }
      if (!parameter.place.grad) {
        throw new HeedError('bad-argument', `‘${name}’ has no gradient: make it with lab.parameter.`);
      }
      lab.trainable.add(parameter); // backward clears the gradient after the optimizer has consumed it
      const state = lab.countedAs('optimizers', () => kept.map(() => lab.empty(parameter.axes, false)));
      return { name, parameter, state };
    });
    this.kept = kept;
  }

  /**
   * State tensors by name, to be saved with the parameters: `exp_avg` and `exp_avg_sq` of AdamW, `momentum_buffer` of
   * SGD with momentum.
   * @returns {Weights} tensors named `<parameter>.<state>`, each with the parameter's shape
   */
  get state() {
    return Object.fromEntries(this.parameters.flatMap(({ name, state }) =>
      state.map((tensor, i) => [`${name}.${this.kept[i]}`, tensor])));
  }

  /**
   * Updates every parameter that has a gradient from `lab.backward` since the last step. It consumes the gradients: the
   * next `lab.backward` starts from zero.
   * @throws {HeedError} 'not-finite' if a gradient is NaN or infinite, before any parameter changes; 'bad-argument' if
   *   `rate` is not a number of 0 or more
   */
  step() {
    needNumbers('an optimizer', { rate: this.rate });
    needInRange('an optimizer', { rate: this.rate }, { least: 0 });
    const reached = this.parameters.filter(({ parameter }) => !parameter.used); // has a gradient since the last step
    const unchecked = reached.filter(({ parameter }) => !parameter.checked);
    this.lab.checkedSquaredNorm(unchecked.map(({ name, parameter }) => [name, parameter]));
    this.steps++;
    for (const { parameter, state } of reached) {
      this.update(parameter, state);
      parameter.used = true;
    }
  }

  /** Updates one parameter. @param {Tensor} _parameter @param {Tensor[]} _state @internal */
  update(_parameter, _state) {}
}

/**
 * Adam with decoupled weight decay, with PyTorch's equations.
 * @see Loshchilov and Hutter 2019 (arXiv:1711.05101), algorithm 2
 */
export class AdamW extends Optimizer {
  #options;

  /** @param {Operations} lab @param {Weights | Tensor[]} parameters @param {AdamWOptions} [options] @internal */
  constructor(lab, parameters, options = {}) {
    needOptions('adamW', options, ['rate', 'betas', 'eps', 'weightDecay', 'decays']);
    const { rate = 1e-3, betas = [0.9, 0.999], eps = 1e-8, weightDecay = 0.01, decays = () => true } = options;
    needBetas(betas);
    needInRange('adamW', { eps, weightDecay }, { least: 0 });
    super(lab, parameters, ['exp_avg', 'exp_avg_sq'], rate);
    this.#options = { betas, eps, weightDecay, decays };
  }

  /** @override @param {Tensor} parameter @param {Tensor[]} state */
  update(parameter, state) {
    const { betas: [first, second], eps, weightDecay, decays } = this.#options;
    const floats = [this.rate, first, second, eps, decays(parameter) ? weightDecay : 0, 1 - first ** this.steps,
      1 - second ** this.steps];
    this.lab.update('adamw', parameter, state, floats);
  }
}

/** @param {unknown} betas */
function needBetas(betas) {
  const two = Array.isArray(betas) && betas.length === 2;
  if (two && betas.every((beta) => typeof beta === 'number' && beta >= 0 && beta < 1)) return;
  throw new HeedError('bad-argument', `adamW: betas is ${two ? `[${betas}]` : kindOf(betas)}; expected two numbers, ` +
    'each 0 or more and less than 1.');
}

/** Stochastic gradient descent with optional momentum, with PyTorch's equations. */
export class SGD extends Optimizer {
  #options;

  /** @param {Operations} lab @param {Weights | Tensor[]} parameters @param {SGDOptions} [options] @internal */
  constructor(lab, parameters, options = {}) {
    needOptions('sgd', options, ['rate', 'momentum', 'weightDecay']);
    const { rate = 1e-2, momentum = 0, weightDecay = 0 } = options;
    needInRange('sgd', { momentum, weightDecay }, { least: 0 });
    super(lab, parameters, momentum ? ['momentum_buffer'] : [], rate);
    this.#options = { momentum, weightDecay };
  }

  /** @override @param {Tensor} parameter @param {Tensor[]} state */
  update(parameter, state) {
    const { momentum, weightDecay } = this.#options;
    this.lab.update('sgd', parameter, state, [this.rate, momentum, weightDecay]);
  }
}

/**
 * Scales all gradients by one factor, so that their common L2 norm is at most `limit`.
 * @see {@link import('./index.js').Lab.clipGradients}
 * @param {Operations} lab @param {Weights | Tensor[]} parameters @param {number} limit
 * @returns {number} the norm before scaling
 */
export function clipGradients(lab, parameters, limit) {
  needNumbers('clipGradients', { limit });
  if (limit !== Infinity) needInRange('clipGradients', { limit }, { above: 0 });
  const reached = named(parameters).filter(([, parameter]) => !parameter.used);
  const norm = Math.sqrt(lab.checkedSquaredNorm(reached));
  if (!Number.isFinite(norm)) throw lab.notFinite('the common norm of all gradients is not finite');
  const factor = limit / (norm + 1e-6);
  if (factor < 1) for (const [, parameter] of reached) lab.update('scale_gradient', parameter, [], [factor]);
  return norm;
}

/**
 * Options of a schedule with warm-up and decay.
 * @typedef {object} ScheduleOptions
 * @property {number} rate      largest learning rate
 * @property {number} [warmup]  number of steps in which the rate rises from 0; default 0
 * @property {number} total     step at which the rate reaches `floor`
 * @property {number} [floor]   final learning rate; default 0
 */

/** Linear warm-up from 0, then decay.
 *  @param {string} call @param {ScheduleOptions} options
 *  @param {(rate: number, floor: number, done: number) => number} decay  done: progress of the decay, from 0 to 1
 *  @returns {(step: number) => number} */
function warmupThenDecay(call, options, decay) {
  needOptions(call, options ?? null, ['rate', 'warmup', 'total', 'floor']);
  const { rate, warmup = 0, total, floor = 0 } = options;
  needNumbers(call, { rate, total });
  needInRange(call, { rate, warmup, total, floor }, { least: 0 });
  return (step) => {
    if (step < warmup) return (rate * (step + 1)) / (warmup + 1);
    return decay(rate, floor, Math.min(1, (step - warmup) / Math.max(1, total - warmup)));
  };
}

/** Learning-rate schedules: each makes a function from the step, counted from 0, to the learning rate. */
export const schedules = {
  /**
   * Constant learning rate.
   * @param {number} rate  learning rate
   * @returns {(step: number) => number} learning rate by step
   * @throws {HeedError} 'bad-argument'
   */
  constant: (rate) => {
    needInRange('constant', { rate: rate ?? NaN }, { least: 0 });
    return () => rate;
  },
  /**
   * Linear warm-up, then half a cosine down to `floor` at `total`.
   * @param {ScheduleOptions} options
   * @returns {(step: number) => number} learning rate by step
   * @throws {HeedError} 'bad-argument'
   * @see Loshchilov and Hutter 2017 (arXiv:1608.03983), equation 5
   */
  cosine: (options) => warmupThenDecay('cosine', options, (rate, floor, done) =>
    floor + 0.5 * (rate - floor) * (1 + Math.cos(Math.PI * done))),
  /**
   * Linear warm-up, then linear decay to `floor` at `total`.
   * @param {ScheduleOptions} options
   * @returns {(step: number) => number} learning rate by step
   * @throws {HeedError} 'bad-argument'
   */
  linear: (options) => warmupThenDecay('linear', options, (rate, floor, done) => rate + (floor - rate) * done),
  /**
   * Schedule of the original Transformer: factor·width^-½·min(step^-½, step·warmup^-1.5), with steps counted from 1.
   * @param {{ width: number, warmup: number, factor?: number }} options  width: features of the model; warmup: steps
   *   until the largest rate; factor: multiplier, default 1
   * @returns {(step: number) => number} learning rate by step
   * @throws {HeedError} 'bad-argument'
   * @see Vaswani et al. 2017, equation 3
   */
  noam: (options) => {
    needOptions('noam', options ?? null, ['width', 'warmup', 'factor']);
    const { width, warmup, factor = 1 } = options;
    needNumbers('noam', { width, warmup });
    needInRange('noam', { width, warmup, factor }, { above: 0 });
    return (/** @type {number} */ step) =>
      factor * width ** -0.5 * Math.min((step + 1) ** -0.5, (step + 1) * warmup ** -1.5);
  },
};

/**
 * Number of trainable numbers.
 * @param {Weights | Tensor[]} parameters  tensors by name, or a list
 * @returns {number} sum of the sizes of all tensors
 */
export const countParameters = (parameters) =>
  named(parameters).reduce((sum, [, { axes }]) => sum + product(axes.sizes), 0);
