/** The pages in docs/elements.md run, and their elements draw. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { BROWSERS, plainServer } from '../support/browsers.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const DOCS = readFileSync(`${ROOT}docs/elements.md`, 'utf8');
const PAGES = [...DOCS.matchAll(/```html\n([\s\S]*?)```/g)].map(([, html]) => html);
/** The import map that replaces a bundler.  The root of the server is the package. */
const IMPORTS = (/<script type="importmap">([\s\S]*?)<\/script>/.exec(DOCS)?.[1] ?? '')
  .replaceAll('./node_modules/heed/', '/');

describe('docs/elements.md', { timeout: 300_000 }, () => {
  /** @type {import('../support/browsers.js').Opened} */ let browser;
  /** @type {Awaited<ReturnType<typeof plainServer>>} */ let server;
  before(async () => {
    const extra = Object.fromEntries(PAGES.map((html, at) => [`/${at}.html`,
      (/** @type {any} */ _, /** @type {import('node:http').ServerResponse} */ response) =>
        void response.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html><html lang="en">
          <meta charset="utf-8"><title>Sample</title><link rel="icon" href="data:,">
          <script type="importmap">${IMPORTS}</script>${html}`)]));
    server = await plainServer({ root: ROOT, below: '/', extra });
    browser = await BROWSERS.chromium({ width: 800, height: 900 });
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  PAGES.forEach((html, at) => {
    test(`page ${at + 1}: ${/** @type {RegExpExecArray} */ (/<([\w-]+)/.exec(html))[1]}`, async () => {
      const { page } = browser;
      await page.goto(new URL(`/${at}.html`, server.url).href);
      const shown = () => page.evaluate(() => {
        const elements = [...document.querySelectorAll('*')].filter(({ localName }) => localName.includes('-'));
        for (const { shadowRoot } of elements) {
          const button = /** @type {HTMLElement | null} */ (shadowRoot?.querySelector('.first'));
          if (button?.textContent === 'Train') button.click();
        }
        const texts = elements.map(({ shadowRoot }) => shadowRoot?.querySelector(
          '.window, [aria-selected=true], [role=option], li, .count')?.outerHTML ?? '');
        const problems = elements.map(({ shadowRoot }) => shadowRoot?.querySelector('[role=alert]')?.textContent);
        return { found: texts.length > 0 && texts.every(Boolean), problems: problems.join('') };
      });
      const end = Date.now() + 60_000;
      let now = await shown();
      while (!now.found && Date.now() < end) {
        await new Promise((resolve) => setTimeout(resolve, 50));
        now = await shown();
      }
      assert.deepEqual(now, { found: true, problems: '' });
      assert.deepEqual(browser.complaints.splice(0), []);
    });
  });

  test('names every attribute and every event', () => {
    const events = readFileSync(`${ROOT}web/elements/events.d.ts`, 'utf8').matchAll(/'(heed-[\w-]+)': CustomEvent/g);
    for (const [, event] of events) {
      assert.ok(DOCS.includes(event) || DOCS.includes(event.replace('heed-training', '')), event);
    }
    for (const name of ['anatomy', 'attention-lines', 'attention-map', 'contributions', 'head-finder',
      'head-grid', 'heat-map', 'neurons', 'residual', 'token-loss', 'token-strip']) {
      const source = readFileSync(`${ROOT}web/elements/${name}.js`, 'utf8');
      const [, block] = /static attributeReaders = \{([\s\S]*?)\};\n/.exec(source) ?? [];
      const attributes = [...(block ?? '').matchAll(/([\w-]+)'?:\s*\w+Attribute\(/g)].map(([, attribute]) => attribute);
      assert.ok(attributes.length > 0, name);
      for (const attribute of attributes) assert.ok(DOCS.includes(`\`${attribute}\``), `${name} ${attribute}`);
    }
  });
});
