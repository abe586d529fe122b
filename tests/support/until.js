/** Waits for conditions in pages. */
import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';

/** Timeout of a condition. */
const WAIT_MS = 120_000;

/** The page answers after this time, or when the condition holds. */
const ANSWER_MS = 250;

/** A page that loads another document does not answer, or has no elements. After this number of failures in a row, a
 *  condition fails. */
const FAILURES = 100;

/**
 * Waits until a condition holds in a page. The page itself repeats the check, because an answer takes more processor
 * time than most checks.
 * @template A
 * @param {Pick<import('./browsers.js').Page, 'evaluate'>} page
 * @param {(argument: A) => unknown} condition  runs in the page
 * @param {A} [argument]
 * @returns {Promise<void>}
 * @throws {assert.AssertionError} after WAIT_MS, with the text of the page; after FAILURES errors of the condition
 */
export async function until(page, condition, argument) {
  /** @type {(options: object) => Promise<boolean>} */
  const check = Function(`return async ({ time, argument }) => {
    const condition = ${condition};
    for (const end = performance.now() + time;;) {
      if (await condition(argument)) return true;
      if (performance.now() > end) return false;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };`)();
  let failures = 0;
  for (const end = Date.now() + WAIT_MS; Date.now() < end;) {
    try {
      if (await page.evaluate(check, { time: ANSWER_MS, argument })) return;
      failures = 0;
    } catch (error) {
      if (++failures === FAILURES) assert.fail(`${condition}: ${error instanceof Error ? error.stack : error}`);
      await setTimeout(50);
    }
  }
  assert.fail(`timeout: ${condition}: ${await page.evaluate(() => document.body.innerText)}`);
}
