/** Sources of models in messages to a Worker. */

/** A source in a form that a message can carry.  Addresses become absolute, because the worker has another base.
 *  @param {any} source @returns {any} */
export function cloneable(source) {
  if (source instanceof URL) return source.href;
  if (typeof source === 'string')
    return typeof document === 'object' ? new URL(source, document.baseURI).href : source;
  if (Array.isArray(source)) return source.map(cloneable);
  if (!isFileSet(source)) return source;
  return Object.fromEntries(Object.entries(source).map(([part, value]) => [part, cloneable(value)]));
}

/** Whether a model is given as several files. @param {any} source */
export const isFileSet = (source) => typeof source === 'object' && source !== null && 'weights' in source;
