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
 * Waits until a condition holds in a page. The page itself repeats the check, because an answer takes more processor
 * time than most checks.
 * @template A
 * @param {Pick<import('./browsers.js').Page, 'evaluate'>} page
 * @param {(argument: A) => unknown} condition  runs in the page
 * @param {A} [argument]
 * @param {number} [lostAfter]  milliseconds of errors
 * @returns {Promise<void>}
 * @throws {assert.AssertionError} after WAIT_MS, with the text of the page; after LOST_MS of errors, with the last
 */
export async function until(page, condition, argument, lostAfter = LOST_MS) {
  /** @type {(options: object) => Promise<boolean>} */
  const check = Function(`return async ({ time, argument }) => {
    const condition = ${condition};
    for (const end = performance.now() + time;;) {
      if (await condition(argument)) return true;
      if (performance.now() > end) return false;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };`)();
  let answered = Date.now();
  for (const end = Date.now() + WAIT_MS; Date.now() < end;) {
    try {
      if (await page.evaluate(check, { time: ANSWER_MS, argument })) return;
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
 * Opens a page and waits until its script sets `globalThis.result`.
 * @param {Pick<import('./browsers.js').Opened, 'page' | 'complaints'>} browser
 * @param {string} url
 * @returns {Promise<any>} the result
 * @throws {assert.AssertionError} as `until`, with the complaints of the browser
 */
export async function resultOf({ page, complaints }, url) {
  await page.goto(url);
  for (;;) {
    await until(page, () => Boolean(/** @type {any} */ (globalThis).result)).catch(({ message }) =>
      assert.fail([message, ...complaints].join('\n')));
    const result = await page.evaluate(() => /** @type {any} */ (globalThis).result).catch(() => undefined);
    if (result) return result; // otherwise the page has loaded again in between
  }
}
