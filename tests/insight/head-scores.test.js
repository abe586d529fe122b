/** Scores of heads equal PyTorch's, over one text, several texts, and random tokens. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { headScores, SCORES } from '../../js/insight/index.js';
import { rejects } from '../support/expect.js';
import { expectedOf, hasAxes, MODELS, named, near, open, refusesBadCalls } from '../support/insight.js';

for (const golden of MODELS) {
  for (const worker of [false, true]) {
    test(`${golden.name}: all scores are PyTorch's${worker ? ', in a Worker' : ''}`, async () => {
      const model = await open(golden, { worker });
      const { layers, heads } = model.info;
      const scores = await headScores(model, golden.ids);
      hasAxes(scores, { score: SCORES.length, layer: layers, head: heads });
      assert.deepEqual(scores.axes.score, [...SCORES]);
      const { data } = await expectedOf(golden, 'head_scores');
      const size = layers * heads;
      for (const [i, name] of SCORES.entries()) {
        near(scores.data.subarray(i * size, (i + 1) * size), data.subarray(i * size, (i + 1) * size), 1e-5, name);
      }
    });
  }
}

describe('texts', async () => {
  const golden = named('llama');
  const { ids } = golden;
  const model = await open(golden);
  const size = model.info.layers * model.info.heads;

  test('several texts weigh each query equally', async () => {
    const others = [ids, [5, 6, 5, 6, 7, 5], [9]];
    const both = await headScores(model, others);
    const each = await Promise.all(others.map((text) => headScores(model, text)));
    assert.deepEqual(both.ids, others.map((text) => Int32Array.from(text)));
    for (let i = 0; i < both.data.length; i++) {
      const score = Math.floor(i / size);
      const total = each.reduce((sum, { data, counts }) => sum + (counts[score] && data[i] * counts[score]), 0);
      assert.ok(Math.abs(both.data[i] - total / both.counts[score]) < 1e-6);
    }
    assert.deepEqual([...both.counts], [20, 7, 7, 20, 20, 20]);
  });

  test('a text without repetition has no duplicate and no induction score', async () => {
    const { data, counts, uniform } = await headScores(model, [1, 2, 3]);
    assert.deepEqual([...counts], [2, 0, 0, 2, 2, 2]);
    assert.ok(data.subarray(size, 3 * size).every(Number.isNaN));
    near(uniform.filter((_, i) => i !== 1 && i !== 2),
      [5 / 12, 5 / 12, (Math.log(2) + Math.log(3)) / 2, 0.75], 1e-6, 'uniform attention');
  });

  test('repeated random tokens: each of the second half occurred once, and a seed gives the same tokens', async () => {
    const scores = await headScores(model, { repeated: 12, texts: 3, seed: 5 });
    assert.equal(scores.ids.length, 3);
    for (const text of scores.ids) {
      assert.equal(new Set(text).size, 12);
      assert.deepEqual(text.slice(0, 12), text.slice(12));
    }
    assert.deepEqual([...scores.counts], [69, 36, 36, 69, 69, 69]);
    assert.deepEqual(await headScores(model, { repeated: 12, texts: 3, seed: 5 }), scores);
    assert.notDeepEqual((await headScores(model, { repeated: 12, texts: 3, seed: 6 })).ids, scores.ids);
  });

  test('edits change the scores of later heads', async () => {
    const edits = [{ hook: 'blocks.0.attn.hook_pattern', head: 1, scale: 0 }];
    const clean = await headScores(model, ids);
    const edited = await headScores(model, ids, { edits });
    assert.equal(edited.data[1], 0);
    assert.equal(edited.data[0], clean.data[0]);
    assert.notEqual(edited.data[size - 1], clean.data[size - 1]);
  });

  test('wrong inputs', async () => {
    const refuse = (/** @type {any} */ input, /** @type {RegExp} */ why) =>
      rejects(headScores(model, input), 'bad-argument', why);
    await refuse({ repeated: 1 }, /repeated to be an integer from 2 to 48/);
    await refuse({ repeated: NaN }, /repeated/);
    await refuse({ repeated: 4, texts: 0 }, /texts/);
    await refuse({ repeated: 4, seed: 0.5 }, /seed to be an integer/);
    await refuse({ repeated: 4, seeds: 1 }, /no option ‘seeds’/);
    await refuse({ repeat: 4 }, /text or token ids, several texts, or \{ repeated: n \} for random tokens/);
    await refuse([[1, 2], []], /at least one token/);
    await refuse([[1, 2], 5], /text or token ids, got ‘5’/);
    await refuse({}, /text or token ids/);
    await rejects(headScores(model, ['a', 'b']), 'no-tokenizer');
    await rejects(headScores(model, { repeated: 40 }), 'context-full');
  });
  refusesBadCalls(headScores);
});
