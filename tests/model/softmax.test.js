/** The softmax of logits in float64: sums, and rows that overflow or have masked logits. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { logSoftmax, logSumExp, softmax } from '../../js/softmax.js';

test('softmax, log-softmax and log Σ exp agree with the formulas', () => {
  const logits = Float32Array.of(0.5, -1, 2, 0);
  const sum = logits.reduce((all, x) => all + Math.exp(x), 0);
  const close = (/** @type {number} */ a, /** @type {number} */ b) => assert.ok(Math.abs(a - b) < 1e-15, `${a} ${b}`);
  close(logSumExp(logits), Math.log(sum));
  softmax(logits).forEach((p, i) => close(p, Math.exp(logits[i]) / sum));
  logSoftmax(logits).forEach((logp, i) => close(logp, logits[i] - Math.log(sum)));
});

test('large logits do not overflow, and a masked logit has probability 0', () => {
  const logits = [1e4, 1e4, -Infinity];
  assert.deepEqual(softmax(logits), Float64Array.of(0.5, 0.5, 0));
  assert.deepEqual(logSoftmax(logits), Float64Array.of(-Math.LN2, -Math.LN2, -Infinity));
  assert.equal(logSumExp(logits), 1e4 + Math.LN2);
});
