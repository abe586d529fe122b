/** The numbers of an edit: given, of another run, of a map, or a mean. */
import { HeedError, quoted } from '../errors.js';
import { elements } from './hooks.js';

/** @typedef {import('./edits.js').Place} Place */
/** @typedef {import('./hooks.js').Activation} Activation */
/** @typedef {import('./stored-edits.js').EditOfArrays} EditOfArrays */
/** The numbers of an edit after the run without edits, whose activations a mean needs.
 *  @typedef {(clean: Record<string, Activation>) => Float32Array} NumbersAfter */

/** Fields with numbers, of which an edit has at most one. */
const NUMBERS = /** @type {const} */ (['values', 'from', 'mean', 'pattern', 'project']);

/** @param {string} what @returns {HeedError} */
const bad = (what) => new HeedError('bad-argument', what);

/**
 * The checked numbers of an edit.
 * @param {EditOfArrays} edit
 * @param {Place} place
 * @param {number} coefficient
 * @param {number} prompt  number of positions of the run without edits
 * @returns {{ numbers?: NumbersAfter, repeat?: number, project?: number }} numbers, and fields of the tap
 */
export function numbersOf(edit, place, coefficient, prompt) {
  const { hook, from, to, width } = place;
  const given = NUMBERS.filter((name) => edit[name] !== undefined && edit[name] !== null && edit[name] !== false);
  if (edit.fromPositions && !edit.from) throw bad(`An edit of ${quoted(hook)} has fromPositions and no from.`);
  if (given.length === 0) {
    if (edit.coefficient === undefined && (edit.scale !== undefined || edit.renormalize)) return {};
    throw bad(`An edit of ${quoted(hook)} has no numbers. Give ${NUMBERS.join(', ')}, or scale or renormalize alone.`);
  }
  if (given.length > 1) throw bad(`An edit of ${quoted(hook)} has both ${given.join(' and ')}. Make two edits.`);

  const rows = to - from;
  const numbers = edit.mean ? meanOf({ data: new Float32Array(0), shape: [prompt] }, place) // only checks the place
    : edit.pattern ? rowsOfMap(edit.pattern, place)
      : edit.from ? rowsOf(edit.from, edit.fromPositions, place)
        : /** @type {ArrayLike<number>} */ (edit.values ?? edit.project);
  const isOneRow = numbers.length === width && rows > 1 || edit.project !== undefined;
  if (numbers.length !== (isOneRow ? width : rows * width)) {
    throw bad(`Expected ${edit.project ? `a direction of ${width} numbers` : `${width} values`} for ${quoted(hook)}` +
      `${edit.project ? '' : `, or ${rows} × ${width}`}; got ${numbers.length}.`);
  }
  if (edit.project && coefficient !== 1) throw bad(`A projection of ${quoted(hook)} has no coefficient. Omit it.`);
  const size = edit.project ? Math.hypot(...Array.from(numbers)) : 1;
  if (!(size > 0 && size < Infinity)) throw bad(`A projection of ${quoted(hook)} needs a finite direction, not 0.`);
  return {
    numbers: (clean) => Float32Array.from(edit.mean ? meanOf(clean[hook], place) : numbers, (x) => coefficient * x),
    repeat: Number(isOneRow),
    project: Number(edit.project !== undefined),
  };
}

/** The offset of a place in a row of its activation, and the length of that row.
 *  @param {Place} place */
const rowOf = ({ shape, head, column }) => ({
  row: elements(shape.slice(1)),
  first: Math.max(head, 0) * shape[shape.length - 1] + column,
});

/** The numbers at a place of another run's activation, [position][width].
 *  @param {NonNullable<EditOfArrays['from']>} activation @param {ArrayLike<number> | undefined} positions  in it
 *  @param {Place} place */
function rowsOf(activation, positions, place) {
  const { hook, shape, isMap, head, from, to, column, width } = place;
  const { data, shape: given } = activation;
  const [size, keys] = Array.isArray(given) ? given.slice(Number(isMap)) : [NaN];
  const expected = isMap ? [shape[0], size, keys] : [size, ...shape.slice(1)];
  if (!Number.isInteger(size) || String(given) !== String(expected) || data.length !== elements(expected)) {
    const wanted = isMap ? `${shape[0]},positions,keys` : ['positions', ...shape.slice(1)].join(',');
    throw bad(`Expected from of ${quoted(hook)} to be an activation of shape [${wanted}], got ${quoted(given)} with ` +
      `${data.length} numbers.`);
  }
  if (positions && isMap) throw bad(`Rows of ${quoted(hook)} belong to their positions. Omit ‘fromPositions’.`);
  if (positions && positions.length !== to - from) {
    throw bad(`Expected fromPositions of ${quoted(hook)} to have ${to - from} positions, got ${positions.length}.`);
  }
  const { row, first } = isMap ? { row: keys, first: head * size * keys + column } : rowOf(place);
  if (isMap && column + width > keys) {
    throw bad(`Expected keys of ${quoted(hook)} to end at ${keys}, where from ends; got ${column + width}.`);
  }
  const part = new Float32Array((to - from) * width);
  for (let p = from; p < to; p++) {
    const source = positions ? positions[p - from] : p;
    if (!(Number.isInteger(source) && source >= 0 && source < size)) {
      throw bad(`There is no position ${quoted(source)} in from of ${quoted(hook)}: it has ${size}.`);
    }
    for (let i = 0; i < width; i++) part[(p - from) * width + i] = data[first + source * row + i];
  }
  return part;
}

/** The numbers at a place of a map, [position][width].
 *  @param {NonNullable<EditOfArrays['pattern']>} map @param {Place} place */
function rowsOfMap(map, { hook, from, to, column, width }) {
  const { data, queries, keys, firstQuery, kind = 'pattern' } = map;
  if (kind !== 'pattern') {
    throw bad(`Expected pattern of ${quoted(hook)} to be a map of kind pattern, not ${quoted(kind)}.`);
  }
  if (data.length !== queries * keys || from < firstQuery || to > firstQuery + queries || column + width > keys) {
    throw bad(`Expected pattern of ${quoted(hook)} to have queries ${from} to ${to} and keys ${column} to ` +
      `${column + width}; it has queries ${quoted(firstQuery)} to ${quoted(firstQuery + queries)} and ` +
      `${quoted(keys)} keys, in ${data.length} numbers.`);
  }
  const part = new Float32Array((to - from) * width);
  for (let i = 0; i < part.length; i++) {
    part[i] = data[(from - firstQuery + Math.floor(i / width)) * keys + column + i % width];
  }
  return part;
}

/** The mean over positions of an activation, [width].
 *  @param {Activation} clean @param {Place} place */
function meanOf(clean, place) {
  const { hook, isMap, from, to, width } = place;
  if (isMap) throw bad(`A mean of ${quoted(hook)} would show later keys to a query. Use from, pattern or values.`);
  const end = Math.min(to, clean.shape[0]); // a generated text has positions after its prompt
  if (from >= end) {
    throw bad(`The mean of ${quoted(hook)} needs a position of the prompt, which has ${clean.shape[0]}; positions ` +
      `start at ${from}.`);
  }
  const { row, first } = rowOf(place);
  return Float32Array.from({ length: width }, (_, i) => {
    let sum = 0;
    for (let p = from; p < end; p++) sum += clean.data[p * row + first + i];
    return sum / (end - from);
  });
}
