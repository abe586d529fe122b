/** Lessons 0 and from 7 on with the keyboard, a screen reader, reduced motion and invalid input. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { LESSONS } from '../../web/lessons/list.js';
import { BROWSERS } from '../support/browsers.js';
import { openSite, SITE } from '../support/site.js';
import { HOSTILE } from '../support/texts.js';

const WITH_MODELS = LESSONS.map(({ name }) => name).filter((name) => name < '01' || name >= '07');

const DATES = { empty: /nothing to read/, blank: /nothing to read/, endless: /up to 48 symbols; there are 100000/,
  picture: /never seen ‘👩’/, markup: /never seen ‘<’/, invisible: /never seen|nothing to read/,
  leftwards: /never seen ‘ש’/ };
const NO_LETTER = / is not a letter from a to d/;
/** Fields, and the errors for the texts that they reject. */
const REFUSED = /** @type {[string, string, Record<string, RegExp>][]} */ ([
  ['08-bahdanau', '#written', DATES],
  ['09-luong', '#written', DATES],
  ['10-encoder-decoder', '#written', DATES],
  ['11-classification', '#text', { empty: /has no words/, blank: /has no words/, picture: /has no words/,
    endless: /100,000 characters; the maximum is 120/, invisible: /has no words/ }],
  ['12-thinking-like-transformers', '#letters', { empty: /one letter from a to d/, blank: NO_LETTER,
    endless: /100,000 letters; the maximum is 30/, picture: /‘👩’ is not a letter from a to d/,
    markup: /‘<’ is not a letter from a to d/, invisible: NO_LETTER, leftwards: /‘ש’ is not a letter from a to d/ }],
]);

for (const [browserName, openBrowser] of Object.entries(BROWSERS)) {
  describe(`lessons with models in ${browserName}`, { timeout: 900_000 }, () => {
    /** @type {import('../support/site.js').Site} */ let site;
    /** @type {import('../support/site.js').Site['page']} */ let page;
    /** @type {import('../support/site.js').Site['until']} */ let until;

    /** Resolves when the host sends the script of the translation Worker. */
    let sent = Promise.resolve();

    before(async () => {
      site = await openSite(openBrowser, {
        '/a/course/train/translator-worker.js': async (_, response) => {
          await sent;
          response.writeHead(200, { 'content-type': 'text/javascript' })
            .end(await readFile(`${SITE}train/translator-worker.js`));
        },
      });
      ({ page, until } = site);
    });
    after(() => site?.close());

    const figures = () => page.evaluate(() => [...document.querySelectorAll('output, .matrix td')]
      .map((each) => each.textContent).join('|'));
    const said = (/** @type {string} */ name) => page.evaluate((wanted) =>
      document.querySelector(`[data-value="${wanted}"]`)?.textContent ?? '', name);
    /** The name of the focused element, also in shadow roots. */
    const focused = () => page.evaluate(() => {
      let at = document.activeElement;
      while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
      const input = /** @type {HTMLInputElement} */ (at);
      return at && at !== document.body ? (at.getAttribute('aria-label') ?? input.labels?.[0]?.textContent
        ?? at.textContent ?? '').trim().slice(0, 60) : null;
    });
    /** @param {string} selector of the page; after › a selector in its shadow root */
    const focus = (selector) => page.evaluate((wanted) => {
      const [outer, inner] = wanted.split(' › ');
      const host = document.querySelector(outer);
      /** @type {HTMLElement} */ (inner ? host?.shadowRoot?.querySelector(inner) : host).focus();
    }, selector);
    /** @param {string[]} keys */
    const press = async (...keys) => {
      for (const key of keys) await page.keyboard.press(key);
      await site.drawn();
    };
    /** The announcement of a map. @param {string} id */
    const spoken = (id) => page.evaluate((wanted) =>
      document.querySelector(wanted)?.shadowRoot?.querySelector('output')?.textContent ?? '', id);
    /** @param {string} selector @param {string} text */
    const write = (selector, text) => page.evaluate(([wanted, written]) => {
      const input = /** @type {HTMLInputElement} */ (document.querySelector(wanted));
      input.value = written;
      input.dispatchEvent(new Event('input'));
    }, /** @type {const} */ ([selector, text]));

    for (const name of WITH_MODELS) {
      test(`${name}: Tab reaches every control, and each has a name`, async () => {
        await site.open(`${name}.html`);
        await site.drawn();
        const wanted = await page.evaluate(() => {
          /** @param {ParentNode} root @returns {string[]} */
          const stops = (root) => [...root.querySelectorAll('*')].flatMap((each) => {
            const one = /** @type {HTMLInputElement} */ (each);
            const inner = each.shadowRoot ? stops(each.shadowRoot) : [];
            if (!one.matches('a[href], button, input, select, summary, [tabindex]') || one.disabled || one.tabIndex < 0
              || !one.checkVisibility() || one.closest('details:not([open]) > :not(summary)')) return inner;
            return [(one.getAttribute('aria-label') ?? one.labels?.[0]?.textContent ?? one.textContent ?? '').trim()
              .slice(0, 60), ...inner];
          });
          return stops(document);
        });
        assert.ok(wanted.length > 5 && wanted.every((text) => text !== ''), wanted.join(' | '));
        await focus('.skip');
        const met = [await focused()];
        for (let i = 0; i < 2 * wanted.length && met.at(-1) !== wanted.at(-1); i++) {
          await page.keyboard.press('Tab');
          met.push(await focused());
        }
        assert.deepEqual(met.filter((text) => text !== null && wanted.includes(text)), wanted);
      });

      test(`${name}: nothing moves with reduced motion`, async (t) => {
        const { stillness } = site.browser;
        if (!stillness) return t.skip('this driver cannot set reduced motion');
        await stillness(true);
        const moving = await page.evaluate(() => {
          /** @param {ParentNode} root @returns {string[]} */
          const found = (root) => [...root.querySelectorAll('*')].flatMap((each) => {
            const style = getComputedStyle(each);
            const still = style.animationName === 'none' && /^0s(, 0s)*$/.test(style.transitionDuration)
              && style.scrollBehavior === 'auto';
            const inner = each.shadowRoot ? found(each.shadowRoot) : [];
            return still ? inner : [each.outerHTML.slice(0, 80), ...inner];
          });
          return [matchMedia('(prefers-reduced-motion: reduce)').matches ? '' : 'not set', ...found(document),
            ...document.getAnimations().map(String)].filter(Boolean);
        });
        assert.deepEqual(moving, []);
        await stillness(false);
      });
    }

    test('keys move over the map and the steps of a translation, and choose an example', async () => {
      await site.open('08-bahdanau.html');
      await focus('#map › .window');
      const hint = await spoken('#map');
      await press('ArrowDown', 'ArrowDown', 'End');
      assert.match(await spoken('#map'), /^‘0’ \(\d+\) gives .* of its attention to ‘8’ \(\d+\)$/);
      assert.equal(await said('symbol'), '‘0’', 'the step follows');
      await press('Home');
      assert.match(await spoken('#map'), /^‘0’ \(\d+\) gives .* of its attention to ‘s’ \(\d+\)$/);
      await press('Escape');
      assert.equal(await spoken('#map'), hint);
      await focus('#controls input');
      await press('End');
      assert.equal(await said('symbol'), '‘2’');
      await press('Home', 'ArrowRight');
      assert.equal(await said('symbol'), '‘0’');
      await focus('#date button');
      await press('Enter');
      await until(() => document.querySelector('[data-value=translation]')?.textContent === '1979-05-03');
      assert.equal(await focused(), 'the 3rd of may 1979');
      assert.deepEqual(site.browser.complaints, []);
    });

    test('a lesson shows that it waits for the translation Worker', async () => {
      /** @type {() => void} */ let send = () => {};
      sent = new Promise((resolve) => { send = resolve; });
      await page.goto(new URL('lessons/08-bahdanau.html', site.server.url).href);
      await until(() => document.querySelector('.waiting')?.textContent === 'Opening the model dates-bahdanau.');
      send();
      await until(() => document.documentElement.dataset.ready !== undefined);
      assert.equal(await said('translation'), '2008-07-12');
    });

    test('the last input replaces older translations', async () => {
      await site.open('10-encoder-decoder.html');
      await page.evaluate(() => {
        const input = /** @type {HTMLInputElement} */ (document.querySelector('#written'));
        const shown = document.querySelector('[data-value=translation]');
        /** @type {any} */ (globalThis).seen = [];
        new MutationObserver(() => /** @type {any} */ (globalThis).seen.push(shown?.textContent))
          .observe(/** @type {Node} */ (shown), { childList: true });
        for (const day of ['1', '2', '3', '4', '5']) {
          input.value = `${day} may 1979`;
          input.dispatchEvent(new Event('input'));
        }
      });
      for (const value of ['translation', 'recurrent']) {
        await until((wanted) => document.querySelector(`[data-value=${wanted}]`)?.textContent === '1979-05-05', value);
      }
      assert.deepEqual(await page.evaluate(() => /** @type {any} */ (globalThis).seen), ['1979-05-05']);
      assert.deepEqual(await page.evaluate(() => [...document.querySelectorAll('.told span')].map((each) =>
        each.textContent)), ['', '']);
      assert.deepEqual(site.browser.complaints, []);
    });

    test('lesson 10 shows another task with its maps, choices and captions at once', async () => {
      await site.open('10-encoder-decoder.html');
      await page.evaluate(() => {
        const of = (/** @type {string} */ name) => document.querySelector(`[data-value=${name}]`)?.textContent;
        const chosen = () => [...document.querySelectorAll('#cross select')].map((each) =>
          /** @type {HTMLSelectElement} */ (each).value);
        const states = /** @type {Set<string>} */ (/** @type {any} */ (globalThis).states = new Set());
        new MutationObserver(() => states.add(JSON.stringify({ translation: of('translation'), weights: of('weights'),
          caption: [of('layer'), of('head')].join(), chosen: chosen().join() })))
          .observe(document.body, { childList: true, subtree: true });
        const [task] = document.querySelectorAll('#models select');
        /** @type {HTMLSelectElement} */ (task).value = 'spa-eng';
        task.dispatchEvent(new Event('change'));
      });
      await until(() => document.querySelector('[data-value=translation]')?.textContent?.startsWith('ella'));
      const states = await page.evaluate(() => [.../** @type {any} */ (globalThis).states]);
      for (const { translation, weights, caption, chosen } of states.map((text) => JSON.parse(text))) {
        const old = translation === '2008-07-12';
        assert.equal(weights, old ? '171,136' : '854,400');
        if (chosen) assert.equal(caption, chosen);
        else assert.ok(old, 'no choice without a map');
      }
      assert.deepEqual(site.browser.complaints, []);
    });

    test('keys start, pause, review and cancel a training', async () => {
      await site.open('13-train-one-here.html');
      const status = () => page.evaluate(() => document.querySelector('#training')?.shadowRoot
        ?.querySelector('[role=status]')?.textContent ?? '');
      await focus('#training › .first');
      await press('Enter');
      await until(() => /** @type {any} */ (document.querySelector('#training')).step > 2);
      await press('Enter');
      assert.match(await status(), /^Paused after step \d+\.$/);
      const aloud = () => page.evaluate(() => document.querySelector('#training')?.shadowRoot
        ?.querySelector('output[aria-live=polite]')?.textContent ?? '');
      await focus('#training › input[type=range]');
      await press('Home');
      assert.match(await aloud(), /^Before the first step the model answers /);
      await press('ArrowRight');
      assert.match(await aloud(), /^After step 1 the loss is \d/);
      await focus('#training › .first + button');
      await press('Enter');
      assert.match(await status(), /^The training was cancelled after step \d+\. The maps up to this step/);
      for (const seed of ['', '-1', '1.5', '1e99']) {
        await write('#seed', seed);
        await focus('#training › .first');
        await press('Enter');
        await until(() => /seed must be a whole number from 0 to 4,294,967,295/.test(document.querySelector('#training')
          ?.shadowRoot?.querySelector('[role=status]')?.textContent ?? ''));
        assert.ok(await page.evaluate(() => /** @type {any} */ (document.querySelector('#training')).step > 2),
          'the last training stays on screen');
        await write('#seed', '1');
      }
      assert.deepEqual(site.browser.complaints, []);
    });

    test('cancel during the last test of a training ends the test', async () => {
      await site.open('13-train-one-here.html');
      await page.evaluate(() => {
        const task = /** @type {HTMLSelectElement} */ (document.querySelector('#controls select'));
        task.value = 'copy';
        task.dispatchEvent(new Event('change'));
        const training = /** @type {any} */ (document.querySelector('#training'));
        const [start, cancel] = ['.first', '.first + button'].map((each) => training.shadowRoot.querySelector(each));
        const { terminate } = Worker.prototype;
        Worker.prototype.terminate = function () { // the training ends its Worker, and the test of its model begins
          terminate.call(this);
          setTimeout(() => cancel.click());
        };
        start.click();
      });
      await until(() => ['cancelled', 'done'].includes(/** @type {any} */ (document.querySelector('#training')).state));
      assert.equal(await page.evaluate(() => /** @type {any} */ (document.querySelector('#training')).state),
        'cancelled');
      assert.equal(await page.evaluate(() => document.querySelectorAll('#trained th[scope=row]').length), 0);
      assert.deepEqual(site.browser.complaints, []);
    });

    for (const [name, field, refused] of REFUSED) {
      test(`${name}: invalid input shows an error, and the figure keeps its numbers`, async () => {
        await site.open(`${name}.html`);
        const valid = await page.evaluate((wanted) =>
          /** @type {HTMLInputElement} */ (document.querySelector(wanted)).value, field);
        for (const [kind, text] of Object.entries(HOSTILE)) {
          const before = await figures();
          await write(field, text);
          if (!refused[kind]) continue;
          await until((source) => new RegExp(source, 'u').test([...document.querySelectorAll('.error')]
            .map((each) => each.textContent).join('')), refused[kind].source);
          assert.equal(await figures(), before, kind);
          await write(field, valid);
          await until(() => [...document.querySelectorAll('.error, .waiting')].every((each) => !each.textContent));
        }
        assert.equal(await page.evaluate(() => document.querySelectorAll('main script').length), 0);
        assert.doesNotMatch(await page.evaluate(() => document.body.innerText), /NaN|undefined/);
        assert.deepEqual(site.browser.complaints, []);
      });
    }

    test('a sentence of 120 punctuation marks is shown', async () => {
      await site.open('11-classification.html');
      await write('#text', '!'.repeat(120));
      assert.equal(await page.evaluate(() => document.querySelectorAll('#weights td:not(.axes)').length), 240);
      assert.equal(await page.evaluate(() => /** @type {any} */ (document.querySelector('#map')).length), 120);
      assert.deepEqual(site.browser.complaints, []);
    });
  });
}
