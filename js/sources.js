/** The source or picture of each model, for calls that run their model several times with it. */

/** Ids that each model has read, one array for each source or picture. @type {WeakMap<object, Int32Array>} */
export const sources = new WeakMap();
const NONE = new Int32Array(0);
/** The source or picture of a model; empty without one. @param {object} model */
export const sourceOf = (model) => sources.get(model) ?? NONE;
