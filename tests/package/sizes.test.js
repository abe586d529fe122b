// Compressed sizes of the files that a page fetches before a model runs.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';

const BINARIES = ['heed', 'heed-mt', 'heed-relaxed', 'heed-relaxed-mt'];
const KB = 1000;

test('a binary is at most 100 KB gzipped, the four together 320 KB', async (t) => {
  const sizes = await Promise.all(BINARIES.map(async (name) =>
    gzipSync(await readFile(new URL(`../../dist/${name}.wasm`, import.meta.url))).length));
  t.diagnostic(BINARIES.map((name, i) => `${name} ${sizes[i]}`).join(', '));
  for (const [i, name] of BINARIES.entries()) {
    assert.ok(sizes[i] <= 100 * KB, `${name}: ${sizes[i]} bytes`);
  }
  assert.ok(sizes.reduce((a, b) => a + b) <= 320 * KB, `${sizes.join(' + ')} bytes`);
});
