/** Common part of the recipes copy, reverse and sort, which differ in the correct answers. */
import { randomFrom, schedules } from '../../lab/index.js';
import { largest } from '../models/choice.js';
import { initLetterGpt, letterGpt } from '../models/letter-gpt.js';
import { LENGTH, TASKS, TOKENS, example, sequence } from '../tasks/letters.js';

/** @typedef {import('../models/letter-gpt.js').Config} Config */
/** @typedef {import('../trainer.js').Watched} Watched */
/** @typedef {{ ids: Int32Array, targets: Int32Array, batch: number }} Batch  ids and targets: [batch·time] */
/** @typedef {(letters: number[]) => number[]} Task */

const TIME = 2 * LENGTH;
const BATCH = 32;
const WARMUP = 20;
/** Held-out sequences of the validation, and the seed that draws them. */
const VALIDATION = 512;
const VALIDATION_SEED = 2;
/** Example of `watch`: unsorted letters, one of them twice. */
const WATCHED = [...'gbkdaibe'].map((letter) => TOKENS.indexOf(letter));

/** @param {number[][]} letters [batch][LENGTH] ids @param {Task} task @returns {Batch} */
function batchOf(letters, task) {
  const all = letters.map((ids) => example(ids, task(ids)));
  return {
    ids: Int32Array.from(all.flatMap(({ ids }) => ids)),
    targets: Int32Array.from(all.flatMap(({ targets }) => targets)),
    batch: letters.length,
  };
}

/** @param {() => number} random @param {number} count @param {boolean} heldOut */
const draw = (random, count, heldOut) => Array.from({ length: count }, () => sequence(random, heldOut));

/**
 * @param {keyof typeof TASKS & string} name
 * @param {{ summary: string, layers: number, heads: number, steps: number, rate: number, atLeast: number }} settings
 * @returns {import('../trainer.js').Recipe<Task, Batch, Config>}
 */
export const lettersRecipe = (name, { summary, layers, heads, steps, rate, atLeast }) => ({
  name,
  summary,
  steps,
  minutes: 1,
  data: () => TASKS[name],
  config: () => ({ layers, heads, width: 32, hidden: 64, time: TIME, tokens: TOKENS }),
  weights: initLetterGpt,
  batch: (task, random) => batchOf(draw(random, BATCH, false), task),
  loss: (lab, weights, config, { ids, targets, batch }) =>
    lab.crossEntropy(letterGpt(lab, weights, config, ids, { batch, time: TIME }).logits, targets),
  rate: schedules.cosine({ rate, warmup: WARMUP, total: steps, floor: rate / 20 }),
  adamW: { weightDecay: 0 },
  clip: 1,
  // An answer that is right at every position, given the right letters before it, is also what the model generates.
  validate(lab, weights, config, task) {
    const { ids, targets, batch } = batchOf(draw(randomFrom(VALIDATION_SEED), VALIDATION, true), task);
    const { logits } = letterGpt(lab, weights, config, ids, { batch, time: TIME });
    const best = largest(logits.data, TOKENS.length);
    const right = Array.from({ length: batch }, (_, b) =>
      targets.subarray(b * TIME + LENGTH, (b + 1) * TIME).every((id, i) => id === best[b * TIME + LENGTH + i]));
    return { exact: right.filter(Boolean).length / batch };
  },
  goal: { figure: 'exact', atLeast },
  watch(lab, weights, config, task) {
    const { ids } = batchOf([WATCHED], task);
    const { logits, patterns } = letterGpt(lab, weights, config, ids, { batch: 1, time: TIME });
    const best = largest(logits.data, TOKENS.length).subarray(LENGTH);
    return {
      tokens: Array.from(ids, (id) => TOKENS[id]),
      layers,
      heads,
      causal: true,
      data: Float32Array.from(patterns.flatMap((pattern) => Array.from(pattern.data))),
      answer: Array.from(best, (id) => TOKENS[id]),
      wanted: task(WATCHED).map((id) => TOKENS[id]),
    };
  },
  sized: (size) => lettersRecipe(name, { summary, layers, heads, steps, rate, atLeast, ...size }),
});
