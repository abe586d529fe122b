/** Changes of a run: their names, their edits of the engine, and their form in an address. */
import { tokenName } from '../../draw/token.js';

/** @typedef {import('../generation.js').Edit} Edit */
/** @typedef {[from: number, to: number]} Range ends before its second number */
/**
 * The output of a head, of all heads of a layer, of its MLP or one neuron, or of the whole layer, times a factor.
 * @typedef {object} Scaling
 * @property {'head' | 'heads' | 'mlp' | 'layer' | 'neuron'} kind
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

/** A scaling of a head or neuron. @param {Scaling['kind']} kind @param {number} layer @param {number} at head or neuron
 *  @param {number} scale @param {boolean} on @returns {Scaling} */
const scalingOf = (kind, layer, at, scale, on) => (kind === 'neuron' ? { kind, layer, head: 0, neuron: at, scale, on }
  : { kind, layer, head: at, scale, on });

/** A change that cuts. @param {Scaling['kind']} kind @param {number} layer @param {number} [at] head or neuron
 *  @returns {Scaling} */
export const cutOf = (kind, layer, at = 0) => scalingOf(kind, layer, at, 0, true);

/** Identifies the target of a change. @param {Change} change */
export const targetOf = ({ kind, layer, head, ...rest }) => [kind, layer, head,
  ...('queries' in rest ? [...rest.queries, ...rest.keys] : [rest.neuron])].join();

/** The name of the scaled part: Head 3.5, All heads of layer 3. @param {Scaling} change */
export function nameOf({ kind, layer, head, neuron }) {
  if (kind === 'head') return `Head ${layer}.${head}`;
  if (kind === 'neuron') return `Neuron ${layer}.${neuron}`;
  return { heads: `All heads of layer ${layer}`, mlp: `MLP of layer ${layer}`, layer: `Layer ${layer}` }[kind];
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
 */
export function describeChange(change, tokens) {
  if (change.kind !== 'cells') return `${nameOf(change)} ${describeScale(change.scale)}`;
  const { layer, head, queries, keys } = change;
  if (queries[0] >= tokens.length) {
    return `Map ${layer}.${head}: tokens ${queries[0]} to ${queries[1] - 1}, which this text does not have`;
  }
  const span = (/** @type {Range} */ [from, to]) => [from, Math.min(to, tokens.length) - 1]
    .filter((at, i, ends) => i === 0 || at > ends[0]).map((at) => tokenName(tokens[at])).join(' to ');
  return `Map ${layer}.${head}: ${span(queries)} may not look at ${span(keys)}`;
}

/**
 * True if a model has the target of a change.
 * @param {Change} change
 * @param {{ layers: number, heads: number, dFeedForward: number, contextLength: number }} model
 */
export const fitsModel = ({ layer, head, ...rest }, { layers, heads, dFeedForward, contextLength }) => layer < layers
  && head < heads && ('queries' in rest ? rest.queries[1] <= contextLength && rest.keys[1] <= contextLength
  : (rest.neuron ?? 0) < dFeedForward);

/**
 * The edits of the engine. Changes that are off, or outside the run, are left out.
 * @param {readonly Change[]} changes
 * @param {number} positions of the run
 * @returns {Edit[]}
 */
export const editsOf = (changes, positions) =>
  changes.filter(({ on }) => on).flatMap((change) => (change.kind === 'cells' ? cellEdits(change, positions)
    : scaleEdits(change)));

/** @param {Scaling} change @returns {Edit[]} */
function scaleEdits({ kind, layer, head, neuron = 0, scale }) {
  const block = `blocks.${layer}`;
  if (kind === 'neuron') return [{ hook: `${block}.mlp.hook_post`, columns: [neuron, neuron + 1], scale }];
  if (kind === 'head') return [{ hook: `${block}.attn.hook_z`, head, scale }];
  if (kind === 'heads') return [{ hook: `${block}.attn.hook_z`, scale }];
  const mlp = { hook: `${block}.hook_mlp_out`, scale };
  return kind === 'mlp' ? [mlp] : [{ hook: `${block}.hook_attn_out`, scale }, mlp];
}

/** @param {Silencing} change @param {number} positions @returns {Edit[]} */
function cellEdits({ layer, head, queries, keys, renormalize }, positions) {
  /** @param {Range} range @returns {Range} */
  const within = ([from, to]) => [from, Math.min(to, positions)];
  const place = { head, positions: within(queries), keys: within(keys) };
  const width = place.keys[1] - place.keys[0];
  if (width <= 0 || place.positions[1] <= place.positions[0]) return [];
  return [renormalize
    ? { hook: `blocks.${layer}.attn.hook_attn_scores`, ...place, values: Array(width).fill(-Infinity) }
    : { hook: `blocks.${layer}.attn.hook_pattern`, ...place, scale: 0 }];
}

/**
 * The factor of each changed head, for a grid.
 * @param {readonly Change[]} changes
 * @param {number} heads of a layer
 * @returns {{ layer: number, head: number, scale: number }[]}
 */
export function headScales(changes, heads) {
  /** @type {Map<string, { layer: number, head: number, scale: number }>} */
  const scales = new Map();
  for (const change of changes) {
    if (!change.on || change.kind === 'cells' || change.kind === 'mlp' || change.kind === 'neuron') continue;
    const { kind, layer, scale } = change;
    const all = kind === 'head' ? [change.head] : [...Array(heads).keys()];
    for (const head of all) {
      const before = scales.get(`${layer}.${head}`)?.scale ?? 1;
      scales.set(`${layer}.${head}`, { layer, head, scale: before * scale });
    }
  }
  return [...scales.values()];
}

/** Writes changes for an address: h3.5_c2.1q8-9k4-5. @param {readonly Change[]} changes */
export const writeChanges = (changes) => changes.map((change) => {
  const off = change.on ? '' : '-';
  if (change.kind === 'cells') {
    const { layer, head, queries, keys, renormalize } = change;
    return `${off}c${layer}.${head}q${queries.join('-')}k${keys.join('-')}${renormalize ? '' : 'p'}`;
  }
  const { kind, layer, head, neuron, scale } = change;
  const at = kind === 'head' ? head : neuron;
  const [letter] = LETTERS.find(([, each]) => each === kind) ?? [];
  return `${off}${letter}${layer}${at === undefined ? '' : `.${at}`}${scale === 0 ? '' : `*${scale}`}`;
}).join('_');

const SCALING = /^(-?)([hamln])(\d{1,4})(?:\.(\d{1,6}))?(?:\*(-?\d(?:\.\d{1,2})?))?$/;
const CELLS = /^(-?)c(\d{1,4})\.(\d{1,4})q(\d{1,6})-(\d{1,6})k(\d{1,6})-(\d{1,6})(p?)$/;

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
  if (cells) {
    const [layer, head, from, to, key, end] = cells.slice(2, 8).map(Number);
    if (to <= from || end <= key) return null;
    return { kind: 'cells', layer, head, queries: [from, to], keys: [key, end], renormalize: cells[8] === '',
      on: cells[1] === '' };
  }
  const [, off, letter, layer, at, scale = '0'] = SCALING.exec(part) ?? [];
  const [, kind] = LETTERS.find(([each]) => each === letter) ?? [];
  const isValid = kind && (at !== undefined) === (kind === 'head' || kind === 'neuron')
    && Number(scale) >= SCALES[0] && Number(scale) <= SCALES[1];
  return isValid ? scalingOf(kind, Number(layer), Number(at ?? 0), Number(scale), off === '') : null;
}
