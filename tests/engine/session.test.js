/** One session: its limits, rewind, long texts, and edits of activations. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { load } from '../../js/index.js';
import { assertClose, assertSame, scaleOf } from '../support/compare.js';
import { ENGINES, TAKEN, on } from '../support/engines.js';
import { asGguf, goldens, temporaryFolder } from '../support/goldens.js';
import { STORIES, collect } from '../support/model.js';
import { forward, readModel } from '../support/reference.js';

/** @typedef {Awaited<ReturnType<typeof load>>} Model */

const folder = await temporaryFolder(after);
const golden = (await goldens()).find(({ name }) => name === 'llama');
assert.ok(golden);
const { ids } = golden;
const path = await asGguf(golden, 'f32', folder);

describe('limits', () => {
  /** @type {Model} */
  let model;
  before(async () => {
    model = await load(path, { contextLength: 12 });
  });
  after(() => model.dispose());

  test('a full session refuses more tokens and keeps its state', async () => {
    assert.equal(model.info.contextLength, 12);
    model.rewind(0);
    await model.forward(ids.slice(0, 10));
    await assert.rejects(model.forward(ids.slice(10, 13)), { code: 'context-full' });
    await assert.rejects(model.forward(ids.slice(0, 13)), { code: 'context-full' });
    assert.equal(model.position, 10);
    assert.deepEqual([...model.ids], ids.slice(0, 10));
    const last = await model.forward(ids.slice(10, 12));
    model.rewind(0);
    assertSame(last, await model.forward(ids.slice(0, 12)), 'logits');
  });

  test('generation ends at the end of the context and names the reason', async () => {
    const { summary } = await collect(model.generate(ids.slice(0, 9), { temperature: 0, maxTokens: 50 }));
    assert.equal(summary.reason, 'context');
    assert.equal(summary.ids.length, 4); // the last position gives the fourth token, which has no position
    assert.equal(model.position, 12);
  });

  test('rewind accepts only positions of the session', async () => {
    model.rewind(0);
    await model.forward(ids.slice(0, 5));
    for (const position of [-1, 6, 1.5, NaN, 2 ** 32]) {
      assert.throws(() => model.rewind(position), { name: 'HeedError', code: 'bad-argument' }, String(position));
    }
    model.rewind(5);
    assert.equal(model.position, 5);
    model.rewind(2);
    assert.deepEqual([...model.ids], ids.slice(0, 2));
  });

  test('unknown ids, layers, heads and queries are refused', async () => {
    model.rewind(0);
    await assert.rejects(model.attention({ layer: 0, head: 0, queries: [0, 1] }), { code: 'bad-argument' });
    await model.forward(ids.slice(0, 5));
    for (const wrong of [[96], [-1], [0.5], [], /** @type {any} */ ('1')]) {
      await assert.rejects(model.forward(wrong), { code: 'bad-argument' }, JSON.stringify(wrong));
    }
    /** @type {Parameters<Model['attention']>[0][]} */
    const maps = [
      { layer: 3, head: 0 },
      { layer: 0, head: 4 },
      { layer: -1, head: 0 },
      { layer: 0, head: 0.5 },
      { layer: 0, head: 0, queries: [2, 6] },
      { layer: 0, head: 0, queries: [3, 2] },
      { layer: 0, head: 0, kind: /** @type {any} */ ('values') },
    ];
    for (const at of maps) {
      await assert.rejects(model.attention(at), { code: 'bad-argument' }, JSON.stringify(at));
    }
    assert.equal(model.position, 5);
  });
});

/** A signal that calls `answer` at each read of `aborted`. @param {() => boolean} answer */
const signalThat = (answer) => Object.defineProperty(new AbortController().signal, 'aborted', { get: answer });

/** Difference of logits that integer products can reverse. */
const NEAR_TIE = 0.03;

describe('a text longer than a batch', () => {
  const story = 'Once upon a time there was a little girl who had a red ball. She took it to the park every day. ';

  for (const engine of ENGINES) {
    test(`the same logits and maps for every split of the text, ${engine}`, on(engine), async (t) => {
      const model = await load(STORIES, { engine, contextLength: 256 });
      t.after(() => model.dispose());
      const { layers, heads } = model.info;
      const text = await model.encode(story.repeat(6));
      const T = text.length;
      assert.ok(T > 130, String(T));
      const hooks = Array.from({ length: layers }, (_, layer) => `blocks.${layer}.attn.hook_pattern`);
      const { logits, cache } = await model.runWithCache(text, hooks, { all: true });
      const V = model.info.vocabulary;
      for (let layer = 0; layer < layers; layer++) {
        for (let head = 0; head < heads; head++) {
          const { data } = await model.attention({ layer, head });
          const used = cache[hooks[layer]].data.subarray(head * T * T, (head + 1) * T * T);
          assertSame(data, used, `layer ${layer}, head ${head}`);
        }
      }
      const rows = await model.attentionRows({ queries: [T - 3, T] });
      assert.deepEqual([rows.layers, rows.heads, rows.queries, rows.keys], [layers, heads, 3, T]);
      assert.equal(rows.firstQuery, T - 3);
      for (let map = 0; map < layers * heads; map++) {
        const end = (map % heads + 1) * T * T;
        const used = cache[hooks[Math.floor(map / heads)]].data.subarray(end - 3 * T, end);
        assertSame(rows.data.subarray(map * 3 * T, (map + 1) * 3 * T), used, `last rows of map ${map}`);
      }
      for (const size of [1, 63, 64, 65]) {
        model.rewind(0);
        for (let from = 0; from < T; from += size) {
          const part = await model.forward(text.subarray(from, from + size), { all: true });
          const whole = logits.subarray(from * V, from * V + part.length);
          assertSame(part, whole, `logits in pieces of ${size}, from ${from}`);
        }
      }
    });
  }

  test('an abort takes effect between two blocks and restores the session', async (t) => {
    const model = await load(STORIES);
    t.after(() => model.dispose());
    const { layers } = model.info;
    const text = (await model.encode(story.repeat(4))).subarray(0, 100); // one batch
    const logits = await model.forward(text);
    model.rewind(10);
    let asked = 0;
    const signal = signalThat(() => ++asked === layers - 1);
    await assert.rejects(model.forward(text.subarray(10), { signal }), { code: 'aborted' });
    assert.equal(asked, layers - 1);
    assert.deepEqual([...model.ids], [...text.subarray(0, 10)]);
    assertSame(await model.forward(text.subarray(10)), logits, 'logits');
  });

  test('calls run between two blocks of a pass, and a rewind ends the pass', async (t) => {
    const model = await load(STORIES);
    t.after(() => model.dispose());
    const text = (await model.encode(story.repeat(4))).subarray(0, 100);
    const logits = await model.forward(text);
    model.rewind(10);
    const before = await model.attention({ layer: 1, head: 2 });
    /** @type {ReturnType<Model['attention']>[]} */
    const maps = [];
    const look = signalThat(() => maps.push(model.attention({ layer: 1, head: 2 })) < 0);
    assertSame(await model.forward(text.subarray(10), { signal: look }), logits, 'logits');
    assert.equal(maps.length, model.info.layers);
    for (const map of maps) assert.deepEqual(await map, before);

    model.rewind(10);
    let asked = 0;
    const back = signalThat(() => {
      if (++asked === 2) model.rewind(5);
      return false;
    });
    const call = model.forward(text.subarray(10), { signal: back });
    await assert.rejects(call, { code: 'superseded' });
    assert.deepEqual([...model.ids], [...text.subarray(0, 5)]);
  });

  test('every engine chooses the same ids, or one whose logit is nearly the largest', async (t) => {
    const prompt = 'Once upon a time';
    const scalar = await load(STORIES, { engine: 'scalar' });
    t.after(() => scalar.dispose());
    const start = [...await scalar.encode(prompt)];
    for (const engine of TAKEN) {
      const model = await load(STORIES, { engine });
      const { summary } = await collect(model.generate(prompt, { temperature: 0, maxTokens: 64 }));
      model.dispose();
      const ids = [...start, ...summary.ids];
      scalar.rewind(0);
      const logits = await scalar.forward(ids, { all: true });
      const V = scalar.info.vocabulary;
      for (let i = start.length; i < ids.length; i++) {
        const row = logits.subarray((i - 1) * V, i * V);
        assert.ok(row[ids[i]] >= Math.max(...row) - NEAR_TIE, `${engine}, id ${i}`);
      }
    }
  });
});

describe('edits give the results of the reference with the same edit', () => {
  /** @type {Model} */
  let model;
  /** @type {import('../support/reference.js').ReferenceModel} */
  let reference;
  before(async () => {
    model = await load(path);
    reference = await readModel(path);
  });
  after(() => model.dispose());
  const T = ids.length;
  const H = golden.config.num_attention_heads;
  const D = golden.config.hidden_size;

  /** @param {import('../../js/model/hooks.js').Edit[]} edits
   *  @param {(hook: string, data: Float64Array) => void} editReference in place */
  async function check(edits, editReference) {
    const logits = await model.runWithHooks(ids, edits, { all: true });
    const expected = forward(reference, ids, {
      tap(hook, stage) {
        const data = Float64Array.from(stage.data);
        editReference(hook, data);
        return { ...stage, data };
      },
    });
    const untouched = forward(reference, ids);
    const tolerance = 1e-4 * scaleOf(expected.data);
    assertClose(logits, expected.data, tolerance, 'logits');
    const effect = scaleOf(expected.data.map((v, i) => v - untouched.data[i]));
    assert.ok(effect > 100 * tolerance, `the edit changes the logits by ${effect} only`);
  }

  test('an ablated head', () => check([{ hook: 'blocks.1.attn.hook_z', head: 2, scale: 0 }], (hook, z) => {
    if (hook !== 'blocks.1.attn.hook_z') return;
    const width = D / H;
    for (let t = 0; t < T; t++) z.fill(0, (t * H + 2) * width, (t * H + 3) * width);
  }));

  test('a head forced to attend to the previous token', () => {
    const previous = new Float32Array(T * T);
    for (let t = 0; t < T; t++) previous[t * T + Math.max(0, t - 1)] = 1;
    return check([{ hook: 'blocks.0.attn.hook_pattern', head: 1, scale: 0, values: previous }], (hook, pattern) => {
      if (hook === 'blocks.0.attn.hook_pattern') pattern.set(previous, T * T);
    });
  });

  test('scores scaled before the softmax', () => check([{ hook: 'blocks.2.attn.hook_attn_scores', scale: 0.5 }],
    (hook, scores) => {
      if (hook === 'blocks.2.attn.hook_attn_scores') scores.forEach((v, i) => { scores[i] = v / 2; });
    }));

  test('a steering vector added to the residual stream at some positions', () => {
    const direction = Float32Array.from({ length: D }, (_, i) => Math.sin(i));
    return check([{ hook: 'blocks.1.hook_resid_pre', positions: [4, 7], values: direction }], (hook, x) => {
      if (hook === 'blocks.1.hook_resid_pre') for (let i = 4 * D; i < 7 * D; i++) x[i] += direction[i % D];
    });
  });

  test('activations patched from another run, with two edits at once', async () => {
    const other = ids.toReversed();
    const hook = 'blocks.1.hook_mlp_out';
    const { cache } = await model.runWithCache(other, [hook]);
    await check([{ hook, scale: 0, values: cache[hook].data }, { hook: 'hook_embed', scale: 1.5 }], (name, x) => {
      if (name === hook) x.set(cache[hook].data);
      if (name === 'hook_embed') x.forEach((v, i) => { x[i] = 1.5 * v; });
    });
  });

  test('an edit ends with its run', async () => {
    model.rewind(0);
    const before = await model.forward(ids);
    await model.runWithHooks(ids, [{ hook: 'blocks.0.hook_mlp_out', scale: 0 }]);
    model.rewind(0);
    assertSame(await model.forward(ids), before, 'logits');
  });

  test('unknown hooks, heads, positions and values are refused', async () => {
    /** @type {import('../../js/model/hooks.js').Edit[]} */
    const wrong = [
      { hook: 'blocks.0.hook_nothing' },
      { hook: 'blocks.3.hook_mlp_out' },
      { hook: 'blocks.-1.hook_mlp_out' },
      { hook: 'blocks.0.hook_mlp_out', head: 0 },
      { hook: 'blocks.0.attn.hook_z', head: H },
      { hook: 'hook_embed', positions: [0, T + 1] },
      { hook: 'hook_embed', values: new Float32Array(D + 1) },
      { hook: 'hook_embed', scale: NaN },
    ];
    for (const edit of wrong) {
      await assert.rejects(model.runWithHooks(ids, [edit]), { code: 'bad-argument' }, JSON.stringify(edit));
    }
    await assert.rejects(model.runWithCache(ids, ['hook_nothing']), { code: 'bad-argument' });
  });
});
