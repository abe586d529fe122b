/** Undo, the page's address and a reload in real browsers: a text keeps the settings and the model that made it. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { BROWSERS } from '../support/browsers.js';
import { openSite } from '../support/site.js';

for (const [name, openBrowser] of Object.entries(BROWSERS)) {
  describe(`texts and links in ${name}`, { timeout: 600_000 }, () => {
    /** @type {import('../support/site.js').Site} */ let site;
    before(async () => {
      site = await openSite(openBrowser);
    });
    after(() => site?.close());

    /** @param {string} url opened as in another tab */
    async function open(url) {
      await site.page.goto('about:blank');
      await site.page.goto(url);
      await idle();
    }
    /** Waits until no model loads or runs, and the page shows a text. */
    const idle = () => site.until(() => document.getElementById('stop')?.getAttribute('aria-disabled') === 'true'
      && document.getElementById('loading')?.hidden
      && /** @type {any} */ (document.getElementById('strip')).tokens?.length > 0);
    const click = (/** @type {string} */ id) => site.page.evaluate((at) => document.getElementById(at)?.click(), id);
    const tokens = () => site.page.evaluate(() => /** @type {any} */ (document.getElementById('strip')).tokens);
    const hash = () => site.page.evaluate(() => location.hash);

    /** Waits for a text. @param {string[]} text */
    const shows = (text) => site.until((json) =>
      JSON.stringify(/** @type {any} */ (document.getElementById('strip'))?.tokens) === json, JSON.stringify(text));

    /** Runs an action, and waits for another text. @param {() => Promise<unknown>} act @returns {Promise<string[]>} */
    async function afterwards(act) {
      const shown = JSON.stringify(await tokens());
      await act();
      await site.until((json) => {
        const { tokens: now } = /** @type {any} */ (document.getElementById('strip'));
        return now.length > 0 && JSON.stringify(now) !== json;
      }, shown);
      await idle();
      return tokens();
    }

    /** Changes settings as a user does who leaves each field. @param {Record<string, number | string>} values by id */
    const change = (values) => site.page.evaluate((all) => {
      for (const [id, value] of Object.entries(all)) {
        const field = /** @type {HTMLInputElement} */ (document.getElementById(id));
        field.value = String(value);
        for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }));
      }
    }, values);

    /** Length, temperature and seed: in the fields, in the address and in the files of figures. */
    const settings = () => site.page.evaluate(() => {
      const fields = ['length', 'temperature', 'seed'];
      const address = new URLSearchParams(location.hash.slice(1));
      return {
        fields: fields.map((id) => Number(/** @type {HTMLInputElement} */ (document.getElementById(id)).value)),
        address: fields.map((id) => Number(address.get(id))),
        seeds: ['map', 'grid'].map((id) => /** @type {any} */ (document.getElementById(id)).provenance.seed),
      };
    });
    /** @param {{ fields: number[], address?: number[] }} expected address: default the fields */
    const settles = ({ fields, address = fields }) => site.settles(async () =>
      assert.deepEqual(await settings(), { fields, address, seeds: [address[2], address[2]] }));

    test('Undo and Redo restore the settings that made the text', async () => {
      await open(new URL('#length=20&temperature=0.7&seed=1', site.server.url).href);
      const first = await tokens();
      await settles({ fields: [20, 0.7, 1] });
      await change({ length: 30, temperature: 2, seed: 5 });
      const second = await afterwards(() => click('generate'));
      await settles({ fields: [30, 2, 5] });
      await afterwards(() => click('undo'));
      await shows(first);
      await settles({ fields: [20, 0.7, 1] });
      await afterwards(() => click('redo'));
      await shows(second);
      await settles({ fields: [30, 2, 5] });
    });

    test('after a setting alone changed, the link has the settings of the text, and a reload keeps the field',
      async () => {
        await change({ prompt: 'Once upon a time', length: 20, temperature: 0.7, seed: 1 });
        const text = await afterwards(() => click('generate'));
        await settles({ fields: [20, 0.7, 1] });
        const link = await site.page.evaluate(() => location.href);
        await change({ seed: 9, length: 25 });
        await settles({ fields: [25, 0.7, 9], address: [20, 0.7, 1] });
        assert.equal(await site.page.evaluate(() => location.href), link);
        await site.page.evaluate(() => {
          Object.assign(globalThis, { beforeReload: true });
          location.reload();
        });
        await site.until(() => !('beforeReload' in globalThis)
          && /** @type {any} */ (document.getElementById('seed'))?.value === '9');
        await shows(text);
        await idle();
        await settles({ fields: [25, 0.7, 9], address: [20, 0.7, 1] });
        await afterwards(() => click('generate'));
        await settles({ fields: [25, 0.7, 9] });
        await site.page.evaluate(() => history.back());
        await shows(text);
        await idle();
        await settles({ fields: [20, 0.7, 1] });
      });

    /** Drops a copy of the default model. @param {string} file its name */
    const drop = (file) => site.page.evaluate(async (fileName) => {
      const response = await fetch('./models/stories.gguf');
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([await response.arrayBuffer()], fileName));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    }, file);
    /** Waits for the address of an open file. @param {string} file */
    const hasOpened = async (file) => {
      await site.until((fileName) => new URLSearchParams(location.hash.slice(1)).get('file') === fileName
        && location.hash.includes('text='), file);
      await idle();
    };
    const openView = () => site.page.evaluate(() => document.querySelector('[role=tab][aria-selected=true]')?.id);
    const changes = () => site.page.evaluate(() =>
      new URLSearchParams(location.hash.slice(1)).get('edits')?.split('@')[0]);
    const waits = () => site.until(() =>
      document.getElementById('notice')?.textContent?.includes('local model file ‘my.gguf’'));

    test('an address of a local model file waits for this file, and then shows its text', async () => {
      await open(new URL('#length=20&temperature=0.7&seed=1', site.server.url).href);
      const standIn = await tokens();
      await drop('my.gguf');
      await hasOpened('my.gguf');
      await change({ seed: 7 });
      const text = await afterwards(() => site.page.evaluate(() => /** @type {any} */ (document.getElementById('next'))
        .shadowRoot.querySelectorAll('button')[1].click()));
      await change({ temperature: 1 }); // the link has the settings of the text
      await click('tab-contributions');
      await click('cut-head');
      await site.settles(async () => assert.match(await changes() ?? '', /^h\d\.\d$/));
      const [link, made] = [await site.page.evaluate(() => location.href), await changes()];

      await open(link);
      await waits();
      await site.until(() => (document.getElementById('status')?.textContent ?? '') !== '');
      assert.notDeepEqual(await tokens(), text);
      await change({ length: 12 });
      await click('tab-map');
      await new Promise((resolve) => setTimeout(resolve, 200));
      assert.equal(await site.page.evaluate(() => location.href), link, 'the default model does not change the link');
      await drop('my.gguf');
      await shows(text);
      await hasOpened('my.gguf');
      await settles({ fields: [20, 0.7, 7] });
      assert.deepEqual([await openView(), await changes()], ['tab-contributions', made]);
      assert.notDeepEqual(text, standIn);

      // A text of the user, and a model of another name, get addresses of their own. Back shows the link.
      await open(link);
      await waits();
      await change({ prompt: 'Tom and Lily' });
      await afterwards(() => click('generate'));
      await site.settles(async () => assert.ok(!(await hash()).includes('file=')));
      await site.page.evaluate(() => history.back());
      await site.settles(async () => assert.equal(await site.page.evaluate(() => location.href), link));
      await waits();
      await idle();
      await drop('other.gguf');
      await hasOpened('other.gguf');
      await drop('my.gguf');
      await shows(text);
      await hasOpened('my.gguf');
      assert.equal(await openView(), 'tab-contributions');
    });

    test('the console is empty', () => assert.deepEqual(site.browser.complaints, []));
  });
}
