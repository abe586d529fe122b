// Compressed sizes of the files that a page fetches before a model runs.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { chunksOf, COMMON, ROOT, smaller } from '../../tools/build/bundle.js';

const BINARIES = ['heed', 'heed-mt', 'heed-relaxed', 'heed-relaxed-mt'];
const KB = 1000;

const sizeOf = async (/** @type {string} */ name) =>
  gzipSync(await readFile(new URL(`../../dist/${name}.wasm`, import.meta.url))).length;

test('a binary is at most 100 KB gzipped, the four together 320 KB', async (t) => {
  const sizes = await Promise.all(BINARIES.map(sizeOf));
  t.diagnostic(BINARIES.map((name, i) => `${name} ${sizes[i]}`).join(', '));
  for (const [i, name] of BINARIES.entries()) {
    assert.ok(sizes[i] <= 100 * KB, `${name}: ${sizes[i]} bytes`);
  }
  assert.ok(sizes.reduce((a, b) => a + b) <= 320 * KB, `${sizes.join(' + ')} bytes`);
});

// The order of objects suits 32 bits (tools/build/link-order.js).
test('a binary with 64-bit memory is at most 8 % larger, gzipped', async () => {
  for (const name of BINARIES) {
    const narrow = await sizeOf(name);
    const wide = await sizeOf(`${name}-64`);
    assert.ok(wide <= 1.08 * narrow, `${name}-64: ${wide} bytes, ${name}: ${narrow}`);
  }
});

test('the modules of load exclude heed/insight, and heed/insight is small', async () => {
  const folder = join(ROOT, 'dist'); // nothing is written
  const entries = { heed: 'js/index.js', lab: 'js/lab/index.js', train: 'js/train/index.js' };
  const without = await chunksOf(folder, { entries, together: COMMON });
  const whole = await chunksOf(folder, { entries: { ...entries, insight: 'js/insight/index.js' }, together: COMMON });
  for (const name of ['heed', 'thread']) {
    assert.deepEqual(whole.modulesOf(name), without.modulesOf(name), name);
    assert.ok(whole.modulesOf(name).length > 0 && !whole.modulesOf(name).some((path) => path.includes('insight')));
    assert.equal(whole.importsOf(name).length, without.importsOf(name).length, 'as many chunks');
  }
  const own = gzipSync(await smaller(whole.texts.get(join(folder, 'insight.js')) ?? '')).length;
  assert.ok(own > KB, 'the chunk was found');
  assert.ok(own <= 20 * KB, `${own} bytes`);
});

test('the page starts with four scripts', async () => {
  const html = await readFile(new URL('../../dist/site/index.html', import.meta.url), 'utf8');
  const scripts = [...html.matchAll(/<(?:script type="module"|link rel="modulepreload")[^>]* (?:src|href)="([^"]+)"/g)];
  assert.equal(scripts.length, 4, scripts.map(([, path]) => path).join(', '));
  assert.match(html, /<script type="module" async blocking="render" src="\.\/first-model\.js">/, 'runs before layout');
  for (const [, path] of scripts) {
    const text = await readFile(new URL(path, new URL('../../dist/site/', import.meta.url)), 'utf8');
    const imports = [...text.matchAll(/(?:\bfrom|^import|;import)"\.\/([^"]+)"/g)].map(([, name]) => `./${name}`);
    assert.deepEqual(imports.filter((name) => !scripts.some(([, each]) => each === name)), [], `imports of ${path}`);
  }
});
