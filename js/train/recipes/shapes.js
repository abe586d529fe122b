/** Sentences about pictures of shapes: a Vision Transformer reads, and a recurrent decoder writes. */
import { randomFrom, schedules } from '../../lab/index.js';
import { captionAll, captionerLoss, captionerWeights } from '../models/captioner.js';
import { CHANNELS, LABELS, LONGEST, SIZE, WORDS, describe, draw, labelOf, shapesOf } from '../tasks/shapes.js';
import { END, BEGIN, idsOf, padded, vocabulary } from '../tasks/vocabulary.js';

/**
 * @typedef {import('../tasks/shapes.js').Shape} Shape
 * @typedef {import('../models/captioner.js').CaptionerConfig} CaptionerConfig
 * @typedef {Parameters<typeof captionerLoss>[3]} Batch
 */

/** Pictures of the validation; training draws from seeds of its own. */
const FRESH_SEED = 2 ** 31;
const BATCH = 32;
const STEPS = 8000;
/** Pictures of each part of the validation, and of one batch. */
const MEASURED = 256;
const AT_ONCE = 64;

/** @param {string[]} target @param {Shape[][]} scenes @param {() => number} random @returns {Batch} */
function batchOf(target, scenes, random) {
  const sentences = scenes.map((shapes) => idsOf(target, describe(shapes).split(' ')));
  return {
    pictures: scenes.map((shapes) => draw(shapes, random)),
    input: padded(sentences.map((ids) => [BEGIN, ...ids])),
    wanted: padded(sentences.map((ids) => [...ids, END])),
    labels: scenes.map(labelOf),
  };
}

/** @type {import('../trainer.js').Recipe<{ target: string[] }, Batch, CaptionerConfig>} */
export default {
  name: 'shapes',
  summary: 'sentences about pictures: a Vision Transformer, and a GRU with attention over the patches (Xu et al. 2015)',
  steps: STEPS,
  minutes: 20,
  data: () => ({ target: vocabulary(WORDS) }),
  config: ({ target }) => ({ model: 'captioner', size: SIZE, channels: CHANNELS, patch: 4, width: 48, heads: 4,
    feedForward: 96, blocks: 2, embedding: 16, hidden: 64, labels: LABELS, target, longest: LONGEST }),
  weights: captionerWeights,
  batch: ({ target }, random) =>
    batchOf(target, Array.from({ length: BATCH }, () => shapesOf(random, false)), random),
  loss: captionerLoss,
  rate: schedules.cosine({ rate: 2e-3, warmup: 200, total: STEPS }),
  adamW: { weightDecay: 0.01 },
  clip: 1,
  *validate(lab, weights, config) {
    const random = randomFrom(FRESH_SEED);
    const right = { exact: 0, labels: 0, 'unseen sentences': 0 };
    for (let from = 0; from < 2 * MEASURED; from += AT_ONCE) {
      const unseen = from >= MEASURED;
      const scenes = Array.from({ length: AT_ONCE }, () => shapesOf(random, unseen));
      const found = captionAll(lab, { weights, config }, scenes.map((shapes) => draw(shapes, random)));
      right[unseen ? 'unseen sentences' : 'exact'] +=
        found.filter(({ text }, i) => text === describe(scenes[i])).length;
      if (!unseen) right.labels += found.filter(({ label }, i) => label === LABELS[labelOf(scenes[i])]).length;
      yield;
    }
    return Object.fromEntries(Object.entries(right).map(([figure, count]) => [figure, count / MEASURED]));
  },
  goal: { figure: 'exact', atLeast: 0.98 },
};
