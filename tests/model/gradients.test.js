/** model.gradients equals PyTorch's gradients, and the derivative of edited runs. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { load } from '../../js/index.js';
import { openModelFile } from '../../js/files/model-file.js';
import { Model } from '../../js/model/model.js';
import { readSafetensors } from '../../js/cli/convert/safetensors.js';
import { rejects } from '../support/expect.js';
import { STORIES } from '../support/model.js';
import { asGguf, goldens, temporaryFolder } from '../support/goldens.js';
import { floats, randomFrom } from '../support/numbers.js';

/** @typedef {import('../../js/model/hooks.js').Activation} Activation */

const folder = await temporaryFolder(after);
const all = await goldens();
const named = (/** @type {string} */ name) => all.find((golden) => golden.name === name) ?? assert.fail(name);
const WITH_GRADIENTS = ['gpt2', 'llama-awkward', 'mistral', 'qwen2'].map(named);

/** @param {ArrayLike<number>} x */
const largest = (x) => Array.from(x).reduce((most, value) => Math.max(most, Math.abs(value)), 0);
/** @param {ArrayLike<number>} a @param {ArrayLike<number>} b */
const distance = (a, b) => largest(Array.from(a, (value, i) => value - b[i]));
/** @param {ArrayLike<number>} a @param {ArrayLike<number>} b */
const dot = (a, b) => Array.from(a).reduce((sum, value, i) => sum + value * b[i], 0);

/** Asserts that numbers are within `share` of the largest expected one.
 *  @param {ArrayLike<number>} actual @param {ArrayLike<number>} expected @param {number} share @param {string} what */
function near(actual, expected, share, what) {
  assert.equal(actual.length, expected.length, what);
  const error = distance(actual, expected);
  assert.ok(error <= share * largest(expected), `${what}: off by ${error}, largest ${largest(expected)}`);
}

/** @param {import('../support/goldens.js').Golden} golden @param {import('../../js/index.js').LoadOptions} [options] */
async function open({ folder: from }, options) {
  const part = (/** @type {string} */ name) => join(from, name);
  const model = await load({ weights: part('model.safetensors'), config: part('config.json') }, options);
  after(() => model.dispose());
  return model;
}

/** The metric of the goldens. @param {number[]} ids */
const difference = (ids) => ({ logitDifference: /** @type {[number, number]} */ ([ids[0], ids[2]]) });

for (const golden of WITH_GRADIENTS) {
  describe(`${golden.name}: gradients of PyTorch`, async () => {
    const { ids, folder: from } = golden;
    const expected = await readSafetensors(join(from, 'gradients.safetensors'));
    for (const worker of [false, true]) {
      const where = worker ? 'in a Worker' : 'in this thread';
      test(`of a logit difference, at every activation, ${where}`, async () => {
        const model = await open(golden, { worker });
        const { value, gradients } = await model.gradients(ids, { of: difference(ids) });
        near([value], expected.logit_difference.load(), 1e-4, 'value');
        assert.deepEqual(Object.keys(gradients), model.hooks);
        for (const [name, { shape, data }] of Object.entries(gradients)) {
          const stage = expected[`logit_difference/${name}`];
          assert.deepEqual(shape, stage.shape, name);
          near(data, stage.load(), 1e-4, name);
        }
      });
    }

    test('of the cross-entropy of the next ids', async () => {
      const model = await open(golden);
      const at = Object.keys(expected).filter((key) => key.startsWith('cross_entropy/')).map((key) => key.slice(14));
      assert.ok(at.length > 0);
      const { value, gradients } = await model.gradients(ids, { of: { crossEntropy: [...ids.slice(1), -1] }, at });
      near([value], expected.cross_entropy.load(), 1e-4, 'value');
      for (const name of at) near(gradients[name].data, expected[`cross_entropy/${name}`].load(), 1e-4, name);
    });

    test('with two threads, the same bits', async () => {
      const of = difference(ids);
      const one = await (await open(golden, { threads: 1 })).gradients(ids, { of });
      const two = await (await open(golden, { threads: 2 })).gradients(ids, { of });
      assert.deepEqual(two, one);
    });
  });
}

describe('metrics', async () => {
  const golden = named('llama');
  const { ids } = golden;
  const at = ['hook_embed', 'ln_final.hook_normalized'];
  const model = await open(golden);
  const vocabulary = model.info.vocabulary;
  const weights = (/** @type {[position: number, id: number, weight: number][]} */ ...entries) => {
    const matrix = new Float32Array(ids.length * vocabulary);
    for (const [position, id, weight] of entries) matrix[position * vocabulary + id] = weight;
    return matrix;
  };

  test('a logit and a difference are weights over the logits', async () => {
    const last = ids.length - 1;
    assert.deepEqual(await model.gradients(ids, { of: { logit: 3 }, at }),
      await model.gradients(ids, { of: { weights: weights([last, 3, 1]) }, at }));
    assert.deepEqual(await model.gradients(ids, { of: { logitDifference: [3, 7], position: 4 }, at }),
      await model.gradients(ids, { of: { weights: weights([4, 3, 1], [4, 7, -1]) }, at }));
  });

  test('the value equals the metric of forward', async () => {
    model.rewind(0);
    const logits = await model.forward(ids, { all: true });
    const row = logits.subarray(5 * vocabulary, 6 * vocabulary);
    const { value } = await model.gradients(ids, { of: { logit: 9, position: 5 }, at: [] });
    near([value], [row[9]], 1e-5, 'logit');
    const sum = Math.log(row.reduce((total, x) => total + Math.exp(x), 0));
    const { value: logprob } = await model.gradients(ids, { of: { logprob: 9, position: 5 }, at: [] });
    near([logprob], [row[9] - sum], 1e-5, 'log-probability');
  });

  test('a log-probability is the negative cross-entropy of one target', async () => {
    const targets = ids.map((_, i) => (i === 6 ? 11 : -1));
    const logprob = await model.gradients(ids, { of: { logprob: 11, position: 6 }, at });
    const entropy = await model.gradients(ids, { of: { crossEntropy: targets }, at });
    near([logprob.value], [-entropy.value], 1e-6, 'value');
    for (const name of at) {
      near(logprob.gradients[name].data, entropy.gradients[name].data.map((x) => -x), 1e-6, name);
    }
  });

  test('the last block runs alike for the rows of the metric and for all rows', async () => {
    for (const { ids, ...other } of WITH_GRADIENTS) {
      const model = await open(/** @type {any} */ ({ ids, ...other }));
      const last = `blocks.${model.info.layers - 1}`;
      const positions = /** @type {[number, number]} */ ([4, 9]);
      const edits = [
        { hook: `${last}.attn.hook_attn_scores`, head: 1, positions, scale: 0.5 },
        { hook: `${last}.attn.hook_pattern`, head: 0, positions, renormalize: true },
        { hook: `${last}.hook_mlp_out`, scale: 0.7 },
      ];
      const of = { logit: 5, position: 7 };
      // With activations, the run has all rows.
      const { activations, ...all } = await model.gradients(ids, { of, edits, activations: true });
      const few = await model.gradients(ids, { of, edits });
      near([few.value], [all.value], 1e-6, 'value');
      for (const name of model.hooks) {
        near(few.gradients[name].data, all.gradients[name].data, 1e-5, `${other.name} ${name}`);
      }
    }
  });

  test('positions after the metric have gradient 0', async () => {
    const { gradients } = await model.gradients(ids, { of: { logit: 3, position: 4 }, at: ['hook_embed'] });
    const { data, shape: [, width] } = gradients.hook_embed;
    assert.ok(largest(data.subarray(0, 5 * width)) > 0);
    assert.equal(largest(data.subarray(5 * width)), 0);
  });
});

describe('edited runs', async () => {
  const golden = named('mistral');
  const { ids } = golden;
  const model = await open(golden);
  const of = difference(ids);
  const metric = async (/** @type {import('../../js/index.js').Edit[]} */ edits) => {
    const logits = await model.runWithHooks(ids, edits);
    return logits[ids[0]] - logits[ids[2]];
  };
  const edits = [
    { hook: 'blocks.0.attn.hook_z', head: 1, scale: 0 },
    { hook: 'blocks.0.attn.hook_pattern', head: 0, positions: /** @type {[number, number]} */ ([4, 9]), scale: 0.5 },
    { hook: 'blocks.1.hook_resid_pre', values: new Float32Array(model.info.dModel).fill(0.1) },
  ];

  for (const name of ['hook_embed', 'blocks.0.attn.hook_v', 'blocks.0.attn.hook_pattern', 'blocks.1.hook_resid_pre']) {
    test(`the gradient at ${name} is the derivative of the edited run`, async () => {
      const { value, gradients } = await model.gradients(ids, { of, at: [name], edits });
      near([value], [await metric(edits)], 1e-4, 'value');
      const { data: whole, shape } = gradients[name];
      const heads = /pattern/.test(name) ? [0, 1] : [undefined];
      // Edits of patterns leave out keys that the query does not see.
      const seen = (await model.runWithCache(ids, [name])).cache[name].data;
      const data = heads.length > 1 ? whole.map((x, i) => (seen[i] === 0 ? 0 : x)) : whole;
      const part = data.length / heads.length;
      const length = dot(data, data);
      // Steps along the gradient: to first order the metric changes by the step times |gradient|².
      const step = 0.01 / Math.sqrt(length);
      const along = (/** @type {number} */ by) => metric([...edits, ...heads.map((head, i) => ({
        hook: name,
        ...(head !== undefined && { head }),
        values: data.subarray(i * part, (i + 1) * part).map((x) => x * by),
      }))]);
      const numeric = (await along(step) - await along(-step)) / (2 * step);
      near([numeric], [length], 5e-3, `${name} ${shape}`);
    });
  }

  test('a removed head passes no gradient to its values', async () => {
    const { gradients } = await model.gradients(ids, { of, at: ['blocks.0.attn.hook_v'],
      edits: [{ hook: 'blocks.0.attn.hook_z', scale: 0 }] });
    assert.equal(largest(gradients['blocks.0.attn.hook_v'].data), 0);
  });

  test('the session, its maps and its edits do not change', async () => {
    await model.runWithHooks(ids, [edits[1]]);
    const before = await model.attention({ layer: 0, head: 0 });
    await model.gradients(ids.slice(0, 5), { of: { logit: 1 }, edits: [edits[0]] });
    assert.equal(model.position, ids.length);
    assert.deepEqual(await model.attention({ layer: 0, head: 0 }), before);
    await model.forward([1]);
    assert.equal(model.position, ids.length + 1);
  });
});

describe('weights of other types send gradients to their inputs', async () => {
  // The gradient ignores the rounding of activations to 8 bits, but the rounding changes the activations.
  const BOUNDS = /** @type {const} */ ({ f16: 2e-3, bf16: 1e-2, q8_0: 0.05, q4_0: 0.05 });
  const golden = named('llama');
  const { ids } = golden;
  const at = ['hook_embed', 'blocks.1.hook_resid_pre', 'blocks.2.mlp.hook_post'];
  for (const [type, bound] of Object.entries(BOUNDS)) {
    test(type, async () => {
      const path = await asGguf(golden, /** @type {any} */ (type), folder);
      const kept = await load(path);
      const widened = await load(path, { quantize: 'f32' });
      after(() => (kept.dispose(), widened.dispose()));
      const of = difference(ids);
      const actual = await kept.gradients(ids, { of, at });
      const expected = await widened.gradients(ids, { of, at });
      for (const name of at) near(actual.gradients[name].data, expected.gradients[name].data, bound, name);
    });
  }

  // Logits are linear in the last norm's output, so no activation is rounded here: only codes of 16 bits are.
  for (const type of /** @type {const} */ (['f16', 'bf16', 'q8_0', 'q4_0'])) {
    test(`${type}: a product goes back to its input`, async (t) => {
      const model = await load(await asGguf(golden, type, folder));
      t.after(() => model.dispose());
      const { vocabulary, dModel } = model.info;
      const output = await model.weight('output.weight') ?? await model.weight('token_embd.weight');
      const w = /** @type {any} */ (output).data;
      const weights = floats(randomFrom(7), ids.length * vocabulary);
      const { gradients } = await model.gradients(ids, { of: { weights }, at: ['ln_final.hook_normalized'] });
      const expected = Float64Array.from({ length: ids.length * dModel }, (_, i) => {
        const position = Math.floor(i / dModel);
        const column = i % dModel;
        let sum = 0;
        for (let v = 0; v < vocabulary; v++) sum += weights[position * vocabulary + v] * w[v * dModel + column];
        return sum;
      });
      near(gradients['ln_final.hook_normalized'].data, expected, 3e-4, type);
    });
  }
});

describe('refusals', async () => {
  const golden = named('gpt2');
  const { ids } = golden;
  const of = { logit: 1 };
  for (const worker of [false, true]) {
    const model = await open(golden, { worker });
    const call = (/** @type {any} */ options, /** @type {any} */ given = ids) => model.gradients(given, options);
    const refuse = (/** @type {string} */ what, /** @type {() => Promise<unknown>} */ run, /** @type {RegExp} */ why,
      code = 'bad-argument') => test(`${what}${worker ? ', in a Worker' : ''}`, () => rejects(run(), code, why));

    refuse('no options', () => call(undefined), /gradients: options are an object/);
    refuse('an unknown option', () => call({ of, layer: 1 }), /no option ‘layer’/);
    refuse('no metric', () => call({}), /gradients: ‘of’ is missing\. Give the number/);
    refuse('two metrics', () => call({ of: { logit: 1, logprob: 1 } }), /one of logit.* got logit and logprob/);
    refuse('an id outside the vocabulary', () => call({ of: { logit: 96 } }),
      /logit to be a token id from 0 to 95, got ‘96’/);
    refuse('one id of a difference', () => call({ of: { logitDifference: [1] } }), /two token ids/);
    refuse('a position after the ids', () => call({ of: { logit: 1, position: 16 } }),
      /position to be an integer from 0 to 15/);
    refuse('too few targets', () => call({ of: { crossEntropy: [1, 2] } }), /16 token ids/);
    refuse('targets that are all left out', () => call({ of: { crossEntropy: ids.map(() => -1) } }), /not −1/);
    refuse('weights of another size', () => call({ of: { weights: new Float32Array(96) } }), /16 × 96 numbers/);
    refuse('an activation that the model lacks', () => call({ of, at: ['blocks.0.attn.hook_rot_q'] }),
      /rotate queries/);
    refuse('a name without an array', () => call({ of, at: 'hook_embed' }), /array of names/);
    refuse('no ids', () => call({ of }, []), /at least one token id/);
    refuse('more ids than positions', () => call({ of }, new Int32Array(49)), /do not fit/, 'context-full');
    refuse('an edit that makes the metric infinite',
      () => call({ of, edits: [{ hook: 'hook_embed', scale: 3e38 }] }), /infinity|infinite/, 'not-finite');
    test(`after refusals the model still computes${worker ? ', in a Worker' : ''}`, async () => {
      assert.ok(Number.isFinite((await call({ of, at: [] })).value));
    });
  }

  test('the first report has the memory of the run, before it is taken', async () => {
    /** @type {any} */ let engine;
    const model = await Model.load(openModelFile, STORIES, {}, (made) => (engine = made));
    const before = engine.memory.buffer.byteLength;
    const ending = new AbortController();
    /** @type {{ done: number, bytes: number }[]} */ const reports = [];
    const onProgress = (/** @type {{ done: number, total: number, bytes: number }} */ report) => {
      reports.push(report);
      ending.abort();
    };
    const long = Int32Array.from({ length: 200 }, (_, i) => i);
    const at = ['hook_embed'];
    await rejects(model.gradients(long, { of, at, onProgress, signal: ending.signal }), 'aborted', /AbortSignal/);
    assert.deepEqual(reports.map(({ done }) => done), [0]);
    const { bytes } = reports[0];
    assert.ok(engine.memory.buffer.byteLength - before < bytes / 10, 'only memory of the copies was taken');
    await model.gradients(long, { of, at });
    const grown = engine.memory.buffer.byteLength - before;
    assert.ok(bytes > 1e5, `${bytes} bytes reported`);
    assert.ok(Math.abs(grown - bytes) < 0.1 * bytes + 2 ** 18, `${grown} bytes taken, ${bytes} reported`);
    model.dispose();
  });

  test('an abort ends the run', async () => {
    const model = await open(golden);
    const ending = new AbortController();
    let calls = 0;
    const onProgress = (/** @type {{ done: number, total: number }} */ { done, total }) => {
      assert.ok(done <= total);
      if (++calls === 3) ending.abort();
    };
    await rejects(model.gradients(ids, { of, onProgress, signal: ending.signal }), 'aborted', /AbortSignal/);
    assert.equal(calls, 3);
  });
});
