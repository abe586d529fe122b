/** Serves the built site, opens it in a browser, waits for its pages and runs axe. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { violationsIn } from './axe.js';
import { plainServer } from './browsers.js';
import { until as untilIn } from './until.js';

export const SITE = fileURLToPath(new URL('../../dist/site/', import.meta.url));
/** Path of the site on its host. */
const BELOW = '/a/course/';
const SETTLE_MS = 30_000;

/** @typedef {Awaited<ReturnType<typeof openSite>>} Site */

/**
 * @param {(viewport: { width: number, height: number }) => Promise<import('./browsers.js').Opened>} openBrowser
 * @param {Record<string, import('node:http').RequestListener>} [extra] handlers of other paths
 */
export async function openSite(openBrowser, extra = {}) {
  assert.ok(existsSync(`${SITE}lessons/index.html`), 'dist/site is missing: run make site');
  const server = await plainServer({ root: SITE, below: BELOW, extra });
  const browser = await openBrowser({ width: 1200, height: 900 }).catch(async (error) => {
    await server.close(); // an open server keeps the process of the test alive
    throw error;
  });
  const { page } = browser;

  /** @template A @param {(argument: A) => unknown} condition in the page @param {A} [argument]
   *  @param {Pick<import('./browsers.js').Page, 'evaluate'>} [frame] default: the page */
  const until = (condition, argument, frame = page) => untilIn(frame, condition, argument);

  /** Repeats a check until it passes, because the page's worker answers later than the text changes. After SETTLE_MS it
   *  throws the error of the check. @param {() => Promise<void>} check */
  async function settles(check) {
    const end = Date.now() + SETTLE_MS;
    for (;; await new Promise((resolve) => setTimeout(resolve, 50))) {
      try {
        return await check();
      } catch (error) {
        if (Date.now() > end) throw error;
      }
    }
  }

  /** Opens a lesson and waits until its figures or an error are shown. @param {string} path below lessons/ */
  async function open(path) {
    await page.goto(new URL(`lessons/${path}`, server.url).href);
    await until(() => document.documentElement.dataset.ready !== undefined
      || document.querySelector('main > .error') !== null);
  }

  const drawn = () => page.evaluate(() =>
    new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(undefined)))));

  /** Runs axe in both color schemes, if the driver can set one. */
  async function checkAccess() {
    assert.deepEqual(await violationsIn(page, browser.theme), []);
  }

  async function close() {
    await browser.close();
    await server.close();
  }

  return { browser, page, server, until, settles, open, drawn, checkAccess, close };
}
