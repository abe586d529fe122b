/** How the tests open browsers: a failed start is repeated once, with a warning. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { started } from './browsers.js';

const VIEWPORT = { width: 400, height: 300 };

/** A browser that can only be closed. */
const opened = () => {
  const browser = { closed: false, close: async () => { browser.closed = true; } };
  return browser;
};

test('a failed start of a browser is repeated once, with a warning', async () => {
  const browser = opened();
  let starts = 0;
  const open = started('Lynx', async () => {
    if (++starts === 1) throw new Error('killed by a signal');
    return /** @type {any} */ (browser);
  });
  const warned = once(process, 'warning');
  assert.equal(await open(VIEWPORT), browser);
  assert.equal(starts, 2);
  assert.equal((await warned)[0].message, 'Lynx did not start: killed by a signal. It is tried once more.');
});

test('a start that hangs is repeated, and a browser that opens too late is closed', async () => {
  const late = opened();
  const inTime = opened();
  let come = (/** @type {any} */ _) => {};
  const starts = [new Promise((resolve) => { come = resolve; }), Promise.resolve(inTime)];
  const warned = once(process, 'warning');
  assert.equal(await started('Lynx', () => /** @type {any} */ (starts.shift()), 50)(VIEWPORT), inTime);
  assert.match((await warned)[0].message, /had not started after 0\.05 seconds\. It is tried once more\.$/);
  come(late);
  await new Promise(setImmediate);
  assert.deepEqual([late.closed, inTime.closed], [true, false]);
});

test('two failed starts are an error that names the browser', async () => {
  const open = started('Lynx', () => Promise.reject(new Error('no such file')));
  await assert.rejects(open(VIEWPORT), /^Error: Lynx did not start: no such file$/);
});
