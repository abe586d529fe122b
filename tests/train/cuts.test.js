// Cuts: weights of attention that become 0 in a translation, and activations that do not change.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { lab } from '../../js/lab/index.js';
import { openTranslator } from '../../js/train/models/index.js';

const DATE = 'the 3rd of may 1979';
const MODELS = { 'dates-bahdanau': [1, 1], 'dates-luong-general': [1, 1], 'dates-luong-concat': [1, 1],
  'dates-transformer': [2, 4] };

/** Rows of a map. @param {{ data: Float32Array, keys: number }} map */
const rowsOf = ({ data, keys }) => Array.from({ length: data.length / keys }, (_, i) =>
  Array.from(data.subarray(i * keys, (i + 1) * keys)));
const sum = (/** @type {number[]} */ row) => row.reduce((a, b) => a + b, 0);
const near = (/** @type {number} */ a, /** @type {number} */ b) => Math.abs(a - b) < 1e-6;

/** @type {import('../../js/lab/index.js').Lab} */ let l;
before(async () => { l = await lab({ engine: 'simd128' }); });
after(() => l.dispose());
const open = async (/** @type {string} */ name) =>
  openTranslator(l, await readFile(new URL(`../../models/${name}.safetensors`, import.meta.url)));

for (const [name, [layers, heads]] of Object.entries(MODELS)) {
  describe(name, () => {
    /** @type {Awaited<ReturnType<typeof open>>} */ let model;
    before(async () => { model = await open(name); });
    const at = { layer: layers - 1, head: heads - 1 };

    test('no cut changes no bit', () => {
      const whole = model.translate(DATE);
      assert.deepEqual(model.translate(DATE, { cuts: [] }), whole);
      assert.deepEqual(model.translate(DATE, { cuts: [{ query: 500 }], renormalize: true }), whole, 'beyond the text');
    });

    test('a length penalty that is not a number from 0 to 100 is refused', () => {
      for (const lengthPenalty of [NaN, -1, 1e300, 'x']) {
        assert.throws(() => model.translate(DATE, { beam: 2, lengthPenalty: /** @type {any} */ (lengthPenalty) }),
          { code: 'bad-argument', message: /^translate: lengthPenalty is the .*0 or more/ });
      }
    });

    test('a cut cell is exactly 0; its row sums to the rest, or as before', () => {
      const whole = rowsOf(model.translate(DATE).attention(at));
      const query = 3;
      const key = whole[query].indexOf(Math.max(...whole[query]));
      const cuts = [{ ...at, query, key }];
      const cut = rowsOf(model.translate(DATE, { cuts }).attention(at));
      assert.equal(cut[query][key], 0);
      assert.deepEqual(cut.slice(0, query), whole.slice(0, query), 'earlier rows keep their bits');
      assert.deepEqual(cut[query].filter((_, j) => j !== key), whole[query].filter((_, j) => j !== key));
      const scaled = rowsOf(model.translate(DATE, { cuts, renormalize: true }).attention(at))[query];
      assert.equal(scaled[key], 0);
      assert.ok(near(sum(scaled), 1), String(sum(scaled)));
      const rest = sum(cut[query]);
      for (const [j, weight] of cut[query].entries()) assert.ok(near(scaled[j] * rest, weight), `column ${j}`);
    });

    test('a cut head is 0 everywhere, and the other maps are not', () => {
      const { cache } = model.translate(DATE, { cuts: [at] });
      for (const [map, { data, shape: [count, queries, keys] }] of Object.entries(cache)) {
        if (!map.endsWith('pattern')) continue;
        for (let head = 0; head < count; head++) {
          const total = sum(Array.from(data.subarray(head * queries * keys, (head + 1) * queries * keys)));
          const isCut = map === `decoder.${at.layer}.cross_attn.hook_pattern` && head === at.head;
          assert.ok(isCut ? total === 0 : near(total / queries, 1), `${map}, head ${head}: ${total}`);
        }
      }
    });

    test('a cut source symbol has no weight in any step of a beam', () => {
      const { text, source, cache } = model.translate(DATE, { cuts: [{ key: 4 }], beam: 3 });
      assert.ok(text.length > 0);
      for (let layer = 0; layer < layers; layer++) {
        const { data } = cache[`decoder.${layer}.cross_attn.hook_pattern`];
        assert.ok(data.every((weight, i) => i % source.length !== 4 || weight === 0), `layer ${layer}`);
      }
    });
  });
}

test('cuts of self-attention change the translation that follows', async () => {
  const model = await open('dates-transformer');
  const { cache } = model.translate(DATE, { cuts: [{ of: 'encoder.attn', layer: 0 }, { of: 'decoder.attn', key: 0 }] });
  assert.ok(cache['encoder.0.attn.hook_pattern'].data.every((weight) => weight === 0));
  assert.ok(cache['encoder.1.attn.hook_pattern'].data.some((weight) => weight > 0));
  const { data, shape: [, , keys] } = cache['decoder.1.attn.hook_pattern'];
  assert.ok(data.every((weight, i) => i % keys !== 0 || weight === 0));
});

test('invalid cuts are errors', async () => {
  const [model, none] = await Promise.all(['dates-transformer', 'dates-no-attention'].map(open));
  const refuses = (/** @type {unknown} */ cuts, /** @type {RegExp} */ message, of = model) =>
    assert.throws(() => of.translate(DATE, /** @type {any} */ ({ cuts })), { code: 'bad-argument', message });
  refuses({ key: 1 }, /expected a list/);
  refuses([null], /options are an object/);
  refuses([{ row: 1 }], /no option ‘row’/);
  refuses([{ of: 'blocks.attn' }], /no attention ‘blocks.attn’ to cut; there is encoder.attn, decoder.attn/);
  refuses([{ layer: 2 }], /the layer ‘2’; expected an integer from 0 to 1/);
  refuses([{ head: -1 }], /the head/);
  refuses([{ query: 1.5 }], /the query ‘1.5’; expected an integer from 0\./);
  refuses([{ key: 1 }], /no attention to cut/, none);
});
