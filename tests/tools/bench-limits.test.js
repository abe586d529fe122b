/** The programs that compare heed with a limit of the machine run, and print what they announce. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const run = (/** @type {string[]} */ ...words) =>
  execFileSync(process.execPath, words, { cwd: ROOT, encoding: 'utf8' });

test('bench/threads.js prints tokens, products and reading for each number of threads', () => {
  const options = ['--turns', '2', '--threads', '1,2', '--products'];
  const printed = run('bench/threads.js', 'models/stories.gguf', ...options);
  const rows = printed.split('\n').filter((line) => /^\| (decoding|(products|reading) alone) \|/.test(line));
  assert.deepEqual(rows.map((line) => line.split(' | ').slice(0, 2).join(' ')),
    ['| decoding 1', '| decoding 2', '| products alone 1', '| products alone 2', '| reading alone 1',
      '| reading alone 2']);
  for (const line of rows) for (const cell of line.split(' | ').slice(2)) assert.ok(parseFloat(cell) > 0, line);
});

test('bench/training/products.mjs prints the time of the products of a step, and of the limit', () => {
  const { products, limit, gigaOperations } = JSON.parse(run('bench/training/products.mjs', 'simd128'));
  assert.ok(products > 0 && limit > 0);
  // Three products of 768 rows by 795,000 weights have 3.7, and attention 0.2.
  assert.ok(Math.abs(gigaOperations - 3.9) < 0.1, `${gigaOperations}`);
});
