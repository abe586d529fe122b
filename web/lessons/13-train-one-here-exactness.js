/** The part of unseen sequences of letters that a trained model answers without a mistake. */
import { countParameters, lab, randomFrom } from '../../js/lab/index.js';
import { Pacer } from '../../js/pause.js';
import { largest } from '../../js/train/models/choice.js';
import { openModel } from '../../js/train/models/index.js';
import { letterGpt } from '../../js/train/models/letter-gpt.js';
import { LENGTH, TASKS, TOKENS, example, sequence } from '../../js/train/tasks/letters.js';

/** Sequences of each kind, sequences of one pass, and the seed that draws them. */
const COUNT = 256;
const BATCH = 32;
const SEED = 3;

/** Sequences of eight different letters, and sequences in which a letter occurs more than once. */
function sequences() {
  const random = randomFrom(SEED);
  /** @type {Record<'distinct' | 'repeated', number[][]>} */
  const drawn = { distinct: [], repeated: [] };
  while (drawn.distinct.length < COUNT || drawn.repeated.length < COUNT) {
    const letters = sequence(random, true);
    const kind = new Set(letters).size === LENGTH ? drawn.distinct : drawn.repeated;
    if (kind.length < COUNT) kind.push(letters);
  }
  return drawn;
}

/**
 * Tests a trained model, with pauses in which the page answers.
 * @param {Uint8Array} file
 * @param {string} task that it has learned
 * @param {AbortSignal} signal
 * @returns {Promise<{ distinct: number, repeated: number, weights: number }>} parts of the sequences of each kind, and
 *   the number of weights
 * @throws {unknown} (rejects) the reason of the signal
 */
export async function exactness(file, task, signal) {
  const l = await lab();
  try {
    return await measured(l, file, task, signal);
  } finally {
    l.dispose();
  }
}

/** @param {import('../../js/lab/index.js').Lab} l @param {Uint8Array} file @param {string} task
 *  @param {AbortSignal} signal */
async function measured(l, file, task, signal) {
  const { weights, config } = await openModel(l, file);
  const pacer = new Pacer();
  const right = (/** @type {number[][]} */ batch) => l.evaluate(() => {
    const answers = batch.map((letters) => TASKS[task](letters));
    const ids = batch.flatMap((letters, i) => example(letters, answers[i]).ids);
    const time = ids.length / batch.length;
    const best = largest(letterGpt(l, weights, config, ids, { batch: batch.length, time }).logits.data, TOKENS.length);
    return answers.filter((answer, i) => answer.every((id, j) => id === best[i * time + LENGTH + j])).length;
  });
  async function exact(/** @type {number[][]} */ all) {
    let count = 0;
    for (let from = 0; from < COUNT; from += BATCH) {
      count += right(all.slice(from, from + BATCH));
      await pacer.pause();
      signal.throwIfAborted();
    }
    return count / COUNT;
  }
  const { distinct, repeated } = sequences();
  return { distinct: await exact(distinct), repeated: await exact(repeated), weights: countParameters(weights) };
}
