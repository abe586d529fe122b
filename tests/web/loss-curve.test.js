/** The drawing of a training: the curve of its loss, and the history behind it. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { lossCurve, stepAt, xOf } from '../../web/draw/loss-curve.js';
import { headOf, TrainingHistory } from '../../web/elements/training-history.js';

const BOX = { width: 360, height: 150, left: 52, bottom: 24 };

/** @param {string} path @returns {number[][]} points */
const points = (path) => [...path.matchAll(/[ML]([\d.]+) ([\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)]);

describe('the loss curve', () => {
  test('every decade has the same height, and labels are at their losses', () => {
    const { path, losses } = lossCurve([10, 1, 0.1], 3, BOX);
    const ys = points(path).map(([, y]) => y);
    assert.deepEqual(losses.map(({ text }) => text), ['0.1', '1', '10']);
    assert.deepEqual(losses.map(({ y }) => y).reverse(), ys);
    assert.ok(Math.abs((ys[1] - ys[0]) - (ys[2] - ys[1])) < 0.2);
    assert.ok(ys[0] < ys[1], 'a large loss is near the top');
  });

  test('runs from the first step to the latest', () => {
    const all = points(lossCurve([3, 2, 1], 101, BOX).path);
    assert.deepEqual(all.map(([x]) => x), [1, 2, 3].map((step) => Math.round(xOf(BOX, 101, step))));
    assert.equal(xOf(BOX, 101, 1), BOX.left);
    assert.ok(xOf(BOX, 101, 101) < BOX.width);
  });

  test('has one point per pixel column, the mean of its steps', () => {
    const losses = Float32Array.from({ length: 9000 }, (_, i) => (i % 2 ? 3 : 1));
    const all = points(lossCurve(losses, 9000, BOX).path);
    assert.ok(all.length <= BOX.width - BOX.left);
    const middle = all.slice(1, -1).map(([, y]) => y);
    assert.ok(Math.max(...middle) - Math.min(...middle) < 2, 'means of 1 and 3 are 2 everywhere');
  });

  test('no losses give no path, and NaN draws nothing', () => {
    assert.equal(lossCurve([], 10, BOX).path, '');
    assert.equal(lossCurve([NaN], 10, BOX).path, '');
    assert.equal(points(lossCurve([1, NaN, 2], 3, BOX).path).length, 2);
  });

  test('step labels are round numbers and keep their distance', () => {
    for (const steps of [7, 200, 1000, 8000]) {
      const labels = lossCurve([1], steps, BOX).steps;
      assert.ok(labels.length >= 1 && labels.every(({ x, text }) => x === xOf(BOX, steps, Number(text))));
      labels.slice(1).forEach(({ x }, i) => assert.ok(x - labels[i].x >= 40, `${steps} steps`));
    }
  });

  test('stepAt is the inverse of xOf', () => {
    for (const step of [1, 2, 50, 200]) assert.equal(stepAt(BOX, 200, xOf(BOX, 200, step)), step);
    assert.equal(stepAt(BOX, 200, -50), 1);
    assert.equal(stepAt(BOX, 200, 9999), 200);
  });
});

describe('TrainingHistory', () => {
  const frame = (/** @type {number} */ step) => ({ step, tokens: ['a', 'b'], layers: 1, heads: 2, causal: true,
    data: Float32Array.of(1, 0, 0.5, 0.5, 1, 0, 0, 1), answer: ['a'], wanted: ['a'] });

  test('at() gives the last frame at or before a step', () => {
    const history = new TrainingHistory();
    assert.equal(history.at(3), null);
    for (const step of [0, 10, 20]) history.add({ losses: Array(step ? 10 : 0).fill(1), frame: frame(step) });
    assert.equal(history.steps, 20);
    assert.deepEqual([0, 9, 10, 19, 20, 99].map((step) => history.at(step)?.step), [0, 0, 10, 10, 20, 20]);
  });

  test('headOf() gives the part of one head', () => {
    assert.deepEqual([...headOf(frame(0), 0, 1)], [1, 0, 0, 1]);
  });
});
