/** Validates input. Each function returns the checked value, or throws an InputError with a sentence for the user. */

/** Most tokens on an axis: browsers cannot scroll over more cells. */
export const TOKENS_LIMIT = 100_000;
/** Most heads in a grid. */
export const HEADS_LIMIT = 4096;

/** The input of an element or of a drawing function is invalid. */
export class InputError extends TypeError {
  name = 'InputError';
}

/** @typedef {Float32Array | Float64Array} Numbers */

/**
 * Describes a value for an error: its type, and its size if it has one.
 * @param {unknown} value
 */
function kindOf(value) {
  if (value === null || value === undefined || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return `the number ${value}`;
  if (typeof value === 'string') return `a string of ${value.length} characters`;
  if (Array.isArray(value)) return `an Array of ${value.length}`;
  if (ArrayBuffer.isView(value)) return `a ${Object.prototype.toString.call(value).slice(8, -1)}`;
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/**
 * @param {any} value
 * @param {string} name of the value
 * @param {string} example of a valid value
 */
export function checkObject(value, name, example) {
  if (typeof value !== 'object' || value === null) {
    throw new InputError(`${name} must be an object like ${example}, got ${kindOf(value)}.`);
  }
  return value;
}

/** Returns a function or null; undefined becomes null. @param {any} value @param {string} name */
export function checkFunction(value, name) {
  const given = value ?? null;
  if (given !== null && typeof given !== 'function') throw new InputError(`${name} must be a function or null.`);
  return given;
}

/**
 * @param {unknown} value
 * @param {string} name
 * @param {number} [least]
 * @param {number} [most]
 * @returns {number} a whole number
 */
export function checkCount(value, name, least = 0, most = Number.MAX_SAFE_INTEGER) {
  if (!Number.isSafeInteger(value) || Number(value) < least || Number(value) > most) {
    const range = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
    throw new InputError(`${name} must be a whole number ${range}, got ${kindOf(value)}.`);
  }
  return Number(value);
}

/**
 * @param {unknown} value
 * @param {string} name
 * @returns {string[]} a copy
 */
export function checkTexts(value, name) {
  if (!Array.isArray(value)) throw new InputError(`${name} must be an Array of strings, got ${kindOf(value)}.`);
  if (value.length > TOKENS_LIMIT) {
    throw new InputError(`${name} has ${value.length} tokens; an element shows at most ${TOKENS_LIMIT}.`);
  }
  const wrong = value.findIndex((token) => typeof token !== 'string');
  if (wrong >= 0) throw new InputError(`${name}[${wrong}] must be a string, got ${kindOf(value[wrong])}.`);
  return [...value];
}

/**
 * @param {any} value
 * @param {string} name
 * @param {[axis: string, size: number][]} [axes] whose sizes multiply to the number of elements
 * @returns {Numbers} finite numbers
 */
export function checkNumbers(value, name, axes) {
  const wanted = axes ? `[${axes.map(([axis]) => axis).join('][')}]` : '';
  if (!ArrayBuffer.isView(value) || !/^\[object Float(32|64)Array\]$/.test(Object.prototype.toString.call(value))) {
    throw new InputError(`${name}${wanted} must be a Float32Array, got ${kindOf(value)}. `
      + 'Convert an Array with Float32Array.from(numbers).');
  }
  const numbers = /** @type {Numbers} */ (value);
  const count = axes?.reduce((product, [, size]) => product * size, 1);
  if (count !== undefined && numbers.length !== count) {
    const sizes = axes?.map(([axis, size]) => `${size} ${axis}`).join(' × ');
    const empty = numbers.length === 0 ? ' (it is empty, or its buffer was transferred)' : '';
    throw new InputError(`${name}${wanted} must have ${sizes} = ${count} numbers, got ${numbers.length}${empty}.`);
  }
  for (let at = 0; at < numbers.length; at++) {
    if (Number.isFinite(numbers[at])) continue;
    throw new InputError(`${name}[${at}] is ${numbers[at]}; a weight must be a finite number.`);
  }
  return numbers;
}

/**
 * @param {any} block
 * @param {string} name
 * @param {{ causal: boolean }} map if causal, each row needs a weight for every key up to its own position
 * @returns {import('./rows.js').RowBlock}
 */
export function checkBlock(block, name, { causal }) {
  const { data, queries, keys, firstQuery } = checkObject(block, name, '{ data, queries, keys, firstQuery }');
  checkCount(queries, `${name}.queries`);
  checkCount(keys, `${name}.keys`);
  checkCount(firstQuery, `${name}.firstQuery`);
  checkNumbers(data, `${name}.data`, [['queries', queries], ['keys', keys]]);
  if (causal && queries > 0 && keys < firstQuery + queries) {
    throw new InputError(`${name}.keys must be at least ${firstQuery + queries}, the position after the last query, `
      + `got ${keys}. For cross-attention, set causal: false.`);
  }
  return { data, queries, keys, firstQuery };
}

/**
 * @param {any} at
 * @param {string} name
 * @param {{ layers: number, heads: number }} shape
 */
export function checkHead(at, name, { layers, heads }) {
  const { layer, head } = checkObject(at, name, '{ layer, head }');
  const within = (/** @type {unknown} */ value, /** @type {number} */ count) =>
    Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) < count;
  if (!within(layer, layers) || !within(head, heads)) {
    throw new InputError(`${name}: layer ${String(layer)}, head ${String(head)} does not exist. `
      + (layers === 0 ? 'Set shape first.' : `There are ${layers} layers of ${heads} heads.`));
  }
  return { layer: Number(layer), head: Number(head) };
}

/**
 * @param {any} shape
 * @param {string} name
 */
export function checkShape(shape, name) {
  const { layers, heads } = checkObject(shape, name, '{ layers, heads }');
  checkCount(layers, `${name}.layers`);
  checkCount(heads, `${name}.heads`);
  if (layers * heads > HEADS_LIMIT) {
    throw new InputError(`${name} has ${layers} × ${heads} heads; a grid shows at most ${HEADS_LIMIT}.`);
  }
  return { layers: Number(layers), heads: Number(heads) };
}
