/** Beam search: the most probable sequences, written symbol by symbol. */
import { HeedError } from '../errors.js';

/** @typedef {{ ids: number[], logprob: number, ended: boolean }} Hypothesis ids without the end */

/** log softmax, in float64. @param {Float32Array} logits @returns {Float64Array} */
export function logSoftmax(logits) {
  const most = logits.reduce((a, b) => Math.max(a, b), -Infinity);
  const sum = logits.reduce((total, x) => total + Math.exp(x - most), 0);
  return Float64Array.from(logits, (x) => x - most - Math.log(sum));
}

/** lp(Y) = (5 + |Y|)^α / 6^α (Wu et al. 2016, arXiv:1609.08144, equation 14); |Y| counts the end.
 *  @param {number} length @param {number} alpha */
export const penalty = (length, alpha) => ((5 + length) / 6) ** alpha;

/** log p(Y) / lp(Y). @param {Hypothesis} hypothesis @param {number} alpha */
export const score = ({ ids, logprob, ended }, alpha) => logprob / penalty(ids.length + Number(ended), alpha);

/**
 * Keeps the `beam` best hypotheses of each length until as many have ended, and returns the one of those with the best
 * score.  One hypothesis is greedy search.  A sequence has at least one symbol.
 * @param {(sequences: number[][]) => ArrayLike<number>[]} next log probabilities after each of some sequences of one
 *   length
 * @param {object} options
 * @param {number} [options.beam]
 * @param {number} [options.lengthPenalty]  α: 0 compares plain probabilities, more favours longer sequences
 * @param {number} options.longest  symbols of a sequence, at most: there it ends
 * @param {number} options.end      id that ends one
 * @param {number[]} [options.never]  ids that nobody writes
 * @returns {Hypothesis}
 * @throws {HeedError} 'bad-argument' where the beam is no number of hypotheses
 */
export function beamSearch(next, { beam = 1, lengthPenalty = 0, longest, end, never = [] }) {
  if (!(Number.isInteger(beam) && beam > 0)) {
    throw new HeedError('bad-argument', `The beam is ${beam}; it is a number of hypotheses, 1 or more.`);
  }
  const better = (/** @type {Hypothesis} */ a, /** @type {Hypothesis} */ b) =>
    score(b, lengthPenalty) - score(a, lengthPenalty);
  /** @type {Hypothesis[]} */
  let open = [{ ids: [], logprob: 0, ended: false }];
  /** @type {Hypothesis[]} */
  const ended = [];
  while (open.length > 0 && ended.length < beam) {
    const candidates = next(open.map(({ ids }) => ids)).flatMap((logprobs, i) => continued(open[i], logprobs));
    const best = candidates.sort((a, b) => b.logprob - a.logprob).slice(0, beam);
    ended.push(...best.filter((h) => h.ended));
    open = best.filter((h) => !h.ended);
  }
  return ended.sort(better)[0];

  /** @param {Hypothesis} from @param {ArrayLike<number>} logprobs @returns {Hypothesis[]} */
  function continued({ ids, logprob }, logprobs) {
    const stop = { ids, logprob: logprob + logprobs[end], ended: true };
    if (ids.length === longest) return [stop];
    const more = Array.from(logprobs, (p, id) => ({ ids: [...ids, id], logprob: logprob + p, ended: false }))
      .filter((_, id) => id !== end && !never.includes(id));
    return ids.length > 0 ? [stop, ...more] : more;
  }
}
