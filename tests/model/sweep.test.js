/** model.sweep equals single runs; unembed and weight return the numbers that the model uses. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { load } from '../../js/index.js';
import { rejects } from '../support/expect.js';
import { asGguf, goldens, temporaryFolder } from '../support/goldens.js';
import { readModel } from '../support/reference.js';

/** @typedef {import('../../js/index.js').Edit} Edit */

const folder = await temporaryFolder(after);
const golden = (await goldens()).find(({ name }) => name === 'llama') ?? assert.fail('llama');
const { ids } = golden;

/** @param {import('../../js/index.js').LoadOptions} [options] @param {'f32' | 'q8_0'} [type] */
async function open(options, type = 'q8_0') {
  const model = await load(await asGguf(golden, type, folder), options);
  after(() => model.dispose());
  return model;
}

/** @param {ArrayLike<number>} a @param {ArrayLike<number>} b */
const distance = (a, b) => Array.from(a).reduce((most, x, i) => Math.max(most, Math.abs(x - b[i])), 0);

describe('sweep', async () => {
  const model = await open();
  const { layers, heads, dModel } = model.info;
  const z = (/** @type {number} */ layer) => `blocks.${layer}.attn.hook_z`;
  /** Edits of every head, of the embedding, of the last norm, two edits at once, and no edit. @type {Edit[][]} */
  const variants = [
    ...Array.from({ length: layers * heads }, (_, i) =>
      [{ hook: z(Math.floor(i / heads)), head: i % heads, scale: 0 }]),
    [{ hook: 'hook_embed', positions: [2, 4], scale: 0.5 }],
    [{ hook: 'ln_final.hook_normalized', values: new Float32Array(dModel).fill(0.1) }],
    [{ hook: z(2), scale: 0 }, { hook: 'blocks.1.attn.hook_pattern', head: 1, scale: 0 }],
    [],
  ];
  const of = /** @type {const} */ ({ logitDifference: [ids[0], ids[2]] });

  for (const worker of [false, true]) {
    test(`each variant has the bits of its own run${worker ? ', in a Worker' : ''}`, async () => {
      const swept = worker ? await open({ worker }) : model;
      /** @type {number[]} */
      const dones = [];
      const { clean, values } = await swept.sweep(ids, variants, { of: { ...of, logitDifference: [ids[0], ids[2]] },
        onProgress: ({ done, total }) => (assert.equal(total, variants.length + 1), dones.push(done)) });
      assert.equal(swept.position, 0);
      assert.equal(dones.at(-1), variants.length + 1);
      for (const [i, edits] of [...variants, []].entries()) {
        const logits = await swept.runWithHooks(ids, edits);
        assert.equal(i < variants.length ? values[i] : clean, Math.fround(logits[ids[0]] - logits[ids[2]]), String(i));
      }
      assert.ok(new Set(values).size > layers * heads, 'variants differ');
      assert.equal(values.at(-1), clean);
    });
  }

  for (const cache of /** @type {const} */ (['int16', 'f32'])) {
    test(`every edit of the last block, and metrics before the end, with a cache of ${cache}`, async () => {
      const swept = cache === 'int16' ? model : await open({ cache });
      const last = `blocks.${layers - 1}.`;
      /** @type {Edit[][]} */
      const edits = swept.hooks.filter((hook) => hook.startsWith(last) || hook.startsWith('ln_final')).flatMap((hook) =>
        /** @type {([number, number] | undefined)[]} */ ([undefined, [6, 7], [2, 9]]).map((positions) =>
          [{ hook, ...(positions && { positions }), scale: 0.5 }, { hook: z(0), head: 1, scale: 0 }]));
      for (const position of [0, 6, ids.length - 1]) {
        const { clean, values } = await swept.sweep(ids, edits, { of: { logit: 7, position } });
        for (const [i, own] of [...edits, []].entries()) {
          const logits = await swept.runWithHooks(ids, own, { all: true });
          const expected = logits[position * swept.info.vocabulary + 7];
          assert.equal(i < edits.length ? values[i] : clean, expected, `${position} ${JSON.stringify(own[0])}`);
        }
      }
    });
  }

  test('weights of logits all over the vocabulary, at several positions', async () => {
    const { vocabulary } = model.info;
    const weights = new Float32Array(ids.length * vocabulary);
    for (let row = 3; row < ids.length - 1; row++) for (const id of [0, 5, vocabulary - 1]) {
      weights[row * vocabulary + (id + row) % vocabulary] = Math.sin(row + id);
    }
    const edits = [{ hook: z(1), head: 2, scale: 0 }];
    const { clean, values: [value] } = await model.sweep(ids, [edits], { of: { weights } });
    for (const [actual, own] of /** @type {[number, Edit[]][]} */ ([[clean, []], [value, edits]])) {
      const logits = await model.runWithHooks(ids, own, { all: true });
      const expected = weights.reduce((sum, weight, i) => sum + weight * logits[i], 0);
      assert.ok(Math.abs(actual - expected) < 1e-5, `${actual}, not ${expected}`);
    }
  });

  test('the cross-entropy of ids in several batches', async () => {
    const long = Int32Array.from({ length: 45 }, (_, i) => ids[i % ids.length]);
    const targets = [...long.subarray(1), -1];
    const edits = [{ hook: z(1), head: 2, scale: 0 }];
    const { values: [value] } = await model.sweep(long, [edits], { of: { crossEntropy: targets } });
    const logits = await model.runWithHooks(long, edits, { all: true });
    const { vocabulary } = model.info;
    const loss = targets.slice(0, -1).reduce((sum, id, t) => {
      const row = Array.from(logits.subarray(t * vocabulary, (t + 1) * vocabulary));
      return sum + Math.log(row.reduce((total, x) => total + Math.exp(x), 0)) - row[id];
    }, 0) / (targets.length - 1);
    assert.ok(Math.abs(value - loss) < 1e-5, `${value}, not ${loss}`);
  });

  test('bad variants and aborts leave an empty session that works', async () => {
    const refused = (/** @type {any} */ edits, /** @type {RegExp} */ why) =>
      rejects(model.sweep(ids, [edits], { of: { logit: 1 } }), 'bad-argument', why);
    await refused([{ hook: 'blocks.9.hook_resid_pre' }], /no activation/);
    await refused([{ hook: z(0), head: 9 }], /head of/);
    await refused({}, /array of edits/);
    const ending = new AbortController();
    const ended = model.sweep(ids, variants, { of: { logit: 1 }, signal: ending.signal,
      onProgress: ({ done }) => done === 3 && ending.abort() });
    await rejects(ended, 'aborted', /AbortSignal/);
    assert.equal(model.position, 0);
    assert.equal((await model.forward(ids)).length, model.info.vocabulary);
  });
});

describe('edits', async () => {
  const model = await open({ cache: 'f32' }, 'f32');
  const { vocabulary } = model.info;
  const cached = async (/** @type {string} */ name, /** @type {Edit[]} */ edits) =>
    (await model.runWithCache(ids, [name], { edits })).cache[name];

  test('keys limits an edit to cells of a map', async () => {
    const name = 'blocks.1.attn.hook_pattern';
    const clean = await cached(name, []);
    const cut = await cached(name, [{ hook: name, head: 1, positions: [5, 6], keys: [2, 4], scale: 0 }]);
    const [, T] = clean.shape;
    cut.data.forEach((x, i) => {
      const head = Math.floor(i / T / T);
      const query = Math.floor(i / T) % T;
      const key = i % T;
      assert.equal(x, head === 1 && query === 5 && key >= 2 && key < 4 ? 0 : clean.data[i]);
    });
  });

  test('minus infinity in scores hides a key, and rows still sum to 1', async () => {
    const edit = { hook: 'blocks.1.attn.hook_attn_scores', head: 0, positions: /** @type {[number, number]} */ ([7, 8]),
      keys: /** @type {[number, number]} */ ([3, 4]), values: [-Infinity] };
    const { data, shape: [, T] } = await cached('blocks.1.attn.hook_pattern', [edit]);
    const row = data.subarray(7 * T, 8 * T);
    assert.equal(row[3], 0);
    assert.ok(Math.abs(row.reduce((sum, x) => sum + x, 0) - 1) < 1e-6);
    const map = await model.attention({ layer: 1, head: 0 });
    assert.deepEqual(map.data.subarray(7 * T, 8 * T), row);
  });

  test('from replaces an activation by the activation of another run', async () => {
    const other = ids.map((id) => (id + 1) % vocabulary);
    for (const at of ['hook_resid_post', 'attn.hook_z', 'attn.hook_pattern', 'attn.hook_attn_scores']) {
      const name = `blocks.1.${at}`;
      const from = (await model.runWithCache(other, [name])).cache[name];
      assert.deepEqual(await cached(name, [{ hook: name, from }]), from, name);
      const [, T, width] = from.shape;
      if (from.shape.length < 3) continue;
      const one = await cached(name, [{ hook: name, from, head: 1, positions: [3, 6] }]);
      const clean = await cached(name, []);
      const isMap = !name.endsWith('_z');
      one.data.forEach((x, i) => {
        const [position, head] = isMap ? [Math.floor(i / T) % T, Math.floor(i / T / T)]
          : [Math.floor(i / width / T), Math.floor(i / width) % T];
        const isPatched = head === 1 && position >= 3 && position < 6;
        assert.equal(x, (isPatched ? from : clean).data[i], `${name} ${i}`);
      });
    }
    await rejects(cached('hook_embed', [{ hook: 'hook_embed', from: { data: new Float32Array(4), shape: [2, 2] } }]),
      'bad-argument', /activation of shape \[positions,64\], got/);
  });

  test('project removes the part along a direction', async () => {
    const v = Float32Array.from({ length: model.info.dModel }, (_, i) => Math.sin(i));
    const name = 'blocks.1.hook_resid_pre';
    const { data, shape: [T, width] } = await cached(name, [{ hook: name, project: v, positions: [4, 9] }]);
    const clean = await cached(name, []);
    for (let t = 0; t < T; t++) {
      const along = v.reduce((sum, x, i) => sum + x * data[t * width + i], 0);
      if (t >= 4 && t < 9) assert.ok(Math.abs(along) < 1e-4, `row ${t}: ${along}`);
      else assert.equal(distance(data.subarray(t * width, (t + 1) * width), clean.data.subarray(t * width)), 0);
    }
    await rejects(cached(name, [{ hook: name, project: v, values: v }]), 'bad-argument', /both values and project/);
  });

  test('a generation with edits writes the text of edited runs, and its maps show them', async () => {
    const edits = [
      { hook: 'blocks.0.attn.hook_z', head: 2, scale: 0 },
      { hook: 'blocks.1.attn.hook_pattern', head: 1, scale: 0.5 },
    ];
    const expected = [...ids];
    for (let i = 0; i < 4; i++) {
      const logits = await model.runWithHooks(expected, edits);
      expected.push(logits.indexOf(Math.max(...logits)));
    }
    const runMap = await model.attention({ layer: 1, head: 1 });
    const options = { maxTokens: 4, temperature: 0, edits };
    const seen = [];
    for await (const step of model.generate(ids, options)) {
      seen.push(step.id);
      if (seen.length === 2) {
        const { data, keys } = await model.attention({ layer: 1, head: 1, queries: [10, 11] });
        assert.equal(distance(data.subarray(0, 11), runMap.data.subarray(10 * runMap.keys, 10 * runMap.keys + 11)), 0);
        assert.ok(keys >= ids.length);
      }
    }
    assert.deepEqual(seen, expected.slice(ids.length));

    const plain = [];
    for await (const step of model.generate(ids, { maxTokens: 4, temperature: 0 })) plain.push(step.id);
    model.rewind(0);
    const logits = await model.forward(ids);
    assert.equal(plain[0], logits.indexOf(Math.max(...logits)), 'a later text has no edits');
    await rejects(model.generate(ids, { edits: [{ hook: 'x' }] }).next(), 'bad-argument', /no activation/);
  });

  test('a call after an unfinished generation has no edits', async () => {
    const clean = await open({ cache: 'f32' }, 'f32');
    const steps = model.generate(ids, { maxTokens: 8, edits: [{ hook: 'blocks.0.attn.hook_z', scale: 0 }] });
    await steps.next();
    model.rewind(0);
    assert.deepEqual(await model.forward(ids), await clean.forward(ids));
    await steps.return(/** @type {any} */ (undefined));
  });
});

for (const type of /** @type {const} */ (['f32', 'q8_0'])) {
  describe(`reading a model of ${type}`, async () => {
    const model = await open({}, type);
    const { dModel, vocabulary } = model.info;
    const { weights } = await readModel(await asGguf(golden, type, folder));

    test('unembed of the last residual gives the logits', async () => {
      const last = 'blocks.2.hook_resid_post';
      const normalized = 'ln_final.hook_normalized';
      const { logits, cache } = await model.runWithCache(ids, [last, normalized], { all: true });
      assert.deepEqual(await model.unembed(cache[last].data), logits);
      assert.deepEqual(await model.unembed(cache[normalized].data, { normalize: false }), logits);
    });

    test('unembed ranks the logits: the largest first, equal logits by id', async () => {
      const { cache } = await model.runWithCache(ids, ['blocks.1.hook_resid_post', 'hook_embed']);
      // 24 rows need several calls of the core, and rows of zeros make all logits equal.
      const x = new Float32Array([...cache['blocks.1.hook_resid_post'].data.slice(0, 23 * dModel),
        ...new Float32Array(dModel)]);
      for (const normalize of [true, false]) {
        const logits = await model.unembed(x, { normalize });
        const rows = x.length / dModel;
        for (const top of [1, 5, vocabulary]) {
          const found = await model.unembed(x, { normalize, top });
          assert.deepEqual([found.rows, found.top, found.ids.length, found.logprobs.length],
            [rows, top, rows * top, rows * top]);
          for (let row = 0; row < rows; row++) {
            const own = logits.subarray(row * vocabulary, (row + 1) * vocabulary);
            const order = Array.from(own, (_, id) => id).sort((a, b) => own[b] - own[a] || a - b).slice(0, top);
            assert.deepEqual([...found.ids.subarray(row * top, (row + 1) * top)], order, `row ${row}`);
            const normalizer = Math.log(own.reduce((sum, logit) => sum + Math.exp(logit), 0));
            order.forEach((id, rank) =>
              assert.ok(Math.abs(found.logprobs[row * top + rank] - (own[id] - normalizer)) < 1e-5));
          }
        }
      }
      for (const top of [0, vocabulary + 1, 1.5, NaN, '5', null]) {
        await rejects(model.unembed(x, /** @type {any} */ ({ top })), 'bad-argument', /top/);
      }
    });

    test('weight reads every weight of the file', async () => {
      const names = Object.keys(weights);
      assert.ok(names.length > 20);
      for (const name of names) {
        const { data, shape } = await model.weight(name) ?? assert.fail(name);
        assert.deepEqual(shape, weights[name].shape, name);
        assert.deepEqual(data, weights[name].data, name);
        const [rows, columns] = shape.length === 1 ? [1, shape[0]] : shape;
        const last = await model.weight(name, { range: [rows - 1, rows] }) ?? assert.fail(name);
        assert.deepEqual(last.shape, shape.length === 1 ? shape : [1, columns], name);
        assert.deepEqual(last.data, weights[name].data.slice(-columns), name);
      }
      for (const range of [[-1, 2], [2, 2], [0, 1e9], [0.5, 1], [], 3, ['a', 'b'], [0, 1, 1]]) {
        await rejects(model.weight('output_norm.weight', { range }), 'bad-argument',
          /range \[from, to\] with 0 ≤ from < to ≤ 1, got ‘/);
      }
      const typed = await model.weight('output_norm.weight', { range: Int32Array.of(0, 1) });
      assert.deepEqual(typed?.data, weights['output_norm.weight'].data);
      await rejects(model.weight('output_norm.weight', { rows: [0, 1] }), 'bad-argument', /no option ‘rows’/);
      assert.equal(await model.weight('blk.0.attn_q.bias'), null);
      await rejects(model.weight('blk.9.attn_q.weight'), 'bad-argument', /Layer is 9/);
      await rejects(model.weight('wte'), 'bad-argument', /no weight ‘wte’/);
      await rejects(model.unembed(new Float32Array(5)), 'bad-argument', /\[rows\]\[64\]/);
    });
  });
}
