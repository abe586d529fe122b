/** Names, places and shapes of activations, with the hook names of TransformerLens. */
import { HeedError, quoted } from '../errors.js';

/** @typedef {import('../engine/wasm.js').Engine} Engine */

/**
 * A copy of an activation.  Its axes, slowest first:
 *
 * - embeddings, norms, the residual stream and what is added to it: [position][dModel]
 * - queries and z: [position][head][dHead]; keys and values: [position][kvHead][dHead]
 * - scores and patterns: [head][query][key]
 * - neurons: [position][neuron]; weights of experts: [position][expert]
 * @typedef {object} Activation
 * @property {Float32Array} data  elements, last axis fastest
 * @property {number[]} shape     sizes of these axes, such as [heads, queries, keys] of a pattern
 */
/**
 * Sizes of a model that determine its activations and their shapes (from model.info).
 * @typedef {{ layers: number, heads: number, kvHeads: number, dModel: number, dHead: number, dFeedForward: number,
 *   experts: number, dShared: number,
 *   learnedPositions: number, rotary: boolean, gated: boolean, parallel: boolean, preNorms: boolean,
 *   firstNorm: boolean, finalNorm: boolean, sumNorms: boolean } & SizesOfParts} Sizes
 */
/** Of an encoder–decoder.  source: number of tokens of its source.
 *  @typedef {{ parts?: import('../files/families/parts.js').Parts, source?: number }} SizesOfParts */
/** ofSource: axes that have the length of the source.
 *  @typedef {{ hook: number, layer: number, axes: string[], ofSource?: string[] }} Site */
/** A copy of an activation to make; columns: numbers of one row.
 *  @typedef {{ name: string, site: Site, shape: number[], columns: number }} Plan */
/** A copy of an activation in the engine's memory. @typedef {{ name: string, at: number, shape: number[] }} Copy */

/** Largest number of elements that one run can copy: 1 GB of float32. */
const CACHE_LIMIT = 2 ** 28;

/** Why a model has no activations of one feed-forward network, or null. @param {Sizes} sizes */
const onlyExperts = ({ experts, dShared }) => (experts && !dShared ? 'each token has its own experts' : null);

/** Activations that only some models have: the reason why a model lacks one, or null if it has it.
 *  @type {Readonly<Record<string, (sizes: Sizes, layer: number) => string | null>>} */
const CONDITIONS = Object.freeze({
  'hook_pos_embed': ({ learnedPositions, parts }) =>
    (learnedPositions > 0 || parts?.sinusoids ? null : 'it has no embedding of positions'),
  'attn.hook_rot_q': (sizes) => (sizes.rotary ? null : 'it does not rotate queries by their positions (RoPE)'),
  'attn.hook_rot_k': (sizes) => (sizes.rotary ? null : 'it does not rotate keys by their positions (RoPE)'),
  'ln1.hook_normalized': (sizes, layer) => (!sizes.preNorms ? 'its norms are after attention and feed-forward network'
    : layer === 0 && !sizes.firstNorm ? 'its first block reads the normalized embeddings' : null),
  'ln2.hook_normalized': (sizes) => (sizes.preNorms ? null : 'its norms are after attention and feed-forward network'),
  'hook_resid_mid': (sizes) => (sizes.parallel ? 'its feed-forward network reads hook_resid_pre' : null),
  'ln_final.hook_normalized': (sizes) => (sizes.finalNorm ? null : 'its last block ends with a norm'),
  'mlp.hook_expert_weights': (sizes) => (sizes.experts ? null : 'it has no experts'),
  'mlp.hook_pre': onlyExperts,
  'mlp.hook_pre_linear': (sizes) => (sizes.gated ? onlyExperts(sizes) : 'its feed-forward network has no gate'),
  'mlp.hook_post': onlyExperts,
});

/** The reason why a model lacks an activation, or null if it has it.
 *  @param {string} base  its name without the layer @param {Sizes} sizes @param {number} layer */
const whyMissing = (base, sizes, layer) => (Object.hasOwn(CONDITIONS, base) ? CONDITIONS[base](sizes, layer) : null);

/** In a block that normalizes sums, a norm comes after the sum that it reads.
 *  @param {string[]} names  of a block of another kind */
function afterSums(names) {
  const norms = /** @type {const} */ ([['ln1.hook_normalized', 'hook_resid_mid'],
    ['ln2.hook_normalized', 'hook_resid_post']]);
  const others = names.filter((name) => !norms.some(([norm]) => norm === name));
  return others.flatMap((name) => [name, ...norms.filter(([, sum]) => sum === name).map(([norm]) => norm)]);
}

/** Names of the activations that a model has, in the order of the forward pass.
 *  @param {Engine['abi']['hooks']} all @param {Sizes} sizes */
export function hookNames(all, sizes) {
  const of = (/** @type {number} */ layer) => all
    .filter(({ name, perLayer }) => perLayer === layer >= 0 && whyMissing(name, sizes, layer) === null)
    .map(({ name }) => name);
  const before = of(-1).filter((name) => !name.startsWith('ln_final'));
  const after = of(-1).filter((name) => name.startsWith('ln_final'));
  const blocks = sizes.parts ? Object.keys(sizes.parts.places) : Array.from({ length: sizes.layers }, (_, l) =>
    (sizes.sumNorms ? afterSums(of(l)) : of(l)).map((name) => `blocks.${l}.${name}`));
  return [...before, ...blocks.flat(), ...after];
}

/** @param {Engine} engine @param {Sizes} sizes @param {string} name @returns {Site} */
export function siteOf(engine, sizes, name) {
  const { parts } = sizes;
  if (parts && Object.hasOwn(parts.places, name)) {
    const { base, layer, ofSource } = parts.places[name];
    const hook = engine.abi.hooks.findIndex((h) => h.name === base);
    return { hook, layer, axes: engine.abi.hooks[hook].axes, ofSource };
  }
  const [, block, text] = /^blocks\.(\d+)\.(.+)$/.exec(name) ?? [null, null, name];
  const layer = block === null ? -1 : Number(block);
  const base = text ?? name;
  const hook = engine.abi.hooks.findIndex((h) => h.name === base && h.perLayer === layer >= 0);
  if (hook < 0 || layer >= (parts ? 0 : sizes.layers) || (block !== null && String(layer) !== block)) {
    throw new HeedError(
      'bad-argument',
      `There is no activation ${quoted(name)}. Names are as in TransformerLens, such as ` +
        `‘${hookNames(engine.abi.hooks, sizes).find((hook) => /pattern/.test(hook))}’; model.hooks lists all of them.`,
    );
  }
  const missing = whyMissing(base, sizes, layer);
  if (missing !== null) {
    throw new HeedError('bad-argument', `This model has no activation ${quoted(name)}: ${missing}. model.hooks lists ` +
      'its activations.');
  }
  return { hook, layer, axes: engine.abi.hooks[hook].axes };
}

/** The sizes of an activation's axes.
 *  @param {Sizes} sizes @param {Pick<Site, 'axes' | 'ofSource'>} site @param {number} positions @returns {number[]} */
export function shapeOf(sizes, { axes, ofSource }, positions) {
  /** @type {Record<string, number>} */
  const size = {
    position: positions,
    query: positions,
    key: positions,
    head: sizes.heads,
    kv_head: sizes.kvHeads,
    d_head: sizes.dHead,
    d_model: sizes.dModel,
    d_mlp: sizes.dShared || sizes.dFeedForward,
    expert: sizes.experts,
  };
  return axes.map((axis) => (ofSource?.includes(axis) ? sizes.source ?? 0 : size[axis]));
}

/** Names of an activation's axes, slowest first.
 *  @param {import('../engine/wasm.js').Abi} abi @param {string} name @returns {string[]} */
export function axisNames(abi, name) {
  const base = name.replace(/^blocks\.\d+\./, '');
  return abi.hooks.find((hook) => hook.name === base)?.axes ?? [];
}

/** Whether the engine taps each head by itself: scores and patterns, [head][query][key]. @param {string[]} axes */
export const isPerHead = (axes) => axes[0] === 'head';

/** @param {number[]} shape */
export const elements = (shape) => shape.reduce((product, n) => product * n, 1);

/**
 * Checked copies of activations at positions 0 to `positions - 1`, for linkCopies().
 * @param {Engine} engine
 * @param {Sizes} sizes
 * @param {string[]} names
 * @param {number} positions
 * @returns {Plan[]}
 * @throws {HeedError} 'bad-argument', 'too-large'
 */
export function copiesOf(engine, sizes, names, positions) {
  const plans = names.map((name) => {
    const site = siteOf(engine, sizes, name);
    const shape = shapeOf(sizes, site, positions);
    const columns = elements(shape.slice(isPerHead(site.axes) ? 2 : 1));
    return { name, site, shape, columns };
  });
  const total = plans.reduce((sum, { shape }) => sum + elements(shape), 0);
  if (total > CACHE_LIMIT) {
    throw new HeedError(
      'too-large',
      `Copies of ${names.length} activations over ${positions} positions have ${total} elements; the limit is ` +
        `${CACHE_LIMIT}. Name fewer activations, or run fewer ids.`,
    );
  }
  return plans;
}

/**
 * Registers copies of activations for the next run.
 * @param {Engine} engine
 * @param {number} session
 * @param {Plan[]} plans  of copiesOf()
 * @param {number} masked  the value of scores that a mask hides
 * @param {boolean} activation  in a gradient: copies the activations, and not their gradients
 * @returns {Copy[]} for readCopies() after the run
 */
export function linkCopies(engine, session, plans, masked = -Infinity, activation = false) {
  return plans.map(({ name, site, shape, columns }) => {
    const at = engine.reserve(4 * elements(shape), 'copies of activations');
    engine.f32(at, elements(shape)).fill(name.endsWith('attn.hook_attn_scores') ? masked : 0);
    link(engine, session, {
      hook: site.hook,
      layer: site.layer,
      head: -1,
      from: 0,
      to: shape[Number(isPerHead(site.axes))],
      scale: 1,
      copy: at,
      copy_columns: columns,
      activation: Number(activation),
    });
    return { name, at, shape };
  });
}

/** Reads the copies of activations after a run.
 *  @param {Engine} engine @param {Copy[]} copies @returns {Record<string, Activation>} */
export function readCopies(engine, copies) {
  return Object.fromEntries(
    copies.map(({ name, at, shape }) => [name, { data: engine.f32(at, elements(shape)).slice(), shape }]),
  );
}

/** Links a tap to the next runs.
 *  @param {Engine} engine @param {number} session @param {Record<string, number>} fields  of heed_tap_request
 *  @returns {number} its address */
export function link(engine, session, fields) {
  const at = engine.reserve(engine.structBytes('tap'), 'a tap');
  engine.writeStruct('tap', at, fields);
  engine.call('heed_tap_link', session, at);
  return at;
}
