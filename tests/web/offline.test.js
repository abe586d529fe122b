/** The page without network: kept models in its menu, and the service worker that the user turns on. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { BROWSERS } from '../support/browsers.js';
import { startHub } from '../support/hub.js';
import { SITE } from '../support/site.js';
import { tinyGguf } from '../support/tiny-gguf.js';
import { until as untilIn } from '../support/until.js';

/** @type {Record<string, string>} */
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml',
  '.json': 'application/json' };

/** Serves the site, without headers of isolation, on a port that stays the same after a stop. */
async function startSite() {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const path = pathname.endsWith('/') ? `${pathname}index.html` : pathname;
    try {
      const body = await readFile(join(SITE, path));
      response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream',
        'content-length': body.length }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return { url: `http://127.0.0.1:${port}/`, close: () => new Promise((resolve) => {
    server.close(() => resolve(undefined));
    server.closeAllConnections();
  }) };
}

for (const [name, openBrowser] of Object.entries(BROWSERS)) {
  describe(`the page without network in ${name}`, { timeout: 300_000 }, () => {
    /** @type {import('../support/browsers.js').Opened} */ let browser;
    /** @type {Awaited<ReturnType<typeof startSite>>} */ let site;
    /** @type {Awaited<ReturnType<typeof startHub>>} */ let hub;
    before(async () => {
      site = await startSite();
      hub = await startHub({ 'models/tiny.gguf': await tinyGguf() });
      browser = await openBrowser({ width: 1200, height: 900 });
    });
    after(async () => {
      await browser?.close();
      await Promise.all([site, hub].map((each) => each?.close()));
    });

    /** @template A @param {(argument: A) => unknown} condition in the page @param {A} [argument] */
    const until = (condition, argument) => untilIn(browser.page, condition, argument);
    /** Opens the page and waits for its first text, which a loaded model writes. @param {string} [hash] */
    async function open(hash = '#length=2') {
      await browser.page.goto('about:blank');
      await browser.page.goto(`${site.url}${hash}`);
      await until(() => /positions|context/.test(document.querySelector('#model')?.textContent ?? ''));
    }
    const click = (/** @type {string} */ selector) =>
      browser.page.evaluate((each) => /** @type {HTMLElement} */ (document.querySelector(each)).click(), selector);
    const texts = () => browser.page.evaluate(() => [...document.querySelectorAll('#kept-list li')].map((item) =>
      item.textContent?.replace(/\s+/g, ' ')));

    test('the menu lists a kept model with its size, opens it without a request, and deletes it', async () => {
      await open();
      await click('#open > summary');
      await click('#keep');
      await browser.page.evaluate((url) => {
        const field = /** @type {HTMLInputElement} */ (document.querySelector('#url'));
        field.value = url;
        field.form?.requestSubmit();
      }, `${hub.url}/models/tiny.gguf`);
      await until(() => /^tiny /.test(document.querySelector('#model')?.textContent ?? ''));
      assert.equal(hub.requests.length, 1);
      await click('#open > summary');
      await until(() => document.querySelectorAll('#kept-list li').length === 1);
      assert.match((await texts()).join(), /^tiny\.gguf 12 kB Delete$/);
      await open();
      await click('#open > summary');
      await until(() => document.querySelectorAll('#kept-list li').length === 1);
      await hub.close();
      await click('#kept-list li button');
      await until(() => /^tiny /.test(document.querySelector('#model')?.textContent ?? ''));
      await click('#open > summary');
      await until(() => document.querySelectorAll('#kept-list li').length === 1);
      await click('#kept-list li button + button');
      await until(() => /** @type {HTMLElement} */ (document.querySelector('#kept')).hidden);
    });

    test('nothing is registered before the user agrees; then the page is isolated and needs no host', async () => {
      await open();
      const has = () => browser.page.evaluate(async () =>
        Boolean(await navigator.serviceWorker?.getRegistration('./offline-worker.js')));
      assert.equal(await has(), false);
      await click('#open > summary');
      await until(() => (document.querySelector('#offline-status')?.textContent ?? '') !== '');
      if (!await browser.page.evaluate(() => Boolean(navigator.serviceWorker))) {
        assert.equal(await browser.page.evaluate(() => document.querySelector('#offline-status')?.textContent),
          'This browser cannot store the page here.');
        return;
      }
      await click('#offline');
      await until(() =>
        /^The page opens without network/.test(document.querySelector('#offline-status')?.textContent ?? ''));
      await open();
      assert.equal(await browser.page.evaluate(() => crossOriginIsolated), true);
      await site.close();
      await open();
      assert.equal(await browser.page.evaluate(() => crossOriginIsolated), true);
      const shown = await browser.page.evaluate(() => document.querySelector('#model')?.textContent);
      assert.match(String(shown), /stories/i);
      await click('#open > summary');
      await until(() => /Remove/.test(document.querySelector('#offline')?.textContent ?? ''));
      await click('#offline');
      await until(() => /^A service worker stores/.test(document.querySelector('#offline-status')?.textContent ?? ''));
      assert.equal(await has(), false);
    });
  });
}
