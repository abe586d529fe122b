/** Edits of activations: data that can be stored, combined and sent to a Worker. */
import { HeedError, quoted } from '../errors.js';
import { needInteger, needOptions } from '../options.js';
import { needRange } from '../range.js';
import { numbersOf } from './edit-numbers.js';
import { elements, isPerHead, link, shapeOf, siteOf } from './hooks.js';
import { withArrays } from './stored-edits.js';

/** @typedef {import('../engine/wasm.js').Engine} Engine */
/** @typedef {import('./hooks.js').Activation} Activation */
/** @typedef {import('./hooks.js').Sizes} Sizes */

/**
 * Numbers of an edit: an array, or the base64 text of little-endian float32, which survives JSON.
 * @typedef {ArrayLike<number> | string} Numbers
 */
/**
 * An edit of one activation during a run: x ← scale·x + coefficient·numbers.  Scale 0 removes the activation
 * (ablation).  Scale 0 with numbers replaces it (patching).  Numbers alone are added (steering).  −Infinity in scores
 * hides a key, and the row of the pattern still sums to 1.  Scale 0 in the pattern removes a weight, and the row sums
 * to less.  An edit of scores or patterns leaves out keys that the query does not see: later keys, and keys outside of
 * its window.  So every run is causal.
 *
 * An edit has at most one of `values`, `from`, `mean`, `pattern` and `project`.
 * @typedef {object} Edit
 * @property {string} [hook]                  name of the activation, from `model.hooks`: 'blocks.1.attn.hook_z'.  Only
 *   `pattern` has a default
 * @property {number} [head]                  head to edit, from 0; default: all heads, and the head of the map with
 *   `pattern`
 * @property {readonly [from: number, to: number]} [positions]  positions from ≤ position < to; default: all
 *   positions; with `from` or `pattern`, its positions
 * @property {readonly [from: number, to: number]} [keys]  keys from ≤ key < to of scores and patterns; default:
 *   all keys
 * @property {readonly [from: number, to: number]} [columns]  columns of the last axis, such as neurons of
 *   mlp.hook_post; default: all columns
 * @property {number} [scale]                 factor of the activation; default 1; with `from`, `mean` or `pattern` 0
 * @property {number} [coefficient]           factor of the numbers; default 1
 * @property {Numbers} [values]     numbers to add, [position][width], or [width] for every position; default:
 *   none.  The width is the last axis of one head, or of all heads together; the keys of scores and patterns
 * @property {{ data: Numbers, shape: number[] }} [from]  activation of another run, which replaces the activation at
 *   its positions (activation patching)
 * @property {ArrayLike<number>} [fromPositions]  position in `from` of each edited position (resample ablation);
 *   default: the same positions
 * @property {boolean} [mean]                 replaces the activation by its mean over the edited positions, in the run
 *   of the same ids without edits (mean ablation).  A generated text takes the mean over the prompt
 * @property {import('./stored-edits.js').MapNumbers} [pattern]  a map of `attention()`, which replaces the pattern at
 *   its rows (frozen pattern)
 * @property {boolean} [renormalize]          divides the edited rows of a pattern by their sums afterwards
 * @property {Numbers} [project]              direction v [width] to project out: x ← x − (x·v)/(v·v)·v
 */

/** An edit of one head or of all: fields of heed_tap_request, and its numbers if it has some.
 *  @typedef {Record<string, any> & { numbers?: import('./edit-numbers.js').NumbersAfter }} Tap */
/**
 * The place that an edit names.
 * @typedef {object} Place
 * @property {string} hook
 * @property {number[]} shape  shape of the whole activation
 * @property {boolean} isMap   scores and patterns: [head][query][key]
 * @property {number} head     −1: all
 * @property {number} heads    length of the axis of heads; 0 without
 * @property {number} from     first position
 * @property {number} to       position after the last
 * @property {number} column   first column of the head or of the row; first key of a map
 * @property {number} width    numbers of one position
 */

const FIELDS = ['hook', 'head', 'positions', 'keys', 'columns', 'scale', 'coefficient', 'values', 'from',
  'fromPositions', 'mean', 'pattern', 'renormalize', 'project'];
/** Fields whose numbers replace the activation. */
const REPLACING = /** @type {const} */ (['from', 'mean', 'pattern']);

/** @param {string} what @returns {HeedError} */
const bad = (what) => new HeedError('bad-argument', what);

/** Names of the activations whose means edits need, each once. @param {Edit[]} edits @returns {string[]} */
export const meanHooks = (edits) =>
  [...new Set(edits.flatMap((edit) => (edit?.mean === true && edit.hook !== undefined ? [edit.hook] : [])))];

/** The activation that an edit names. @param {Edit} edit @returns {string} */
export function hookOf(edit) {
  if (edit?.hook !== undefined || !edit?.pattern) return /** @type {any} */ (edit?.hook);
  return `blocks.${edit.pattern.layer}.attn.hook_pattern`;
}

/** The first position that an edit can change. @param {Edit} edit @returns {number} */
export function firstPosition(edit) {
  const first = edit?.positions?.[0] ?? edit?.pattern?.firstQuery ?? 0;
  return Number.isInteger(first) && first > 0 ? first : 0; // others are refused when they are linked
}

/**
 * Checked edits, as taps for linkEdits().
 * @param {Engine} engine
 * @param {Sizes} sizes
 * @param {Edit[]} edits  edits in the order of their application
 * @param {number} positions  number of positions of the run
 * @param {number} prompt  number of positions over which means are computed
 * @returns {Tap[]}
 * @throws {HeedError} 'bad-argument'
 */
export function tapsOf(engine, sizes, edits, positions, prompt = positions) {
  /** @type {Tap[]} */
  const taps = [];
  // The core applies the edit that was linked last first.
  for (const given of [...edits].reverse()) {
    needOptions('an edit', given ?? null, FIELDS);
    const edit = withArrays(given);
    const hook = hookOf(edit);
    const site = siteOf(engine, sizes, hook);
    const place = placeOf(hook, edit, shapeOf(sizes, site, positions), site.axes);
    for (const head of headsOf(edit, place)) {
      const { isMap, from, to, column, width } = place;
      const target = { hook: site.hook, layer: site.layer, head, from, to };
      if (edit.renormalize) taps.push({ ...target, scale: 1, normalize: 1 });
      taps.push({
        ...target,
        width,
        ...((isMap || edit.columns) && { column, columns: width }),
        scale: factorOf('scale', edit, hook, REPLACING.some((name) => edit[name]) ? 0 : 1),
        ...numbersOf(edit, { ...place, head }, factorOf('coefficient', edit, hook, 1),
          shapeOf(sizes, site, prompt)[0]),
      });
    }
  }
  return taps;
}

/**
 * Registers edits; the core applies them to the next run, and to the maps of its positions.
 * @param {Engine} engine
 * @param {number} session
 * @param {Tap[]} taps  of tapsOf()
 * @param {Record<string, Activation>} clean  activations of meanHooks(edits) in the run without edits
 * @param {number[]} linked  receives addresses of the linked taps
 */
export function linkEdits(engine, session, taps, clean, linked = []) {
  for (const { numbers, ...fields } of taps) {
    if (numbers) fields.values = engine.put(numbers(clean), 'values of an edit');
    linked.push(link(engine, session, fields));
  }
}

/** Heads with a separate tap; −1: one tap for all.  Each head of another run's map has separate rows.  Columns
 *  count within a head.
 *  @param {Edit} edit @param {Place} place @returns {Iterable<number>} */
function headsOf({ from, columns }, { isMap, head, heads }) {
  const isSplit = head < 0 && heads > 0 && (isMap ? from : columns);
  return isSplit ? Array(heads).keys() : [head];
}

/** @param {string} hook @param {Edit} edit @param {number[]} shape @param {string[]} axes @returns {Place} */
function placeOf(hook, edit, shape, axes) {
  const isMap = isPerHead(axes);
  const positions = shape[Number(isMap)];
  const headAxis = axes.findIndex((axis) => axis === 'head' || axis === 'kv_head');
  const heads = headAxis < 0 ? 0 : shape[headAxis];
  const head = edit.head ?? edit.pattern?.head ?? -1;
  if ((edit.renormalize || edit.pattern) && !hook.endsWith('attn.hook_pattern')) {
    throw bad(`Only attn.hook_pattern takes pattern and renormalize, not ${quoted(hook)}.`);
  }
  if (edit.head !== undefined && heads === 0) throw bad(`${quoted(hook)} has no axis of heads. Omit ‘head’.`);
  if (head !== -1 || edit.head !== undefined) needInteger(`head of ${quoted(hook)}`, head, 0, heads - 1);
  if (edit.keys !== undefined && !isMap) throw bad(`${quoted(hook)} has no axis of keys. Omit ‘keys’.`);
  if (edit.columns !== undefined && isMap) throw bad(`Columns of ${quoted(hook)} are keys. Name them ‘keys’.`);
  const of = ` of ${quoted(hook)}`;
  const [from, to] = needRange('positions', positions, edit.positions ?? ownPositions(edit, isMap), of);
  const last = shape[shape.length - 1];
  const columns = isMap ? edit.keys ?? ownKeys(edit) : edit.columns;
  const [first, end] = needRange(isMap ? 'keys' : 'columns', last, columns, of);
  // All columns of all heads are one range.
  const isWhole = !isMap && head < 0 && edit.columns === undefined;
  const width = isWhole ? elements(shape.slice(1)) : end - first;
  return { hook, shape, isMap, head, heads, from, to, column: isWhole ? 0 : first, width };
}

/** The positions that the numbers of an edit have.
 *  @param {Edit} edit @param {boolean} isMap @returns {readonly [number, number] | undefined} */
function ownPositions({ from, fromPositions, pattern }, isMap) {
  if (pattern) return [pattern.firstQuery, pattern.firstQuery + pattern.queries];
  const size = fromPositions?.length ?? from?.shape?.[isMap ? 1 : 0];
  return size === undefined ? undefined : [0, size];
}

/** The keys that the numbers of an edit have. @param {Edit} edit @returns {readonly [number, number] | undefined} */
function ownKeys({ from, pattern }) {
  const size = pattern?.keys ?? from?.shape?.[2];
  return size === undefined ? undefined : [0, size];
}

/** @param {'scale' | 'coefficient'} name @param {Edit} edit @param {string} hook @param {number} usual */
function factorOf(name, edit, hook, usual) {
  const factor = edit[name] ?? usual;
  if (Number.isFinite(factor)) return factor;
  throw bad(`Expected ${name} of ${quoted(hook)} to be a finite number, got ${quoted(factor)}.`);
}
