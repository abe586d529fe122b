/** Comparing arrays, with the place of the first difference in the message. */
import assert from 'node:assert/strict';

/** The largest finite magnitude. @param {ArrayLike<number>} x */
export function scaleOf(x) {
  let largest = 0;
  for (let i = 0; i < x.length; i++) if (Number.isFinite(x[i])) largest = Math.max(largest, Math.abs(x[i]));
  return largest;
}

/**
 * @param {ArrayLike<number>} actual @param {ArrayLike<number>} expected infinities must be equal
 * @param {number} tolerance absolute
 * @param {string} what
 */
export function assertClose(actual, expected, tolerance, what) {
  assert.equal(actual.length, expected.length, `length of ${what}`);
  for (let i = 0; i < expected.length; i++) {
    const close = actual[i] === expected[i] || Math.abs(actual[i] - expected[i]) <= tolerance;
    assert.ok(close, `${what}[${i}] is ${actual[i]}, not ${expected[i]} within ${tolerance}`);
  }
}

/** Asserts equal numbers; 0 equals -0.
 *  @param {ArrayLike<number>} actual @param {ArrayLike<number>} expected @param {string} what */
export function assertSame(actual, expected, what) {
  assertClose(actual, expected, 0, what);
}
