// Trainings of a loaded model: gradients, loss curves and adapted models equal PyTorch's; files; errors.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Engine } from '../../js/engine/wasm.js';
import { MAX_RANK } from '../../js/files/adapter.js';
import { float32, string, writeGguf } from '../../js/files/gguf/writer.js';
import { writeSafetensors } from '../../js/files/safetensors/writer.js';
import { load } from '../../js/index.js';
import { fineTune } from '../../js/train/fine-tune.js';
import { openBase } from '../../js/train/tuning/base.js';
import { adapterToGguf } from '../../js/train/tuning/gguf-adapter.js';
import { mergeAdapter } from '../../js/train/tuning/merge.js';
import { Tuning } from '../../js/train/tuning/tuning.js';
import { readSafetensors } from '../../js/cli/convert/safetensors.js';
import { rejects } from '../support/expect.js';
import { FAMILIES, ggufOf } from '../support/families.js';
import { asGguf, goldens, temporaryFolder } from '../support/goldens.js';
import { STORIES } from '../support/model.js';

const folder = await temporaryFolder(after);
const all = await goldens();
const WITH_ADAPTERS = all.filter(({ name }) => ['gpt2', 'llama', 'llama-awkward', 'mistral', 'qwen2'].includes(name));
const RANK = 4;
const ALPHA = 6;
const STEPS = 10;

/** @param {ArrayLike<number>} x */
const largest = (x) => Array.from(x).reduce((most, value) => Math.max(most, Math.abs(value)), 0);

/** Asserts that numbers are within `share` of the largest expected one.
 *  @param {ArrayLike<number>} actual @param {ArrayLike<number>} expected @param {number} share @param {string} what */
function near(actual, expected, share, what) {
  assert.equal(actual.length, expected.length, what);
  const error = largest(Array.from(actual, (value, i) => value - expected[i]));
  assert.ok(error <= share * largest(expected), `${what}: off by ${error}, largest ${largest(expected)}`);
}

/** @param {import('../support/goldens.js').Golden} golden */
const sourceOf = ({ folder: from }) =>
  ({ weights: join(from, 'model.safetensors'), config: join(from, 'config.json') });
/** @param {import('../support/goldens.js').Golden} golden */
const adapterOf = ({ folder: from }) => ({
  weights: join(from, 'adapter/adapter_model.safetensors'), config: join(from, 'adapter/adapter_config.json'),
});
/** @param {import('../support/goldens.js').Golden} golden */
const filesOf = async ({ folder: from }) => ({
  expected: await readSafetensors(join(from, 'adapter/expected.safetensors')),
  adapter: await readSafetensors(join(from, 'adapter/adapter_model.safetensors')),
});

/** The cross-entropy of the next ids; its gradients stay in the weights.
 *  @param {import('../../js/train/tuning/base.js').Base} base @param {number[]} ids */
function crossEntropy(base, ids) {
  const { lab } = base;
  return lab.step(() => {
    const loss = lab.crossEntropy(base.logits(ids.slice(0, -1), 1), ids.slice(1));
    lab.backward(loss);
    return loss.item();
  });
}

for (const golden of WITH_ADAPTERS) {
  describe(`${golden.name}: PyTorch`, async () => {
    const { ids } = golden;
    const { expected, adapter } = await filesOf(golden);

    test('load() with an adapter computes the adapted logits', async () => {
      const model = await load(sourceOf(golden), { adapter: adapterOf(golden) });
      near(await model.forward(ids, { all: true }), expected.logits.load(), 1e-4, 'logits');
      model.dispose();
    });

    test('an adapter on a GGUF file, in a Worker', async () => {
      const model = await load(await asGguf(golden, 'f32', folder), { adapter: adapterOf(golden), worker: true });
      near(await model.forward(ids, { all: true }), expected.logits.load(), 1e-4, 'logits');
      model.dispose();
    });

    test('gradients of adapters', async () => {
      const base = await openBase(sourceOf(golden),
        { seed: 1, threads: 1, adapting: { rank: RANK, alpha: ALPHA, targets: null } });
      assert.deepEqual(Object.keys(base.weights).sort(), Object.keys(adapter).sort());
      for (const [name, tensor] of Object.entries(base.weights)) tensor.set(adapter[name].load());
      crossEntropy(base, ids);
      for (const [name, { grad }] of Object.entries(base.weights)) {
        near(grad ?? [], expected[`gradient/${name}`].load(), 1e-4, name);
      }
      base.lab.dispose();
    });

    test('the losses of ten steps', async () => {
      const options = { steps: STEPS, rank: RANK, alpha: ALPHA, batch: 1, rate: 1e-2 };
      const tuning = await Tuning.open(sourceOf(golden), ids, options);
      for (const [name, tensor] of Object.entries(tuning.trainer.weights)) tensor.set(adapter[name].load());
      near(await lossesOf(tuning), expected.losses.load(), 1e-3, 'losses');
      tuning.dispose();
    });

    test('gradients and ten steps of all weights', async () => {
      const base = await openBase(sourceOf(golden), { seed: 1, threads: 1, adapting: null });
      near([crossEntropy(base, ids)], expected.full.load(), 1e-5, 'loss');
      const { placeOf } = await import('../../js/files/safetensors/names.js');
      const keys = Object.keys(expected).filter((key) => key.startsWith('full/'));
      assert.ok(keys.length > 3);
      for (const key of keys) {
        const place = placeOf(key.slice(5), golden.name === 'gpt2' ? 'gpt2' : 'llama');
        assert.ok(place && place !== 'ignored', key);
        const { grad, axes: { sizes: [rows, columns] } } = base.weights[place.slot];
        const wanted = expected[key].load();
        const turned = place.transpose
          ? wanted.map((_, i) => wanted[i % columns * rows + Math.floor(i / columns)]) : wanted;
        near(grad ?? [], turned, 1e-4, key);
      }
      base.lab.dispose();
      const tuning = await Tuning.open(sourceOf(golden), ids, { steps: STEPS, full: true, batch: 1, rate: 1e-3 });
      near(await lossesOf(tuning), expected.full_losses.load(), 1e-3, 'losses');
      assert.equal(tuning.adapter(), null);
      tuning.dispose();
    });
  });
}

/** @param {Tuning} tuning */
async function lossesOf(tuning) {
  const losses = [];
  for await (const { loss } of tuning.trainer.run()) losses.push(loss);
  return losses;
}

const TEXT = 'Once upon a time there was a small robot named Bip. Bip lived on the moon with a dog named Zog. ' +
  'One day they found a big piece of cheese. Zog said woof, and Bip was happy. They shared the cheese and went home. ';
const SMALL = { steps: 4, batch: 1, context: 24, rank: 4 };

describe('a training on the stories model', async () => {
  /** @param {import('../../js/train/tuning/tuning.js').TuningOptions} [options] */
  const open = (options) => Tuning.open(STORIES, TEXT, { ...SMALL, ...options });
  /** Losses, figures and adapter after all steps. @param {Tuning} tuning */
  const learned = async (tuning) => {
    const losses = await lossesOf(tuning);
    const { figures } = tuning.trainer;
    const adapter = tuning.adapter();
    tuning.dispose();
    return { losses, figures, adapter };
  };
  const first = await learned(await open());

  test('the same seed gives the same bits, on any number of threads, and another seed does not', async () => {
    assert.deepEqual(await learned(await open()), first);
    assert.deepEqual(await learned(await open({ threads: 2 })), first);
    assert.notDeepEqual((await learned(await open({ seed: 2 }))).losses, first.losses);
  });

  test('a stopped training continues with the same bits', async () => {
    const stopped = await open();
    const losses = [];
    for await (const { loss } of stopped.trainer.run()) if (losses.push(loss) === 2) break;
    const checkpoint = stopped.trainer.checkpoint();
    stopped.dispose();
    const resumed = await open();
    await resumed.trainer.restore(checkpoint);
    const { losses: later, ...rest } = await learned(resumed);
    assert.deepEqual({ losses: [...losses, ...later], ...rest }, first);
  });

  test('a checkpoint of another text or rank is refused', async () => {
    const other = await open();
    const checkpoint = other.trainer.checkpoint();
    other.dispose();
    const longer = await Tuning.open(STORIES, `${TEXT} The end.`, SMALL);
    await rejects(longer.trainer.restore(checkpoint), 'bad-file', /has the recipe/);
    const wider = await open({ rank: 5 });
    await rejects(wider.trainer.restore(checkpoint), 'bad-file', /has the recipe/);
    longer.dispose();
    wider.dispose();
  });

  test('the memory of a training is known before the start', async () => {
    const tuning = await open();
    const { memory, trainer: { lab } } = tuning;
    const before = lab.memory.usedBytes;
    assert.ok(before <= memory.learningBytes + 2 ** 16, 'learning');
    await lossesOf(tuning);
    const step = lab.memory.highestBytes - before;
    assert.ok(step <= memory.stepBytes && step >= 0.8 * memory.stepBytes, `${step} of ${memory.stepBytes}`);
    tuning.dispose();
  });

  test('the loaded adapter has the loss that the training measured', async () => {
    const model = await load(STORIES, { adapter: first.adapter ?? undefined });
    const ids = await model.encode(TEXT);
    const heldOut = ids.subarray(ids.length - Math.floor(ids.length / 10));
    const { value } = await model.gradients(heldOut, { of: { crossEntropy: [...heldOut.slice(1), -1] }, at: [] });
    near([value], [first.figures.heldOut], 1e-4, 'loss');
    model.dispose();
  });

  test('prompts give the same bits in one batch and token by token', async () => {
    const model = await load(STORIES, { adapter: first.adapter ?? undefined });
    const ids = (await model.encode(TEXT)).subarray(0, 21);
    const whole = await model.forward(ids);
    model.rewind(0);
    let last = whole;
    for (const id of ids) last = await model.forward([id]);
    assert.deepEqual(last, whole);
    model.dispose();
  });

  for (const type of /** @type {const} */ (['f32', 'f16', 'q8_0'])) {
    test(`merged into a GGUF file of ${type}`, async () => {
      const files = await mergeAdapter(STORIES, first.adapter ?? assert.fail(), { type });
      assert.deepEqual(Object.keys(files), ['model.gguf']);
      const [merged, adapted] = await Promise.all([load(files['model.gguf']),
        load(STORIES, { adapter: first.adapter ?? undefined, quantize: 'f32' })]);
      const ids = await adapted.encode(TEXT);
      assert.deepEqual(await merged.encode(TEXT), ids);
      assert.equal(merged.info.name, adapted.info.name);
      near(await merged.forward(ids), await adapted.forward(ids), type === 'q8_0' ? 5e-2 : 1e-3, 'logits');
      merged.dispose();
      adapted.dispose();
    });
  }

  test('merged into safetensors of Hugging Face', async () => {
    const files = await mergeAdapter(STORIES, first.adapter ?? assert.fail(), { format: 'safetensors', type: 'f32' });
    const [merged, adapted] = await Promise.all([
      load({ weights: files['model.safetensors'], config: files['config.json'] }),
      load(STORIES, { adapter: first.adapter ?? undefined, quantize: 'f32' })]);
    const ids = await adapted.encode(TEXT);
    near(await merged.forward(ids), await adapted.forward(ids), 1e-4, 'logits');
    merged.dispose();
    adapted.dispose();
  });
});

const LIBRARY = process.env.HEED_LIBLLAMA;
const WITHOUT_LLAMA = LIBRARY ? false : 'HEED_LIBLLAMA names no folder of libllama';

/** Logits of llama.cpp after every id. @param {string} model @param {Int32Array} ids @param {string[]} adapters */
async function llamaLogits(model, ids, ...adapters) {
  const list = `${model}.ids`;
  const logits = `${model}.logits`;
  await writeFile(list, JSON.stringify([Array.from(ids)]));
  const script = fileURLToPath(new URL('../../tools/goldens/llama-logits.py', import.meta.url));
  execFileSync('python3', [script, LIBRARY ?? '', model, list, logits, ...adapters]);
  return new Float32Array(new Uint8Array(await readFile(logits)).buffer);
}

describe('all weights', async () => {
  for (const golden of WITH_ADAPTERS) {
    test(`${golden.name}: the trained weights as safetensors, and as GGUF from GGUF`, async () => {
      const sources = { safetensors: sourceOf(golden), gguf: await asGguf(golden, 'f32', folder) };
      const logits = [];
      for (const [format, source] of Object.entries(sources)) {
        const options = { steps: 2, full: true, batch: 1, format: /** @type {any} */ (format),
          type: /** @type {const} */ ('f32') };
        const { model: files } = await fineTune(source, golden.ids, options);
        const model = await load(files?.['model.gguf'] ??
          { weights: files?.['model.safetensors'] ?? assert.fail(), config: files['config.json'] });
        logits.push(await model.forward(golden.ids));
        model.dispose();
      }
      near(logits[1], logits[0], 1e-3, 'logits');
    });
  }

  test('llama.cpp computes the logits of heed with trained weights', { skip: WITHOUT_LLAMA }, async () => {
    const { adapter } = await fineTune(STORIES, TEXT, { ...SMALL, steps: 1 });
    const floats = await mergeAdapter(STORIES, adapter ?? assert.fail(), { format: 'gguf', type: 'f32' });
    const { model: files } = await fineTune(floats['model.gguf'], TEXT,
      { steps: 4, full: true, type: 'f32', rate: 1e-3, batch: 1, context: 32 });
    const path = join(folder, 'llama-full.gguf');
    await writeFile(path, files?.['model.gguf'] ?? assert.fail());
    const [before, after] = await Promise.all([load(floats['model.gguf']), load(path)]);
    const ids = await after.encode(TEXT.slice(0, 120));
    const expected = await llamaLogits(path, ids);
    near(await after.forward(ids, { all: true }), expected, 5e-3, 'logits');
    const change = (await before.forward(ids, { all: true })).map((x, i) => x - expected[i]);
    assert.ok(largest(change) > 0.05 * largest(expected), 'the training changes logits');
    before.dispose();
    after.dispose();
  });

  test('quantized weights do not learn', async () => {
    await rejects(fineTune(STORIES, TEXT, { full: true }), 'unsupported', /only float weights can learn/);
  });
});

describe('adapters as GGUF', async () => {
  for (const golden of WITH_ADAPTERS) {
    test(`${golden.name}: the file gives the bits of the adapter of PEFT`, async () => {
      for (const source of [sourceOf(golden), await asGguf(golden, 'q8_0', folder)]) {
        const bytes = await adapterToGguf(source, adapterOf(golden));
        const logits = await Promise.all([adapterOf(golden), bytes].map(async (adapter) => {
          const model = await load(source, { adapter });
          const result = await model.forward(golden.ids, { all: true });
          model.dispose();
          return result;
        }));
        assert.deepEqual(logits[1], logits[0]);
        assert.deepEqual(await adapterToGguf(source, bytes), bytes.slice(), 'written again');
      }
    });
  }

  const golden = all.find(({ name }) => name === 'llama') ?? assert.fail();
  const source = sourceOf(golden);
  const fit = await adapterToGguf(source, adapterOf(golden));
  const config = JSON.parse(await readFile(adapterOf(golden).config, 'utf8'));
  const file = (/** @type {Record<string, any>} */ metadata, /** @type {any[]} */ tensors) => writeGguf({ tensors,
    metadata: { 'general.type': string('adapter'), 'adapter.type': string('lora'), 'adapter.lora.alpha': float32(8),
      ...metadata } });
  const side = (/** @type {string} */ name, /** @type {number[]} */ shape, value = 0.01) => ({
    name: `blk.0.attn_q.weight.${name}`, type: 'f32', shape, data: new Float32Array(shape[0] * shape[1]).fill(value) });
  const sides = [side('lora_a', [4, 64]), side('lora_b', [64, 4])];

  test('without alpha, and with alpha 0, the factor is 1 as in llama.cpp', async () => {
    const logits = await Promise.all([float32(4), float32(0)].map(async (alpha) => {
      const model = await load(source, { adapter: await file({ 'adapter.lora.alpha': alpha }, sides) });
      return model.forward(golden.ids);
    }));
    assert.deepEqual(logits[1], logits[0]);
    const ranks = [...sides, ...[side('lora_a', [2, 64]), side('lora_b', [64, 2])].map((tensor) =>
      ({ ...tensor, name: tensor.name.replace('blk.0', 'blk.1') }))];
    await rejects(load(source, { adapter: await file({ 'adapter.lora.alpha': float32(0) }, ranks) }), 'unsupported',
      /ranks 4, 2/);
  });

  const opened = async (/** @type {Record<string, any>} */ metadata, tensors = /** @type {any[]} */ (sides)) =>
    load(source, { adapter: await file(metadata, tensors) });
  /** @type {[string, () => Promise<unknown>, string, RegExp][]} */
  const refusals = [
    ['a model', async () => load(source, { adapter: await asGguf(golden, 'q8_0', folder) }), 'bad-file',
      /is not an adapter/],
    ['another kind', () => opened({ 'adapter.type': string('dora') }), 'unsupported', /‘dora’; heed reads/],
    ['alpha that is a text', () => opened({ 'adapter.lora.alpha': string('8') }), 'bad-config', /lora.alpha ‘8’/],
    ['alpha that is infinite', () => opened({ 'adapter.lora.alpha': float32(Infinity) }), 'bad-config', /lora.alpha/],
    ['another name', () => opened({}, [{ ...sides[0], name: 'blk.0.attn_q.weight' }]), 'bad-tensor', /not a side/],
    ['one side', () => opened({}, sides.slice(0, 1)), 'bad-tensor', /no lora_B/],
    ['sides that are turned', () => opened({}, [side('lora_a', [64, 4]), sides[1]]), 'bad-tensor', /this model needs/],
    ['quantized numbers', () => opened({}, [{ ...sides[0], type: 'q8_0', data: new Uint8Array(4 * 2 * 34) }, sides[1]]),
      'unsupported', /type Q8_0/],
    ['NaN', () => opened({}, [side('lora_a', [4, 64], NaN), sides[1]]), 'not-finite', /NaN/],
    ['an end in the middle', () => load(source, { adapter: fit.slice(0, fit.length - 100) }), 'truncated', /ends/],
    ['alpha 0 to write', () => adapterToGguf(source, { ...adapterOf(golden), config: { ...config, lora_alpha: 0 } }),
      'unsupported', /alpha 0/],
    ['an adapter of another model to write', () => adapterToGguf(STORIES, adapterOf(golden)), 'bad-tensor', /needs/],
    ['an unknown option', () => adapterToGguf(source, fit, /** @type {any} */ ({ type: 'f16' })), 'bad-argument',
      /‘type’/],
  ];
  for (const [what, run, code, says] of refusals) test(what, () => rejects(run(), code, says));

  test('llama.cpp computes the logits of heed with an adapter of heed', { skip: WITHOUT_LLAMA }, async () => {
    const { adapter } = await fineTune(STORIES, TEXT, { ...SMALL, steps: 6, rate: 0.02 });
    assert.ok(adapter);
    const zero = { ...adapter, config: { ...adapter.config, lora_alpha: 0 } };
    const files = await mergeAdapter(STORIES, zero, { format: 'gguf', type: 'f32' });
    const at = (/** @type {string} */ name) => join(folder, `llama-${name}`);
    await writeFile(at('model.gguf'), files['model.gguf']);
    await writeFile(at('adapter.gguf'), await adapterToGguf(STORIES, adapter));
    const plain = await load(at('model.gguf'));
    const model = await load(at('model.gguf'), { adapter: at('adapter.gguf') });
    const ids = await model.encode(TEXT.slice(0, 120));
    const expected = await llamaLogits(at('model.gguf'), ids, at('adapter.gguf'));
    near(await model.forward(ids, { all: true }), expected, 5e-3, 'logits');
    const change = (await plain.forward(ids, { all: true })).map((x, i) => x - expected[i]);
    assert.ok(largest(change) > 0.2 * largest(expected), 'the adapter changes logits');
    plain.dispose();
    model.dispose();
  });
});

describe('PyTorch with weights of heed', async () => {
  const python = ['python3', '/usr/bin/python3'].find((path) => spawnSync(path, ['-c', 'import torch']).status === 0);
  const skip = python ? false : 'PyTorch is not installed';

  /** @param {string} at folder of a model and an adapter @param {number[]} ids */
  async function logitsOf(at, ids) {
    const script = fileURLToPath(new URL('../../tools/torch/adapter.py', import.meta.url));
    execFileSync(python ?? '', [script, at, at, ids.join(), join(at, 'logits')]);
    return new Float32Array(new Uint8Array(await readFile(join(at, 'logits'))).buffer);
  }

  test('all weights of llama, trained', { skip }, async () => {
    const golden = all.find((one) => one.name === 'llama') ?? assert.fail();
    const { model: files } = await fineTune(sourceOf(golden), golden.ids, { steps: 2, full: true, batch: 1,
      format: 'safetensors', type: 'f32' });
    const source = { weights: files?.['model.safetensors'] ?? assert.fail(), config: files['config.json'] };
    const { adapter } = await fineTune(source, golden.ids, { steps: 1, batch: 1 });
    assert.ok(adapter);
    const at = join(folder, 'llama-full');
    await mkdir(at);
    await writeFile(join(at, 'adapter_model.safetensors'), adapter.weights);
    await writeFile(join(at, 'adapter_config.json'), JSON.stringify({ ...adapter.config, lora_alpha: 0 }));
    for (const [file, bytes] of Object.entries(files)) await writeFile(join(at, file), bytes);
    const model = await load(source);
    near(await model.forward(golden.ids, { all: true }), await logitsOf(at, golden.ids), 1e-4, 'logits');
    model.dispose();
  });

  for (const name of ['llama', 'gpt2']) {
    test(`an adapter of ${name} with Q8_0 weights`, { skip }, async () => {
      const golden = all.find((one) => one.name === name) ?? assert.fail();
      const source = await asGguf(golden, 'q8_0', folder);
      const { adapter } = await fineTune(source, golden.ids, { steps: 3, batch: 1, rate: 0.05 });
      assert.ok(adapter);
      // The dequantized weights, under Hugging Face's names.
      const zero = { ...adapter, config: { ...adapter.config, lora_alpha: 0 } };
      const files = { ...await mergeAdapter(source, zero, { format: 'safetensors', type: 'f32' }),
        'adapter_model.safetensors': adapter.weights, 'adapter_config.json': JSON.stringify(adapter.config) };
      const at = join(folder, `${name}-tuned`);
      await mkdir(at);
      for (const [file, bytes] of Object.entries(files)) await writeFile(join(at, file), bytes);
      const expected = await logitsOf(at, golden.ids);
      const model = await load(source, { adapter, quantize: 'f32' });
      near(await model.forward(golden.ids, { all: true }), expected, 1e-4, 'logits');
      const quantized = await load(source, { adapter });
      near(await quantized.forward(golden.ids, { all: true }), expected, 3e-2, 'logits with activations of 8 bits');
      model.dispose();
      quantized.dispose();
    });
  }
});

describe('fineTune', () => {
  test('reports memory and every step, in this thread and in a Worker with the same bits', async () => {
    const results = [];
    for (const worker of [false, true]) {
      const began = /** @type {any[]} */ ([]);
      const steps = /** @type {number[]} */ ([]);
      results.push(await fineTune(STORIES, TEXT, { ...SMALL, steps: 2, worker,
        onBegan: (news) => began.push(news), onProgress: ({ step }) => steps.push(step) }));
      assert.equal(began.length, 1);
      assert.ok(began[0].memory.stepBytes > 0);
      assert.deepEqual(steps, [1, 2]);
    }
    assert.deepEqual(results[1], results[0]);
  });

  test('onBegan receives the division of the text, and its promise delays the first step', async () => {
    for (const worker of [false, true]) {
      const order = /** @type {string[]} */ ([]);
      const { heldOutBefore, heldOut } = await fineTune(STORIES, TEXT, { ...SMALL, steps: 1, worker,
        async onBegan({ tokens: { train, heldOut: held } }) {
          assert.equal(held, Math.floor((train + held) / 10));
          await new Promise((resolve) => setTimeout(resolve, 20));
          order.push('began');
        },
        onProgress: () => order.push('step') });
      assert.deepEqual(order, ['began', 'step']);
      assert.ok(heldOutBefore > 0 && heldOut !== heldOutBefore);
    }
  });

  for (const worker of [false, true]) {
    test(`finish keeps the trained weights, ${worker ? 'in a Worker' : 'in this thread'}`, async () => {
      const finish = new AbortController();
      const reported = /** @type {number[]} */ ([]);
      const { losses, heldOut, adapter } = await fineTune(STORIES, TEXT, { ...SMALL, steps: 1000, worker,
        finish: finish.signal, onProgress: ({ loss }) => { if (reported.push(loss) === 3) finish.abort(); } });
      assert.ok(losses.length >= 3 && losses.length < 1000);
      assert.deepEqual([...losses], reported);
      const model = await load(STORIES, { adapter: adapter ?? undefined });
      const ids = await model.encode(TEXT);
      const held = ids.subarray(ids.length - Math.floor(ids.length / 10));
      const { value } = await model.gradients(held, { of: { crossEntropy: [...held.slice(1), -1] }, at: [] });
      near([value], [heldOut], 1e-4, 'loss');
      model.dispose();
    });

    test(`finish before the first step learns nothing, ${worker ? 'in a Worker' : 'in this thread'}`, async () => {
      const { losses, heldOut, heldOutBefore } = await fineTune(STORIES, TEXT,
        { ...SMALL, worker, finish: AbortSignal.abort() });
      assert.equal(losses.length, 0);
      assert.equal(heldOut, heldOutBefore);
    });
  }

  test('a merge in a Worker gives the same bytes', async () => {
    const { adapter } = await fineTune(STORIES, TEXT, { ...SMALL, steps: 1 });
    const [here, there] = await Promise.all([false, true].map((worker) =>
      mergeAdapter(STORIES, adapter ?? assert.fail(), { type: 'q8_0', worker })));
    assert.deepEqual(there, here);
    await rejects(mergeAdapter(STORIES, { weights: new Uint8Array(9), config: {} }, { worker: true }), 'unsupported');
  });

  test('a source that cannot be sent to a Worker rejects', () =>
    rejects(fineTune(/** @type {any} */ ({ stream() {} }), TEXT, { worker: true }), 'bad-argument',
      /cannot contain functions/));

  for (const worker of [false, true]) {
    test(`an abort in the middle rejects, ${worker ? 'in a Worker' : 'in this thread'}`, async () => {
      const controller = new AbortController();
      await rejects(fineTune(STORIES, TEXT, { ...SMALL, steps: 1000, worker, signal: controller.signal,
        onProgress: () => controller.abort() }), 'aborted');
    });
  }

  test('an error of a listener rejects', async () => {
    for (const worker of [false, true]) {
      const onProgress = () => { throw new Error('mine'); };
      await assert.rejects(fineTune(STORIES, TEXT, { ...SMALL, worker, onProgress }), /mine/);
    }
  });

  for (const [what, text, options, says] of /** @type {[string, any, any, RegExp][]} */ ([
    ['empty text', '', {}, /the text is empty/],
    ['blank text', ' \n', {}, /the text is empty/],
    ['no text', undefined, {}, /the text is/],
    ['one token', [5], {}, /has 1 token; expected 3 or more/],
    ['ids that do not exist', [5, 1e6, 3], {}, /ids from 0/],
    ['rank 0', TEXT, { rank: 0 }, /rank is 0/],
    ['rank 257', TEXT, { rank: MAX_RANK + 1 }, /rank is .*257/],
    ['rate NaN', TEXT, { rate: NaN }, /rate is .*NaN/],
    ['rate below 0', TEXT, { rate: -1 }, /rate is .*-1/],
    ['no steps', TEXT, { steps: 0 }, /steps is 0/],
    ['unknown targets', TEXT, { targets: ['c_attn'] }, /targets to be some of q_proj/],
    ['no targets', TEXT, { targets: [] }, /got none/],
    ['rank of all weights', TEXT, { full: true, rank: 4 }, /settings of adapters/],
    ['a boolean for finish', TEXT, { finish: true }, /finish is .*AbortSignal/],
    ['an unknown option', TEXT, { epochs: 3 }, /no option ‘epochs’/],
  ])) {
    test(`refuses ${what}`, () => rejects(fineTune(STORIES, text, options), 'bad-argument', says));
  }

  test('refuses families whose matrices have other names, for adapters and for all weights', async () => {
    const names = ['qwen3', 'phi3', 'gemma', 'gptneox'];
    for (const row of FAMILIES.filter(({ name }) => names.includes(name))) {
      const model = await ggufOf(row);
      const says = new RegExp(`support gpt2, llama, mistral, qwen2; the model is ‘${row.name}’`);
      for (const full of [false, true]) await rejects(fineTune(model, [5, 6, 7, 8], { full }), 'unsupported', says);
    }
  });

  test('a text shorter than the context is one window', async () => {
    const tuning = await Tuning.open(STORIES, [5, 6, 7, 8], { steps: 1 });
    assert.equal(tuning.context, 3);
    assert.equal((await lossesOf(tuning)).length, 1);
    assert.ok(tuning.trainer.figures.heldOut > 0);
    tuning.dispose();
  });

  test('the error of a diverging training names the step', async () => {
    await rejects(fineTune(STORIES, TEXT, { ...SMALL, steps: 30, rate: 1e30 }), 'not-finite',
      /^In step \d+, .*learning rate\.$/);
  });

  test('a batch beyond the memory is refused before the first step', async () => {
    for (const batch of [1e4, 1e9]) {
      await rejects(fineTune(STORIES, TEXT, { batch }), 'out-of-memory', /windows of \d+ tokens .*Lower batch/);
    }
  });

  test('ids are checked in a Worker, too', async () => {
    for (const worker of [false, true]) {
      for (const [ids, message] of [[[1, 2.5, 3, 4], /got ‘2.5’ as number 1/], [['a', 1, 2, 3], /got ‘a’/],
        [{ length: 4 }, /got ‘undefined’/], [null, /the text is ‘null’/], [3, /the text is ‘3’/], [[], /is empty/]]) {
        await rejects(fineTune(STORIES, /** @type {any} */ (ids), { ...SMALL, worker }), 'bad-argument', message);
      }
    }
  });

  test('settings that would fail after the training are refused before it', async () => {
    const began = () => assert.fail('a training began');
    const full = { ...SMALL, rank: undefined, full: true, onBegan: began };
    const golden = all.find(({ name }) => name === 'llama') ?? assert.fail();
    const source = await asGguf(golden, 'f32', folder);
    await rejects(fineTune(source, [1, 2, 3, 4], { ...full, format: 'onnx' }), 'bad-argument', /format.*‘onnx’/);
    await rejects(fineTune(source, [1, 2, 3, 4], { ...full, type: 'q4_0' }), 'bad-argument', /type.*‘q4_0’/);
    await rejects(fineTune(STORIES, TEXT, { ...SMALL, format: 'gguf' }), 'bad-argument', /mergeAdapter/);
    await rejects(fineTune(STORIES, TEXT, { ...SMALL, engine: 'gpu' }), 'bad-argument', /engine to be one of auto/);
  });
});

describe('hostile adapters', async () => {
  const golden = all.find(({ name }) => name === 'llama') ?? assert.fail();
  const { adapter } = await filesOf(golden);
  const config = JSON.parse(await readFile(adapterOf(golden).config, 'utf8'));
  /** @typedef {{ name: string, shape: number[], data: Float32Array }} Listed */
  const fileOf = (/** @type {Listed[]} */ list) => writeSafetensors(
    Object.fromEntries(list.map(({ name, shape, data }) => [name, { dtype: 'F32', shape, data }])), { format: 'pt' });
  const tensors = Object.entries(adapter).map(([name, { shape, load: data }]) => ({ name, shape, data: data() }));
  const A = 'base_model.model.model.layers.0.self_attn.q_proj.lora_A.weight';
  const without = (/** @type {string} */ name) => tensors.filter((tensor) => tensor.name !== name);
  const floats = (/** @type {number} */ n, value = 0.5) => new Float32Array(n).fill(value);
  /** @type {[string, Listed[], object, string, RegExp][]} */
  const cases = [
    ['no tensors', [], {}, 'bad-tensor', /no tensors/],
    ['one side missing', without(A), {}, 'bad-tensor', /q_proj.* has no lora_A beside it/],
    ['another width', [...without(A), { name: A, shape: [4, 32], data: floats(128) }], {}, 'bad-tensor',
      /is \[4,32\]; this model needs \[4,64\]/],
    ['two ranks', [...without(A), { name: A, shape: [5, 64], data: floats(320) }], {}, 'bad-tensor',
      /needs \[64,5\]/],
    ['rank 0', [...without(A), { name: A, shape: [0, 64], data: floats(0) }], {}, 'bad-tensor', /rank 0/],
    ['a large rank', [...without(A), { name: A, shape: [300, 64], data: floats(300 * 64) }], {},
      'bad-tensor', /rank 300/],
    ['a matrix that does not exist', [...tensors, { name: A.replace('layers.0', 'layers.9'),
      shape: [4, 64], data: floats(256) }], {}, 'bad-tensor', /layers\.9.* changes no matrix/],
    ['a table', [...tensors, { name: 'base_model.model.model.embed_tokens.lora_A.weight', shape: [4, 64],
      data: floats(256) }], {}, 'bad-tensor', /embed_tokens.* changes no matrix/],
    ['a strange name', [...tensors, { name: 'constructor', shape: [1], data: floats(1) }], {},
      'bad-tensor', /changes no matrix/],
    ['NaN', [...without(A), { name: A, shape: [4, 64], data: floats(256, NaN) }], {}, 'not-finite', /NaN/],
    ['another kind', tensors, { peft_type: 'PREFIX_TUNING' }, 'unsupported', /peft_type/],
    ['DoRA', tensors, { use_dora: true }, 'unsupported', /use_dora/],
    ['biases', tensors, { bias: 'all' }, 'unsupported', /bias/],
    ['ranks by pattern', tensors, { rank_pattern: { q_proj: 2 } }, 'unsupported', /rank_pattern/],
    ['no alpha', tensors, { lora_alpha: '8' }, 'bad-config', /lora_alpha/],
  ];
  for (const [what, list, changes, code, says] of cases) {
    test(what, () => rejects(load(sourceOf(golden),
      { adapter: { weights: fileOf(list), config: { ...config, ...changes } } }), code, says));
  }

  test('an adapter of another model', async () => {
    const gpt2 = all.find(({ name }) => name === 'gpt2') ?? assert.fail();
    await rejects(load(sourceOf(golden), { adapter: adapterOf(gpt2) }), 'bad-tensor', /changes no matrix/);
    await rejects(load(sourceOf(gpt2), { adapter: adapterOf(golden) }), 'bad-tensor', /changes no matrix/);
  });

  test('no adapter, half of one, a truncated one', async () => {
    for (const given of [5, {}, { weights: fileOf(tensors) }]) {
      await rejects(load(sourceOf(golden), { adapter: /** @type {any} */ (given) }), 'bad-argument', /adapter to be/);
    }
    const nowhere = join(folder, 'nowhere.gguf');
    await rejects(load(sourceOf(golden), { adapter: nowhere }), 'unavailable', /nowhere\.gguf/);
    const cut = fileOf(tensors).subarray(0, -9);
    await rejects(load(sourceOf(golden), { adapter: { weights: cut, config } }), 'truncated');
  });

  test('the limit of ranks is the engine’s', async () => {
    assert.equal((await Engine.create()).limit('max_rank'), MAX_RANK);
  });
});
