// Recurrent translators: tiny weights against PyTorch, and the shipped models on held-out dates.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { lab } from '../../js/lab/index.js';
import { openModel, openTranslator } from '../../js/train/models/index.js';
import { rnnLoss, rnnWeights, translateAll } from '../../js/train/models/rnn-seq2seq.js';
import { unseenPairs } from '../../js/train/recipes/dates-rnn.js';
import { DAYS, FORMATS, SOURCE_SYMBOLS, dayOf, isHeldOut } from '../../js/train/tasks/dates.js';
import { padded } from '../../js/train/tasks/vocabulary.js';
import { close, golden, softmaxOf } from '../support/lab.js';

const KINDS = { none: ['none'], bahdanau: ['additive'], luong: ['dot', 'bilinear', 'concat'] };
/** Further forms of Luong's attention. */
const FORMS = {
  'location': { score: 'location', longestSource: 6 },
  'dot-feeding': { score: 'dot', inputFeeding: true },
  'location-feeding': { score: 'location', longestSource: 6, inputFeeding: true },
  'bilinear-local-m': { score: 'bilinear', scope: 'local-m', window: 1 },
  'concat-local-m-feeding': { score: 'concat', scope: 'local-m', window: 1, inputFeeding: true },
  'bilinear-local-p': { score: 'bilinear', scope: 'local-p', window: 1 },
  'dot-local-p-feeding': { score: 'dot', scope: 'local-p', window: 2, inputFeeding: true },
};
const MODELS = [
  ...Object.entries(KINDS).flatMap(([attention, scores]) => scores.map((score) =>
    ({ name: `${attention}-${score}`, attention, score }))),
  ...Object.entries(FORMS).map(([form, options]) => ({ name: `luong-${form}`, attention: 'luong', ...options })),
];
/** Models of dates, and how many of 400 unseen dates they translate exactly at least. */
const EXACT = { 'dates-bahdanau': 396, 'dates-luong-dot': 396, 'dates-luong-general': 396, 'dates-luong-concat': 396,
  'dates-luong-location': 390 };

/** Rows of a matrix, each up to its first 0. */
function sequences({ data, shape: [, time] }) {
  const rows = Array.from({ length: data.length / time }, (_, i) => Array.from(data.slice(i * time, (i + 1) * time)));
  return rows.map((row) => row.filter((id) => id !== 0));
}

for (const engine of ['scalar', 'simd128']) {
  describe(engine, () => {
    let l;
    before(async () => { l = await lab({ engine }); });
    after(() => l.dispose());

    for (const { name: form, ...options } of MODELS) {
      test(`${form}: the loss and all gradients are PyTorch's`, async () => {
        const stored = await golden(form, 'rnn');
        const config = { ...options, embedding: 3, hidden: 4, source: new Array(9), target: new Array(7) };
        const weights = rnnWeights(l, config);
        for (const [name, tensor] of Object.entries(weights)) tensor.data.set(stored[name].data);
        const [source, input, wanted] = ['source', 'input', 'wanted'].map((name) => padded(sequences(stored[name])));
        l.step(() => {
          const loss = rnnLoss(l, weights, config, { source, input, wanted });
          close([loss.item()], stored.loss.data, 'loss');
          l.backward(loss);
        });
        assert.deepEqual(Object.keys(weights).map((name) => `grad.${name}`).sort(),
          Object.keys(stored).filter((name) => name.startsWith('grad.')).sort());
        for (const [name, tensor] of Object.entries(weights)) close(tensor.grad, stored[`grad.${name}`].data, name);
      });
    }
  });
}

describe('held-out days', () => {
  test('are a tenth of all days, and no training pair has one', () => {
    const held = Array.from({ length: DAYS }, (_, i) => i).filter(isHeldOut);
    assert.ok(Math.abs(held.length / DAYS - 0.1) < 0.001);
  });

  test('every format uses only symbols of the vocabularies', () => {
    for (let day = 0; day < DAYS; day += 17) {
      for (const format of FORMATS) {
        for (const symbol of format(dayOf(day))) assert.ok(SOURCE_SYMBOLS.includes(symbol), symbol);
      }
    }
  });
});

for (const [name, least] of Object.entries(EXACT)) {
  describe(name, () => {
    let l;
    let model;
    before(async () => {
      l = await lab({ engine: 'simd128' });
      model = await openTranslator(l, await readFile(new URL(`../../models/${name}.safetensors`, import.meta.url)));
    });
    after(() => l.dispose());

    test('most held-out dates are translated exactly', () => {
      const pairs = unseenPairs(400, 20); // the recipe's validation does not use these pairs
      const translations = translateAll(l, model, pairs.map(({ source }) => source));
      const exact = translations.filter(({ text }, i) => text === pairs[i].target).length;
      assert.ok(exact >= least, `${exact} of 400`);
      assert.ok(model.figures.exact >= 0.99);
    });

    test('rows of the alignment sum to 1 over the source', () => {
      const translation = model.translate('saturday june 9 2001');
      const { text, source, target, cache } = translation;
      assert.equal(text, '2001-06-09');
      assert.deepEqual(Object.keys(cache), ['decoder.0.cross_attn.hook_attn_scores',
        'decoder.0.cross_attn.hook_pattern']);
      const { data, shape: [heads, queries, keys] } = cache['decoder.0.cross_attn.hook_pattern'];
      assert.equal(source.join(''), `saturday june 9 2001${model.config.sourceEnds ? '<end>' : ''}`);
      assert.deepEqual([heads, queries, keys, target.length], [1, 10, source.length, 10]);
      for (let i = 0; i < queries; i++) {
        const sum = data.slice(i * keys, (i + 1) * keys).reduce((a, b) => a + b);
        assert.ok(Math.abs(sum - 1) < 1e-5, `row ${i}: ${sum}`);
      }
      softmaxOf(cache['decoder.0.cross_attn.hook_attn_scores'].data, keys).forEach((weight, i) =>
        assert.ok(Math.abs(weight - data[i]) < 1e-6, `weight ${i}`));
      assert.throws(() => translation.attention({ of: 'encoder.attn', layer: 0, head: 0 }),
        { code: 'bad-argument', message: /no maps of ‘encoder.attn’\. It has maps of decoder.cross_attn/ });
    });

    test('one text gives the same translation alone, in a batch and by a beam', () => {
      const texts = ['Jun. 9, 2001', 'the 31st of december 1999', '2/28/1900'];
      const alone = texts.map((text) => model.translate(text));
      const among = model.translateAll(texts);
      const beam = texts.map((text) => model.translate(text, { beam: 4 }));
      assert.deepEqual(alone.map(({ text }) => text), ['2001-06-09', '1999-12-31', '1900-02-28']);
      assert.deepEqual(among.map(({ ids }) => ids), alone.map(({ ids }) => ids));
      assert.deepEqual(beam.map(({ ids }) => ids), alone.map(({ ids }) => ids));
    });
  });
}

test('the model without attention translates dates, alone and in a batch, and has no maps', async () => {
  const l = await lab({ engine: 'simd128' });
  const model = await openTranslator(l, await readFile(new URL('../../models/dates-no-attention.safetensors',
    import.meta.url)));
  const pairs = unseenPairs(400, 20);
  const translations = model.translateAll(pairs.map(({ source }) => source));
  const exact = translations.filter(({ text }, i) => text === pairs[i].target).length;
  assert.ok(exact >= 392, `${exact} of 400`);
  for (const [i, { source }] of pairs.slice(0, 3).entries()) {
    assert.deepEqual(model.translate(source).ids, translations[i].ids);
    assert.deepEqual(model.translate(source, { beam: 4 }).ids, translations[i].ids);
  }
  assert.deepEqual(translations[0].cache, {});
  assert.throws(() => translations[0].attention({ layer: 0, head: 0 }),
    { code: 'unsupported', message: /has no attention/ });
  l.dispose();
});

test('untranslatable text is an error', async () => {
  const l = await lab();
  const model = await openTranslator(l, await readFile(new URL('../../models/dates-bahdanau.safetensors',
    import.meta.url)));
  assert.throws(() => model.translate('9 juin 2001 à midi'), { code: 'bad-argument', message: /never seen ‘à’/ });
  assert.throws(() => model.translate(''), { code: 'bad-argument', message: /has nothing to read/ });
  await assert.rejects(openModel(l.save({})), { code: 'bad-argument', message: /must be a lab/ });
  await assert.rejects(openModel(l, l.save({})), { code: 'bad-file', message: /has no configuration/ });
  await assert.rejects(openTranslator(l, l.save({}, { heed: '{"recipe":"r","config":{"model":"other"}}' })),
    { code: 'unsupported', message: /does not translate/ });
  for (const text of [undefined, 3, ['9 june']]) {
    assert.throws(() => model.translate(text), { code: 'bad-argument', message: /^translate: expected at/ });
  }
  assert.throws(() => model.translateAll('9 june'), { code: 'bad-argument', message: /^translateAll: expected/ });
  assert.throws(() => model.translate('9 june', { beams: 3 }), { code: 'bad-argument', message: /no option ‘beams’/ });
  l.dispose();
});

test('a file with an invalid configuration is an error', async () => {
  const l = await lab();
  const path = new URL('../../models/dates-bahdanau.safetensors', import.meta.url);
  const { weights, config, recipe } = await openModel(l, await readFile(path));
  const forged = (text) => openTranslator(l, l.save(weights, { heed: text }));
  for (const text of ['{', 'null', '3', '{"config":null}']) {
    await assert.rejects(forged(text), { code: 'bad-file', message: /has no configuration/ }, text);
  }
  await assert.rejects(forged('{"config":{"model":"constructor"}}'), { code: 'unsupported' });
  for (const change of [{ source: null }, { target: [1] }, { longest: 1e9 }, { attention: 'toString' }]) {
    const [name] = Object.keys(change);
    await assert.rejects(forged(JSON.stringify({ recipe, config: { ...config, ...change } })),
      { code: 'bad-config', message: new RegExp(`has an invalid ${name}: ‘`) }, name);
  }
  const some = Object.fromEntries(Object.entries(weights).slice(1));
  const lacking = await openTranslator(l, l.save(some, { heed: JSON.stringify({ recipe, config }) }));
  assert.throws(() => lacking.translate('9 june 2001'), { name: 'HeedError', message: /undefined, not a tensor/ });
  l.dispose();
});
