/** Reads activations of all layers in few runs of the model. */
import { throwIfAborted } from '../errors.js';
import { Pacer } from '../pause.js';

/** @typedef {import('../model/hooks.js').Activation} Activation */

/** Elements that one run copies: 64 MB of float32. */
const BATCH = 2 ** 24;

/**
 * Runs ids, and gives activations layer by layer.  A run copies as many layers as fit into the batch.  All activations
 * of a run are from that run, independent of other calls of the session.
 * @param {import('./input.js').Model} model
 * @param {Int32Array} ids
 * @param {string[]} hooks  names without the layer, such as 'attn.hook_pattern'
 * @param {{ layers?: number[], edits?: import('./input.js').Edit[], signal?: AbortSignal }} options
 * @returns {AsyncGenerator<{ layer: number, of: Activation[] }>} activations in the order of `hooks`
 */
export async function* layersOf(model, ids, hooks, { layers = [...Array(model.info.layers).keys()], edits, signal }) {
  const { heads, dHead, dModel, dFeedForward } = model.info;
  const widest = Math.max(heads * dHead, dModel, dFeedForward);
  const each = hooks.reduce((sum, hook) =>
    sum + ids.length * (hook.endsWith('_pattern') ? heads * ids.length : widest), 0);
  const step = Math.max(1, Math.floor(BATCH / each));
  const pacer = new Pacer(); // analyses of long texts compute in the thread of a page
  for (let first = 0; first < layers.length; first += step) {
    const batch = layers.slice(first, first + step);
    const names = batch.flatMap((layer) => hooks.map((hook) => `blocks.${layer}.${hook}`));
    const { cache } = await model.runWithCache(ids, names, { edits, signal });
    for (const layer of batch) {
      await pacer.pause();
      throwIfAborted(signal);
      yield { layer, of: hooks.map((hook) => cache[`blocks.${layer}.${hook}`]) };
    }
  }
}
