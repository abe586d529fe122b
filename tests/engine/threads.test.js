// Threads split rows and heads, never sums, so every number of threads gives the same bits.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { load } from '../../js/index.js';
import { FORMATS } from '../../tools/convert/formats.js';
import { TYPES } from '../../js/files/gguf/quantize.js';
import { blockModel } from '../support/block-model.js';
import { rejects } from '../support/expect.js';
import { collect, heedError, STORIES } from '../support/model.js';
import { tinyGguf } from '../support/tiny-gguf.js';

/** More than one batch of two threads, and enough work for several. */
const IDS = Array.from({ length: 300 }, (_, i) => (i * 7919 + 300) % 2048);

/** All results of a run, and its number of threads. */
async function run(options) {
  const model = await load(STORIES, options);
  const { threads } = model.info.engine;
  const logits = await model.forward(IDS, { all: true });
  const rows = await model.attentionRows({ queries: [100, 150] });
  const names = ['blocks.3.attn.hook_pattern', 'blocks.5.hook_resid_post'];
  const { cache } = await model.runWithCache(IDS.slice(0, 40), names);
  const { summary } = await collect(model.generate('Once upon a time', { maxTokens: 40, seed: 5, temperature: 1 }));
  model.dispose();
  return { threads, results: { logits, rows, cache, ids: summary.ids } };
}

test('1, 2, 3 and 4 threads give the same bits', async () => {
  const one = await run({ threads: 1 });
  assert.equal(one.threads, 1);
  for (const threads of [2, 3, 4]) {
    const several = await run({ threads });
    assert.equal(several.threads, threads, 'number of threads');
    assert.deepEqual(several.results, one.results);
  }
});

test('scalar kernels, and more threads than heads, give the same bits', async () => {
  const one = await run({ threads: 1, engine: 'scalar' });
  const many = await run({ threads: 16, engine: 'scalar' });
  assert.deepEqual(many.results, one.results);
});

/** Enough ids that each of two threads has rows and an incomplete tile in every product. */
const BLOCK_IDS = Array.from({ length: 70 }, (_, i) => [1, 5, 9, 4, 11, 6, 10, 7, 3, 8][i * i % 10]);
const ALL_TYPES = /** @type {import('../support/block-model.js').MatrixType[]} */ (
  [...Object.keys(TYPES), ...Object.keys(FORMATS)]
);

for (const type of ALL_TYPES) {
  test(`weights in ${type}: the same bits for every number of threads and every split of the prompt`, async () => {
    const file = await blockModel(() => type, 1);
    /** The logits of every row, for each split of the prompt. */
    const logitsOf = async (/** @type {number} */ threads, /** @type {number[][]} */ splits) => {
      const model = await load(file, { threads });
      assert.equal(model.info.engine.threads, threads);
      const all = [];
      for (const pieces of splits) {
        const rows = [];
        let at = 0;
        model.rewind(0);
        for (const n of pieces) rows.push(...(await model.forward(BLOCK_IDS.slice(at, (at += n)), { all: true })));
        all.push(rows);
      }
      model.dispose();
      return all;
    };
    const splits = [[70], [3, 1, 66], Array(70).fill(1)];
    const [expected] = await logitsOf(1, [[70]]);
    assert.ok(expected.every(Number.isFinite) && new Set(expected).size > expected.length / 2);
    for (const threads of [2, 5]) assert.deepEqual(await logitsOf(threads, splits), splits.map(() => expected));
  });
}

test('weights quantized while they stream in: the same bits for every number of threads', async () => {
  const file = await blockModel(() => 'f32', 2);
  const logitsOf = async (/** @type {number} */ threads) => {
    const model = await load(file, { threads, quantize: 'q8_0' });
    assert.deepEqual(Object.keys(model.info.types).sort(), ['F32', 'Q8_0']);
    const logits = await model.forward(BLOCK_IDS, { all: true });
    model.dispose();
    return logits;
  };
  const expected = await logitsOf(1);
  assert.ok(expected.every(Number.isFinite));
  for (const threads of [2, 5]) assert.deepEqual(await logitsOf(threads), expected);
});

test('a weight that is not a number is refused on every thread', async () => {
  const file = await blockModel(() => 'f32', 3);
  for (const part of [0.2, 0.35, 0.5, 0.65, 0.8, 0.95]) {
    const damaged = file.slice();
    new DataView(damaged.buffer).setFloat32(Math.floor(part * file.length / 4) * 4, NaN, true);
    await assert.rejects(load(damaged, { threads: 3, quantize: 'q8_0' }), heedError('bad-tensor'));
  }
});

test('two models with their own threads run at once in one process', async () => {
  const [alone, ...both] = await Promise.all([run({ threads: 1 }), run({ threads: 2 }), run({ threads: 3 })]);
  for (const { results } of both) assert.deepEqual(results, alone.results);
});

test('an abandoned generation leaves the threads ready for the next', async () => {
  const texts = [];
  for (const threads of [1, 4]) {
    const model = await load(STORIES, { threads });
    const controller = new AbortController();
    for await (const { position } of model.generate(IDS, { maxTokens: 50, seed: 1, signal: controller.signal })) {
      if (position === IDS.length + 5) controller.abort();
    }
    await assert.rejects(model.forward(IDS, { signal: AbortSignal.abort() }), heedError('aborted'));
    texts.push((await collect(model.generate('Once', { maxTokens: 20, seed: 2 }))).summary.text);
    model.dispose();
  }
  assert.equal(texts[0], texts[1]);
});

/** Output of a process that runs this script with the last argument `last`. */
async function output(script, last = '', env = {}) {
  const arguments_ = ['--input-type=module', '--eval', script, last];
  const cwd = new URL('../..', import.meta.url);
  const options = { cwd, env: { ...process.env, ...env }, timeout: 60_000 };
  return (await promisify(execFile)(process.execPath, arguments_, options)).stdout.trim();
}

test('idle threads use no processor time', async () => {
  // A polling thread uses all of every half second of a free processor, and far more than a tenth on a busy one. The
  // rest of the process uses some milliseconds, after V8 has compiled and collected.
  const busy = Number(await output(`
    import { setTimeout } from 'node:timers/promises';
    import { load } from './js/index.js';
    const model = await load(${JSON.stringify(STORIES)}, { threads: 4 });
    for await (const step of model.generate('Once', { maxTokens: 10 }));
    let least = Infinity;
    for (let i = 0; i < 20 && least >= 0.05; i++) {
      const before = process.cpuUsage();
      await setTimeout(500);
      const { user, system } = process.cpuUsage(before);
      least = Math.min(least, (user + system) / 1e6);
    }
    console.log(least);`));
  assert.ok(busy < 0.05, `at least ${busy} s of processors in an idle half second`);
});

test('threads end when a model is disposed of or fails to load', async () => {
  const script = `
    import workerThreads from 'node:worker_threads';
    import { syncBuiltinESMExports } from 'node:module';
    const ended = [];
    workerThreads.Worker = class extends workerThreads.Worker {
      constructor(...parameters) {
        super(...parameters);
        ended.push(new Promise((resolve) => this.on('exit', resolve)));
      }
    };
    syncBuiltinESMExports();
    const { load } = await import('./js/index.js');
    const stay = setTimeout(() => process.exit(1), 50_000);
    if (process.argv[1] === 'disposed') (await load(${JSON.stringify(STORIES)}, { threads: 3 })).dispose();
    else await load(${JSON.stringify(STORIES)}, { threads: 3, contextLength: 9e9 }).catch(() => {});
    await Promise.all(ended);
    clearTimeout(stay);
    console.log(ended.length);`;
  for (const how of ['disposed', 'failed']) assert.equal(await output(script, how), '2', how);
});

test('a thread that cannot start is an error with its cause', async () => {
  // The real module in a real thread. Its instantiation fails for lack of memory.
  const fault = `import { isMainThread } from 'node:worker_threads';
    if (!isMainThread) WebAssembly.instantiate = () => Promise.reject(new RangeError('no room for an instance'));`;
  const script = `
    import { load } from './js/index.js';
    await load(${JSON.stringify(STORIES)}, { threads: 3 }).catch(({ code, message }) => console.log(code, message));`;
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(fault)}` };
  assert.equal(await output(script, '', env),
    'unavailable A thread of the engine could not start (no room for an instance). Load with threads: 1.');
});

test('a call ends when a thread fails during it', async () => {
  // The real module in a real thread. All its functions that are called by pointers trap.
  const fault = `import { isMainThread } from 'node:worker_threads';
    const real = WebAssembly.instantiate;
    const bytes = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 7, 5, 1, 1, 116, 0, 0, 10,
      5, 1, 3, 0, 0, 11);
    if (!isMainThread) WebAssembly.instantiate = async (...given) => {
      const instance = await real(...given);
      const trap = (await real(bytes)).instance.exports.t;
      const table = instance.exports.__indirect_function_table;
      for (let i = 1; i < table.length; i++) table.set(i, trap);
      return instance;
    };`;
  const script = `
    import { load } from './js/index.js';
    const model = await load(${JSON.stringify(STORIES)}, { threads: 3 });
    const ids = Int32Array.from({ length: 200 }, (_, i) => i + 5);
    for (let i = 0; i < 20; i++) await model.forward(ids).finally(() => model.rewind(0));`;
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(fault)}` };
  await assert.rejects(output(script, '', env), { code: 1, stderr: /RuntimeError/ });
});

test('in a Worker', async () => {
  const one = await run({ threads: 1 });
  const two = await run({ threads: 2, worker: true });
  assert.equal(two.threads, 2);
  assert.deepEqual(two.results, one.results);
});

test('a small model uses one thread by default and gives the reason', async () => {
  const model = await load(STORIES);
  assert.equal(model.info.engine.threads, 1);
  assert.match(model.info.engine.why, /the model is small/);
  model.dispose();
});

test('an invalid number of threads is refused', async () => {
  for (const threads of [0, -1, 1.5, 17, 'many']) {
    await assert.rejects(load(STORIES, { threads }), heedError('bad-argument', /threads/i));
  }
});

test('waiting threads keep no process alive, with or without dispose()', async () => {
  const script = `
    import { load } from './js/index.js';
    const model = await load(${JSON.stringify(STORIES)}, { threads: 3 });
    const logits = await model.forward([0, 1, 2]);
    if (process.argv[1] === 'dispose') model.dispose();
    console.log(logits.length);`;
  for (const last of ['dispose', 'leave']) assert.equal(await output(script, last), '2048');
});

test('without memory for several threads, auto runs on one, and a number is refused with a sentence', async () => {
  const { Memory } = WebAssembly;
  const large = await tinyGguf({ layers: 1000, type: 'f32' }); // 37 MB
  WebAssembly.Memory = /** @type {any} */ (function (/** @type {WebAssembly.MemoryDescriptor} */ descriptor) {
    if (descriptor.shared) throw new RangeError('WebAssembly.Memory(): could not allocate memory');
    return new Memory(descriptor);
  });
  try {
    await rejects(load(STORIES, { threads: 2 }), 'out-of-memory', /several threads .*threads: 1/);
    if (availableParallelism() > 1) {
      const model = await load(large);
      const { threads, why } = model.info.engine;
      model.dispose();
      assert.deepEqual([threads, why.split('; ')[1]],
        [1, 'one thread, because memory of several threads cannot be reserved']);
    }
  } finally {
    WebAssembly.Memory = Memory;
  }
});

test('weights that get no memory are not blamed on threads, although a second memory cannot be reserved', async () => {
  const { Memory } = WebAssembly;
  const large = await tinyGguf({ layers: 1000, type: 'f32' }); // 37 MB
  let shared = 0;
  WebAssembly.Memory = /** @type {any} */ (function (/** @type {WebAssembly.MemoryDescriptor} */ descriptor) {
    if (descriptor.shared && shared++ > 0) throw new RangeError('WebAssembly.Memory(): could not allocate memory');
    const memory = new Memory(descriptor);
    if (descriptor.shared) memory.grow = () => { throw new RangeError('WebAssembly.Memory.grow(): no memory'); };
    return memory;
  });
  try {
    const opened = load(large, { threads: availableParallelism() > 1 ? 'auto' : 2 });
    await rejects(opened, 'out-of-memory', /^Not enough memory for the weights /);
    assert.equal(shared, 1);
  } finally {
    WebAssembly.Memory = Memory;
  }
});
