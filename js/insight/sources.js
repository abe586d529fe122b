/** Sources and pictures, which an analysis must keep while it runs the model several times. */
import { HeedError, abortable } from '../errors.js';
import { sourceOf } from '../sources.js';

/** @typedef {import('./input.js').Model} Model */

/** The last analysis of each model, for which the next one waits. @type {WeakMap<object, Promise<unknown>>} */
const analyses = new WeakMap();

/**
 * Analyses of an encoder–decoder wait for each other, because they give it different sources.  An analysis without the
 * option `source` keeps the source or picture that the model had when it was called.
 * @template {(model: Model, input: any, options: any) => Promise<any>} F
 * @param {F} analyze
 * @returns {F}
 */
export const inTurn = (analyze) => /** @type {F} */ ((model, input, options) => {
  const run = () => analyze(model, input, options);
  if (!model?.info?.parts && !model?.info?.picture) return run();
  const held = sourceOf(model);
  const last = Promise.resolve(analyses.get(model));
  const signal = options?.signal instanceof AbortSignal ? options.signal : undefined; // others are refused in its turn
  const analysis = abortable(last, signal).then(() =>
    (options?.source === undefined ? keepingSource(model, held, run) : run()));
  analyses.set(model, Promise.allSettled([last, analysis]));
  return analysis;
});

/**
 * Gives an encoder–decoder a source, and runs it while it has this one.
 * @template T
 * @param {Model} model @param {Int32Array} source @param {() => Promise<T>} run
 * @returns {Promise<T>}
 * @throws {HeedError} 'superseded' when another call gives the model a source
 */
export async function withSource(model, source, run) {
  await model.read(source);
  const held = sourceOf(model);
  const isOurs = held.length === source.length && held.every((id, i) => id === source[i]);
  return keepingSource(model, isOurs ? held : source, run);
}

/** @template T @param {Model} model @param {Int32Array} held  the source that it has @param {() => Promise<T>} run
 *  @returns {Promise<T>} */
async function keepingSource(model, held, run) {
  const needHeld = () => {
    if (sourceOf(model) === held) return;
    throw new HeedError('superseded', 'Another call gave the model another source or picture during this ' +
      'analysis. Wait for the analysis, or load the model twice.');
  };
  needHeld();
  const result = await run();
  needHeld();
  return result;
}
