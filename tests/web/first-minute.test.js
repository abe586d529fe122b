/** The first minute of a visitor: tooltips, examples, offered models, links to the lessons. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { EXAMPLES } from '../../web/page/examples.js';
import { TERMS } from '../../web/glossary.js';
import { OFFERS } from '../../web/page/models.js';
import { BROWSERS } from '../support/browsers.js';
import { openSite } from '../support/site.js';

for (const [name, openBrowser] of Object.entries(BROWSERS)) {
  describe(`the first minute in ${name}`, { timeout: 600_000 }, () => {
    /** @type {import('../support/site.js').Site} */ let site;
    const textOf = (/** @type {string} */ id) =>
      site.page.evaluate((id) => document.getElementById(id)?.textContent ?? '', id);
    const finished = () => site.until(() => /per second/.test(document.getElementById('status')?.textContent ?? ''));

    before(async () => {
      site = await openSite(openBrowser);
      await site.page.goto(site.server.url);
      await finished();
    });
    after(() => site?.close());

    test('a term shows its tooltip on focus, and Escape hides it', async () => {
      const shown = () => site.page.evaluate(() => {
        const tip = document.getElementById('explanation');
        return !tip || tip.hidden ? null : tip.textContent;
      });
      for (const term of ['head', 'start', 'parameters', 'top-k']) {
        await site.page.evaluate((term) => {
          const word = /** @type {HTMLElement} */ (document.querySelector(`[data-term="${term}"]`));
          /** @type {HTMLElement} */ (word.querySelector('input') ?? word).focus();
        }, term);
        assert.equal(await shown(), TERMS[term]);
        await site.page.keyboard.press('Escape');
        assert.equal(await shown(), null);
      }
    });

    test('the head line names a pattern, the reason for the open head, and a lesson', async () => {
      assert.match(await textOf('look'), /^Opened because .*Layer \d, head \d attends mostly to .*Lesson \d/);
      const links = await site.page.evaluate(() => {
        /** @type {NodeListOf<HTMLAnchorElement>} */
        const found = document.querySelectorAll('main a, aside a');
        return Array.from(found, (link) => link.href);
      });
      assert.ok(links.length >= 3);
      for (const link of links) assert.equal((await fetch(link)).status, 200, link);
    });

    test('an example replaces the prompt and runs', async () => {
      const [, list] = EXAMPLES;
      await site.page.evaluate((name) => {
        const buttons = [...document.querySelectorAll('#examples button')];
        /** @type {HTMLElement} */ (buttons.find((button) => button.textContent === name)).click();
      }, list.name);
      await finished();
      assert.equal(await site.page.evaluate(() =>
        /** @type {HTMLTextAreaElement} */ (document.getElementById('prompt')).value), list.prompt);
    });

    test('a click on an offered model loads it', async () => {
      await site.page.evaluate(() => {
        const menu = /** @type {HTMLDetailsElement} */ (document.getElementById('open'));
        menu.open = true;
        const buttons = [...menu.querySelectorAll('#offers button')];
        /** @type {HTMLElement} */ (buttons.find((button) => button.textContent === 'shakespeare')).click();
      });
      await site.until(() => /shakespeare/.test(document.getElementById('model')?.textContent ?? ''));
      assert.equal(await site.page.evaluate(() => document.querySelectorAll('#offers li').length), OFFERS.length);
    });

    test('axe finds no violations while a tooltip is open', async () => {
      await site.page.evaluate(() => /** @type {HTMLElement} */ (document.querySelector('[data-term="head"]')).focus());
      await site.checkAccess();
    });
  });
}
