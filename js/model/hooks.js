import { HeedError, quoted } from '../errors.js';
import { needArray, needOptions } from '../options.js';

/** @typedef {import('../engine/wasm.js').Engine} Engine */

/**
 * An edit of one activation while the model runs: x ← scale·x + values.  scale 0 knocks out; scale 0 with values
 * replaces; values alone steer.
 * @typedef {object} Edit
 * @property {string} hook                    TransformerLens's name: 'blocks.1.attn.hook_z'
 * @property {number} [head]                  only this head's part; every head by default
 * @property {[from: number, to: number]} [positions]  all by default
 * @property {number} [scale]                 1 by default
 * @property {ArrayLike<number>} [values]     [position][width], or [width] for every position
 */

/** @typedef {{ data: Float32Array, shape: number[] }} Activation  axes slowest first */
/**
 * What of a model decides which activations it has, and their shapes (model.info).
 * @typedef {{ layers: number, heads: number, kvHeads: number, dModel: number, dHead: number, dFeedForward: number,
 *   learnedPositions: number, rotary: boolean, gated: boolean }} Sizes
 */
/** @typedef {{ hook: number, layer: number, axes: string[] }} Site */

/** Float32s that one run may keep: a gigabyte. */
const CACHE_LIMIT = 2 ** 28;

const EDIT = ['hook', 'head', 'positions', 'scale', 'values'];

/** Activations that some models have and others have not: why a model lacks one, or null where it has it.
 *  @type {Readonly<Record<string, (sizes: Sizes) => string | null>>} */
const CONDITIONS = Object.freeze({
  'hook_pos_embed': (sizes) => (sizes.learnedPositions > 0 ? null : 'it has no embedding of positions'),
  'attn.hook_rot_q': (sizes) => (sizes.rotary ? null : 'it does not rotate queries by their positions (RoPE)'),
  'attn.hook_rot_k': (sizes) => (sizes.rotary ? null : 'it does not rotate keys by their positions (RoPE)'),
  'mlp.hook_pre_linear': (sizes) => (sizes.gated ? null : 'its feed-forward network has no gate'),
});

/** Why a model lacks an activation; null where it has it.
 *  @param {string} base its name without the layer @param {Sizes} sizes */
const whyMissing = (base, sizes) => (Object.hasOwn(CONDITIONS, base) ? CONDITIONS[base](sizes) : null);

/** Names of the activations that a model has, in the order of the forward pass.
 *  @param {Engine['abi']['hooks']} all @param {Sizes} sizes */
export function hookNames(all, sizes) {
  const hooks = all.filter(({ name }) => whyMissing(name, sizes) === null);
  const before = hooks.filter(({ name, perLayer }) => !perLayer && !name.startsWith('ln_final'));
  const after = hooks.filter(({ name, perLayer }) => !perLayer && name.startsWith('ln_final'));
  const blocks = Array.from({ length: sizes.layers }, (_, l) =>
    hooks.filter(({ perLayer }) => perLayer).map(({ name }) => `blocks.${l}.${name}`),
  );
  return [...before.map(({ name }) => name), ...blocks.flat(), ...after.map(({ name }) => name)];
}

/** @param {Engine} engine @param {Sizes} sizes @param {string} name @returns {Site} */
function siteOf(engine, sizes, name) {
  const [, block, text] = /^blocks\.(\d+)\.(.+)$/.exec(name) ?? [null, null, name];
  const layer = block === null ? -1 : Number(block);
  const base = text ?? name;
  const hook = engine.abi.hooks.findIndex((h) => h.name === base && h.perLayer === layer >= 0);
  if (hook < 0 || layer >= sizes.layers || (block !== null && String(layer) !== block)) {
    throw new HeedError(
      'bad-argument',
      `There is no activation ${quoted(name)}. Names are TransformerLens’s, for example ` +
        `‘blocks.0.attn.hook_pattern’; this model has layers 0 to ${sizes.layers - 1}.`,
    );
  }
  const missing = whyMissing(base, sizes);
  if (missing !== null) {
    throw new HeedError('bad-argument', `This model has no activation ${quoted(name)}: ${missing}. model.hooks lists ` +
      'those that it has.');
  }
  return { hook, layer, axes: engine.abi.hooks[hook].axes };
}

/** The sizes of an activation's axes.
 *  @param {Sizes} sizes @param {string[]} axes @param {number} positions @returns {number[]} */
function shapeOf(sizes, axes, positions) {
  /** @type {Record<string, number>} */
  const size = {
    position: positions,
    query: positions,
    key: positions,
    head: sizes.heads,
    kv_head: sizes.kvHeads,
    d_head: sizes.dHead,
    d_model: sizes.dModel,
    d_mlp: sizes.dFeedForward,
  };
  return axes.map((axis) => size[axis]);
}

/** Names of an activation's axes, slowest first.
 *  @param {import('../engine/wasm.js').Abi} abi @param {string} name TransformerLens's @returns {string[]} */
export function axisNames(abi, name) {
  const base = name.replace(/^blocks\.\d+\./, '');
  return abi.hooks.find((hook) => hook.name === base)?.axes ?? [];
}

/** Whether the engine taps each head by itself: scores and patterns, [head][query][key]. @param {string[]} axes */
const isPerHead = (axes) => axes[0] === 'head';

/** @param {number[]} shape */
const elements = (shape) => shape.reduce((product, n) => product * n, 1);

/**
 * Links a copy of each named activation over positions 0 to `positions`.
 * @param {Engine} engine
 * @param {number} session
 * @param {Sizes} sizes
 * @param {string[]} names
 * @param {number} positions
 * @returns {() => Record<string, Activation>} reads the copies once the model has run
 */
export function linkCopies(engine, session, sizes, names, positions) {
  const plans = names.map((name) => {
    const site = siteOf(engine, sizes, name);
    const shape = shapeOf(sizes, site.axes, positions);
    const columns = elements(shape.slice(isPerHead(site.axes) ? 2 : 1));
    return { name, site, shape, columns };
  });
  const total = plans.reduce((sum, { shape }) => sum + elements(shape), 0);
  if (total > CACHE_LIMIT) {
    throw new HeedError(
      'too-large',
      `These ${names.length} activations over ${positions} positions are ${total} numbers; at most ${CACHE_LIMIT} ` +
        'can be kept. Name fewer, or give fewer ids.',
    );
  }
  const copies = plans.map(({ name, site, shape, columns }) => {
    const at = engine.reserve(4 * elements(shape), 'copies of activations');
    engine.f32(at, elements(shape)).fill(name.endsWith('attn.hook_attn_scores') ? -Infinity : 0);
    link(engine, session, {
      hook: site.hook,
      layer: site.layer,
      head: -1,
      from: 0,
      to: positions,
      scale: 1,
      copy: at,
      copy_columns: columns,
    });
    return { name, at, shape };
  });
  return () =>
    Object.fromEntries(
      copies.map(({ name, at, shape }) => [name, { data: engine.f32(at, elements(shape)).slice(), shape }]),
    );
}

/**
 * Links edits; the core applies them whenever the activation is made, until they are unlinked.
 * @param {Engine} engine
 * @param {number} session
 * @param {Sizes} sizes
 * @param {Edit[]} edits applied in this order
 * @param {number} positions that the run will have
 */
export function linkEdits(engine, session, sizes, edits, positions) {
  // The core visits what was linked last first.
  for (const edit of [...edits].reverse()) {
    needOptions('an edit', edit ?? null, EDIT);
    const site = siteOf(engine, sizes, edit.hook);
    const shape = shapeOf(sizes, site.axes, positions);
    const headAxis = site.axes.findIndex((axis) => axis === 'head' || axis === 'kv_head');
    const perHead = headAxis >= 0;
    const heads = shape[headAxis];
    const head = edit.head ?? -1;
    if (edit.head !== undefined && !(perHead && Number.isInteger(head) && head >= 0 && head < heads)) {
      throw new HeedError(
        'bad-argument',
        perHead
          ? `${quoted(edit.hook)} has heads 0 to ${heads - 1}; head ${quoted(edit.head)} is none of them.`
          : `${quoted(edit.hook)} is not divided into heads; leave ‘head’ out.`,
      );
    }
    needArray('positions', edit.positions ?? [], 'two positions, [from, to]');
    const [from, to] = edit.positions ?? [0, positions];
    if (!(Number.isInteger(from) && Number.isInteger(to) && from >= 0 && from < to && to <= positions)) {
      throw new HeedError(
        'bad-argument',
        `Positions ${quoted([from, to])} of ${quoted(edit.hook)}: the run has positions 0 to ${positions}.`,
      );
    }
    const columns = elements(shape.slice(isPerHead(site.axes) ? 2 : 1));
    const width = head >= 0 ? shape[shape.length - 1] : columns;
    const values = edit.values ? placeValues(engine, edit.values, to - from, width, edit.hook) : 0;
    const scale = edit.scale ?? 1;
    if (!Number.isFinite(scale)) {
      throw new HeedError(
        'bad-argument',
        `The scale of ${quoted(edit.hook)} is ${quoted(scale)}; it must be a number.`,
      );
    }
    link(engine, session, { hook: site.hook, layer: site.layer, head, from, to, scale, values, width });
  }
}

/** @param {Engine} engine @param {ArrayLike<number>} values @param {number} rows @param {number} width
 *  @param {string} hook */
function placeValues(engine, values, rows, width, hook) {
  if (values.length !== width && values.length !== rows * width) {
    throw new HeedError(
      'bad-argument',
      `${quoted(hook)} takes ${width} values, or ${rows} times ${width}; there are ${values.length}.`,
    );
  }
  const at = engine.reserve(4 * rows * width, 'values of an edit');
  const target = engine.f32(at, rows * width);
  for (let offset = 0; offset < target.length; offset += values.length) target.set(values, offset);
  return at;
}

/** @param {Engine} engine @param {number} session @param {Record<string, number>} fields */
function link(engine, session, fields) {
  const pointer = 4; // `next`, which the core fills
  const at = engine.reserve(pointer + engine.structBytes('tap'), 'a tap');
  engine.writeStruct('tap', at + pointer, fields);
  engine.call('heed_tap_link', session, at);
}
