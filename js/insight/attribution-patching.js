/** The gradient estimate of patch-sweep.js: three passes in total instead of one run per place. */
import { guarded } from '../guard.js';
import { needCall } from './input.js';
import { PATCH_OPTIONS, placesOf, scaleOf } from './places.js';
import { result } from './result.js';
import { inTurn } from './sources.js';

/** @typedef {import('./input.js').Model} Model */
/** @typedef {import('../model/hooks.js').Activation} Activation */
/** @typedef {import('./places.js').PatchOptions} PatchOptions */
/** @typedef {import('./places.js').PatchAxes} PatchAxes */

/**
 * The effects of patchSweep to first order: gradient · (clean − corrupted), at every place at once.  It takes a forward
 * pass of each text and one backward pass (attribution patching, Nanda 2023,
 * https://www.neelnanda.io/mechanistic-interpretability/attribution-patching; Syed et al. 2023,
 * https://arxiv.org/abs/2310.10348).  It is far from patchSweep where the metric is far from linear, such as in the
 * residual stream of early layers.  The session is then empty.  The texts of an encoder–decoder are its sources;
 * it then has the corrupted one.
 * @param {Model} model  model in this thread or in a Worker
 * @param {import('./input.js').Input} input  clean text, or ids [ids]
 * @param {PatchOptions} options  corrupted text, metric and places
 * @returns {Promise<import('./places.js').Patches>} estimated effects [site][layer][position], or [layer][head]
 * @throws {HeedError} 'bad-argument', 'unsupported' for the source of another model, 'no-tokenizer', 'context-full',
 *   'too-large', 'out-of-memory', 'not-finite', 'superseded' when another call gives the model a source,
 *   'aborted', 'disposed'
 */
export const attributionPatching = guarded('attributionPatching', inTurn(attribute));

/** @template {keyof PatchAxes} [By='position']
 *  @param {Model} model @param {import('./input.js').Input} input @param {PatchOptions & { by?: By }} options
 *  @returns {Promise<import('./places.js').Patches<By>>} */
async function attribute(model, input, options) {
  needCall('attributionPatching', model, options ?? {}, PATCH_OPTIONS);
  const { of, onProgress, signal } = options ?? {};
  const { places, hooks, axes, runOf, ...texts } = await placesOf('attributionPatching', model, input, options ?? {});
  const { clean, cache = {} } = await runOf(texts.ids, (ids) =>
    model.sweep(ids, [], { of, names: hooks, signal }));
  const request = {
    of,
    at: hooks,
    activations: true,
    signal,
    onProgress: (/** @type {{ done: number, total: number }} */ { done, total }) =>
      onProgress?.({ done: done + 1, total: total + 1 }),
  };
  const { value: corrupted, gradients, activations = {} } = await runOf(texts.corruptedIds, (ids) =>
    model.gradients(ids, request));
  const scale = scaleOf('attributionPatching', clean, corrupted);
  const data = Float32Array.from(places, ({ hook, head, position }) =>
    scale * effectOf(gradients[hook], cache[hook], activations[hook], head, position));
  return result(data, /** @type {PatchAxes[By]} */ (axes), { clean, corrupted, ...texts });
}

/** gradient · (clean − corrupted) over a position, or over all positions of a head.
 *  @param {Activation} gradient @param {Activation} clean @param {Activation} corrupted @param {number} [head]
 *  @param {number} [position] */
function effectOf({ data, shape }, clean, corrupted, head, position) {
  const row = shape.slice(1).reduce((product, n) => product * n, 1);
  const [first, width] = head === undefined ? [0, row] : [head * shape[2], shape[2]];
  const [from, to] = position === undefined ? [0, shape[0]] : [position, position + 1];
  let sum = 0;
  for (let p = from; p < to; p++) {
    const at = p * row + first;
    for (let i = at; i < at + width; i++) sum += data[i] * (clean.data[i] - corrupted.data[i]);
  }
  return sum;
}
