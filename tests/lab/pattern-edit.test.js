// The option `edit` of attention: the pattern that weights the values, with its gradient.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { lab } from '../../js/lab/index.js';

/** @type {import('../../js/lab/index.js').Lab} */ let l;
before(async () => { l = await lab({ seed: 1 }); });
after(() => l.dispose());

test('the edited pattern weights the values, and gradients pass through it', () => {
  const values = l.parameter([1, 2, 3, 4], { key: 2, feature: 2 }, 'values');
  const factor = l.parameter([1, 0], { key: 2 }, 'factor');
  const zeros = l.tensor([0, 0, 0, 0], { key: 2, feature: 2 });
  l.step(() => {
    const query = l.tensor([0, 0], { query: 1, feature: 2 });
    const { output, pattern, scores } = l.attention(query, zeros, values, { edit: (each) => l.mul(each, factor) });
    assert.deepEqual([...pattern.data], [0.5, 0]);
    assert.deepEqual([...output.data], [0.5, 1]);
    assert.deepEqual([...scores.data], [0, 0]);
    l.backward(l.sum(output));
  });
  assert.deepEqual([...values.grad], [0.5, 0.5, 0, 0]);
  assert.deepEqual([...factor.grad], [1.5, 3.5]);
});

test('an edit must be a function that keeps the shape', () => {
  l.evaluate(() => {
    const x = l.tensor([1, 2], { time: 1, feature: 2 });
    const edited = (/** @type {any} */ edit) => () => l.attention(x, x, x, { edit });
    assert.throws(edited(3), { code: 'bad-argument', message: /edit is the number 3; expected a function/ });
    assert.throws(edited(() => 1), { code: 'bad-argument', message: /result of edit/ });
    assert.throws(edited(() => x), { code: 'bad-shape', message: /edit returned \[time 1, feature 2\]/ });
  });
});
