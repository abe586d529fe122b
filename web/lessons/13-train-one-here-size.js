/** A task on letters with a chosen number of layers and heads, and what its trained model can do. */
import { randomFrom } from '../../js/lab/index.js';
import { largest } from '../../js/train/models/choice.js';
import { letterGpt } from '../../js/train/models/letter-gpt.js';
import { LENGTH, TOKENS, example, sequence } from '../../js/train/tasks/letters.js';

/** Sequences of each kind that test a trained model, and the seed that draws them. */
const COUNT = 256;
const SEED = 3;

/**
 * A recipe with another number of layers and heads.
 * @param {import('../../js/train/trainer.js').Recipe<any, any, any>} recipe
 * @param {{ layers: number, heads: number }} size
 * @returns {import('../../js/train/trainer.js').Recipe<any, any, any>}
 */
export const sized = (recipe, { layers, heads }) => ({
  ...recipe,
  config: (data) => ({ ...recipe.config(data), layers, heads }),
  watch: (...run) => ({ .../** @type {NonNullable<typeof recipe.watch>} */ (recipe.watch)(...run), layers, heads }),
});

/**
 * The part of unseen sequences that a trained model answers without a mistake.
 * @param {import('../../js/train/trainer.js').Trainer} trainer
 * @returns {{ distinct: number, repeated: number }} of sequences of eight different letters, and of sequences in which
 *   a letter occurs more than once
 */
export function exactness({ lab, weights, config, data: task }) {
  const random = randomFrom(SEED);
  /** @type {Record<'distinct' | 'repeated', number[][]>} */
  const drawn = { distinct: [], repeated: [] };
  while (drawn.distinct.length < COUNT || drawn.repeated.length < COUNT) {
    const letters = sequence(random, true);
    const kind = new Set(letters).size === LENGTH ? drawn.distinct : drawn.repeated;
    if (kind.length < COUNT) kind.push(letters);
  }
  const exact = (/** @type {number[][]} */ sequences) => lab.evaluate(() => {
    const answers = sequences.map((letters) => /** @type {number[]} */ (task(letters)));
    const ids = sequences.flatMap((letters, i) => example(letters, answers[i]).ids);
    const time = ids.length / COUNT;
    const best = largest(letterGpt(lab, weights, config, ids, { batch: COUNT, time }).logits.data, TOKENS.length);
    return answers.filter((answer, i) => answer.every((id, j) => id === best[i * time + LENGTH + j])).length / COUNT;
  });
  return { distinct: exact(drawn.distinct), repeated: exact(drawn.repeated) };
}
