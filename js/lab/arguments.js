/** Checks of arguments. Each refuses a bad argument by name, before anything is computed. */
import { HeedError, quoted } from '../errors.js';
import { describe } from './axes.js';
import { Tensor } from './tensor.js';

/** @typedef {import('./blocks.js').Weights} Weights */

/** @param {string} operation @param {string} problem */
const refuse = (operation, problem) => new HeedError('bad-argument', `${operation}: ${problem}.`);

/** @param {string} operation @param {Record<string, unknown>} tensors by the name of the argument */
export function needTensors(operation, tensors) {
  for (const [name, x] of Object.entries(tensors)) {
    if (x instanceof Tensor) continue;
    const hint = x === undefined ? 'if it was looked up by name, check the spelling' // weights are looked up by name
      : typeof x === 'number' ? 'lab.scale(x, factor, shift) takes numbers' : 'make one with lab.tensor(data, shape)';
    throw refuse(operation, `${name} is ${kindOf(x)}, not a tensor; ${hint}`);
  }
}

/** @param {string} operation @param {unknown} list */
export function needTensorList(operation, list) {
  if (Array.isArray(list) && list.length > 0) {
    return needTensors(operation, Object.fromEntries(list.map((x, i) => [`tensor ${i} of the list`, x])));
  }
  throw refuse(operation, `expected a list of at least one tensor, got ${kindOf(list)}`);
}

/** @param {string} operation @param {Record<string, unknown>} numbers by the name of the argument */
export function needNumbers(operation, numbers) {
  for (const [name, x] of Object.entries(numbers)) {
    if (typeof x === 'number') continue;
    const hint = kindOf(x).startsWith('a tensor') ? '; lab.mul and lab.add take tensors' : '';
    throw refuse(operation, `${name} is ${kindOf(x)}, not a number${hint}`);
  }
}

/**
 * Checks that numbers are finite and in a range. Undefined and null pass.
 * @param {string} operation @param {Record<string, unknown>} numbers by the name of the argument
 * @param {{ least?: number, above?: number, below?: number, whole?: boolean }} [range]
 */
export function needInRange(operation, numbers, { least = -Infinity, above = -Infinity, below = Infinity,
  whole = false } = {}) {
  for (const [name, x] of Object.entries(numbers)) {
    if (x === undefined || x === null) continue;
    const fits = typeof x === 'number' && Number.isFinite(x) && x >= least && x > above && x < below;
    if (fits && (!whole || Number.isInteger(x))) continue;
    const bounds = [[least, `${least} or more`], [above, `more than ${above}`], [-below, `less than ${below}`]]
      .flatMap(([limit, text]) => (limit === -Infinity ? [] : [text])).join(' and ');
    throw refuse(operation, `${name} is ${kindOf(x)}; expected ${whole ? 'an integer' : 'a finite number'}` +
      `${bounds && `, ${bounds}`}`);
  }
}

/** @param {string} operation @param {Record<string, unknown>} counts by the name of the argument */
export function needCounts(operation, counts) {
  for (const [name, n] of Object.entries(counts)) {
    if (!Number.isInteger(n) || Number(n) < 1) throw refuse(operation,
      `${name} is ${typeof n === 'number' ? n : kindOf(n)}; expected an integer, 1 or more`);
  }
}

/** @param {string} operation @param {string} name of the argument @param {unknown} value
 *  @param {readonly string[]} known */
export function needOneOf(operation, name, value, known) {
  if (typeof value !== 'string' || !known.includes(value)) {
    throw refuse(operation, `${name} is ${kindOf(value)}; expected ‘${known.join('’ or ‘')}’`);
  }
}

/** @param {string} operation @param {unknown} prefix prefix of the names of weights */
export function needPrefix(operation, prefix) {
  if (typeof prefix !== 'string') {
    throw refuse(operation, `prefix is ${kindOf(prefix)}, not a string such as ‘head.’`);
  }
}

/** @param {string} operation @param {unknown} work */
export function needFunction(operation, work) {
  if (typeof work !== 'function') {
    throw refuse(operation, `expected a function, lab.${operation}(() => { … }), got ${kindOf(work)}`);
  }
}

/** @param {string} operation @param {number} probability @param {string} [name]  of the option */
export function needProbability(operation, probability, name = 'the probability') {
  if (typeof probability === 'number' && probability >= 0 && probability < 1) return;
  throw refuse(operation, `${name} is ${kindOf(probability)}; expected 0 or more and less than 1`);
}

/** @param {string} operation @param {string} name of the argument @param {any} ids */
export function needIds(operation, name, ids) {
  if (ids && typeof ids !== 'string' && ids.length > 0) return;
  throw refuse(operation, `${name} is ${kindOf(ids)}; expected a list of at least one id, such as [3, 1, 4]`);
}

/** @param {string} operation @param {ArrayLike<number>} ids */
export function needWholeIds(operation, ids) {
  if (ids instanceof Int32Array) return;
  for (let i = 0; i < ids.length; i++) {
    if (Number.isInteger(ids[i])) continue;
    throw refuse(operation, `id ${String(ids[i])}, number ${i} of ${ids.length}, is not an integer`);
  }
}

/** @param {string} operation @param {ArrayLike<unknown>} elements of a tensor */
export function needElements(operation, elements) {
  if (ArrayBuffer.isView(elements) && typeof elements[0] === 'number') return;
  for (let i = 0; i < elements.length; i++) {
    if (typeof elements[i] === 'number') continue;
    throw refuse(operation, `element ${i} of ${elements.length} is ${kindOf(elements[i])}, not a number`);
  }
}

/** @param {string} operation @param {Weights} weights @param {string[]} names required names */
export function needWeights(operation, weights, names) {
  const missing = names.find((name) => !weights?.[name]);
  if (missing === undefined) return;
  const all = Object.keys(weights ?? {});
  const there = all.length === 0 ? 'got no weights'
    : `got ‘${all.slice(0, 4).join('’, ‘')}’${all.length > 4 ? ', …' : ''}`;
  const longer = all.find((name) => name.endsWith(`.${missing}`));
  const hint = longer ? `; under(weights, '${longer.slice(0, -missing.length)}') removes the prefix` : '';
  throw refuse(operation, `expected a weight ‘${missing}’, ${there}${hint}`);
}

/** Describes a value for a message. It never throws. @param {unknown} x @returns {string} */
export function kindOf(x) {
  try {
    if (x instanceof Tensor) return `a tensor ${describe(x.axes)}`;
    const isList = Array.isArray(x) || ArrayBuffer.isView(x);
    if (isList) return 'length' in x && x.length === 0 ? 'an empty list' : 'an array';
  } catch {
    return 'an object that cannot be read';
  }
  if (x === undefined || x === null) return String(x);
  if (typeof x === 'object' || typeof x === 'function') return `a ${typeof x}`.replace('a o', 'an o');
  return typeof x === 'string' ? `the string ${quoted(x, 20)}` : `the ${typeof x} ${String(x)}`;
}
