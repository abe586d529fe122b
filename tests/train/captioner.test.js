// The captioner: against PyTorch, its data, its errors, and the shipped file.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { lab, randomFrom } from '../../js/lab/index.js';
import { openCaptioner } from '../../js/train/index.js';
import * as bahdanau from '../../js/train/models/bahdanau.js';
import { captionerLoss, encode } from '../../js/train/models/captioner.js';
import recipe from '../../js/train/recipes/shapes.js';
import { LABELS, REACH, SIZE, WORDS, describe as sentenceOf, draw, isHeldOut, labelOf, shapesOf }
  from '../../js/train/tasks/shapes.js';
import { vocabulary } from '../../js/train/tasks/vocabulary.js';
import { Trainer } from '../../js/train/trainer.js';
import { close, golden } from '../support/lab.js';
import { sameBits } from '../support/tolerance.js';

/** The tiny model of tools/goldens/captioner.py. */
const TINY = /** @type {import('../../js/train/models/captioner.js').CaptionerConfig} */ ({ model: 'captioner',
  size: 6, channels: 2, patch: 3, width: 8, heads: 2, feedForward: 12, blocks: 2, embedding: 5,
  hidden: 7, labels: ['a', 'b', 'c'], target: [...'0123456'], longest: 3 });

/** A stored model, its pictures, and a batch of its sentences.
 *  @param {import('../../js/lab/index.js').Lab} l @param {string} name */
async function tinyModel(l, name) {
  const stored = await golden(name, 'captioner');
  const learned = Object.keys(stored).filter((each) => `grad.${each}` in stored);
  const w = Object.fromEntries(learned.map((each) =>
    [each, l.parameter(stored[each].data, stored[each].shape, each)]));
  const [batch, time] = stored.inputs.shape;
  const sequences = (/** @type {string} */ each) => ({ ids: Int32Array.from(stored[each].data),
    lengths: new Int32Array(batch).fill(time), shape: { batch, time } });
  const size = stored.pictures.data.length / batch;
  const pictures = Array.from({ length: batch }, (_, i) => stored.pictures.data.slice(i * size, (i + 1) * size));
  return { stored, w, learned, batch: { pictures, input: sequences('inputs'), wanted: sequences('targets'),
    labels: Array.from(stored.labels.data) } };
}

for (const engine of /** @type {const} */ (['scalar', 'simd128'])) {
  test(`PyTorch's values and gradients, ${engine}`, async () => {
    const l = await lab({ engine });
    const { stored, w, learned, batch } = await tinyModel(l, 'captioner');
    l.step(() => {
      const { memory, labels, maps } = encode(l, w, TINY, batch.pictures);
      const decoded = bahdanau.decode(l, w, /** @type {any} */ (TINY), memory, memory.state, batch.input);
      close(decoded.logits.data, stored.logits.data, 'logits');
      close(decoded.maps().pattern.data, stored.pattern.data, 'pattern');
      close(labels.data, stored.label_logits.data, 'labels');
      close(maps[0].pattern.data, stored.map0.data, 'map 0');
      const loss = captionerLoss(l, w, TINY, batch);
      close(loss.data, stored.loss.data, 'loss');
      l.backward(loss);
    });
    for (const name of learned) close(w[name].grad, stored[`grad.${name}`].data, name);
  });

  test(`PyTorch's values and gradients of hard attention, ${engine}`, async () => {
    const l = await lab({ engine });
    const { stored, w, learned, batch } = await tinyModel(l, 'hard');
    const draws = Array.from(stored.draws.data);
    l.step(() => {
      const loss = captionerLoss(l, w, { ...TINY, attention: 'hard' },
        { ...batch, random: () => /** @type {number} */ (draws.shift()) });
      close(loss.data, stored.loss.data, 'loss: the estimate of the choices adds 0');
      l.backward(loss);
    });
    assert.equal(draws.length, 0, 'one draw for each word of each sample');
    for (const name of learned) close(w[name].grad, stored[`grad.${name}`].data, name);
    assert.ok(w['attention.W_q.weight'].grad?.some((x) => x !== 0), 'the choices have a gradient');
  });
}

describe('patches', () => {
  test('each patch has its channels, rows and columns in this order', async () => {
    const l = await lab();
    const x = l.tensor(Float32Array.from({ length: 2 * 4 * 6 }, (_, i) => i), { batch: 1, channel: 2, y: 4, x: 6 });
    const patches = l.patches(x, 2);
    assert.deepEqual(patches.shape, { batch: 1, patch: 6, pixel: 8 });
    assert.deepEqual(Array.from(patches.data.subarray(8, 16)), [2, 3, 8, 9, 26, 27, 32, 33]);
  });

  test('other axes and sizes are refused', async () => {
    const l = await lab();
    assert.throws(() => l.patches(l.tensor(new Float32Array(12), [1, 1, 3, 4]), 2), { code: 'bad-shape',
      message: /^patches: expected x \[batch\]\[channel\]\[height\]\[width\]/ });
    assert.throws(() => l.patches(l.tensor(new Float32Array(12), [3, 4]), 2), { code: 'bad-shape' });
    assert.throws(() => l.patches(l.tensor(new Float32Array(16), [1, 1, 4, 4]), 0), { code: 'bad-argument' });
  });
});

describe('pictures of shapes', () => {
  const red = { shape: 'circle', color: 'red', x: 10, y: 8, size: 5 };
  const blue = { shape: 'square', color: 'blue', x: 22, y: 20, size: 3 };

  test('the larger shape comes first, and the dominant axis decides the place', () => {
    assert.equal(sentenceOf([red]), 'a red circle');
    assert.equal(sentenceOf([blue, red]), 'a red circle above a blue square');
    assert.equal(sentenceOf([red, { ...blue, y: 10 }]), 'a red circle left of a blue square');
    assert.equal(sentenceOf([{ ...red, size: 2 }, blue]), 'a blue square below a red circle');
    assert.equal(sentenceOf([{ ...red, size: 2, y: 19 }, blue]), 'a blue square right of a red circle');
    assert.equal(LABELS[labelOf([blue, red])], 'red circle');
  });

  test('a shape has its color and its area, and the rest is white', () => {
    const picture = draw([red]);
    const at = (/** @type {number} */ x, /** @type {number} */ y) =>
      [0, 1, 2].map((channel) => picture[(channel * SIZE + y) * SIZE + x].toFixed(2));
    assert.deepEqual(at(10, 8), ['0.86', '0.20', '0.18']);
    assert.deepEqual(at(25, 25), ['1.00', '1.00', '1.00']);
    const covered = picture.subarray(0, SIZE * SIZE).reduce((sum, value) => sum + (1 - value) / (1 - 0.86), 0);
    assert.ok(Math.abs(covered - Math.PI * 25) < 2, String(covered));
  });

  test('training never draws a held-out sentence, and validation draws only held-out sentences', () => {
    const random = randomFrom(3);
    for (let i = 0; i < 300; i++) {
      const [seen, unseen] = [false, true].map((heldOut) => shapesOf(random, heldOut));
      assert.ok(!isHeldOut(sentenceOf(seen)) && isHeldOut(sentenceOf(unseen)));
      for (const { x, y, size } of [...seen, ...unseen]) {
        assert.ok(Math.min(x, y) >= REACH * size && Math.max(x, y) <= SIZE - REACH * size, 'within the picture');
      }
      assert.ok(sentenceOf(unseen).split(' ').every((word) => WORDS.includes(word)));
    }
  });
});

test('the first steps of the recipe reduce the loss, and a resumed training gives the same bits', async () => {
  const small = { ...recipe, config: (/** @type {{ target: string[] }} */ data) =>
    ({ ...recipe.config(data), width: 16, heads: 2, feedForward: 16, blocks: 1, hidden: 16 }),
    rate: () => 0.01 };
  const begin = async () => new Trainer(await lab({ seed: 4 }), small, recipe.data(), { steps: 8 });
  const whole = await begin();
  const first = await begin();
  const second = await begin();
  const losses = [];
  for await (const { loss } of whole.run()) losses.push(loss);
  assert.ok(losses[7] < losses[0], String(losses));
  for await (const { step } of first.run()) if (step === 3) break;
  await second.restore(first.checkpoint());
  for await (const _ of second.run());
  for (const [name, { data }] of Object.entries(whole.weights)) sameBits(second.weights[name].data, data, name);
});

describe('the shipped models', () => {
  /** @type {Record<'shapes' | 'shapes-hard', Awaited<ReturnType<typeof openCaptioner>>>} */ let models;
  /** @type {Awaited<ReturnType<typeof openCaptioner>>} */ let model;
  /** @type {import('../../js/lab/index.js').Lab} */ let l;
  before(async () => {
    l = await lab();
    const open = async (/** @type {string} */ name) => openCaptioner(l, new Uint8Array(await readFile(
      new URL(`../../models/${name}.safetensors`, import.meta.url))));
    models = { 'shapes': await open('shapes'), 'shapes-hard': await open('shapes-hard') };
    model = models.shapes;
  });
  after(() => l?.dispose());

  for (const name of /** @type {const} */ (['shapes', 'shapes-hard'])) {
    test(`${name}: its rate of correct captions on fresh pictures equals the figure of its file`, () => {
      const random = randomFrom(1);
      const { captionAll, figures, config } = models[name];
      for (const [unseen, figure] of /** @type {const} */ ([[false, 'exact'], [true, 'unseen sentences']])) {
        const scenes = Array.from({ length: 64 }, () => shapesOf(random, unseen));
        const found = captionAll(scenes.map((shapes) => draw(shapes, random)));
        const right = found.filter(({ text }, i) => text === sentenceOf(scenes[i])).length;
        assert.ok(Math.abs(right / 64 - figures[figure]) < 0.07, `${right} of 64, ${figures[figure]}`);
      }
      assert.deepEqual(config.target, vocabulary(WORDS));
    });
  }

  test('hard attention gives each word the patch with the largest score', () => {
    const picture = draw([{ shape: 'circle', color: 'red', x: 11, y: 9, size: 6 }]);
    const caption = models['shapes-hard'].caption(picture);
    assert.equal(caption.text, 'a red circle');
    const [pattern, scores] = (/** @type {const} */ (['pattern', 'scores'])).map((kind) =>
      caption.attention({ layer: 0, head: 0, kind }).data);
    for (let word = 0; word < 3; word++) {
      const row = scores.subarray(64 * word, 64 * (word + 1));
      const best = row.indexOf(Math.max(...row));
      assert.deepEqual(Array.from(pattern.subarray(64 * word, 64 * (word + 1))),
        Array.from({ length: 64 }, (_, patch) => Number(patch === best)));
    }
  });

  test('a caption has maps of the decoder and of the encoder', () => {
    const shapes = [{ shape: 'triangle', color: 'yellow', x: 8, y: 16, size: 5 }];
    const caption = model.caption(draw(shapes));
    assert.equal(caption.text, 'a yellow triangle');
    assert.equal(caption.label, 'yellow triangle');
    const { data, queries, keys } = caption.attention({ layer: 0, head: 0 });
    assert.deepEqual([queries, keys, data.length], [3, 64, 192]);
    const encoder = caption.attention({ of: 'encoder.attn', layer: 1, head: 3, queries: [0, 1] });
    assert.equal(encoder.keys, 65);
    assert.ok(Math.abs(encoder.data.reduce((sum, weight) => sum + weight, 0) - 1) < 1e-5);
    const both = model.captionAll([draw(shapes), draw([{ ...shapes[0], color: 'green' }])]);
    assert.deepEqual(both.map(({ text }) => text), ['a yellow triangle', 'a green triangle']);
  });

  test('invalid pictures are refused with a message', async () => {
    const refused = (/** @type {any} */ picture) => assert.throws(() => model.caption(picture),
      { code: 'bad-argument', message: /^A picture must be a Float32Array of 3072 finite numbers/ });
    for (const picture of [null, [1, 2], new Float32Array(3071), new Float32Array(3072).fill(NaN),
      new Float32Array(3072).fill(255)]) refused(picture);
    assert.throws(() => model.captionAll([]), { code: 'bad-argument' });
    assert.throws(() => model.caption(draw([]), { beam: 0 }), { code: 'bad-argument' });
    const other = new Uint8Array(await readFile(new URL('../../models/sentiment.safetensors', import.meta.url)));
    await assert.rejects(openCaptioner(l, other), { code: 'unsupported' });
  });
});
