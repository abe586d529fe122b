/** The words of neurons equal the products of the reference's weights, with and without biases of logits. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../js/index.js';
import { neuronWords } from '../../web/page/views/neuron-words.js';
import { FAMILIES, ggufOf, huggingFaceOf, referenceOf } from '../support/families.js';

const LAYER = 1;
const NEURONS = [3, 0];
const COUNT = 4;

for (const row of FAMILIES) {
  const { weights: w, variant = {} } = referenceOf(row);
  const down = w[`blk.${LAYER}.ffn_down.weight`];
  if (!down || !w['output_norm.weight']) continue;
  test(`${row.name}${w['output.bias'] ? ', with biases of logits' : ''}`, async (t) => {
    const model = await load(row.gguf === false ? huggingFaceOf(row) : await ggufOf(row));
    t.after(() => model.dispose());
    const U = w['output.weight'] ?? w['token_embd.weight'];
    const [V, D] = U.shape;
    const expected = [1, -1].map((sign) => NEURONS.flatMap((column) => {
      const written = Array.from({ length: D }, (_, d) => down.data[d * down.shape[1] + column] *
        (w[`blk.${LAYER}.post_ffw_norm.weight`]?.data[d] ?? 1));
      const mean = variant.norm === 'layer' ? written.reduce((a, b) => a + b) / D : 0;
      const x = written.map((v, d) => sign * (v - mean) * w['output_norm.weight'].data[d]);
      const effects = Array.from({ length: V }, (_, id) => x.reduce((sum, v, d) => sum + v * U.data[id * D + d], 0));
      return [...effects.keys()].sort((a, b) => effects[b] - effects[a]).slice(0, COUNT);
    }));
    const texts = await Promise.all(expected.map((ids) => model.tokens(ids)));
    assert.deepEqual(await neuronWords(model, LAYER, NEURONS, COUNT), texts);
  });
}

test('a family with biases of logits is among them', () => {
  assert.ok(FAMILIES.some((row) => referenceOf(row).weights['output.bias']));
});
