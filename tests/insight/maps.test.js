/** Attention weighted by values, and attention rollout, equal PyTorch's. */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { rollout, valueNorms } from '../../js/insight/index.js';
import { load } from '../../js/index.js';
import { rejects } from '../support/expect.js';
import { asGguf, temporaryFolder } from '../support/goldens.js';
import { expectedOf, hasAxes, MODELS, named, near, open, refusesBadCalls } from '../support/insight.js';

const folder = await temporaryFolder(after);

for (const golden of MODELS) {
  const T = golden.ids.length;
  for (const worker of [false, true]) {
    test(`${golden.name}: both maps are PyTorch's${worker ? ', in a Worker' : ''}`, async () => {
      const model = await open(golden, { worker });
      const { layers, heads } = model.info;
      const norms = await valueNorms(model, golden.ids);
      hasAxes(norms, { layer: layers, head: heads, query: T, key: T });
      near(norms.data, (await expectedOf(golden, 'value_norms')).data, 1e-5, 'weight times norm');
      const shares = await rollout(model, golden.ids);
      hasAxes(shares, { layer: layers, query: T, key: T });
      near(shares.data, (await expectedOf(golden, 'rollout')).data, 1e-5, 'rollout');
      for (let row = 0; row < layers * T; row++) {
        const sum = shares.data.subarray(row * T, (row + 1) * T).reduce((total, x) => total + x, 0);
        assert.ok(Math.abs(sum - 1) < 1e-5);
      }
    });
  }
}

describe('valueNorms', async () => {
  const golden = named('qwen2');
  const { ids } = golden;
  const T = ids.length;
  const model = await open(golden);

  test('norms times weights are the data, and layers select', async () => {
    const whole = await valueNorms(model, ids);
    const part = await valueNorms(model, ids, { layers: [1] });
    assert.deepEqual(part.axes.layer, [1]);
    assert.deepEqual(part.data, whole.data.slice(whole.data.length / 2));
    assert.deepEqual(part.norms, whole.norms.slice(whole.norms.length / 2));
    const { data } = await model.attention({ layer: 1, head: 2 });
    near(part.data.subarray(2 * T * T, 3 * T * T), data.map((x, i) => x * part.norms[2 * T + i % T]), 1e-6, 'head 2');
  });

  test('quantized weights give the norms of dequantized weights', async () => {
    const path = await asGguf(named('llama'), 'q8_0', folder);
    const kept = await load(path);
    const widened = await load(path, { quantize: 'f32' });
    after(() => (kept.dispose(), widened.dispose()));
    // Every product of the quantized model rounds activations to 8 bits.
    near((await valueNorms(kept, ids)).data, (await valueNorms(widened, ids)).data, 0.05, 'weight times norm');
  });

  test('wrong options', async () => {
    const refuse = (/** @type {any} */ options, /** @type {RegExp} */ why) =>
      rejects(valueNorms(model, ids, options), 'bad-argument', why);
    await refuse({ layers: [2] }, /each of layers to be an integer from 0 to 1/);
    await refuse({ layers: [-1] }, /each of layers/);
    await refuse({ layers: [] }, /at least one/);
  });
  refusesBadCalls(valueNorms);
});

describe('rollout', async () => {
  const golden = named('gpt2');
  const { ids } = golden;
  const model = await open(golden);

  test('the residual connection alone gives the identity', async () => {
    const T = ids.length;
    const { data } = await rollout(model, ids, { residual: 1 });
    data.forEach((x, i) => assert.equal(x, i % T === Math.floor(i / T) % T ? 1 : 0));
  });

  test('wrong options', async () => {
    for (const residual of [-0.1, 1.1, NaN, 'half', '0.5']) {
      await rejects(rollout(model, ids, /** @type {any} */ ({ residual })), 'bad-argument', /residual to be a number/);
    }
  });
  refusesBadCalls(rollout);
});
