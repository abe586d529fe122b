/** The logit lens equals PyTorch's: the final norm and the output matrix applied to every block's output. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { logitLens } from '../../js/insight/index.js';
import { rejects } from '../support/expect.js';
import { expectedOf, hasAxes, MODELS, named, near, open, refusesBadCalls } from '../support/insight.js';

for (const golden of MODELS) {
  for (const worker of [false, true]) {
    test(`${golden.name}: every log-probability is PyTorch's${worker ? ', in a Worker' : ''}`, async () => {
      const model = await open(golden, { worker });
      const { layers, vocabulary } = model.info;
      const expected = await expectedOf(golden, 'logit_lens');
      const lens = await logitLens(model, golden.ids, { top: vocabulary });
      hasAxes(lens, { layer: layers + 1, position: golden.ids.length, rank: vocabulary });
      assert.deepEqual(lens.axes.layer, Array.from({ length: layers + 1 }, (_, i) => i - 1));
      const sorted = new Float32Array(expected.data.length);
      lens.data.forEach((x, i) => {
        const row = Math.floor(i / vocabulary) * vocabulary;
        sorted[row + lens.candidates[i]] = x;
        assert.ok(i === row || x <= lens.data[i - 1], 'largest first');
      });
      near(sorted, expected.data, 1e-5, 'log-probabilities');
    });
  }
}

describe('parts of the lens', async () => {
  const golden = named('llama');
  const { ids } = golden;
  const model = await open(golden);

  test('layers, positions and top select from the whole', async () => {
    const whole = await logitLens(model, ids, { top: 5 });
    const part = await logitLens(model, Int32Array.from(ids), { layers: [2, -1], positions: [3, 7], top: 2 });
    hasAxes(part, { layer: 2, position: 4, rank: 2 });
    assert.equal(part.firstPosition, 3);
    assert.deepEqual(part.ids, Int32Array.from(ids));
    assert.deepEqual(part.axes.position, ids.slice(3, 7).map((id) => `[${id}]`));
    for (const [i, layer] of [2, -1].entries()) {
      for (let position = 3; position < 7; position++) {
        for (let rank = 0; rank < 2; rank++) {
          const here = (i * 4 + position - 3) * 2 + rank;
          const there = ((layer + 1) * ids.length + position) * 5 + rank;
          assert.equal(part.data[here], whole.data[there]);
          assert.equal(part.candidates[here], whole.candidates[there]);
          assert.equal(part.texts[here], `[${part.candidates[here]}]`);
        }
      }
    }
  });

  test('the last layer gives the log-probabilities of the model, also with edits', async () => {
    for (const edits of [[], [{ hook: 'blocks.0.attn.hook_z', head: 1, scale: 0 }]]) {
      const logits = await model.runWithHooks(ids, edits);
      const { data, candidates } = await logitLens(model, ids, { layers: [2], positions: [15, 16], top: 3, edits });
      const normalizer = Math.log(logits.reduce((sum, x) => sum + Math.exp(x), 0));
      assert.equal(candidates[0], logits.indexOf(Math.max(...logits)));
      near(data, Array.from(candidates, (id) => logits[id] - normalizer), 1e-6, 'log-probabilities');
    }
  });

  test('wrong options', async () => {
    const refuse = (/** @type {any} */ options, /** @type {RegExp} */ why, code = 'bad-argument') =>
      rejects(logitLens(model, ids, options), code, why);
    await refuse({ layers: [3] }, /each of layers to be an integer from -1 to 2/);
    await refuse({ layers: [NaN] }, /each of layers/);
    await refuse({ layers: 2 }, /layers is ‘2’; it is an array/);
    await refuse({ layers: [] }, /at least one/);
    await refuse({ positions: [4, 4] }, /0 ≤ from < to ≤ 16/);
    await refuse({ positions: [0, 1, 2] }, /0 ≤ from < to ≤ 16, got ‘0,1,2’/);
    await refuse({ positions: [0, NaN] }, /0 ≤ from < to ≤ 16/);
    await refuse({ top: 0 }, /top to be an integer from 1 to 96/);
    await refuse({ top: 97 }, /top/);
    await refuse({ edits: [{ hook: 'blocks.9.hook_resid_pre' }] }, /no activation/);
    await refuse({ edits: [{ hook: 'hook_embed', scale: 3e38 }] }, /infin/, 'not-finite');
  });
  refusesBadCalls(logitLens);
});
