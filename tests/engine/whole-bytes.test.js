/**
 * Products of whole bytes on emulated engines: exact for u8 or s8, saturating, and engines that change. The probe runs
 * on emulations in JavaScript. Models run in binaries with emulated relaxed instructions (tests/emulated,
 * `make emulated`).
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { after, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { chooseEngine, whyNotKernels } from '../../js/engine/choose.js';
import { A, B, C, LOCAL_SUMS, SUMS, askWholeBytes, wholeBytes } from '../../js/engine/relaxed.js';
import { Engine } from '../../js/engine/wasm.js';
import { openModelFile } from '../../js/files/model-file.js';
import { createSession } from '../../js/model/create-session.js';
import { load } from '../../js/index.js';
import { EMULATES } from '../support/kernels.js';
import { STORIES, heedError } from '../support/model.js';

/** @typedef {import('../../js/engine/wasm.js').KernelSet} KernelSet */

const signed = (/** @type {number} */ byte) => (byte > 127 ? byte - 256 : byte);
const clamp = (/** @type {number} */ sum) => Math.max(-32768, Math.min(32767, sum));
const wrap = (/** @type {number} */ sum) => (sum << 16) >> 16;
/** Sums of four products, by engine. @type {Record<string, (a: number[], b: number[]) => number>} */
const DOTS = {
  u8: (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0),
  s8: (a, b) => a.reduce((sum, x, i) => sum + x * signed(b[i]), 0),
  // vpmaddubsw of x64 without AVX-VNNI; smull and addp of ARM without sdot
  saturating: (a, b) => clamp(a[0] * b[0] + a[1] * b[1]) + clamp(a[2] * b[2] + a[3] * b[3]),
  wrapping: (a, b) => [0, 2].reduce((sum, i) => sum + wrap(a[i] * signed(b[i]) + a[i + 1] * signed(b[i + 1])), 0),
};
/** The probe's module on an engine that computes `memory` for operands from memory, and `local` for other operands.
 * @param {(call: number) => [memory: string, local: string]} engine by the number of the call */
function emulation(engine) {
  const buffer = new ArrayBuffer(65536);
  let calls = 0;
  const f = () => {
    const names = engine(calls++);
    for (const [i, at] of [SUMS, LOCAL_SUMS].entries()) {
      for (let lane = 0; lane < 4; lane++) {
        const a = [...new Int8Array(buffer, A + 4 * lane, 4)];
        const b = [...new Uint8Array(buffer, B + 4 * lane, 4)];
        new Int32Array(buffer, at)[lane] = new Int32Array(buffer, C)[lane] + DOTS[names[i]](a, b);
      }
    }
  };
  return { m: { buffer }, f };
}
const always = (/** @type {string} */ name) => emulation(() => [name, name]);

test('the probe tells unsigned from signed bytes, and refuses saturating and mixed engines', () => {
  assert.equal(askWholeBytes(always('u8')), 'u8');
  assert.equal(askWholeBytes(always('s8')), 's8');
  assert.equal(askWholeBytes(always('wrapping')), 's8', 'exact for activations, which are never -128');
  assert.equal(askWholeBytes(always('saturating')), null);
  for (const [memory, local] of [['u8', 's8'], ['s8', 'u8'], ['u8', 'saturating'], ['saturating', 'u8']]) {
    assert.equal(askWholeBytes(emulation(() => [memory, local])), null, `${memory} from memory, ${local} from locals`);
  }
});

test('the probe refuses an engine with other results after optimization', () => {
  for (const [cold, hot] of [['u8', 'saturating'], ['u8', 's8'], ['s8', 'u8']]) {
    for (const calls of [1, 255, 256, 257, 3000]) {
      const engine = emulation((call) => (call < calls ? [cold, cold] : [hot, hot]));
      assert.equal(askWholeBytes(engine), null, `${cold}, after ${calls} calls ${hot}`);
    }
  }
});

test('this engine has one of the sets of whole bytes or none; the other is an error', async () => {
  const bytes = wholeBytes();
  for (const kernels of /** @type {const} */ (['relaxed-u8', 'relaxed-s8'])) {
    if (kernels === `relaxed-${bytes}`) {
      assert.equal(whyNotKernels(kernels), null);
      assert.equal((await chooseEngine({}, 0)).kernels, kernels);
      assert.match((await chooseEngine({}, 0)).why, /^relaxed SIMD, which passed its test, also on whole bytes/);
    } else {
      const why = /does not multiply (un)?signed bytes exactly|has no relaxed SIMD|computes relaxed SIMD wrongly/;
      await assert.rejects(load(STORIES, { engine: kernels }), heedError('unsupported', why));
    }
    await assert.rejects(load(STORIES, { engine: kernels, strict: true }), heedError('bad-argument', /strict: true/));
  }
  assert.equal((await chooseEngine({ engine: 'auto' }, 0, { floatsOnly: true })).kernels.includes('-'), false);
});

// This process compiles only emulated binaries.
const { compile } = WebAssembly;
const { warn } = console;
after(() => {
  WebAssembly.compile = compile;
  console.warn = warn;
});

const IDS = Int32Array.of(0, 382, 389, 259, 366, 401, 77);
const MOST = 2 ** 31 - 1;

/**
 * Logits of a prompt and of two tokens after it.
 * @param {KernelSet} kernels @param {number} threads
 * @param {{ first?: keyof typeof EMULATES, calls?: number, then?: keyof typeof EMULATES }} engine that changes after
 *   some dot products
 */
async function run(kernels, threads, { first = 'relaxed-u8', calls = MOST, then = first } = {}) {
  const name = `heed-relaxed${threads > 1 ? '-mt' : ''}`;
  const bytes = await readFile(new URL(`../../build/emulated/${name}.wasm`, import.meta.url));
  WebAssembly.compile = () => compile(bytes);
  /** @type {string[]} */ const warnings = [];
  console.warn = (/** @type {string} */ message) => warnings.push(message);
  const engine = await Engine.create(kernels, threads);
  const file = await openModelFile(STORIES);
  const chosen = { kernels, binary: kernels, threads, why: 'as tested; threads as tested' };
  const { session, info } = await createSession(engine, file, chosen, { contextLength: 64 });
  engine.ask('heed_emulate', EMULATES[first], calls, EMULATES[then]);
  const logits = [await session.forward(IDS, true)];
  for (const id of [5, 9]) logits.push(await session.forward(Int32Array.of(id), false));
  const left = engine.ask('heed_emulated_left') | 0;
  session.close();
  await file.close();
  return { logits, engine: info.engine, warnings, dots: calls - left };
}

for (const threads of [1, 2]) {
  describe(`with ${threads} thread(s)`, () => {
    /** @type {Promise<Float32Array[]>} */
    const expected = load(STORIES, { engine: 'simd128', contextLength: 64 }).then(async (model) => {
      const logits = [await model.forward(IDS, { all: true })];
      for (const id of [5, 9]) logits.push(await model.forward([id]));
      model.dispose();
      return logits;
    });
    let dots = 0;

    for (const kernels of /** @type {const} */ (['relaxed-u8', 'relaxed-s8'])) {
      test(`${kernels} gives the bits of simd128 on the engine of its instructions`, async () => {
        const { logits, engine, warnings, dots: counted } = await run(kernels, threads, { first: kernels });
        assert.deepEqual(logits, await expected);
        assert.equal(engine.kernels, kernels);
        assert.deepEqual(warnings, []);
        dots = counted;
        assert.ok(dots > 1e5);
      });
    }

    test('an engine that differs from the start: exact kernels replace the set, and a warning says so', async () => {
      for (const [kernels, first] of /** @type {const} */ ([
        ['relaxed-u8', 'saturating'], ['relaxed-s8', 'saturating'], ['relaxed-u8', 'relaxed-s8'],
        ['relaxed-s8', 'relaxed-u8'],
      ])) {
        const { logits, engine, warnings } = await run(kernels, threads, { first });
        assert.deepEqual(logits, await expected, `${kernels} on ${first}`);
        assert.deepEqual([engine.kernels, engine.binary], ['relaxed', 'relaxed']);
        assert.equal(engine.why, 'relaxed SIMD without whole bytes, because this WebAssembly engine changed how it ' +
          'multiplies them; threads as tested');
        assert.equal(warnings.length, 1);
        assert.match(warnings[0], /^heed: .* continues on slower kernels: relaxed SIMD without whole bytes/);
      }
    });

    test('an engine that changes during a run: the results do not change', async () => {
      for (let i = 0; i < 12; i++) {
        // early, near the first check of the guard, and then throughout the run
        const calls = i < 4 ? 50 * i : Math.floor((dots * (i - 3.5)) / 8);
        const then = i % 2 ? 'saturating' : 'relaxed-s8';
        const { logits, engine } = await run('relaxed-u8', threads, { calls, then });
        assert.deepEqual(logits, await expected, `after ${calls} of ${dots} dot products`);
        assert.equal(engine.kernels, 'relaxed', `after ${calls} of ${dots} dot products`);
      }
    });
  });
}

/** load() in a process with an engine that is exact for unsigned bytes, and saturates after some dot products.
 * @param {number} exactDots @param {object} options of load */
async function loadThere(exactDots, options) {
  const script = `
    import { load } from './js/index.js';
    const model = await load(${JSON.stringify(STORIES)}, ${JSON.stringify({ contextLength: 64, ...options })});
    const before = model.info.engine;
    const logits = [...await model.forward(${JSON.stringify([...IDS])})];
    const told = { before, after: model.info.engine, logits };
    model.dispose();
    console.log(JSON.stringify(told));`;
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: new URL('../..', import.meta.url),
    env: { ...process.env, EXACT_DOTS: String(exactDots),
      NODE_OPTIONS: `--import=${new URL('../support/emulated-engine.js', import.meta.url)}` },
  });
  return { ...JSON.parse(stdout), stderr };
}

for (const options of [{}, { worker: true }, { threads: 2 }, { worker: true, threads: 2 }]) {
  test(`load(…, ${JSON.stringify(options)}) chooses whole bytes, and reports a change`, async () => {
    const model = await load(STORIES, { engine: 'simd128', contextLength: 64, threads: 1 });
    const expected = [...await model.forward(IDS)];
    model.dispose();
    const exact = await loadThere(MOST, options);
    assert.equal(exact.before.kernels, 'relaxed-u8', exact.before.why);
    assert.match(exact.before.why, /^relaxed SIMD, which passed its test, also on whole bytes \(u8\); /);
    assert.deepEqual([exact.after, exact.logits, exact.stderr], [exact.before, expected, '']);
    const changed = await loadThere(50_000, options);
    assert.equal(changed.before.kernels, 'relaxed-u8');
    assert.deepEqual(changed.logits, expected);
    assert.equal(changed.after.kernels, 'relaxed');
    assert.match(changed.after.why, /^relaxed SIMD without whole bytes, because .* changed how it multiplies them; /);
    assert.match(changed.stderr, /^heed: .* continues on slower kernels: relaxed SIMD without whole bytes/);
  });
}
