/** The door of the library: a caller's value may throw by itself when it is used, and even then the error is ours. */
import { HeedError } from './errors.js';

/**
 * A function whose every error is a HeedError: also where a getter or a callback throws, a proxy was revoked, a symbol
 * stands for a number, or lists are nested so deep that reading them ends the stack.  A trap of the engine stays one.
 * @template {(...values: any[]) => any} F
 * @param {string} name of the call
 * @param {F} call
 * @returns {F}
 */
export function guarded(name, call) {
  /** @this {any} @param {any[]} values */
  const outer = function (...values) {
    try {
      const result = call.apply(this, values);
      return result instanceof Promise ? result.catch((error) => { throw ourError(name, error); }) : result;
    } catch (error) {
      throw ourError(name, error);
    }
  };
  return /** @type {F} */ (Object.defineProperty(outer, 'name', { value: name }));
}

/**
 * Wraps methods so.
 * @param {object} prototype
 * @param {string[]} [names]  default: all that it has
 */
export function guard(prototype, names = Object.getOwnPropertyNames(prototype)) {
  for (const name of names) {
    const { value: method, ...property } = Object.getOwnPropertyDescriptor(prototype, name) ?? {};
    if (typeof method !== 'function' || name === 'constructor') continue;
    Object.defineProperty(prototype, name, { ...property, value: guarded(name, method) });
  }
}

/** @param {string} name of the call @param {any} error @returns {Error} */
export function ourError(name, error) {
  if (error instanceof HeedError || error instanceof WebAssembly.RuntimeError) return error;
  const reason = error instanceof Error ? error.message : 'it throws no error';
  return new HeedError('bad-argument', `${name}: an argument fails when it is used (${reason}).`, { cause: error });
}
