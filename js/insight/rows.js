/** A result as a table with a row for each element, for console.table, Observable Plot and D3. */
import { HeedError } from '../errors.js';
import { guarded } from '../guard.js';
import { needResult } from './result.js';

/** @typedef {import('./result.js').Result} Result */

/** Most rows of a table.  A million objects need about 100 MB. */
const MOST_ROWS = 1_000_000;

/** @typedef {object} Element
 *  @property {number} value  the element of the result */
/**
 * A row: the label of each axis, and the element.  An axis of texts also has the index of its label, because
 * tokens can repeat: `position` and `positionIndex`.
 * @typedef {Record<string, string | number> & Element} Row
 */

/**
 * The rows of a result, in the order of its elements.  Sort them to rank heads, or filter them to choose a layer.
 * @param {Result} result  result of an analysis
 * @returns {Row[]} one row for each element of `data`
 * @throws {HeedError} 'bad-argument' for anything but a result; 'too-large' for more than a million elements
 */
export const rows = guarded('rows', rowsOf);

/** @param {Result} result @returns {Row[]} */
function rowsOf(result) {
  needResult('rows', result);
  const { data, axes } = result;
  if (data.length > MOST_ROWS) {
    throw new HeedError('too-large', `rows: the result has ${data.length} elements; the limit is ${MOST_ROWS}. Read ` +
      'them by at().');
  }
  /** @type {Record<string, string | number>[]} */
  let places = [{}];
  for (const [name, labels] of Object.entries(axes)) {
    places = places.flatMap((place) => labels.map((label, index) => ({
      ...place,
      [name]: label,
      ...(typeof label === 'string' && { [`${name}Index`]: index }),
    })));
  }
  return places.map((place, i) => ({ ...place, value: data[i] }));
}
