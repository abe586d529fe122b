// Threads share one memory and split rows and heads, never sums: their number changes no bit of any result.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { load } from '../js/index.js';
import { collect, heedError, STORIES } from './support/model.js';

/** More than one batch, and more than a thread is worth waking for. */
const IDS = Array.from({ length: 150 }, (_, i) => (i * 7919 + 300) % 2048);

/** Everything that a run gives, with the threads it took. */
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
    assert.equal(several.threads, threads, 'the threads were really taken');
    assert.deepEqual(several.results, one.results);
  }
});

test('scalar kernels too, and more threads than there are heads', async () => {
  const one = await run({ threads: 1, engine: 'scalar' });
  const many = await run({ threads: 16, engine: 'scalar' });
  assert.deepEqual(many.results, one.results);
});

test('behind a Worker', async () => {
  const one = await run({ threads: 1 });
  const two = await run({ threads: 2, worker: true });
  assert.equal(two.threads, 2);
  assert.deepEqual(two.results, one.results);
});

test('a small model takes one thread by itself, and says why', async () => {
  const model = await load(STORIES);
  assert.equal(model.info.engine.threads, 1);
  assert.match(model.info.engine.why, /the model is small/);
  model.dispose();
});

test('a number of threads that makes no sense is refused', async () => {
  for (const threads of [0, -1, 1.5, 17, 'many']) {
    await assert.rejects(load(STORIES, { threads }), heedError('bad-argument', /threads/));
  }
});

test('threads that wait keep no process alive, disposed of or not', async () => {
  const script = `
    import { load } from './js/index.js';
    const model = await load(${JSON.stringify(STORIES)}, { threads: 3 });
    const logits = await model.forward([0, 1, 2]);
    if (process.argv[1] === 'dispose') model.dispose();
    console.log(logits.length);`;
  for (const last of ['dispose', 'leave']) {
    const arguments_ = ['--input-type=module', '--eval', script, last];
    const cwd = new URL('..', import.meta.url);
    const { stdout } = await promisify(execFile)(process.execPath, arguments_, { cwd, timeout: 60_000 });
    assert.equal(stdout.trim(), '2048');
  }
});
