/** Changes of a run: their names, their edits of the engine, and their form in an address. */
import { tokenName } from '../../draw/token.js';

/** @typedef {import('../generation.js').Edit} Edit */
/** @typedef {[from: number, to: number]} Range ends before its second number */
/** A part of an encoder–decoder. @typedef {'encoder' | 'decoder' | 'cross'} Part */
/**
 * The output of a head, of all heads of a layer, of its MLP or one neuron, or of the whole layer, times a factor.
 * @typedef {object} Scaling
 * @property {'head' | 'heads' | 'mlp' | 'layer' | 'neuron'} kind
 * @property {Part} [part] of an encoder–decoder
 * @property {number} layer
 * @property {number} head 0 unless the kind is ‘head’
 * @property {number} [neuron] of the kind ‘neuron’
 * @property {number} scale 0 cuts, −1 reverses, 1 changes nothing
 * @property {boolean} on
 */
/**
 * Cells of a map without attention.
 * @typedef {object} Silencing
 * @property {'cells'} kind
 * @property {Part} [part] of an encoder–decoder
 * @property {number} layer
 * @property {number} head
 * @property {Range} queries
 * @property {Range} keys
 * @property {boolean} renormalize whether the other weights of a row grow, so that they sum to 1
 * @property {boolean} on
 */
/** @typedef {Scaling | Silencing} Change */

/** Least and largest factor. */
export const SCALES = /** @type {const} */ ([-1, 2]);
/** Most changes of one run. */
export const CHANGES_LIMIT = 64;

/** Letters of the kinds in an address. @type {[letter: string, kind: Scaling['kind']][]} */
const LETTERS = [['h', 'head'], ['a', 'heads'], ['m', 'mlp'], ['l', 'layer'], ['n', 'neuron']];

/** Letters of the parts in an address. @type {[letter: string, part: Part][]} */
const PART_LETTERS = [['e', 'encoder'], ['d', 'decoder'], ['x', 'cross']];
/** Names of the parts. @type {Record<Part, string>} */
const PART_NAMES = { encoder: 'the encoder', decoder: 'the decoder', cross: 'cross-attention' };

/** A scaling of a head or neuron. Cross-attention is in the layers of the decoder.
 *  @param {Pick<Scaling, 'kind' | 'part' | 'layer' | 'scale' | 'on'>} change @param {number} at head or neuron
 *  @returns {Scaling} */
function scalingOf({ kind, part, layer, scale, on }, at) {
  const isOfLayer = kind === 'mlp' || kind === 'layer';
  const of = part === 'cross' && isOfLayer ? 'decoder' : part;
  const place = kind === 'neuron' ? { head: 0, neuron: at } : { head: at };
  return { kind, ...(of && { part: of }), layer, ...place, scale, on };
}

/** A change that cuts. @param {Scaling['kind']} kind @param {number} layer @param {number} [at] head or neuron
 *  @param {Part} [part] @returns {Scaling} */
export const cutOf = (kind, layer, at = 0, part) =>
  scalingOf({ kind, ...(part && { part }), layer, scale: 0, on: true }, at);

/** Identifies the target of a change. @param {Change} change */
export const targetOf = ({ kind, part, layer, head, ...rest }) => [kind, part, layer, head,
  ...('queries' in rest ? [...rest.queries, ...rest.keys] : [rest.neuron])].join();

/** @param {Part | undefined} part */
const ofPart = (part) => (part ? ` of ${PART_NAMES[part]}` : '');

/** The name of the scaled part: Head 3.5, All heads of layer 3, Head 0.1 of the encoder. @param {Scaling} change */
export function nameOf({ kind, part, layer, head, neuron }) {
  const name = { head: `Head ${layer}.${head}`, neuron: `Neuron ${layer}.${neuron}`,
    heads: `All heads of layer ${layer}`, mlp: `MLP of layer ${layer}`, layer: `Layer ${layer}` }[kind];
  return `${name}${ofPart(part)}`;
}

/** A factor with at most two decimals. @param {number} scale */
export const formatScale = (scale) => String(Math.round(100 * scale) / 100).replace('-', '−');

/** The effect of a factor. @param {number} scale */
export function describeScale(scale) {
  if (scale === 0) return 'cut';
  if (scale === -1) return 'reversed';
  if (scale === 1) return 'unchanged';
  return `times ${formatScale(scale)}`;
}

/**
 * A change in words: “Head 3.5 cut”, “Map 2.1: ‘ball’ may not look at ‘Lily’”.
 * @param {Change} change
 * @param {string[]} tokens of the text
 * @param {string[]} [source] tokens of the source of an encoder–decoder
 */
export function describeChange(change, tokens, source = []) {
  if (change.kind !== 'cells') return `${nameOf(change)} ${describeScale(change.scale)}`;
  const { part, layer, head, queries, keys } = change;
  const map = `Map ${layer}.${head}${ofPart(part)}`;
  const rows = isOfSource(part, 'queries') ? source : tokens;
  const columns = isOfSource(part, 'keys') ? source : tokens;
  for (const [[from, to], texts] of /** @type {const} */ ([[queries, rows], [keys, columns]])) {
    if (from < texts.length) continue;
    return `${map}: tokens ${from} to ${to - 1}, which this ${texts === tokens ? 'text' : 'source'} does not have`;
  }
  const span = (/** @type {Range} */ [from, to], /** @type {string[]} */ texts) =>
    [from, Math.min(to, texts.length) - 1].filter((at, i, ends) => i === 0 || at > ends[0])
      .map((at) => tokenName(texts[at])).join(' to ');
  return `${map}: ${span(queries, rows)} may not look at ${span(keys, columns)}`;
}

/** Whether the queries or keys of a map are tokens of the source. @param {Part | undefined} part
 *  @param {'queries' | 'keys'} axis */
const isOfSource = (part, axis) => part === 'encoder' || (part === 'cross' && axis === 'keys');

/**
 * True if a model has the target of a change.
 * @param {Change} change
 * @param {{ layers: number, heads: number, dFeedForward: number, contextLength: number,
 *   parts?: Record<Part, { layers: number }> }} model
 */
export function fitsModel({ part, layer, head, ...rest }, { layers, heads, dFeedForward, contextLength, parts }) {
  if ((part !== undefined) !== (parts !== undefined)) return false;
  const isInside = 'queries' in rest ? rest.queries[1] <= contextLength && rest.keys[1] <= contextLength
    : (rest.neuron ?? 0) < dFeedForward;
  return isInside && layer < (part && parts ? parts[part].layers : layers) && head < heads;
}

/**
 * The edits of the engine. Changes that are off, or outside the run, are left out.
 * @param {readonly Change[]} changes
 * @param {number} positions of the run
 * @param {number} [source] tokens of the source of an encoder–decoder
 * @returns {Edit[]}
 */
export const editsOf = (changes, positions, source = 0) =>
  changes.filter(({ on }) => on).flatMap((change) => (change.kind === 'cells' ? cellEdits(change, positions, source)
    : scaleEdits(change)));

/** The beginning of the names of a layer's activations, and of its attention's.
 *  @param {{ part?: Part, layer: number }} change */
function hooksOf({ part, layer }) {
  const block = part ? `${part === 'encoder' ? 'encoder' : 'decoder'}.${layer}` : `blocks.${layer}`;
  return { block, attention: `${block}.${part === 'cross' ? 'cross_attn' : 'attn'}` };
}

/** @param {Scaling} change @returns {Edit[]} */
function scaleEdits({ kind, head, neuron = 0, scale, ...place }) {
  const { block, attention } = hooksOf(place);
  if (kind === 'neuron') return [{ hook: `${block}.mlp.hook_post`, columns: [neuron, neuron + 1], scale }];
  if (kind === 'head') return [{ hook: `${attention}.hook_z`, head, scale }];
  if (kind === 'heads') return [{ hook: `${attention}.hook_z`, scale }];
  const attentions = ['hook_attn_out', ...(place.part === 'decoder' ? ['hook_cross_attn_out'] : [])];
  return [...(kind === 'mlp' ? [] : attentions), 'hook_mlp_out'].map((name) => ({ hook: `${block}.${name}`, scale }));
}

/** @param {Silencing} change @param {number} positions @param {number} source @returns {Edit[]} */
function cellEdits({ part, layer, head, queries, keys, renormalize }, positions, source) {
  /** @param {'queries' | 'keys'} axis @param {Range} range @returns {Range} */
  const within = (axis, [from, to]) => [from, Math.min(to, isOfSource(part, axis) ? source : positions)];
  const place = { head, positions: within('queries', queries), keys: within('keys', keys) };
  const width = place.keys[1] - place.keys[0];
  if (width <= 0 || place.positions[1] <= place.positions[0]) return [];
  const { attention } = hooksOf({ ...(part && { part }), layer });
  return [renormalize
    ? { hook: `${attention}.hook_attn_scores`, ...place, values: Array(width).fill(-Infinity) }
    : { hook: `${attention}.hook_pattern`, ...place, scale: 0 }];
}

/**
 * The factor of each changed head, for a grid.
 * @param {readonly Change[]} changes
 * @param {number} heads of a layer
 * @param {Part} [part] whose heads the grid shows
 * @returns {{ layer: number, head: number, scale: number }[]}
 */
export function headScales(changes, heads, part) {
  /** @type {Map<string, { layer: number, head: number, scale: number }>} */
  const scales = new Map();
  for (const change of changes) {
    if (!change.on || change.kind === 'cells' || change.kind === 'mlp' || change.kind === 'neuron') continue;
    const { kind, layer, scale } = change;
    const isCross = part === 'cross' && kind === 'layer' && change.part === 'decoder';
    if (change.part !== part && !isCross) continue;
    const all = kind === 'head' ? [change.head] : [...Array(heads).keys()];
    for (const head of all) {
      const before = scales.get(`${layer}.${head}`)?.scale ?? 1;
      scales.set(`${layer}.${head}`, { layer, head, scale: before * scale });
    }
  }
  return [...scales.values()];
}

/** Writes changes for an address: h3.5_c2.1q8-9k4-5, of an encoder–decoder eh0.1_xh2.3.
 *  @param {readonly Change[]} changes */
export const writeChanges = (changes) => changes.map((change) => {
  const [part] = PART_LETTERS.find(([, each]) => each === change.part) ?? [''];
  const off = `${change.on ? '' : '-'}${part}`;
  if (change.kind === 'cells') {
    const { layer, head, queries, keys, renormalize } = change;
    return `${off}c${layer}.${head}q${queries.join('-')}k${keys.join('-')}${renormalize ? '' : 'p'}`;
  }
  const { kind, layer, head, neuron, scale } = change;
  const at = kind === 'head' ? head : neuron;
  const [letter] = LETTERS.find(([, each]) => each === kind) ?? [];
  return `${off}${letter}${layer}${at === undefined ? '' : `.${at}`}${scale === 0 ? '' : `*${scale}`}`;
}).join('_');

/**
 * The changes of a page for its address, and the token whose prediction they change: h3.5@13.
 * @param {readonly Change[]} changes
 * @param {number | null} position of the token; null for the token that the page shows first
 */
export const writeField = (changes, position) => `${writeChanges(changes)}${position === null ? '' : `@${position}`}`;

/** Splits the output of `writeField`. @param {string} text @returns {{ changes: string, position: number | null }} */
export function splitField(text) {
  const [, changes, position] = /^(.*?)(?:@(\d{1,6}))?$/s.exec(text) ?? [];
  return { changes, position: position === undefined ? null : Number(position) };
}

const SCALING = /^(-?)([edx]?)([hamln])(\d{1,4})(?:\.(\d{1,6}))?(?:\*(-?\d(?:\.\d{1,2})?))?$/;
const CELLS = /^(-?)([edx]?)c(\d{1,4})\.(\d{1,4})q(\d{1,6})-(\d{1,6})k(\d{1,6})-(\d{1,6})(p?)$/;

/**
 * Reads the output of `writeChanges`.
 * @param {string} text
 * @returns {Change[] | null} null if any part is invalid
 */
export function readChanges(text) {
  const parts = text === '' ? [] : text.split('_', CHANGES_LIMIT + 1);
  const changes = parts.map(readChange);
  return changes.length <= CHANGES_LIMIT && changes.every((change) => change !== null) ? changes : null;
}

/** @param {string} part @returns {Change | null} */
function readChange(part) {
  const cells = CELLS.exec(part);
  /** @param {string | undefined} letter @returns {{ part?: Part }} */
  const partOf = (letter) => {
    const [, name] = PART_LETTERS.find(([each]) => each === letter) ?? [];
    return name ? { part: name } : {};
  };
  if (cells) {
    const [layer, head, from, to, key, end] = cells.slice(3, 9).map(Number);
    if (to <= from || end <= key) return null;
    return { kind: 'cells', ...partOf(cells[2]), layer, head, queries: [from, to], keys: [key, end],
      renormalize: cells[9] === '', on: cells[1] === '' };
  }
  const [, off, of, letter, layer, at, scale = '0'] = SCALING.exec(part) ?? [];
  const [, kind] = LETTERS.find(([each]) => each === letter) ?? [];
  const isValid = kind && (at !== undefined) === (kind === 'head' || kind === 'neuron')
    && Number(scale) >= SCALES[0] && Number(scale) <= SCALES[1];
  return isValid ? scalingOf({ kind, ...partOf(of), layer: Number(layer), scale: Number(scale), on: off === '' },
    Number(at ?? 0)) : null;
}
