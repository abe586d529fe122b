/** Parts of a logit equal PyTorch's, and sum to the logit. */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { directLogitAttribution } from '../../js/insight/index.js';
import { load } from '../../js/index.js';
import { rejects } from '../support/expect.js';
import { asGguf, temporaryFolder } from '../support/goldens.js';
import { expectedOf, hasAxes, MODELS, named, near, open, refusesBadCalls } from '../support/insight.js';

const KINDS = /** @type {const} */ (['layer', 'head', 'neuron', 'source']);
const folder = await temporaryFolder(after);
const sum = (/** @type {Float32Array} */ x) => x.reduce((total, value) => total + value, 0);
/** The target of the goldens. @param {number[]} ids */
const difference = (ids) => ({ logitDifference: /** @type {[number, number]} */ ([ids[0], ids[2]]) });

/** Largest effect of the rounding to 8 bits of the inputs of the last product, on the target of the goldens.
 *  @param {import('../../js/index.js').Model} model @param {number[]} ids */
async function roundingOf(model, ids) {
  const name = 'ln_final.hook_normalized';
  const { data } = (await model.runWithCache(ids, [name])).cache[name];
  const output = await model.weight('output.weight') ?? assert.fail();
  const width = data.length / ids.length;
  const step = Math.max(...data.subarray(-width).map(Math.abs)) / 127;
  const row = (/** @type {number} */ id) => output.data.subarray(id * width, (id + 1) * width);
  return sum(row(ids[0]).map((x, i) => Math.abs(x - row(ids[2])[i]) * step / 2));
}

for (const golden of MODELS) {
  const { ids } = golden;
  for (const worker of [false, true]) {
    test(`${golden.name}: the parts are PyTorch's${worker ? ', in a Worker' : ''}`, async () => {
      const model = await open(golden, { worker });
      const { layers, heads, dFeedForward, architecture } = model.info;
      const [value] = (await expectedOf(golden, 'attribution/value')).data;
      const embeddings = architecture === 'gpt2' ? ['embed', 'pos_embed'] : ['embed'];
      const written = Array.from({ length: layers }, (_, l) => [`${l}_attn_out`, `${l}_mlp_out`]).flat();
      for (const by of KINDS) {
        const parts = await directLogitAttribution(model, ids, { of: difference(ids), by });
        const expected = await expectedOf(golden, `attribution/${by === 'layer' ? 'component' : by}`);
        near(parts.data, expected.data, 1e-4, by);
        near([parts.value], [value], 1e-4, 'value');
        assert.equal(parts.position, ids.length - 1);
        assert.ok(Math.abs(parts.value - sum(parts.data) - parts.rest) < 1e-6);
        if (by === 'layer') {
          assert.deepEqual(parts.axes,
            { component: [...embeddings, ...written, ...(architecture === 'gpt2' ? ['bias'] : [])] });
          assert.ok(Math.abs(parts.rest) < 1e-5 * Math.max(...parts.data.map(Math.abs)), `rest ${parts.rest}`);
        }
        if (by === 'head') hasAxes(parts, { layer: layers, head: heads });
        if (by === 'neuron') hasAxes(parts, { layer: layers, neuron: dFeedForward });
        if (by === 'source') hasAxes(parts, { layer: layers, head: heads, key: ids.length });
      }
    });
  }

  test(`${golden.name}: heads, neurons and sources sum to the outputs of their layers`, async () => {
    const model = await open(golden);
    const { layers } = model.info;
    for (const position of [0, 5, ids.length - 1]) {
      const of = { logit: ids[3] };
      const run = (/** @type {typeof KINDS[number]} */ by) => directLogitAttribution(model, ids, { of, by, position });
      const whole = await run('layer');
      const head = await run('head');
      const neuron = await run('neuron');
      const source = await run('source');
      const scale = Math.max(...whole.data.map(Math.abs));
      assert.ok(Math.abs(whole.rest) < 1e-5 * scale, `rest ${whole.rest} of ${whole.value}`);
      near([whole.value], [(await model.runWithHooks(ids.slice(0, position + 1), []))[ids[3]]], 1e-6, 'the logit');
      const { biases } = model.info;
      for (let l = 0; l < layers; l++) {
        const layer = ({ data }, /** @type {number} */ l) => sum(data.subarray(l * data.length / layers, (l + 1) *
          data.length / layers));
        const output = (/** @type {string} */ name) => whole.data[whole.axes.component.indexOf(`${l}_${name}`)];
        assert.ok(Math.abs(layer(head, l) - layer(source, l)) < 1e-5 * scale);
        if (biases === 'all') continue; // heads and neurons exclude the biases of the products
        assert.ok(Math.abs(layer(head, l) - output('attn_out')) < 1e-5 * scale);
        assert.ok(Math.abs(layer(neuron, l) - output('mlp_out')) < 1e-5 * scale);
      }
    }
  });
}

describe('quantized weights', async () => {
  const golden = named('llama');
  const { ids } = golden;
  for (const type of /** @type {const} */ (['q8_0', 'q4_0'])) {
    test(`${type}: the parts sum to the logit, as with dequantized weights`, async () => {
      const path = await asGguf(golden, type, folder);
      const kept = await load(path);
      const widened = await load(path, { quantize: 'f32' });
      after(() => (kept.dispose(), widened.dispose()));
      for (const by of KINDS) {
        const actual = await directLogitAttribution(kept, ids, { of: difference(ids), by });
        const expected = await directLogitAttribution(widened, ids, { of: difference(ids), by });
        near(actual.data, expected.data, 0.05, by);
        if (by === 'layer') assert.ok(Math.abs(actual.rest) < await roundingOf(kept, ids), `rest ${actual.rest}`);
      }
    });
  }
});

describe('options', async () => {
  const golden = named('gpt2');
  const { ids } = golden;
  const model = await open(golden);

  test('the default is the likeliest next token at the last position, by layer', async () => {
    const { of, value, data } = await directLogitAttribution(model, ids);
    const logits = await model.runWithHooks(ids, []);
    assert.deepEqual(of, { logit: logits.indexOf(Math.max(...logits)) });
    assert.ok(Math.abs(value - Math.max(...logits)) < 1e-6);
    near([sum(data)], [value], 1e-5, 'sum');
  });

  test('a head that an edit removes has no part', async () => {
    const edits = [{ hook: 'blocks.1.attn.hook_z', head: 2, scale: 0 }];
    const { data, value } = await directLogitAttribution(model, ids, { of: { logit: 4 }, by: 'head', edits });
    assert.equal(data[4 + 2], 0);
    assert.ok(Math.abs(value - (await model.runWithHooks(ids, edits))[4]) < 1e-6);
  });

  test('wrong options', async () => {
    const refuse = (/** @type {any} */ options, /** @type {RegExp} */ why) =>
      rejects(directLogitAttribution(model, ids, options), 'bad-argument', why);
    await refuse({ of: { logprob: 1 } }, /no option ‘logprob’/);
    await refuse({ of: {} }, /\{ logit \} or \{ logitDifference \}/);
    await refuse({ of: null }, /of: options are an object/);
    await refuse({ of: { logit: 1, logitDifference: [1, 2] } }, /\{ logit \} or/);
    await refuse({ of: { logit: 96 } }, /each id of the logit to be an integer from 0 to 95/);
    await refuse({ of: { logit: NaN } }, /each id of the logit/);
    await refuse({ of: { logitDifference: [1] } }, /two token ids/);
    await refuse({ by: 'token' }, /by to be one of layer, head, neuron, source; got ‘token’/);
    await refuse({ by: 'toString' }, /by to be one of/);
    await refuse({ position: 16 }, /position to be an integer from 0 to 15/);
    await refuse({ position: NaN }, /position/);
  });
  refusesBadCalls(directLogitAttribution);
});
