/** The float64 reference of the other tests equals PyTorch, through the converter and the GGUF writer. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { assertClose, scaleOf } from '../support/compare.js';
import { asGguf, goldens, inGgufOrder, temporaryFolder } from '../support/goldens.js';
import { forward, readModel } from '../support/reference.js';

const folder = await temporaryFolder(after);

for (const golden of await goldens()) {
  test(`${golden.name}: every stage of the reference equals PyTorch's`, async () => {
    const model = await readModel(await asGguf(golden, 'f32', folder));
    const seen = new Set();
    forward(model, golden.ids, {
      tap(hook, stage) {
        assert.ok(golden.stages[hook], `PyTorch has no ${hook}`);
        const expected = inGgufOrder(hook, golden.stages[hook], golden);
        assert.deepEqual(stage.shape, expected.shape, hook);
        // Both are float64, but the goldens, eps and the divisors of RoPE were rounded to single precision.
        assertClose(stage.data, expected.data, 2e-6 * scaleOf(expected.data), hook);
        seen.add(hook);
        return stage;
      },
    });
    assert.deepEqual([...seen].sort(), Object.keys(golden.stages).sort());
  });
}

test('integer products change the logits slightly', async () => {
  const [golden] = (await goldens()).filter(({ name }) => name === 'llama');
  const model = await readModel(await asGguf(golden, 'q8_0', folder));
  const exact = forward(model, golden.ids);
  const integers = forward(model, golden.ids, { integers: true });
  const difference = scaleOf(Float64Array.from(exact.data, (v, i) => v - integers.data[i])) / scaleOf(exact.data);
  assert.ok(difference > 0 && difference < 0.05, String(difference));
});
