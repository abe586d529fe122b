/** 64-bit memory: the numbers of 32-bit memory bit for bit, above 4 GB; and the errors without it. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, describe, test } from 'node:test';
import { Engine64 } from '../../js/engine/wasm64.js';
import { openModelFile } from '../../js/files/model-file.js';
import { uint32 } from '../../js/files/gguf/writer.js';
import { load } from '../../js/index.js';
import { MEMORY64_LIMIT, whyNotMemory64 } from '../../js/memory64.js';
import * as adapting from '../../js/model/adapter.js';
import { LocalModel } from '../../js/model/local.js';
import { needMemory } from '../../js/model/place.js';
import { TAKEN } from '../support/engines.js';
import { rejects } from '../support/expect.js';
import { ENCODERS } from '../support/encoders.js';
import { FAMILIES, IDS, ggufOf, huggingFaceOf } from '../support/families.js';
import { asGguf, goldens, temporaryFolder } from '../support/goldens.js';
import { collect, STORIES } from '../support/model.js';
import { floats, randomFrom } from '../support/numbers.js';
import { tinyGguf } from '../support/tiny-gguf.js';

const obstacle = whyNotMemory64();
const there = obstacle ? { skip: obstacle } : {};
const missing = obstacle ? {} : { skip: 'this WebAssembly engine has 64-bit memory' };

/** Reserved before the model, so that every address of the model is above 4 GB.  The system does not commit it. */
const BALLAST_BYTES = 2 ** 32;

const folder = await temporaryFolder(after);

/** A model in 32-bit memory, and the same model in 64-bit memory.
 *  @param {import('../../js/index.js').ModelSource} path
 *  @param {import('../../js/model/create-session.js').OpenOptions} [options] */
async function both(path, options = {}) {
  const narrow = await LocalModel.load(openModelFile, path, options);
  const wide = await LocalModel.load(openModelFile, path, { ...options, memory64: true, Engine64 }, (engine) => {
    engine.reserve(BALLAST_BYTES, 'ballast');
    assert.ok(engine instanceof Engine64 && engine.mark > 2 ** 32);
  });
  after(() => [narrow, wide].forEach((model) => model.dispose()));
  return [narrow, wide];
}

/** Everything that a model computes. @param {LocalModel} model @param {number[]} ids */
async function everything(model, ids) {
  const edits = [{ hook: 'blocks.0.hook_resid_post', values: floats(randomFrom(3), model.info.dModel), scale: 0.5 }];
  const ask = { of: /** @type {const} */ ({ logitDifference: [ids[0], ids[2]] }) };
  const options = { maxTokens: 12, temperature: 0.9, seed: 5, top: 3 };
  const text = await collect(model.generate(ids, options));
  return {
    logits: await model.forward(ids, { all: true }),
    maps: await Promise.all(Array.from({ length: model.info.layers * model.info.heads }, (_, i) => model.attention(
      { layer: i % model.info.layers, head: Math.floor(i / model.info.layers) }))),
    saved: await model.saveSession(),
    cache: await model.runWithCache(ids, undefined, { edits }),
    gradients: await model.gradients(ids, ask),
    crossEntropy: await model.gradients(ids, { of: { crossEntropy: [...ids.slice(1), -1] }, at: [] }),
    text: text.steps.map(({ id, top, logprob }) => ({ id, top, logprob })),
    weight: await model.weight('blk.0.attn_output.weight'),
    lens: await model.unembed(floats(randomFrom(4), model.info.dModel)),
  };
}

describe('64-bit memory, at addresses above 4 GB', there, async () => {
  for (const golden of await goldens()) {
    for (const type of /** @type {const} */ (['f32', 'q8_0'])) {
      test(`${golden.name} in ${type} has the bits of 32-bit memory in all that it computes`, async () => {
        const path = await asGguf(golden, type, folder);
        const [narrow, wide] = await both(path, { threads: 1 });
        assert.deepEqual(await everything(wide, golden.ids), await everything(narrow, golden.ids));
      });
    }
  }

  test('every family has the bits of 32-bit memory, on the scalar reference and on the best kernels', async () => {
    for (const row of [...FAMILIES, ...ENCODERS]) {
      for (const engine of /** @type {const} */ (['scalar', 'auto'])) {
        const isHub = row.gguf === false || row.head === 'labels';
        const models = await both(isHub ? huggingFaceOf(row) : await ggufOf(row), { engine });
        const [narrow, wide] = await Promise.all(models.map((model) => model.runWithCache(IDS)));
        assert.deepEqual(wide, narrow, `${row.name} on ${engine}`);
        models.forEach((model) => model.dispose());
      }
    }
  });

  for (const engine of TAKEN) {
    for (const threads of [1, 2]) {
      test(`${engine} on ${threads} threads has the bits of 32-bit memory`, async () => {
        for (const quantize of /** @type {const} */ (['keep', 'q4_0'])) {
          const models = await both(STORIES, { engine, threads, quantize, cache: 'f32' });
          const [ids] = await Promise.all(models.map((model) => model.encode('Once upon a time there was a girl')));
          const [narrow, wide] = await Promise.all(models.map((model) => model.forward(ids, { all: true })));
          assert.deepEqual(wide, narrow);
          const [before, now] = models.map(({ info }) => info.engine);
          assert.deepEqual(now, { ...before, memory64: true });
          assert.equal(before.memory64, false);
        }
      });
    }
  }

  test('an adapter of low rank has the bits of 32-bit memory', async () => {
    const side = (/** @type {'A' | 'B'} */ name, /** @type {number[]} */ shape, /** @type {number} */ seed) =>
      ({ name, slot: 'blk.0.attn_q.weight', side: name, shape, data: floats(randomFrom(seed), shape[0] * shape[1]) });
    const plain = await LocalModel.load(openModelFile, STORIES);
    const { dModel } = plain.info;
    const adapter = { name: 'an adapter', alpha: 4, byRoot: false, ordered: true,
      tensors: [side('A', [2, dModel], 1), side('B', [dModel, 2], 2)] };
    const [narrow, wide] = await both(STORIES, { adapter, adapting });
    const ids = await plain.encode('Once upon a time');
    const logits = await wide.forward(ids);
    assert.deepEqual(logits, await narrow.forward(ids));
    assert.notDeepEqual(logits, await plain.forward(ids));
    plain.dispose();
  });

  for (const worker of [false, true]) {
    test(`memory64: true selects it, worker: ${worker}`, async () => {
      const model = await load(STORIES, { memory64: true, worker });
      assert.equal(model.info.engine.memory64, true);
      const text = await collect(model.generate('Once upon a time', { maxTokens: 8, temperature: 0 }));
      model.dispose();
      const usual = await load(STORIES, { worker });
      assert.equal(usual.info.engine.memory64, false);
      const expected = await collect(usual.generate('Once upon a time', { maxTokens: 8, temperature: 0 }));
      usual.dispose();
      assert.deepEqual(text.summary.ids, expected.summary.ids);
    });

    test(`a session of more than 4 GB selects it, worker: ${worker}`, async () => {
      const model = await load(await longContext(), { contextLength: POSITIONS, worker });
      after(() => model.dispose());
      assert.ok(model.info.sessionBytes > 2 ** 32);
      assert.equal(model.info.engine.memory64, true);
      const short = await load(await longContext(), { contextLength: 8 });
      after(() => short.dispose());
      assert.deepEqual(await model.forward([1, 5, 6]), await short.forward([1, 5, 6]));
    });
  }

  test('memory64: false refuses such a session', async () => {
    await rejects(load(await longContext(), { contextLength: POSITIONS, memory64: false }), 'too-large',
      /with memory64: false there are at most 4 GB\. Load it .*with a shorter contextLength/);
    for (const [cache, advised] of /** @type {const} */ ([['auto', true], ['f32', true], ['int16', false]])) {
      const refused = load(await longContext(), { contextLength: 2 * POSITIONS, memory64: false, cache });
      await rejects(refused, 'too-large', advised ? /cache: ‘int16’ if its weights are not/ : /^(?!.*int16)/);
    }
  });

  test('more than 16 GB are refused before the weights are read', async () => {
    await rejects(load(await longContext(), { contextLength: 4 * POSITIONS }), 'too-large',
      /^‘.*’ with its session needs \d+\.\d GB of memory; WebAssembly has at most 16 GB/);
    await rejects(load(await longContext(), { contextLength: 4 * POSITIONS, memory64: true }), 'too-large', /16 GB/);
  });

  test('memory that does not grow is an error with the bytes and advice, and the engine works afterwards', async () => {
    const engine = await Engine64.create('simd128', 1);
    const { grow } = engine.memory;
    await rejects(() => engine.reserve(MEMORY64_LIMIT, 'the weights'), 'out-of-memory',
      /^Not enough memory for the weights \(16384\.0 MB\).*load a smaller model/);
    engine.memory.grow = () => { throw new RangeError('no memory'); };
    await rejects(() => engine.reserve(2 ** 33, 'the weights'), 'out-of-memory', /\(8192\.0 MB\)/);
    engine.memory.grow = grow;
    const at = engine.reserve(2 ** 32 + 4, 'a number');
    engine.f32(at + 2 ** 32, 1)[0] = 1.5;
    assert.equal(engine.f32(at + 2 ** 32, 1)[0], 1.5);
  });

  test('the modules export the same functions as those with 32-bit memory, and import nothing else', async () => {
    const described = async (/** @type {string} */ name) => {
      const module = new WebAssembly.Module(await readFile(new URL(`../../dist/${name}.wasm`, import.meta.url)));
      return [WebAssembly.Module.imports(module), WebAssembly.Module.exports(module).map(({ name: of }) => of).sort()];
    };
    for (const name of ['heed', 'heed-mt', 'heed-relaxed', 'heed-relaxed-mt']) {
      assert.deepEqual(await described(`${name}-64`), await described(name), name);
    }
  });
});

/** Positions of a session of over 4 GB, and of less than 16 GB. */
const POSITIONS = 2 ** 22;
const longContext = () => tinyGguf({ layers: 8, metadata: { 'llama.context_length': uint32(4 * POSITIONS) } });

describe('without 64-bit memory', missing, () => {
  for (const worker of [false, true]) {
    test(`memory64: true is an error that says where it is, worker: ${worker}`, async () => {
      await rejects(load(STORIES, { memory64: true, worker }), 'unsupported',
        /^memory64: true is not available: this WebAssembly engine has no 64-bit memory \(Chrome.*Node\.js 24/);
    });

    test(`a session of more than 4 GB is refused with the reason and advice, worker: ${worker}`, async () => {
      await rejects(load(await longContext(), { contextLength: POSITIONS, worker }), 'too-large',
        /does not fit into the address space; WebAssembly has at most 4 GB here, because this .* has no 64-bit memory/);
    });
  }
});

test('the engine has a code for sizes beyond its addresses', async () => {
  const opened = LocalModel.load(openModelFile, await longContext(), { contextLength: POSITIONS });
  await rejects(opened, 'needs-memory', /^A session of 4194304 positions does not fit into the address space\.$/);
  const model = await load(await longContext(), { contextLength: 2 ** 15, maps: false });
  after(() => model.dispose());
  await rejects(model.gradients(new Int32Array(2 ** 15), { of: { logit: 1 }, at: [] }), 'needs-memory',
    /^The gradients of 32768 positions do not fit into the address space; give fewer ids or use 64-bit memory\.$/);
});

test('a gradient that fits into 4 GB only without the model has the code, too', async () => {
  /** @type {any} */ let engine;
  const options = { contextLength: 2 ** 15, maps: false };
  const model = await LocalModel.load(openModelFile, await longContext(), options, (made) => (engine = made));
  after(() => model.dispose());
  /** Bytes of a gradient, from its first report. @param {number} n  positions */
  async function bytesOf(n) {
    const ending = new AbortController();
    let found = Infinity;
    const onProgress = (/** @type {{ bytes: number }} */ { bytes }) => {
      found = bytes;
      ending.abort();
    };
    await model.gradients(new Int32Array(n), { of: { logit: 1 }, at: [], onProgress, signal: ending.signal })
      .catch(() => {});
    return found;
  }
  let low = 1;
  let high = 2 ** 15; // most positions whose gradient alone fits
  while (high - low > 1) {
    const n = (low + high) >> 1;
    if (await bytesOf(n) < 2 ** 32) low = n;
    else high = n;
  }
  assert.ok(engine.mark + await bytesOf(low) > 2 ** 32);
  await rejects(model.gradients(new Int32Array(low), { of: { logit: 1 }, at: [] }), 'needs-memory',
    new RegExp(`^A gradient of ${low} positions with the model needs 4\\.0 GB of memory; give fewer ids, or load ` +
      'with memory64: true\\.$'));
});

test('a model that needs more than the memory of its engine is refused before its weights are read', async () => {
  const engine = /** @type {any} */ ({ memoryLimit: 2 ** 32 });
  needMemory(engine, 'fits', 2 ** 32);
  assert.throws(() => needMemory(engine, 'The model', 2 ** 32 + 1),
    { code: 'needs-memory', message: 'The model needs 4.0 GB of memory.' });
});
