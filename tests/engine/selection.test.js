// Selection of binary and kernel set: by default, by option, and that the model calls the kernels of its set.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { load } from '../../js/index.js';
import { whyNotRelaxed, wholeBytes } from '../../js/engine/relaxed.js';
import { Engine } from '../../js/engine/wasm.js';
import { BEST, ENGINES, TAKEN, on } from '../support/engines.js';
import { asGguf, goldens, temporaryFolder } from '../support/goldens.js';
import { heedError, STORIES } from '../support/model.js';

const IDS = [0, 382, 389, 259, 366];
const ROOT = new URL('../..', import.meta.url);

/** The engine of a model with these options. */
async function chosen(options) {
  const model = await load(STORIES, options);
  model.dispose();
  return model.info.engine;
}

for (const worker of [false, true]) {
  const where = worker ? 'in a Worker' : 'in this thread';

  test(`relaxed SIMD runs by default if the engine computes it correctly, ${where}`, async () => {
    const { binary, why } = await chosen({ worker });
    assert.equal(binary, BEST);
    const reason = whyNotRelaxed();
    const bytes = wholeBytes() ? `, also on whole bytes (${wholeBytes()})` : '';
    const expected = reason ? `simd128, because ${reason}` : `relaxed SIMD, which passed its test${bytes}`;
    assert.ok(why.startsWith(`${expected}; `), why);
  });

  for (const engine of ENGINES) {
    test(`the option engine: ${engine} selects it, ${where}`, on(engine), async () => {
      const { binary, why } = await chosen({ worker, engine });
      assert.equal(binary, engine);
      assert.match(why, RegExp(`^${engine}, as requested; `));
    });
  }

  test(`strict excludes relaxed SIMD, ${where}`, async () => {
    const { binary, why } = await chosen({ worker, strict: true });
    assert.equal(binary, 'simd128');
    assert.match(why, /^simd128, because strict: true excludes relaxed SIMD; /);
    assert.equal((await chosen({ worker, strict: true, engine: 'scalar' })).binary, 'scalar');
    await assert.rejects(
      chosen({ worker, strict: true, engine: 'relaxed' }),
      heedError('bad-argument', /strict: true.*only one of the two/),
    );
  });

  const there = !whyNotRelaxed() && 'this WebAssembly engine has relaxed SIMD';
  test(`engine: ‘relaxed’ is an error without relaxed SIMD, ${where}`, { skip: there }, async () => {
    await assert.rejects(
      chosen({ worker, engine: 'relaxed' }),
      heedError('unsupported', /has no relaxed SIMD. Use ‘auto’ or ‘simd128’/),
    );
  });
}

test('an engine whose baseline compiler computes relaxed SIMD wrongly runs simd128', {
  skip: !process.version.startsWith('v20.') && 'only Node 20 has the wrong compiler',
}, async () => {
  const script = `
    import { load } from './js/index.js';
    const told = [];
    for (const options of [{}, { engine: 'relaxed' }, { worker: true }, { worker: true, engine: 'relaxed' }]) {
      const loading = load(${JSON.stringify(STORIES)}, options);
      told.push(await loading.then(
        (model) => (model.dispose(), model.info.engine),
        ({ code, message }) => [code, message],
      ));
    }
    console.log(JSON.stringify(told));`;
  const run = async (...flags) => {
    const args = ['--experimental-wasm-relaxed-simd', ...flags, '--input-type=module', '--eval', script];
    return JSON.parse((await promisify(execFile)(process.execPath, args, { cwd: ROOT })).stdout);
  };
  const why = 'this WebAssembly engine computes relaxed SIMD wrongly';
  const [auto, forced, ...remote] = await run();
  assert.equal(auto.kernels, 'simd128');
  assert.ok(auto.why.startsWith(`simd128, because ${why}; `), auto.why);
  assert.deepEqual(forced, ['unsupported', `engine: ‘relaxed’ is not available: ${why}. Use ‘auto’ or ‘simd128’.`]);
  assert.deepEqual(remote, [auto, forced]);
  for (const { binary } of await run('--no-liftoff')) assert.equal(binary, 'relaxed', 'the other compiler');
});

test('a model calls only the kernels of its set', async (t) => {
  /** @type {WebAssembly.Instance[]} */ const instances = [];
  const { instantiate } = WebAssembly;
  t.after(() => (WebAssembly.instantiate = instantiate));
  WebAssembly.instantiate = async (...args) => {
    const instance = /** @type {any} */ (await instantiate(...args));
    instances.push(instance);
    return instance;
  };
  for (const engine of TAKEN) {
    const model = await load(STORIES, { engine, threads: 1 });
    const core = new Engine(/** @type {WebAssembly.Instance} */ (instances.at(-1)));
    const entry = (/** @type {typeof engine} */ set) =>
      core.i32(core.kernels(set) + 4 * core.abi.kernels.indexOf('matmul_q8_0'), 1);
    const expected = await model.forward(IDS);
    for (const other of TAKEN) {
      if (other !== engine && core.kernels(other) !== 0) entry(other)[0] = 0; // calls of a null function trap
    }
    model.rewind(0);
    assert.deepEqual(await model.forward(IDS), expected);
    entry(engine)[0] = 0;
    model.rewind(0);
    await assert.rejects(model.forward(IDS), WebAssembly.RuntimeError, engine);
    model.dispose();
  }
});

test('relaxed products of codes are exact: Q4_0 gives the same bits on relaxed SIMD', on('relaxed'), async () => {
  const folder = await temporaryFolder(after);
  const exact = [];
  for (const golden of await goldens()) {
    const path = await asGguf(golden, 'q4_0', folder);
    const results = [];
    let types = {};
    for (const options of [{ engine: 'relaxed' }, { strict: true }]) {
      const model = await load(path, /** @type {import('../../js/index.js').LoadOptions} */ (options));
      results.push(await model.forward(golden.ids, { all: true }));
      ({ types } = model.info);
      model.dispose();
    }
    if ('F16' in types) continue; // rows that are not whole blocks stay F16: their products round once, others twice
    assert.deepEqual(results[0], results[1], golden.name);
    exact.push(golden.name);
  }
  assert.deepEqual(exact, ['gpt2', 'llama', 'llama-tied', 'llama3', 'qwen2']);
});
