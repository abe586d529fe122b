/** Edits of activations: data that can be stored, combined and sent to a Worker. */
import { HeedError, quoted } from '../errors.js';
import { needArray, needOptions } from '../options.js';
import { elements, isPerHead, link, shapeOf, siteOf } from './hooks.js';

/** @typedef {import('../engine/wasm.js').Engine} Engine */
/** @typedef {import('./hooks.js').Activation} Activation */
/** @typedef {import('./hooks.js').Sizes} Sizes */

/**
 * An edit of one activation during a run: x ← scale·x + values.  Scale 0 removes the activation (ablation).  Scale 0
 * with values replaces it (patching).  Values alone are added (steering).  −Infinity in scores hides a key, and the
 * row of the pattern still sums to 1.  Scale 0 in the pattern removes a weight, and the row sums to less.
 * @typedef {object} Edit
 * @property {string} hook                    name of the activation, from `model.hooks`: 'blocks.1.attn.hook_z'
 * @property {number} [head]                  head to edit, from 0; default: all heads
 * @property {[from: number, to: number]} [positions]  positions from ≤ position < to; default: all positions
 * @property {[from: number, to: number]} [keys]  keys from ≤ key < to of scores and patterns; default: all keys
 * @property {number} [scale]                 factor of the activation; default 1, and 0 with `from`
 * @property {ArrayLike<number>} [values]     numbers to add, [position][width], or [width] for every position; default:
 *   none.  The width is the last axis of one head, or of all heads together; the keys of scores and patterns
 * @property {Activation} [from]              activation of another run over as many positions, which is added: with
 *   scale 0 it replaces the activation (activation patching)
 * @property {ArrayLike<number>} [project]    direction v [width] to project out: x ← x − (x·v)/(v·v)·v
 */

/**
 * The place that an edit names.
 * @typedef {object} Place
 * @property {string} hook
 * @property {number[]} shape  of the whole activation
 * @property {boolean} isMap   scores and patterns: [head][query][key]
 * @property {number} head     −1: all
 * @property {number} from     first position
 * @property {number} to       position after the last
 * @property {number} key      first key of a map; 0 otherwise
 * @property {number} width    numbers of one position
 */

const FIELDS = ['hook', 'head', 'positions', 'keys', 'scale', 'values', 'from', 'project'];
/** Fields with numbers, of which an edit has at most one. */
const NUMBERS = /** @type {const} */ (['values', 'from', 'project']);

/** @param {string} what @returns {HeedError} */
const bad = (what) => new HeedError('bad-argument', what);

/**
 * Registers edits; the core applies them to the next run, and to the maps of its positions.
 * @param {Engine} engine
 * @param {number} session
 * @param {Sizes} sizes
 * @param {Edit[]} edits  in the order of their application
 * @param {number} positions  number of positions of the run
 * @throws {HeedError} 'bad-argument'
 */
export function linkEdits(engine, session, sizes, edits, positions) {
  // The core applies the edit that was linked last first.
  for (const edit of [...edits].reverse()) {
    needOptions('an edit', edit ?? null, FIELDS);
    const site = siteOf(engine, sizes, edit.hook);
    const place = placeOf(edit, shapeOf(sizes, site.axes, positions), site.axes, positions);
    // Each head of another run's map has rows of its own.
    const isSplit = edit.from && place.isMap && place.head < 0;
    for (const head of isSplit ? Array(place.shape[0]).keys() : [place.head]) {
      const { isMap, from, to, key, width } = place;
      link(engine, session, {
        hook: site.hook,
        layer: site.layer,
        head,
        from,
        to,
        width,
        ...(isMap && { column: key, columns: width }),
        scale: scaleOf(edit),
        ...numbersOf(engine, edit, { ...place, head }),
      });
    }
  }
}

/** @param {Edit} edit @param {number[]} shape @param {string[]} axes @param {number} positions @returns {Place} */
function placeOf(edit, shape, axes, positions) {
  const { hook } = edit;
  const isMap = isPerHead(axes);
  const headAxis = axes.findIndex((axis) => axis === 'head' || axis === 'kv_head');
  const head = edit.head ?? -1;
  if (edit.head !== undefined && headAxis < 0) throw bad(`${quoted(hook)} has no axis of heads. Omit ‘head’.`);
  if (edit.head !== undefined && !(Number.isInteger(head) && head >= 0 && head < shape[headAxis])) {
    throw bad(`Expected head of ${quoted(hook)} to be an integer from 0 to ${shape[headAxis] - 1}, got ` +
      `${quoted(edit.head)}.`);
  }
  if (edit.keys !== undefined && !isMap) throw bad(`${quoted(hook)} has no axis of keys. Omit ‘keys’.`);
  const [from, to] = rangeOf('positions', edit, positions);
  const [key, end] = rangeOf('keys', edit, positions);
  const width = isMap ? end - key : head >= 0 ? shape[shape.length - 1] : elements(shape.slice(1));
  return { hook, shape, isMap, head, from, to, key: isMap ? key : 0, width };
}

/** @param {'positions' | 'keys'} axis @param {Edit} edit @param {number} size @returns {[number, number]} [from, to) */
function rangeOf(axis, edit, size) {
  needArray(axis, edit[axis] ?? [], `two ${axis}, [from, to]`);
  const [from, to] = edit[axis] ?? [0, size];
  if (Number.isInteger(from) && Number.isInteger(to) && from >= 0 && from < to && to <= size) return [from, to];
  throw bad(`Expected ${axis} [from, to] of ${quoted(edit.hook)} with 0 ≤ from < to ≤ ${size}, got ` +
    `${quoted([from, to])}.`);
}

/** @param {Edit} edit */
function scaleOf(edit) {
  const scale = edit.scale ?? (edit.from ? 0 : 1);
  if (Number.isFinite(scale)) return scale;
  throw bad(`Expected scale of ${quoted(edit.hook)} to be a finite number, got ${quoted(scale)}.`);
}

/** Writes the numbers of an edit into the engine's memory.
 *  @param {Engine} engine @param {Edit} edit @param {Place} place
 *  @returns {Record<string, number>} fields of its tap */
function numbersOf(engine, edit, place) {
  const given = NUMBERS.filter((name) => edit[name] !== undefined && edit[name] !== null);
  if (given.length === 0) return {};
  if (given.length > 1) throw bad(`An edit of ${quoted(edit.hook)} has both ${given.join(' and ')}. Make two edits.`);
  if (edit.from) return { values: put(engine, partOf(edit.from, place)) };

  const numbers = /** @type {ArrayLike<number>} */ (edit.values ?? edit.project);
  const rows = place.to - place.from;
  const isOneRow = numbers.length === place.width;
  const what = edit.project ? `a direction of ${place.width} numbers` : `${place.width} values`;
  if (!isOneRow && (edit.project || numbers.length !== rows * place.width)) {
    const all = edit.project ? '' : `, or ${rows} × ${place.width}`;
    throw bad(`Expected ${what} for ${quoted(edit.hook)}${all}; got ${numbers.length}.`);
  }
  return { values: put(engine, numbers), repeat: Number(isOneRow), project: Number(edit.project !== undefined) };
}

/** @param {Engine} engine @param {ArrayLike<number>} numbers @returns {number} their address */
function put(engine, numbers) {
  const at = engine.reserve(4 * numbers.length, 'values of an edit');
  engine.f32(at, numbers.length).set(numbers);
  return at;
}

/** The numbers at a place of another run's activation, [position][width].
 *  @param {Activation} activation @param {Place} place @returns {Float32Array} */
function partOf({ data, shape: given }, { hook, shape, isMap, head, from, to, key, width }) {
  if (String(given) !== String(shape) || !(data instanceof Float32Array) || data.length !== elements(shape)) {
    throw bad(`Expected from of ${quoted(hook)} to be an activation of shape [${shape}], got ${quoted(given)}.`);
  }
  const row = elements(shape.slice(isMap ? 2 : 1));
  const first = isMap ? head * shape[1] * row + key : Math.max(head, 0) * width;
  const part = new Float32Array((to - from) * width);
  for (let p = from; p < to; p++) {
    part.set(data.subarray(first + p * row, first + p * row + width), (p - from) * width);
  }
  return part;
}
