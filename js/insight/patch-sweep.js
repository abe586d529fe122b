/** Exact activation patching, with a run for each place; attribution-patching.js is the fast estimate. */
import { guarded } from '../guard.js';
import { needCall } from './input.js';
import { PATCH_OPTIONS, placesOf, scaleOf } from './places.js';
import { result } from './result.js';
import { inTurn } from './sources.js';

/** @typedef {import('./input.js').Model} Model */
/** @typedef {import('./places.js').PatchOptions} PatchOptions */
/** @typedef {import('./places.js').PatchAxes} PatchAxes */

/**
 * The places of the difference between two texts.  Each activation of the clean text in turn replaces that of the
 * corrupted text, and the metric moves from 0 (corrupted) towards 1 (clean).  This is activation patching, or causal
 * tracing (Meng et al. 2022, https://arxiv.org/abs/2202.05262; Wang et al. 2023, https://arxiv.org/abs/2211.00593).
 * All runs of the corrupted text are one `model.sweep`.  The session is then empty.  The texts of an encoder–decoder
 * are its sources; it then has the corrupted one.
 * @param {Model} model  model in this thread or in a Worker
 * @param {import('./input.js').Input} input  clean text, or ids [ids]
 * @param {PatchOptions} options  corrupted text, metric and places
 * @returns {Promise<import('./places.js').Patches>} effects [site][layer][position], or [layer][head]
 * @throws {HeedError} 'bad-argument', 'unsupported' for the source of another model, 'no-tokenizer', 'context-full',
 *   'too-large', 'not-finite', 'superseded' when another call gives the model a source,
 *   'aborted', 'disposed'
 */
export const patchSweep = guarded('patchSweep', inTurn(patch));

/** @template {keyof PatchAxes} [By='position']
 *  @param {Model} model @param {import('./input.js').Input} input @param {PatchOptions & { by?: By }} options
 *  @returns {Promise<import('./places.js').Patches<By>>} */
async function patch(model, input, options) {
  needCall('patchSweep', model, options ?? {}, PATCH_OPTIONS);
  const { of, onProgress, signal } = options ?? {};
  const { places, hooks, axes, runOf, ...texts } = await placesOf('patchSweep', model, input, options ?? {});
  const { bidirectional, parts } = model.info;
  // A decoder computes the same activations until the texts differ.  A patch of these changes nothing.
  const first = bidirectional || parts ? 0 : texts.ids.findIndex((id, i) => id !== texts.corruptedIds[i]);
  const changed = places.filter(({ position = Infinity }) => position >= first);
  const total = changed.length + 2; // a run of each text, and the patched runs
  const { clean, cache = {} } = await runOf(texts.ids, (ids) =>
    model.sweep(ids, [], { of, names: hooks, signal }));
  onProgress?.({ done: 1, total });
  const variants = changed.map(({ hook, head, position }) => [{
    hook,
    from: cache[hook],
    ...(head !== undefined && { head }),
    ...(position !== undefined && { positions: /** @type {[number, number]} */ ([position, position + 1]) }),
  }]);
  const { clean: corrupted, values } = await runOf(texts.corruptedIds, (ids) => model.sweep(ids, variants, {
    of,
    signal,
    onProgress: ({ done }) => onProgress?.({ done: done + 1, total }),
  }));
  const scale = scaleOf('patchSweep', clean, corrupted);
  const data = new Float32Array(places.length);
  let run = 0;
  places.forEach((place, i) => { if (place === changed[run]) data[i] = scale * (values[run++] - corrupted); });
  return result(data, /** @type {PatchAxes[By]} */ (axes), { clean, corrupted, ...texts });
}
