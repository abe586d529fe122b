/** Ablation, patching, attribution patching, integrated gradients and comparison equal PyTorch's. */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { ablationSweep, attributionPatching, compare, integratedGradients, patchSweep }
  from '../../js/insight/index.js';
import { load } from '../../js/index.js';
import { rejects } from '../support/expect.js';
import { ENCODERS } from '../support/encoders.js';
import { huggingFaceOf } from '../support/families.js';
import { asGguf, temporaryFolder } from '../support/goldens.js';
import { expectedOf, hasAxes, MODELS, named, near, open, refusesBadCalls } from '../support/insight.js';
import { tinyVit, waves } from '../support/vit.js';

const folder = await temporaryFolder(after);

/** The corrupted text of the goldens. @param {ArrayLike<number>} ids */
const corruptedOf = (ids) => Array.from(ids, (id) => (5 * id + 1) % 60);
/** The metric of the goldens. @param {ArrayLike<number>} ids */
const difference = (ids) => ({ logitDifference: /** @type {[number, number]} */ ([ids[0], ids[2]]) });
const PARTS = /** @type {const} */ (['heads', 'attentions', 'mlps', 'layers']);
const ABLATIONS = /** @type {const} */ (['zero', 'mean', 'resample']);

for (const golden of MODELS) {
  const { ids } = golden;
  const T = ids.length;
  const of = difference(ids);
  const corrupted = corruptedOf(ids);
  for (const worker of [false, true]) {
    test(`${golden.name}: every result is PyTorch's${worker ? ', in a Worker' : ''}`, async () => {
      const model = await open(golden, { worker });
      const { layers, heads } = model.info;
      const equals = async (/** @type {ArrayLike<number>} */ data, /** @type {string} */ name) =>
        near(data, (await expectedOf(golden, name, 'sweeps')).data, 1e-4, name);

      for (const parts of PARTS) {
        for (const ablation of ABLATIONS) {
          const other = ablation === 'resample' ? corrupted.slice(0, 11) : undefined;
          const { data, axes, clean } = await ablationSweep(model, ids, { of, parts, ablation,
            ...(other && { other }) });
          hasAxes({ data, axes }, parts === 'heads' ? { layer: layers, head: heads } : { layer: layers });
          await equals(data, `ablation/${parts}/${ablation}`);
          assert.equal(clean, (await model.sweep(ids, [], { of })).clean);
        }
      }
      for (const analyze of [patchSweep, attributionPatching]) {
        const name = analyze === patchSweep ? 'patch' : 'attribution';
        const byPosition = await analyze(model, ids, { of, corrupted });
        hasAxes(byPosition, { site: 3, layer: layers, position: T });
        await equals(byPosition.data, `${name}/position`);
        const byHead = await analyze(model, ids, { of, corrupted, by: 'head' });
        hasAxes(byHead, { layer: layers, head: heads });
        await equals(byHead.data, `${name}/head`);
      }
      const { data, axes, otherTokens, differs } = await compare(model, ids, { other: corrupted });
      hasAxes({ data, axes }, { position: T });
      await equals(data, 'compare');
      assert.deepEqual(otherTokens, corrupted.map((id) => `[${id}]`));
      assert.deepEqual(differs, ids.map((id, i) => id !== corrupted[i]));
    });
  }

  test(`${golden.name}: integrated gradients are PyTorch's, and complete`, async () => {
    const model = await open(golden);
    for (const [name, baseline] of /** @type {const} */ ([['mean', 'mean'], ['token', 7]])) {
      const found = await integratedGradients(model, ids, { of, baseline, steps: 256 });
      hasAxes(found, { position: T });
      near(found.data, (await expectedOf(golden, `integrated/${name}`, 'sweeps')).data, 2e-3, name);
      const sum = found.data.reduce((total, x) => total + x, 0);
      assert.ok(Math.abs(sum - (found.value - found.baselineValue) - found.gap) < 1e-4);
      assert.ok(Math.abs(found.gap) < 1e-3 * Math.abs(found.value - found.baselineValue), `gap ${found.gap}`);
      const steps = [8, 64].map((count) => integratedGradients(model, ids, { of, baseline, steps: count }));
      const [few, many] = await Promise.all(steps);
      assert.ok(Math.abs(many.gap) < Math.abs(few.gap), 'more steps reduce the gap');
    }
  });
}

describe('patching', async () => {
  const golden = named('llama');
  const { ids } = golden;
  const of = difference(ids);
  const corrupted = corruptedOf(ids);
  const model = await open(golden);
  const T = ids.length;

  test('layers and positions select from the whole, and each effect equals a single patched run', async () => {
    const whole = await patchSweep(model, ids, { of, corrupted });
    const part = await patchSweep(model, ids, { of, corrupted, layers: [2, 0], positions: [9, 12] });
    assert.equal(part.firstPosition, 9);
    assert.deepEqual(part.corruptedIds, Int32Array.from(corrupted));
    const hooks = ['resid_pre', 'attn_out', 'mlp_out'];
    for (const [s, site] of hooks.entries()) {
      for (const [l, layer] of [2, 0].entries()) {
        const hook = `blocks.${layer}.hook_${site}`;
        const { cache: { [hook]: from } } = await model.runWithCache(ids, [hook]);
        for (let i = 0; i < 3; i++) {
          const effect = part.data[(s * 2 + l) * 3 + i];
          assert.equal(effect, whole.data[(s * 3 + layer) * T + 9 + i]);
          const logits = await model.runWithHooks(corrupted, [{ hook, from, positions: [9 + i, 10 + i] }]);
          const value = logits[ids[0]] - logits[ids[2]];
          const expected = (value - part.corrupted) / (part.clean - part.corrupted);
          assert.ok(Math.abs(effect - expected) < 1e-5, `${hook} ${9 + i}: ${effect}, not ${expected}`);
        }
      }
    }
  });

  test('the whole input of block 0 restores the clean metric, for one changed token', async () => {
    const changed = ids.map((id, i) => (i === 12 ? (id + 1) % 60 : id));
    const { data } = await patchSweep(model, ids, { of, corrupted: changed, layers: [0] });
    assert.ok(Math.abs(data[12] - 1) < 1e-5, 'clean');
    for (let p = 0; p < 12; p++) assert.ok(Math.abs(data[p]) < 1e-5, 'before the change, both texts are equal');
  });

  test('places before the first changed token are not run, because both texts are equal there', async () => {
    const changed = ids.map((id, i) => (i === 12 ? (id + 1) % 60 : id));
    let runs = 0;
    const onProgress = (/** @type {{ total: number }} */ { total }) => (runs = total);
    const options = { of, corrupted: changed, onProgress };
    const { data, axes: { site, layer } } = await patchSweep(model, ids, options);
    assert.equal(runs, site.length * layer.length * (T - 12) + 2);
    for (let row = 0; row < site.length * layer.length; row++) {
      assert.ok(data.subarray(row * T, row * T + 12).every((effect) => effect === 0));
    }
    assert.ok(data[12] !== 0);
    await patchSweep(model, ids, { ...options, positions: [2, 5] });
    assert.equal(runs, 2);
  });

  test('a metric with equal values for both texts has no scale', async () => {
    const changed = ids.map((id, i) => (i === 15 ? (id + 1) % 60 : id));
    const early = { logit: 3, position: 4 };
    await rejects(patchSweep(model, ids, { of: early, corrupted: changed }), 'bad-argument', /for both texts/);
  });

  test('attribution is the derivative of the patch', async () => {
    const hook = 'blocks.1.hook_attn_out';
    const { cache: { [hook]: from } } = await model.runWithCache(ids, [hook]);
    const { data, clean, corrupted: low } = await attributionPatching(model, ids, { of, corrupted });
    const share = 0.01;
    const at = async (/** @type {number} */ by) => {
      const positions = /** @type {[number, number]} */ ([14, 15]);
      const logits = await model.runWithHooks(corrupted, [{ hook, from, positions, scale: 1 - by, coefficient: by }]);
      return logits[ids[0]] - logits[ids[2]];
    };
    const slope = (await at(share) - await at(-share)) / (2 * share) / (clean - low);
    near([data[(3 + 1) * T + 14]], [slope], 2e-2, 'slope');
  });

  test('wrong options', async () => {
    for (const analyze of [patchSweep, attributionPatching]) {
      const refuse = (/** @type {any} */ options, /** @type {RegExp} */ why) =>
        rejects(analyze(model, ids, options), 'bad-argument', why);
      await refuse(undefined, /expected a text or token ids, got ‘undefined’/);
      await refuse({ of, corrupted: ids.slice(1) }, /16 and 15 tokens/);
      await refuse({ of, corrupted: ids }, /the same tokens/);
      await refuse({ of, corrupted, by: 'neuron' }, /position or head/);
      await refuse({ of, corrupted, by: 'head', positions: [0, 1] }, /Omit ‘positions’/);
      await refuse({ of, corrupted, layers: [3] }, /each of layers/);
      await refuse({ of, corrupted, positions: [3, 17] }, /0 ≤ from < to ≤ 16/);
      await refuse({ corrupted }, /‘of’ is missing/);
      await refuse({ of: { logit: 96 }, corrupted }, /token id from 0 to 95/);
    }
  });

  const paired = (/** @type {typeof patchSweep} */ analyze) =>
    (/** @type {any} */ given, /** @type {any} */ input, /** @type {any} */ options) =>
      analyze(given, input, typeof options === 'object' && typeof input === 'object'
        ? { ...options, corrupted: Array.from(input, (id) => (id + 7) % 60) } : options);
  describe('patchSweep', () => refusesBadCalls(paired(patchSweep), { of: { logit: 1 } }));
  describe('attributionPatching', () => refusesBadCalls(paired(attributionPatching), { of: { logit: 1 } }));
});

describe('ablationSweep', async () => {
  const golden = named('qwen2');
  const { ids } = golden;
  const of = difference(ids);
  const model = await open(golden);

  test('layers select from the whole; a text of one token resamples from one position', async () => {
    const whole = await ablationSweep(model, ids, { of, parts: 'mlps', ablation: 'mean' });
    const part = await ablationSweep(model, ids, { of, parts: 'mlps', ablation: 'mean', layers: [1] });
    assert.deepEqual(part.axes, { layer: [1] });
    assert.deepEqual(part.data, whole.data.slice(1));
    const one = await ablationSweep(model, ids, { of, ablation: 'resample', other: [3] });
    assert.ok(one.data.every(Number.isFinite));
  });

  test('quantized weights, in the bits of single runs', async () => {
    const quantized = await load(await asGguf(golden, 'q8_0', folder));
    const { data, clean, axes: { head } } = await ablationSweep(quantized, ids, { of, ablation: 'mean' });
    const logits = await quantized.runWithHooks(ids, [{ hook: 'blocks.1.attn.hook_z', head: 1, mean: true }]);
    assert.equal(data[head.length + 1], Math.fround(Math.fround(logits[ids[0]] - logits[ids[2]]) - clean));
    quantized.dispose();
  });

  test('wrong options', async () => {
    const refuse = (/** @type {any} */ options, /** @type {RegExp} */ why) =>
      rejects(ablationSweep(model, ids, options), 'bad-argument', why);
    await refuse(undefined, /of/);
    await refuse({ of, parts: 'neurons' }, /parts to be one of heads, attentions, mlps, layers/);
    await refuse({ of, parts: 'toString' }, /parts to be/);
    await refuse({ of, ablation: 'noise' }, /ablation to be one of zero, mean, resample/);
    await refuse({ of, ablation: 'resample' }, /‘other’ is the text/);
    await refuse({ of, other: ids }, /applies only to ablation/);
    await refuse({ of, ablation: 'resample', other: [] }, /at least one token/);
    await refuse({ of, layers: [2] }, /each of layers/);
  });
  refusesBadCalls(ablationSweep, { of: { logit: 1 } });
});

describe('integratedGradients', async () => {
  const golden = named('llama');
  const { ids } = golden;
  const of = difference(ids);
  const model = await open(golden);

  test('a baseline token has the share 0 at its own positions', async () => {
    const { data } = await integratedGradients(model, ids, { of, baseline: ids[4], steps: 4 });
    ids.forEach((id, i) => id === ids[4] && assert.equal(data[i], 0));
    assert.ok(data.some((x) => x !== 0));
  });

  test('edits apply to every run', async () => {
    const edits = [{ hook: 'blocks.0.hook_attn_out', scale: 0 }, { hook: 'blocks.1.hook_attn_out', scale: 0 },
      { hook: 'blocks.2.hook_attn_out', scale: 0 }];
    const { data, value } = await integratedGradients(model, ids, { of, steps: 4, edits });
    assert.ok(data.subarray(0, -1).every((share) => share === 0), 'without attention only the last token has a share');
    assert.ok(data[ids.length - 1] !== 0);
    const { clean } = await model.sweep(ids, [], { of });
    assert.ok(Math.abs(value - clean) > 1e-3);
  });

  test('another picture ends it with ‘superseded’', async () => {
    const vision = await load(tinyVit(), { worker: true });
    after(() => vision.dispose());
    const options = { of: { logitDifference: /** @type {[number, number]} */ ([0, 1]) }, steps: 64 };
    const patches = await vision.look(waves(40, 40));
    const expected = await integratedGradients(vision, patches, options);
    const ended = integratedGradients(vision, patches, options);
    await Promise.all([rejects(ended, 'superseded', /another source or picture/), vision.classify(waves(24, 50))]);
    await vision.look(waves(40, 40));
    assert.deepEqual(await integratedGradients(vision, patches, options), expected);
  });

  test('wrong options', async () => {
    const refuse = (/** @type {any} */ options, /** @type {RegExp} */ why) =>
      rejects(integratedGradients(model, ids, options), 'bad-argument', why);
    await refuse({ of, steps: 0 }, /steps to be an integer/);
    await refuse({ of, steps: 1e9 }, /steps to be an integer/);
    await refuse({ of, baseline: 'zero' }, /‘mean’ or a token id/);
    await refuse({ of, baseline: 96 }, /ids from 0 to 95/);
    await refuse({ of, baseline: NaN }, /ids from 0 to 95/);
    await refuse({ of, edits: 3 }, /array of edits/);
    await refuse({ of, edits: [{ hook: 'hook_embed', positions: [1, 2], scale: 0.5 }] }, /no edits of it/);
    await refuse({}, /of/);
  });
  refusesBadCalls(integratedGradients, { of: { logit: 1 }, steps: 3 });
});

describe('compare', async () => {
  const golden = named('llama');
  const { ids } = golden;
  const model = await open(golden);
  const { vocabulary } = model.info;

  test('two models, and the same model', async () => {
    const path = await asGguf(golden, 'q4_0', folder);
    const other = await load(path);
    const { data, candidates, before, after: later, logitDifferences, top } = await compare(model, ids,
      { otherModel: other, top: 4 });
    const x = await model.runWithHooks(ids, [], { all: true });
    const y = await other.runWithHooks(ids, [], { all: true });
    assert.ok(data.every((divergence) => divergence > 0));
    candidates.forEach((id, i) => {
      const row = Math.floor(i / top) * vocabulary;
      assert.equal(logitDifferences[i], Math.fround(y[row + id] - x[row + id]));
      const change = (/** @type {number} */ at) => Math.abs(Math.exp(before[at]) - Math.exp(later[at]));
      assert.ok(i % top === 0 || change(i) <= change(i - 1) + 1e-6, 'most first');
    });
    other.dispose();
    const same = await compare(model, ids, { otherModel: model });
    assert.ok(same.data.every((divergence) => divergence === 0));
    assert.ok(same.logitDifferences.every((x) => x === 0));
  });

  test('texts of different lengths correspond from their start or end', async () => {
    const longer = [5, ...ids];
    const start = await compare(model, ids, { other: longer });
    assert.equal(start.data.length, ids.length);
    assert.equal(start.firstPosition, 0);
    const end = await compare(model, longer, { other: ids, align: 'end' });
    assert.equal(end.firstPosition, 1);
    assert.ok(end.differs.every((differs) => !differs));
    assert.deepEqual(end.axes.position, end.otherTokens);
  });

  test('before and after an edit', async () => {
    const positions = /** @type {[number, number]} */ ([10, 11]);
    const edits = [{ hook: 'blocks.2.hook_resid_pre', positions, scale: 0 }];
    const { data } = await compare(model, ids, { edits });
    assert.ok(data.subarray(0, 10).every((divergence) => divergence === 0));
    assert.ok(data.subarray(10).every((divergence) => divergence > 0));
  });

  test('wrong options', async () => {
    const refuse = (/** @type {any} */ options, /** @type {RegExp} */ why, code = 'bad-argument') =>
      rejects(compare(model, ids, options), code, why);
    await refuse({ other: [] }, /at least one token/);
    await refuse({ otherModel: {} }, /model of load/);
    await refuse({ otherModel: await open(named('llama-awkward')) }, /96 and 67 tokens/);
    await refuse({ align: 'middle' }, /start or end/);
    await refuse({ top: 0 }, /top to be an integer/);
    await refuse({ edits: 3 }, /array of edits/);
    for (const name of ['bert', 'bert-labels']) {
      const { weights, config } = huggingFaceOf(ENCODERS.find((row) => row.name === name) ?? assert.fail(name));
      const encoder = await load({ weights, config });
      await rejects(compare(encoder, [2, 5, 3], { other: [2, 6, 3] }), 'unsupported',
        /predictions of words, and .* predicts no words/);
      encoder.dispose();
    }
  });
  refusesBadCalls(compare);
});
