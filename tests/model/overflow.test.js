/** Every call refuses overflowing numbers by the same rule. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { load } from '../../js/index.js';
import { encode } from '../../js/files/gguf/quantize.js';
import { rejects } from '../support/expect.js';
import { ENGINES, on } from '../support/engines.js';
import { collect } from '../support/model.js';
import { tinyGguf } from '../support/tiny-gguf.js';
import { floats, randomFrom } from '../support/numbers.js';

const IDS = [1, 5, 6, 9];

/** A model of two blocks with some huge weights.
 *  @param {Record<string, number>} sizes largest weight of some tensors, by name */
const oversized = (sizes) => tinyGguf({ type: 'f32', layers: 2, tensors: (all) => all.map((tensor) => {
  const size = sizes[tensor.name];
  const values = () => floats(randomFrom(7), tensor.shape.reduce((a, b) => a * b), size);
  return size === undefined ? tensor : { ...tensor, data: encode(values(), 'f32') };
}) });

/** @type {[string, Record<string, number>, RegExp][]} */
const CASES = [
  ['queries and keys', { 'blk.1.attn_q.weight': 1e25, 'blk.1.attn_k.weight': 1e25 }, /Block 1 computed/],
  ['values', { 'blk.0.attn_v.weight': 3e38 }, /Block 0 computed/],
  ['the feed-forward network', { 'blk.0.ffn_up.weight': 1e30, 'blk.0.ffn_down.weight': 1e30 }, /Block 0 computed/],
  ['squares in a norm: zeros would hide them', { 'token_embd.weight': 1e25 }, /Block 0 computed/],
  ['squares in the last norm', { 'blk.1.ffn_down.weight': 1e25 }, /logits after position [0-3] are not finite/],
  ['the weight of a norm', { 'blk.0.ffn_norm.weight': 3e38 }, /Block 0 computed/],
  ['the weight of the last norm', { 'output_norm.weight': 3e38 }, /logits after position [0-3] are not finite/],
  ['the head', { 'output_norm.weight': 3e38, 'token_embd.weight': 100 }, /logits after position [0-3] are not finite/],
];

for (const engine of ENGINES) {
  describe(`overflow, ${engine}`, on(engine), () => {
    for (const cache of /** @type {const} */ (['f32', 'int16'])) {
      for (const [what, sizes, says] of CASES) {
        // A scale of Q8_0 is a half, too small for such numbers. In quantized models only norms can overflow.
        const norms = Object.keys(sizes).every((name) => name.endsWith('_norm.weight'));
        for (const quantize of norms ? /** @type {const} */ (['keep', 'q8_0']) : /** @type {const} */ (['keep'])) {
          test(`${what}; weights ${quantize}, cache ${cache}`, async (t) => {
            const model = await load(await oversized(sizes), { engine, cache, quantize });
            t.after(() => model.dispose());
            const refused = async (/** @type {Promise<unknown>} */ call) => {
              await rejects(call, 'not-finite', says);
              assert.equal(model.position, 0);
            };
            await refused(model.forward(IDS));
            await refused(model.forward(IDS, { all: true }));
            await refused(model.forward([1]));
            await refused(model.runWithCache(IDS, ['blocks.0.attn.hook_pattern']));
            await refused(model.runWithHooks(IDS, [{ hook: 'hook_embed', scale: 1 }]));
            await rejects(collect(model.generate(IDS, { maxTokens: 3 })), 'not-finite', says);
            model.rewind(0);
          });
        }
      }
    }

    test('in a Worker', async (t) => {
      const model = await load(await oversized({ 'blk.1.attn_v.weight': 3e38 }), { engine, worker: true });
      t.after(() => model.dispose());
      await rejects(model.forward(IDS), 'not-finite', /Block 1 computed/);
      assert.equal(model.position, 0);
      await rejects(collect(model.generate(IDS, { maxTokens: 3 })), 'not-finite', /Block 1 computed/);
    });

    test('one position with a single score of -Infinity', async (t) => {
      // q = -k: the only score overflows to -Infinity, and the sum of its softmax would be zero.
      const model = await load(await tinyGguf({ type: 'f32', tensors: (all) => all.map((tensor) => {
        const sign = { 'blk.0.attn_q.weight': 1, 'blk.0.attn_k.weight': -1 }[tensor.name];
        if (!sign) return tensor;
        const row = floats(randomFrom(3), tensor.shape[1], 1e20);
        const rows = Array.from({ length: tensor.shape[0] }, () => [...row]).flat();
        return { ...tensor, data: encode(Float32Array.from(rows, (x) => sign * x), 'f32') };
      }) }), { engine, cache: 'f32' });
      t.after(() => model.dispose());
      await rejects(model.forward([1]), 'not-finite', /Block 0/);
      await rejects(model.runWithCache([1], ['blocks.0.attn.hook_pattern']), 'not-finite', /Block 0/);
    });

    test('scores that an edit sets to -Infinity are a knock-out, not an overflow', async (t) => {
      const model = await load(await tinyGguf({ type: 'f32' }), { engine });
      t.after(() => model.dispose());
      const scores = 'blocks.0.attn.hook_attn_scores';
      const edits = [{ hook: scores, head: 0, scale: 1, values: new Float32Array(IDS.length).fill(-Infinity) }];
      const { cache } = await model.runWithCache(IDS, ['blocks.0.attn.hook_pattern'], { edits });
      const pattern = cache['blocks.0.attn.hook_pattern'].data;
      assert.ok(pattern.subarray(0, 16).every((share) => share === 0));
      assert.deepEqual((await model.attention({ layer: 0, head: 0 })).data, pattern.subarray(0, 16));
    });

    test('an edit that makes a number infinite is refused, and the model runs on', async (t) => {
      const model = await load(await tinyGguf(), { engine });
      t.after(() => model.dispose());
      const expected = await model.forward(IDS);
      model.rewind(0);
      const values = new Float32Array(32).fill(Infinity);
      await rejects(model.runWithHooks(IDS, [{ hook: 'blocks.0.hook_resid_mid', values }]), 'not-finite', /Block 0/);
      assert.deepEqual(await model.forward(IDS), expected);
    });
  });
}
