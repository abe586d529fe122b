/** Lessons in a course page of another origin, with an iframe or a script, from a static host and from heed serve. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, afterEach, before, describe, test } from 'node:test';
import { startServer } from '../../js/cli/server.js';
import { LESSONS } from '../../web/lessons/list.js';
import { BROWSERS } from '../support/browsers.js';
import { openSite, SITE } from '../support/site.js';

/** Servers of the running test's course pages. @type {import('node:http').Server[]} */
const courses = [];
afterEach(() => courses.splice(0).forEach((server) => server.close()));

/** A course page as web/lessons/README.md describes it, with the strictest policy.
 *  @param {string} origin of the lessons @param {string} body @param {boolean} isolated @param {string} [head]
 *  @returns {Promise<string>} its address, until the test ends */
async function coursePage(origin, body, isolated, head = '') {
  const server = createServer((request, response) => response.writeHead(200, {
    'content-type': 'text/html',
    'content-security-policy': `default-src 'none'; img-src data:; frame-src ${origin}; script-src ${origin}`,
    ...(isolated && { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' }),
  }).end(`<!doctype html><html lang="en"><title>A course</title><link rel="icon" href="data:,">${head}
    <p>Before</p>${body}<p>After</p>`));
  courses.push(server);
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return `http://127.0.0.1:${port}/`;
}

for (const [browserName, openBrowser] of Object.entries(BROWSERS)) {
  describe(`lessons embedded in ${browserName}`, { timeout: 600_000 }, () => {
    /** @type {import('../support/site.js').Site} */ let site;
    /** @type {Awaited<ReturnType<typeof startServer>>} */ let heed;

    before(async () => {
      site = await openSite(openBrowser);
      heed = await startServer({ root: SITE, framed: '/lessons/' });
    });
    after(async () => {
      await heed?.close();
      await site?.close();
    });

    /** Address of the lessons, and whether the course page is isolated: then every frame must be isolated too.
     *  @type {Record<string, () => { url: string, isolated: boolean }>} */
    const HOSTS = {
      'a static host': () => ({ url: site.server.url, isolated: false }),
      'heed serve, in an isolated page': () => ({ url: heed.url, isolated: true }),
    };

    /** Opens a course page with a body, and calls `work` with the frame of its lesson, once the figures are drawn.
     *  @param {{ url: string, isolated: boolean }} host @param {string} body @param {string} name of the lesson
     *  @param {(frame: Pick<import('../support/browsers.js').Page, 'evaluate'>) => Promise<void>} work */
    async function embed({ url, isolated }, body, name, work) {
      const course = await coursePage(new URL(url).origin, body, isolated);
      site.browser.complaints.length = 0;
      await site.page.goto(course);
      const frame = await site.browser.frame(name);
      assert.ok(frame, `no frame of ${name}`);
      await site.until(() => document.documentElement.dataset.ready !== undefined, undefined, frame);
      assert.equal(await frame.evaluate(() => document.querySelectorAll('header, footer').length), 0, 'alone');
      await work(frame);
      assert.deepEqual(site.browser.complaints, []);
    }

    /** Resolves when the nth frame is as high as its lesson; both may still grow.
     *  @param {number} nth @param {Pick<import('../support/browsers.js').Page, 'evaluate'>} lesson
     *  @param {boolean} seen scroll to the frame, because browsers resize hidden frames late */
    async function fit(nth, lesson, seen) {
      const end = Date.now() + 60_000;
      for (let wanted = 0, found = -1; wanted !== found; await new Promise((done) => setTimeout(done, 50))) {
        wanted = await lesson.evaluate(() => document.body.scrollHeight);
        found = await site.page.evaluate(([nth, seen]) => {
          const frame = document.querySelectorAll('iframe')[nth];
          if (seen) frame.scrollIntoView();
          return frame.clientHeight;
        }, /** @type {const} */ ([nth, seen]));
        assert.ok(Date.now() < end, `height of the lesson ${wanted}, of its frame ${found}`);
      }
    }

    for (const [kind, host] of Object.entries(HOSTS)) {
      test(`from ${kind}: a script inserts a frame as high as the lesson`, async () => {
        const at = host();
        const [{ name }] = LESSONS;
        const body = `<script src="${at.url}lessons/embed.js" data-lesson="${name}"></script>`;
        await embed(at, body, name, async (frame) => {
          assert.ok(await frame.evaluate(() => document.body.scrollHeight) > 600);
          await fit(0, frame, false);
          const order = await site.page.evaluate(() => [...document.body.children].map(({ tagName }) => tagName));
          assert.deepEqual(order, ['P', 'SCRIPT', 'IFRAME', 'P']);
        });
      });

      test(`from ${kind}: a model trains and stops in a sandboxed iframe`, async () => {
        const at = host();
        const name = '13-train-one-here';
        const body = `<iframe src="${at.url}lessons/${name}.html?embed" title="Train one here" width="800" height="1200"
          sandbox="allow-scripts allow-same-origin"></iframe>`;
        await embed(at, body, name, async (frame) => {
          // The page itself presses Stop, because the training may end between two polls of the test.
          await frame.evaluate(() => {
            const training = /** @type {any} */ (document.getElementById('training'));
            const [start, stop] = training.shadowRoot.querySelectorAll('button');
            start.click();
            const timer = setInterval(() => {
              if (training.step <= 5) return;
              clearInterval(timer);
              stop.click();
            });
          });
          await site.until(() => /** @type {any} */ (document.getElementById('training')).state === 'cancelled',
            undefined, frame);
        });
      });
    }

    test('two lessons on a page have separate frames of the right height, also in a narrower page', async () => {
      const at = HOSTS['a static host']();
      const script = (/** @type {string} */ name) =>
        `<script src="${at.url}lessons/embed.js" data-lesson="${name}"></script>`;
      const course = await coursePage(new URL(at.url).origin, script('03-masks') + script('06-block'), at.isolated);
      site.browser.complaints.length = 0;
      await site.page.goto(course);
      const [masks, block] = await Promise.all(['03-masks', '06-block'].map(async (name) => {
        const frame = await site.browser.frame(name);
        assert.ok(frame, `no frame of ${name}`);
        return frame;
      }));
      for (const frame of [masks, block]) {
        await site.until(() => document.documentElement.dataset.ready !== undefined, undefined, frame);
      }
      const fits = async () => {
        await fit(0, masks, true);
        await fit(1, block, true);
        return site.page.evaluate(() => [...document.querySelectorAll('iframe')].map((each) => each.clientHeight));
      };
      await fit(1, block, false);
      const wide = await fits();
      assert.notEqual(wide[0], wide[1]);
      const kept = () => block.evaluate(() => document.querySelector('[data-value=kept]')?.textContent);
      const sum = () => masks.evaluate(() => document.querySelector('[data-value=hidden]')?.textContent);
      const before = await kept();
      const hidden = await sum();
      await masks.evaluate(() => /** @type {HTMLElement} */ (document.querySelector('#controls input')).click());
      assert.notEqual(await sum(), hidden);
      assert.equal(await kept(), before, 'the other lesson does not change');
      await site.browser.resize(500, 900);
      const narrow = await fits();
      assert.ok(narrow[0] > wide[0] && narrow[1] > wide[1], `${wide}, then ${narrow}`);
      await site.browser.resize(1200, 900);
      assert.deepEqual(site.browser.complaints, []);
    });

    test('a frame removed while it loads does not affect the page and the other lesson', async () => {
      const at = HOSTS['a static host']();
      const script = (/** @type {string} */ name) =>
        `<script src="${at.url}lessons/embed.js" data-lesson="${name}"></script>`;
      const course = await coursePage(new URL(at.url).origin, script('08-bahdanau') + script('01-soft-lookup'),
        at.isolated);
      site.browser.complaints.length = 0;
      await site.page.goto(course);
      await site.page.evaluate(() => {
        const frame = /** @type {HTMLIFrameElement} */ (document.querySelector('iframe'));
        frame.src += '&again'; // reloads, and is then removed
        setTimeout(() => frame.remove(), 20);
        postMessage({ heed: 'lesson', height: 7 }, '*'); // a message of the page, not of a lesson
      });
      await site.until(() => document.querySelectorAll('iframe').length === 1);
      const lesson = await site.browser.frame('01-soft-lookup');
      assert.ok(lesson);
      await site.until(() => document.documentElement.dataset.ready !== undefined, undefined, lesson);
      const height = await lesson.evaluate(() => document.body.scrollHeight);
      assert.ok(height > 600);
      await site.until((wanted) => document.querySelector('iframe')?.clientHeight === wanted, height);
      // Firefox reports an import that ended with its frame. The other lesson has all its modules, because it is ready.
      const cut = /error loading dynamically imported module/;
      assert.deepEqual(site.browser.complaints.filter((complaint) => !cut.test(complaint)), []);
    });

    test('a link to another lesson opens it in the same frame, without navigation', async () => {
      await site.open('09-luong.html?embed');
      const link = await site.page.evaluate(() => /** @type {HTMLAnchorElement} */ (
        document.querySelector('main a[href*=bahdanau]')).href);
      assert.match(link, /\/08-bahdanau\.html\?embed$/);
    });

    test('a script in the head appends its lesson to the body', async () => {
      const { url } = site.server;
      const course = await coursePage(new URL(url).origin, '', false,
        `<script src="${url}lessons/embed.js" data-lesson="03-masks"></script>`);
      site.browser.complaints.length = 0;
      await site.page.goto(course);
      const order = await site.page.evaluate(() => [...document.body.children].map(({ tagName }) => tagName));
      assert.deepEqual(order, ['P', 'P', 'IFRAME']);
      await site.until(() => (document.querySelector('iframe')?.clientHeight ?? 0) > 700);
      assert.deepEqual(site.browser.complaints, []);
    });

    const deaf = browserName === 'webkit' && 'WebKitGTK does not report errors of scripts from other origins';
    test('a script without data-lesson throws an error', { skip: deaf }, async () => {
      const course = await coursePage(new URL(site.server.url).origin,
        `<script src="${site.server.url}lessons/embed.js"></script>`, false);
      site.browser.complaints.length = 0;
      await site.page.goto(course);
      assert.match(site.browser.complaints.join(), /data-lesson must name a lesson/);
    });
  });
}
