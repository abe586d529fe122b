/** Compares the predictions of two runs of a text: without and with changes. */
import { formatPercent } from '../../draw/sentence.js';
import { tokenName } from '../../draw/token.js';
import { logprobOf, topTokens } from '../sampler-stages.js';

/** Number of candidates of each run. */
const TOP_BEFORE = 8;
const TOP_AFTER = 4;
/** Least change of a probability that a sentence mentions, first and second. */
const NOTABLE = 0.005;
const ALSO = 0.03;

/** @typedef {{ id: number, logprob: number, after: number }} Compared natural logarithms of both probabilities */

/**
 * The likeliest tokens of two runs, with the probabilities of both.
 * @param {Float32Array} before logits [vocabulary]
 * @param {Float32Array} after logits [vocabulary]
 * @param {number | undefined} taken id of the token in the text, which is always listed; undefined: none
 * @returns {Compared[]} the candidates of the first run first
 */
export function compareLogits(before, after, taken) {
  const ids = new Set([...topTokens(before, TOP_BEFORE), ...topTokens(after, TOP_AFTER)].map(({ id }) => id));
  if (taken !== undefined) ids.add(taken);
  const later = new Map([...ids].map((id) => [id, logprobOf(after, id)]));
  return [...ids].map((id) => ({ id, logprob: logprobOf(before, id), after: Number(later.get(id)) }));
}

/**
 * The largest changes in a sentence: “‘Tom’ falls from 79 % to 5.9 %, and ‘her’ rises from 2.2 % to 20 %.”
 * @param {(Compared & { text: string })[]} list
 */
export function describeComparison(list) {
  const moves = list.map(({ text, logprob, after }) => ({ name: tokenName(text), from: Math.exp(logprob),
    to: Math.exp(after), by: Math.exp(after) - Math.exp(logprob) })).sort((a, b) => Math.abs(b.by) - Math.abs(a.by));
  const [first] = moves;
  if (!first) return '';
  if (Math.abs(first.by) < NOTABLE) {
    const likeliest = moves.reduce((best, move) => (move.from > best.from ? move : best));
    return `The prediction hardly changes: ${likeliest.name} stays at ${formatPercent(likeliest.to)}.`;
  }
  const words = (/** @type {typeof first} */ { name, from, to, by }) =>
    `${name} ${by < 0 ? 'falls' : 'rises'} from ${formatPercent(from)} to ${formatPercent(to)}`;
  const other = moves.find(({ by }) => Math.sign(by) !== Math.sign(first.by) && Math.abs(by) >= ALSO);
  const sentence = `${words(first)}${other ? `, and ${words(other)}` : ''}.`;
  return sentence.replace(/^a/, 'A');
}

/** The first place where two texts differ, which may be the end of one; -1 if they are the same.
 *  @param {readonly number[]} a ids @param {readonly number[]} b ids */
export const firstDifference = (a, b) => {
  const longer = a.length > b.length ? a : b;
  return longer.findIndex((_, at) => a[at] !== b[at]);
};
