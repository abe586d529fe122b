/**
 * Whole models against PyTorch and against the float64 reference, in every weight type, on every engine.
 *
 * Two comparisons. *Global*: every stage against PyTorch's golden, for files with exactly the golden's weights.
 * *Local*: every stage against the reference, computed from the engine's previous stages, in every weight type.
 * Integer products are discontinuous, so errors of earlier stages must not accumulate (tests/support/reference.js).
 */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { join } from 'node:path';
import { load } from '../../js/index.js';
import { float32, string, uint32 } from '../../js/files/gguf/writer.js';
import { assertClose, assertSame, scaleOf } from '../support/compare.js';
import { ENGINES, on } from '../support/engines.js';
import { asGguf, goldens, inGgufOrder, temporaryFolder } from '../support/goldens.js';
import { forward, readModel } from '../support/reference.js';

/** Share of a stage's largest magnitude, through the whole model. Measured: 0.9e-6. */
const GLOBAL_TOLERANCE = 1e-5;
/** The same for one operation: at most 128 terms in single precision, 128·2^-24 = 0.8e-5. Measured: 0.7e-6. */
const LOCAL_TOLERANCE = 1e-5;

const TYPES = /** @type {const} */ (['f32', 'f16', 'bf16', 'q8_0', 'q4_0']);
/** Types that store a golden's weights exactly; default: f32 only.
 *  @type {Record<string, string[]>} */
const EXACT = { llama: ['f32', 'bf16'], 'llama-tied': ['f32', 'f16'], qwen2: ['f32', 'bf16'] };

const folder = await temporaryFolder(after);
const all = await goldens();

/** @param {import('../support/goldens.js').Golden} golden */
function safetensors({ folder: from }) {
  return { weights: join(from, 'model.safetensors'), config: join(from, 'config.json') };
}

for (const golden of all) {
  const { name, ids, stages } = golden;
  const hooks = Object.keys(stages).filter((hook) => hook !== 'logits');
  for (const engine of ENGINES) {
    describe(`${name}, ${engine}`, on(engine), () => {
      test('safetensors: every stage equals PyTorch\'s', async (t) => {
        const model = await load(safetensors(golden), { engine });
        t.after(() => model.dispose());
        const { logits, cache } = await model.runWithCache(ids, hooks, { all: true });
        checkGlobally(golden, cache, logits, (_, stage) => stage);
      });

      for (const type of TYPES) {
        test(`${type}: every stage, in one batch, in pieces and after rewind; every map`, async (t) => {
          const path = await asGguf(golden, type, folder);
          const model = await load(path, { engine });
          t.after(() => model.dispose());
          assert.equal(model.info.engine.binary, engine);
          const { logits, cache } = await model.runWithCache(ids, hooks, { all: true });

          if ((EXACT[name] ?? ['f32']).includes(type)) checkGlobally(golden, cache, logits, inGgufOrder);
          checkLocally(await readModel(path), ids, cache, logits, model.info.cache);
          await checkPieces(model, ids, logits);
          await checkMaps(model, cache, golden);
        });
      }
    });
  }
}

/** Error that a compact cache may add to a stage: a code is within 2^-14 of its vector's largest.
 * Measured: 3.5e-4. */
const COMPACT_TOLERANCE = 1e-3;

for (const golden of all) {
  for (const engine of ENGINES) {
    describe(`${golden.name}, ${engine}, with the other cache type`, () => {
      for (const [type, cache] of /** @type {const} */ ([['f32', 'int16'], ['q8_0', 'f32']])) {
        test(`${cache} for ${type}: every stage, in pieces and after rewind; every map`, on(engine), async (t) => {
          const path = await asGguf(golden, type, folder);
          const model = await load(path, { engine, cache });
          t.after(() => model.dispose());
          assert.equal(model.info.cache, cache);
          const hooks = Object.keys(golden.stages).filter((hook) => hook !== 'logits');
          const { ids } = golden;
          const run = await model.runWithCache(ids, hooks, { all: true });
          if (type === 'f32') checkGlobally(golden, run.cache, run.logits, inGgufOrder, COMPACT_TOLERANCE);
          checkLocally(await readModel(path), ids, run.cache, run.logits, cache);
          await checkPieces(model, ids, run.logits);
          await checkMaps(model, run.cache, golden);
        });
      }
    });
  }
}

describe('variants set by the configuration alone', () => {
  /** @param {string} name */
  const named = (name) => /** @type {Golden} */ (all.find((golden) => golden.name === name));
  /** @type {[string, string, Record<string, import('../../js/files/gguf/writer.js').MetadataValue>][]} */
  const changes = [
    ['RoPE over positions divided by 4', 'llama',
      { 'llama.rope.scaling.type': string('linear'), 'llama.rope.scaling.factor': float32(4) }],
    ['RoPE of adjacent pairs in half of each head', 'llama', { 'llama.rope.dimension_count': uint32(8) }],
    ['RoPE of halves in half of each head', 'qwen2', { 'qwen2.rope.dimension_count': uint32(8) }],
  ];
  for (const [what, name, metadata] of changes) {
    test(what, async (t) => {
      const golden = named(name);
      const path = await asGguf(golden, 'f32', folder, metadata);
      const model = await load(path);
      t.after(() => model.dispose());
      const hooks = Object.keys(golden.stages).filter((hook) => hook !== 'logits');
      const { logits, cache } = await model.runWithCache(golden.ids, hooks, { all: true });
      const change = scaleOf(logits.map((v, i) => v - golden.stages.logits.data[i]));
      assert.ok(change > 0.01 * scaleOf(logits), `the logits change by ${change} only`);
      checkLocally(await readModel(path), golden.ids, cache, logits);
    });
  }

  test('GPT-2 with ReLU', async (t) => {
    const golden = named('gpt2');
    const config = { ...golden.config, activation_function: 'relu' };
    const model = await load({ ...safetensors(golden), config });
    t.after(() => model.dispose());
    const { cache } = await model.runWithCache(golden.ids, ['blocks.1.mlp.hook_pre', 'blocks.1.mlp.hook_post']);
    const expected = cache['blocks.1.mlp.hook_pre'].data.map((v) => Math.max(0, v));
    assertSame(cache['blocks.1.mlp.hook_post'].data, expected, 'blocks.1.mlp.hook_post');
  });
});

/**
 * @typedef {Record<string, { data: Float32Array, shape: number[] }>} Cache the engine's stages
 * @typedef {import('../support/goldens.js').Golden} Golden
 * @typedef {Awaited<ReturnType<typeof load>>} Model
 */

/**
 * @param {Golden} golden @param {Cache} cache @param {Float32Array} logits
 * @param {typeof inGgufOrder} order order of queries and keys in the model's format
 * @param {number} [tolerance] of a stage's largest magnitude
 */
function checkGlobally(golden, cache, logits, order, tolerance = GLOBAL_TOLERANCE) {
  for (const [hook, stage] of Object.entries(golden.stages)) {
    const { shape, data } = order(hook, stage, golden);
    const given = hook === 'logits' ? { shape, data: logits } : cache[hook];
    assert.deepEqual(given.shape, shape, hook);
    assertClose(given.data, data, tolerance * scaleOf(data), `${hook} by PyTorch`);
  }
}

/**
 * @param {import('../support/reference.js').ReferenceModel} reference @param {number[]} ids
 * @param {Cache} cache @param {Float32Array} logits @param {string} [numbers] of the session's cache
 */
function checkLocally(reference, ids, cache, logits, numbers = 'f32') {
  forward(reference, ids, {
    integers: true,
    cache: numbers,
    tap(hook, { shape, data }) {
      const given = hook === 'logits' ? { shape, data: logits } : cache[hook];
      assert.deepEqual(given.shape, shape, hook);
      assertClose(given.data, data, LOCAL_TOLERANCE * scaleOf(data), `${hook} by the reference`);
      return given;
    },
  });
}

/**
 * @param {Model} model @param {number[]} ids
 * @param {Float32Array} expected [ids][vocabulary]
 */
async function checkPieces(model, ids, expected) {
  const V = expected.length / ids.length;
  const check = async (/** @type {number[]} */ cuts, /** @type {string} */ what) => {
    let from = model.position;
    for (const to of [...cuts, ids.length]) {
      const logits = await model.forward(ids.slice(from, to), { all: true });
      assertSame(logits, expected.subarray(from * V, to * V), `logits ${what}`);
      from = to;
    }
    assert.equal(model.position, ids.length);
  };
  model.rewind(0);
  await check([], 'in one batch');
  model.rewind(0);
  await check([1, 3, 6, 10], 'in pieces of 1, 2, 3, 4 and the rest');
  model.rewind(0);
  await check(ids.map((_, i) => i).slice(1), 'token by token');
  model.rewind(7);
  await check([8], 'after a rewind to 7');
  model.rewind(0);
  assertSame(await model.forward(ids), expected.subarray(-V), 'logits of the last id');
}

/**
 * Every map of the session equals the pattern of the forward pass.
 * @param {Model} model @param {Cache} cache @param {Golden} golden
 */
async function checkMaps(model, cache, { config, ids: { length: T } }) {
  const window = config.sliding_window ?? T;
  for (let layer = 0; layer < model.info.layers; layer++) {
    for (let head = 0; head < model.info.heads; head++) {
      const here = `layer ${layer}, head ${head}`;
      const of = (/** @type {string} */ hook) =>
        cache[`blocks.${layer}.attn.${hook}`].data.subarray(head * T * T, (head + 1) * T * T);
      const map = await model.attention({ layer, head });
      assert.deepEqual([map.queries, map.keys, map.firstQuery, map.kind], [T, T, 0, 'pattern']);
      assertSame(map.data, of('hook_pattern'), `map of ${here}`);
      const scores = await model.attention({ layer, head, kind: 'scores' });
      assertSame(scores.data, of('hook_attn_scores'), `scores of ${here}`);
      for (let query = 0; query < T; query++) {
        const row = map.data.subarray(query * T, (query + 1) * T);
        // T - 1 additions of a sum, its reciprocal and T products with it: each within 2^-24.
        assertClose([row.reduce((a, b) => a + b)], [1], (T + 1) * 2 ** -24, `sum of row ${query}, ${here}`);
        for (let key = 0; key < T; key++) {
          const seen = key <= query && key > query - window;
          if (!seen) assert.equal(row[key], 0, `${here}: query ${query} sees key ${key}`);
          const hidden = scores.data[query * T + key] === -Infinity;
          assert.equal(hidden, !seen, `${here}: score of query ${query}, key ${key}`);
        }
      }
      const part = await model.attention({ layer, head, queries: [5, 9] });
      assert.deepEqual([part.queries, part.keys, part.firstQuery], [4, T, 5]);
      assertSame(part.data, map.data.subarray(5 * T, 9 * T), `rows 5 to 8 of ${here}`);
    }
  }
}
