/** The lessons as they are shipped, each in real browsers: computed, framed, embedded, reached by keyboard. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { LESSONS } from '../web/lessons/list.js';
import { BROWSERS, plainServer } from './support/browsers.js';

const SITE = fileURLToPath(new URL('../dist/site/', import.meta.url));
const SOURCE = fileURLToPath(new URL('../web/lessons/', import.meta.url));
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const WAIT_MS = 60_000;
const COURSE = '/course.html';

/** What text a page's HTML has, for the few marks that code uses. @param {string} html */
const unescaped = (html) => html.replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&amp;/g, '&');

test('every lesson is in the list, once, and every page of the list is there', async () => {
  const pages = (await readdir(SOURCE)).filter((name) => /^\d\d-.*\.html$/.test(name)).sort();
  assert.deepEqual(LESSONS.map(({ name }) => `${name}.html`), pages);
});

for (const { name, title } of LESSONS) {
  test(`${name}: the code that is shown is the code that runs`, async () => {
    const read = (/** @type {string} */ type) => readFile(`${SOURCE}${name}.${type}`, 'utf8');
    const [html, script] = [await read('html'), await read('js')];
    assert.match(html, new RegExp(`<h1><span class="number">${Number(name.slice(0, 2))}</span>${title}</h1>`));
    const shown = [...html.matchAll(/<pre><code>([^]*?)<\/code><\/pre>/g)].map(([, code]) => unescaped(code));
    assert.ok(shown.length > 0, 'a lesson shows its code');
    const lines = new Set(script.split('\n').map((line) => line.trim()));
    for (const line of shown.join('\n').split('\n')) assert.ok(lines.has(line.trim()), `not in ${name}.js: ${line}`);
  });
}

for (const [browserName, openBrowser] of Object.entries(BROWSERS)) {
  describe(`lessons in ${browserName}`, { timeout: 300_000 }, () => {
    /** @type {import('./support/browsers.js').Opened} */ let browser;
    /** @type {import('./support/browsers.js').Page} */ let page;
    /** @type {Awaited<ReturnType<typeof plainServer>>} */ let server;

    before(async () => {
      assert.ok(existsSync(`${SITE}lessons/index.html`), 'dist/site is missing: run make site');
      const course = `<!doctype html><title>A course</title><link rel="icon" href="data:,"><p>Before</p>
        <script src="/a/course/lessons/embed.js" data-lesson="${LESSONS[0].name}"></script><p id="after">After</p>`;
      server = await plainServer({
        root: SITE,
        below: '/a/course/',
        extra: { [COURSE]: (_, response) => void response.setHeader('content-type', 'text/html').end(course) },
      });
      browser = await openBrowser({ width: 1200, height: 900 });
      page = browser.page;
    });
    after(async () => {
      await browser?.close();
      await server?.close();
    });

    /** @template A @param {(argument: A) => unknown} condition in the page @param {A} [argument] */
    async function until(condition, argument) {
      const end = Date.now() + WAIT_MS;
      while (!await page.evaluate(condition, argument)) {
        if (Date.now() > end) {
          assert.fail(`the page never came to ${condition}: ${await page.evaluate(() => document.body.innerText)}`);
        }
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
    /** @param {string} path */
    async function open(path) {
      await page.goto(new URL(`lessons/${path}`, server.url).href);
      await until(() => document.documentElement.dataset.ready !== undefined
        || document.querySelector('main > .error') !== null);
    }
    const figures = () => page.evaluate(() => [...document.querySelectorAll('output, .matrix td, .plot path')]
      .map((each) => each.textContent + (each.getAttribute('d') ?? '')).join('|'));

    test('the list leads to each lesson', async () => {
      await open('index.html');
      const links = await page.evaluate(() => [...document.querySelectorAll('#lessons a')].map((a) => a.textContent));
      assert.deepEqual(links, LESSONS.map(({ name, title }) => `${Number(name.slice(0, 2))} · ${title}`));
      assert.deepEqual(browser.complaints, []);
    });

    for (const [at, { name }] of LESSONS.entries()) {
      test(`${name} is computed, and nothing complains`, async () => {
        browser.complaints.length = 0;
        browser.requests.length = 0;
        await open(`${name}.html`);
        const empty = await page.evaluate(() => [...document.querySelectorAll('[data-value]')]
          .flatMap((each) => (each.textContent ? [] : [each.getAttribute('data-value')])));
        assert.deepEqual(empty, []);
        assert.deepEqual(browser.complaints, []);
        assert.deepEqual(browser.requests.filter((url) => !url.startsWith(server.url) && !/^(blob|data):/.test(url)),
          [], 'no network');
        const text = await page.evaluate(() => document.body.innerText);
        assert.doesNotMatch(text, /NaN|undefined/);
        const neighbours = await page.evaluate(() =>
          [...document.querySelectorAll('footer a')].map((a) => a.getAttribute('href')));
        assert.deepEqual(neighbours, [LESSONS[at - 1], LESSONS[at + 1]].flatMap((each) =>
          (each ? [`./${each.name}.html`] : [])));
      });

      test(`${name}: a key on its first control changes the figures`, async () => {
        const before = await figures();
        await page.evaluate(() => {
          const control = /** @type {HTMLElement | null} */ (document.querySelector(
            'main input[type=range], main select, main .matrix input, main button'));
          control?.focus();
        });
        const { tag, type } = await page.evaluate(() => ({ tag: document.activeElement?.tagName,
          type: document.activeElement?.getAttribute('type') }));
        assert.notEqual(tag, 'BODY', 'there is something to turn');
        const keys = type === 'number' ? ['1'] : tag === 'BUTTON' ? ['Enter'] : ['ArrowRight', 'ArrowLeft'];
        await page.keyboard.press(keys[0]);
        if (keys[1] && await figures() === before) await page.keyboard.press(keys[1]); // it stood at its end
        const end = Date.now() + 10_000;
        while (await figures() === before && Date.now() < end) await new Promise((done) => setTimeout(done, 20));
        assert.notEqual(await figures(), before);
        assert.deepEqual(browser.complaints, []);
      });

      test(`${name}: axe finds nothing`, async () => {
        const axe = await readFile(AXE, 'utf8');
        await page.evaluate(/** @type {any} */ (`${axe}; 0`));
        for (const scheme of browser.theme ? /** @type {const} */ (['dark', 'light']) : ['as it is']) {
          await browser.theme?.(/** @type {'light' | 'dark'} */ (scheme));
          await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
          const { violations } = await page.evaluate(() => /** @type {any} */ (globalThis).axe.run());
          const found = violations.map((/** @type {any} */ { id, impact, nodes }) =>
            `${impact} ${id}: ${nodes.map((/** @type {any} */ { html }) => html.slice(0, 120)).join('; ')}`);
          assert.deepEqual(found, [], scheme);
        }
      });

      test(`${name}: nothing is cut off or moves sideways on a phone`, async () => {
        await browser.resize(390, 844);
        await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= 390, `${wide} pixels wide`);
        await browser.resize(1200, 900);
      });
    }

    test('embedded, a lesson is alone, and one script gives it a frame of its height', async () => {
      await open(`${LESSONS[0].name}.html?embed`);
      assert.equal(await page.evaluate(() => document.querySelectorAll('header, footer').length), 0);
      await page.goto(new URL(COURSE, server.url).href);
      await until(() => {
        const frame = document.querySelector('iframe');
        const inside = frame?.contentDocument;
        return inside?.documentElement.dataset.ready !== undefined
          && frame?.clientHeight === inside.body.scrollHeight;
      });
      const order = await page.evaluate(() => [...document.body.children].map(({ tagName }) => tagName));
      assert.deepEqual(order, ['P', 'SCRIPT', 'IFRAME', 'P']);
      assert.deepEqual(browser.complaints, []);
    });
  });
}
