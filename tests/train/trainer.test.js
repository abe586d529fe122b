// The training loop: resumed trainings give the same bits, and errors name the step and the operation.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync }
  from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Checkpoints } from '../../js/cli/checkpoints.js';
import { readData } from '../../js/cli/train.js';
import { fromSafetensors, lab, normal, schedules } from '../../js/lab/index.js';
import { findRecipe } from '../../js/train/recipes.js';
import { crc32 } from '../../js/files/checksum.js';
import { RemoteTraining } from '../../js/train/remote.js';
import { Trainer } from '../../js/train/trainer.js';

/** Learns which of two numbers is larger, with dropout. The data of step `broken` have a NaN. */
const toy = ({ name = 'toy', broken = -1, config = { width: 8 } } = {}) => ({
  name,
  summary: 'the larger of two numbers',
  steps: 8,
  data: () => null,
  config: () => config,
  weights: ({ init }, { width }) => ({ ...init.linear('in.', 2, width), ...init.linear('out.', width, 2) }),
  batch: (data, random, step) => {
    const x = normal(random, 16);
    const larger = Array.from({ length: 8 }, (_, i) => Number(x[2 * i + 1] > x[2 * i]));
    if (step === broken) x[5] = NaN;
    return { x, larger };
  },
  loss: (l, w, config, { x, larger }) => {
    const hidden = l.dropout(l.tanh(l.linear(l.tensor(x, [8, 2]), w['in.weight'], w['in.bias'])), 0.3);
    return l.crossEntropy(l.linear(hidden, w['out.weight'], w['out.bias']), larger);
  },
  rate: schedules.cosine({ rate: 0.05, warmup: 2, total: 8 }),
  clip: 1,
  every: 4,
  validate: (l, w) => ({ size: w['in.weight'].data.reduce((sum, x) => sum + x * x, 0) }),
  goal: { figure: 'size', atMost: 1000 },
});

const open = [];
async function trainer(recipe = toy(), { seed = 3, ...options } = {}) {
  const l = await lab({ seed });
  open.push(l);
  return new Trainer(l, recipe, recipe.data({}), options);
}
after(() => open.forEach((l) => l.dispose()));

/** Trains, and stops after the step with this number. */
async function train(one, last = Infinity) {
  const controller = new AbortController();
  const seen = [];
  for await (const progress of one.run({ signal: controller.signal })) {
    const { step, loss, norm, rate, figures } = progress;
    seen.push({ step, loss, norm, rate, figures });
    if (step === last) controller.abort();
  }
  return seen;
}

describe('a training', () => {
  test('resumed from a checkpoint at any step gives the bits of an uninterrupted training', async () => {
    const whole = await trainer();
    const progress = await train(whole);
    assert.equal(progress.length, 8);
    for (const stop of [1, 4, 7]) {
      const first = await trainer();
      const begun = await train(first, stop);
      const second = await trainer();
      await second.restore(first.checkpoint());
      assert.deepEqual([...begun, ...await train(second)], progress);
      assert.deepEqual(second.checkpoint(), whole.checkpoint());
      assert.deepEqual(second.save(), whole.save());
    }
    const other = await trainer(toy(), { seed: 4 });
    assert.notEqual((await train(other))[0].loss, progress[0].loss, 'another seed');
  });

  test('drops different elements in each step, and no elements in validation', async () => {
    const recipe = toy();
    recipe.rate = () => 0; // constant weights: only the batch and the dropout can differ
    const { x, larger } = recipe.batch(null, Math.random, 0);
    recipe.batch = () => ({ x, larger });
    recipe.validate = (l, w, config) => ({ loss: recipe.loss(l, w, config, { x, larger }).item() });
    recipe.goal = { figure: 'loss' };
    recipe.adamW = { weightDecay: 0 };
    const progress = await train(await trainer(recipe));
    assert.equal(new Set(progress.map(({ loss }) => loss)).size, 8);
    const [first, second] = progress.filter(({ figures }) => figures).map(({ figures }) => figures.loss);
    assert.equal(first, second);
  });

  test('an abort ends it after the current step; an earlier abort prevents the first step', async () => {
    const one = await trainer();
    assert.deepEqual((await train(one, 3)).map(({ step }) => step), [1, 2, 3]);
    assert.equal(one.step, 3);
    const before = one.checkpoint();
    for await (const progress of one.run({ signal: AbortSignal.abort() })) assert.fail(`step ${progress.step}`);
    assert.deepEqual(one.checkpoint(), before);
  });

  /** Validates in three parts, and calls `stop` in the second. */
  const slowly = (stop) => {
    const recipe = toy();
    const { validate } = recipe;
    const told = [];
    recipe.validate = function* (...model) {
      for (let piece = 0; piece < 3; piece++) {
        told.push(piece);
        if (piece === 1) stop();
        yield;
      }
      return validate(...model);
    };
    return { recipe, told };
  };

  test('an abort within a validation: the next run repeats the validation, here or from a checkpoint',
    async () => {
      const progress = await train(await trainer());
      for (const at of [4, 8]) {
        const controller = new AbortController();
        const { recipe, told } = slowly(() => { if (one.step === at) controller.abort(); });
        const one = await trainer(recipe);
        const seen = [];
        const run = async (training, signal) => {
          for await (const { step, loss, norm, rate, figures } of training.run({ signal })) {
            seen.push({ step, loss, norm, rate, figures });
          }
        };
        await run(one, controller.signal);
        assert.deepEqual([one.step, one.ended, told.slice(-2)], [at, false, [0, 1]], 'in the second piece');
        assert.deepEqual(seen, progress.slice(0, at - 1), 'a step is reported after its figures');
        const begun = [...seen];
        const checkpoint = one.checkpoint();
        const other = await trainer();
        await other.restore(checkpoint);
        assert.deepEqual(other.checkpoint(), checkpoint);
        await run(one);
        assert.deepEqual(seen, progress);
        assert.equal(one.ended, true);
        assert.deepEqual([...begun, ...await train(other)], progress, 'from the checkpoint');
        assert.deepEqual(other.save(), one.save());
      }
    });

  test('validates at the given steps, follows its schedule, and checks its goal', async () => {
    const one = await trainer();
    const progress = await train(one);
    assert.deepEqual(progress.filter(({ figures }) => figures).map(({ step }) => step), [4, 8]);
    const { rate } = toy();
    assert.deepEqual(progress.map((p) => p.rate), [0, 1, 2, 3, 4, 5, 6, 7].map(rate));
    assert.equal(one.meetsGoal, true);
    one.figures = { size: 1001 };
    assert.equal(one.meetsGoal, false);
  });

  test('refuses a recipe that lacks a part, before the first step', async () => {
    for (const name of ['config', 'weights', 'batch', 'loss', 'rate', 'validate']) {
      await assert.rejects(async () => trainer({ ...toy(), [name]: undefined }),
        { code: 'bad-argument', message: `a Trainer: ${name} of the recipe is undefined; it is a function.` });
    }
    const refused = (part, message) =>
      assert.rejects(async () => trainer({ ...toy(), ...part }), { code: 'bad-argument', message });
    await refused({ goal: undefined }, /goal\.figure of the recipe is the name of a figure.* got undefined/);
    await refused({ every: 0 }, /every of the recipe is 0; expected an integer, 1 or more/);
    await refused({ clip: 0 }, /clip of the recipe is the number 0; expected .*more than 0/);
    await refused({ data: async () => null }, /the data are a Promise\. Pass await recipe\.data/);
  });

  test('a recipe names the data files that it lacks', async () => {
    const files = { 'spa-eng-bahdanau': 'spa-eng.zip', sentiment: 'sentiment/', 'shapes-hard': 'shapes' };
    for (const [name, file] of Object.entries(files)) {
      const recipe = await findRecipe(name);
      for (const given of [undefined, {}, { [recipe.files[0].name]: 'a path' }]) {
        assert.throws(() => recipe.data(given),
          { code: 'bad-argument', message: new RegExp(`recipe ‘${name}’ learns from .*recipe\\.data\\(\\{ '${file}`) });
      }
    }
  });

  test('refuses a validation without the figure of the goal, or with other values than numbers', async () => {
    const cases = [[() => ({ sise: 1 }), /it has no ‘size’, the figure of the goal/],
      [() => undefined, /has no ‘size’/],
      [(l, w) => ({ size: w['in.bias'] }), /size is a tensor \[8\]/]];
    for (const [validate, message] of cases) {
      const one = await trainer({ ...toy(), validate });
      await assert.rejects(train(one), { code: 'bad-argument', message });
      assert.throws(() => one.validate(), { code: 'bad-argument', message });
      assert.deepEqual(one.figures, {});
    }
    await assert.rejects(async () => train(await trainer({ ...toy(), validate: async () => ({ size: 1 }) })),
      { code: 'bad-argument', message: /at once, \{ size: … \}; it has no ‘size’/ });
  });

  test('saves weights with the recipe, the configuration and the figures', async () => {
    const one = await trainer();
    await train(one);
    const { tensors, metadata } = await fromSafetensors(one.save());
    assert.deepEqual(Object.keys(tensors), ['in.weight', 'in.bias', 'out.weight', 'out.bias']);
    assert.deepEqual(JSON.parse(metadata.heed), { recipe: 'toy', config: { width: 8 }, step: 8, figures: one.figures });
  });

  test('refuses a checkpoint of another recipe, seed or number of steps, and other files', async () => {
    const file = (await trainer()).checkpoint();
    const refused = async (one, message) => {
      const before = one.checkpoint();
      await assert.rejects(one.restore(file), { code: 'bad-file', message });
      assert.deepEqual(one.checkpoint(), before, 'nothing has changed');
    };
    await refused(await trainer(toy({ name: 'other' })), /recipe ‘toy’, this training ‘other’/);
    await refused(await trainer(toy(), { seed: 4 }), /seed ‘3’, this training ‘4’/);
    await refused(await trainer(toy(), { steps: 9 }), /steps ‘8’, this training ‘9’/);
    await refused(await trainer(toy({ config: { width: 8, slope: [1, 2] } })), /slope ‘undefined’, .* ‘1,2’/);
    const one = await trainer();
    await assert.rejects(one.restore(one.save()), { code: 'bad-file', message: /not a checkpoint/ });
    await assert.rejects(one.restore(file.subarray(0, file.length - 1)), { code: 'truncated' });
  });

  test('refuses a checkpoint of another number of heads, and takes one without a configuration', async () => {
    const recipe = await findRecipe('copy');
    const sized = (heads) => {
      const one = recipe.sized({ heads });
      return lab({ seed: 1 }).then((l) => new Trainer(l, one, one.data({})));
    };
    const file = (await sized(2)).checkpoint();
    await assert.rejects((await sized(4)).restore(file),
      { code: 'bad-file', message: /heads ‘2’, this training ‘4’\. Use the same heads/ });
    await (await sized(2)).restore(file);
    const { metadata } = await fromSafetensors(file);
    const { config, ...early } = JSON.parse(metadata.training);
    assert.equal(config.heads, 2);
    const other = await sized(2);
    const { tensors } = await fromSafetensors(file);
    const saved = Object.fromEntries(Object.entries(tensors).map(([name, { data, shape }]) =>
      [name, other.lab.tensor(data, shape)]));
    await other.restore(other.lab.save(saved, { training: JSON.stringify(early) }));
  });

  test('refuses a checkpoint with an invalid state, and stays unchanged', async () => {
    const one = await trainer();
    await train(one, 3);
    const file = one.checkpoint();
    const other = await trainer();
    const before = other.checkpoint();
    const { metadata } = await fromSafetensors(file);
    const forged = (training) => other.lab.save({ ...one.weights }, { training });
    const says = (change) => JSON.stringify({ ...JSON.parse(metadata.training), ...change });
    for (const training of ['null', '3', '{', says({ step: -1 }), says({ step: 0.5 }), says({ step: 9 }),
      says({ step: 'x' }), says({ step: undefined }), says({ figures: null }), says({ figures: { error: 'x' } }),
      says({ step: 8, figures: {} }), says({ untold: 3 }), says({ untold: { loss: 'x', norm: null } }),
      says({ step: 0, untold: { loss: 1, norm: 1 } })]) {
      await assert.rejects(other.restore(forged(training)), { name: 'HeedError', code: 'bad-file' }, training);
    }
    // only the last tensor is absent: no other tensor is assigned either
    await assert.rejects(other.restore(forged(metadata.training)), { code: 'bad-tensor' });
    assert.deepEqual(other.checkpoint(), before);
    assert.equal(other.step, 0);
  });

  test('refuses invalid options', async () => {
    const l = await lab();
    open.push(l);
    for (const [options, message] of [[{ step: 3 }, /no option ‘step’; there are steps/], [{ steps: 0 }, /steps is 0/],
      [{ steps: NaN }, /steps is NaN/], [null, /options are an object/]]) {
      assert.throws(() => new Trainer(l, toy(), null, options), { code: 'bad-argument', message });
    }
    const one = await trainer();
    for (const [options, message] of [[{ signal: 1 }, /^run: signal is ‘1’; it is an AbortSignal/],
      [{ abort: 1 }, /no option ‘abort’/]]) {
      await assert.rejects(one.run(options).next(), { code: 'bad-argument', message });
    }
    for (const [options, message] of [[{ signal: 1 }, /^start: signal is/], [{ frames: 0 }, /frames is 0/],
      [{ onLearn: () => {} }, /no option ‘onLearn’; .*onLearned/],
      [{ onLearned: 3 }, /onLearned is ‘3’; it is a func/],
      [{ size: { layers: 0 } }, /layers is 0/], [{ size: { width: 8 } }, /no option ‘width’; there are layers, heads/],
      [{ seed: 0.5 }, /seed is/]]) {
      await assert.rejects(RemoteTraining.start('sort', options), { code: 'bad-argument', message });
    }
  });

  test('in a Worker, pause and resume at any time keep one loop and the same losses', async () => {
    /** @param {(training: RemoteTraining) => void} disturb */
    const losses = async (disturb) => {
      const all = [];
      const training = await RemoteTraining.start('reverse', { steps: 40, frames: 20, onLearned(learned) {
        all.push(...learned.losses);
        if (learned.step < 30) disturb(training);
      } });
      disturb(training); // before the training starts
      await training.ended;
      return all;
    };
    const straight = await losses(() => {});
    assert.equal(straight.length, 40);
    const twice = (training) => {
      for (const call of ['pause', 'resume', 'pause', 'resume', 'resume']) training[call]();
    };
    assert.deepEqual(await losses(twice), straight);
  });

  test('in a Worker, an abort during the start is an error, and no listener remains at the end', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    let listeners = 0;
    for (const [way, count] of [['addEventListener', 1], ['removeEventListener', -1]]) {
      const original = signal[way].bind(signal);
      signal[way] = (...parameters) => {
        listeners += count;
        original(...parameters);
      };
    }
    await (await RemoteTraining.start('reverse', { steps: 1, signal })).ended;
    assert.equal(listeners, 0);
    const starting = RemoteTraining.start('reverse', { steps: 1000, signal });
    controller.abort();
    await assert.rejects((await starting).ended, { code: 'aborted' });
  });

  test('a second run supersedes the first, and continues with the same bits', async () => {
    const alone = await train(await trainer());
    const one = await trainer();
    const seen = [];
    const run = async () => {
      for await (const { step, loss } of one.run()) seen.push([step, loss]);
    };
    const [first, second] = await Promise.allSettled([run(), run()]);
    assert.deepEqual([first.status, first.reason?.code], ['rejected', 'superseded']);
    assert.equal(second.status, 'fulfilled', String(second.reason));
    assert.deepEqual(seen, alone.map(({ step, loss }) => [step, loss]));
  });

  test('takes only a lab and a recipe', async () => {
    const l = await lab();
    open.push(l);
    assert.throws(() => new Trainer(null, toy(), null), { code: 'bad-argument', message: /expected a lab.*‘null’/ });
    for (const recipe of [null, 'reverse', {}]) {
      assert.throws(() => new Trainer(l, recipe, null), { code: 'bad-argument', message: /findRecipe\('reverse'\)/ });
    }
  });

  test('reports a non-finite gradient with its step and operation, clipped or not', async () => {
    for (const clip of [1, undefined]) {
      const recipe = { ...toy(), clip };
      const { loss } = recipe;
      recipe.loss = (l, w, config, batch) => { // in step 6 the loss is unchanged, but its gradient is 1e40
        const straight = loss(l, w, config, batch);
        if (one.step !== 5) return straight;
        return l.add(straight, l.sum(l.scale(l.scale(l.scale(w['in.bias'], 1e-30), 1e20), 1e20, 0)));
      };
      const one = await trainer(recipe);
      let before;
      const run = async () => {
        for await (const { step } of one.run()) if (step === 5) before = one.save();
      };
      const message = new RegExp('^In step 6, the gradient of ‘in.bias’ is not finite: it first appeared in ' +
        'the backward pass of affine, operation 7 of this step\\. Check');
      await assert.rejects(run, { code: 'not-finite', message });
      assert.equal(one.step, 5);
      assert.deepEqual(one.save(), before, 'nothing has changed');
    }
  });

  test('reports a NaN in the data with the step and the operation, resumed or not', async () => {
    const expected = { code: 'not-finite', message: /^In step 6, .*NaN first appeared in linear, operation 1/ };
    await assert.rejects(train(await trainer(toy({ broken: 5 }))), expected);
    const first = await trainer(toy({ broken: 5 }));
    await train(first, 3);
    const second = await trainer(toy({ broken: 5 }));
    await second.restore(first.checkpoint());
    await assert.rejects(train(second), expected);
    assert.equal(second.step, 5, 'steps done');
  });
});

describe('checkpoints on disk', () => {
  let folder;
  let path;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'heed-checkpoints-'));
    path = join(folder, 'toy.checkpoint.safetensors');
  });
  after(() => rmSync(folder, { recursive: true }));

  /** Two states of one training, at steps 2 and 5. */
  async function twoStates() {
    const one = await trainer();
    await train(one, 2);
    const checkpoints = new Checkpoints(path);
    await checkpoints.write(one.checkpoint());
    await train(one, 5);
    await checkpoints.write(one.checkpoint());
    return checkpoints;
  }

  test('the checksum is CRC-32', () => {
    assert.equal(crc32(new TextEncoder().encode('123456789')), 0xcbf43926);
    assert.equal(crc32(new TextEncoder().encode('6789'), crc32(new TextEncoder().encode('12345'))), 0xcbf43926);
  });

  test('the last two remain, and no other file', async () => {
    const checkpoints = await twoStates();
    assert.deepEqual(readdirSync(folder).sort(), ['toy.checkpoint.previous.safetensors', 'toy.checkpoint.safetensors']);
    const one = await trainer();
    assert.ok(await checkpoints.restore(one));
    assert.equal(one.step, 5);
    await checkpoints.remove();
    assert.deepEqual(readdirSync(folder), []);
    assert.equal(await checkpoints.restore(one), false);
  });

  test('damage at any byte of the newest is found, and the previous checkpoint is used', async () => {
    const checkpoints = await twoStates();
    const whole = readFileSync(path);
    const state = await trainer();
    const damages = Array.from({ length: 40 }, (_, i) => Math.floor((whole.length * i) / 40)).map((at) => {
      const damaged = Buffer.from(whole);
      damaged[at] ^= 1;
      return damaged;
    });
    for (const damaged of [...damages, whole.subarray(0, 100), whole.subarray(0, -1), Buffer.alloc(0)]) {
      writeFileSync(path, damaged);
      await checkpoints.restore(state);
      assert.equal(state.step, 2);
    }
    rmSync(path); // a power cut between two renames
    await checkpoints.restore(state);
    assert.equal(state.step, 2);
  });

  test('a NaN in a checkpoint is an error that names the tensor', async () => {
    const one = await trainer();
    one.weights['out.weight'].data[3] = NaN;
    const broken = one.checkpoint();
    await assert.rejects((await trainer()).restore(broken), { code: 'not-finite', message: /‘out.weight’/ });
    const other = await trainer();
    const { metadata } = await fromSafetensors(other.checkpoint());
    assert.match(metadata.checksum, /^[0-9a-f]{8}$/);
  });

  test('if neither can be used, the error is about the newest', async () => {
    const checkpoints = await twoStates();
    for (const file of readdirSync(folder)) writeFileSync(join(folder, file), 'nothing');
    await assert.rejects(checkpoints.restore(await trainer()), { code: /^(bad-file|truncated)$/, message: /--fresh/ });
  });

  test('a full disk leaves both unchanged', async () => {
    const checkpoints = await twoStates();
    const before = readdirSync(folder).map((file) => readFileSync(join(folder, file)));
    symlinkSync('/dev/full', `${path}.part`);
    await assert.rejects(checkpoints.write(new Uint8Array(9)), { code: 'unavailable' });
    assert.deepEqual(readdirSync(folder).map((file) => readFileSync(join(folder, file))), before);
  });
});

describe('heed train', () => {
  const ROOT = fileURLToPath(new URL('../..', import.meta.url));
  const CLI = [join(ROOT, 'js/cli.js'), 'train'];
  const NAME = 'dates-luong-dot';
  let folder;
  before(() => { folder = mkdtempSync(join(tmpdir(), 'heed-train-')); });
  after(() => rmSync(folder, { recursive: true }));
  const heed = (...args) => spawnSync(process.execPath, [...CLI, ...args], { encoding: 'utf8', cwd: folder });

  test('stopped by Ctrl-C and run again, it continues and prints the path of the model', async () => {
    // Enough steps that a late signal still arrives before the last step.
    const args = [NAME, '--steps', '60', '--out', 'out', '--checkpoints', 'states', '--json'];
    const stopped = spawn(process.execPath, [...CLI, ...args], { cwd: folder });
    let told = '';
    stopped.stderr.on('data', (text) => {
      if (!told) stopped.kill('SIGINT'); // the first output reports a finished step
      told += text;
    });
    const [status] = await once(stopped, 'exit');
    assert.equal(status, 130, told);
    assert.match(told, /stopped at step (\d+); the same command continues/);
    const checkpoint = join(folder, `states/${NAME}.checkpoint.safetensors`);
    assert.ok(existsSync(checkpoint));
    assert.deepEqual(readdirSync(join(folder, 'out')), [], 'no model yet');

    const resumed = heed(...args);
    assert.equal(resumed.status, 0, resumed.stderr);
    assert.match(resumed.stderr, new RegExp(`continuing from step ${/stopped at step (\d+)/.exec(told)[1]} `));
    const { figures, ...result } = JSON.parse(resumed.stdout);
    assert.deepEqual(result, { name: NAME, file: `out/${NAME}.safetensors`, steps: 60, seed: 1, meetsGoal: false });
    assert.deepEqual(Object.keys(figures), ['exact', 'loss']);
    assert.ok(!existsSync(checkpoint), 'the checkpoint is removed');

    const recipe = await findRecipe(NAME);
    const whole = await trainer(recipe, { seed: 1, steps: 60 });
    await train(whole);
    assert.deepEqual(new Uint8Array(readFileSync(join(folder, result.file))), whole.save(), 'as without a stop');
  });

  test('lists the recipes, and names missing data', async () => {
    const unknown = heed('dates-nobody');
    assert.equal(unknown.status, 1);
    assert.match(unknown.stderr, /Unknown recipe ‘dates-nobody’; expected one of dates-no-attention, dates-bahdanau, /);
    assert.equal(heed().status, 2);
    const needs = { ...toy(), files: [{ name: 'poems.txt', what: 'poems', from: 'a library' }] };
    await assert.rejects(readData(needs, 'nowhere'), { code: 'bad-file',
      message: /toy learns from poems: put poems.txt into nowhere, .* It comes from a library/ });
    writeFileSync(join(folder, 'poems.txt'), 'O rose');
    const data = await readData({ ...needs, data: (files) => files }, folder);
    assert.equal(new TextDecoder().decode(data['poems.txt']), 'O rose');
  });

  test('refuses a checkpoint of another training', () => {
    const path = join(folder, `${NAME}.checkpoint.safetensors`);
    writeFileSync(path, 'no checkpoint');
    const { status, stderr } = heed(NAME);
    assert.equal(status, 1);
    assert.match(stderr, /the checkpoint.*--fresh/);
    assert.ok(existsSync(path));
    rmSync(path);
  });

  const QUICK = 'sort';

  test('an unwritable output is an error before the training', () => {
    const refused = (what, ...args) => {
      const { status, stderr } = heed(QUICK, '--steps', '2', ...args);
      assert.equal(status, 1, what);
      assert.match(stderr, what);
      assert.doesNotMatch(stderr, /step 1/, 'no step ran');
    };
    writeFileSync(join(folder, 'a-file'), '');
    refused(/checkpoint a-file\/.* could not be read.*\[unavailable\]/, '--out', 'a-file');
    refused(/heed: a-file\/.* could not be written.*--out/, '--out', 'a-file', '--checkpoints', '.');
    mkdirSync(join(folder, `taken/${QUICK}.safetensors`), { recursive: true });
    refused(/heed: taken\/.*\.safetensors is not a file/, '--out', 'taken');
    mkdirSync(join(folder, `states-taken/${QUICK}.checkpoint.safetensors`), { recursive: true });
    refused(/checkpoint states-taken\/.* could not be read/, '--checkpoints', 'states-taken');
  });

  test('keeps the checkpoint if the disk is full at the end', () => {
    mkdirSync(join(folder, 'full'));
    const part = join(folder, `full/${QUICK}.safetensors.part`);
    symlinkSync('/dev/full', part);
    const args = [QUICK, '--steps', '2', '--out', 'full', '--checkpoints', 'kept'];
    const { status, stderr } = heed(...args);
    assert.equal(status, 1);
    assert.match(stderr, /the trained weights are in kept\/.*the same command writes the model/);
    assert.match(stderr, /full\/.*\.safetensors could not be written.*no space left/);
    rmSync(part, { force: true });
    const again = heed(...args);
    assert.equal(again.status, 0, again.stderr);
    assert.match(again.stderr, /continuing from step 2 /);
    assert.deepEqual([readdirSync(join(folder, 'full')), readdirSync(join(folder, 'kept'))],
      [[`${QUICK}.safetensors`], []]);
  });
});
