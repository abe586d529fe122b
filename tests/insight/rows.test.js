/** rows() has one row for each element of a result, with its labels. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at, rows } from '../../js/insight/index.js';
import { rejects } from '../support/expect.js';

const RESULT = {
  data: Float32Array.from({ length: 12 }, (_, i) => i / 2),
  axes: { layer: [-1, 0], position: ['a', 'b', 'a'], head: [3, 5] },
};

test('each element has its labels, and tokens have their index, too', () => {
  const table = rows(RESULT);
  assert.equal(table.length, 12);
  assert.deepEqual(table[0], { layer: -1, position: 'a', positionIndex: 0, head: 3, value: 0 });
  assert.deepEqual(table[11], { layer: 0, position: 'a', positionIndex: 2, head: 5, value: 5.5 });
  for (const { layer, positionIndex, head, value } of table) {
    assert.deepEqual(at(RESULT, { layer, position: positionIndex, head }), Float32Array.of(value));
  }
});

test('a result without elements has no rows', () => {
  assert.deepEqual(rows({ data: new Float32Array(0), axes: { layer: [] } }), []);
});

test('a result that would need too much memory is refused', async () => {
  const position = Array(1001).fill('a');
  const result = { data: new Float32Array(1001 ** 2), axes: { query: position, key: position } };
  await rejects(() => rows(result), 'too-large', /1002001 elements; the limit is 1000000\. Read them by at\(\)/);
});

test('other values than results are refused by at() and rows()', async () => {
  const activation = { data: new Float32Array(6), shape: [2, 3] };
  for (const [name, call] of Object.entries({ at: (/** @type {any} */ x) => at(x, {}), rows })) {
    for (const given of [undefined, null, [1, 2], activation]) {
      await rejects(() => call(/** @type {any} */ (given)), 'bad-argument',
        new RegExp(`^${name}: expected a result of heed/insight, \\{ data, axes \\}, got`));
    }
  }
  await rejects(() => at(RESULT, /** @type {any} */ (undefined)), 'bad-argument',
    /at: options are an object, \{ layer/);
});
