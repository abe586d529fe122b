/** The reference: the meaning of a program, without a transformer. */
import { MAX_CELLS, RaspError, tooLarge } from './limits.js';
import { COMPARISONS, equal } from './values.js';

/** @typedef {import('./graph.js').Sequence} Sequence */
/** @typedef {import('./graph.js').Selector} Selector */
/** @typedef {import('./values.js').Value} Value */

/**
 * Computes a sequence for one input.
 * @param {Sequence} result @param {string[]} tokens
 * @returns {Value[]} one value for each token
 */
export function interpret(result, tokens) {
  const positions = tokens.map((_, i) => i);
  /** @type {Map<Sequence, (Value | undefined)[]>} */
  const sequences = new Map();
  /** @type {Map<Selector, boolean[][]>} */
  const selectors = new Map();
  let cells = 0;

  /** @param {Sequence} node @returns {(Value | undefined)[]} */
  function values(node) {
    let found = sequences.get(node);
    if (!found) sequences.set(node, found = compute(node));
    return found;
  }

  /** The values of a sequence that has one at each position. @param {Sequence} node @returns {Value[]} */
  function whole(node) {
    const found = values(node);
    const hole = found.indexOf(undefined);
    if (hole >= 0) {
      throw new RaspError(node.place, `a division by zero or an overflow at position ${hole}. Avoid it with ‘if’.`);
    }
    return /** @type {Value[]} */ (found);
  }

  /** @param {Sequence} node @returns {(Value | undefined)[]} */
  function compute({ kind, value, inputs = [], apply, selector, sequence, other, place }) {
    switch (kind) {
      case 'tokens': return tokens;
      case 'indices': return positions;
      case 'constant': return positions.map(() => value);
      case 'map': {
        const columns = inputs.map(values);
        return positions.map((i) => apply?.(...columns.map((column) => column[i])));
      }
      case 'width': return rows(/** @type {Selector} */ (selector)).map((row) => row.filter(Boolean).length);
      case 'aggregate': {
        const all = whole(/** @type {Sequence} */ (sequence));
        return rows(/** @type {Selector} */ (selector)).map((row, query) =>
          combined(all.filter((_, key) => row[key]), /** @type {Value} */ (other), place, query));
      }
    }
  }

  /** The selected keys, [query][key]. @param {Selector} node @returns {boolean[][]} */
  function rows(node) {
    let found = selectors.get(node);
    if (found) return found;
    if ((cells += tokens.length ** 2) > MAX_CELLS) {
      throw tooLarge(node.place, `the selectors have more than ${MAX_CELLS} pairs of a query and a key for ` +
        `${tokens.length} tokens. Shorten the input or the program.`);
    }
    selectors.set(node, found = selected(node));
    return found;
  }

  /** @param {Selector} node @returns {boolean[][]} */
  function selected({ kind, key, query, comparison = '==', parts = [] }) {
    if (kind === 'select') {
      const keys = whole(/** @type {Sequence} */ (key));
      const queries = whole(/** @type {Sequence} */ (query));
      return queries.map((q) => keys.map((k) => COMPARISONS[comparison](k, q)));
    }
    const [a, b = a] = parts.map(rows);
    return positions.map((q) => positions.map((k) =>
      (kind === 'not' ? !a[q][k] : kind === 'and' ? a[q][k] && b[q][k] : a[q][k] || b[q][k])));
  }

  return whole(result);
}

/** The mean of numbers, or the common value. @param {Value[]} selected @param {Value} other
 *  @param {import('./limits.js').Place} place @param {number} query */
function combined(selected, other, place, query) {
  if (selected.length === 0) return other;
  if (typeof other === 'number') {
    return /** @type {number[]} */ (selected).reduce((sum, each) => sum + each, 0) / selected.length;
  }
  const different = selected.find((each) => !equal(each, selected[0]));
  if (different === undefined) return selected[0];
  throw new RaspError(place, `position ${query} selects the different values ‘${selected[0]}’ and ‘${different}’. ` +
    'Only numbers have a mean. Select one of them, or use indicator(…).');
}
