// What a page has to fetch before a model runs.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';

const BINARIES = ['heed', 'heed-mt', 'heed-relaxed', 'heed-relaxed-mt'];
const KB = 1000;

// Learning and the tiles of ten formats brought a binary from 70 KB to 104: the aim of 100, and 300 in all, is missed.
test('one binary is at most 105 KB gzipped, the four together 390 KB', async (t) => {
  const sizes = await Promise.all(BINARIES.map(async (name) =>
    gzipSync(await readFile(new URL(`../dist/${name}.wasm`, import.meta.url))).length));
  t.diagnostic(BINARIES.map((name, i) => `${name} ${sizes[i]}`).join(', '));
  for (const [i, size] of sizes.entries()) assert.ok(size <= 105 * KB, `${BINARIES[i]}: ${size} bytes`);
  assert.ok(sizes.reduce((a, b) => a + b) <= 390 * KB, `${sizes.join(' + ')} bytes`);
});
