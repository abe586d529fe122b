// Input feeding and local attention: the shipped models step by step and in one pass, the windows, and the gradient.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { lab, randomFrom } from '../../js/lab/index.js';
import { openTranslator } from '../../js/train/models/index.js';
import { decode, encode } from '../../js/train/models/luong.js';
import { rnnLoss, rnnWeights } from '../../js/train/models/rnn-seq2seq.js';
import { unseenPairs } from '../../js/train/recipes/dates-rnn.js';
import { findRecipe } from '../../js/train/recipes.js';
import { BEGIN, padded, translationBatch } from '../../js/train/tasks/vocabulary.js';

/** Models, and the least number of exact dates among 200. */
const MODELS = { 'dates-luong-feeding': 184, 'dates-luong-local-m': 170, 'dates-luong-local-p': 145,
  'dates-luong-local-m-feeding': 156, 'dates-luong-local-p-feeding': 196 };

/** @type {import('../../js/lab/index.js').Lab} */ let l;
before(async () => { l = await lab({ engine: 'simd128', seed: 3 }); });
after(() => l.dispose());

for (const [name, least] of Object.entries(MODELS)) {
  describe(name, () => {
    /** @type {Awaited<ReturnType<typeof openTranslator>>} */ let model;
    before(async () => {
      model = await openTranslator(l, await readFile(new URL(`../../models/${name}.safetensors`, import.meta.url)));
    });

    test('translates unseen dates as the card says, alone and in a batch', () => {
      const pairs = unseenPairs(200, 20);
      const translations = model.translateAll(pairs.map(({ source }) => source));
      const exact = translations.filter(({ text }, i) => text === pairs[i].target).length;
      assert.ok(exact >= least, `${exact} of 200`);
      for (const i of [0, 1, 2]) assert.deepEqual(model.translate(pairs[i].source).ids, translations[i].ids);
    });

    test('one pass over the translation predicts what the steps wrote', () => {
      const { config, weights, translate } = model;
      const { ids, source } = translate('the 3rd of may 1979');
      l.evaluate(() => {
        const memory = encode(l, weights, config, padded([source.map((symbol) => config.source.indexOf(symbol))]));
        const { logits } = decode(l, weights, config, memory, memory.state, padded([[BEGIN, ...ids.slice(0, -1)]]));
        const symbols = config.target.length;
        const best = ids.map((_, i) => {
          const row = logits.data.subarray(i * symbols, (i + 1) * symbols);
          return row.indexOf(Math.max(...row));
        });
        assert.deepEqual(best, ids);
      });
    });
  });
}

test('local-p sees only its window, and weighs it by the Gaussian', async () => {
  const { config, weights, translate } = await openTranslator(l, await readFile(
    new URL('../../models/dates-luong-local-p.safetensors', import.meta.url)));
  const translation = translate('saturday, june 9th, 2001');
  const { source, ids, cache } = translation;
  const pattern = cache['decoder.0.cross_attn.hook_pattern'].data;
  const scores = cache['decoder.0.cross_attn.hook_attn_scores'].data;
  l.evaluate(() => {
    const memory = encode(l, weights, config, padded([source.map((symbol) => config.source.indexOf(symbol))]));
    const { centers } = decode(l, weights, config, memory, memory.state, padded([[BEGIN, ...ids.slice(0, -1)]]));
    for (const [i, center] of centers().data.entries()) {
      const distances = source.map((_, j) => j + 1 - center);
      const seen = distances.map((d) => Math.abs(d) <= config.window);
      const row = scores.subarray(i * source.length, (i + 1) * source.length);
      assert.deepEqual(Array.from(row, Number.isFinite), seen);
      const all = row.filter(Number.isFinite).reduce((sum, score) => sum + Math.exp(score), 0);
      for (const [j, score] of row.entries()) {
        const expected = seen[j] ? Math.exp(score) / all * Math.exp(-2 * (distances[j] / config.window) ** 2) : 0;
        const weight = pattern[i * source.length + j];
        assert.ok(Math.abs(weight - expected) < 1e-5, `row ${i}, column ${j}: ${weight}, not ${expected}`);
      }
    }
  });
});

test('the gradient of local-p with input feeding is the slope of the loss', async () => {
  const config = { model: 'rnn-seq2seq', attention: 'luong', score: 'bilinear', scope: 'local-p', window: 3,
    inputFeeding: true, embedding: 4, hidden: 6, source: new Array(9), target: new Array(7), longest: 9 };
  const weights = rnnWeights(l, config);
  const batch = translationBatch([{ source: [5, 3, 8, 4, 6], target: [3, 5, 4] }, { source: [7, 3], target: [6, 3] }]);
  const loss = () => rnnLoss(l, weights, config, batch);
  l.step(() => l.backward(loss()));
  const random = randomFrom(9);
  const step = 1e-2;
  for (const [name, weight] of Object.entries(weights)) {
    const direction = Float32Array.from(weight.data, () => 2 * random() - 1);
    const slope = direction.reduce((sum, each, i) => sum + each * weight.grad[i], 0);
    const at = (/** @type {number} */ amount) => {
      const before = weight.data.slice();
      weight.data.set(before.map((each, i) => each + amount * direction[i]));
      const value = l.evaluate(() => loss().item());
      weight.data.set(before);
      return value;
    };
    const measured = (at(step) - at(-step)) / (2 * step);
    assert.ok(Math.abs(measured - slope) < 2e-3 * Math.max(1, Math.abs(slope)), `${name}: ${measured}, not ${slope}`);
  }
});

test('every form has a recipe, and the location score refuses longer texts', async () => {
  for (const form of ['feeding', 'local-m', 'local-m-feeding', 'local-p', 'local-p-feeding']) {
    const recipe = await findRecipe(`dates-luong-${form}`);
    const config = recipe.config(await recipe.data({}));
    assert.deepEqual([config.hidden, config.score, config.inputFeeding ?? false],
      [96, 'bilinear', form.endsWith('feeding')]);
  }
  const model = await openTranslator(l, await readFile(
    new URL('../../models/dates-luong-location.safetensors', import.meta.url)));
  assert.throws(() => model.translate('1'.repeat(50)), { code: 'too-large', message: /for 50 source symbols/ });
});
