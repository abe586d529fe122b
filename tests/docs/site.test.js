// The documentation site of `make docs`: complete, searchable, accessible, and independent of its folder.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { HEADER_POLICY } from '../../js/cli/policy.js';
import { violationsIn } from '../support/axe.js';
import { BROWSERS, plainServer } from '../support/browsers.js';
import { until as untilIn } from '../support/until.js';

const DOCS = fileURLToPath(new URL('../../dist/docs/', import.meta.url));
const WEB = fileURLToPath(new URL('../../web/', import.meta.url));
const GUIDE = ['Getting_started', 'The_model_API', 'How_it_works', 'The_C_API'];

describe('the documentation site', { timeout: 600_000 }, () => {
  /** @type {string[]} */ let files;
  before(async () => {
    assert.ok(existsSync(join(DOCS, 'index.html')), 'dist/docs is missing: run make docs');
    files = (await readdir(DOCS, { recursive: true })).filter((path) => path.endsWith('.html')).sort();
  });

  test('has the guide and a page for each module of the package', () => {
    for (const page of GUIDE) assert.ok(files.includes(`documents/${page}.html`), page);
    for (const page of ['heed', 'heed_lab', 'heed_train', 'heed_elements']) {
      assert.ok(files.includes(`modules/${page}.html`), page);
    }
    for (const page of ['functions/heed.load', 'interfaces/heed.Model', 'types/heed.Edit']) {
      assert.ok(files.includes(`${page}.html`), page);
    }
  });

  test('every link has an existing file, and every fragment an existing element', async () => {
    const ids = new Map(await Promise.all(files.map(async (path) => {
      const html = await readFile(join(DOCS, path), 'utf8');
      const found = new Set([...html.matchAll(/\bid="([^"]+)"/g)].map(([, id]) => id));
      return /** @type {const} */ ([path, { html, ids: found }]);
    })));
    const dead = [];
    for (const [path, { html }] of ids) {
      for (const [, link] of html.matchAll(/<(?!use )[^>]*?\b(?:href|src|srcset)="([^"]+)"/g)) {
        if (/^(https?|mailto|data):/.test(link)) continue;
        const [file, fragment] = link.replaceAll('&amp;', '&').split('#').map(decodeURIComponent);
        const target = file === '' ? path : relative(DOCS, resolve(DOCS, dirname(path), file.split('?')[0]));
        const beside = target.startsWith('..') ? join(WEB, target.replace(/^\.\.\/?/, '')) : join(DOCS, target);
        if (!existsSync(beside)) dead.push(`${path}: ${link}`);
        else if (fragment && ids.has(target) && !ids.get(target)?.ids.has(fragment)) dead.push(`${path}: ${link}`);
      }
    }
    assert.deepEqual(dead, []);
  });

  test('every link of the page and of the lessons to the documentation has its page and its heading', async () => {
    const pages = (await readdir(WEB, { recursive: true })).filter((path) => path.endsWith('.html'));
    const links = await Promise.all(pages.map(async (path) => [...(await readFile(join(WEB, path), 'utf8'))
      .matchAll(/\bhref="([./]+\/docs\/[^"]*)"/g)].map(([, link]) => ({ path, link }))));
    assert.ok(links.flat().length > 20);
    const dead = await Promise.all(links.flat().map(async ({ path, link }) => {
      const [file, fragment] = link.split('#');
      const target = relative(join(WEB, 'docs'), resolve(WEB, dirname(path), file));
      const html = files.includes(target) ? await readFile(join(DOCS, target), 'utf8') : '';
      return html && (!fragment || html.includes(`id="${fragment}"`)) ? [] : [`${path}: ${link}`];
    }));
    assert.deepEqual(dead.flat(), []);
  });

  test('no page has an inline script or style', async () => {
    for (const path of files) {
      const html = await readFile(join(DOCS, path), 'utf8');
      assert.doesNotMatch(html, /<script(?![^>]*\ssrc=)|<style|\sstyle="|\son[a-z]+="/, path);
    }
  });

  describe('in Chromium, below a sub-path, under the policy of heed serve', () => {
    /** @type {Awaited<ReturnType<typeof plainServer>>} */ let server;
    /** @type {import('../support/browsers.js').Opened} */ let browser;
    before(async () => {
      const headers = { 'Content-Security-Policy': HEADER_POLICY };
      server = await plainServer({ root: DOCS, below: '/some/course/docs/', headers });
      browser = await BROWSERS.chromium({ width: 1200, height: 900 });
    });
    after(async () => {
      await browser?.close();
      await server?.close();
    });

    const until = (/** @type {() => unknown} */ condition) => untilIn(browser.page, condition);

    /** @param {string} url */
    async function searches(url) {
      const { page } = browser;
      await page.goto(url);
      await until(() => document.body.style.display !== 'none');
      await page.evaluate(() => document.getElementById('tsd-search-trigger')?.click());
      await until(() => document.activeElement?.id === 'tsd-search-input');
      await page.keyboard.type('runWithCache');
      await until(() => /runWithCache/.test(document.getElementById('tsd-search-results')?.textContent ?? ''));
      const links = await page.evaluate(() =>
        Array.from(document.querySelectorAll('#tsd-search-results a'), (link) =>
          /** @type {HTMLAnchorElement} */ (link).href));
      assert.ok(links.length > 0);
      return links;
    }

    test('search finds a method and a page of the guide', async () => {
      const links = await searches(`${server.url}documents/Getting_started.html`);
      assert.ok(links.some((link) => link.includes('heed.Model')), String(links));
      assert.ok(links.some((link) => link.includes('The_model_API')), String(links));
      for (const link of links) assert.equal((await fetch(link)).status, 200, link);
    });

    test('search works with file: addresses too', async () => {
      const links = await searches(pathToFileURL(join(DOCS, 'index.html')).href);
      for (const link of links) assert.ok(existsSync(fileURLToPath(link.split('#')[0])), link);
    });

    test('axe finds no violations in light and in dark', async () => {
      const pages = ['index.html', 'documents/The_model_API.html', 'types/heed.LoadOptions.html'];
      const found = [];
      for (const path of pages) {
        await browser.page.goto(`${server.url}${path}`);
        await until(() => document.body.style.display !== 'none');
        // TypeDoc's navigation has links in summaries; the Tab key reaches both.
        const violations = await violationsIn(browser.page, browser.theme, { disabled: ['nested-interactive'] });
        found.push(...violations.map((violation) => `${path} ${violation}`));
      }
      assert.deepEqual(found, []);
    });

    test('the console is empty, and no other host received a request', () => {
      assert.deepEqual(browser.complaints, []);
      const foreign = browser.requests.filter((url) => !/^(http:\/\/127\.0\.0\.1|file:|data:|blob:)/.test(url));
      assert.deepEqual(foreign, []);
    });
  });
});
