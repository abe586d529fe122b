/** Exercises in real browsers: solved by key, failed, kept after a reload, and moved by a file. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { EXERCISES } from '../../web/lessons/exercises/catalog.js';
import { BROWSERS } from '../support/browsers.js';
import { openSite } from '../support/site.js';

const IDS = Object.values(EXERCISES).flatMap(({ ids }) => ids);
const KEY = 'heed.exercises';

for (const [browserName, openBrowser] of Object.entries(BROWSERS)) {
  describe(`exercises in ${browserName}`, { timeout: 300_000 }, () => {
    /** @type {import('../support/site.js').Site} */ let site;
    /** @type {import('../support/site.js').Site['page']} */ let page;
    before(async () => {
      site = await openSite(openBrowser);
      ({ page } = site);
    });
    after(() => site?.close());

    /** Opens a lesson at an exercise, when it can be answered. @param {string} lesson @param {string} id */
    async function openAt(lesson, id) {
      await site.open(`${lesson}.html?at=${id}#${id}`); // another address each time: a new # alone does not load a page
      await site.until((at) => document.querySelector(`#${at} [type=submit]`) !== null, id);
    }
    /** @param {string} selector */
    const text = (selector) => page.evaluate((wanted) => document.querySelector(wanted)?.textContent ?? '', selector);
    /** @param {string} selector @param {string[]} keys */
    async function press(selector, ...keys) {
      await page.evaluate((wanted) => /** @type {HTMLElement} */ (document.querySelector(wanted)).focus(), selector);
      for (const key of keys) await page.keyboard.press(key);
    }
    /** Writes a number into a field, and hands it in by Enter. @param {string} selector @param {string} answer */
    async function answer(selector, answer) {
      await page.evaluate((wanted) => {
        const field = /** @type {HTMLInputElement} */ (document.querySelector(wanted));
        field.focus();
        field.select();
      }, selector);
      await page.keyboard.type(answer);
      await page.keyboard.press('Enter');
    }
    /** Waits for a verdict that begins so. @param {string} id @param {string} start */
    const verdict = (id, start) => site.until(([at, wanted]) =>
      document.querySelector(`#${at} .verdict`)?.textContent?.startsWith(wanted), [id, start]);
    const buttons = (/** @type {string} */ id) => page.evaluate((at) =>
      [...document.querySelectorAll(`#${at} button`)].map((each) =>
      `${each.textContent}${/** @type {HTMLButtonElement} */ (each).disabled ? ', disabled' : ''}`), id);

    test('a cell is failed and solved by key; hints come one at a time, and the solution after a try', async () => {
      site.browser.complaints.length = 0;
      await openAt('02-scores', 'scores-scaled');
      const id = 'scores-scaled';
      await site.until((at) => document.activeElement?.closest('details')?.id === at, id);
      assert.deepEqual(await buttons(id), ['Check', 'Hint 1 of 2', 'Show the solution, disabled', 'Other numbers']);
      await press(`#${id} td input`, 'Enter');
      await verdict(id, 'Write a number first.');
      assert.equal((await buttons(id))[2], 'Show the solution, disabled', 'an empty field is no try');
      await answer(`#${id} td input`, '0.5');
      await verdict(id, 'Not yet. The scores are not equal');
      assert.equal(await text(`#${id} .exercise-state`), 'tried');
      await press(`#${id} .controls button:nth-child(2)`, 'Enter', 'Enter');
      assert.equal(await page.evaluate((at) => document.querySelectorAll(`#${at} .hints li`).length, id), 2);
      assert.deepEqual((await buttons(id)).slice(1, 3), ['No more hints', 'Show the solution']);
      await answer(`#${id} td input`, '0,73');
      await verdict(id, 'Right. The scaled scores differ by 1');
      assert.equal(await text(`#${id} .exercise-state`), '✓ solved');
      await press(`#${id} .controls button:nth-child(3)`, 'Enter');
      assert.match(await page.evaluate(() => document.activeElement?.textContent ?? ''),
        /^Solution\. The scaled scores are/);
      await press(`#${id} .controls button:nth-child(4)`, 'Enter');
      await site.until(() => document.activeElement?.textContent === 'Other numbers');
      assert.deepEqual(site.browser.complaints, []);
    });

    test('a slider is locked until a guess; a line of code and a matrix are tried by the kernels', async () => {
      await openAt('03-masks', 'mask-zero');
      const slider = () => page.evaluate(() => /** @type {HTMLInputElement} */ (document.querySelector('#mask-zero '
        + '[type=range]')).disabled);
      assert.ok(await slider());
      await answer('#mask-zero input.number', '0');
      await verdict('mask-zero', 'Not yet. Only a score of −∞');
      assert.ok(!await slider());
      assert.match(await text('#mask-zero .explore p'), /^With the score 0 key 3 gets 0\.155/);
      await page.evaluate(() => {
        location.hash = '#mask-code';
      });
      await site.until(() => document.querySelector('#mask-code [type=submit]') !== null);
      for (const [chosen, expected] of /** @type {const} */ ([[['0', '2'], 'Not yet. Token 6 gives'], [['0',
        '1'], 'Right.']])) {
        await page.evaluate((values) => document.querySelectorAll('#mask-code select').forEach((each, i) => {
          /** @type {HTMLSelectElement} */ (each).value = values[i];
        }), chosen);
        await press('#mask-code [type=submit]', 'Enter');
        await verdict('mask-code', expected);
      }
      await openAt('01-soft-lookup', 'lookup-query');
      await answer('#lookup-query td input', '3');
      await verdict('lookup-query', 'Not yet. Machine Learning gets');
      await answer('#lookup-query td:last-child input', '3');
      await verdict('lookup-query', 'Right.');
      if (browserName === 'chromium') await site.checkAccess();
      for (const width of [360, 1200]) {
        await site.browser.resize(width, 900);
        await site.drawn();
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= width);
      }
    });

    test('an exercise in a figure counts a try, but not a solution that was shown', async () => {
      await site.open('12-thinking-like-transformers.html?at=figure#count-by-hand');
      await site.until(() => document.activeElement?.closest('details')?.id === 'count-by-hand'); // takes the focus
      for (const [button, state] of [['#check', 'tried'], ['#solve', 'tried'], ['#check', '✓ solved']]) {
        await press(button, 'Enter');
        await site.until((wanted) => document.querySelector('#count-by-hand .exercise-state')?.textContent === wanted,
          state);
      }
    });

    test('progress stays after a reload, in the list, and without storage; garbage is ignored', async () => {
      await site.open('index.html');
      const shown = () => page.evaluate(() => [...document.querySelectorAll('#lessons li')].map((each) =>
        [...each.querySelectorAll('.marks span')].map((mark) => mark.textContent ?? '')
          .find((mark) => mark.endsWith(' solved')) ?? ''));
      assert.deepEqual((await shown()).slice(0, 4), ['', '1 of 4 exercises solved', '1 of 4 exercises solved',
        '1 of 4 exercises solved']);
      await openAt('02-scores', 'scores-scaled');
      assert.equal(await text('#scores-scaled .exercise-state'), '✓ solved');
      await page.evaluate((key) => localStorage.setItem(key, '{"scores-scaled": {"x": 1}, "no": "solved", '), KEY);
      await openAt('03-masks', 'mask-count');
      assert.equal(await text('#mask-count .exercise-state'), '');
      await page.evaluate(() => {
        Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };
      });
      await answer('#mask-count input.number', '21');
      await verdict('mask-count', 'Right.');
      assert.match(await text('#mask-count .verdict'), /This browser does not keep your progress\.$/);
      assert.equal(await text('#mask-count .exercise-state'), '✓ solved');
      assert.deepEqual(site.browser.complaints, []);
    });

    test('the page of all exercises lists them, and saves and reads progress', async () => {
      await site.open('exercises.html');
      const listed = await page.evaluate(() => [...document.querySelectorAll('#all li[id]')].map((each) =>
        ({ id: each.id, link: each.querySelector('a')?.getAttribute('href') ?? '' })));
      assert.deepEqual(listed.map(({ id }) => id), IDS);
      for (const { id, link } of listed) assert.match(link, new RegExp(`^\\./\\d\\d-[a-z-]+\\.html#${id}$`));
      await press('#lookup-hot details:last-of-type summary', 'Enter');
      await site.until(() => /each weight is near 1\/5/.test(document.querySelector('#lookup-hot')?.textContent ?? ''));
      if (browserName === 'chromium') await site.checkAccess();

      /** Gives a file to the page. @param {string} name @param {string} content */
      const give = (name, content) => page.evaluate(([title, body]) => {
        const input = /** @type {HTMLInputElement} */ (document.querySelector('input[type=file]'));
        const transfer = new DataTransfer();
        transfer.items.add(new File([body], title));
        input.files = transfer.files;
        input.dispatchEvent(new Event('change'));
      }, /** @type {const} */ ([name, content]));
      await page.evaluate((key) => localStorage.setItem(key, '{"lookup-hot":"solved"}'), KEY);
      await give('photo.jpg', '<img src=x onerror=alert(1)>');
      await site.until(() => document.querySelector('#refused')?.textContent === 'photo.jpg: The file is not JSON. '
        + 'Choose a file that this page has saved.');
      await give('wrong.json', '{"format":"heed exercises","version":1,"exercises":{"mask-zero":"perfect"}}');
      await site.until(() => document.querySelector('#refused')?.textContent?.includes('says "perfect" of'));
      await page.evaluate(() => {
        const kept = /** @type {any} */ (globalThis);
        const make = URL.createObjectURL;
        URL.createObjectURL = (blob) => {
          kept.saved = blob;
          return make.call(URL, blob);
        };
      });
      await press('#files button', 'Enter');
      const saved = await page.evaluate(() => /** @type {any} */ (globalThis).saved.text());
      assert.deepEqual(JSON.parse(saved).exercises, { 'lookup-hot': 'solved' });
      await page.evaluate((key) => localStorage.setItem(key, '{"mask-zero":"solved","lookup-hot":"tried"}'), KEY);
      await give('heed-exercises.json', saved);
      await site.until(() => /^1 exercises were read/.test(document.querySelector('#told')?.textContent ?? ''));
      assert.equal(await text('[data-value=solved]'), `2 of ${IDS.length} exercises are solved.`);
      assert.deepEqual(site.browser.complaints, []);
    });
  });
}
