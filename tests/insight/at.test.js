/** at() picks the same elements as strides by hand. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at } from '../../js/insight/index.js';
import { rejects } from '../support/expect.js';

const RESULT = {
  data: Float32Array.from({ length: 24 }, (_, i) => i),
  axes: { score: ['first', 'last'], layer: [-1, 0, 3], position: ['a', 'b', 'b', 'c'] },
};
const texts = Array.from({ length: 24 }, (_, i) => `t${i}`);

test('numbers are labels of an axis of numbers, and indexes of an axis of texts', () => {
  assert.deepEqual(at(RESULT, { score: 'last', layer: -1, position: 0 }), Float32Array.of(12));
  assert.deepEqual(at(RESULT, { score: 1, layer: 3, position: -1 }), Float32Array.of(23));
  assert.deepEqual(at(RESULT, { score: 0, layer: 0, position: 'b' }), Float32Array.of(5));
});

test('axes that are not fixed stay in their order', () => {
  assert.deepEqual(at(RESULT, { layer: 0 }), Float32Array.of(4, 5, 6, 7, 16, 17, 18, 19));
  assert.deepEqual(at(RESULT, { position: -1 }), Float32Array.of(3, 7, 11, 15, 19, 23));
  assert.deepEqual(at(RESULT, { score: 'first', position: 2 }), Float32Array.of(2, 6, 10));
  assert.deepEqual(at(RESULT, {}), RESULT.data);
});

test('another array of the same axes keeps its type', () => {
  assert.deepEqual(at(RESULT, { score: 'last', position: 1 }, texts), ['t13', 't17', 't21']);
  assert.deepEqual(at(RESULT, { score: 0, layer: 3 }, Int32Array.from(RESULT.data)), Int32Array.of(8, 9, 10, 11));
});

test('the elements are a copy', () => {
  at(RESULT, { score: 0 })[0] = 9;
  assert.equal(RESULT.data[0], 0);
});

test('a wrong place is an error', async () => {
  await rejects(() => at(RESULT, { head: 1 }), 'bad-argument', /no option ‘head’; there are score, layer, position/);
  await rejects(() => at(RESULT, { layer: 1 }), 'bad-argument',
    /axis layer has no ‘1’. It has 3 labels, from ‘-1’ to ‘3’/);
  await rejects(() => at(RESULT, { position: 4 }), 'bad-argument', /axis position has no ‘4’. It has 4 labels/);
  await rejects(() => at(RESULT, { position: -5 }), 'bad-argument', /no ‘-5’/);
  await rejects(() => at(RESULT, { score: 'middle' }), 'bad-argument', /2 labels, from ‘first’ to ‘last’/);
  await rejects(() => at(RESULT, { score: 0 }, ['a']), 'bad-shape', /has 1 elements, and the axes have 24/);
});
