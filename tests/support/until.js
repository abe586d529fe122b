/** Waits for conditions in pages. */
import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';

/** Timeout of a condition. */
const WAIT_MS = 120_000;

/** The page answers after this time, or when the condition holds. */
const ANSWER_MS = 250;

/** While a page loads another document, checks fail with errors. If errors last longer than this time, the page is
 *  lost. */
const LOST_MS = 30_000;

/**
 * Repeats a check in a page until its value is true, and returns the value. The page itself repeats the check, because
 * an answer takes more processor time than most checks.
 * @template A, V
 * @param {Pick<import('./browsers.js').Page, 'evaluate'>} page
 * @param {(argument: A) => V | Promise<V>} condition  runs in the page
 * @param {A | undefined} argument
 * @param {{ lostAfter?: number, isSent?: boolean }} [options]  milliseconds of errors; whether the driver can send the
 *   value. If not, as with elements, `true` is sent instead.
 * @returns {Promise<any>}
 */
async function firstValue(page, condition, argument, { lostAfter = LOST_MS, isSent = false } = {}) {
  /** @type {(options: object) => Promise<unknown>} */
  const check = Function(`return async ({ time, argument, isSent }) => {
    const condition = ${condition};
    for (const end = performance.now() + time;;) {
      const value = await condition(argument);
      if (value) return isSent ? value : true;
      if (performance.now() > end) return false;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };`)();
  let answered = Date.now();
  for (const end = Date.now() + WAIT_MS; Date.now() < end;) {
    try {
      const value = await page.evaluate(check, { time: ANSWER_MS, argument, isSent });
      if (value) return value;
      answered = Date.now();
    } catch (error) {
      if (Date.now() > answered + lostAfter) {
        assert.fail(`${condition}: ${error instanceof Error ? error.stack : error}`);
      }
      await setTimeout(50);
    }
  }
  assert.fail(`timeout: ${condition}: ${await page.evaluate(() => document.body.innerText).catch(String)}`);
}

/**
 * Waits until a condition holds in a page.
 * @template A
 * @param {Pick<import('./browsers.js').Page, 'evaluate'>} page
 * @param {(argument: A) => unknown} condition  runs in the page
 * @param {A} [argument]
 * @param {number} [lostAfter]  milliseconds of errors
 * @returns {Promise<void>}
 * @throws {assert.AssertionError} after WAIT_MS, with the text of the page; after LOST_MS of errors, with the last
 */
export async function until(page, condition, argument, lostAfter) {
  await firstValue(page, condition, argument, { lostAfter });
}

/** Throws the error of a wait again, with the complaints of the browser.
 *  @param {Pick<import('./browsers.js').Opened, 'complaints'>} browser
 *  @returns {(error: Error) => never} */
export const withComplaints = ({ complaints }) => ({ message }) => assert.fail([message, ...complaints].join('\n'));

/**
 * Opens a page and waits until its script sets `globalThis.result`.
 * @param {Pick<import('./browsers.js').Opened, 'page' | 'complaints'>} browser
 * @param {string} url
 * @returns {Promise<any>} the result
 * @throws {assert.AssertionError} as `until`, with the complaints of the browser
 */
export async function resultOf(browser, url) {
  await browser.page.goto(url);
  return firstValue(browser.page, () => /** @type {any} */ (globalThis).result, undefined, { isSent: true })
    .catch(withComplaints(browser));
}
