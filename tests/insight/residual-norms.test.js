/** Norms of the residual stream equal float64 norms of the activations of a run. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { RESIDUAL_QUANTITIES, residualNorms } from '../../js/insight/index.js';
import { rejects } from '../support/expect.js';
import { hasAxes, MODELS, named, near, open, refusesBadCalls } from '../support/insight.js';

/** @param {ArrayLike<number>} a @param {ArrayLike<number>} b */
const dot = (a, b) => Array.from(a).reduce((sum, x, i) => sum + x * b[i], 0);
/** @param {ArrayLike<number>} x */
const norm = (x) => Math.sqrt(dot(x, x));
/** @param {ArrayLike<number>} a @param {ArrayLike<number>} b */
const cosine = (a, b) => dot(a, b) / (norm(a) * norm(b));

for (const golden of MODELS) {
  test(`${golden.name}: norms and cosines, with and without edits`, async () => {
    const model = await open(golden, { worker: golden.name === 'llama' });
    const { ids } = golden;
    const { layers, dModel } = model.info;
    for (const edits of [[], [{ hook: 'blocks.0.hook_mlp_out', scale: 0.5 }]]) {
      const { data, axes } = await residualNorms(model, ids, { edits });
      hasAxes({ data, axes }, { quantity: 5, layer: layers + 1, position: ids.length });
      assert.deepEqual(axes.quantity, [...RESIDUAL_QUANTITIES]);
      const { cache } = await model.runWithCache(ids, undefined, { edits });
      const at = (/** @type {string} */ hook, /** @type {number} */ position) =>
        cache[hook].data.subarray(position * dModel, (position + 1) * dModel);
      const expected = axes.quantity.map((quantity) => axes.layer.map((label) => ids.map((_, position) => {
        const block = `blocks.${Math.max(0, Number(label))}`;
        const [pre, attention, mid, mlp, post] = ['resid_pre', 'attn_out', 'resid_mid', 'mlp_out', 'resid_post']
          .map((hook) => at(`${block}.hook_${hook}`, position));
        if (label === -1) return quantity === 'stream' ? norm(pre) : 0;
        return { stream: norm(post), attention: norm(attention), attentionCosine: cosine(attention, pre),
          mlp: norm(mlp), mlpCosine: cosine(mlp, mid) }[/** @type {'mlp'} */ (quantity)];
      }))).flat(2);
      near(data, expected, 1e-5, JSON.stringify(edits));
    }
  });
}

describe('calls of residualNorms', async () => {
  const model = await open(named('llama'));
  test('wrong edits', async () => {
    await rejects(residualNorms(model, named('llama').ids, { edits: [{ hook: 'blocks.9.hook_resid_pre' }] }),
      'bad-argument', /no activation/);
  });
  refusesBadCalls(residualNorms);
});
