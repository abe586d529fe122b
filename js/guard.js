/// <reference lib="esnext.disposable" preserve="true" />
/** Guards of public functions: they turn every error of a caller's value into a HeedError. */
import { HeedError } from './errors.js';

/** The name of the method that `using` calls; older browsers lack it. @type {typeof Symbol.dispose} */
export const DISPOSE = Symbol.dispose ?? Symbol.for('Symbol.dispose');

/**
 * A function that throws only HeedErrors.  It covers getters and callbacks that throw, revoked proxies, symbols in
 * place of numbers, and nesting that overflows the stack.  Traps of WebAssembly pass unchanged.
 * @template {(...values: any[]) => any} F
 * @param {string} name  name of the call, for messages
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
 * Guards the methods of a class.
 * @param {object} prototype
 * @param {string[]} [names]  default: all methods
 */
export function guard(prototype, names = Object.getOwnPropertyNames(prototype)) {
  for (const name of names) {
    const { value: method, ...property } = Object.getOwnPropertyDescriptor(prototype, name) ?? {};
    if (typeof method !== 'function' || name === 'constructor') continue;
    Object.defineProperty(prototype, name, { ...property, value: guarded(name, method) });
  }
}

/** The error as a HeedError; a trap of WebAssembly stays as it is.
 *  @param {string} name  name of the call @param {any} error @returns {Error} */
export function ourError(name, error) {
  if (error instanceof HeedError || error instanceof WebAssembly.RuntimeError) return error;
  const reason = error instanceof Error ? error.message : 'not an Error';
  return new HeedError('bad-argument', `${name}: an argument threw an error, or heed has a fault (${reason}).`,
    { cause: error });
}
