/** Metrics: numbers computed from logits, for gradients and sweeps. */
import { HeedError, quoted } from '../errors.js';
import { needInteger, needOptions } from '../options.js';

/** @typedef {import('../engine/wasm.js').Engine} Engine */

/**
 * A number computed from logits.  Exactly one of these:
 *
 * - `logit`: the logit of an id
 * - `logitDifference`: the logit of the first id minus the logit of the second
 * - `logprob`: log softmax of an id
 * - `crossEntropy`: mean of −log softmax over ids [position] that follow each position; −1 leaves a position out
 * - `weights`: Σ weights·logits, weights [position][vocabulary]
 *
 * Of a classifier, ids are numbers of labels, and position 0 has its logits.
 *
 * `position` is the position of the logits of the first three; default: the last, or 0 of a classifier.
 * @typedef {{ logit: number, position?: number }
 *   | { logitDifference: readonly [number, number], position?: number }
 *   | { logprob: number, position?: number }
 *   | { crossEntropy: ArrayLike<number> }
 *   | { weights: Float32Array }} Metric
 */
/**
 * A metric as the engine takes it: the sum of weights times logits, or the mean cross-entropy of targets.
 * @typedef {object} Plan
 * @property {number} first            first row with logits
 * @property {number} rows             number of these rows
 * @property {Float32Array} [weights]  [rows][vocabulary]
 * @property {Int32Array} [targets]    [rows]
 * @property {number} sign             factor of the result
 */

const KINDS = ['logit', 'logitDifference', 'logprob', 'crossEntropy', 'weights'];

/** @param {string} what @returns {HeedError} */
const bad = (what) => new HeedError('bad-argument', what);

/** @param {any} list @param {number} length @returns {list is ArrayLike<unknown>} */
const hasLength = (list, length) => typeof list === 'object' && list !== null && list.length === length;

/** @param {unknown} id @param {number} vocabulary @param {string} name @param {number} [least] */
function needId(id, vocabulary, name, least = 0) {
  if (Number.isInteger(id) && Number(id) >= least && Number(id) < vocabulary) return Number(id);
  throw bad(`Expected ${name} to be a token id from ${least} to ${vocabulary - 1}, got ${quoted(id)}.`);
}

/**
 * Checks a metric.
 * @param {string} call  name of the call, for messages
 * @param {Metric} metric @param {number} positions
 * @param {Pick<import('./info.js').ModelInfo, 'name' | 'head' | 'outputs'>} info
 * @returns {Plan}
 * @throws {HeedError} 'bad-argument', 'unsupported' for a model without logits
 */
export function planOf(call, metric, positions, { name, head, outputs: vocabulary }) {
  if (head === 'none') throw new HeedError('unsupported', `${quoted(name)} has no head, so it computes no logits.`);
  if (!metric) throw bad(`${call}: ‘of’ is missing. Give the number to compute, such as { logit: id }.`);
  needOptions(`${call}: of`, metric, [...KINDS, 'position']);
  const given = /** @type {Record<string, any>} */ (metric);
  const kinds = KINDS.filter((kind) => given[kind] !== undefined);
  if (kinds.length !== 1) {
    throw bad(`Expected of to have one of ${KINDS.join(', ')}, got ${kinds.join(' and ') || 'none'}.`);
  }
  const [kind] = kinds;
  const value = given[kind];
  const everyRow = { first: 0, rows: positions, sign: 1 };
  if (kind === 'crossEntropy') return { ...everyRow, targets: targetsOf(value, positions, vocabulary) };
  if (kind === 'weights') return { ...everyRow, weights: weightsOf(value, positions, vocabulary) };

  const first = given.position ?? (head === 'labels' ? 0 : positions - 1);
  needInteger('position', first, 0, positions - 1);
  if (kind === 'logprob') {
    return { first, rows: 1, targets: Int32Array.of(needId(value, vocabulary, kind)), sign: -1 };
  }
  if (kind === 'logitDifference' && !hasLength(value, 2)) {
    throw bad(`Expected logitDifference to be two token ids, got ${quoted(value)}.`);
  }
  const weights = new Float32Array(vocabulary);
  if (kind === 'logit') weights[needId(value, vocabulary, kind)] = 1;
  else [1, -1].forEach((sign, i) => (weights[needId(value[i], vocabulary, kind)] += sign));
  return { first, rows: 1, weights, sign: 1 };
}

/** @param {unknown} given @param {number} positions @param {number} vocabulary */
function targetsOf(given, positions, vocabulary) {
  if (!hasLength(given, positions)) {
    throw bad(`Expected crossEntropy to be ${positions} token ids, one per position, got ${quoted(given)}.`);
  }
  const targets = Int32Array.from(given, (id) => needId(id, vocabulary, 'each id of crossEntropy', -1));
  if (targets.every((id) => id < 0)) throw bad('Expected crossEntropy to have an id that is not −1.');
  return targets;
}

/** @param {unknown} given @param {number} positions @param {number} vocabulary */
function weightsOf(given, positions, vocabulary) {
  if (!(given instanceof Float32Array) || given.length !== positions * vocabulary) {
    throw bad(`Expected weights to be a Float32Array of ${positions} × ${vocabulary} numbers, [position][vocabulary].`);
  }
  return given;
}

/** Writes the numbers of a metric into the engine's memory.
 *  @param {Engine} engine @param {Plan} plan @returns {{ weights: number, targets: number }} their addresses, or 0 */
export const placeNumbers = (engine, { weights, targets }) => ({
  weights: weights ? engine.put(weights, 'the metric') : 0,
  targets: targets ? engine.put(targets, 'the metric') : 0,
});
