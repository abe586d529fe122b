/** A minute of random damage to model files; `node tests/fuzz/files.js --seconds N` runs longer. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fuzzFiles, knownSeeds } from './files.js';

test('the stored seeds', async () => {
  assert.deepEqual((await fuzzFiles({ seeds: knownSeeds() })).failures, []);
});

test('random damage by structure and by bytes ends in a HeedError, soon and with little memory', async () => {
  const { done, failures } = await fuzzFiles({ seed: 1, iterations: 1000 });
  assert.deepEqual(failures, []);
  assert.equal(done, 1000);
});
