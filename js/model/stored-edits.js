/** Forms of the numbers of an edit: arrays, and texts that JSON keeps. */
import { HeedError, quoted } from '../errors.js';
import { guarded } from '../guard.js';
import { needArray } from '../options.js';

/** @typedef {import('./edits.js').Edit} Edit */
/** @typedef {import('./edits.js').Numbers} Numbers */

/**
 * A map of `attention()`, or the part of it that an edit needs.
 * @typedef {object} MapNumbers
 * @property {Numbers} data       weights, [queries][keys]
 * @property {number} queries     number of rows
 * @property {number} keys        number of columns
 * @property {number} firstQuery  position of the first row
 * @property {number} layer       block, from 0
 * @property {number} head        head, from 0
 * @property {string} [kind]      'pattern', if it is given
 */

/**
 * An edit whose numbers are arrays.
 * @typedef {Omit<Edit, 'values' | 'project' | 'from' | 'pattern'> & {
 *   values?: ArrayLike<number>, project?: ArrayLike<number>, from?: { data: ArrayLike<number>, shape: number[] },
 *   pattern?: Omit<MapNumbers, 'data'> & { data: ArrayLike<number> } }} EditOfArrays
 */

/** @param {string} what @returns {HeedError} */
const bad = (what) => new HeedError('bad-argument', what);

/**
 * Edits whose numbers are base64 texts of little-endian float32, so that JSON keeps every bit.  JSON has no arrays of
 * float32 and no infinity.  Calls take these edits as they take others.
 * @param {Edit[]} edits  edits with numbers of any form
 * @returns {Edit[]} edits with base64 texts
 * @throws {HeedError} 'bad-argument'
 */
export const storableEdits = /* @__PURE__ */ guarded('storableEdits', (/** @type {Edit[]} */ edits) => {
  needArray('edits', edits, 'edits, such as { hook, head, scale }');
  return edits.map((edit) => {
    const { fromPositions } = edit;
    return { ...mapNumbers(edit, textOf), ...(fromPositions && { fromPositions: Array.from(fromPositions) }) };
  });
});

/** An edit whose numbers are arrays. @param {Edit} edit */
export const withArrays = (edit) => /** @type {EditOfArrays} */ (mapNumbers(edit, arrayOf));

/** An edit with other forms of its numbers.
 *  @param {Edit} edit @param {(numbers: Numbers, what: string) => Numbers} change @returns {Edit} */
function mapNumbers(edit, change) {
  const { values, project, from, pattern } = edit;
  return {
    ...edit,
    ...(values && { values: change(values, 'values') }),
    ...(project && { project: change(project, 'project') }),
    ...(from && { from: { ...from, data: change(from.data, 'data of from') } }),
    ...(pattern && { pattern: { ...pattern, data: change(pattern.data, 'data of pattern') } }),
  };
}

/** @param {Numbers} numbers @param {string} what @returns {string} base64 */
function textOf(numbers, what) {
  if (typeof numbers === 'string') return numbers;
  const floats = Float32Array.from(arrayOf(numbers, what));
  const view = new DataView(new ArrayBuffer(floats.byteLength));
  floats.forEach((x, i) => view.setFloat32(4 * i, x, true));
  return btoa(Array.from(new Uint8Array(view.buffer), (byte) => String.fromCharCode(byte)).join(''));
}

/** @param {unknown} numbers @param {string} what  name of the field, for messages @returns {ArrayLike<number>} */
function arrayOf(numbers, what) {
  if (typeof numbers === 'string') return floatsOf(numbers, what);
  if (ArrayBuffer.isView(numbers) && !(numbers instanceof DataView)) return /** @type {any} */ (numbers);
  const isList = Array.isArray(numbers) && numbers.every((x) => typeof x === 'number');
  if (isList) return numbers;
  throw bad(`Expected ${what} of an edit to be an array of numbers, or base64 of float32, got ${quoted(numbers)}. ` +
    'storableEdits() makes edits that JSON keeps.');
}

/** @param {string} text base64 @param {string} what */
function floatsOf(text, what) {
  let bytes;
  try {
    bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    bytes = new Uint8Array(1);
  }
  if (bytes.length % 4 !== 0) throw bad(`Expected ${what} of an edit to be base64 of float32, got ${quoted(text)}.`);
  const view = new DataView(bytes.buffer);
  return Float32Array.from({ length: bytes.length / 4 }, (_, i) => view.getFloat32(4 * i, true));
}
