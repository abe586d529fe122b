/** Shapes: sizes of axes, slowest first, and optional names. */
import { HeedError, quoted } from '../errors.js';

/**
 * Sizes of axes, slowest first: one size, a list, or sizes by name such as `{ batch: 2, time: 5, feature: 8 }`.
 * @typedef {number | readonly number[] | Readonly<Record<string, number>>} Shape
 */

/**
 * @typedef {{ sizes: readonly number[], names: readonly string[] | null }} Axes
 */

/** @param {Shape} shape @returns {Axes} @throws {HeedError} 'bad-shape' */
export function parseShape(shape) {
  if (typeof shape !== 'number' && (typeof shape !== 'object' || shape === null)) {
    throw new HeedError('bad-shape', `The shape is ${plainOf(shape)}; expected sizes, [2, 3], or sizes by name, ` +
      '{ time: 2, feature: 3 }.');
  }
  const named = typeof shape === 'object' && !Array.isArray(shape);
  const sizes = typeof shape === 'number' ? [shape] : Object.values(shape);
  const names = named ? Object.keys(shape) : null;
  sizes.forEach((size, i) => {
    if (Number.isInteger(size) && size > 0) return;
    throw new HeedError('bad-shape', `Axis ${names ? quoted(names[i]) : i} of a shape is ` +
      `${plainOf(size)}; expected an integer, 1 or more.`);
  });
  return { sizes, names };
}

/** Sizes of nested arrays, and their numbers in row-major order.
 *  @param {any} data @returns {{ sizes: number[], flat: number[] }} */
export function flatten(data) {
  if (typeof data === 'number') return { sizes: [], flat: [data] };
  if (isList(data) && !Array.isArray(data) && data.length > 0) return { sizes: [data.length], flat: Array.from(data) };
  if (!Array.isArray(data) || data.length === 0) {
    const found = Array.isArray(data) ? 'an empty list' : typeof data === 'string' ? `the string ${quoted(data, 20)}`
      : plainOf(data);
    throw badShape('tensor', `expected a typed array with a shape, or nested arrays, got ${found}`);
  }
  const parts = data.map(flatten);
  const { sizes } = parts[0];
  parts.forEach((part, i) => {
    if (sameSizes(part.sizes, sizes)) return;
    throw badShape('tensor', `nested arrays must have equal sizes: item ${i} is [${part.sizes}], the first [${sizes}]`);
  });
  return { sizes: [data.length, ...sizes], flat: parts.flatMap((part) => part.flat) };
}

/** A value for a message: numbers, undefined and null as they are, other values in quotes. @param {unknown} value */
const plainOf = (value) => (typeof value === 'number' || value === undefined || value === null ? `${value}`
  : quoted(value));

/** Whether a value is an array or a typed array. @param {any} data @returns {data is ArrayLike<any>} */
export const isList = (data) => Array.isArray(data) || (ArrayBuffer.isView(data) && 'length' in data);

/** @param {readonly number[]} a @param {readonly number[]} b */
export const sameSizes = (a, b) => a.length === b.length && a.every((size, i) => size === b[i]);

/** @param {readonly number[]} sizes */
export function product(sizes) {
  let all = 1;
  for (const size of sizes) all *= size;
  return all;
}

/** Name of an axis for a message. @param {Axes} axes @param {number} i counted from the end if negative */
export function axisName({ sizes, names }, i) {
  const at = i < 0 ? sizes.length + i : i;
  return names ? `‘${names[at]}’` : `axis ${at}`;
}

/** Axes for a message, such as [batch 2, time 5]. @param {Axes} axes */
export function describe({ sizes, names }) {
  return `[${sizes.map((size, i) => (names ? `${names[i]} ${size}` : size)).join(', ')}]`;
}

/**
 * Axes of a broadcast result, by NumPy's rules: axes align at the right, and an axis of size 1 repeats. Aligned axes
 * must have the same name, unless one of them has size 1.
 * @param {string} operation @param {Axes} a @param {Axes} b @returns {Axes} @throws {HeedError} 'bad-shape'
 */
export function broadcast(operation, a, b) {
  const length = Math.max(a.sizes.length, b.sizes.length);
  /** @type {(string | undefined)[]} */
  const names = [];
  const sizes = Array.from({ length }, (_, i) => {
    const [p, q] = [a, b].map((axes) => {
      const at = i - (length - axes.sizes.length);
      return { at, size: axes.sizes[at] ?? 1, name: axes.names?.[at] };
    });
    const repeats = p.size === 1 || q.size === 1;
    if (!repeats && (p.size !== q.size || (p.name && q.name && p.name !== q.name))) {
      throw badShape(operation, `${axisName(a, p.at)} has ${p.size}, ${axisName(b, q.at)} of the other ${q.size}: ` +
        `${describe(a)} and ${describe(b)}`);
    }
    names.push(q.size > p.size ? q.name ?? p.name : p.name ?? q.name);
    return Math.max(p.size, q.size);
  });
  const named = names.every((name) => name !== undefined) && length > 0;
  return { sizes, names: named ? distinct(/** @type {string[]} */ (names)) : null };
}

/** @param {string} operation @param {string} problem */
export function badShape(operation, problem) {
  return new HeedError('bad-shape', `${operation}: ${problem}.`);
}

/**
 * Index of an axis, given by name or by number (negative: from the end).
 * @param {string} operation @param {Axes} axes @param {string | number} axis
 */
export function axisOf(operation, axes, axis) {
  const at = typeof axis === 'string' ? (axes.names ?? []).indexOf(axis) : axis < 0 ? axes.sizes.length + axis : axis;
  if (at >= 0 && at < axes.sizes.length) return at;
  throw badShape(operation, `there is no axis ${quoted(axis)} in ${describe(axes)}`);
}

/** Replaces one axis.
 *  @param {Axes} axes @param {number} at @param {readonly number[]} sizes of the new axes
 *  @param {readonly string[]} [names] of the new axes @returns {Axes} */
export function replaceAxis(axes, at, sizes, names) {
  return {
    sizes: [...axes.sizes.slice(0, at), ...sizes, ...axes.sizes.slice(at + 1)],
    names: axes.names && (names ? [...axes.names.slice(0, at), ...names, ...axes.names.slice(at + 1)] : axes.names),
  };
}

/** Appends a prime to repeated names, so that each name is unique.
 *  @param {readonly string[] | null} names */
export function distinct(names) {
  /** @type {string[]} */
  const seen = [];
  for (const name of names ?? []) seen.push(seen.includes(name) ? `${name}'` : name);
  return names && seen;
}
