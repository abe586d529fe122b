/** A minute of random damage to files of models; `node tests/fuzz/files.js` goes on for as long as it is told. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fuzzFiles, knownSeeds } from './files.js';

test('damage that failed once', async () => {
  assert.deepEqual((await fuzzFiles({ seeds: knownSeeds() })).failures, []);
});

test('random damage by structure and by bytes ends in a HeedError, soon, and without much memory', async () => {
  const { done, failures } = await fuzzFiles({ seed: 1, iterations: 1000 });
  assert.deepEqual(failures, []);
  assert.equal(done, 1000);
});
