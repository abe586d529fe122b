/** Places where activations of one run are put into another: sites of each layer and position, or heads. */
import { HeedError, quoted } from '../errors.js';
import { needRange } from '../range.js';
import { needOneStack, numbersOf, promptOf } from './input.js';
import { numbered } from './result.js';

/** @typedef {import('./input.js').Model} Model */
/** @typedef {import('./input.js').Input} Input */
/** @typedef {{ hook: string, head?: number, position?: number }} Place */

/**
 * Options of patchSweep and attributionPatching.
 * @typedef {object} PatchOptions
 * @property {Input} corrupted  another text with as many tokens, whose metric differs
 * @property {import('../model/metric.js').Metric} of  number to compute, as in `model.sweep`
 * @property {keyof PatchAxes} [by]  'position' (default): residual stream, attention output and MLP output of each
 *   layer and position; 'head': the output z of each head, at all positions
 * @property {number[]} [layers]  blocks, from 0; default: all
 * @property {readonly [from: number, to: number]} [positions]  positions from ≤ position < to; default: all
 * @property {import('./input.js').OnProgress} [onProgress]  receives finished and all parts
 * @property {AbortSignal} [signal]  aborts the analysis
 */
/**
 * Labels of the axes by the option `by`.  Labels of `position` are tokens of the clean text.
 * @typedef {object} PatchAxes
 * @property {{ site: PatchSite[], layer: number[], position: string[] }} position  [site][layer][position]
 * @property {{ layer: number[], head: number[] }} head  [layer][head]
 */
/**
 * Effects of activations of the clean text in the run of the corrupted text.  `By` is the option `by`.
 * @template {keyof PatchAxes} [By=keyof PatchAxes]
 * @typedef {object} Patches
 * @property {Float32Array} data  0: the metric of the corrupted text; 1: of the clean text.
 *   [site][layer][position], or [layer][head]
 * @property {PatchAxes[By]} axes  labels of each axis
 * @property {number} clean       the metric of the clean text
 * @property {number} corrupted   the metric of the corrupted text
 * @property {Int32Array} ids           ids of the clean text, [ids]
 * @property {Int32Array} corruptedIds  ids of the corrupted text, [ids]
 * @property {number} firstPosition     position of the first column
 */

/** Names of options that are not common to all analyses. */
export const PATCH_OPTIONS = ['corrupted', 'of', 'by', 'layers', 'positions'];
const SITES = /** @type {PatchSite[]} */ (['resid_pre', 'attn_out', 'mlp_out']);
/** Activations of a block.  @typedef {'resid_pre' | 'attn_out' | 'mlp_out'} PatchSite */

/**
 * Both texts of a patch, and its places in the order of the result.
 * @param {string} call  name of the analysis
 * @param {Model} model @param {Input} input @param {PatchOptions} options
 * @returns {Promise<{ ids: Int32Array, corruptedIds: Int32Array, places: Place[], hooks: string[],
 *   axes: Patches['axes'], firstPosition: number }>} hooks: each hook of the places once
 * @throws {HeedError} 'bad-argument', 'unsupported' for encoder–decoders, 'no-tokenizer', 'disposed'
 */
export async function placesOf(call, model, input, { by = 'position', corrupted, ...options }) {
  needOneStack(call, model.info);
  const { ids, tokens } = await promptOf(call, model, input);
  const { ids: corruptedIds } = await promptOf(`${call}: corrupted`, model, corrupted);
  if (ids.length !== corruptedIds.length) {
    throw new HeedError('bad-argument', `${call}: the texts have ${ids.length} and ${corruptedIds.length} tokens. ` +
      'Positions correspond only in texts with as many tokens.');
  }
  if (ids.every((id, i) => id === corruptedIds[i])) {
    throw new HeedError('bad-argument', `${call}: both texts have the same tokens. Change one in the corrupted text.`);
  }
  const layers = numbersOf('layers', options.layers, model.info.layers);
  const [from, to] = needRange('positions', ids.length, options.positions);
  const more = { ids, corruptedIds, firstPosition: from };
  if (by === 'head') {
    if (options.positions !== undefined) {
      throw new HeedError('bad-argument', `${call}: heads are patched at all positions. Omit ‘positions’.`);
    }
    const hooks = layers.map((layer) => `blocks.${layer}.attn.hook_z`);
    const heads = numbered(model.info.heads);
    const places = hooks.flatMap((hook) => heads.map((head) => ({ hook, head })));
    return { ...more, places, hooks, axes: { layer: layers, head: heads } };
  }
  if (by !== 'position') {
    throw new HeedError('bad-argument', `${call}: expected by to be position or head, got ${quoted(by)}.`);
  }
  const hooks = SITES.flatMap((site) => layers.map((layer) => `blocks.${layer}.hook_${site}`));
  const places = hooks.flatMap((hook) => numbered(to - from).map((i) => ({ hook, position: from + i })));
  return { ...more, places, hooks, axes: { site: SITES, layer: layers, position: tokens.slice(from, to) } };
}

/**
 * The factor that makes the difference of both metrics 1.
 * @param {string} call  name of the analysis
 * @param {number} clean @param {number} corrupted
 * @throws {HeedError} 'bad-argument' if both are equal
 */
export function scaleOf(call, clean, corrupted) {
  if (clean !== corrupted) return 1 / (clean - corrupted);
  throw new HeedError('bad-argument', `${call}: the metric is ${clean} for both texts, so effects have no scale. ` +
    'Choose another metric, or a corrupted text that changes it.');
}
