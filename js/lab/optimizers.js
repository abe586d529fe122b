/** How parameters follow their gradients, and how fast. */
import { HeedError } from '../errors.js';
import { needOptions } from '../options.js';
import { kindOf, needInRange, needNumbers, needTensors } from './arguments.js';
import { product } from './axes.js';

/** @typedef {import('./tensor.js').Tensor} Tensor */
/** @typedef {import('./operations.js').Operations} Operations */
/** @typedef {import('./blocks.js').Weights} Weights */

/** @param {Weights | Tensor[]} parameters @returns {[string, Tensor][]} */
const named = (parameters) =>
  (Array.isArray(parameters) ? parameters.map((p, i) => [p.name || String(i), p]) : Object.entries(parameters));

/** What optimisers share: state beside each parameter, which a checkpoint can hold. */
class Optimiser {
  /** Steps taken. */
  steps = 0;

  /** @param {Operations} lab @param {Weights | Tensor[]} parameters @param {string[]} kept names of the state
   *  @param {number} rate */
  constructor(lab, parameters, kept, rate) {
    if (lab.inStep) throw new HeedError('bad-argument', 'Make the optimiser before the first step: its state stays.');
    if (!parameters || named(parameters).length === 0) {
      throw new HeedError('bad-argument', 'An optimiser takes the parameters that learn, such as those of lab.init.');
    }
    needInRange('an optimiser', { rate }, { least: 0 });
    this.lab = lab;
    /** The learning rate: set it before a step to follow a schedule. */
    this.rate = rate;
    this.parameters = named(parameters).map(([name, parameter]) => {
      needTensors('an optimiser', { [`‘${name}’`]: parameter });
      if (!parameter.belongsTo(lab)) {
        throw new HeedError('bad-argument', `‘${name}’ is a parameter of another lab, which must make its optimiser.`);
      }
      if (!parameter.place.grad) throw new HeedError('bad-argument', `‘${name}’ learns nothing: make it a parameter.`);
      lab.learning.add(parameter); // each backward begins its gradient anew, once it is used
      const state = lab.making('optimisers', () => kept.map(() => lab.empty(parameter.axes, false)));
      return { name, parameter, state };
    });
    this.kept = kept;
  }

  /** Its state by name, to be saved with the parameters. @returns {Weights} */
  get state() {
    return Object.fromEntries(this.parameters.flatMap(({ name, state }) =>
      state.map((tensor, i) => [`${name}.${this.kept[i]}`, tensor])));
  }

  /** One step for all parameters; their gradients are used up by it.
   *  @throws {HeedError} 'not-finite' before anything is changed, where a gradient is no number */
  step() {
    needNumbers('an optimiser', { rate: this.rate });
    needInRange('an optimiser', { rate: this.rate }, { least: 0 });
    const reached = this.parameters.filter(({ parameter }) => !parameter.used); // by a backward since
    const unchecked = reached.filter(({ parameter }) => !parameter.checked);
    this.lab.checkedSquares(unchecked.map(({ name, parameter }) => [name, parameter]));
    this.steps++;
    for (const { parameter, state } of reached) {
      this.update(parameter, state);
      parameter.used = true;
    }
  }

  /** @param {Tensor} _parameter @param {Tensor[]} _state */
  update(_parameter, _state) {}
}

/** Decoupled weight decay (Loshchilov and Hutter 2019), PyTorch's equations. */
export class AdamW extends Optimiser {
  #options;

  /** @param {Operations} lab @param {Weights | Tensor[]} parameters
   *  @param {{ rate?: number, betas?: [number, number], eps?: number, weightDecay?: number,
   *    decays?: (parameter: Tensor) => boolean }} [options] decays: which parameters decay; all unless told */
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
  throw new HeedError('bad-argument', `adamW: betas is ${two ? `[${betas}]` : kindOf(betas)}; they are two numbers, ` +
    'each 0 or more and less than 1.');
}

/** Stochastic gradient descent, with momentum where asked for. */
export class SGD extends Optimiser {
  #options;

  /** @param {Operations} lab @param {Weights | Tensor[]} parameters
   *  @param {{ rate?: number, momentum?: number, weightDecay?: number }} [options] */
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
 * Scales all gradients so that their common norm is at most `limit` (Pascanu et al. 2013).
 * @param {Operations} lab @param {Weights | Tensor[]} parameters @param {number} limit  Infinity only measures
 * @returns {number} the norm before
 * @throws {HeedError} 'not-finite' with the step, the first parameter whose gradient is no number, and the operation
 *   that made it so
 */
export function clipGradients(lab, parameters, limit) {
  needNumbers('clipGradients', { limit });
  if (limit !== Infinity) needInRange('clipGradients', { limit }, { above: 0 });
  const learning = named(parameters).filter(([, parameter]) => !parameter.used);
  const all = learning.map(([, parameter]) => parameter);
  const norm = Math.sqrt(lab.checkedSquares(learning));
  if (!Number.isFinite(norm)) throw lab.notFinite('the norm of all gradients together is no finite number');
  const factor = limit / (norm + 1e-6);
  if (factor < 1) for (const parameter of all) lab.update('shrink', parameter, [], [factor]);
  return norm;
}

/** @typedef {{ rate: number, warmup?: number, total: number, floor?: number }} Fall  steps of warm-up, and of all */

/** Up from 0 in `warmup` steps, then down.
 *  @param {string} call @param {Fall} options
 *  @param {(rate: number, floor: number, done: number) => number} down  done: from 0 to 1, the part of the way down
 *  @returns {(step: number) => number} */
function risingAndFalling(call, options, down) {
  needOptions(call, options ?? null, ['rate', 'warmup', 'total', 'floor']);
  const { rate, warmup = 0, total, floor = 0 } = options;
  needNumbers(call, { rate, total });
  needInRange(call, { rate, warmup, total, floor }, { least: 0 });
  return (step) => {
    if (step < warmup) return (rate * (step + 1)) / (warmup + 1);
    return down(rate, floor, Math.min(1, (step - warmup) / Math.max(1, total - warmup)));
  };
}

/** Learning rates by step, counted from 0. */
export const schedules = {
  /** @param {number} rate */
  constant: (rate) => {
    needInRange('constant', { rate: rate ?? NaN }, { least: 0 });
    return () => rate;
  },
  /** Up from 0 in `warmup` steps, then a half cosine down to `floor` at `total` (Loshchilov and Hutter 2017).
   *  @param {Fall} options */
  cosine: (options) => risingAndFalling('cosine', options, (rate, floor, done) =>
    floor + 0.5 * (rate - floor) * (1 + Math.cos(Math.PI * done))),
  /** The same, down on a straight line. @param {Fall} options */
  linear: (options) => risingAndFalling('linear', options, (rate, floor, done) => rate + (floor - rate) * done),
  /** d^-½·min(step^-½, step·warmup^-1.5) (Vaswani et al. 2017). @param {{ width: number, warmup: number,
   *  factor?: number }} options */
  noam: (options) => {
    needOptions('noam', options ?? null, ['width', 'warmup', 'factor']);
    const { width, warmup, factor = 1 } = options;
    needNumbers('noam', { width, warmup });
    needInRange('noam', { width, warmup, factor }, { above: 0 });
    return (/** @type {number} */ step) =>
      factor * width ** -0.5 * Math.min((step + 1) ** -0.5, (step + 1) * warmup ** -1.5);
  },
};

/** How many numbers learn. @param {Weights | Tensor[]} parameters */
export const countParameters = (parameters) =>
  named(parameters).reduce((sum, [, { axes }]) => sum + product(axes.sizes), 0);
