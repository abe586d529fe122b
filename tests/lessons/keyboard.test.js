/** The lessons with the keyboard and with a screen reader: focus, names, and announcements. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { LESSONS } from '../../web/lessons/list.js';
import { BROWSERS } from '../support/browsers.js';
import { openSite } from '../support/site.js';

/** Tab also stops at elements without a control, so the walk over all controls continues at most this often. */
const TRIES = 5;

/** Lessons without models; tests/lessons/with-models.test.js tests the others. */
const OF_NUMBERS = LESSONS.filter(({ name }) => name >= '01' && name < '07');

for (const [browserName, openBrowser] of Object.entries(BROWSERS)) {
  describe(`lessons by key in ${browserName}`, { timeout: 600_000 }, () => {
    /** @type {import('../support/site.js').Site} */ let site;
    /** @type {import('../support/site.js').Site['page']} */ let page;
    before(async () => {
      site = await openSite(openBrowser);
      ({ page } = site);
    });
    after(() => site?.close());

    /** @param {string} selector */
    const focus = (selector) => page.evaluate((wanted) =>
      /** @type {HTMLElement} */ (document.querySelector(wanted)).focus(), selector);
    /** @param {string} selector */
    const text = (selector) => page.evaluate((wanted) => document.querySelector(wanted)?.textContent ?? '', selector);
    /** @param {string[]} keys */
    const press = async (...keys) => {
      for (const key of keys) await page.keyboard.press(key);
      await site.drawn();
    };

    for (const { name } of OF_NUMBERS) {
      test(`${name}: Tab reaches every control once, in order, and each shows a focus ring`, async () => {
        await site.open(`${name}.html`);
        const wanted = await page.evaluate(() => {
          /** @param {ParentNode} within @returns {Element[]} */
          const controls = (within) => [...within.querySelectorAll('*')].flatMap((each) => (each.shadowRoot
            ? controls(each.shadowRoot)
            : each.matches('a[href], button, select, input, textarea, summary, canvas.raster, [tabindex="0"]')
              ? [each] : []));
          const all = controls(document).filter((each) => each.checkVisibility() && !each.matches('[tabindex="-1"]'));
          all.forEach((each, at) => { /** @type {any} */ (each).stop = at; });
          const page = /** @type {any} */ (globalThis);
          page.stops = [];
          page.faint = [];
          addEventListener('focusin', (event) => {
            const at = /** @type {any} */ (event.composedPath()[0]);
            if (at.stop === undefined) return; // browsers make scrolling boxes focusable
            page.stops.push(at.stop);
            if (getComputedStyle(at).outlineStyle === 'none') page.faint.push(at.outerHTML.slice(0, 120));
          });
          return all.length;
        });
        const walked = () => page.evaluate(() => {
          const { stops, faint } = /** @type {any} */ (globalThis);
          return /** @type {{ reached: number[], faint: string[] }} */ ({ reached: stops, faint });
        });
        for (let left = wanted, tries = 0; left > 0 && tries < TRIES; tries++) {
          for (let i = 0; i < left; i++) await page.keyboard.press('Tab');
          left = wanted - (await walked()).reached.length;
        }
        const { reached, faint } = await walked();
        assert.deepEqual(reached, Array.from({ length: wanted }, (_, i) => i));
        assert.deepEqual(faint, []);
      });
    }

    test('Home and End move sliders to their ends, and sliders announce their values', async () => {
      await site.open('05-positions.html');
      await focus('#controls input');
      const said = () => page.evaluate(() => [document.activeElement?.getAttribute('aria-valuetext'),
        document.querySelector('[data-value=d]')?.textContent]);
      await press('End');
      assert.deepEqual(await said(), ['192', '192']);
      await press('Home', 'ArrowRight');
      assert.deepEqual(await said(), ['32', '32']);
    });

    test('selects, checkboxes, buttons and tables respond to keys', async () => {
      await site.open('06-block.html');
      const apart = () => text('[data-value=apart]');
      await focus('#controls input[type=checkbox]');
      const before = await apart();
      await press(' ');
      assert.notEqual(await apart(), before);
      await focus('#controls select');
      const post = await apart();
      await press('ArrowDown');
      assert.notEqual(await apart(), post);
      await focus('#controls button');
      const rows = await text('#rows tbody');
      await press('Enter', 'Enter');
      assert.notEqual(await text('#rows tbody'), rows);
      await site.open('01-soft-lookup.html');
      await focus('#gradients summary');
      await press('Enter');
      await site.until(() => document.querySelectorAll('#gradients tbody tr').length === 81);
    });

    test('arrow keys, Page, Home and End move over a heatmap; Escape hides the mark', async () => {
      await site.open('05-positions.html');
      await focus('#start input');
      await page.keyboard.press('Tab');
      await focus('#encoding canvas');
      const cell = () => text('#cell');
      await press('ArrowDown');
      assert.equal(await cell(), 'Position 1, element 0: 0.841.'); // sin 1
      await press('ArrowRight');
      assert.equal(await cell(), 'Position 1, element 1: 0.540.'); // cos 1
      await press('End');
      assert.match(await cell(), /^Position 1, element 127: /);
      await press('PageDown', 'Home');
      assert.equal(await cell(), 'Position 11, element 0: −1.000.'); // sin 11
      const marked = () => page.evaluate(() =>
        document.querySelector('#encoding .raster-mark')?.hasAttribute('hidden') === false);
      assert.ok(await marked());
      await press('Escape');
      assert.ok(!await marked());
      await press('End');
      await focus('#controls input');
      await press('Home');
      assert.match(await cell(), /^Position 11, element 15: /, 'the nearest cell of a narrower heatmap');
    });

    test('a fast slider updates the figure once per frame', async () => {
      await site.open('05-positions.html');
      const answers = await page.evaluate(async () => {
        const d = /** @type {HTMLElement} */ (document.querySelector('[data-value=d]'));
        const slider = /** @type {HTMLInputElement} */ (document.querySelector('#controls input'));
        /** @type {string[]} */ const texts = [];
        new MutationObserver((records) => texts.push(...records.map(({ addedNodes }) =>
          addedNodes[0]?.textContent ?? ''))).observe(d, { childList: true });
        for (let value = 16; value <= 192; value += 16) {
          slider.value = String(value);
          slider.dispatchEvent(new Event('input'));
        }
        await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(undefined))));
        return texts;
      });
      assert.deepEqual(answers, ['192']);
    });

    test('a hidden plot is drawn when it scrolls into view, and for print', async () => {
      await site.open('05-positions.html');
      const curve = () => page.evaluate(() => document.querySelector('#variance path')?.getAttribute('d'));
      await page.evaluate(() => scrollTo(0, 0));
      await site.drawn();
      await site.drawn();
      const set = (/** @type {number} */ d) => page.evaluate((value) => {
        const slider = /** @type {HTMLInputElement} */ (document.querySelector('#controls input'));
        slider.value = String(value);
        slider.dispatchEvent(new Event('input'));
      }, d);
      const before = await curve();
      await set(64);
      await site.drawn();
      assert.equal(await curve(), before, 'the plot is not visible');
      await page.evaluate(() => { document.querySelector('#variance')?.scrollIntoView(); });
      await site.until((old) => document.querySelector('#variance path')?.getAttribute('d') !== old, before);
      const seen = await curve();
      await page.evaluate(() => scrollTo(0, 0));
      await site.drawn();
      await site.drawn();
      await set(32);
      await site.drawn();
      assert.equal(await curve(), seen);
      await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
      assert.notEqual(await curve(), seen);
    });

    // Only this driver can read the accessibility tree.
    if (browserName === 'chromium') {
      for (const { name } of LESSONS) {
        test(`${name}: every control has a unique name in its region, and captions are announced whole`, async () => {
          await site.open(`${name}.html`);
          const tree = await site.browser.tree?.() ?? [];
          assert.ok(tree.length > 20);
          const named = tree.filter(({ focusable, role }) => focusable && !['RootWebArea', 'option'].includes(role));
          assert.deepEqual(named.filter((each) => each.name.trim() === '' && each.role !== 'generic'), []);
          const names = named.filter(({ role }) => role !== 'generic')
            .map(({ region, role, name: words }) => `${region}${role} ${words}`);
          assert.deepEqual(names.filter((each, at) => names.indexOf(each) !== at), [], 'duplicate names');
          assert.equal(tree.find(({ role }) => role === 'heading')?.name,
            await page.evaluate(() => document.querySelector('h1')?.innerText.replace(/\s+/g, ' ')));
          const captions = tree.filter(({ role }) => role === 'Figcaption');
          for (const { live, atomic, name: words } of captions.filter((each) => each.live)) {
            assert.deepEqual({ live, atomic }, { live: 'polite', atomic: true }, words);
          }
        });
      }

      test('changed numbers in the text are not announced, and masked cells are labeled', async () => {
        await site.open('03-masks.html');
        const tree = await site.browser.tree?.() ?? [];
        const live = tree.filter((each) => each.live && each.live !== 'off').map(({ role }) => role);
        // The statuses are the copied address and the lit box of the drawing.
        assert.deepEqual(live, ['status', 'Figcaption', 'Figcaption', 'Figcaption', 'status']);
        assert.ok(tree.some(({ role, name }) => /cell/i.test(role) && name === 'masked'));
      });
    }
  });
}
