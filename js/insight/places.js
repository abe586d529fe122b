/** Places where activations of one run are put into another: sites of each layer and position, or heads. */
import { HeedError, quoted } from '../errors.js';
import { needRange } from '../range.js';
import { numbersOf, promptOf, promptOfSource } from './input.js';
import { numbered } from './result.js';
import { withSource } from './sources.js';
import { stackOf } from './stacks.js';

/** @typedef {import('./input.js').Model} Model */
/** @typedef {import('./input.js').Input} Input */
/** @typedef {{ hook: string, head?: number, position?: number }} Place */
/** Runs one of both texts.  An encoder–decoder runs its text with one of both sources.
 *  @typedef {<T>(given: Int32Array, run: (ids: Int32Array) => Promise<T>) => Promise<T>} RunOf */

/**
 * Options of patchSweep and attributionPatching.
 * @typedef {object} PatchOptions
 * @property {Input} corrupted  another text with as many tokens, whose metric differs; of an encoder–decoder,
 *   another source
 * @property {Input} [source]  clean source of an encoder–decoder.  The input is then the text after both sources
 * @property {import('./stacks.js').StackName} [stack]  of an encoder–decoder: the encoder, self-attention and MLPs of
 *   the decoder (default), or cross-attention, which has only the site `attn_out`
 * @property {import('../model/metric.js').Metric} of  number to compute, as in `model.sweep`
 * @property {keyof PatchAxes} [by]  'position' (default): residual stream, attention output and MLP output of each
 *   layer and position; 'head': the output z of each head, at all positions
 * @property {number[]} [layers]  blocks, from 0; default: all
 * @property {readonly [from: number, to: number]} [positions]  positions from ≤ position < to, of the source in an
 *   encoder; default: all
 * @property {import('./input.js').OnProgress} [onProgress]  receives finished and all parts
 * @property {AbortSignal} [signal]  aborts the analysis
 */
/**
 * Labels of the axes by the option `by`.  Labels of `position` are tokens of the clean text, or of the
 * clean source in an encoder.
 * @typedef {object} PatchAxes
 * @property {{ site: PatchSite[], layer: number[], position: string[] }} position  [site][layer][position]
 * @property {{ layer: number[], head: number[] }} head  [layer][head]
 */
/**
 * Effects of activations of the clean text in the run of the corrupted text.  In an encoder–decoder, the sources are
 * these texts.  `By` is the option `by`.
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
export const PATCH_OPTIONS = ['corrupted', 'source', 'stack', 'of', 'by', 'layers', 'positions'];
const SITES = /** @type {PatchSite[]} */ (['resid_pre', 'attn_out', 'mlp_out']);
const SITES_OF_CROSS = /** @type {PatchSite[]} */ (['attn_out']);
/** Activations of a block.  @typedef {'resid_pre' | 'attn_out' | 'mlp_out'} PatchSite */

/**
 * Both texts of a patch, and its places in the order of the result.
 * @param {string} call  name of the analysis
 * @param {Model} model @param {Input} input @param {PatchOptions} options
 * @returns {Promise<{ ids: Int32Array, corruptedIds: Int32Array, places: Place[], hooks: string[],
 *   axes: Patches['axes'], firstPosition: number, runOf: RunOf }>} hooks: each hook of the places once
 * @throws {HeedError} 'bad-argument', 'unsupported' for the source of another model, 'no-tokenizer', 'disposed'
 */
export async function placesOf(call, model, input, { by = 'position', corrupted, source, ...options }) {
  const { info } = model;
  const { part, hook, layers: all } = stackOf(call, info, options.stack);
  const text = await promptOf(call, model, input);
  const { ids, tokens } = info.parts || source !== undefined
    ? await promptOfSource(call, model, /** @type {Input} */ (source)) : text;
  const { ids: corruptedIds } = await promptOf(`${call}: corrupted`, model, corrupted);
  if (ids.length !== corruptedIds.length) {
    throw new HeedError('bad-argument', `${call}: the texts have ${ids.length} and ${corruptedIds.length} tokens. ` +
      'Positions correspond only in texts with as many tokens.');
  }
  if (ids.every((id, i) => id === corruptedIds[i])) {
    throw new HeedError('bad-argument', `${call}: both texts have the same tokens. Change one in the corrupted text.`);
  }
  const layers = numbersOf('layers', options.layers, all);
  const labels = part === 'encoder' ? tokens : text.tokens;
  const [from, to] = needRange('positions', labels.length, options.positions);
  /** @type {RunOf} */
  const runOf = (given, run) => (info.parts ? withSource(model, given, () => run(text.ids)) : run(given));
  const more = { ids, corruptedIds, firstPosition: from, runOf };
  if (by === 'head') {
    if (options.positions !== undefined) {
      throw new HeedError('bad-argument', `${call}: heads are patched at all positions. Omit ‘positions’.`);
    }
    const hooks = layers.map((layer) => hook(layer, 'attn.hook_z'));
    const heads = numbered(info.heads);
    const places = hooks.flatMap((name) => heads.map((head) => ({ hook: name, head })));
    return { ...more, places, hooks, axes: { layer: layers, head: heads } };
  }
  if (by !== 'position') {
    throw new HeedError('bad-argument', `${call}: expected by to be position or head, got ${quoted(by)}.`);
  }
  const sites = part === 'cross' ? SITES_OF_CROSS : SITES;
  const hooks = sites.flatMap((site) => layers.map((layer) => hook(layer, `hook_${site}`)));
  const places = hooks.flatMap((name) => numbered(to - from).map((i) => ({ hook: name, position: from + i })));
  return { ...more, places, hooks, axes: { site: sites, layer: layers, position: labels.slice(from, to) } };
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
