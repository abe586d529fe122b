/** The source of each encoder–decoder, for calls that run their model several times with one source. */

/** Sources that models have read. @type {WeakMap<object, Int32Array>} */
export const sources = new WeakMap();
const NONE = new Int32Array(0);
/** The source of a model; empty without one. @param {object} model */
export const sourceOf = (model) => sources.get(model) ?? NONE;
