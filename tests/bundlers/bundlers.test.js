/**
 * One application, built from the packed package by each bundler that README.md names, and run in a browser. It uses
 * two threads if the page is isolated, and one otherwise. Runtimes without a page run the same calls.
 */
import assert from 'node:assert/strict';
import { execFile, spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { load } from '../../js/index.js';
import { BROWSERS, plainServer } from '../support/browsers.js';
import { installPackage, ROOT } from '../support/installed.js';
import { resultOf, until, withComplaints } from '../support/until.js';

const PACKAGES = join(ROOT, 'build/bundlers/node_modules');
const MODEL = join(ROOT, 'models/stories.gguf');
const APPLICATION = fileURLToPath(new URL('app', import.meta.url));
/** A build of Next.js with webpack takes a minute of a processor. */
const BUILT_MS = 600_000;
const ISOLATED = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' };

/** @type {ReturnType<typeof installPackage>} */ let installed;
/** @type {Awaited<ReturnType<import('../../js/index.js').load>>} */ let reference;
/** The expected output of the application. @type {{ ids: number[], map: number[] }} */ let expected;
/** @type {import('../support/browsers.js').Opened} */ let browser;

before(async () => {
  installed = installPackage(join(ROOT, 'build/bundlers'));
  const { dependencies } = JSON.parse(readFileSync(join(installed.folder, 'package.json'), 'utf8'));
  cpSync(APPLICATION, installed.folder, { recursive: true });
  cpSync(join(ROOT, 'examples/react'), join(installed.folder, 'react'), { recursive: true });
  for (const name of ['react.tsx', 'preact.tsx']) {
    cpSync(join(ROOT, 'tests/types', name), join(installed.folder, 'react/src', name));
  }
  const description = JSON.parse(readFileSync(join(APPLICATION, 'package.json'), 'utf8'));
  writeFileSync(join(installed.folder, 'package.json'), JSON.stringify({ ...description, dependencies }, null, 2));

  mkdirSync(join(installed.folder, 'public'));
  cpSync(MODEL, join(installed.folder, 'public/stories.gguf'));

  reference = await load(MODEL);
  const ids = [];
  for await (const { id } of reference.generate('Once upon a time', { maxTokens: 8, temperature: 0 })) ids.push(id);
  expected = { ids, map: Array.from((await reference.attention({ layer: 2, head: 1 })).data) };
  reference.dispose();
  browser = await BROWSERS.chromium({ width: 900, height: 700 });
}, { timeout: BUILT_MS });
after(async () => {
  await browser?.close();
  installed?.remove();
});

/** Parcel builds in its main thread, because its native modules sometimes crash when a worker thread ends
 *  (github.com/parcel-bundler/parcel/issues/5961). */
const PARCEL = { PARCEL_WORKERS: '0' };

/** Runs a program of the pinned packages in the application's folder. @param {string} program below node_modules
 *  @param {string[]} parameters @param {Record<string, string>} [env] */
async function call(program, parameters, env = {}) {
  const path = join(PACKAGES, program);
  const native = program.startsWith('@') || program.startsWith('esbuild');
  const [command, ...rest] = native ? [path] : [process.execPath, path];
  const options = { cwd: installed.folder, timeout: BUILT_MS, maxBuffer: 1 << 26,
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1', ...env } };
  try {
    const { stdout, stderr } = await promisify(execFile)(command, [...rest, ...parameters], options);
    return { stdout, stderr };
  } catch (error) {
    const { stdout, stderr } = /** @type {any} */ (error);
    throw new Error(`${program} failed: ${error}\n${stdout}\n${stderr}`);
  }
}

/** Copies the files that README.md names for bundlers that do not follow `new URL`. @param {string} out */
async function copyParts(out) {
  const dist = join(installed.folder, 'node_modules/heed/dist');
  const parts = readdirSync(dist)
    .filter((name) => /^((gguf-)?worker\.js|thread\.js|chunk-.*\.js|heed.*\.wasm)$/.test(name));
  for (const name of parts) await copyFile(join(dist, name), join(installed.folder, out, name));
}

/** The page for a bundler that bundles modules only. @param {string} out */
function writePage(out) {
  const html = readFileSync(join(APPLICATION, 'index.html'), 'utf8').replace('./src/main.js', './main.js');
  writeFileSync(join(installed.folder, out, 'index.html'), html);
}

/** How each bundler builds the application into a folder. @type {Record<string, (out: string) => Promise<unknown>>} */
const BUNDLERS = {
  'vite': (out) => call('vite/bin/vite.js', ['build', '--outDir', out]),
  'vite-oldest': (out) => call('vite-oldest/bin/vite.js', ['build', '--outDir', out]),
  async webpack(out) {
    await call('webpack-cli/bin/cli.js', ['--mode', 'production', '--entry', './src/main.js', '--output-path', out]);
    writePage(out);
  },
  async rollup(out) {
    await call('rollup/dist/bin/rollup', ['-p', '@rollup/plugin-node-resolve', 'src/main.js', '-d', out]);
    await copyParts(out);
    writePage(out);
  },
  async esbuild(out) {
    await call('esbuild/bin/esbuild', ['src/main.js', '--bundle', '--minify', '--format=esm', `--outdir=${out}`]);
    await copyParts(out);
    writePage(out);
  },
  'parcel': (out) => call('parcel/lib/bin.js',
    ['build', 'index.html', '--public-url', './', '--dist-dir', out, '--no-cache', '--no-source-maps',
      '--no-autoinstall'], PARCEL),
  'next': (out) => call('next/dist/bin/next', ['build'], { OUT: out }),
  'next --webpack': (out) => call('next/dist/bin/next', ['build', '--webpack'], { OUT: out }),
};

/** Opens the application and waits for its result. @param {string} url */
async function visit(url) {
  browser.complaints.length = 0;
  browser.requests.length = 0;
  return resultOf(browser, url);
}

/** @param {any} result of the application @param {number} threads */
function check(result, threads) {
  assert.equal(result.error, undefined);
  assert.deepEqual(browser.complaints, []);
  assert.deepEqual(result.ids, expected.ids);
  assert.equal(result.threads, threads);
  assert.deepEqual(result.map.data, expected.map);
  assert.ok(result.colors > 10, `the map is drawn in ${result.colors} colors`);
}

/** The bundler's scripts contain no trainer and no corpus, because the page only loads a model. Chunks copied from the
 *  package serve training pages; this page does not fetch them. @param {string} out */
function checkScripts(out) {
  const folder = join(installed.folder, out);
  const copied = new Set(readdirSync(join(installed.folder, 'node_modules/heed/dist')));
  const scripts = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js') && !copied.has(name))
    .map((name) => readFileSync(join(folder, name), 'utf8'));
  const [corpus] = readFileSync(join(ROOT, 'data/sentiment/sentences.txt'), 'utf8').split('\n');
  assert.equal(scripts.filter((code) => code.includes(corpus.slice(2))).length, 0, 'the corpus of sentiment');
  assert.equal(scripts.filter((code) => code.includes('The worker that trains')).length, 0, 'the trainer');
}

/** The native program of a package for this machine. @param {string} scope @param {string} name */
function binary(scope, name) {
  const machine = `${process.platform}-${process.arch}`;
  return `${scope}/${readdirSync(join(PACKAGES, scope)).find((folder) => folder.includes(machine))}/${name}`;
}

/** How each runtime starts a program. @type {Record<string, () => [program: string, parameters: string[]]>} */
const RUNTIMES = {
  deno: () => [binary('@deno', 'deno'), ['run', '--allow-read', '--allow-env', '--allow-sys']],
  bun: () => [binary('@oven', 'bin/bun'), ['run']],
};

for (const [name, start] of Object.entries(RUNTIMES)) {
  for (const options of [{}, { worker: true }, { threads: 2 }, { threads: 2, worker: true }]) {
    test(`the same calls in ${name}, options ${JSON.stringify(options)}`, { timeout: BUILT_MS }, async () => {
      const [program, parameters] = start();
      const { stdout } = await call(program, [...parameters, 'src/command.js', MODEL, JSON.stringify(options)]);
      const { ids, map, threads } = JSON.parse(stdout);
      assert.deepEqual(ids, expected.ids);
      assert.deepEqual(map.data, expected.map);
      assert.equal(threads, options.threads ?? 1);
    });
  }
}

test('the React example and the tags of React and Preact compile in strict mode', () => {
  const { status, stdout } = spawnSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', 'react'],
    { cwd: installed.folder, encoding: 'utf8' });
  assert.equal(status, 0, stdout);
});

test('the React example builds with Vite and draws the selected head', { timeout: BUILT_MS }, async () => {
  await call('vite/bin/vite.js', ['build', 'react', '--outDir', '../out-react']);
  const server = await plainServer({ root: join(installed.folder, 'out-react'), below: '/', extra: {
    '/stories.gguf': (_, response) => response.writeHead(200).end(readFileSync(MODEL)),
  } });
  try {
    browser.complaints.length = 0;
    await browser.page.goto(server.url);
    const shown = (/** @type {number} */ head) => Boolean(document.querySelector('heed-attention-map')
      ?.shadowRoot?.querySelector(`[aria-label^="Attention map of layer 2, head ${head},"]`));
    await until(browser.page, shown, 2).catch(withComplaints(browser));
    await browser.page.evaluate(() => {
      const detail = { layer: 2, head: 3 };
      document.querySelector('heed-head-grid')?.dispatchEvent(new CustomEvent('heed-head', { detail, bubbles: true }));
    });
    await until(browser.page, shown, 3).catch(withComplaints(browser));
    assert.deepEqual(browser.complaints, []);
  } finally {
    await server.close();
  }
});

/** A free port. @returns {Promise<number>} */
const freePort = () => new Promise((resolve) => {
  const server = createServer().listen(0, '127.0.0.1', () => {
    const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
    server.close(() => resolve(port));
  });
});

for (const name of ['vite', 'vite-oldest']) {
  test(`the server of ${name} for development`, { timeout: BUILT_MS }, async () => {
    const port = await freePort();
    const parameters = ['--host', '127.0.0.1', '--port', String(port), '--strictPort'];
    const server = spawn(process.execPath, [join(PACKAGES, name, 'bin/vite.js'), ...parameters],
      { cwd: installed.folder, stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      // The server's output is read to its end: Vite writes more during the visit, and a closed pipe would end it.
      await new Promise((started, failed) => {
        server.stdout.on('data', (text) => String(text).includes('127.0.0.1') && started(undefined));
        server.once('exit', (code) => failed(new Error(`${name} ended with ${code}`)));
      });
      check(await visit(`http://127.0.0.1:${port}/`), 1);
    } finally {
      await browser.page.goto('about:blank'); // Vite's client asks for a server that ended, which is a complaint
      server.kill();
    }
  });
}

describe('an application of the packed package', { timeout: 2 * BUILT_MS }, () => {
  for (const [name, build] of Object.entries(BUNDLERS)) {
    test(`builds with ${name}, generates, and draws a map, with one thread and with two`, async () => {
      const out = `out-${name.replaceAll(/\W+/g, '-')}`;
      await build(out);
      for (const [threads, headers] of /** @type {const} */ ([[1, {}], [2, ISOLATED]])) {
        const server = await plainServer({ root: join(installed.folder, out), below: '/', headers, extra: {
          '/stories.gguf': (_, response) => response.writeHead(200, headers).end(readFileSync(MODEL)),
          '/favicon.ico': (_, response) => response.writeHead(204, headers).end(),
        } });
        try {
          check(await visit(server.url), threads);
        } finally {
          await server.close();
        }
        const fetched = browser.requests.filter((address) => /\.(js|wasm)$/.test(address));
        assert.equal(fetched.filter((address) => address.endsWith('.wasm')).length, 1, 'one binary');
        // The page and its worker both fetch the runtime of Turbopack.
        const once = fetched.filter((address) => name !== 'next' || address.endsWith('.wasm'));
        if (threads === 1) assert.deepEqual(once, [...new Set(once)], 'no file is fetched twice');
      }
      if (!name.startsWith('next')) checkScripts(out);
    });
  }
});
