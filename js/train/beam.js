/** Beam search: the most probable sequences, written symbol by symbol, for several sources at once. */
import { HeedError, quoted } from '../errors.js';

/** Hypotheses that are followed at once; more find no better sequences, and take as many times longer. */
const MAX_BEAM = 256;

/**
 * @typedef {{ ids: number[], logprob: number, ended: boolean }} Hypothesis  ids without the end
 *
 * @typedef {object} Row      a hypothesis to go on with
 * @property {number} source  that it is written for
 * @property {number[]} ids   that are written; of all rows of a call, as many
 * @property {number} from    its row in the call before, where a recurrent model left its state; in the first call,
 *   its source
 *
 * @typedef {Hypothesis & { from: number }} Kept
 */

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
 * The best sequence of those that `beam` places find.  Place 1 takes the most probable way to go on from what stands
 * in it: greedy search.  Place n takes the most probable one from places 1 … n that no place before it has taken.  So
 * what stands in the first n places is the same in every beam that has them, and a wider beam finds no worse sequence,
 * which beams that are cut to the best of all continuations do not promise.  A sequence that has ended keeps its place;
 * it has at least one symbol.
 * @param {number} sources  how many sequences are looked for, each for itself
 * @param {(rows: Row[]) => ArrayLike<number>[]} next  log probabilities of what comes after each row
 * @param {object} options
 * @param {number} [options.beam]
 * @param {number} [options.lengthPenalty]  α of the score: 0 compares plain probabilities, more favours longer ones
 * @param {number} options.longest  symbols of a sequence, at most: there it ends
 * @param {number} options.end      id that ends one
 * @param {number[]} [options.never]  ids that nobody writes
 * @returns {Hypothesis[]} one for each source
 * @throws {HeedError} 'bad-argument' where the beam is no number of hypotheses
 */
export function beamSearch(sources, next, { beam = 1, lengthPenalty = 0, longest, end, never = [] }) {
  if (!(Number.isInteger(beam) && beam > 0 && beam <= MAX_BEAM)) {
    throw new HeedError('bad-argument', `The beam is ${typeof beam === 'number' ? beam : quoted(beam)}; it is a ` +
      `number of hypotheses, 1 to ${MAX_BEAM}.`);
  }
  /** Of each source, its places. @type {Kept[][]} */
  let all = Array.from({ length: sources }, (_, from) => [{ ids: [], logprob: 0, ended: false, from }]);
  for (let length = 0; length <= longest; length++) {
    const rows = all.flatMap((places, source) =>
      places.filter(({ ended }) => !ended).map(({ ids, from }) => ({ source, ids, from })));
    if (rows.length === 0) break;
    const logprobs = next(rows);
    let row = 0;
    all = all.map((places) => {
      /** @type {Kept[]} */
      let ways = []; // to go on from the places so far, those that are taken left out
      /** @type {Kept[]} */
      const taken = [];
      for (let n = 0; n < beam; n++) {
        const place = places[n];
        if (place && !place.ended) ways.push(...continuations(place, logprobs[row], row++, beam));
        const best = place?.ended ? place : ways.sort((a, b) => b.logprob - a.logprob).shift();
        if (best) taken.push(best);
      }
      return taken;
    });
  }
  return all.map((places) =>
    places.reduce((a, b) => (score(b, lengthPenalty) > score(a, lengthPenalty) ? b : a)));

  /** The `beam` most probable. @param {Kept} place @param {ArrayLike<number>} logprobs @param {number} from
   *  @param {number} most @returns {Kept[]} */
  function continuations({ ids, logprob }, logprobs, from, most) {
    /** @type {{ id: number, p: number }[]} */
    const best = [];
    for (let id = 0; id < logprobs.length; id++) {
      const p = logprobs[id];
      if (best.length === most && !(p > best[most - 1].p)) continue;
      if (id === end ? ids.length === 0 : ids.length === longest || never.includes(id)) continue;
      const at = best.findIndex((other) => p > other.p);
      best.splice(at < 0 ? best.length : at, 0, { id, p });
      best.length = Math.min(best.length, most);
    }
    return best.map(({ id, p }) =>
      ({ ids: id === end ? ids : [...ids, id], logprob: logprob + p, ended: id === end, from }));
  }
}
