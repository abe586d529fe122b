/** What can be drawn: each function returns what it was given, or throws an InputError that says what is wrong. */

/** Tokens on an axis at most: browsers cannot scroll over more cells. */
export const TOKENS_LIMIT = 100_000;
/** Heads in a grid at most. */
export const HEADS_LIMIT = 4096;

export class InputError extends TypeError {
  name = 'InputError';
}

/** @typedef {Float32Array | Float64Array} Numbers */

/**
 * A value in an error: its kind, and its size where it has one.
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
 * @param {string} example of what is expected
 */
export function checkObject(value, name, example) {
  if (typeof value !== 'object' || value === null) {
    throw new InputError(`${name} must be an object such as ${example}, got ${kindOf(value)}.`);
  }
  return value;
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
 * @param {[axis: string, size: number][]} [axes] whose product is the number of its numbers
 * @returns {Numbers} all of them finite
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
    const empty = numbers.length === 0 ? ', because its buffer was transferred or it is empty' : '';
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
 * @param {{ causal: boolean }} map a causal row needs a weight for each key up to its own
 * @returns {import('./rows.js').RowBlock}
 */
export function checkBlock(block, name, { causal }) {
  const { data, queries, keys, firstQuery } = checkObject(block, name, '{ data, queries, keys, firstQuery }');
  checkCount(queries, `${name}.queries`);
  checkCount(keys, `${name}.keys`);
  checkCount(firstQuery, `${name}.firstQuery`);
  checkNumbers(data, `${name}.data`, [['queries', queries], ['keys', keys]]);
  if (causal && queries > 0 && keys < firstQuery + queries) {
    throw new InputError(`${name}.keys must be at least ${firstQuery + queries}, the position after its last query, `
      + `got ${keys}. Set causal: false for a map whose queries are of another text.`);
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
    throw new InputError(`${name}: there is no layer ${String(layer)}, head ${String(head)} among ${layers} layers of `
      + `${heads} heads.`);
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
