/** Waiting for conditions in a page. The page is a function that runs its work here. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resultOf, until, withComplaints } from './until.js';

/** @param {() => void} [before] runs before each answer */
const pageWith = (before = () => {}) => ({
  answers: 0,
  /** @param {any} work @param {any} [argument] */
  async evaluate(work, argument) {
    this.answers++;
    before();
    return work(argument);
  },
});

test('until repeats the check in the page, so a late condition takes few answers', async () => {
  const page = pageWith();
  const from = performance.now();
  await until(page, (/** @type {number} */ time) => performance.now() > time, from + 600);
  assert.ok(performance.now() > from + 600);
  assert.ok(page.answers <= 4, `${page.answers} answers`);
});

test('until reports an error of the condition that lasts', async () => {
  await assert.rejects(until(pageWith(), () => { throw new TypeError('no such element'); }, undefined, 200),
    /no such element/);
});

test('until asks a page again that loads another document, and gives up if the page is lost', async () => {
  let asked = 0;
  await until(pageWith(() => {
    if (++asked < 5) throw new Error('the context was destroyed');
  }), () => true);
  assert.equal(asked, 5);
  await assert.rejects(until(pageWith(() => { throw new Error('the browser is closed'); }), () => true, undefined, 200),
    /the browser is closed/);
});

test('resultOf opens the page and returns the whole result', async (t) => {
  /** @type {string[]} */
  const opened = [];
  t.after(() => { delete (/** @type {any} */ (globalThis).result); });
  const page = Object.assign(pageWith(), { goto: async (/** @type {string} */ url) => {
    opened.push(url);
    setTimeout(() => { /** @type {any} */ (globalThis).result = { ids: [1, 2] }; }, 100);
  } });
  assert.deepEqual(await resultOf(/** @type {any} */ ({ page, complaints: [] }), 'page.html'), { ids: [1, 2] });
  assert.deepEqual(opened, ['page.html']);
});

test('a wait that fails names the complaints of the browser', () => {
  assert.throws(() => withComplaints({ complaints: ['policy: worker-src'] })(new Error('timeout')),
    { message: 'timeout\npolicy: worker-src' });
});
