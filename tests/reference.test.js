/** The float64 reference, through the GGUF writer and the converter, against PyTorch: who judges must be judged first. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { asGguf, goldens, inGgufOrder, temporaryFolder } from './support/goldens.js';
import { forward, readModel } from './support/reference.js';

const folder = await temporaryFolder(after);

for (const golden of await goldens()) {
  test(`${golden.name}: every stage of the reference is PyTorch's`, async () => {
    const model = await readModel(await asGguf(golden, 'f32', folder));
    const seen = new Set();
    forward(model, golden.ids, {
      tap(hook, stage) {
        assert.ok(golden.stages[hook], `PyTorch has no ${hook}`);
        const expected = inGgufOrder(hook, golden.stages[hook], golden);
        assert.deepEqual(stage.shape, expected.shape, hook);
        const scale = expected.data.reduce((m, v) => (Number.isFinite(v) ? Math.max(m, Math.abs(v)) : m), 0);
        stage.data.forEach((v, i) => {
          // Both are float64; the goldens, theta and eps are kept as single precision, and theta's error grows with position.
          if (v !== expected.data[i]) assert.ok(Math.abs(v - expected.data[i]) <= 2e-6 * scale, `${hook}[${i}]: ${v}, ${expected.data[i]}`);
        });
        seen.add(hook);
        return stage;
      },
    });
    assert.deepEqual([...seen].sort(), Object.keys(golden.stages).sort());
  });
}

test('integer products stay within the step of their blocks, and quantised weights are what the file holds', async () => {
  const [golden] = (await goldens()).filter(({ name }) => name === 'llama');
  const model = await readModel(await asGguf(golden, 'q8_0', folder));
  const exact = forward(model, golden.ids);
  const integers = forward(model, golden.ids, { integers: true });
  const scale = exact.data.reduce((m, v) => Math.max(m, Math.abs(v)), 0);
  const difference = exact.data.reduce((m, v, i) => Math.max(m, Math.abs(v - integers.data[i])), 0);
  assert.ok(difference > 0 && difference < 0.05 * scale, `${difference} of ${scale}`);
  const drift = exact.data.reduce((m, v, i) => Math.max(m, Math.abs(v - golden.stages.logits.data[i])), 0);
  assert.ok(drift > 0 && drift < 0.1 * scale, `${drift} of ${scale}`);
});
