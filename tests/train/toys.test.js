// The small models: exact with hand-set weights, the shipped figures, and training in a Worker.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { lab, randomFrom } from '../../js/lab/index.js';
import { openModel } from '../../js/train/models/index.js';
import { histogramByHand, identityByHand, toyGpt } from '../../js/train/models/toy-gpt.js';
import { findRecipe } from '../../js/train/recipes.js';
import { RemoteTraining } from '../../js/train/remote.js';
import { BOS, LENGTH, LETTERS, TOKENS, counts, everySequence } from '../../js/train/tasks/histogram.js';
import * as letters from '../../js/train/tasks/letters.js';
import { Trainer } from '../../js/train/trainer.js';

let l;
before(async () => { l = await lab({ seed: 1 }); });
after(() => l.dispose());

/** Runs a toy GPT over sequences of one length. */
function run(weights, sequences) {
  const ids = Int32Array.from(sequences.flatMap((ids) => [...ids]));
  return l.evaluate(() => {
    const { output, pattern } = toyGpt(l, weights, ids, { batch: sequences.length, time: sequences[0].length });
    return { output: output.data.slice(), pattern: pattern.data.slice(), ids };
  });
}

/** Tolerance for softmax over up to 31 keys, and for sums of up to 31 terms 2m·(1/m − x) of at most 2. */
const EXACT = 1e-5;
const allNear = (actual, expected, what) => expected.forEach((value, i) =>
  assert.ok(Math.abs(actual[i] - value) <= EXACT, `${what}: [${i}] is ${actual[i]}, not ${value}`));

describe('hand-set weights', () => {
  test('there are 5,456 sequences of 30 letters, up to their order', () => {
    const all = everySequence();
    assert.equal(all.length, 5456);
    assert.equal(new Set(all.map(String)).size, all.length);
    for (const ids of all) assert.ok(ids.length === LENGTH + 1 && ids[0] === BOS && ids.every((id) => id <= LETTERS));
  });

  test('counting equals the definition of the course', () => {
    const ids = [...'⊢aababc'].map((token) => TOKENS.indexOf(token));
    assert.deepEqual([...counts(ids)], [0, 3, 3, 2, 3, 2, 1]);
  });

  for (const [name, make, expected] of [['identity', identityByHand, (ids) => ids],
    ['histogram', histogramByHand, counts]]) {
    test(`${name}: exact on every sequence of 30 letters`, () => {
      const weights = make(l);
      const all = everySequence();
      for (let from = 0; from < all.length; from += 496) {
        const part = all.slice(from, from + 496);
        allNear(run(weights, part).output, part.flatMap((ids) => [...expected(ids)]), name);
      }
    });

    test(`${name}: exact in any order and for any length up to 30`, () => {
      const weights = make(l);
      const random = randomFrom(7);
      for (let length = 1; length <= LENGTH; length++) {
        const some = Array.from({ length: 20 }, () =>
          [BOS, ...Array.from({ length }, () => 1 + Math.floor(random() * LETTERS))]);
        allNear(run(weights, some).output, some.flatMap((ids) => [...expected(ids)]), `${name} of ${length}`);
      }
    });
  }

  test('a letter attends only to equal letters and to BOS, with equal weights', () => {
    const ids = [BOS, 1, 1, 2, 3, 1];
    const { pattern } = run(histogramByHand(l), [ids]);
    const n = counts(ids);
    ids.forEach((query, q) => ids.forEach((key, k) => {
      const seen = key === BOS || (query !== BOS && key === query);
      allNear([pattern[q * ids.length + k]], [seen ? 1 / (n[q] + 1) : 0], `from ${q} to ${k}`);
    }));
  });
});

describe('letters', () => {
  test('answers', () => {
    const ids = [2, 0, 3, 1, 2, 5, 4, 9];
    const answers = Object.entries(letters.TASKS);
    assert.deepEqual(Object.fromEntries(answers.map(([name, task]) => [name, task(ids)])), {
      copy: ids, reverse: [9, 4, 5, 2, 1, 3, 0, 2], sort: [0, 1, 2, 2, 3, 4, 5, 9],
    });
  });

  test('held-out sequences are never in training, and both parts are drawn', () => {
    const random = randomFrom(3);
    const drawn = [false, true].map((heldOut) =>
      Array.from({ length: 200 }, () => letters.sequence(random, heldOut)));
    assert.ok(drawn[0].every((ids) => !letters.isHeldOut(ids)) && drawn[1].every((ids) => letters.isHeldOut(ids)));
    assert.ok(new Set(drawn[1].map(String)).size > 190);
  });

  test('only the answer of an example counts in the loss', () => {
    const { ids, targets } = letters.example([1, 2, 3, 4, 5, 6, 7, 8], [8, 7, 6, 5, 4, 3, 2, 1]);
    const arrow = letters.TOKENS.indexOf('→');
    assert.deepEqual(ids, [1, 2, 3, 4, 5, 6, 7, 8, arrow, 8, 7, 6, 5, 4, 3, 2]);
    assert.deepEqual(targets.slice(8), [8, 7, 6, 5, 4, 3, 2, 1]);
    assert.ok(targets.slice(0, 8).every((id) => id === -100));
  });
});

/** A trainer of a recipe, in a new lab. */
async function trainerOf(name) {
  const recipe = await findRecipe(name);
  return new Trainer(await lab({ seed: 1 }), recipe, await recipe.data({}));
}

for (const name of ['copy', 'reverse', 'sort', 'histogram']) {
  test(`${name}: the shipped model meets its figure`, async () => {
    const trainer = await trainerOf(name);
    const file = await readFile(new URL(`../../models/${name}.safetensors`, import.meta.url));
    await trainer.lab.assign(trainer.weights, file);
    trainer.validate();
    assert.ok(trainer.meetsGoal, JSON.stringify(trainer.figures));
    trainer.lab.dispose();
  });
}

describe('trained in a Worker', { timeout: 60_000 }, () => {
  test('a paused training meets its goal with the bits of an uninterrupted training', async () => {
    const trainer = await trainerOf('reverse');
    for await (const { step } of trainer.run()) assert.ok(step <= 200);
    const expected = Buffer.from(trainer.save());
    const last = trainer.watch();
    trainer.lab.dispose();

    const losses = [];
    const frames = [];
    const training = await RemoteTraining.start('reverse', {
      frames: 20,
      files: true,
      onBegan: ({ frame }) => frames.push(frame),
      onLearned(learned) {
        losses.push(...learned.losses);
        assert.equal(losses.length, learned.step);
        if (learned.frame) frames.push(learned.frame);
        if (learned.step === 50) {
          training.pause();
          training.pause();
          setTimeout(() => training.resume(), 20);
        }
      },
    });
    const { step, meetsGoal, figures, file } = await training.ended;
    assert.ok(meetsGoal, JSON.stringify(figures));
    assert.equal(step, 200);
    assert.equal(losses.length, 200);
    assert.deepEqual(frames.map((frame) => frame.step), Array.from({ length: 21 }, (_, i) => 10 * i));
    assert.ok(Buffer.from(file).equals(expected), 'the same weights');
    assert.ok(Buffer.from(frames[20].file).equals(expected), 'the last frame has the final weights');
    assert.equal(new Set(frames.map((frame) => Buffer.from(frame.file).toString('hex'))).size, 21);
    assert.deepEqual(frames[20].data, last.data);
    assert.deepEqual(frames[20].answer, frames[20].wanted);
    assert.notDeepEqual(frames[0].answer, frames[0].wanted);
    assert.ok(losses[0] > 2.5 && losses[199] < 0.05);
    // The head of reverse attends to the copied letter, at the mirrored position around the arrow.
    const { data, tokens } = frames[20];
    for (let i = 0; i < 8; i++) assert.ok(data[(8 + i) * tokens.length + 7 - i] > 0.9, `answer ${i}`);
  });

  test('a size replaces the layers and heads of the recipe', async () => {
    /** @type {import('../../js/train/remote.js').Began[]} */
    const began = [];
    const training = await RemoteTraining.start('reverse', { steps: 1, size: { layers: 2, heads: 4 },
      onBegan: (state) => began.push(state) });
    const { file } = await training.ended;
    const { layers, heads, data, tokens } = began[0].frame;
    assert.deepEqual([layers, heads, data.length], [2, 4, 2 * 4 * tokens.length ** 2]);
    const { config } = await openModel(l, file);
    assert.deepEqual([config.layers, config.heads, config.width], [2, 4, 32]);
    const one = await RemoteTraining.start('sort', { steps: 1, size: { heads: 2 } });
    assert.deepEqual((({ layers: n, heads: h }) => [n, h])(
      (await openModel(l, (await one.ended).file)).config), [2, 2]);
    await assert.rejects((await RemoteTraining.start('histogram', { size: { layers: 2 } })).ended,
      { code: 'unsupported', message: /‘histogram’ has one size/ });
    await assert.rejects((await RemoteTraining.start('copy', { steps: 1, size: { heads: 3 } })).ended,
      { code: 'bad-shape', message: /32 features are not a multiple of 3 heads/ });
  });

  test('cancel() ends it at once with an error', async () => {
    const training = await RemoteTraining.start('sort', { onLearned: ({ step }) => step > 3 && training.cancel() });
    await assert.rejects(training.ended, { code: 'aborted', message: /^The training was cancelled after step \d+\.$/ });
    training.resume();
  });

  test('a signal cancels it, before the start or later', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const training = await RemoteTraining.start('copy', { signal });
    controller.abort();
    await assert.rejects(training.ended, { code: 'aborted' });
    await assert.rejects(RemoteTraining.start('copy', { signal }), { code: 'aborted' });
  });

  test('an unknown recipe is an error with its name', async () => {
    await assert.rejects((await RemoteTraining.start('nothing')).ended,
      { name: 'HeedError', code: 'bad-argument', message: /‘nothing’/ });
  });
});
