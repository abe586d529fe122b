/** Encoder–decoders: logits and maps as by PyTorch, texts, activations, edits; in this thread and in a Worker. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, describe, test } from 'node:test';
import { bucketOf, sinusoids } from '../../js/files/families/parts.js';
import { uint32 } from '../../js/files/gguf/writer.js';
import { load } from '../../js/index.js';
import { assertClose, assertSame, scaleOf } from '../support/compare.js';
import { GGUF_REACH, NAMES, SOURCE, TEXT, t5Gguf, t5OfEqualParts, tinyEncoderDecoder }
  from '../support/encoder-decoders.js';
import { rejects } from '../support/expect.js';
import { LETTERS } from '../support/letters.js';
import { STORIES } from '../support/model.js';
import { MapContent } from '../../web/elements/map-content.js';

/** @typedef {import('../../js/model/load.js').LoadedModel} LoadedModel */

const GOLDENS = JSON.parse(await readFile(new URL('../goldens/encoder-decoders.json', import.meta.url), 'utf8'));
const V = 40;

/** @param {LoadedModel} model @param {ArrayLike<number>} source @param {number} count */
async function greedy(model, source, count) {
  const text = [...await model.read(source)];
  const start = text.length;
  while (text.length < start + count) {
    const logits = await model.forward(text.length === start ? text : [text[text.length - 1]]);
    text.push(logits.indexOf(Math.max(...logits)));
  }
  return text.slice(start);
}

/** Logits of the last of these ids, from an empty session. @param {LoadedModel} model @param {number[]} ids */
function forwardAfter(model, ids) {
  model.rewind(0);
  return model.forward(ids);
}

/** @param {ReturnType<LoadedModel['generate']>} steps */
async function idsOf(steps) {
  const ids = [];
  for await (const { id } of steps) ids.push(id);
  return ids;
}

for (const worker of [false, true]) {
  describe(worker ? 'in a Worker' : 'in this thread', () => {
    /** @param {string} name @param {Parameters<typeof tinyEncoderDecoder>[1]} [options] @param {object} [more] */
    async function open(name, options, more = {}) {
      const model = await load(tinyEncoderDecoder(name, options), { worker, ...more });
      after(() => model.dispose());
      return model;
    }

    for (const name of NAMES) {
      test(`${name}: logits and maps are PyTorch’s`, async () => {
        const model = await open(name);
        const golden = GOLDENS[name];
        assert.equal(model.info.architecture, name.split(' ')[0]);
        assert.equal(model.info.layers, 3);
        await model.read(SOURCE);
        const logits = await model.forward(TEXT, { all: true });
        assertClose(logits, golden.logits.flat(), 1e-4, 'logits');
        for (const [of, layer] of /** @type {const} */ ([['encoder', 1], ['decoder', 2], ['cross', 2]])) {
          const map = await model.attention({ layer, head: 1, of });
          assertClose(map.data, golden[of].flat(), 1e-5, of);
          assert.deepEqual([map.queries, map.keys], [golden[of].length, golden[of][0].length]);
          assert.deepEqual(map.tokens, await model.tokens(of === 'decoder' ? TEXT : SOURCE));
          assert.deepEqual(map.queryTokens, of === 'cross' ? await model.tokens(TEXT) : undefined);
        }
      });

      test(`${name}: any division of the text into calls has the same bits, and rows of maps are the map’s`,
        async () => {
          const model = await open(name);
          await model.read(SOURCE);
          const whole = await model.forward(TEXT, { all: true });
          const map = await model.attention({ layer: 1, head: 2, of: 'cross' });
          model.rewind(3);
          await model.forward([TEXT[3]]);
          assertSame(await model.forward(TEXT.slice(4), { all: true }), whole.subarray(4 * V), 'logits');
          const { data, layers } = await model.attentionRows({ of: 'cross', queries: [4, 6] });
          assert.equal(layers, 3);
          const at = ((1 * 4 + 2) * 2) * SOURCE.length;
          assertSame(data.subarray(at, at + 2 * SOURCE.length),
            map.data.subarray(4 * SOURCE.length, 6 * SOURCE.length), 'rows');
          const part = await model.attention({ layer: 1, head: 2, of: 'cross', position: 5 });
          assertSame(part.data, map.data.subarray(0, 5 * SOURCE.length), 'a part of the text');
          assert.equal(part.queryTokens?.length, 5);
          assert.equal((await model.attentionRows({ of: 'encoder' })).data.length, 2 * 4 * SOURCE.length ** 2);
        });
    }

    test('the error of an unknown activation names one that the model has', async () => {
      const model = await open('bart');
      await model.read(SOURCE);
      const { message } = await model.runWithCache(TEXT, ['blocks.0.attn.hook_pattern']).catch((error) => error);
      const [, example] = /such as ‘(.*?)’/.exec(message) ?? [];
      assert.ok(model.hooks.includes(example) && /pattern$/.test(example), message);
    });

    for (const name of ['t5', 't5 v1.1']) {
      test(`${name} in GGUF computes what Hugging Face’s files compute, to the last bit`, async () => {
        const config = { relative_attention_max_distance: GGUF_REACH };
        const models = [await open(name, { config }), await load(await t5Gguf(name), { worker })];
        after(() => models[1].dispose());
        assert.deepEqual(models[1].hooks, models[0].hooks);
        const [expected, actual] = await Promise.all(models.map(async (model) => {
          await model.read(SOURCE);
          const logits = await model.forward(TEXT, { all: true });
          const map = await model.attention({ layer: 2, head: 1, of: 'cross' });
          const text = await idsOf(model.generate(SOURCE, { maxTokens: 5, temperature: 0 }));
          return [logits, map.data, Float32Array.from(text)];
        }));
        expected.forEach((numbers, i) => assertSame(actual[i], numbers, ['logits', 'map', 'text'][i]));
      });
    }

    test('a generated text has the likeliest ids, and a source replaces the one before', async () => {
      for (const name of ['bart', 't5 v1.1']) {
        const model = await open(name);
        const options = { maxTokens: 6, temperature: 0 };
        const other = SOURCE.slice(3, 9);
        const one = await idsOf(model.generate(SOURCE, options));
        const two = await idsOf(model.generate(other, options));
        assert.deepEqual(one, await greedy(model, SOURCE, one.length));
        assert.deepEqual(two, await greedy(model, other, two.length));
        assert.deepEqual(await idsOf(model.generate(SOURCE, { ...options, promptLookup: 3 })), one);
      }
    });

    test('of two texts at once, the first shows no token of the other source', async () => {
      const files = tinyEncoderDecoder('marian', { config: { eos_token_id: 1 } });
      const guided = await load({ ...files, tokenizer: LETTERS }, { worker });
      after(() => guided.dispose());
      const sources = [SOURCE, SOURCE.slice(3, 9)];
      for (const model of [await open('bart'), guided]) {
        const options = { maxTokens: 4, temperature: 0 };
        const alone = [];
        for (const source of sources) alone.push(await idsOf(model.generate(source, options)));
        const texts = sources.map((source) => model.generate(source, options));
        const firsts = await Promise.allSettled(texts.map((text) => text.next()));
        assert.equal(/** @type {any} */ (firsts[0]).reason?.code, 'superseded');
        assert.equal(/** @type {any} */ (firsts[1]).value.value.id, alone[1][0]);
        assert.deepEqual([alone[1][0], ...await idsOf(texts[1])], alone[1]);
      }
    });

    test('a text or a search ends when another source is read, and not when it is refused', async () => {
      const files = tinyEncoderDecoder('marian', { config: { eos_token_id: 1 } });
      const guided = await load({ ...files, tokenizer: LETTERS }, { worker });
      after(() => guided.dispose());
      const other = SOURCE.slice(3, 9);
      for (const model of [await open('bart'), guided]) {
        const options = { maxTokens: 4, temperature: 0 };
        const alone = await idsOf(model.generate(SOURCE, options));
        const [{ ids: best }] = await model.beamSearch(SOURCE, { beams: 2, maxTokens: 4 });
        const logits = await model.forward(await model.read(other));
        for (const ticks of [0, 3, 8, 12, 15, 18, 24, 40]) {
          for (const begin of [() => idsOf(model.generate(SOURCE, options)),
            async () => [...(await model.beamSearch(SOURCE, { beams: 2, maxTokens: 4 }))[0].ids]]) {
            const text = begin().catch(({ code }) => code);
            for (let tick = 0; tick < ticks; tick++) await undefined;
            const [got] = await Promise.all([text, model.read(other)]);
            const ids = [alone, [...best]].map(String);
            assert.ok(got === 'superseded' || ids.includes(String(got)), `${got} after ${ticks} ticks`);
            assertSame(await model.forward(await model.read(other)), logits, 'the source that was read last');
          }
        }
        for (let ticks = 0; ticks < 36; ticks += 3) {
          const text = idsOf(model.generate(SOURCE, options));
          for (let tick = 0; tick < ticks; tick++) await undefined;
          const refused = [Array(70).fill(3), Array(65).fill(4), []];
          await Promise.all(refused.map((ids) => rejects(model.read(ids), ids.length ? 'context-full' : 'bad-argument',
            /at least one and at most 64/)));
          assert.deepEqual(await text, alone, `a refused source after ${ticks} ticks`);
        }
        assert.ok((await model.saveSession()).length > 0);
      }
    });

    test('ids that no text has are excluded; texts are encoded with the end token', async () => {
      const model = await load({ ...tinyEncoderDecoder('marian', { config: { eos_token_id: 1 } }),
        tokenizer: LETTERS }, { worker });
      after(() => model.dispose());
      // The bias of id 39 makes it the likeliest of all.
      assert.deepEqual([...await model.encode('ab c')], [3, 4, 5, 3, 6, 1]);
      const all = { maxTokens: 40, temperature: 50, seed: 3 };
      const seen = await idsOf(model.generate('ab c', all));
      assert.ok(seen.length > 3 && !seen.includes(39), String(seen));
      assert.ok((await idsOf(model.generate('ab c', { ...all, logitBias: { 39: 100 } }))).includes(39));
      const map = await model.attention({ layer: 0, head: 0, of: 'cross' });
      assert.deepEqual(map.tokens, await model.tokens([3, 4, 5, 3, 6, 1]));
    });

    test('activations of every part; edits of the encoder and of cross-attention change the text', async () => {
      const model = await open('t5 v1.1');
      await model.read(SOURCE);
      const { logits, cache } = await model.runWithCache(TEXT, undefined, { all: true });
      assert.deepEqual(Object.keys(cache), model.hooks);
      const shape = (/** @type {string} */ name) => cache[name].shape;
      assert.deepEqual(shape('encoder.1.attn.hook_q'), [29, 4, 6]);
      assert.deepEqual(shape('decoder.2.cross_attn.hook_q'), [7, 4, 6]);
      assert.deepEqual(shape('decoder.2.cross_attn.hook_k'), [29, 4, 6]);
      assert.deepEqual(shape('decoder.0.cross_attn.hook_attn_scores'), [4, 7, 29]);
      assert.deepEqual(shape('decoder.0.attn.hook_pattern'), [4, 7, 7]);
      const [mid, cross, midCross] = ['hook_resid_mid', 'hook_cross_attn_out', 'hook_resid_mid_cross']
        .map((name) => cache[`decoder.1.${name}`].data);
      assertClose(midCross, mid.map((x, i) => x + cross[i]), 1e-5, 'residual after cross-attention');

      const run = async (/** @type {any[]} */ edits) => model.runWithHooks(TEXT, edits, { all: true });
      assertSame(await run([]), logits, 'no edit');
      for (const hook of ['encoder.0.attn.hook_z', 'decoder.1.cross_attn.hook_z', 'decoder.1.cross_attn.hook_v',
        'decoder.2.attn.hook_z']) {
        assert.notDeepEqual(await run([{ hook, head: 1, scale: 0 }]), logits, hook);
      }
      const hidden = [{ hook: 'decoder.1.cross_attn.hook_attn_scores', head: 0, keys: [5, 29],
        values: Array(24).fill(-Infinity) }];
      assert.notDeepEqual(await run(hidden), logits);
      const map = await model.attention({ layer: 1, head: 0, of: 'cross' });
      for (let row = 0; row < TEXT.length; row++) {
        const weights = map.data.subarray(row * 29, (row + 1) * 29);
        assertClose([weights.reduce((sum, x) => sum + x, 0)], [1], 1e-5, 'a row');
        assert.ok(weights.subarray(5).every((x) => x === 0), 'hidden keys');
      }
      const back = { hook: 'encoder.1.hook_resid_post', scale: 0, values: cache['encoder.1.hook_resid_post'].data };
      assertSame(await run([{ hook: 'encoder.0.attn.hook_z', scale: 0 }, back]), logits, 'patched back');
      const source = [{ hook: 'encoder.1.attn.hook_pattern', head: 0, positions: [20, 29], scale: 0 }];
      await run(source);
      const own = await model.attention({ layer: 1, head: 0, of: 'encoder' });
      assert.ok(own.data.subarray(20 * 29).every((x) => x === 0) && own.data.subarray(0, 29).some((x) => x > 0));
      await rejects(run([{ hook: 'decoder.1.cross_attn.hook_attn_scores', keys: [0, 30] }]), 'bad-argument', /29/);
    });

    test('means over positions of the source, and maps of cross-attention, replace activations', async () => {
      const model = await open('t5');
      const hook = 'encoder.1.hook_resid_post';
      const pattern = 'decoder.1.cross_attn.hook_pattern';
      const names = [hook, pattern];
      const other = SOURCE.map((id) => (7 * id + 3) % 40);
      await model.read(other);
      const { cache: { [pattern]: from } } = await model.runWithCache(TEXT, names);
      await model.read(SOURCE);
      const { cache: clean, logits } = await model.runWithCache(TEXT, names);
      const positions = /** @type {[number, number]} */ ([TEXT.length + 2, SOURCE.length - 1]);
      /** @type {import('../../js/index.js').Edit[]} */
      const edits = [{ hook, positions, mean: true },
        { hook: pattern, from: { ...from, data: Array.from(from.data) }, head: 2 }, // numbers of JSON
        { hook: pattern, from, head: 1, positions: [2, 4], keys: [10, 20] }];
      const { cache } = await model.runWithCache(TEXT, names, { edits });
      const width = clean[hook].shape[1];
      const of = (/** @type {Float32Array} */ x, /** @type {number} */ row) =>
        x.subarray(row * width, (row + 1) * width);
      const averaged = Array.from({ length: width }, (_, i) => {
        let sum = 0;
        for (let row = positions[0]; row < positions[1]; row++) sum += of(clean[hook].data, row)[i];
        return sum / (positions[1] - positions[0]);
      });
      assertClose(of(cache[hook].data, positions[0]), averaged, 1e-5, 'the mean');
      assertClose(of(cache[hook].data, positions[1]), of(clean[hook].data, positions[1]), 1e-6, 'another position');
      const head = TEXT.length * SOURCE.length;
      assertSame(cache[pattern].data.slice(2 * head, 3 * head), from.data.slice(2 * head, 3 * head), 'a map');
      const at = head + 3 * SOURCE.length;
      assertSame(cache[pattern].data.slice(at + 10, at + 20), from.data.slice(at + 10, at + 20), 'cells');
      assert.notDeepEqual(cache[pattern].data.slice(at, at + 10), from.data.slice(at, at + 10));
      const own = [{ hook: pattern, from: clean[pattern] }];
      assertSame(await model.runWithHooks(TEXT, own), logits, 'the map of the run');
      await model.read(SOURCE.slice(3));
      await rejects(model.runWithHooks(TEXT, own), 'bad-argument', /keys .* ≤ 26, got ‘0,29’/);
    });

    for (const name of NAMES) {
      test(`${name}: gradients are PyTorch’s, and the derivatives of edited runs`, async () => {
        const model = await open(name);
        await model.read(SOURCE);
        const last = await model.forward(TEXT);
        const of = { logitDifference: /** @type {[number, number]} */ ([TEXT[0], TEXT[2]]) };
        /** @type {number[]} */
        const parts = [];
        const onProgress = (/** @type {{ done: number, total: number }} */ { done, total }) => parts.push(total - done);
        const { value, gradients, activations } = await model.gradients(TEXT, { of, activations: true, onProgress });
        assertClose([value], [last[TEXT[0]] - last[TEXT[2]]], 1e-4, 'value');
        assertSame(await model.forward([5]), await forwardAfter(model, [...TEXT, 5]), 'the session does not change');
        assert.deepEqual(Object.keys(gradients), model.hooks);
        assert.deepEqual(parts, parts.map((_, i) => parts.length - 1 - i), 'parts that remain');
        for (const [key, rows] of Object.entries(GOLDENS[name]).filter(([key]) => key.startsWith('gradient of '))) {
          const { data, shape } = gradients[key.slice('gradient of '.length)];
          const golden = rows.flat();
          const head = /pattern$/.test(key) ? data.subarray(golden.length, 2 * golden.length) : data;
          const causal = /decoder.*\.attn\.hook_pattern/.test(key);
          const seen = head.map((x, i) => (causal && i % shape[2] > Math.floor(i / shape[2]) ? golden[i] : x));
          assertClose(seen, golden, 1e-4 * scaleOf(golden), key);
        }
        const { cache } = await model.runWithCache(TEXT, model.hooks);
        for (const hook of model.hooks) {
          assertClose(activations?.[hook].data ?? [], cache[hook].data, 1e-4, hook);
        }
        // The slope along a gradient is the square of its length.
        const steps = model.hooks.map((hook) => {
          const masked = /decoder.*\.attn\.hook_(attn_scores|pattern)$/.test(hook);
          const { data, shape } = gradients[hook];
          const values = data.map((x, i) => (masked && i % shape[2] > Math.floor(i / shape[2]) % shape[1] ? 0 : x));
          const square = values.reduce((sum, x) => sum + x * x, 0);
          return { hook, values, shape, square };
        }).filter(({ square }) => square > 1e-8);
        assert.ok(steps.length > 0.9 * model.hooks.length, `${steps.length} of ${model.hooks.length}`);
        const edits = steps.flatMap(({ hook, values, shape, square }) => [1, -1].map((sign) => {
          const coefficient = (sign * 3e-3) / Math.sqrt(square);
          const isMap = /hook_(attn_scores|pattern)$/.test(hook);
          const size = values.length / shape[0];
          return isMap ? Array.from({ length: shape[0] }, (_, head) =>
            ({ hook, head, values: values.slice(head * size, (head + 1) * size), coefficient }))
            : [{ hook, values, coefficient }];
        }));
        const { clean, values } = await model.sweep(TEXT, edits, { of });
        assertClose([clean], [value], 1e-4, 'a run without edits');
        for (const [i, { hook, square }] of steps.entries()) {
          const slope = (values[2 * i] - values[2 * i + 1]) / (2 * 3e-3 / Math.sqrt(square));
          assert.ok(Math.abs(slope - square) < 0.03 * square, `${hook}: slope ${slope}, square ${square}`);
        }
      });

      test(`${name}: a sweep has the values of single runs, wherever the edits are`, async () => {
        const model = await open(name);
        const of = { crossEntropy: [...TEXT.slice(1), -1] };
        await model.read(SOURCE);
        const variants = [[], [{ hook: 'decoder.1.cross_attn.hook_z', head: 1, positions: [4, 7], scale: 0 }],
          [{ hook: 'encoder.0.attn.hook_z', head: 2, positions: [20, 29], scale: 0 }],
          [{ hook: 'decoder.0.cross_attn.hook_v', positions: [9, 12], scale: 0 }],
          [{ hook: 'decoder.2.attn.hook_pattern', head: 0, positions: [5, 6], scale: 0 }],
          [{ hook: 'encoder.1.attn.hook_z', head: 0, mean: true }, { hook: 'hook_embed', positions: [6, 7], scale: 2 }],
          []];
        const { clean, values, cache } = await model.sweep(TEXT, /** @type {any} */ (variants),
          { of, names: ['encoder.1.attn.hook_z'] });
        assert.deepEqual(cache?.['encoder.1.attn.hook_z'].shape, [29, 4, name === 't5 v1.1' ? 6 : 8]);
        assert.equal(model.position, 0);
        assert.deepEqual([values[0], values[6]], [clean, clean]);
        for (const [i, edits] of variants.entries()) {
          const logits = await model.runWithHooks(TEXT, /** @type {any} */ (edits), { all: true });
          const losses = TEXT.slice(1).map((id, t) => {
            const row = logits.subarray(t * V, (t + 1) * V);
            return Math.log(row.reduce((sum, x) => sum + Math.exp(x), 0)) - row[id];
          });
          assertClose([values[i]], [losses.reduce((sum, x) => sum + x, 0) / losses.length], 1e-5, `variant ${i}`);
        }
        assert.equal(new Set(values).size, 6, 'each variant changes the loss');
      });
    }

    test('quantized weights, and a cache of codes', async () => {
      const exact = await open('bart');
      const model = await open('bart', {}, { quantize: 'q8_0' });
      assert.deepEqual([model.info.cache, model.info.types.Q8_0?.tensors > 10], ['int16', true]);
      for (const one of [exact, model]) await one.read(SOURCE);
      const a = await exact.forward(TEXT, { all: true });
      const b = await model.forward(TEXT, { all: true });
      assertClose(b, a, 0.25, 'logits');
      const [map, other] = await Promise.all([exact, model].map((one) =>
        one.attention({ layer: 2, head: 1, of: 'cross' })));
      assertClose(other.data, map.data, 0.05, 'map');
    });

    test('other calls are refused, and the model works afterwards', async () => {
      const model = await open('t5');
      for (const call of [() => model.forward(TEXT), () => model.runWithCache(TEXT, model.hooks.slice(0, 3))]) {
        await rejects(call, 'bad-argument', /no source yet\. Call model\.read/);
      }
      await rejects(model.attention({ layer: 0, head: 0, of: 'encoder', queries: [0, 1] }), 'bad-argument',
        /session is empty/);
      await rejects(model.embed('a'), 'unsupported', /runWithCache/);
      await rejects(model.read([]), 'bad-argument', /at least one/);
      await rejects(model.read([V]), 'bad-argument', /40/);
      await rejects(model.read('a text'), 'no-tokenizer');
      await rejects(model.read(Array(65).fill(0)), 'context-full', /64/);
      await rejects(model.read(/** @type {any} */ (null)), 'bad-argument', /source as text/);
      await rejects(model.gradients(TEXT, { of: { logprob: 1 } }), 'bad-argument', /Call model\.read/);
      await rejects(model.sweep(TEXT, [], { of: { logprob: 1 } }), 'bad-argument', /Call model\.read/);
      await model.read(SOURCE);
      await rejects(model.runWithCache(TEXT, ['blocks.0.attn.hook_q']), 'bad-argument', /model\.hooks/);
      await rejects(model.runWithCache(TEXT, ['constructor']), 'bad-argument', /model\.hooks/);
      await model.forward(TEXT);
      await rejects(model.attention({ layer: 2, head: 0, of: 'encoder' }), 'bad-argument', /layer/);
      await rejects(model.attention({ layer: 0, head: 0, of: 'encoder', position: 3 }), 'bad-argument', /whole text/);
      await rejects(model.attention({ layer: 0, head: 0, of: /** @type {any} */ ('middle') }), 'bad-argument',
        /middle/);
      const golden = GOLDENS.t5.logits;
      model.rewind(0);
      assertClose(await model.forward(TEXT), golden[golden.length - 1], 1e-4, 'logits');
      const controller = new AbortController();
      controller.abort();
      await rejects(model.runWithCache(TEXT, [], { signal: controller.signal }), 'aborted');
    });

    test('a decoder has no parts', async () => {
      const model = await load(STORIES, { worker });
      after(() => model.dispose());
      await rejects(model.read('Once'), 'unsupported', /no encoder/);
      await rejects(model.attention({ layer: 0, head: 0, of: 'cross' }), 'bad-argument', /no part/);
    });
  });
}

test('<attention-map> takes the maps of all parts', async () => {
  const model = await load(tinyEncoderDecoder('bart'));
  after(() => model.dispose());
  await model.read(SOURCE);
  await model.forward(TEXT);
  const at = { layer: 0, head: 3 };
  for (const queries of /** @type {[number, number][]} */ ([[0, TEXT.length], [2, 4]])) {
    const cross = new MapContent(await model.attention({ ...at, of: 'cross', queries }));
    assert.deepEqual([cross.rowTokens.length, cross.tokens.length], [TEXT.length, SOURCE.length]);
  }
  assert.equal(new MapContent(await model.attention(at)).rowTokens.length, TEXT.length);
  const encoder = await model.attention({ ...at, of: 'encoder' });
  assert.equal(new MapContent({ ...encoder, causal: false }).rowTokens.length, SOURCE.length);
});

test('distances have the buckets of PyTorch', () => {
  for (const [i, bothSides] of [true, false].entries()) {
    const bucket = bucketOf(32, 128, bothSides);
    assert.deepEqual(Array.from({ length: 401 }, (_, distance) => bucket(distance - 200)), GOLDENS.buckets[i]);
  }
});

test('Marian’s positions may be in the file or not', async () => {
  const D = 32;
  const more = { 'model.encoder.embed_positions.weight': [64, D], 'model.decoder.embed_positions.weight': [64, D] };
  const without = await load(tinyEncoderDecoder('marian'));
  const random = await load(tinyEncoderDecoder('marian', { more }));
  for (const model of [without, random]) {
    after(() => model.dispose());
    await model.read(SOURCE);
  }
  assertClose(await without.forward(TEXT), GOLDENS.marian.logits.at(-1), 1e-4, 'computed');
  assert.notDeepEqual(await random.forward(TEXT), await without.forward(TEXT));
  const table = sinusoids(3, 4);
  assertClose(table.subarray(8), [Math.sin(2), Math.sin(0.02), Math.cos(2), Math.cos(0.02)], 1e-7, 'position 2');
});

test('files that do not fit are refused by name', async () => {
  /** @param {string} name @param {Parameters<typeof tinyEncoderDecoder>[1]} options */
  const opened = (name, options) => load(tinyEncoderDecoder(name, options));
  const without = (/** @type {string} */ lost) =>
    ({ rename: (/** @type {string} */ name) => (name === lost ? null : name) });
  for (const lost of ['model.shared.weight', 'model.encoder.embed_positions.weight',
    'model.decoder.layernorm_embedding.bias', 'model.encoder.layers.1.fc1.bias',
    'model.decoder.layers.2.encoder_attn.k_proj.weight', 'model.decoder.layers.0.self_attn_layer_norm.weight',
    'model.decoder.layers.1.final_layer_norm.weight']) {
    await rejects(opened('bart', without(lost)), 'bad-tensor', new RegExp(`lacks the tensor ‘${lost.slice(0, 60)}`));
  }
  for (const lost of ['encoder.final_layer_norm.weight', 'decoder.block.1.layer.2.DenseReluDense.wi.weight',
    'decoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight',
    'decoder.block.2.layer.1.layer_norm.weight']) {
    await rejects(opened('t5', without(lost)), 'bad-tensor', new RegExp(`lacks the tensor ‘${lost.slice(0, 60)}`));
  }
  await rejects(opened('bart', { more: { 'model.decoder.layers.3.fc1.weight': [48, 32] } }), 'bad-tensor', /layers\.3/);
  await rejects(opened('bart', { more: { 'model.decoder.layers.0.fc3.weight': [48, 32] } }), 'bad-tensor', /fc3/);
  await rejects(opened('t5', { config: { num_heads: 8, d_kv: 4 } }), 'bad-tensor', /attn_rel_b/);
  await rejects(opened('t5', { config: { feed_forward_proj: 'gated-relu' } }), 'unsupported', /gated-relu/);
  await rejects(opened('t5', { config: { feed_forward_proj: 'gated-gelu' } }), 'bad-tensor',
    /wi_0.*feed_forward_proj/s);
  await rejects(opened('bart', { config: { normalize_before: true } }), 'unsupported', /normalize_before/);
  await rejects(opened('bart', { config: { decoder_ffn_dim: 64 } }), 'unsupported', /ffn_dim/);
  await rejects(opened('marian', { config: { share_encoder_decoder_embeddings: false } }), 'unsupported', /share/);
  await rejects(opened('t5', { config: { relative_attention_num_buckets: 9 } }), 'bad-tensor', /attn_rel_b/);
  for (const value of [0, -3, 1.5, 1e9, 'far']) {
    await rejects(opened('t5', { config: { relative_attention_max_distance: value } }), 'bad-config', /max_distance/);
  }
  const wrong = await opened('t5', { config: { decoder_start_token_id: 40 } });
  await rejects(wrong.read(SOURCE), 'bad-argument', /40/);
  wrong.dispose();
  await rejects(opened('t5', { config: { num_layers: 0 } }), 'bad-config');
  await rejects(opened('t5', { config: { num_decoder_layers: 1.5 } }), 'bad-config');
});

test('llama.cpp computes the same logits of T5; of a tied T5 it leaves out the factor 1/√D', async () => {
  const llama = JSON.parse(await readFile(new URL('../goldens/families.json', import.meta.url), 'utf8'));
  // llama.cpp takes GELU from a table in half precision. Measured: 6.6e-4 of the largest logit.
  for (const [name, factor, tolerance] of /** @type {const} */ ([['t5', Math.sqrt(32), 1e-5], ['t5 v1.1', 1, 1e-3]])) {
    const model = await load(await t5OfEqualParts(name));
    after(() => model.dispose());
    await model.read(SOURCE);
    const logits = (await model.forward(TEXT)).map((x) => factor * x);
    assertClose(logits, llama[name], tolerance * scaleOf(llama[name]), name);
  }
});

test('a T5 in GGUF without one of its tensors, or with wrong settings, is refused by name', async () => {
  /** @type {string[]} */
  const names = [];
  await t5Gguf('t5 v1.1', (name) => names.push(name) > 0);
  for (const missing of names.filter((name) => name !== 'output.weight')) {
    await rejects(t5Gguf('t5 v1.1', (name) => name !== missing).then((file) => load(file)), 'bad-tensor',
      /lacks the tensor|no ‘token_embd|has the tensor/);
  }
  for (const [key, value] of /** @type {[string, number][]} */ ([['block_count', 0], ['block_count', 2 ** 31],
    ['decoder_block_count', 1000]])) {
    await rejects(t5Gguf('t5', undefined, { [key]: uint32(value) }).then((file) => load(file)), 'bad-config',
      new RegExp(`from 1 to 341 at ‘t5\\.${key}’`));
  }
  await rejects(t5Gguf('t5', undefined, { 'attention.relative_buckets_count': uint32(9) }).then((file) => load(file)),
    'bad-tensor', /attn_rel_b/);
  await rejects(t5Gguf('t5', undefined, { 'expert_count': uint32(2) }).then((file) => load(file)), 'unsupported',
    /mixture of experts/);
});

for (const name of NAMES) {
  test(`${name}: score with edits of any stack is the log-softmax of runWithHooks`, async () => {
    const model = await load(tinyEncoderDecoder(name));
    after(() => model.dispose());
    await model.read(SOURCE);
    const { vocabulary } = model.info;
    const { logprobs: clean } = await model.score(TEXT);
    const last = model.hooks[model.hooks.length - 1];
    for (const edit of [{ hook: 'encoder.1.attn.hook_z', head: 2, scale: 0 },
      { hook: 'encoder.0.hook_mlp_out', mean: true }, { hook: 'decoder.2.cross_attn.hook_z', scale: 0 },
      { hook: last, scale: 0.5 }]) {
      const { logprobs } = await model.score(TEXT, { edits: [edit] });
      const logits = await model.runWithHooks(TEXT, [edit], { all: true });
      const expected = Float32Array.from(logprobs, (_, i) => {
        const row = logits.subarray(i * vocabulary, (i + 1) * vocabulary);
        return row[TEXT[i + 1]] - Math.log(row.reduce((sum, x) => sum + Math.exp(x), 0));
      });
      assertClose(logprobs, expected, 1e-5, edit.hook);
      assert.notDeepEqual(logprobs, clean, edit.hook);
    }
    assert.deepEqual((await model.score(TEXT)).logprobs, clean, 'the edits end with the call');
  });
}
