/** Analyses of encoder–decoders: shares of the source's tokens, and ablation of each of the three stacks. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { ablationSweep, attributionPatching, integratedGradients, patchSweep } from '../../js/insight/index.js';
import { load } from '../../js/index.js';
import { NAMES, SOURCE, TEXT, tinyEncoderDecoder } from '../support/encoder-decoders.js';
import { rejects } from '../support/expect.js';
import { near } from '../support/insight.js';
import { STORIES } from '../support/model.js';

const of = { logitDifference: /** @type {[number, number]} */ ([TEXT[0], TEXT[2]]) };

/** @param {string} name @param {import('../../js/index.js').LoadOptions} [options] */
async function open(name, options) {
  const model = await load(tinyEncoderDecoder(name), options);
  after(() => model.dispose());
  return model;
}

for (const name of NAMES) {
  test(`${name}: the shares of source and text are complete`, async () => {
    for (const worker of [false, true]) {
      const model = await open(name, { worker });
      await model.read(SOURCE);
      for (const source of [SOURCE.slice(1), SOURCE, undefined]) {
        const { data, axes, value, baselineValue, gap } = await integratedGradients(model, TEXT, { of, source });
        assert.deepEqual(axes.position, await model.tokens(source ?? TEXT));
        assert.notEqual(value, baselineValue);
        const sum = data.reduce((total, share) => total + share, 0);
        near([sum - gap], [value - baselineValue], 1e-4, 'sum without its gap');
        assert.ok(Math.abs(gap) < 0.02 * Math.max(1, Math.abs(value - baselineValue)), `gap ${gap}`);
      }
      const logits = await model.forward([1]);
      model.rewind(0);
      assert.deepEqual(await model.forward([...TEXT, 1]), logits, 'the session holds the text and its source');
    }
  });

  test(`${name}: ablations are single runs`, async () => {
    const model = await open(name);
    await model.read(SOURCE);
    const difference = async (/** @type {any[]} */ edits) => {
      const logits = await model.runWithHooks(TEXT, edits);
      return logits[TEXT[0]] - logits[TEXT[2]];
    };
    const hooks = { encoder: 'encoder.1.attn.hook_z', decoder: 'decoder.1.attn.hook_z',
      cross: 'decoder.1.cross_attn.hook_z' };
    const before = await difference([]);
    for (const [stack, hook] of /** @type {['encoder' | 'decoder' | 'cross', string][]} */ (Object.entries(hooks))) {
      const { data, axes } = await ablationSweep(model, TEXT, { of, stack });
      assert.deepEqual([axes.layer.length, axes.head.length], [stack === 'encoder' ? 2 : 3, 4]);
      near([data[4 + 2]], [await difference([{ hook, head: 2, scale: 0 }]) - before], 1e-4, hook);
    }
    const { data: ofDecoder } = await ablationSweep(model, TEXT, { of });
    assert.deepEqual(ofDecoder, (await ablationSweep(model, TEXT, { of, stack: 'decoder' })).data);
    const { data: outputs } = await ablationSweep(model, TEXT, { of, stack: 'cross', parts: 'attentions', layers: [2],
      ablation: 'mean' });
    near(outputs, [await difference([{ hook: 'decoder.2.hook_cross_attn_out', mean: true }]) - before], 1e-4, 'mean');
    const { data: layers } = await ablationSweep(model, TEXT, { of, stack: 'encoder', parts: 'layers', layers: [1] });
    near(layers, [await difference(['hook_attn_out', 'hook_mlp_out'].map((part) =>
      ({ hook: `encoder.1.${part}`, scale: 0 }))) - before], 1e-4, 'a layer of the encoder');
  });
}

test('wrong calls are refused', async () => {
  const [model, decoder] = [await open('t5'), await load(STORIES)];
  after(() => decoder.dispose());
  await rejects(integratedGradients(model, TEXT, { of }), 'bad-argument', /Call model\.read/);
  await model.read(SOURCE);
  await rejects(integratedGradients(model, TEXT, { of, source: SOURCE, baseline: 3 }), 'bad-argument', /‘mean’/);
  await rejects(integratedGradients(model, TEXT, { of, source: [] }), 'bad-argument', /at least one/);
  await rejects(integratedGradients(model, TEXT, { of, source: /** @type {any} */ (true) }), 'bad-argument', /source/);
  await rejects(integratedGradients(decoder, [1, 2], { of, source: 'a' }), 'unsupported', /Omit ‘source’/);
  await rejects(ablationSweep(decoder, [1, 2], { of, stack: 'decoder' }), 'bad-argument', /Omit ‘stack’/);
  await rejects(ablationSweep(model, TEXT, { of, stack: /** @type {any} */ ('middle') }), 'bad-argument',
    /encoder, decoder, cross/);
  await rejects(ablationSweep(model, TEXT, { of, stack: 'cross', parts: 'mlps' }), 'bad-argument', /no MLPs/);
  await rejects(ablationSweep(model, TEXT, { of, stack: 'encoder', layers: [2] }), 'bad-argument', /from 0 to 1/);
  await rejects(ablationSweep(model, TEXT, { of, stack: 'encoder', ablation: 'resample', other: TEXT }),
    'bad-argument', /the source/);
  for (const analyze of [patchSweep, attributionPatching]) {
    await rejects(analyze(model, TEXT, { of, corrupted: TEXT.toReversed() }), 'unsupported', /one stack/);
  }
});
