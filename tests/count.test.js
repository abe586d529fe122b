/** Weights counted from configurations equal those that files hold and papers tell. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countWeights, extrasOf } from '../js/count.js';
import { load } from '../js/index.js';
import { lab, countParameters } from '../js/lab/index.js';
import { openModelFile } from '../js/model-file.js';
import { STORIES } from './support/model.js';
import { tinyGguf } from './support/tiny-gguf.js';

/** @param {number} layers @param {number} d @param {number} heads @param {number} context */
const gpt = (layers, d, heads, context) => /** @type {import('../js/count.js').CountedConfig} */ ({ layers, heads,
  kv_heads: heads, d_model: d, d_head: d / heads, d_ff: 4 * d, vocabulary: 50257, context_length: context,
  norm: 'layernorm', position: 'learned', gated: 'no' });

test('the default model has the weights of its table, as loaded', async () => {
  const file = await openModelFile(STORIES);
  await file.close();
  const { parts, total } = countWeights(file.config, extrasOf(file.tensors));
  const model = await load(STORIES);
  assert.equal(total, model.info.parameters);
  model.dispose();
  for (const [part, tensor] of /** @type {const} */ ([['W_K', 'attn_k'], ['W_O', 'attn_output'], ['W_1', 'ffn_up']])) {
    assert.deepEqual(parts.find(({ name }) => name === part)?.shape,
      file.tensors.find(({ name }) => name === `blk.0.${tensor}.weight`)?.shape);
  }
});

test('a file with its own head and grouped keys, too', async () => {
  const file = await openModelFile(await tinyGguf());
  await file.close();
  const elements = file.tensors.reduce((sum, { shape }) => sum + shape.reduce((product, n) => product * n, 1), 0);
  assert.equal(countWeights(file.config, extrasOf(file.tensors)).total, elements);
});

test('GPT-2 small has 124,439,808 weights, and the attention of GPT-3 58 billion of 175', () => {
  assert.equal(countWeights(gpt(12, 768, 12, 1024)).total, 124_439_808);
  const gpt3 = countWeights(gpt(96, 12288, 96, 2048));
  assert.equal(gpt3.attention, 4 * 96 * 12288 ** 2);
  assert.equal(Math.round(gpt3.attention / 1e9), 58);
  assert.equal(Math.round(gpt3.total / 1e9), 175);
});

test('an encoder block of the lab has the weights of one layer', async () => {
  const l = await lab();
  const { parts } = countWeights({ ...gpt(1, 32, 4, 8), d_ff: 64 });
  const layer = parts.filter(({ kind }) => kind === 'attention' || kind === 'feed-forward')
    .reduce((sum, { weights }) => sum + weights, 0) + 4 * 32; // two norms
  assert.equal(countParameters(l.init.encoderBlock('', 32, 64)), layer);
  l.dispose();
});
