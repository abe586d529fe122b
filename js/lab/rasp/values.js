/** Values of sequences, and the functions that work on them element by element. */

/**
 * Strings, numbers and booleans. `undefined` is the result of a division by zero. It is an error only if a selector, an
 * aggregate or the result of the program needs it.
 * @typedef {string | number | boolean} Value
 * @typedef {'string' | 'number' | 'boolean'} Type
 */

/** Numbers that are closer are equal, because (1/49)·49 is not 1 in floating point. */
const CLOSE = 1e-9;

/** @param {Value} a @param {Value} b */
export const equal = (a, b) =>
  (typeof a === 'number' && typeof b === 'number' ? Math.abs(a - b) < CLOSE : a === b);

/** @param {any} a @param {any} b */
const less = (a, b) => a < b && !equal(a, b);

/** Comparisons of two values of one type. @type {Record<string, (a: Value, b: Value) => boolean>} */
export const COMPARISONS = {
  '==': equal,
  '!=': (a, b) => !equal(a, b),
  '<': less,
  '>': (a, b) => less(b, a),
  '<=': (a, b) => !less(b, a),
  '>=': (a, b) => !less(a, b),
};

/** Arithmetic on numbers. @type {Record<string, (a: number, b: number) => number | undefined>} */
export const ARITHMETIC = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => (equal(b, 0) ? undefined : a / b),
  '%': (a, b) => (equal(b, 0) ? undefined : a - b * Math.floor(a / b + CLOSE)), // has the sign of b
};

/** A key that equal values share. @param {unknown} value @returns {string} */
export const keyOf = (value) => (typeof value === 'number' ? String(Math.round(value / CLOSE) + 0)
  : Array.isArray(value) ? JSON.stringify(value.map(keyOf)) : JSON.stringify(value) ?? 'undefined');

/** Values without repetitions, and without undefined. @template T @param {Iterable<T | undefined>} values
 *  @returns {T[]} */
export function distinct(values) {
  /** @type {Map<string, T>} */
  const found = new Map();
  for (const value of values) {
    if (value !== undefined && !found.has(keyOf(value))) found.set(keyOf(value), value);
  }
  return [...found.values()];
}

/** A value as a program writes it. @param {Value | undefined} value */
export const written = (value) => (typeof value === 'string' ? `"${value}"`
  : typeof value === 'boolean' ? (value ? 'True' : 'False') : String(value));
