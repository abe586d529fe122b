/** Analyses of encoder–decoders: shares of the source's tokens; ablation and patches of each of the three stacks. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { ablationSweep, attributionPatching, compare, integratedGradients, patchSweep }
  from '../../js/insight/index.js';
import { load } from '../../js/index.js';
import { NAMES, SOURCE, TEXT, tinyEncoderDecoder } from '../support/encoder-decoders.js';
import { rejects } from '../support/expect.js';
import { near } from '../support/insight.js';
import { STORIES } from '../support/model.js';

const of = { logitDifference: /** @type {[number, number]} */ ([TEXT[0], TEXT[2]]) };

/** A source with another token at one position. */
const CHANGED = 12;
const CORRUPTED = SOURCE.map((id, position) => (position === CHANGED ? id + 3 : id));

/** Heads of each stack of the tiny models. @type {['encoder' | 'decoder' | 'cross', string][]} */
const HEADS = [['encoder', 'encoder.1.attn.hook_z'], ['decoder', 'decoder.1.attn.hook_z'],
  ['cross', 'decoder.1.cross_attn.hook_z']];

/** The metric of an edited run. @param {import('../../js/index.js').Model} model @param {any[]} edits */
async function differenceOf(model, edits) {
  const logits = await model.runWithHooks(TEXT, edits);
  return logits[TEXT[0]] - logits[TEXT[2]];
}

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
      const edits = [{ hook: 'decoder.1.cross_attn.hook_z', head: 2, scale: 0 }];
      const plain = await integratedGradients(model, TEXT, { of, source: SOURCE, steps: 8 });
      const edited = await integratedGradients(model, TEXT, { of, source: SOURCE, steps: 8, edits });
      assert.notDeepEqual(edited.data, plain.data);
      const sum = edited.data.reduce((total, share) => total + share, 0);
      near([sum - edited.gap], [edited.value - edited.baselineValue], 1e-4, 'sum of the edited run');
      near([edited.value], [await differenceOf(model, edits)], 1e-4, 'the metric of the edited run');
      await model.runWithHooks(TEXT, []);
      const logits = await model.forward([1]);
      model.rewind(0);
      assert.deepEqual(await model.forward([...TEXT, 1]), logits, 'the session holds the text and its source');
    }
  });

  test(`${name}: ablations are single runs`, async () => {
    const model = await open(name);
    await model.read(SOURCE);
    const difference = (/** @type {any[]} */ edits) => differenceOf(model, edits);
    const before = await difference([]);
    for (const [stack, hook] of HEADS) {
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

for (const name of NAMES) {
  test(`${name}: patches are single runs, and their estimates the derivatives of these`, async () => {
    for (const worker of [false, true]) {
      const model = await open(name, { worker });
      const options = { of, source: SOURCE, corrupted: CORRUPTED };
      for (const [stack, hook] of HEADS) {
        const [layers, length] = stack === 'encoder' ? [2, SOURCE.length] : [3, TEXT.length];
        const position = Math.min(CHANGED, length - 1);
        const site = stack === 'cross' ? 0 : 1;
        const output = hook.replace(/(cross_)?attn\.hook_z/, 'hook_$1attn_out');
        await model.read(SOURCE);
        const { cache } = await model.runWithCache(TEXT, [hook, output]);
        const clean = await differenceOf(model, []);
        await model.read(CORRUPTED);
        const low = await differenceOf(model, []);
        const effect = async (/** @type {any} */ edit, share = 1) => {
          const mixed = { ...edit, from: cache[edit.hook], scale: 1 - share, coefficient: share };
          return (await differenceOf(model, [mixed]) - low) / (clean - low);
        };
        const places = { head: { hook, head: 2 }, position: { hook: output, positions: [position, position + 1] } };
        const index = { head: 4 + 2, position: (site * layers + 1) * length + position };
        for (const by of /** @type {const} */ (['head', 'position'])) {
          const patches = await patchSweep(model, TEXT, { ...options, stack, by });
          assert.deepEqual([patches.ids, patches.corruptedIds], [SOURCE, CORRUPTED].map((ids) => Int32Array.from(ids)));
          near([patches.clean, patches.corrupted], [clean, low], 1e-4, 'metrics');
          near([patches.data[index[by]]], [await effect(places[by])], 1e-3, `${stack} by ${by}`);
          const estimate = await attributionPatching(model, TEXT, { ...options, stack, by });
          assert.deepEqual(estimate.axes, patches.axes);
          const share = 0.004; // small, because ReLUs have kinks
          const slope = (await effect(places[by], share) - await effect(places[by], -share)) / (2 * share);
          near([estimate.data[index[by]]], [slope], 3e-2, `estimate, ${stack} by ${by}`);
        }
      }
    }
  });

  test(`${name}: the position that differs carries the whole effect into the encoder`, async () => {
    const model = await open(name);
    const { data, axes } = await patchSweep(model, TEXT, { of, source: SOURCE, corrupted: CORRUPTED, stack: 'encoder',
      layers: [0], positions: [CHANGED - 1, CHANGED + 2] });
    assert.deepEqual(axes.position, await model.tokens(SOURCE.slice(CHANGED - 1, CHANGED + 2)));
    near(data.subarray(0, 3), [0, 1, 0], 1e-3, 'the embedding of the source');
    const decoder = await patchSweep(model, TEXT, { of, source: SOURCE, corrupted: CORRUPTED, layers: [0] });
    near([1, ...decoder.data.subarray(0, TEXT.length)], [1, ...TEXT.map(() => 0)], 1e-3, 'the embedding of the text');
    const cross = await patchSweep(model, TEXT, { of, source: SOURCE, corrupted: CORRUPTED, stack: 'cross' });
    assert.deepEqual(cross.axes.site, ['attn_out']);
  });
}

for (const worker of [false, true]) {
  test(`analyses at the same time keep their sources${worker ? ', in a Worker' : ''}`, async () => {
    const model = await open('bart', { worker });
    const shorter = SOURCE.slice(3);
    const patch = { of, source: SOURCE, corrupted: CORRUPTED, stack: /** @type {const} */ ('cross') };
    const calls = [
      () => integratedGradients(model, TEXT, { of, source: shorter, steps: 2 }),
      () => patchSweep(model, TEXT, patch),
      () => attributionPatching(model, TEXT, { ...patch, source: CORRUPTED, corrupted: SOURCE }),
      () => integratedGradients(model, TEXT, { of, source: SOURCE, steps: 2 }),
    ];
    const alone = [];
    for (const call of calls) alone.push(await call());
    assert.deepEqual(await Promise.all(calls.map((call) => call())), alone);
  });

  test(`another source ends an analysis with ‘superseded’${worker ? ', in a Worker' : ''}`, async () => {
    const model = await open('t5', { worker });
    const patch = { of, source: SOURCE, corrupted: CORRUPTED };
    await model.read(SOURCE);
    const expected = await ablationSweep(model, TEXT, { of });
    /** Calls that read the source of the model.  @type {(() => Promise<unknown>)[]} */
    const calls = [
      () => ablationSweep(model, TEXT, { of }),
      () => integratedGradients(model, TEXT, { of, steps: 2 }),
      () => compare(model, TEXT, { edits: [{ hook: 'decoder.0.attn.hook_z', scale: 0 }] }),
    ];
    for (const call of calls) {
      await model.read(SOURCE);
      const reads = patchSweep(model, TEXT, patch);
      await rejects(call(), 'superseded', /another source or picture during this/); // after a call with other sources
      await reads;
    }
    for (const analyze of worker ? [] : [patchSweep, attributionPatching]) { // a Worker may end before the call
      let read;
      const onProgress = (/** @type {{ done: number }} */ { done }) => {
        if (done > 1) read ??= model.read(TEXT);
      };
      await rejects(analyze(model, TEXT, { ...patch, onProgress }), 'superseded', /another source/);
      await read;
    }
    await model.read(SOURCE);
    const ending = new AbortController();
    const first = patchSweep(model, TEXT, patch);
    const waiting = patchSweep(model, TEXT, { ...patch, signal: ending.signal });
    ending.abort();
    await rejects(waiting, 'aborted');
    await first;
    await model.read(SOURCE);
    assert.deepEqual(await ablationSweep(model, TEXT, { of }), expected);
  });
}

test('wrong calls are refused', async () => {
  const model = await open('t5');
  const decoder = await load(STORIES);
  after(() => decoder.dispose());
  await rejects(integratedGradients(model, TEXT, { of }), 'bad-argument', /Call model\.read/);
  await model.read(SOURCE);
  await rejects(integratedGradients(model, TEXT, { of, source: SOURCE, baseline: 3 }), 'bad-argument', /‘mean’/);
  const embedding = [{ hook: 'encoder.0.hook_resid_pre', scale: 0.5 }];
  await rejects(integratedGradients(model, TEXT, { of, source: SOURCE, edits: embedding }), 'bad-argument', /no edits/);
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
    const refuse = (/** @type {any} */ options, /** @type {RegExp} */ why) =>
      rejects(analyze(model, TEXT, { of, source: SOURCE, corrupted: CORRUPTED, ...options }), 'bad-argument', why);
    await refuse({ source: undefined }, /source: expected a text or token ids, got ‘undefined’/);
    await refuse({ corrupted: undefined }, /corrupted: expected a text or token ids/);
    await refuse({ corrupted: SOURCE }, /the same tokens/);
    await refuse({ corrupted: SOURCE.slice(1) }, /29 and 28 tokens/);
    await refuse({ stack: 'middle' }, /encoder, decoder, cross/);
    await refuse({ stack: 'decoder', positions: [0, 8] }, /0 ≤ from < to ≤ 7/);
    await refuse({ stack: 'encoder', layers: [2] }, /from 0 to 1/);
    const texts = { of, corrupted: [3, 4] };
    await rejects(analyze(decoder, [1, 2], { ...texts, source: [5] }), 'unsupported', /Omit ‘source’/);
    await rejects(analyze(decoder, [1, 2], { ...texts, stack: 'cross' }), 'bad-argument', /Omit ‘stack’/);
  }
});
