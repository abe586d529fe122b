/** The shipped training lesson in real browsers: training to the goal, pause, stop and history. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { BROWSERS } from '../support/browsers.js';
import { openSite } from '../support/site.js';
import { HOSTILE } from '../support/texts.js';

for (const [name, openBrowser] of Object.entries(BROWSERS)) {
  describe(`training in ${name}`, { timeout: 600_000 }, () => {
    /** @type {import('../support/site.js').Site} */ let site;
    /** @type {import('../support/site.js').Site['browser']} */ let browser;
    /** @type {import('../support/site.js').Site['page']} */ let page;
    /** @type {import('../support/site.js').Site['until']} */ let until;

    before(async () => {
      site = await openSite(openBrowser);
      ({ browser, page, until } = site);
      await site.open('13-train-one-here.html');
    });
    after(() => site?.close());

    /** Texts and state of the element after drawing. */
    const seen = () => page.evaluate(async () => {
      const element = /** @type {any} */ (document.getElementById('training'));
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      const { frame, map, state, step } = element;
      return {
        state, step, frame: frame?.step,
        status: element.shadowRoot.querySelector('[role=status]').textContent,
        said: element.shadowRoot.querySelector('output').textContent,
        path: element.shadowRoot.querySelector('.line')?.getAttribute('d') ?? '',
        drawn: frame && Array.from({ length: frame.tokens.length }, (_, query) => Array.from(map.row(query))),
        expected: frame && Array.from({ length: frame.tokens.length }, (_, query) =>
          Array.from(frame.data.slice(query * frame.tokens.length, query * frame.tokens.length + query + 1))),
      };
    });
    /** @param {string} inside the element */
    const focus = (inside) => page.evaluate((selector) =>
      /** @type {any} */ (document.getElementById('training')).shadowRoot.querySelector(selector).focus(), inside);
    /** @param {string} selector */
    const press = async (selector) => {
      await focus(selector);
      await page.keyboard.press('Enter');
    };
    const FIRST = '.first';
    const CANCEL = '.first + button';
    /** @param {string} value */
    const choose = (value) => page.evaluate((task) => {
      const select = /** @type {HTMLSelectElement} */ (document.querySelector('#controls select'));
      select.value = task;
      select.dispatchEvent(new Event('change'));
    }, value);
    /** @param {string} state */
    const untilState = (state) => until((wanted) =>
      /** @type {any} */ (document.getElementById('training')).state === wanted, state);
    /** @param {number} step */
    const untilStep = (step) => until((least) =>
      /** @type {any} */ (document.getElementById('training')).step > least, step);

    test('reaches its goal by keyboard alone, while the page stays responsive', async (t) => {
      await page.evaluate(() => {
        const state = /** @type {any} */ (globalThis);
        state.ticks = 0;
        state.timer = setInterval(() => state.ticks++, 10);
      });
      const began = Date.now();
      await press(FIRST);
      await untilState('done');
      t.diagnostic(`${name}: ${Date.now() - began} ms`);
      assert.ok(await page.evaluate(() => /** @type {any} */ (globalThis).ticks) > 20, 'timers of the page ran');
      const { step, frame, status, said, drawn, expected, path } = await seen();
      assert.deepEqual([step, frame], [200, 200]);
      assert.match(status, /^After 200 steps 100\u00a0% of 512 unseen sequences are entirely correct\.$/);
      assert.match(said, /^After step 200 the loss is 0\.0\d+ and the model answers ebiadkbg: all correct\.$/);
      assert.deepEqual(drawn, expected);
      expected.slice(8).forEach((row, i) => assert.ok(row[7 - i] > 0.9, `answer ${i} looks at letter ${7 - i}`));
      assert.ok(path.split('L').length > 100, 'a curve');
    });

    test('the trained model answers', async () => {
      await until(() => /^The model writes/.test(document.getElementById('written')?.textContent ?? ''));
      assert.equal(await page.evaluate(() => document.getElementById('written')?.textContent),
        'The model writes g o h e g d e h.');
    });

    test('input other than eight letters of the model is refused with a sentence', async () => {
      /** @param {string} text @returns said: the answer; shown: as text, within the page's width */
      const asked = (text) => page.evaluate((value) => {
        const input = /** @type {HTMLInputElement} */ (document.getElementById('letters'));
        const written = /** @type {HTMLElement} */ (document.getElementById('written'));
        input.value = value;
        input.dispatchEvent(new Event('input'));
        const { scrollWidth, clientWidth } = document.documentElement;
        return { said: written.textContent, shown: written.children.length === 0 && scrollWidth === clientWidth };
      }, text);
      const ofEight = ['abcdefgz', 'abc efgh', '<i>ab</i', '🙂🙂🙂🙂🙂🙂🙂🙂', 'שלוםשלום', 'ａｂｃｄｅｆｇｈ',
        '\u202eabcdefg', 'aİbcdefg'];
      const refused = { said: 'Write 8 letters from a to p.', shown: true };
      for (const text of [...Object.values(HOSTILE), ...ofEight]) {
        assert.deepEqual(await asked(text), refused, text.slice(0, 20));
      }
      assert.deepEqual(await asked('HEDGEHOG'), { said: 'The model writes g o h e g d e h.', shown: true });
      assert.deepEqual(browser.complaints, []);
    });

    test('earlier steps can be shown', async () => {
      await focus('input[type=range]');
      await page.keyboard.press('Home');
      const first = await seen();
      assert.equal(first.frame, 0);
      assert.match(first.said, /^Before the first step the model answers .*: \d of 8 wrong\.$/);
      assert.deepEqual(first.drawn, first.expected);
      for (let i = 0; i < 12; i++) await page.keyboard.press('ArrowRight');
      const later = await seen();
      assert.equal(later.frame, 12);
      assert.match(later.said, /^After step 12 /);
      assert.notDeepEqual(later.drawn, first.drawn);
      await page.keyboard.press('End');
      assert.equal((await seen()).frame, 200);
    });

    test('axe finds no violations', () => site.checkAccess());

    test('pauses, resumes and stops early; its maps stay', async () => {
      await choose('sort');
      await press(FIRST);
      await untilStep(20);
      await press(FIRST);
      assert.equal((await seen()).state, 'paused');
      let { step } = await seen();
      for (let before = -1, looks = 0; step !== before; looks++) { // the current step ends, and no other begins
        assert.ok(looks < 20, `step ${step} in a pause`);
        before = step;
        await new Promise((resolve) => setTimeout(resolve, 300));
        ({ step } = await seen());
      }
      await press(FIRST);
      await untilStep(step + 10);
      await press(CANCEL);
      await untilState('cancelled');
      const after = await seen();
      assert.match(after.status, /^The training was cancelled after step \d+\. The maps up to this step/);
      await focus('input[type=range]');
      await page.keyboard.press('Home');
      assert.equal((await seen()).frame, 0);
      await new Promise((resolve) => setTimeout(resolve, 200));
      assert.equal((await seen()).step, after.step, 'no further step');
    });

    test('a second start ends the first training and replaces its history', async () => {
      /** @param {string} task */
      const start = async (task) => {
        await choose(task);
        await page.evaluate(() => {
          document.getElementById('training')?.dispatchEvent(new CustomEvent('heed-training-start'));
        });
      };
      await start('sort');
      await untilStep(5);
      await start('sort');
      await start('copy');
      await untilStep(5);
      const count = await page.evaluate(() =>
        /** @type {any} */ (document.getElementById('training')).shadowRoot.querySelector('.count').textContent);
      assert.match(count, /^step \d+ of 200,/, 'the last started task');
      await press(CANCEL);
      await untilState('cancelled');
      const { step } = await seen();
      await new Promise((resolve) => setTimeout(resolve, 200));
      assert.equal((await seen()).step, step, 'no other training continues');
    });

    test('leaving the page ends the training', async () => {
      await choose('sort');
      await press(FIRST);
      await untilStep(5);
      await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pagehide')));
      await untilState('cancelled');
    });

    test('the console is empty', () => assert.deepEqual(browser.complaints, []));
  });
}
