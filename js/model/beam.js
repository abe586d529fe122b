/** Beam search: the most probable sequences, symbol by symbol, for several sources at once. */
import { HeedError, quoted } from '../errors.js';

/** Largest beam: wider beams find no better sequences and take proportionally longer. */
const MAX_BEAM = 256;

/**
 * A sequence of ids, without the end id, and its log-probability.
 * @typedef {{ ids: number[], logprob: number, ended: boolean }} Hypothesis
 */

/**
 * A hypothesis to extend.
 * @typedef {object} Row
 * @property {number} source  index of its source
 * @property {number[]} ids   ids so far; all rows of a call have the same number
 * @property {number} from    its row in the previous call, where a recurrent model left its state; its source in the
 *   first call
 */

/** @typedef {Hypothesis & { from: number }} Kept */

/**
 * @typedef {object} SearchOptions
 * @property {number} [beam]  number of places; default 1
 * @property {number} [lengthPenalty]  α of the length penalty: 0 compares log-probabilities, larger values favor longer
 *   sequences; default 0
 * @property {number} longest  largest number of ids of a sequence
 * @property {number | number[]} end  ids that end a sequence
 * @property {number[]} [never]  ids that are excluded; default none
 * @property {boolean} [isOpen]  whether a sequence of the largest length need not end; default false
 */

/** Length penalty lp(Y) = (5 + |Y|)^α / 6^α (Wu et al. 2016, arXiv:1609.08144, equation 14); |Y| counts the end id.
 *  @param {number} length @param {number} alpha */
export const penalty = (length, alpha) => ((5 + length) / 6) ** alpha;

/** Score of a hypothesis: log p(Y) / lp(Y). @param {Hypothesis} hypothesis @param {number} alpha */
export const score = ({ ids, logprob, ended }, alpha) => logprob / penalty(ids.length + Number(ended), alpha);

/**
 * Beam search with places. Place 1 always holds the most probable continuation of place 1, which is greedy search.
 * Place n holds the most probable continuation of places 1 … n that no earlier place has taken. The first n places are
 * therefore the same in every wider beam, and a wider beam never finds a worse sequence. Plain beam search, which cuts
 * to the best of all continuations, does not guarantee that. An ended sequence keeps its place; it has at least one id.
 *
 * The search yields the rows to extend, and receives the log-probabilities of the next id of each row.
 * @param {number} sources  number of sources, searched independently
 * @param {SearchOptions} options
 * @returns {Generator<Row[], Hypothesis[][], ArrayLike<number>[]>} hypotheses of each source, best first
 * @throws {HeedError} 'bad-argument' for a beam that is not an integer from 1 to 256
 * @see Wu et al. 2016 (arXiv:1609.08144), section 7
 */
export function* searching(sources, { beam = 1, lengthPenalty = 0, longest, end, never = [], isOpen = false }) {
  const ends = new Set([end].flat());
  if (!(Number.isInteger(beam) && beam > 0 && beam <= MAX_BEAM)) {
    throw new HeedError('bad-argument', `beam is ${typeof beam === 'number' ? beam : quoted(beam)}; expected an ` +
      `integer from 1 to ${MAX_BEAM}.`);
  }
  /** Places by source. @type {Kept[][]} */
  let all = Array.from({ length: sources }, (_, from) => [{ ids: [], logprob: 0, ended: false, from }]);
  for (let length = 0; length < longest + Number(!isOpen); length++) {
    const rows = all.flatMap((places, source) =>
      places.filter(({ ended }) => !ended).map(({ ids, from }) => ({ source, ids, from })));
    if (rows.length === 0) break;
    const logprobs = yield rows;
    let row = 0;
    all = all.map((places) => {
      /** @type {Kept[]} */
      let candidates = []; // continuations of the places so far that no place has taken
      /** @type {Kept[]} */
      const taken = [];
      for (let n = 0; n < beam; n++) {
        const place = places[n];
        if (place && !place.ended) candidates.push(...continuations(place, logprobs[row], row++, beam));
        const best = place?.ended ? place : candidates.sort((a, b) => b.logprob - a.logprob).shift();
        if (best) taken.push(best);
      }
      return taken;
    });
  }
  return all.map((places) => places.sort((a, b) => score(b, lengthPenalty) - score(a, lengthPenalty)));

  /** The `most` most probable continuations of a place.
   *  @param {Kept} place @param {ArrayLike<number>} logprobs @param {number} from
   *  @param {number} most @returns {Kept[]} */
  function continuations({ ids, logprob }, logprobs, from, most) {
    /** @type {{ id: number, p: number }[]} */
    const best = [];
    for (let id = 0; id < logprobs.length; id++) {
      const p = logprobs[id];
      if (best.length === most && !(p > best[most - 1].p)) continue;
      if (ends.has(id) ? ids.length === 0 : ids.length === longest || never.includes(id)) continue;
      const at = best.findIndex((other) => p > other.p);
      best.splice(at < 0 ? best.length : at, 0, { id, p });
      best.length = Math.min(best.length, most);
    }
    return best.map(({ id, p }) =>
      ({ ids: ends.has(id) ? ids : [...ids, id], logprob: logprob + p, ended: ends.has(id), from }));
  }
}

/**
 * The best hypothesis of each source.
 * @param {number} sources
 * @param {(rows: Row[]) => ArrayLike<number>[]} next  log-probabilities of the next id of each row
 * @param {SearchOptions} options
 * @returns {Hypothesis[]}
 * @throws {HeedError} as `searching`
 */
export function beamSearch(sources, next, options) {
  const search = searching(sources, options);
  let step = search.next();
  while (!step.done) step = search.next(next(step.value));
  return step.value.map(([best]) => best);
}
