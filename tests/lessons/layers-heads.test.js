/** Lesson 13: what a task on letters needs, by the number of layers and heads that the reader chooses. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { countParameters, lab } from '../../js/lab/index.js';
import { findRecipe } from '../../js/train/recipes.js';
import { LENGTH } from '../../js/train/tasks/letters.js';
import { Trainer } from '../../js/train/trainer.js';
import { exactness } from '../../web/lessons/13-train-one-here-exactness.js';

/** A finished training. @param {string} task @param {{ layers: number, heads: number }} size */
async function trained(task, size) {
  const recipe = (await findRecipe(task)).sized?.(size) ?? assert.fail(task);
  const trainer = new Trainer(await lab({ seed: 1 }), recipe, await recipe.data({}));
  for await (const { step } of trainer.run()) assert.ok(step > 0);
  return trainer;
}

/** A signal that lets a test end. */
const whole = new AbortController().signal;

describe('the choice of layers and heads in lesson 13', { timeout: 600_000 }, () => {
  test('one layer sorts different letters, and makes mistakes where a letter repeats; two layers make almost none',
    async () => {
      const parts = [];
      for (const size of [{ layers: 1, heads: 1 }, { layers: 1, heads: 4 }, { layers: 2, heads: 1 }]) {
        const trainer = await trained('sort', size);
        const part = await exactness(trainer.save(), 'sort', whole);
        assert.deepEqual(await exactness(trainer.save(), 'sort', whole), part, 'the same sequences each time');
        parts.push(part);
        trainer.lab.dispose();
      }
      assert.ok(parts.every(({ distinct }) => distinct > 0.98), JSON.stringify(parts));
      const [one, four, two] = parts.map(({ repeated }) => repeated);
      assert.ok(one < 0.92 && four > one + 0.03 && two > 0.98, JSON.stringify(parts));
    });

  test('in one layer, each of four heads attends to the letter that comes next', async () => {
    const trainer = await trained('reverse', { layers: 1, heads: 4 });
    const { heads, layers, data, tokens: { length } } = trainer.watch();
    assert.deepEqual([layers, heads, data.length], [1, 4, 4 * length ** 2]);
    for (let head = 0; head < heads; head++) {
      const weights = Array.from({ length: LENGTH }, (_, i) =>
        data[(head * length + LENGTH + i) * length + LENGTH - 1 - i]);
      assert.ok(weights.reduce((sum, weight) => sum + weight) / LENGTH > 0.6, `head ${head}: ${weights}`);
    }
    assert.deepEqual(await exactness(trainer.save(), 'reverse', whole),
      { distinct: 1, repeated: 1, weights: countParameters(trainer.weights) });
    const reason = new Error('enough');
    await assert.rejects(exactness(trainer.save(), 'reverse', AbortSignal.abort(reason)), reason);
    trainer.lab.dispose();
  });
});
