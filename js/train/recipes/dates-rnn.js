/** Common part of the recipes for recurrent translators of dates, with and without attention. */
import { randomFrom, schedules } from '../../lab/index.js';
import { rnnLoss, rnnWeights, sourceIds, translateAll } from '../models/rnn-seq2seq.js';
import { SOURCE_SYMBOLS, TARGET_SYMBOLS, exactShare, pair } from '../tasks/dates.js';
import { idsOf, translationBatch, vocabulary } from '../tasks/vocabulary.js';

/**
 * @typedef {import('../models/rnn-seq2seq.js').RnnConfig} RnnConfig
 * @typedef {import('../tasks/vocabulary.js').TranslationBatch} TranslationBatch
 * @typedef {{ source: string, target: string }[]} Pairs
 * @typedef {{ source: string[], target: string[], unseen: Pairs }} DatesData  vocabularies, and pairs of held-out days
 */

const BATCH = 64;
const UNSEEN = 512;
/** Batch size of the validation. */
const AT_ONCE = 128;
const TARGET_LENGTH = 'YYYY-MM-DD'.length;

/** Pairs of held-out days. @param {number} count @param {number} seed @returns {Pairs} */
export function unseenPairs(count, seed) {
  const random = randomFrom(seed);
  return Array.from({ length: count }, () => pair(random, true));
}

/** @param {Pick<RnnConfig, 'source' | 'target' | 'sourceEnds'>} config @param {Pairs} pairs */
const batchOf = (config, pairs) => translationBatch(pairs.map(({ source, target }) =>
  ({ source: sourceIds(config, source), target: idsOf(config.target, [...target]) })));

/**
 * @param {{ name: string, summary: string, steps: number, minutes: number, rate: number, atLeast?: number,
 *   storage?: 'F16' } & Pick<RnnConfig, 'attention' | 'score' | 'embedding' | 'hidden' | 'sourceEnds' |
 *   'inputFeeding' | 'scope' | 'window' | 'longestSource'>} settings  atLeast: goal of the exact share; default 0.99
 * @returns {import('../trainer.js').Recipe<DatesData, TranslationBatch, RnnConfig>}
 */
export function datesRecipe({ name, summary, steps, minutes, rate, atLeast = 0.99, storage, ...sizes }) {
  return {
    name,
    summary,
    steps,
    minutes,
    data: () => ({ source: vocabulary(SOURCE_SYMBOLS), target: vocabulary(TARGET_SYMBOLS),
      unseen: unseenPairs(UNSEEN, 1) }),
    config: ({ source, target }) => ({ model: 'rnn-seq2seq', ...sizes, longest: TARGET_LENGTH, source, target }),
    weights: rnnWeights,
    batch: (data, random) => batchOf({ ...data, ...sizes }, Array.from({ length: BATCH }, () => pair(random, false))),
    loss: rnnLoss,
    rate: schedules.cosine({ rate, warmup: 50, total: steps }),
    adamW: { weightDecay: 0 },
    clip: 1,
    *validate(lab, weights, config, { unseen }) {
      const exact = yield* exactShare(unseen, AT_ONCE, (texts) => translateAll(lab, { config, weights }, texts));
      return { exact, loss: rnnLoss(lab, weights, config, batchOf(config, unseen)).item() };
    },
    storage,
    goal: { figure: 'exact', atLeast },
  };
}
