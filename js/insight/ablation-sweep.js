/** Ablates one part of a model at a time, by zeros, means or another text, as variants of one `model.sweep`. */
import { HeedError, quoted } from '../errors.js';
import { guarded } from '../guard.js';
import { needCall, numbersOf, promptOf } from './input.js';
import { numbered, result } from './result.js';
import { inTurn } from './sources.js';
import { stackOf } from './stacks.js';

/** @typedef {import('./input.js').Model} Model */
/** @typedef {import('./input.js').Edit} Edit */

/**
 * Parts of a model, and the activations that hold their outputs.
 * @type {Readonly<Record<AblationPart, readonly string[]>>}
 */
const HOOKS = Object.freeze({
  heads: ['attn.hook_z'],
  attentions: ['hook_attn_out'],
  mlps: ['hook_mlp_out'],
  layers: ['hook_attn_out', 'hook_mlp_out'],
});
const ABLATIONS = ['zero', 'mean', 'resample'];

/** Parts that ablationSweep removes one by one.  @typedef {'heads' | 'attentions' | 'mlps' | 'layers'} AblationPart */
/**
 * Options of ablationSweep.
 * @typedef {object} AblationOptions
 * @property {import('../model/metric.js').Metric} of  number to compute, as in `model.sweep`
 * @property {AblationPart} [parts]  default 'heads'; 'attentions' and 'mlps' are whole outputs, 'layers' are both
 * @property {'zero' | 'mean' | 'resample'} [ablation]  the replacement of an output: zeros (default), its mean over the
 *   positions of the input, or the output for another text
 * @property {import('./input.js').Input} [other]  the other text of 'resample', of any length.  Positions after its
 *   end start again at 1, because the first position is unlike others
 * @property {import('./stacks.js').StackName} [stack]  of an encoder–decoder: the encoder, self-attention and MLPs of
 *   the decoder (default), or cross-attention
 * @property {number[]} [layers]  blocks, from 0; default: all
 * @property {import('./input.js').OnProgress} [onProgress]  receives finished and all runs
 * @property {AbortSignal} [signal]  aborts the analysis
 */
/**
 * Changes of a metric, one for each part that was ablated alone.  `Ablated` is the option `parts`.
 * @template {AblationPart} [Ablated=AblationPart]
 * @typedef {object} Ablation
 * @property {Float32Array} data  metric after minus before, [layer][head], or [layer]
 * @property {Ablated extends 'heads' ? { layer: number[], head: number[] } : { layer: number[] }} axes  labels of
 *   `layer`, and of `head` for heads
 * @property {number} clean    the metric before
 * @property {Int32Array} ids  ids of the input, [ids]
 */

/**
 * How much a metric changes when a part of the model is ablated: each head, attention, MLP or block in turn.  Later
 * layers had no zeros as inputs in training; a mean or a resampled output stays in the usual range (Wang et al. 2023,
 * https://arxiv.org/abs/2211.00593; Chan et al. 2022, https://www.lesswrong.com/posts/JvZhhzycHu2Yd57RN).  All runs are
 * one `model.sweep`.  The session is then empty.
 * @param {Model} model  model in this thread or in a Worker
 * @param {import('./input.js').Input} input  text, or ids [ids]
 * @param {AblationOptions} options  metric, parts and kind of ablation
 * @returns {Promise<Ablation>} changes [layer][head], or [layer]
 * @throws {HeedError} 'bad-argument', 'no-tokenizer', 'context-full', 'not-finite', 'aborted', 'disposed'; of
 *   an encoder–decoder 'superseded' when another call gives it a source
 */
export const ablationSweep = guarded('ablationSweep', inTurn(ablate));

/** @template {AblationPart} [Ablated='heads']
 *  @param {Model} model @param {import('./input.js').Input} input
 *  @param {AblationOptions & { parts?: Ablated }} options
 *  @returns {Promise<Ablation<Ablated>>} */
async function ablate(model, input, options) {
  needCall('ablationSweep', model, options ?? {}, ['of', 'parts', 'ablation', 'other', 'stack', 'layers']);
  const { of, parts = 'heads', ablation = 'zero', other, onProgress, signal } = options ?? {};
  const { ids } = await promptOf('ablationSweep', model, input);
  const { info } = model;
  const { part, hook: nameOf, layers: all } = stackOf('ablationSweep', info, options?.stack);
  const layers = numbersOf('layers', options?.layers, all);
  if (!Object.hasOwn(HOOKS, parts)) throw unknown('parts', parts, Object.keys(HOOKS));
  if (!ABLATIONS.includes(ablation)) throw unknown('ablation', ablation, ABLATIONS);
  if ((other !== undefined) !== (ablation === 'resample')) {
    throw new HeedError('bad-argument', 'ablationSweep: ‘other’ is the text of ablation ‘resample’, and ' +
      'applies only to ablation ‘resample’.');
  }
  if (part === 'cross' && (parts === 'mlps' || parts === 'layers')) {
    throw new HeedError('bad-argument', 'ablationSweep: cross-attention has no MLPs. Give stack ‘decoder’ for ' +
      `${parts}.`);
  }
  if (part === 'encoder' && other !== undefined) {
    throw new HeedError('bad-argument', 'ablationSweep: ‘other’ is a text of the decoder, and the encoder reads the ' +
      'source. Give ablation ‘zero’ or ‘mean’.');
  }
  const heads = numbered(parts === 'heads' ? info.heads : 1);
  const hooksOf = (/** @type {number} */ layer) => HOOKS[parts].map((name) => nameOf(layer, name));

  /** @type {(hook: string) => Partial<Edit>} */
  let replacement = () => (ablation === 'mean' ? { mean: true } : { scale: 0 });
  if (other !== undefined) {
    const { ids: source } = await promptOf('ablationSweep', model, other);
    const { cache } = await model.runWithCache(source, layers.flatMap(hooksOf), { signal });
    const fromPositions = Array.from(ids, (_, p) => positionIn(source.length, p));
    replacement = (hook) => ({ from: cache[hook], fromPositions });
  }
  const variants = layers.flatMap((layer) => heads.map((head) => hooksOf(layer).map((hook) =>
    ({ hook, ...(parts === 'heads' && { head }), ...replacement(hook) }))));
  const { clean, values } = await model.sweep(ids, variants, { of, onProgress, signal });
  const axes = /** @type {Ablation<Ablated>['axes']} */ (
    parts === 'heads' ? { layer: layers, head: heads } : { layer: layers });
  return result(values.map((value) => value - clean), axes, { clean, ids });
}

/** The position of another text that replaces position p.
 *  @param {number} length  of the other text @param {number} p */
const positionIn = (length, p) => (p < length ? p : length === 1 ? 0 : 1 + (p - 1) % (length - 1));

/** @param {string} name @param {unknown} value @param {string[]} known */
const unknown = (name, value, known) => new HeedError('bad-argument',
  `ablationSweep: expected ${name} to be one of ${known.join(', ')}, got ${quoted(value)}.`);
